/* test_threads_from.c - from which size on a call starts threads: none below, so many above, the same result. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64
#include "internal.h" /* for HC_GRAIN_* and HC_AUTO_* alone */
#include "hashcore.h"
#include "check.h"

#ifdef HC_TEST_WRAP /* the linker sends the library's pthread_create here */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static int started; /* by the thread that calls, and no other */
int __real_pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*f)(void *), void *arg);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*f)(void *), void *arg)
{
    int e = __real_pthread_create(t, attr, f, arg);
    if (!e) started++;
    return e;
}

enum { MOST = (16 << 20) + 12345 };
static const unsigned counts[] = { 1, 2, 3, 16, HC_THREADS_AUTO };
enum { COUNTS = sizeof counts / sizeof *counts };
static uint8_t *data, *room; /* MOST bytes each */
static char path[256];

/* Each does work of `size` bytes and leaves 32 bytes that tell of the result. */
typedef void (*runner)(uint8_t out[32], size_t size, unsigned threads);

static void fingerprint(uint8_t out[32], const void *p, size_t n) { hc_sha256_hash(out, p, n); }

static void hash(uint8_t out[32], size_t size, unsigned threads)
{
    CHECK(hc_blake3_hash(out, 32, NULL, data, size, threads) == HC_OK);
}
static void update(uint8_t out[32], size_t size, unsigned threads)
{
    hc_blake3 s;
    hc_blake3_init(&s, NULL);
    hc_blake3_update(&s, data, size, threads);
    hc_blake3_final(&s, out, 32, 0);
}
static void subtree(uint8_t out[32], size_t size, unsigned threads)
{
    CHECK(hc_blake3_subtree(out, NULL, data, size, 1 << 20, threads, NULL) == HC_OK);
}
static void digest(uint8_t out[32], size_t size, unsigned threads)
{
    hc_slice part;
    part.data = data;
    part.len = size;
    CHECK(hc_digest(hc_alg_find("blake3"), out, 32, 0, NULL, &part, 1, threads, NULL) == HC_OK);
}
/* 128 KiB, after which threads may begin at once, and a part of `size`: what counts is the part. */
static void digest_parts(uint8_t out[32], size_t size, unsigned threads)
{
    hc_slice parts[2];
    parts[0].data = data;
    parts[0].len = 128 << 10;
    parts[1].data = data;
    parts[1].len = size;
    CHECK(hc_digest(hc_alg_find("blake3"), out, 32, 0, NULL, parts, 2, threads, NULL) == HC_OK);
}
static void output(uint8_t out[32], size_t size, unsigned threads)
{
    CHECK(hc_blake3_hash(room, size, NULL, "abc", 3, threads) == HC_OK);
    fingerprint(out, room, size);
}
static void read_output(uint8_t out[32], size_t size, unsigned threads, const char *name)
{
    const hc_alg *alg = hc_alg_find(name);
    hc_state s;
    hc_xof x;
    CHECK(alg->init(&s, NULL, NULL) == HC_OK);
    alg->update(&s, "abc", 3);
    CHECK(hc_xof_open(&x, alg, &s, NULL) == HC_OK && hc_xof_read(&x, room, size, 64, threads, NULL) == HC_OK);
    fingerprint(out, room, size);
}
static void read_blake3(uint8_t out[32], size_t size, unsigned threads) { read_output(out, size, threads, "blake3"); }
static void read_blake2xb(uint8_t out[32], size_t size, unsigned threads)
{
    read_output(out, size, threads, "blake2xb");
}
/* As many messages of 64 bytes as cost `size`, a block for each counted. */
static void many(uint8_t out[32], size_t size, unsigned threads, const char *name)
{
    const hc_alg *alg = hc_alg_find(name);
    hc_batch batch;
    memset(&batch, 0, sizeof batch);
    batch.item_size = 64;
    batch.count = size / (64 + alg->block_size);
    batch.data.data = data;
    batch.data.len = 64 * batch.count;
    CHECK(hc_digest_many(alg, room, alg->digest_size, NULL, &batch, threads, NULL) == HC_OK);
    fingerprint(out, room, alg->digest_size * batch.count);
}
static void many_sha256(uint8_t out[32], size_t size, unsigned threads) { many(out, size, threads, "sha256"); }
static void many_blake3(uint8_t out[32], size_t size, unsigned threads) { many(out, size, threads, "blake3"); }
static void file(uint8_t out[32], size_t size, unsigned threads, const char *name)
{
    const hc_alg *alg = hc_alg_find(name);
    hc_file f = HC_FILE_INIT;
    hc_state s;
    void *state = &s;
    uint64_t done = 0;
    f.path = path;
    f.threads = threads;
    CHECK(truncate(path, (off_t)size) == 0 && alg->init(&s, NULL, NULL) == HC_OK);
    CHECK(hc_update_file(&alg, &state, 1, &f, &done, NULL) == HC_OK && done == size);
    CHECK(alg->final(&s, out, 32, 0, NULL) == HC_OK);
}
static void file_blake3(uint8_t out[32], size_t size, unsigned threads) { file(out, size, threads, "blake3"); }
static void file_sha256(uint8_t out[32], size_t size, unsigned threads) { file(out, size, threads, "sha256"); }

static const struct {
    const char *name;
    runner run;
    size_t grain, auto_grain, step; /* step: what one more message costs */
    unsigned most;                  /* helpers that it can ever use */
} works[] = {
    { "hash", hash, HC_GRAIN_BLAKE3, HC_AUTO_BLAKE3, 1, 63 },
    { "update", update, HC_GRAIN_BLAKE3, HC_AUTO_BLAKE3, 1, 63 },
    { "subtree", subtree, HC_GRAIN_BLAKE3, HC_AUTO_BLAKE3, 1, 63 },
    { "digest", digest, HC_GRAIN_BLAKE3, HC_AUTO_BLAKE3, 1, 63 },
    { "digest of parts", digest_parts, HC_GRAIN_BLAKE3, HC_AUTO_BLAKE3, 1, 63 },
    { "output", output, HC_GRAIN_BLAKE3, HC_AUTO_BLAKE3, 1, 63 },
    { "reader", read_blake3, HC_GRAIN_BLAKE3, HC_AUTO_BLAKE3, 1, 63 },
    { "BLAKE2Xb", read_blake2xb, HC_GRAIN_BLAKE2XB, HC_AUTO_BLAKE2XB, 1, 63 },
    { "many SHA-256", many_sha256, HC_GRAIN_MANY, HC_AUTO_MANY, 128, 63 },
    { "many BLAKE3", many_blake3, HC_GRAIN_MANY, HC_AUTO_BLAKE3, 128, 63 },
    { "file, BLAKE3", file_blake3, HC_GRAIN_TREE, HC_AUTO_TREE, 1, 63 },
    { "file, SHA-256", file_sha256, HC_GRAIN_AHEAD, HC_AUTO_AHEAD, 1, 1 },
};

static int processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* One size by all numbers of threads. */
static void size_of(size_t w, size_t size)
{
    uint8_t want[32], got[32];
    for (int c = 0; c < COUNTS; c++) {
        const size_t grain = counts[c] == HC_THREADS_AUTO ? works[w].auto_grain : works[w].grain, pieces = size / grain;
        size_t most = counts[c] == HC_THREADS_AUTO ? (size_t)processors() : counts[c];
        started = 0;
        works[w].run(c ? got : want, size, counts[c]);
        if (most > pieces) most = pieces;
        if (most) most--;
        if (most > works[w].most) most = works[w].most;
        /* Of many the last need not be started when the first have done everything. */
        CHECK_SAY(started <= (int)most && (started || !most), "%s of %zu bytes, threads %u: %d started, %zu to be",
                  works[w].name, size, counts[c], started, most);
        if (c) CHECK_SAY(!memcmp(got, want, 32), "%s of %zu bytes, threads %u", works[w].name, size, counts[c]);
    }
}

/* Two messages of BLAKE3, in quarters of what AUTO wants for a thread. They take a thread each, unless one is most of
 * the work and long enough for two. */
static void two_messages(size_t quarters0, size_t quarters1, int automatic)
{
    const hc_alg *alg = hc_alg_find("blake3");
    hc_slice items[2];
    hc_batch batch;
    uint8_t want[64], got[64];
    memset(&batch, 0, sizeof batch);
    batch.items = items;
    batch.count = 2;
    items[0].data = items[1].data = data;
    items[0].len = quarters0 * (HC_AUTO_BLAKE3 / 4);
    items[1].len = quarters1 * (HC_AUTO_BLAKE3 / 4);
    CHECK(items[0].len <= MOST && items[1].len <= MOST);
    for (int i = 0; i < 2; i++) hc_blake3_hash(want + 32 * i, 32, NULL, data, items[i].len, 0);
    started = 0;
    CHECK(hc_digest_many(alg, got, 32, NULL, &batch, HC_THREADS_AUTO, NULL) == HC_OK && !memcmp(got, want, 64));
    CHECK_SAY(started == (processors() > 1 ? automatic : 0), "%d threads for %zu and %zu bytes", started, items[0].len,
              items[1].len);
    started = 0;
    CHECK(hc_digest_many(alg, got, 32, NULL, &batch, 2, NULL) == HC_OK && !memcmp(got, want, 64));
    CHECK_SAY(started == 2, "%d threads for two messages, one each asked for", started);
}

/* One long message among short ones takes all threads: a thread of its own would be the only one at work. */
static void long_and_short(void)
{
    enum { N = 5 };
    const hc_alg *alg = hc_alg_find("blake3");
    hc_slice items[N];
    hc_batch batch;
    uint8_t want[32 * N], got[32 * N];
    memset(&batch, 0, sizeof batch);
    batch.items = items;
    batch.count = N;
    for (size_t i = 0; i < N; i++) {
        items[i].data = data + i;
        items[i].len = i == 3 ? 2 * HC_AUTO_BLAKE3 : 100 * i;
        hc_blake3_hash(want + 32 * i, 32, NULL, items[i].data, items[i].len, 0);
    }
    for (int c = 0; c < COUNTS; c++) {
        started = 0;
        CHECK(hc_digest_many(alg, got, 32, NULL, &batch, counts[c], NULL) == HC_OK && !memcmp(got, want, sizeof got));
        CHECK_SAY((started > 0) == (counts[c] > 1 && (counts[c] != HC_THREADS_AUTO || processors() > 1)),
                  "%d threads for one long message, %u", started, counts[c]);
    }
}

/* A pipe does not tell how long it is: helpers come when so much has come. */
typedef struct feeder {
    int fd;
    size_t size;
} feeder;

static void *feed(void *arg)
{
    const feeder *f = (const feeder *)arg;
    for (size_t at = 0; at < f->size;) {
        const ssize_t n = write(f->fd, data + at, f->size - at);
        if (n <= 0) break;
        at += (size_t)n;
    }
    close(f->fd);
    return NULL;
}

static void pipes(void)
{
    static const size_t from[] = { (128 << 10) + 1, 2 * HC_AUTO_AHEAD };
    for (int c = 0; c < COUNTS; c++)
        for (int below = 0; below < 2; below++) {
            const int automatic = counts[c] == HC_THREADS_AUTO;
            const size_t size = from[automatic] - (size_t)below;
            const int want = !below && counts[c] > 1 && (!automatic || processors() > 1);
            const hc_alg *alg = hc_alg_find("sha256");
            hc_file f = HC_FILE_INIT;
            hc_state s;
            void *state = &s;
            uint64_t done = 0;
            feeder w;
            pthread_t t;
            int fd[2];
            uint8_t out[32], expected[32];
            CHECK(pipe(fd) == 0);
            w.fd = fd[1];
            w.size = size;
            CHECK(__real_pthread_create(&t, NULL, feed, &w) == 0 && alg->init(&s, NULL, NULL) == HC_OK);
            f.fd = fd[0];
            f.threads = counts[c];
            started = 0;
            CHECK(hc_update_file(&alg, &state, 1, &f, &done, NULL) == HC_OK && done == size);
            CHECK_SAY(started == want, "a pipe of %zu bytes, threads %u: %d started", size, counts[c], started);
            pthread_join(t, NULL);
            close(fd[0]);
            CHECK(alg->final(&s, out, 32, 0, NULL) == HC_OK);
            hc_sha256_hash(expected, data, size);
            CHECK_SAY(!memcmp(out, expected, 32), "a pipe of %zu bytes, threads %u", size, counts[c]);
        }
}

/* What cannot be split starts none, whatever its size. */
static void whole(void)
{
    static const char *const names[] = { "sha224", "sha256", "hmac-sha256", "blake2b", "blake2xb" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int c = 0; c < COUNTS; c++) {
            const hc_alg *alg = hc_alg_find(names[i]);
            hc_options o = HC_OPTIONS_INIT;
            hc_slice part;
            uint8_t out[64];
            o.given = strncmp(names[i], "hmac", 4) ? 0 : HC_GIVEN_KEY;
            o.key.data = "key";
            o.key.len = 3;
            part.data = data;
            part.len = MOST;
            started = 0;
            CHECK(hc_digest(alg, out, alg->digest_size, 0, &o, &part, 1, counts[c], NULL) == HC_OK);
            CHECK_SAY(started == 0, "%s: %d threads", names[i], started);
        }
}

int main(void)
{
    const char *tmp = getenv("TMPDIR");
    int fd;
    snprintf(path, sizeof path, "%s/hashcore-test-XXXXXX", tmp && strlen(tmp) < 150 ? tmp : "/tmp");
    fd = mkstemp(path);
    data = malloc(MOST);
    room = malloc(MOST);
    if (fd < 0 || !data || !room) {
        perror(path);
        return 1;
    }
    for (size_t i = 0; i < MOST; i++) data[i] = (uint8_t)(i % 251 + i / 65536);
    for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
        const size_t from[] = { 2 * works[w].grain, 2 * works[w].auto_grain };
        CHECK(ftruncate(fd, 0) == 0 && write(fd, data, MOST) == MOST);
        CHECK(from[1] <= MOST);
        size_of(w, MOST);
        for (int i = 1; i >= 0; i--) { /* the file is cut, never grows */
            size_of(w, from[i]);
            size_of(w, from[i] - works[w].step);
        }
        size_of(w, works[w].grain);
        size_of(w, 1024);
    }
    two_messages(5, 5, 1);
    two_messages(6, 3, 1);
    two_messages(2, 5, 0);
    if (processors() <= 2) two_messages(8, 8, 1);
    long_and_short();
    pipes();
    whole();
    close(fd);
    unlink(path);
    free(data);
    free(room);
    return check_done("test_threads_from");
}
#else
int main(void)
{
    CHECK_SKIP("no linker that wraps calls");
    return check_done("test_threads_from");
}
#endif
