/* tests.c - the tests of the three hashes: what is done, at which sizes, at which level of the processor. */
#include "bench.h"

static const size_t one_to_long[] = { 0,     1,     32,    55,    64,    128,    256,    512,    KI(1),  KI(2),  KI(3),  KI(4),    KI(5),     KI(6),
                                      KI(7), KI(8), KI(9), KI(10), KI(11), KI(12), KI(13), KI(14), KI(15), KI(16), KI(64), KI(1024), KI(65536), BENCH_END };
static const size_t level[] = { 64, 128, KI(1), KI(64), KI(1024), BENCH_END };
static const size_t chained[] = { 1, 32, 55, 64, 128, BENCH_END };
static const size_t streamed[] = { KI(64), KI(1024), BENCH_END };
static const size_t out_sizes[] = { 64, 128, 512, KI(1), KI(4), KI(64), KI(1024), BENCH_END };
static const size_t many_sizes[] = { 32, 55, 64, 100, 128, 256, KI(1), KI(2), KI(4), KI(16), BENCH_END };
static const size_t mixed_sizes[] = { 32, 100, 512, KI(2), BENCH_END };
static const size_t hmac_sizes[] = { 0, 32, 64, 128, KI(1), BENCH_END };
static const size_t thread_sizes[] = { KI(64), KI(128), KI(256), KI(512), KI(1024), KI(4096), KI(65536), BENCH_END };
static const size_t item_sizes[] = { 64, KI(1), KI(4), BENCH_END };

/* name, operation, slot, output, count, sizes, cpu, mode */
#define TEST(name, operation, slot, output, count, sizes, cpu, mode) \
    { name, operation, slot, output, count, sizes, cpu, &mode_##mode, NULL, 0, 0, 0, NULL, "", 0 }

const bench_test bench_hashes[] = {
    TEST("blake3", "hash", "blake3.many", 32, 1, one_to_long, NULL, hash),
    TEST("blake3", "hash-chain", "blake3.block", 32, 1, chained, NULL, chain),
    TEST("blake3", "stream-8KiB", "blake3.many", 32, 1, streamed, NULL, stream),
    TEST("blake3", "xof", "blake3.xof", BENCH_OUT_ALL, 1, out_sizes, NULL, output),
    TEST("blake3", "threads", "blake3.many", 32, 1, thread_sizes, NULL, threads),
    TEST("blake3", "many", "blake3.many", 32, 256, many_sizes, NULL, many),
    TEST("blake3", "many-slices", "blake3.jobs", 32, 256, many_sizes, NULL, slices),
    TEST("blake3", "many-mixed", "blake3.jobs", 32, 256, mixed_sizes, NULL, mixed),

    TEST("sha256", "hash", "sha256.finish", 32, 1, one_to_long, NULL, hash),
    TEST("sha256", "hash-chain", "sha256.finish", 32, 1, chained, NULL, chain),
    TEST("sha256", "many", "sha256.many", 32, 256, many_sizes, NULL, many),
    TEST("sha256", "many-slices", "sha256.many", 32, 256, many_sizes, NULL, slices),
    TEST("sha256", "many-mixed", "sha256.many", 32, 256, mixed_sizes, NULL, mixed),
    TEST("sha256", "hash-portable", "sha256.finish", 32, 1, level, "portable", hash),
    TEST("sha256", "many-avx512-no-shani", "sha256.many", 32, 256, item_sizes, "avx512,no-shani", slices),
    TEST("sha256", "many-sse41-no-shani", "sha256.many", 32, 256, item_sizes, "sse41,no-shani", slices),
    TEST("sha256", "many-sse2", "sha256.many", 32, 256, item_sizes, "sse2", slices),
    TEST("hmac-sha256", "many", "sha256.many", 32, 256, hmac_sizes, NULL, many),

    TEST("blake2b", "hash", "blake2b.finish", 64, 1, one_to_long, NULL, hash),
    TEST("blake2b", "many", "blake2b.many", 64, 256, many_sizes, NULL, many),
    TEST("blake2b", "many-mixed", "blake2b.many", 64, 256, mixed_sizes, NULL, mixed),
    TEST("blake2b", "hash-sse41", "blake2b.finish", 64, 1, level, "sse41", hash),
    TEST("blake2b", "hash-portable", "blake2b.finish", 64, 1, level, "portable", hash),
    TEST("blake2b", "many-sse41", "blake2b.many", 64, 256, item_sizes, "sse41", many),
    TEST("blake2b", "many-portable", "blake2b.many", 64, 256, item_sizes, "portable", many),

    TEST("blake3", "auto-hash", "blake3.many", 32, 1, thread_sizes, NULL, auto_hash),
    TEST("blake3", "auto-update", "blake3.many", 32, 1, thread_sizes, NULL, auto_update),
    TEST("blake3", "auto-output", "blake3.xof", BENCH_OUT_ALL, 1, thread_sizes, NULL, auto_output),
    TEST("blake3", "auto-many-64", "blake3.jobs", 32, 64, item_sizes, NULL, auto_many),
    TEST("blake3", "auto-many-1024", "blake3.jobs", 32, 1024, item_sizes, NULL, auto_many),
    TEST("blake3", "auto-many-16384", "blake3.jobs", 32, 16384, item_sizes, NULL, auto_many),
    TEST("sha256", "auto-many-1024", "sha256.many", 32, 1024, item_sizes, NULL, auto_many),
    TEST("sha256", "auto-many-16384", "sha256.many", 32, 16384, item_sizes, NULL, auto_many),
    TEST("blake2b", "auto-many-1024", "blake2b.many", 64, 1024, item_sizes, NULL, auto_many),
    TEST("blake2b", "auto-many-16384", "blake2b.many", 64, 16384, item_sizes, NULL, auto_many),
    TEST(NULL, NULL, NULL, 0, 0, NULL, NULL, hash)
};
