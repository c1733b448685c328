/* rows_threads.c - what threads give and cost: HC_THREADS_AUTO (or --threads N) against the caller alone. */
#include "bench.h"

#define KI(n) ((size_t)(n) << 10)
#define ROWS(slot, many, alone)                                                                                    \
    {                                                                                                              \
        { "hashcore", bench_hashcore_version, slot, many }, { "one thread", bench_hashcore_version, slot, alone }, \
        {                                                                                                          \
            NULL, NULL, NULL, NULL                                                                                 \
        }                                                                                                          \
    }

static unsigned threads_of(const bench_case *c) { return c->threads ? c->threads : HC_THREADS_AUTO; }

static void input_many(const bench_case *c, size_t times)
{
    while (times--) hc_blake3_hash(c->out, 32, NULL, c->in, c->size, threads_of(c));
}
static void input_alone(const bench_case *c, size_t times)
{
    while (times--) hc_blake3_hash(c->out, 32, NULL, c->in, c->size, 0);
}

static void update(const bench_case *c, unsigned threads)
{
    hc_blake3 s;
    hc_blake3_init(&s, NULL);
    hc_blake3_update(&s, c->in, c->size, threads);
    hc_blake3_final(&s, c->out, 32, 0);
}
static void update_many(const bench_case *c, size_t times)
{
    while (times--) update(c, threads_of(c));
}
static void update_alone(const bench_case *c, size_t times)
{
    while (times--) update(c, 0);
}

static void output_many(const bench_case *c, size_t times)
{
    while (times--) hc_blake3_hash(c->out, c->size, NULL, c->in, 64, threads_of(c));
}
static void output_alone(const bench_case *c, size_t times)
{
    while (times--) hc_blake3_hash(c->out, c->size, NULL, c->in, 64, 0);
}

/* Items back to back, 32 bytes of digest each. */
static void batch(const bench_case *c, const char *name, unsigned threads, size_t times)
{
    hc_options o = HC_OPTIONS_INIT;
    hc_batch b;
    const hc_alg *alg = hc_alg_find(name);
    o.given = HC_GIVEN_DIGEST_SIZE;
    o.digest_size = 32;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.item_size = c->size;
    b.data.data = c->in;
    b.data.len = c->count * c->size;
    while (times--) hc_digest_many(alg, c->out, 32, strcmp(name, "blake2b") ? NULL : &o, &b, threads, NULL);
}
static void sha256_many(const bench_case *c, size_t times) { batch(c, "sha256", threads_of(c), times); }
static void sha256_alone(const bench_case *c, size_t times) { batch(c, "sha256", 0, times); }
static void blake2b_many(const bench_case *c, size_t times) { batch(c, "blake2b", threads_of(c), times); }
static void blake2b_alone(const bench_case *c, size_t times) { batch(c, "blake2b", 0, times); }
static void blake3_many(const bench_case *c, size_t times) { batch(c, "blake3", threads_of(c), times); }
static void blake3_alone(const bench_case *c, size_t times) { batch(c, "blake3", 0, times); }

static const size_t sizes_long[] = { 1,        KI(1),     KI(16),    KI(64),     KI(128),     KI(192),  KI(256),
                                     KI(384),  KI(512),   KI(768),   KI(1024),   KI(1536),    KI(2048), KI(4096),
                                     KI(8192), KI(16384), KI(65536), KI(262144), KI(1048576), BENCH_END };
static const size_t sizes_output[] = { 1,       KI(1),    KI(64),   KI(128),  KI(192),   KI(256),    KI(384),  KI(512),
                                       KI(768), KI(1024), KI(2048), KI(4096), KI(65536), KI(262144), BENCH_END };
static const size_t sizes_items[] = { 1, 64, 256, KI(1), KI(4), KI(16), BENCH_END };

const bench_test bench_threads[] = {
    { "blake3", "auto-hash", 32, 1, sizes_long, NULL, ROWS("blake3.many", input_many, input_alone) },
    { "blake3", "auto-update", 32, 1, sizes_long, NULL, ROWS("blake3.many", update_many, update_alone) },
    { "blake3", "auto-output", BENCH_OUT_ALL, 1, sizes_output, NULL, ROWS("blake3.xof", output_many, output_alone) },
    { "blake3", "auto-many-64", 32, 64, sizes_items, NULL, ROWS("blake3.jobs", blake3_many, blake3_alone) },
    { "blake3", "auto-many-1024", 32, 1024, sizes_items, NULL, ROWS("blake3.jobs", blake3_many, blake3_alone) },
    { "blake3", "auto-many-16384", 32, 16384, sizes_items, NULL, ROWS("blake3.jobs", blake3_many, blake3_alone) },
    { "sha256", "auto-many-64", 32, 64, sizes_items, NULL, ROWS("sha256.many", sha256_many, sha256_alone) },
    { "sha256", "auto-many-1024", 32, 1024, sizes_items, NULL, ROWS("sha256.many", sha256_many, sha256_alone) },
    { "sha256", "auto-many-16384", 32, 16384, sizes_items, NULL, ROWS("sha256.many", sha256_many, sha256_alone) },
    { "blake2b", "auto-many-1024", 32, 1024, sizes_items, NULL, ROWS("blake2b.many", blake2b_many, blake2b_alone) },
    { "blake2b", "auto-many-16384", 32, 16384, sizes_items, NULL, ROWS("blake2b.many", blake2b_many, blake2b_alone) },
    { NULL, NULL, 0, 0, NULL, NULL, { { NULL, NULL, NULL, NULL } } }
};
