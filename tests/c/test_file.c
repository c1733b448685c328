/* test_file.c - hc_update_file: every kind of file, positions, errors that leave no trace, progress, files that change.
 */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64
#include "hashcore.h"
#include "check.h"

#if defined(__unix__) || defined(__APPLE__)
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__SANITIZE_THREAD__)
#define SANITIZED 2
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#elif __has_feature(thread_sanitizer)
#define SANITIZED 2
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { MAX = 3 * 1048576 + 5 };
static const unsigned counts[] = { 0, 1, 2, 3, 8, HC_THREADS_AUTO };
enum { COUNTS = sizeof counts / sizeof *counts };
static uint8_t *data;
static char dir[200], path[256];

/* ---- Small tools ---------------------------------------------------------------------- */

static const hc_alg *find(const char *name) { return hc_alg_find(name); }

static void start(const hc_alg *alg, hc_state *s)
{
    static const uint8_t key[32] = { 9, 8, 7 };
    hc_options o = HC_OPTIONS_INIT;
    hc_error err;
    if (alg->key_max) {
        o.given = HC_GIVEN_KEY;
        o.key.data = key;
        o.key.len = 32;
    }
    memset(s, 0xa5, sizeof *s); /* what a state does not use stays as it is */
    CHECK(alg->init(s, &o, &err) == HC_OK);
}

static int same(const hc_alg *alg, const hc_state *s, const hc_state *t)
{
    uint8_t a[64], b[64];
    size_t n = alg->digest_size < 64 ? alg->digest_size : 64;
    return alg->final(s, a, n, 0, NULL) == HC_OK && alg->final(t, b, n, 0, NULL) == HC_OK && !memcmp(a, b, n);
}

static hc_file with(const char *p, int fd, unsigned threads)
{
    hc_file f = HC_FILE_INIT;
    f.path = p;
    f.fd = fd;
    f.threads = threads;
    return f;
}

static int one(const hc_alg *alg, hc_state *s, const hc_file *f, uint64_t *done, hc_error *err)
{
    void *state = s;
    return hc_update_file(&alg, &state, 1, f, done, err);
}

static void write_file(const char *p, const void *bytes, size_t n)
{
    int fd = open(p, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
    close(fd);
}

static int sparse(const char *p, uint64_t n)
{
    int fd = open(p, O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && ftruncate(fd, (off_t)n) == 0);
    return fd;
}

static void zeros(const hc_alg *alg, hc_state *s, uint64_t n)
{
    static const uint8_t block[1 << 20];
    while (n) {
        size_t k = n < sizeof block ? (size_t)n : sizeof block;
        alg->update(s, block, k);
        n -= k;
    }
}

static double now(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* ---- Contents ------------------------------------------------------------------------- */

static void contents(void)
{
    static const size_t sizes[] = { 0,     1,      63,     64,     1024,    4095,    4096,    65535, 65536,
                                    65537, 262144, 524288, 524289, 1048576, 1048577, 2097152, MAX };
    static const size_t heads[] = { 0, 100000, 1, 1024, 65536, 65537, 262144 };
    static const char *const names[] = { "blake3", "sha256", "blake2b" };
    for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
        write_file(path, data, sizes[z]);
        for (size_t a = 0; a < 3; a++)
            for (size_t h = 0; h < (a || sizes[z] > 600000 ? 2 : sizeof heads / sizeof *heads); h++)
                for (int c = 0; c < COUNTS; c++) {
                    const hc_alg *alg = find(names[a]);
                    hc_file f = with(path, -1, counts[c]);
                    hc_state s, want;
                    hc_error err;
                    uint64_t done = 77;
                    start(alg, &s);
                    alg->update(&s, data + 11, heads[h]);
                    alg->copy(&want, &s);
                    alg->update(&want, data, sizes[z]);
                    CHECK(one(alg, &s, &f, &done, &err) == HC_OK);
                    CHECK_SAY(same(alg, &s, &want) && done == sizes[z], "%s, %zu bytes after %zu, threads %u", names[a],
                              sizes[z], heads[h], counts[c]);
                    /* It is a state like any other: more may follow. */
                    alg->update(&s, data, 5000);
                    alg->update(&want, data, 5000);
                    CHECK_SAY(same(alg, &s, &want), "%s, %zu bytes, then 5000, threads %u", names[a], sizes[z],
                              counts[c]);
                }
    }
}

/* All algorithms, some twice, in one read. */
static void several(void)
{
    enum { N = 9 };
    static const char *const names[N] = { "sha224",   "blake3", "sha256",      "hmac-sha256", "blake2b",
                                          "blake2xb", "blake3", "hmac-sha224", "sha256" };
    write_file(path, data, MAX);
    for (int c = 0; c < COUNTS; c++) {
        const hc_alg *algs[N];
        hc_state s[N], want;
        void *states[N];
        hc_file f = with(path, -1, counts[c]);
        hc_error err;
        uint64_t done = 0;
        for (int i = 0; i < N; i++) {
            algs[i] = find(names[i]);
            states[i] = &s[i];
            start(algs[i], &s[i]);
            algs[i]->update(&s[i], data, (size_t)i * 100);
        }
        CHECK(hc_update_file(algs, states, N, &f, &done, &err) == HC_OK && done == MAX);
        for (int i = 0; i < N; i++) {
            start(algs[i], &want);
            algs[i]->update(&want, data, (size_t)i * 100);
            algs[i]->update(&want, data, MAX);
            CHECK_SAY(same(algs[i], &s[i], &want), "%s, the %dth of %d, threads %u", names[i], i, N, counts[c]);
        }
    }
}

/* ---- Where it reads ------------------------------------------------------------------- */

static void positions(void)
{
    static const struct {
        uint64_t offset, length, from, count; /* what is asked of a descriptor that stands at 1000, and what it gives */
    } cases[] = {
        { HC_UNTIL_END, HC_UNTIL_END, 1000, MAX - 1000 },
        { HC_UNTIL_END, 0, 1000, 0 },
        { HC_UNTIL_END, 70000, 1000, 70000 },
        { HC_UNTIL_END, UINT64_MAX - 1, 1000, MAX - 1000 },
        { HC_UNTIL_END, MAX, 1000, MAX - 1000 },
        { 0, HC_UNTIL_END, 0, MAX },
        { 0, 0, 0, 0 },
        { 0, 2000000, 0, 2000000 },
        { 5, HC_UNTIL_END, 5, MAX - 5 },
        { 1048576, 1048576, 1048576, 1048576 },
        { 65537, 2097152 + 1, 65537, 2097152 + 1 },
        { MAX - 1, HC_UNTIL_END, MAX - 1, 1 },
        { MAX, HC_UNTIL_END, MAX, 0 },
        { MAX + 1, HC_UNTIL_END, MAX, 0 },
        { MAX - 10, 4000000, MAX - 10, 10 }, /* a file shorter than asked: what there is, and *done says so */
        { (uint64_t)1 << 40, 5, MAX, 0 },
        { INT64_MAX, HC_UNTIL_END, MAX, 0 },
    };
    static const char *const names[] = { "blake3", "sha256" };
    write_file(path, data, MAX);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int a = 0; a < 2; a++)
            for (int c = 0; c < COUNTS; c++)
                for (int by_path = 0; by_path < 2; by_path++) {
                    const hc_alg *alg = find(names[a]);
                    hc_file f = with(NULL, open(path, O_RDONLY), counts[c]);
                    hc_state s, want;
                    hc_error err;
                    uint64_t from = cases[i].from, count = cases[i].count, done = 77;
                    off_t at;
                    int fd = f.fd;
                    CHECK(lseek(fd, 1000, SEEK_SET) == 1000);
                    if (by_path) {
                        f.path = path; /* its descriptor is not even looked at */
                        f.fd = -1;
                        if (cases[i].offset == HC_UNTIL_END) {
                            from = 0;
                            count = cases[i].length < MAX ? cases[i].length : MAX;
                        }
                    }
                    f.offset = cases[i].offset;
                    f.length = cases[i].length;
                    start(alg, &s);
                    start(alg, &want);
                    alg->update(&want, data + from, (size_t)count);
                    CHECK(one(alg, &s, &f, &done, &err) == HC_OK);
                    CHECK_SAY(same(alg, &s, &want) && done == count, "%s, case %zu, threads %u", names[a], i,
                              counts[c]);
                    at = lseek(fd, 0, SEEK_CUR);
                    CHECK_SAY(at == (off_t)(by_path || cases[i].offset != HC_UNTIL_END ? 1000 : 1000 + count),
                              "%s, case %zu, threads %u: stands at %lld", names[a], i, counts[c], (long long)at);
                    close(fd);
                }
}

/* ---- Errors leave everything as it was -------------------------------------------------- */

/* The call must fail so, and neither change the states nor *done. */
static void fails_n(const hc_alg *const *algs, size_t n, const hc_file *f, int code, const char *argument, int os_error)
{
    hc_state s[3], before[3];
    void *states[3];
    hc_error err;
    char text[200];
    uint64_t done = 4711;
    int r;
    memset(&err, 0, sizeof err);
    for (size_t i = 0; i < n; i++) {
        states[i] = &s[i];
        start(algs[i], &s[i]);
        algs[i]->update(&s[i], data, 100000 + i);
    }
    memcpy(before, s, n * sizeof *s);
    r = hc_update_file(algs, states, n, f, &done, &err);
    CHECK_SAY(r == code && err.code == code && err.os_error == os_error && !strcmp(err.argument, argument),
              "%d, wanted %d; %s, wanted %s; errno %d, wanted %d", r, code, err.argument, argument, err.os_error,
              os_error);
    CHECK(hc_error_text(&err, text, sizeof text) > strlen(argument) && !memcmp(text, argument, strlen(argument)));
    CHECK(done == 4711 && !memcmp(before, s, n * sizeof *s));
    CHECK(hc_update_file(algs, states, n, f, NULL, NULL) == code && !memcmp(before, s, n * sizeof *s));
}

static void fails(const hc_file *f, int code, const char *argument, int os_error)
{
    const hc_alg *algs[3];
    algs[0] = find("blake3");
    algs[1] = find("hmac-sha256");
    algs[2] = find("blake2b");
    fails_n(algs, 1, f, code, argument, os_error);
    fails_n(algs + 1, 1, f, code, argument, os_error);
    fails_n(algs, 3, f, code, argument, os_error);
}

static int unreadable(void)
{
    hc_file f = with(path, -1, 0);
    if (getuid() == 0 && setuid(65534)) return 77;
    check_failed = 0;
    fails(&f, HC_E_IO, "path", EACCES);
    return check_failed != 0;
}

/* No memory for the buffers of several threads: nothing else can fail before that. */
static int no_memory(void)
{
#if SANITIZED || !defined(RLIMIT_AS)
    return 77;
#else
    struct rlimit none = { 1, 1 };
    hc_file f = with(path, -1, 2);
    size_t size = 1 << 20;
    void *volatile block; /* or a compiler leaves the call out and takes it for successful */
    if (setrlimit(RLIMIT_AS, &none)) return 77;
    while (size >= 256) { /* what the heap still holds */
        block = malloc(size);
        if (!block) size /= 2;
    }
    check_failed = 0;
    fails(&f, HC_E_MEMORY, "buffer", 0);
    return check_failed != 0;
#endif
}

static void in_child(int (*f)(void), const char *what)
{
    int status = -1;
    pid_t pid;
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        alarm(60);
        _exit(f());
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        CHECK_SKIP(what);
    else
        CHECK_SAY(status == 0, "%s", what);
}

/* The lowest that is free: it stays the same when none is left open. */
static int free_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY);
    close(fd);
    return fd;
}

static void errors(void)
{
    const hc_alg *alg = find("sha256"), *twice[2];
    hc_state s;
    void *states[2];
    hc_error err;
    hc_file f;
    char missing[300];
    int fd[2], lowest = free_descriptor();

    write_file(path, data, MAX);
    snprintf(missing, sizeof missing, "%s/none/here", dir);
    for (int c = 0; c < COUNTS; c++) {
        f = with(missing, -1, counts[c]);
        fails(&f, HC_E_IO, "path", ENOENT);
        f = with("", -1, counts[c]);
        fails(&f, HC_E_IO, "path", ENOENT);
        f = with(dir, -1, counts[c]);
        fails(&f, HC_E_IO, "path", EISDIR);
        f = with("/", -1, counts[c]);
        f.offset = HC_UNTIL_END;
        fails(&f, HC_E_IO, "path", EISDIR);
        snprintf(missing, sizeof missing, "%s/x", path);
        f = with(missing, -1, counts[c]);
        fails(&f, HC_E_IO, "path", ENOTDIR);
        snprintf(missing, sizeof missing, "%s/none/here", dir);
        f = with(NULL, -1, counts[c]);
        fails(&f, HC_E_IO, "fd", EBADF);
        f.fd = open(path, O_RDONLY);
        close(f.fd);
        fails(&f, HC_E_IO, "fd", EBADF);
        f.fd = open(dir, O_RDONLY);
        fails(&f, HC_E_IO, "fd", EISDIR);
        close(f.fd);
        f.fd = open(path, O_WRONLY);
        fails(&f, HC_E_IO, "fd", EBADF);
        close(f.fd);
        CHECK(pipe(fd) == 0);
        f.fd = fd[0];
        f.offset = 5;
        fails(&f, HC_E_IO, "offset", ESPIPE);
        close(fd[0]);
        close(fd[1]);
        f = with(path, -1, counts[c]);
        f.offset = (uint64_t)INT64_MAX + 1;
        fails(&f, HC_E_RANGE, "offset", 0);
        /* Fails in the middle: nothing is mapped at address 0. */
        f = with("/proc/self/mem", -1, counts[c]);
        if (access(f.path, R_OK) == 0) fails(&f, HC_E_IO, "path", EIO);
        f = with(path, -1, counts[c]);
        f.size--;
        fails(&f, HC_E_PARAM, "file", 0);
    }
    CHECK(free_descriptor() == lowest);
    start(alg, &s);
    states[0] = states[1] = &s;
    twice[0] = twice[1] = alg;
    f = with(path, -1, 0);
    CHECK(hc_update_file(twice, states, 2, &f, NULL, &err) == HC_E_PARAM && err.index == 1);
    CHECK(hc_update_file(twice, states, 0, &f, NULL, &err) == HC_E_PARAM);
    CHECK(hc_update_file(twice, states, 1, NULL, NULL, &err) == HC_E_PARAM);
    twice[0] = NULL;
    CHECK(hc_update_file(twice, states, 1, &f, NULL, &err) == HC_E_PARAM);
    in_child(no_memory, "no memory");
    CHECK(chmod(path, 0) == 0 && chmod(dir, 0755) == 0);
    in_child(unreadable, "a file that may not be read");
    CHECK(chmod(path, 0600) == 0);
}

/* ---- Files that are none ------------------------------------------------------------------ */

typedef struct feeder {
    int fd;
    size_t n, step;
    unsigned pause; /* microseconds */
} feeder;

static void *feed(void *p)
{
    feeder *w = (feeder *)p;
    for (size_t at = 0; at < w->n;) {
        size_t k = w->n - at < w->step ? w->n - at : w->step;
        ssize_t r = write(w->fd, data + at, k);
        if (r <= 0) break;
        at += (size_t)r;
        if (w->pause) usleep(w->pause);
    }
    close(w->fd);
    return NULL;
}

static int quiet(void *user, uint64_t done, uint64_t total)
{
    (void)user, (void)done, (void)total;
    return 0;
}

static void pipes(void)
{
    static const struct {
        size_t n, step;
        unsigned pause;
    } cases[] = {
        { 0, 1, 0 }, { 1, 1, 0 }, { 3000, 7, 0 }, { MAX, 65536, 0 }, { MAX, 4097, 0 }, { 20000, 5000, 30000 }
    };
    static const char *const names[] = { "blake3", "sha256" };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = 0; kind < 4; kind++) /* pipe; pipe that does not block; socket; pipe with progress */
            for (int c = 0; c < COUNTS; c++) {
                const hc_alg *alg = find(names[c % 2]);
                hc_state s, want;
                hc_error err;
                hc_file f = with(NULL, -1, counts[c]);
                uint64_t done = 77;
                feeder w = { -1, cases[i].n, cases[i].step, cases[i].pause };
                pthread_t t;
                int fd[2];
                CHECK((kind == 2 ? socketpair(AF_UNIX, SOCK_STREAM, 0, fd) : pipe(fd)) == 0);
                if (kind == 1) CHECK(fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0);
                if (kind == 3) f.progress = quiet;
                f.fd = fd[0];
                if (c & 1) f.offset = HC_UNTIL_END;
                w.fd = fd[1];
                start(alg, &s);
                start(alg, &want);
                alg->update(&want, data, cases[i].n);
                CHECK(pthread_create(&t, NULL, feed, &w) == 0);
                CHECK(one(alg, &s, &f, &done, &err) == HC_OK);
                CHECK_SAY(same(alg, &s, &want) && done == cases[i].n, "kind %d, case %zu, threads %u", kind, i,
                          counts[c]);
                pthread_join(t, NULL);
                close(fd[0]);
            }
}

/* A length leaves the rest of a pipe in it. */
static void pipe_length(void)
{
    const hc_alg *alg = find("blake3");
    for (int c = 0; c < COUNTS; c++) {
        hc_state s, want;
        hc_error err;
        hc_file f = with(NULL, -1, counts[c]);
        uint64_t done = 0;
        uint8_t rest[100];
        int fd[2];
        CHECK(pipe(fd) == 0 && write(fd[1], data, 5000) == 5000);
        f.fd = fd[0];
        f.length = 4990;
        start(alg, &s);
        start(alg, &want);
        alg->update(&want, data, 4990);
        CHECK(one(alg, &s, &f, &done, &err) == HC_OK && done == 4990 && same(alg, &s, &want));
        CHECK(read(fd[0], rest, sizeof rest) == 10 && !memcmp(rest, data + 4990, 10));
        close(fd[0]);
        close(fd[1]);
    }
}

static void fifos(void)
{
    char fifo[256];
    snprintf(fifo, sizeof fifo, "%s/fifo", dir);
    CHECK(mkfifo(fifo, 0600) == 0);
    for (int c = 0; c < COUNTS; c++)
        for (int p = 0; p < 2; p++) {
            const hc_alg *alg = find(c & 1 ? "sha256" : "blake3");
            hc_state s, want;
            hc_error err;
            hc_file f = with(fifo, -1, counts[c]);
            uint64_t done = 0;
            int status;
            pid_t pid;
            fflush(NULL);
            pid = fork();
            if (pid == 0) { /* the other process */
                feeder w;
                usleep(20000); /* the reader is there first */
                w.fd = open(fifo, O_WRONLY);
                w.n = MAX;
                w.step = 10000;
                w.pause = 0;
                feed(&w);
                _exit(0);
            }
            if (p) f.progress = quiet;
            start(alg, &s);
            start(alg, &want);
            alg->update(&want, data, MAX);
            CHECK(one(alg, &s, &f, &done, &err) == HC_OK);
            CHECK_SAY(done == MAX && same(alg, &s, &want), "FIFO, threads %u, %llu bytes", counts[c],
                      (unsigned long long)done);
            CHECK(waitpid(pid, &status, 0) == pid && status == 0);
        }
    unlink(fifo);
}

static void devices(void)
{
    static const char *const texts[] = { "/proc/version",
                                         "/proc/filesystems",
                                         "/proc/self/limits",
                                         "/sys/devices/system/cpu/possible",
                                         "/sys/kernel/mm/transparent_hugepage/enabled",
                                         "/proc/kallsyms" };
    static uint8_t text[16 << 20];
    for (int c = 0; c < COUNTS; c++) {
        const hc_alg *alg = find(c & 1 ? "sha256" : "blake3");
        hc_state s, want;
        hc_error err;
        hc_file f = with("/dev/null", -1, counts[c]);
        uint64_t done = 77;
        start(alg, &s);
        start(alg, &want);
        CHECK(one(alg, &s, &f, &done, &err) == HC_OK && done == 0 && same(alg, &s, &want));
        f.path = "/dev/zero";
        f.length = 3000001;
        f.offset = c & 2 ? 12345 : 0;
        zeros(alg, &want, f.length);
        CHECK(one(alg, &s, &f, &done, &err) == HC_OK && done == f.length && same(alg, &s, &want));
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            size_t n = 0;
            ssize_t r;
            int fd = open(texts[i], O_RDONLY);
            if (fd < 0) continue;
            while ((r = read(fd, text + n, sizeof text - n)) > 0) n += (size_t)r;
            close(fd);
            CHECK(n > 0);
            f = with(texts[i], -1, counts[c]);
            start(alg, &s);
            start(alg, &want);
            alg->update(&want, text, n);
            CHECK(one(alg, &s, &f, &done, &err) == HC_OK);
            CHECK_SAY(done == n && same(alg, &s, &want), "%s, threads %u", texts[i], counts[c]);
        }
    }
}

/* ---- Progress ----------------------------------------------------------------------------- */

typedef struct watcher {
    pthread_t thread;
    uint64_t last, total, gap, calls;
    uint64_t cancel_at; /* done that is enough; or calls, with cancel_calls */
    uint64_t cancel_calls;
    double last_time, longest;
    int wrong, fd, what;
    uint64_t size;
} watcher;

static int look(void *user, uint64_t done, uint64_t total)
{
    watcher *w = (watcher *)user;
    double t = now();
    if (!pthread_equal(pthread_self(), w->thread) || done < w->last || total < done) w->wrong = 1;
    if (done - w->last > w->gap) w->gap = done - w->last;
    if (w->calls && t - w->last_time > w->longest) w->longest = t - w->last_time;
    w->last_time = t;
    w->last = done;
    w->total = total;
    w->calls++;
    return done >= w->cancel_at || w->calls >= w->cancel_calls;
}

static watcher fresh(void)
{
    watcher w;
    memset(&w, 0, sizeof w);
    w.thread = pthread_self();
    w.cancel_at = w.cancel_calls = UINT64_MAX;
    return w;
}

static void progress(void)
{
    enum { SIZE = 70 << 20 };
    static const unsigned threads[] = { 0, 2, HC_THREADS_AUTO };
    static const char *const names[] = { "blake3", "sha256" };
    int fd = sparse(path, SIZE);
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < 2; a++) {
            const hc_alg *alg = find(names[a]);
            watcher w = fresh();
            hc_file f = with(NULL, fd, threads[c]);
            hc_state s, want;
            hc_error err;
            uint64_t done = 0;
            f.progress = look;
            f.user = &w;
            start(alg, &s);
            CHECK(one(alg, &s, &f, &done, &err) == HC_OK && done == SIZE);
            /* On a busy machine the caller may sleep while its helpers go on. */
            CHECK_SAY(!w.wrong && w.calls >= (threads[c] ? 2 : 3) && w.gap <= 64 << 20 && w.last == SIZE && w.total == SIZE,
                      "%s, threads %u: %llu calls, the widest step %llu, %llu of %llu at last", names[a], threads[c],
                      (unsigned long long)w.calls, (unsigned long long)w.gap, (unsigned long long)w.last,
                      (unsigned long long)w.total);
            if (c == 0) {
                start(alg, &want);
                zeros(alg, &want, SIZE);
                CHECK(same(alg, &s, &want));
            }
            /* At the first report, in the middle, and at the very last: all is as before. */
            for (int at = 0; at < 3; at++) {
                f.offset = at ? HC_UNTIL_END : 0;
                w = fresh();
                w.cancel_at = at == 0 ? 0 : at == 1 ? SIZE / 2 : SIZE;
                CHECK(lseek(fd, 0, SEEK_SET) == 0);
                fails_n(&alg, 1, &f, HC_E_CANCELED, "progress", 0);
                CHECK(lseek(fd, 0, SEEK_CUR) == 0);
                CHECK(w.last >= w.cancel_at && (at == 2 || w.last < SIZE));
            }
        }
    close(fd);
    /* Small and empty files: one report at the end. */
    for (int n = 0; n < 2; n++) {
        const hc_alg *alg = find("blake3");
        watcher w = fresh();
        hc_file f = with(path, -1, 2);
        hc_state s;
        hc_error err;
        write_file(path, data, (size_t)n * 100);
        f.progress = look;
        f.user = &w;
        start(alg, &s);
        CHECK(one(alg, &s, &f, NULL, &err) == HC_OK);
        CHECK(w.calls == 1 && w.last == (uint64_t)n * 100 && w.total == w.last);
    }
}

/* A pipe in which nothing comes, a FIFO that nobody opens: progress is still called, and can end it. */
static void idle(void)
{
    char fifo[256];
    int fd[2];
    snprintf(fifo, sizeof fifo, "%s/idle", dir);
    CHECK(pipe(fd) == 0 && mkfifo(fifo, 0600) == 0);
    for (int c = 0; c < COUNTS; c++)
        for (int kind = 0; kind < 2; kind++) {
            const hc_alg *alg = find(c & 1 ? "sha256" : "blake3");
            watcher w = fresh();
            hc_file f = with(kind ? fifo : NULL, fd[0], counts[c]);
#if !defined(__linux__)
            if (kind) break;
#endif
            w.cancel_calls = 3;
            f.progress = look;
            f.user = &w;
            alarm(60);
            fails_n(&alg, 1, &f, HC_E_CANCELED, "progress", 0);
            alarm(0);
            CHECK(w.last == 0 && w.total == UINT64_MAX);
        }
    close(fd[0]);
    close(fd[1]);
    unlink(fifo);
}

static volatile sig_atomic_t ticks;
static void on_tick(int sig)
{
    (void)sig;
    ticks++;
}

/* Signals interrupt the read of a slow pipe: the digest is right, and progress hears of each. */
static void interrupted(void)
{
    struct sigaction act, old;
    struct itimerval timer = { { 0, 5000 }, { 0, 5000 } }, off = { { 0, 0 }, { 0, 0 } };
    sigset_t block, before;
    memset(&act, 0, sizeof act);
    act.sa_handler = on_tick; /* no SA_RESTART */
    sigaction(SIGALRM, &act, &old);
    for (int c = 0; c < COUNTS; c++)
        for (int p = 0; p < 2; p++) {
            const hc_alg *alg = find(c & 1 ? "sha256" : "blake3");
            hc_state s, want;
            hc_error err;
            watcher w = fresh();
            hc_file f = with(NULL, -1, counts[c]);
            feeder fd_feed = { -1, 1500, 500, 40000 };
            pthread_t t;
            uint64_t done = 0;
            int fd[2];
            CHECK(pipe(fd) == 0);
            fd_feed.fd = fd[1];
            f.fd = fd[0];
            if (p) {
                f.progress = look;
                f.user = &w;
            }
            start(alg, &s);
            start(alg, &want);
            alg->update(&want, data, 1500);
            sigemptyset(&block);
            sigaddset(&block, SIGALRM);
            pthread_sigmask(SIG_BLOCK, &block, &before);
            CHECK(pthread_create(&t, NULL, feed, &fd_feed) == 0);
            pthread_sigmask(SIG_SETMASK, &before, NULL);
            ticks = 0;
            setitimer(ITIMER_REAL, &timer, NULL);
            CHECK(one(alg, &s, &f, &done, &err) == HC_OK && done == 1500 && same(alg, &s, &want));
            setitimer(ITIMER_REAL, &off, NULL);
            CHECK(ticks > 0);
            if (p) CHECK_SAY(!w.wrong && w.calls >= 5, "%llu calls", (unsigned long long)w.calls);
            pthread_join(t, NULL);
            close(fd[0]);
        }
    sigaction(SIGALRM, &old, NULL);
}

/* ---- Files that change while they are read --------------------------------------------------- */

static int change(void *user, uint64_t done, uint64_t total)
{
    watcher *w = (watcher *)user;
    int wrong = look(user, done, total);
    if (w->what == 1 && w->calls == 1 && ftruncate(w->fd, (off_t)w->size)) w->wrong = 1;
    if (w->what == 2 && w->calls == 1) close(w->fd);
    return wrong;
}

static void changing(void)
{
    enum { SIZE = 20 << 20 };
    static const unsigned threads[] = { 0, 2, 8 };
    static const uint64_t sizes[] = { 0,
                                      1,
                                      17 << 20,
                                      (18 << 20) - 1,
                                      18 << 20,
                                      (18 << 20) + 1,
                                      (18 << 20) + (64 << 10),
                                      (19 << 20) + (768 << 10),
                                      SIZE - 1,
                                      SIZE + 1,
                                      SIZE + (1 << 20),
                                      SIZE + (9 << 20) + 1 };
    static const char *const names[] = { "blake3", "sha256" };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int a = 0; a < 2; a++)
            for (int c = 0; c < 3 - a; c++) {
                const hc_alg *alg = find(names[a]);
                watcher w = fresh();
                hc_file f = with(path, -1, threads[c]);
                hc_state s, want;
                hc_error err;
                uint64_t done = 0;
                w.fd = sparse(path, SIZE);
                w.size = sizes[i];
                w.what = 1;
                f.progress = change;
                f.user = &w;
                start(alg, &s);
                CHECK(one(alg, &s, &f, &done, &err) == HC_OK && !w.wrong);
                /* What was read: all that was still there, and what had been read before the cut. */
                CHECK_SAY(sizes[i] > SIZE ? done == sizes[i] : done >= sizes[i] && done <= SIZE,
                          "%s changed to %llu: %llu read, threads %u", names[a], (unsigned long long)sizes[i],
                          (unsigned long long)done, threads[c]);
                start(alg, &want);
                zeros(alg, &want, done);
                CHECK_SAY(same(alg, &s, &want), "%s cut to %llu, %llu read, threads %u", names[a],
                          (unsigned long long)sizes[i], (unsigned long long)done, threads[c]);
                close(w.fd);
            }
    /* The descriptor is closed under it. */
    for (int c = 0; c < COUNTS; c++)
        for (int a = 0; a < 2; a++) {
            const hc_alg *alg = find(names[a]);
            watcher w = fresh();
            hc_file f = with(NULL, -1, counts[c]);
            hc_state s, before;
            hc_error err;
            if (SANITIZED == 2 && counts[c] > 1) continue; /* the race is the point here */
            f.fd = w.fd = sparse(path, SIZE);
            w.what = 2;
            f.progress = change;
            f.user = &w;
            start(alg, &s);
            memcpy(&before, &s, sizeof s);
            CHECK(one(alg, &s, &f, NULL, &err) == HC_E_IO && err.os_error == EBADF && !memcmp(&before, &s, sizeof s));
        }
}

static void *cut(void *fd)
{
    usleep(10000);
    return ftruncate(*(int *)fd, 0) ? fd : NULL;
}

/* No map, so no SIGBUS: 1 GiB cut to nothing by another thread. */
static void cut_by_another(void)
{
    for (int c = 0; c < COUNTS; c++) {
        const hc_alg *alg = find("blake3");
        hc_state s, want;
        hc_error err;
        uint64_t done = UINT64_MAX;
        hc_file f = with(path, -1, counts[c]);
        int fd = sparse(path, 1 << 30);
        pthread_t t;
        void *r;
        CHECK(pthread_create(&t, NULL, cut, &fd) == 0);
        start(alg, &s);
        CHECK(one(alg, &s, &f, &done, &err) == HC_OK && done <= 1 << 30);
        pthread_join(t, &r);
        CHECK(!r);
        close(fd);
        start(alg, &want);
        zeros(alg, &want, done);
        CHECK(same(alg, &s, &want));
    }
}

/* ---- Long files -------------------------------------------------------------------------------- */

static long peak(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss; /* KiB on Linux */
}

static void bounded(uint64_t size, long limit)
{
    int fd = sparse(path, size);
    for (int c = 0; c < COUNTS; c++)
        for (int a = 0; a < 2; a++) {
            const hc_alg *alg = find(a ? "sha256" : "blake3");
            hc_file f = with(path, -1, a ? counts[c] : counts[c] ? 64 : 0);
            hc_state s;
            hc_error err;
            uint64_t done = 0;
            if (a && size > (uint64_t)1 << 32) continue;
            start(alg, &s);
            CHECK(one(alg, &s, &f, &done, &err) == HC_OK && done == size);
        }
    close(fd);
#if defined(__linux__) && !SANITIZED
    CHECK_SAY(peak() < limit, "peak memory %ld KiB", peak());
#else
    (void)limit, (void)peak;
#endif
}

static const struct {
    uint64_t len;
    const char *sha256, *blake2b, *blake3; /* of that many zeros, by OpenSSL and the Rust package blake3 */
} long_zeros[] = {
    { 563200000, "3897f3e953cd056063a00956ebf24c41be4dc99baf77e367c94be7f08a670cba", NULL, NULL },
    { UINT64_C(536870911), "bf7f45d9df691bd277948d7f124b87a9f76e16ddb5d8fb25a49df939798f0a01",
      "7d64169e002fbc44e2c7c4e58c0ce2333d739688330bd517b31cdd5c1361acd1"
      "32684626e7665430b2ab48c96effe86c4894ecd7a7be1870795413313119b910",
      "015d33e79ac18266e17c384d61292339629de35327253ce83093228d586edabb" },
    { UINT64_C(536870912), "9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767",
      "f141c9b6ee471c889b1047ca4d7a8c3a287e323ba60e5b0d886a84d808928dad"
      "f9ce5a2043d71a7c6bc96905238ced7e4cacc86d9e7a467edcb064aa046665c8",
      "34f2f34bcc048af98242e010b4a661348276a784d9f9f99fcff70bf94fe8b9ba" },
    { UINT64_C(536870913), "7c40fe5ce847740d0f0d0cdde3949d6585804cdec3ae61a15b923165699c8137",
      "8c6cb3d95b743e7eaf3820920eabff49b2afd0e0356ac256ca1004de21c4ffd4"
      "3886ee0b6ef92c0f3467412d90c0ba412386efa9aef062a4c3c44b63ecddf95f",
      "33e017ed2cc4450d3dc1ed4a9ef471e6760973c45ec985b7ccc40ed301701daa" },
    { UINT64_C(2147484673), "183ab857290bd79a71e5981352c252c65787316a3e3161954d39876ca6f0264e",
      "0248584e0e0783e96eaa741fabe67dd905e2cef44d3a305ed07c8091bdd6d259"
      "cf829ff6c3b6ebf27fc38e8fc28c603aac882075f7b1cd287a29ea12250add93",
      "1c106cf2e5886fbfd786dabe4182776bd4697ed7a942b283644ee5a4e417e0f2" },
    { UINT64_C(4294967297), "fbb82f7b353676bb562eb82157fcf0ea42c36492ca13ee56dbf82c08b6802c5c",
      "daaeb85783e53019eaded4ab665a2923adc72f57b7cb3ae163adc966f070f803"
      "4222f5e9c9862b103c4c5ed38d5c10970c2fbc64d64b760a2be402af445afb59",
      "1c5383e3e425b8b27d54e1b6bf91bb3320b8ba1496f7483f87b5f4490a542794" },
    { UINT64_C(5368709120), "7f06c62352aebd8125b2a1841e2b9e1ffcbed602f381c3dcb3200200e383d1d5",
      "12bca8ed46df6516bd78da33efa1137479a5a9027755458dc1d186f77306849f"
      "deaf2af8ef129040b659376c7bd134b39c1c7d2c45abd0b7068a80de7f5dbf69",
      "bcf27a182cee2a75728e2617d0ac5d90f902207f5332cf7190b345d96e9fd221" },
};

static void long_files(void)
{
    static const uint8_t block[1 << 20];
    const char *names[] = { "sha256", "blake2b", "blake3" };
    const int big = getenv("HC_TEST_BIG") != NULL, sanitized = SANITIZED != 0;
    for (size_t i = 0; i < sizeof long_zeros / sizeof *long_zeros; i++) {
        const char *values[3];
        int fd;
        if ((i || sanitized) && !big) {
            CHECK_SKIP("files up to 8 GiB: set HC_TEST_BIG");
            break;
        }
        values[0] = long_zeros[i].sha256;
        values[1] = long_zeros[i].blake2b;
        values[2] = long_zeros[i].blake3;
        fd = sparse(path, long_zeros[i].len);
        for (int a = 0; a < 3; a++)
            for (int way = 0; way < 3; way++) { /* file; file with threads; updates */
                const hc_alg *alg = find(names[a]);
                hc_state s;
                hc_error err;
                uint8_t out[64];
                hc_file f = with(path, -1, way ? 2 : 0);
                uint64_t rest = long_zeros[i].len;
                if (!values[a]) continue;
                CHECK(alg->init(&s, NULL, &err) == HC_OK);
                if (way < 2) {
                    CHECK(one(alg, &s, &f, &rest, &err) == HC_OK && rest == long_zeros[i].len);
                } else {
                    for (; rest > sizeof block; rest -= sizeof block) alg->update(&s, block, sizeof block);
                    alg->update(&s, block, (size_t)rest);
                }
                CHECK(alg->final(&s, out, alg->digest_size, 0, &err) == HC_OK);
                CHECK_SAY(check_hex(out, alg->digest_size, values[a]), "%s of %llu zeros, way %d", names[a],
                          (unsigned long long)long_zeros[i].len, way);
            }
        close(fd);
    }
    if (big) {
        /* The same in one call: half a gigabyte and a byte, alone, in a batch and from memory. */
        enum { N = 536870913 };
        uint8_t *p = calloc(N, 1), out[3][64];
        for (int a = 0; p && a < 3; a++) {
            const hc_alg *alg = find(names[a]);
            hc_slice items[3] = { { "abc", 3 }, { NULL, N }, { NULL, 0 } };
            hc_batch batch;
            hc_error err;
            items[1].data = p;
            memset(&batch, 0, sizeof batch);
            batch.count = 3;
            batch.items = items;
            CHECK(hc_digest_many(alg, out, alg->digest_size, NULL, &batch, 0, &err) == HC_OK);
            CHECK(check_hex(out[0] + alg->digest_size, alg->digest_size,
                            a == 0   ? long_zeros[3].sha256
                            : a == 1 ? long_zeros[3].blake2b
                                     : long_zeros[3].blake3));
            CHECK(hc_digest(alg, out, alg->digest_size, 0, NULL, items + 1, 2, 0, &err) == HC_OK);
            CHECK(check_hex(out[0], alg->digest_size,
                            a == 0   ? long_zeros[3].sha256
                            : a == 1 ? long_zeros[3].blake2b
                                     : long_zeros[3].blake3));
        }
        free(p);
    }
}

int main(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(dir, sizeof dir, "%s/hashcore-test-XXXXXX", tmp && strlen(tmp) < 150 ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        perror(dir);
        return 1;
    }
    snprintf(path, sizeof path, "%s/file", dir);
    signal(SIGPIPE, SIG_IGN);
    /* Peak memory comes first, while the test itself holds next to nothing. */
    bounded(UINT64_C(48) << 20, 32 * 1024);
    if (getenv("HC_TEST_BIG")) bounded(UINT64_C(8) << 30, 64 * 1024);
    data = malloc(MAX + 100000);
    for (size_t i = 0; i < MAX + 100000; i++) data[i] = (uint8_t)(i % 251 + i / 65536);
    contents();
    several();
    positions();
    errors();
    pipes();
    pipe_length();
    fifos();
    devices();
    progress();
    idle();
    interrupted();
    changing();
    cut_by_another();
    long_files();
    unlink(path);
    CHECK(rmdir(dir) == 0);
    free(data);
    return check_done("test_file");
}
#else
int main(void)
{
    CHECK_SKIP("the test speaks POSIX");
    return check_done("test_file");
}
#endif
