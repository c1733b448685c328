/* rows_blake2b.c - BLAKE2b: hashcore against libsodium, libb2 and the crate blake2b_simd. */
#include "bench.h"
#ifdef BENCH_LIBB2
#include <blake2.h>
#endif
#ifdef BENCH_SODIUM
#include <sodium.h>
#endif
#ifdef BENCH_RUST
#include "peers.h"
#endif

#define KI(n) ((size_t)(n) << 10)
#define OURS(slot, name) { "hashcore", bench_hashcore_version, slot, name }

static void ours_hash(const bench_case *c, size_t times)
{
    while (times--) hc_blake2b_hash(c->out, 64, NULL, 0, c->in, c->size);
}
static void batch(const bench_case *c, size_t times, const hc_batch *b)
{
    const hc_alg *alg = hc_alg_find("blake2b");
    while (times--) hc_digest_many(alg, c->out, 64, NULL, b, c->threads, NULL);
}
static void ours_many(const bench_case *c, size_t times)
{
    hc_batch b;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.data.data = c->in;
    b.data.len = c->count * c->size;
    b.item_size = c->size;
    batch(c, times, &b);
}
static void ours_mixed(const bench_case *c, size_t times)
{
    hc_slice items[256];
    hc_batch b;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.items = items;
    bench_mixed(c, items);
    batch(c, times, &b);
}

/* ---- Peers ------------------------------------------------------------------------- */
#ifdef BENCH_SODIUM
static void sodium_hash(const bench_case *c, size_t times)
{
    static int ready;
    if (!ready) ready = sodium_init() >= 0; /* chooses its kernels */
    while (times--) crypto_generichash(c->out, 64, c->in, c->size, NULL, 0);
}
#define SODIUM(name) { "libsodium", sodium_version_string, NULL, name },
#else
#define SODIUM(name)
#endif
#ifdef BENCH_LIBB2
static const char *libb2_version(void) { return "0.98"; }
static void libb2_hash(const bench_case *c, size_t times)
{
    while (times--) blake2b(c->out, c->in, NULL, 64, c->size, 0);
}
#define LIBB2(name) { "libb2", libb2_version, NULL, name },
#else
#define LIBB2(name)
#endif
#ifdef BENCH_RUST
static void simd_hash(const bench_case *c, size_t times)
{
    while (times--) peer_blake2b(c->out, 64, c->in, c->size);
}
static void simd_many(const bench_case *c, size_t times)
{
    while (times--) peer_blake2b_many(c->out, 64, c->in, c->size, c->count);
}
static void simd_mixed(const bench_case *c, size_t times)
{
    hc_slice items[256];
    bench_mixed(c, items);
    while (times--)
        for (size_t i = 0; i < c->count; i++) peer_blake2b(c->out + 64 * i, 64, (const uint8_t *)items[i].data, items[i].len);
}
#define SIMD(name) { "blake2b_simd", bench_blake2b_simd_version, NULL, name },
#else
#define SIMD(name)
#endif
#define HASH_ROWS { OURS("blake2b.finish", ours_hash), SODIUM(sodium_hash) LIBB2(libb2_hash) SIMD(simd_hash) { 0 } }
#define MANY_ROWS { OURS("blake2b.many", ours_many), SIMD(simd_many) { 0 } }

static const size_t sizes_level[] = { 64, 128, KI(1), KI(64), KI(1024), BENCH_END };
static const size_t sizes_many[] = { 32, 55, 64, 128, 256, KI(1), KI(4), KI(16), BENCH_END };
static const size_t sizes_mixed[] = { 32, 100, 750, KI(2), BENCH_END };

const bench_test bench_blake2b[] = {
    { "blake2b", "hash", 64, 1, bench_sizes_short, NULL, HASH_ROWS },
    { "blake2b", "hash", 64, 1, bench_sizes_mid, NULL, HASH_ROWS },
    { "blake2b", "hash", 64, 1, bench_sizes_long, NULL, HASH_ROWS },
    { "blake2b", "avx2", 64, 1, sizes_level, "avx2", HASH_ROWS },
    { "blake2b", "sse41", 64, 1, sizes_level, "sse41", HASH_ROWS },
    { "blake2b", "portable", 64, 1, sizes_level, "portable", HASH_ROWS },
    { "blake2b", "many", 64, 256, sizes_many, NULL, MANY_ROWS },
    { "blake2b", "many-mixed", 64, 256, sizes_mixed, NULL, { OURS("blake2b.many", ours_mixed), SIMD(simd_mixed) { 0 } } },
    { "blake2b", "many-avx2", 64, 256, sizes_many, "avx2", MANY_ROWS },
    { "blake2b", "mixed-avx2", 64, 256, sizes_mixed, "avx2", { OURS("blake2b.many", ours_mixed), SIMD(simd_mixed) { 0 } } },
    { "blake2b", "many-sse41", 64, 256, sizes_many, "sse41", MANY_ROWS },
    { "blake2b", "many-portable", 64, 256, sizes_many, "portable", MANY_ROWS },
    { NULL, NULL, 0, 0, NULL, NULL, { { 0 } } }
};
