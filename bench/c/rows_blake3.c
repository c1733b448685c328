/* rows_blake3.c - BLAKE3: hashcore against the official crate, which holds the official assembly. */
#include "bench.h"
#ifdef BENCH_RUST
#include "peers.h"
#endif

#define KI(n) ((size_t)(n) << 10)
#define PEER(name) { "blake3 crate", bench_blake3_version, NULL, name }
#define OURS(slot, name) { "hashcore", bench_hashcore_version, slot, name }

/* ---- One message ---------------------------------------------------------------- */
static void ours_hash(const bench_case *c, size_t times)
{
    while (times--) hc_blake3_hash(c->out, 32, NULL, c->in, c->size, 0);
}
/* Each call's input begins with the last one's digest. */
static void ours_chain(const bench_case *c, size_t times)
{
    size_t n = c->size < 32 ? c->size : 32;
    memcpy(c->scratch, c->in, c->size);
    while (times--) {
        hc_blake3_hash(c->out, 32, NULL, c->scratch, c->size, 0);
        memcpy(c->scratch, c->out, n);
    }
}
static void ours_stream(const bench_case *c, size_t times)
{
    while (times--) {
        hc_blake3 s;
        hc_blake3_init(&s, NULL);
        hc_blake3_update(&s, c->in, c->size, 0);
        hc_blake3_final(&s, c->out, 32, 0);
    }
}
static void ours_pieces(const bench_case *c, size_t times)
{
    while (times--) {
        hc_blake3 s;
        hc_blake3_init(&s, NULL);
        for (size_t at = 0; at < c->size; at += KI(8))
            hc_blake3_update(&s, c->in + at, c->size - at < KI(8) ? c->size - at : KI(8), 0);
        hc_blake3_final(&s, c->out, 32, 0);
    }
}
static void ours_xof(const bench_case *c, size_t times)
{
    while (times--) hc_blake3_hash(c->out, c->size, NULL, c->in, 64, 0);
}
static void ours_threads(const bench_case *c, size_t times)
{
    while (times--) hc_blake3_hash(c->out, 32, NULL, c->in, c->size, c->threads ? c->threads : HC_THREADS_AUTO);
}

/* ---- Many messages ---------------------------------------------------------------- */
static void batch(const bench_case *c, size_t times, const hc_batch *b)
{
    const hc_alg *alg = hc_alg_find("blake3");
    while (times--) hc_digest_many(alg, c->out, 32, NULL, b, c->threads, NULL);
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
static void ours_slices(const bench_case *c, size_t times)
{
    hc_slice items[256];
    hc_batch b;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.items = items;
    for (size_t i = 0; i < c->count; i++) {
        items[i].data = c->in + c->size * i;
        items[i].len = c->size;
    }
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

#ifdef BENCH_RUST
static void peer_hash(const bench_case *c, size_t times)
{
    while (times--) peer_blake3(c->out, 32, c->in, c->size);
}
static void peer_chain(const bench_case *c, size_t times)
{
    size_t n = c->size < 32 ? c->size : 32;
    memcpy(c->scratch, c->in, c->size);
    while (times--) {
        peer_blake3(c->out, 32, c->scratch, c->size);
        memcpy(c->scratch, c->out, n);
    }
}
static void peer_stream(const bench_case *c, size_t times)
{
    while (times--) peer_blake3_stream(c->out, c->in, c->size, c->size);
}
static void peer_pieces(const bench_case *c, size_t times)
{
    while (times--) peer_blake3_stream(c->out, c->in, c->size, KI(8));
}
static void peer_xof(const bench_case *c, size_t times)
{
    while (times--) peer_blake3(c->out, c->size, c->in, 64);
}
static void peer_threads(const bench_case *c, size_t times)
{
    while (times--) peer_blake3_rayon(c->out, c->in, c->size);
}
static void peer_loop(const bench_case *c, size_t times)
{
    while (times--)
        for (size_t i = 0; i < c->count; i++) peer_blake3(c->out + 32 * i, 32, c->in + c->size * i, c->size);
}
static void peer_mixed(const bench_case *c, size_t times)
{
    hc_slice items[256];
    bench_mixed(c, items);
    while (times--)
        for (size_t i = 0; i < c->count; i++) peer_blake3(c->out + 32 * i, 32, (const uint8_t *)items[i].data, items[i].len);
}
#define ROWS(slot, ours, peer) { OURS(slot, ours), PEER(peer) }
#else
#define ROWS(slot, ours, peer) { OURS(slot, ours) }
#endif

static const size_t sizes_chain[] = { 1, 32, 55, 64, BENCH_END };
static const size_t sizes_stream[] = { 64, KI(1), KI(4), KI(16), KI(64), KI(1024), BENCH_END };
static const size_t sizes_pieces[] = { KI(64), KI(1024), BENCH_END };
static const size_t sizes_xof[] = { 64, 128, 512, KI(1), KI(4), KI(64), KI(1024), BENCH_END };
static const size_t sizes_threads[] = { KI(64), KI(128), KI(256), KI(512), KI(1024), KI(4096), KI(65536), BENCH_END };
static const size_t sizes_many[] = { 32, 55, 64, 100, 128, KI(1), KI(2), KI(4), BENCH_END };
static const size_t sizes_slices[] = { 64, KI(1), BENCH_END };
static const size_t sizes_mixed[] = { 32, 64, 512, KI(2), BENCH_END };

const bench_test bench_blake3[] = {
    { "blake3", "hash", 32, 1, bench_sizes_short, NULL, ROWS("blake3.blocks", ours_hash, peer_hash) },
    { "blake3", "hash", 32, 1, bench_sizes_mid, NULL, ROWS("blake3.many", ours_hash, peer_hash) },
    { "blake3", "hash", 32, 1, bench_sizes_long, NULL, ROWS("blake3.many", ours_hash, peer_hash) },
    { "blake3", "hash-chain", 32, 1, sizes_chain, NULL, ROWS("blake3.block", ours_chain, peer_chain) },
    { "blake3", "stream", 32, 1, sizes_stream, NULL, ROWS("blake3.many", ours_stream, peer_stream) },
    { "blake3", "stream-8KiB", 32, 1, sizes_pieces, NULL, ROWS("blake3.many", ours_pieces, peer_pieces) },
    { "blake3", "xof", BENCH_OUT_ALL, 1, sizes_xof, NULL, ROWS("blake3.xof", ours_xof, peer_xof) },
    { "blake3", "threads", 32, 1, sizes_threads, NULL, ROWS("blake3.many", ours_threads, peer_threads) },
    { "blake3", "many", 32, 256, sizes_many, NULL, ROWS("blake3.many", ours_many, peer_loop) },
    { "blake3", "many-slices", 32, 256, sizes_slices, NULL, ROWS("blake3.jobs", ours_slices, peer_loop) },
    { "blake3", "many-mixed", 32, 256, sizes_mixed, NULL, ROWS("blake3.jobs", ours_mixed, peer_mixed) },
    { NULL, NULL, 0, 0, NULL, NULL, { { NULL, NULL, NULL, NULL } } }
};
