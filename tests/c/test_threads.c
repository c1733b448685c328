/* test_threads.c - threads of one call: same results, started and joined, refused, across fork, out of signals' way. */
#define _GNU_SOURCE 1
#include "hashcore.h"
#include "check.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif

static const unsigned counts[] = { 0, 1, 2, 3, 7, 64, 65, 1000, HC_THREADS_AUTO };
enum { COUNTS = sizeof counts / sizeof *counts };

static uint8_t *make(size_t n)
{
    uint8_t *p = malloc(n + 1);
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)(i % 251 + i / 65536);
    return p;
}

/* ---- The number of threads never shows in a result ------------------------------------ */

static void same_input(const uint8_t *data)
{
    static const size_t sizes[] = {
        0,      1,      1024,   1025,    65536,   131071,      131072,          131073,       262143,
        262144, 262145, 400000, 1048576, 1048577, 3145728 - 1, 3 * 1048576 + 5, 5242880 + 17, 8 << 20
    };
    static const size_t heads[] = { 0, 1, 64, 1023, 1024, 1025, 65536, 131072, 200001 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t want[64], got[64];
        hc_blake3 s;
        /* By chunks of 1000 bytes no update ever sees enough for a second thread, or a wide kernel. */
        hc_blake3_init(&s, NULL);
        for (size_t at = 0; at < sizes[i]; at += 1000)
            hc_blake3_update(&s, data + at, sizes[i] - at < 1000 ? sizes[i] - at : 1000, 0);
        hc_blake3_final(&s, want, sizeof want, 0);
        for (int c = 0; c < COUNTS; c++) {
            hc_blake3_hash(got, sizeof got, NULL, data, sizes[i], counts[c]);
            CHECK_SAY(!memcmp(got, want, sizeof got), "hash of %zu bytes, threads %u", sizes[i], counts[c]);
            for (size_t h = 0; h < sizeof heads / sizeof *heads && heads[h] <= sizes[i]; h++) {
                hc_blake3_init(&s, NULL);
                hc_blake3_update(&s, data, heads[h], counts[c]);
                hc_blake3_update(&s, data + heads[h], sizes[i] - heads[h], counts[c]);
                hc_blake3_final(&s, got, sizeof got, 0);
                CHECK_SAY(!memcmp(got, want, sizeof got), "%zu bytes, then up to %zu, threads %u", heads[h], sizes[i],
                          counts[c]);
            }
        }
    }
}

static void same_output(void)
{
    enum { LEN = 3 * 1048576 + 100 };
    static const uint64_t offsets[] = { 0, 1, 63, 64, 1000, (UINT64_C(1) << 40) - 5 };
    static const size_t lengths[] = { 0, 1, 64, 1000, 262144, 262145, 524288 + 1, LEN };
    const hc_alg *alg = hc_alg_find("blake3");
    uint8_t *want = malloc(LEN), *got = malloc(LEN + 1);
    hc_state s;
    hc_xof x;
    hc_error err;
    CHECK(alg->init(&s, NULL, &err) == HC_OK);
    alg->update(&s, "abc", 3);
    CHECK(hc_xof_open(&x, alg, &s, &err) == HC_OK);
    for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
        for (size_t at = 0; at < LEN; at += 1000)
            hc_xof_read(&x, want + at, LEN - at < 1000 ? LEN - at : 1000, offsets[o] + at, 0, &err);
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (int c = 0; c < COUNTS; c++) {
                memset(got, 0xee, LEN + 1);
                CHECK(hc_xof_read(&x, got, lengths[l], offsets[o], counts[c], &err) == HC_OK);
                CHECK_SAY(!memcmp(got, want, lengths[l]) && got[lengths[l]] == 0xee, "output %zu at %llu, threads %u",
                          lengths[l], (unsigned long long)offsets[o], counts[c]);
            }
    }
    free(want);
    free(got);
}

static void same_pieces(const uint8_t *data)
{
    static const size_t lens[] = { 1, 1024, 5000, 262144, 1048576, 3000001, 4 << 20 };
    const hc_alg *alg = hc_alg_find("blake3");
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        uint8_t want[32], got[32];
        hc_slice parts[3];
        hc_error err;
        CHECK(hc_blake3_subtree(want, NULL, data, lens[i], 8192, 0, &err) == HC_OK);
        for (int c = 0; c < COUNTS; c++) {
            CHECK(hc_blake3_subtree(got, NULL, data, lens[i], 8192, counts[c], &err) == HC_OK);
            CHECK(!memcmp(got, want, 32));
        }
        hc_blake3_hash(want, 32, NULL, data, lens[i], 0);
        parts[0].data = data;
        parts[0].len = lens[i] / 3;
        parts[1].data = NULL;
        parts[1].len = 0;
        parts[2].data = data + lens[i] / 3;
        parts[2].len = lens[i] - lens[i] / 3;
        for (int c = 0; c < COUNTS; c++) {
            CHECK(hc_digest(alg, got, 32, 0, NULL, parts, 3, counts[c], &err) == HC_OK);
            CHECK(!memcmp(got, want, 32));
        }
    }
}

static void same_batch(const uint8_t *data)
{
    enum { ITEMS = 5000 };
    static const char *const names[] = { "sha256", "blake2b", "blake3", "hmac-sha256" };
    static hc_slice items[ITEMS];
    uint8_t *want = malloc(32 * ITEMS), *got = malloc(32 * ITEMS);
    size_t at = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        items[i].data = data + at % 4000000;
        items[i].len = i % 777 ? at * 7 % 1500 : 200000;
        at += items[i].len + 1;
    }
    for (size_t a = 0; a < 4; a++) {
        const hc_alg *alg = hc_alg_find(names[a]);
        hc_options o = HC_OPTIONS_INIT;
        hc_batch batch;
        hc_error err;
        memset(&batch, 0, sizeof batch);
        batch.count = ITEMS;
        batch.items = items;
        o.given = HC_GIVEN_KEY;
        o.key.data = data;
        o.key.len = 32;
        if (alg->key_max == 0) o.given = 0;
        if (!strcmp(alg->name, "blake2b")) {
            o.given |= HC_GIVEN_DIGEST_SIZE;
            o.digest_size = 32;
        }
        for (size_t i = 0; i < ITEMS; i++)
            CHECK(hc_digest(alg, want + 32 * i, 32, 0, &o, &items[i], 1, 0, &err) == HC_OK);
        for (int c = 0; c < COUNTS; c++) {
            memset(got, 0, 32 * ITEMS);
            CHECK(hc_digest_many(alg, got, 32, &o, &batch, counts[c], &err) == HC_OK);
            CHECK_SAY(!memcmp(got, want, 32 * ITEMS), "%s, threads %u", names[a], counts[c]);
        }
    }
    free(want);
    free(got);
}

#if defined(__unix__) || defined(__APPLE__)
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BIG ((size_t)16 << 20)

/* ---- Started during the call, joined after it ---------------------------------------- */

static int tasks(void)
{
    DIR *d = opendir("/proc/self/task");
    int n = 0;
    if (!d) return -1;
    while (readdir(d)) n++;
    closedir(d);
    return n - 2;
}

static int watching, most; /* atomic */

static void *watch(void *unused)
{
    while (__atomic_load_n(&watching, __ATOMIC_ACQUIRE)) {
        int n = tasks();
        if (n > __atomic_load_n(&most, __ATOMIC_RELAXED)) __atomic_store_n(&most, n, __ATOMIC_RELAXED);
    }
    return unused;
}

typedef struct call {
    void (*run)(const uint8_t *data, unsigned threads);
    const uint8_t *data;
} call;

static void run_hash(const uint8_t *data, unsigned threads)
{
    uint8_t out[32];
    hc_blake3_hash(out, 32, NULL, data, BIG, threads);
}
static void run_update(const uint8_t *data, unsigned threads)
{
    hc_blake3 s;
    hc_blake3_init(&s, NULL);
    hc_blake3_update(&s, data, BIG, threads);
}
static void run_output(const uint8_t *data, unsigned threads)
{
    uint8_t *out = malloc(BIG / 2);
    hc_blake3_hash(out, BIG / 2, NULL, data, 100, threads);
    free(out);
}
static void run_batch(const uint8_t *data, unsigned threads)
{
    const hc_alg *alg = hc_alg_find("sha256");
    hc_batch batch;
    hc_error err;
    uint8_t *out = malloc(BIG / 64 * 32);
    memset(&batch, 0, sizeof batch);
    batch.count = BIG / 64;
    batch.item_size = 64;
    batch.data.data = data;
    batch.data.len = BIG;
    CHECK(hc_digest_many(alg, out, 32, NULL, &batch, threads, &err) == HC_OK);
    free(out);
}

/* The most threads seen in this process during f, beyond those that were there before. Where f fills the processors the watcher
 * may sleep through a whole call: with threads to be seen, f runs again under the same watcher, whose turn comes. */
static int extra_threads(void (*f)(const uint8_t *, unsigned), const uint8_t *data, unsigned threads)
{
    static int alone; /* threads before the first watcher */
    pthread_t w;
    int before, after, tries, calls = 0;
    if (!alone) alone = tasks();
    for (tries = 0; tasks() > alone && tries < 1000; tries++) usleep(1000); /* the last watcher is gone */
    most = 0;
    watching = 1;
    if (pthread_create(&w, NULL, watch, NULL)) return -1;
    before = tasks();
    do {
        f(data, threads);
        /* A thread that was joined may show for a moment more, until the kernel has let go of it. */
        for (tries = 0; (after = tasks()) > before && tries < 1000; tries++) usleep(1000);
    } while (threads > 1 && ++calls < 200 && __atomic_load_n(&most, __ATOMIC_RELAXED) <= before);
    CHECK_SAY(after == before, "%d threads before the call, %d after", before, after);
    __atomic_store_n(&watching, 0, __ATOMIC_RELEASE);
    pthread_join(w, NULL);
    return most - before;
}

static int cpus(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    return 1;
}

static void starts_and_joins(const uint8_t *data)
{
    static void (*const runs[])(const uint8_t *, unsigned) = { run_hash, run_update, run_output, run_batch };
    if (tasks() < 0) {
        CHECK_SKIP("no /proc/self/task");
        return;
    }
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        int n, tries;
        CHECK(extra_threads(runs[i], data, 0) <= 0); /* below 0: the watcher slept through it */
        CHECK(extra_threads(runs[i], data, 1) <= 0);
        for (tries = 0, n = 0; n < 1 && tries < 5; tries++) n = extra_threads(runs[i], data, 3);
        CHECK_SAY(n >= 1 && n <= 2, "call %zu: %d threads beside the caller's, 2 asked for", i, n);
        for (tries = 0, n = 0; n < 1 && tries < (cpus() == 1 ? 1 : 5); tries++) n = extra_threads(runs[i], data, HC_THREADS_AUTO);
        CHECK_SAY(n <= cpus() - 1 && (cpus() == 1 || n >= 1), "call %zu: AUTO started %d on %d processors", i, n,
                  cpus());
    }
}

/* ---- What a child sees ------------------------------------------------------------------ */

/* Runs f in a child that has a minute; its exit status, or -1. */
static int in_child(int (*f)(const uint8_t *), const uint8_t *data)
{
    int status;
    pid_t pid;
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        alarm(60);
        _exit(f(data));
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

static uint8_t big_digest[32];

static int hash_big(const uint8_t *data)
{
    uint8_t out[32];
    hc_blake3_hash(out, 32, NULL, data, BIG, 4);
    return memcmp(out, big_digest, 32) != 0;
}

static int one_cpu(const uint8_t *data)
{
#if defined(__linux__)
    cpu_set_t all, one;
    int i = 0;
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(i, &all)) i++;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    if (sched_setaffinity(0, sizeof one, &one)) return 77;
    return extra_threads(run_hash, data, HC_THREADS_AUTO) > 0;
#else
    (void)data;
    return 77;
#endif
}

static void *nothing(void *p) { return p; }

static int no_threads(const uint8_t *data)
{
    struct rlimit none = { 1, 1 };
    pthread_t t;
    if (getuid() == 0 && setuid(65534)) return 77; /* root is above this limit */
    if (setrlimit(RLIMIT_NPROC, &none)) return 77;
    if (pthread_create(&t, NULL, nothing, NULL) == 0) {
        pthread_join(t, NULL);
        return 77;
    }
    run_output(data, 4);
    run_batch(data, 4);
    return hash_big(data);
}

static int stop; /* atomic */

static void *hash_on(void *data)
{
    intptr_t wrong = 0;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) wrong += hash_big(data);
    return (void *)wrong;
}

static void forks(const uint8_t *data)
{
    CHECK(in_child(hash_big, data) == 0); /* before any thread was started here */
    CHECK(hash_big(data) == 0);
    CHECK(in_child(hash_big, data) == 0); /* after */
#ifdef UNDER_SANITIZER
    CHECK_SKIP("fork while threads run: the sanitizers hold locks of their own over it");
#else
    {
        pthread_t t;
        void *wrong = (void *)1;
        stop = 0;
        CHECK(pthread_create(&t, NULL, hash_on, (void *)(uintptr_t)data) == 0);
        for (int i = 0; i < 8; i++) {
            usleep(3000);
            CHECK(in_child(hash_big, data) == 0); /* during */
        }
        __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
        pthread_join(t, &wrong);
        CHECK(!wrong);
    }
#endif
}

static void refused(const uint8_t *data)
{
    int r = in_child(no_threads, data);
    if (r == 77)
        CHECK_SKIP("threads cannot be forbidden here");
    else
        CHECK(r == 0);
    r = in_child(one_cpu, data);
    if (r == 77)
        CHECK_SKIP("affinity cannot be set here");
    else
        CHECK(r == 0);
}

/* ---- Signals --------------------------------------------------------------------------- */

static pthread_t main_thread;
static volatile sig_atomic_t here, elsewhere;

static void on_signal(int sig)
{
    (void)sig;
    if (pthread_equal(pthread_self(), main_thread))
        here++;
    else
        elsewhere++;
}

static void *send_signals(void *unused)
{
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        kill(getpid(), SIGUSR1);
        usleep(200);
    }
    return unused;
}

/* The main thread is kept busy with its own share, so the system would take any other that lets the signal in. */
static void signals(const uint8_t *data)
{
    struct sigaction act;
    sigset_t block, before, after;
    pthread_t t;
    memset(&act, 0, sizeof act);
    act.sa_handler = on_signal;
    act.sa_flags = SA_RESTART;
    main_thread = pthread_self();
    sigaction(SIGUSR1, &act, NULL);
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &block, &before);
    stop = 0;
    CHECK(pthread_create(&t, NULL, send_signals, NULL) == 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < 10; i++) CHECK(hash_big(data) == 0);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    CHECK(!sigismember(&after, SIGUSR1) && !sigismember(&after, SIGINT));
    /* With the main thread deaf only a worker could take it. */
    pthread_sigmask(SIG_BLOCK, &block, NULL);
    for (int i = 0; i < 10; i++) CHECK(hash_big(data) == 0);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(t, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    CHECK(here > 0);
    CHECK_SAY(elsewhere == 0, "%d signals ran on a worker", (int)elsewhere);
    signal(SIGUSR1, SIG_DFL);
}
#endif

int main(void)
{
    uint8_t *data = make((size_t)16 << 20);
#if defined(__unix__) || defined(__APPLE__)
    hc_blake3_hash(big_digest, 32, NULL, data, BIG, 0);
    forks(data);
    refused(data);
    starts_and_joins(data);
    signals(data);
#endif
    same_input(data);
    same_output();
    same_pieces(data);
    same_batch(data);
    free(data);
    return check_done("test_threads");
}
