/* check.h - the C tests' harness: count, say where it failed, close with one line that every runner reads. */
#ifndef HC_CHECK_H
#define HC_CHECK_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long check_passed, check_failed, check_skipped;

#ifdef HC_CHECK_FIRST /* the first failure ends the program: all that scripts/mutate wants to know */
#define CHECK_FAILED() exit(1)
#else
#define CHECK_FAILED() ((void)0)
#endif

/* Counts one check; the first 20 that fail are printed. Usable from one thread. */
/* How many random cases: all of them, or with -DHC_TEST_SHORT some, for emulators and instrumented builds. */
#ifdef HC_TEST_SHORT
#define CHECK_CASES(all, some) (some)
#else
#define CHECK_CASES(all, some) (all)
#endif
#define CHECK(cond)                                                                                                    \
    do {                                                                                                               \
        if (cond) {                                                                                                    \
            check_passed++;                                                                                            \
        } else if (check_failed++ < 20) {                                                                              \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #cond);                                         \
            CHECK_FAILED();                                                                                            \
        }                                                                                                              \
    } while (0)
/* The same with a printf-style remark on the case at hand. */
#define CHECK_SAY(cond, ...)                                                                                           \
    do {                                                                                                               \
        if (cond) {                                                                                                    \
            check_passed++;                                                                                            \
        } else if (check_failed++ < 20) {                                                                              \
            fprintf(stderr, "%s:%d: failed: %s: ", __FILE__, __LINE__, #cond);                                         \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            CHECK_FAILED();                                                                                            \
        }                                                                                                              \
    } while (0)
#define CHECK_SKIP(why) ((void)printf("skipped: %s\n", why), check_skipped++)

/* The closing line and the exit status of main. A test that checked nothing has failed. */
static inline int check_done(const char *name)
{
    printf("%s: %lu passed, %lu failed, %lu skipped\n", name, check_passed, check_failed, check_skipped);
    return check_failed || !(check_passed + check_skipped);
}

/* Random numbers, the same everywhere for one seed: HC_TEST_SEED, or a fixed one. */
static uint64_t check_random_state = 88172645463325252u;
static inline uint64_t check_random(void)
{
    uint64_t x = check_random_state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return check_random_state = x;
}
static inline void check_seed(const char *name)
{
    const char *text = getenv("HC_TEST_SEED");
    if (text && strtoull(text, NULL, 0)) check_random_state = strtoull(text, NULL, 0);
    printf("%s: seed %llu (HC_TEST_SEED sets it)\n", name, (unsigned long long)check_random_state);
}

/* 1 when the n bytes at p are those of the hexadecimal text. */
static inline int check_hex(const void *p, size_t n, const char *hex)
{
    const uint8_t *b = (const uint8_t *)p;
    if (strlen(hex) != 2 * n) return 0;
    for (size_t i = 0; i < n; i++) {
        char two[3];
        snprintf(two, sizeof two, "%02x", b[i]);
        if (memcmp(two, hex + 2 * i, 2)) return 0;
    }
    return 1;
}

#endif
