/* test_race.c - sixteen threads make the first call of everything at once, while others change the kernels in use. */
#define _GNU_SOURCE 1
#include "hashcore.h"
#include "check.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <sched.h>

enum { THREADS = 16, ROUNDS = 30, LEN = 300000 };

static uint8_t text[LEN];
static int waiting, stop; /* atomic */

static void barrier(int n)
{
    __atomic_add_fetch(&waiting, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&waiting, __ATOMIC_ACQUIRE) < n) sched_yield();
}

typedef struct result {
    uint8_t digest[7][64], many[7][64 * 4], more[200], masked[1000];
    uint32_t detected;
    int failed;
} result;

static int all(result *r)
{
    static const uint8_t key[32] = { 7 };
    int failed = 0;
    size_t i;
    const hc_alg *alg;
    hc_error err;
    for (i = 0; (alg = hc_alg_at(i)) != NULL && i < 7; i++) {
        hc_options o = HC_OPTIONS_INIT;
        hc_batch batch;
        hc_state s;
        hc_slice part;
        size_t len = alg->digest_size <= 64 ? alg->digest_size : 64;
        if (alg->key_max >= 32) {
            o.given = HC_GIVEN_KEY;
            o.key.data = key;
            o.key.len = 32;
        }
        failed |= alg->init(&s, &o, &err);
        alg->update_threads(&s, text, LEN, 2);
        failed |= alg->final(&s, r->digest[i], len, 0, &err);
        part.data = text;
        part.len = 100;
        failed |= hc_digest(alg, r->many[i], len, 0, &o, &part, 1, 0, &err);
        memset(&batch, 0, sizeof batch);
        batch.count = 4;
        batch.item_size = 64;
        batch.data.data = text;
        batch.data.len = 256;
        failed |= hc_digest_many(alg, r->many[i], len, &o, &batch, 0, &err);
    }
    hc_xor(r->more, text, text + 1, 200);
    hc_blake3_hash(r->more + 100, 100, NULL, text, 3000, 0);
    failed |= hc_xor_mask(r->masked, key, 3, 1, text, sizeof r->masked, &err);
    r->detected = hc_cpu_detected();
    failed |= (hc_cpu_enabled() & ~r->detected) != 0;
    failed |= hc_cpu_kernel(0, NULL) == NULL;
    return failed;
}

static void *first_calls(void *p)
{
    result *r = (result *)p;
    barrier(THREADS + 1);
    r->failed = all(r);
    return NULL;
}

/* Every level there is, over and over, beside the calls. */
static void *restrict_on(void *p)
{
    static const char *const levels[] = { "portable",      "sse2",   "sse41", "avx2",
                                          "avx2,no-shani", "avx512", "neon",  "simd128" };
    int *failed = (int *)p;
    size_t i = 0;
    barrier(THREADS + 1);
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        uint32_t mask;
        if (hc_cpu_parse(&mask, levels[i++ % 8], NULL) == HC_OK && !(mask & ~hc_cpu_detected()))
            *failed |= hc_cpu_restrict(mask, NULL);
        sched_yield();
    }
    *failed |= hc_cpu_restrict(HC_CPU_ALL, NULL);
    return NULL;
}

static result results[THREADS], alone;

int main(void)
{
    pthread_t t[THREADS], other;
    int failed = 0, i;
    for (i = 0; i < LEN; i++) text[i] = (uint8_t)(i % 251);

    /* Nothing of hashcore has run yet in this process. */
    for (i = 0; i < THREADS; i++) CHECK(pthread_create(&t[i], NULL, first_calls, &results[i]) == 0);
    barrier(THREADS + 1);
    for (i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
    CHECK(all(&alone) == 0);
    for (i = 0; hc_alg_at((size_t)i) && i < 7; i++)
        if (hc_alg_at((size_t)i) == hc_alg_find("sha256"))
            CHECK(check_hex(alone.digest[i], 32, "3c65ea93424a9c362fec0e3a69ea36031e8a358441479dd665cc6110eabe7b08"));
    for (i = 0; i < THREADS; i++) CHECK_SAY(!memcmp(&results[i], &alone, sizeof alone), "thread %d", i);

    for (int round = 0; round < ROUNDS; round++) {
        waiting = 0;
        stop = 0;
        CHECK(pthread_create(&other, NULL, restrict_on, &failed) == 0);
        for (i = 0; i < THREADS; i++) {
            memset(&results[i], 0, sizeof results[i]);
            CHECK(pthread_create(&t[i], NULL, first_calls, &results[i]) == 0);
        }
        for (i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
        __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
        pthread_join(other, NULL);
        for (i = 0; i < THREADS; i++)
            CHECK_SAY(!memcmp(&results[i], &alone, sizeof alone), "thread %d, kernels changing", i);
    }
    CHECK(failed == 0);
    return check_done("test_race");
}
#else
int main(void)
{
    CHECK_SKIP("no pthreads");
    return check_done("test_race");
}
#endif
