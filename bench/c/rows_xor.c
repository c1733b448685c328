/* rows_xor.c - XOR: hashcore against gcc's -O3 AVX2 loop, memcpy (what moving the bytes costs) and a byte loop. */
#include "bench.h"

void loop_xor(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b, size_t n);
void loop_mask(uint8_t *dst, const uint8_t *src, const uint8_t *key, size_t key_len, size_t n);
const char *loop_version(void);

#define KI(n) ((size_t)(n) << 10)
#define OURS(slot, name)                               \
    {                                                  \
        "hashcore", bench_hashcore_version, slot, name \
    }
#define LOOP(name)                               \
    {                                            \
        "gcc -O3 loop", loop_version, NULL, name \
    }

static const uint8_t *second(const bench_case *c) { return c->scratch + c->align; }

static void ours_two(const bench_case *c, size_t times)
{
    while (times--) hc_xor(c->out, c->in, second(c), c->size);
}
static void loop_two(const bench_case *c, size_t times)
{
    while (times--) {
        loop_xor(c->out, c->in, second(c), c->size);
        BENCH_KEEP(c->out);
    }
}
static void ours_place(const bench_case *c, size_t times)
{
    while (times--) hc_xor(c->scratch, c->scratch, c->in, c->size);
}
static void loop_place(const bench_case *c, size_t times)
{
    while (times--) {
        loop_xor(c->scratch, c->scratch, c->in, c->size);
        BENCH_KEEP(c->scratch);
    }
}
static void copy(const bench_case *c, size_t times)
{
    while (times--) {
        memcpy(c->out, c->in, c->size);
        BENCH_KEEP(c->out);
    }
}
static void ours_five(const bench_case *c, size_t times)
{
    const size_t n = c->size / 5;
    hc_slice s[5];
    for (size_t i = 0; i < 5; i++) {
        s[i].data = c->in + n * i;
        s[i].len = n;
    }
    for (size_t got; times--;) hc_xor_many(&got, c->out, n, s, 5, NULL);
}
static void loop_five(const bench_case *c, size_t times)
{
    const size_t n = c->size / 5;
    while (times--) {
        loop_xor(c->out, c->in, c->in + n, n);
        for (size_t i = 2; i < 5; i++) loop_xor(c->out, c->out, c->in + n * i, n);
        BENCH_KEEP(c->out);
    }
}
static const uint8_t key[100] = { 0xa1, 2, 0x73, 0x54, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 };
#define MASK(n)                                                               \
    static void ours_mask##n(const bench_case *c, size_t times)               \
    {                                                                         \
        while (times--) hc_xor_mask(c->out, key, n, 0, c->in, c->size, NULL); \
    }                                                                         \
    static void loop_mask##n(const bench_case *c, size_t times)               \
    {                                                                         \
        while (times--) loop_mask(c->out, c->in, key, n, c->size);            \
    }
MASK(4)
MASK(7) MASK(16) MASK(100)

    static const size_t sizes_two[] = { 3,        8,        13,        31,        64,       100,      128,
                                        1400,     KI(2),    KI(4),     KI(32),    KI(256),  KI(1024), KI(2048),
                                        KI(4096), KI(8192), KI(16384), KI(65536), BENCH_END };
static const size_t sizes_mask[] = { 8, 125, KI(4), KI(64), KI(1024), KI(65536), BENCH_END };
static const size_t sizes_five[] = { 500, KI(10), KI(320), KI(5120), KI(65536), BENCH_END };

#define TWO(slot)                                   \
    {                                               \
        OURS(slot, ours_two), LOOP(loop_two), { 0 } \
    }
#define MASK_ROWS(n)                                                                             \
    {                                                                                            \
        OURS("xor.mask", ours_mask##n), { "byte loop", loop_version, NULL, loop_mask##n }, { 0 } \
    }
const bench_test bench_xor[] = {
    { "xor", "two", BENCH_OUT_ALL, 1, sizes_two, NULL, TWO("xor.two") },
    { "xor", "two-avx2", BENCH_OUT_ALL, 1, sizes_two, "avx2", TWO("xor.two") },
    { "xor", "two-sse2", BENCH_OUT_ALL, 1, sizes_two, "sse2", TWO("xor.two") },
    { "xor", "two-portable", BENCH_OUT_ALL, 1, sizes_two, "portable", TWO("xor.two") },
    { "xor",
      "in-place",
      0,
      1,
      sizes_two,
      NULL,
      { OURS("xor.two", ours_place), LOOP(loop_place), { "memcpy", loop_version, NULL, copy }, { 0 } } },
    { "xor", "mask-4", BENCH_OUT_ALL, 1, sizes_mask, NULL, MASK_ROWS(4) },
    { "xor", "mask-7", BENCH_OUT_ALL, 1, sizes_mask, NULL, MASK_ROWS(7) },
    { "xor", "mask-16", BENCH_OUT_ALL, 1, sizes_mask, NULL, MASK_ROWS(16) },
    { "xor", "mask-100", BENCH_OUT_ALL, 1, sizes_mask, NULL, MASK_ROWS(100) },
    { "xor", "mask-4-avx2", BENCH_OUT_ALL, 1, sizes_mask, "avx2", MASK_ROWS(4) },
    { "xor", "five", 0, 1, sizes_five, NULL, { OURS("xor.many", ours_five), LOOP(loop_five), { 0 } } },
    { "xor", "five-avx2", 0, 1, sizes_five, "avx2", { OURS("xor.many", ours_five), LOOP(loop_five), { 0 } } },
    { NULL, NULL, 0, 0, NULL, NULL, { { 0 } } }
};
