/* test_memory.c - what hashing costs in memory: two parts of 1 GiB, less than 1 MiB more than before. */
#define _GNU_SOURCE 1
#include "hashcore.h"
#include "check.h"

#ifdef HC_TEST_WRAP /* the linker sends the library's calls here */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#define LIMIT ((size_t)1 << 20)
#define STACK ((size_t)8 << 20) /* room for a stack that is too deep to be seen, not only felt */
#define PAINT 0xa5

static size_t asked; /* atomic: bytes of heap, whether they were given back or not */
static void count(size_t n) { __atomic_fetch_add(&asked, n, __ATOMIC_RELAXED); }

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n)
{
    count(n);
    return __real_malloc(n);
}
void *__wrap_calloc(size_t n, size_t size)
{
    count(n * size);
    return __real_calloc(n, size);
}
void *__wrap_realloc(void *p, size_t n)
{
    count(n);
    return __real_realloc(p, n);
}

typedef struct call {
    const hc_alg *alg;
    const uint8_t *data;
    size_t len;
    unsigned threads;
    int code;
} call;

/* A message of two parts, each of them all of data. */
static void *digest(void *arg)
{
    call *c = (call *)arg;
    static const uint8_t key[32] = { 1, 2, 3 };
    uint8_t out[64];
    hc_options o = HC_OPTIONS_INIT;
    hc_slice parts[2];
    if (c->alg->flags & HC_ALG_KEYED) {
        o.given = HC_GIVEN_KEY;
        o.key.data = key;
        o.key.len = sizeof key;
    }
    parts[0].data = parts[1].data = c->data;
    parts[0].len = parts[1].len = c->len;
    c->code = hc_digest(c->alg, out, c->alg->digest_size, 0, &o, parts, 2, c->threads, NULL);
    return NULL;
}

static long peak(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss; /* KiB on Linux */
}

/* Whether the system's own figure, which sees maps too, is worth a look: each processor keeps 32 pages uncounted. */
static int peak_counts(void)
{
#if defined(__linux__) && !defined(SANITIZED) && !defined(HC_TEST_SHORT)
    return sysconf(_SC_NPROCESSORS_CONF) <= 4;
#else
    return 0;
#endif
}

#if defined(__clang__) || defined(__GNUC__)
__attribute__((no_sanitize_address))
#endif
static size_t untouched(const uint8_t *stack)
{
    size_t n = 0;
    while (n < STACK && stack[n] == PAINT) n++;
    return n;
}

static void one(uint8_t *stack, const char *name, const uint8_t *data, size_t len, unsigned threads)
{
    call c = { hc_alg_find(name), data, len, threads, -1 };
    pthread_attr_t attr;
    pthread_t t;
    size_t heap, deep;
    long before, grown;
    memset(stack, PAINT, STACK);
    CHECK(pthread_attr_init(&attr) == 0 && pthread_attr_setstack(&attr, stack, STACK) == 0);
    before = peak();
    asked = 0;
    CHECK(pthread_create(&t, &attr, digest, &c) == 0 && pthread_join(t, NULL) == 0);
    heap = asked;
    grown = peak() - before;
    deep = STACK - untouched(stack);
    pthread_attr_destroy(&attr);
    CHECK(c.code == HC_OK);
    CHECK_SAY(heap + deep < LIMIT, "%s, 2 * %zu bytes, threads %u: %zu bytes of heap, %zu of stack", name, len, threads,
              heap, deep);
    if (peak_counts()) CHECK_SAY(grown < 1024, "%s, 2 * %zu bytes, threads %u: %ld KiB", name, len, threads, grown);
}

/* Zeros that take no memory: one page stands for all. */
static const uint8_t *zeros(size_t len)
{
    void *p = mmap(NULL, len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
#ifdef MADV_NOHUGEPAGE
    (void)madvise(p, len, MADV_NOHUGEPAGE);
#endif
    return (const uint8_t *)p;
}

int main(void)
{
    static const char *const names[] = { "sha224",  "sha256",   "hmac-sha224", "hmac-sha256",
                                         "blake2b", "blake2xb", "blake3" };
    const size_t big = CHECK_CASES((size_t)1 << 30, (size_t)1 << 20);
    uint8_t *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint8_t *data = zeros(big);
    CHECK(stack != MAP_FAILED);
    if (!data) {
        CHECK_SKIP("1 GiB of addresses are not to be had");
        return check_done("test_memory");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) one(stack, names[i], data, big / 64, 2);
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], "hmac-sha224")) one(stack, names[i], data, big, 0); /* SHA-224's are SHA-256's code */
    one(stack, "blake3", data, big, 2);
    one(stack, "blake3", data, big, HC_THREADS_AUTO);
    return check_done("test_memory");
}
#else
int main(void)
{
    CHECK_SKIP("no linker that wraps calls");
    return check_done("test_memory");
}
#endif
