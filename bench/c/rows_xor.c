/* rows_xor.c - XOR: hashcore against gcc's -O3 AVX2 loop, memcpy (what moving the bytes costs) and a byte loop. */
#include "bench.h"

void loop_xor(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b, size_t n);
void loop_mask(uint8_t *dst, const uint8_t *src, const uint8_t *key, size_t key_len, size_t n);
const char *loop_version(void);

#define OURS(run) { "hashcore", bench_hashcore_version, run }
#define LOOP(run) { "gcc -O3 loop", loop_version, run }
#define BYTES(run) { "byte loop", loop_version, run }

static const uint8_t *second(const bench_case *c) { return c->scratch + c->align; }

/* The case's fields are read once: a load that agrees with a store in flight in its lowest 12 bits waits for it. */
static void ours_two(const bench_case *c, size_t times)
{
    const bench_case k = *c;
    while (times--) hc_xor(k.out, k.in, second(&k), k.size);
}
static void loop_two(const bench_case *c, size_t times)
{
    const bench_case k = *c;
    while (times--) {
        loop_xor(k.out, k.in, second(&k), k.size);
        BENCH_KEEP(k.out);
    }
}
static void ours_place(const bench_case *c, size_t times)
{
    const bench_case k = *c;
    while (times--) hc_xor(k.scratch, k.scratch, k.in, k.size);
}
static void loop_place(const bench_case *c, size_t times)
{
    const bench_case k = *c;
    while (times--) {
        loop_xor(k.scratch, k.scratch, k.in, k.size);
        BENCH_KEEP(k.scratch);
    }
}
static void copy(const bench_case *c, size_t times)
{
    const bench_case k = *c;
    while (times--) {
        memcpy(k.out, k.in, k.size);
        BENCH_KEEP(k.out);
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
MASK(7)
MASK(16)
MASK(100)

static const size_t sizes_two[] = { 3,        8,        13,        31,        64,       100,      128,
                                        1400,     KI(2),    KI(4),     KI(32),    KI(256),  KI(1024), KI(2048),
                                        KI(4096), KI(8192), KI(16384), KI(65536), BENCH_END };
static const size_t sizes_mask[] = { 8, 125, KI(4), KI(64), KI(1024), KI(65536), BENCH_END };
static const size_t sizes_five[] = { 500, KI(10), KI(320), KI(5120), KI(65536), BENCH_END };

#define ROWS(name, ...) static const bench_row name[] = { __VA_ARGS__, { NULL, NULL, NULL } }
ROWS(rows_two, OURS(ours_two), LOOP(loop_two));
ROWS(rows_place, OURS(ours_place), LOOP(loop_place), { "memcpy", loop_version, copy });
ROWS(rows_five, OURS(ours_five), LOOP(loop_five));
ROWS(rows_mask4, OURS(ours_mask4), BYTES(loop_mask4));
ROWS(rows_mask7, OURS(ours_mask7), BYTES(loop_mask7));
ROWS(rows_mask16, OURS(ours_mask16), BYTES(loop_mask16));
ROWS(rows_mask100, OURS(ours_mask100), BYTES(loop_mask100));

#define TEST(operation, slot, output, sizes, cpu, rows) \
    { "xor", operation, slot, output, 1, sizes, cpu, NULL, rows, 0, 0, 0, NULL, "", 0 }
const bench_test bench_xor[] = {
    TEST("two", "xor.two", BENCH_OUT_ALL, sizes_two, NULL, rows_two),
    TEST("two-sse2", "xor.two", BENCH_OUT_ALL, sizes_two, "sse2", rows_two),
    TEST("two-portable", "xor.two", BENCH_OUT_ALL, sizes_two, "portable", rows_two),
    TEST("in-place", "xor.two", 0, sizes_two, NULL, rows_place),
    TEST("mask-4", "xor.mask", BENCH_OUT_ALL, sizes_mask, NULL, rows_mask4),
    TEST("mask-7", "xor.mask", BENCH_OUT_ALL, sizes_mask, NULL, rows_mask7),
    TEST("mask-16", "xor.mask", BENCH_OUT_ALL, sizes_mask, NULL, rows_mask16),
    TEST("mask-100", "xor.mask", BENCH_OUT_ALL, sizes_mask, NULL, rows_mask100),
    TEST("five", "xor.many", 0, sizes_five, NULL, rows_five),
    { NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, "", 0 }
};
