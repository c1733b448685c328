/* modes.c - what a test makes its rows do: one message, many, in pieces, by threads. Each is written once for all algorithms. */
#include "bench.h"

enum { ITEMS = 256, PIECE = 8192, WRITE = 32768, PIECES_MAX = 8192 };

/* ---- One message ---------------------------------------------------------------------- */
static void hash(const bench_case *c, size_t times)
{
    bench_one *one = c->peer->one;
    while (times--) one(c->out, c->out_len, c->in, c->size);
}
/* Each call's input begins with the last one's digest. */
static void chain(const bench_case *c, size_t times)
{
    bench_one *one = c->peer->one;
    size_t n = c->size < c->out_len ? c->size : c->out_len;
    memcpy(c->scratch, c->in, c->size);
    while (times--) {
        one(c->out, c->out_len, c->scratch, c->size);
        memcpy(c->scratch, c->out, n);
    }
}
static void new_object(const bench_case *c, size_t times)
{
    while (times--) c->peer->pieces(c->out, c->parts, c->part_count, 0);
}
static void kept_object(const bench_case *c, size_t times)
{
    while (times--) c->peer->pieces(c->out, c->parts, c->part_count, 1);
}
static void ours_parts(const bench_case *c, size_t times)
{
    while (times--) hc_digest(c->alg, c->out, c->out_len, 0, NULL, c->parts, c->part_count, 0, NULL);
}
static void in_pieces(const bench_case *c, size_t times, size_t piece)
{
    static hc_slice parts[PIECES_MAX];
    size_t n = 0;
    for (size_t at = 0; at < c->size; at += piece, n++) {
        parts[n].data = c->in + at;
        parts[n].len = c->size - at < piece ? c->size - at : piece;
    }
    while (times--) c->peer->pieces(c->out, parts, n, 0);
}
static void stream(const bench_case *c, size_t times) { in_pieces(c, times, PIECE); }
static void write_32k(const bench_case *c, size_t times) { in_pieces(c, times, WRITE); }
static void output(const bench_case *c, size_t times)
{
    while (times--) c->peer->one(c->out, c->size, c->in, 64);
}
static void read_output(const bench_case *c, size_t times)
{
    while (times--) c->peer->read(c->out, c->size, c->in, 64);
}

/* ---- Many messages ---------------------------------------------------------------------- */
/* Messages of lengths 0 .. 2 * size, in no order; their sum is close to count * size. */
static void mixed_items(const bench_case *c, hc_slice items[ITEMS])
{
    size_t at = 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t len = (i * 149 + 31) % ITEMS * 2 * c->size / (ITEMS - 1);
        if (len > c->count * c->size - at) len = c->count * c->size - at;
        items[i].data = c->in + at;
        items[i].len = len;
        at += len;
    }
}
static void equal_items(const bench_case *c, hc_slice items[ITEMS])
{
    for (size_t i = 0; i < c->count; i++) {
        items[i].data = c->in + c->size * i;
        items[i].len = c->size;
    }
}
static void batch(const bench_case *c, size_t times, const hc_slice *items, unsigned threads)
{
    hc_options o = HC_OPTIONS_INIT;
    hc_batch b;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.items = items;
    if (!items) {
        b.data.data = c->in;
        b.data.len = c->count * c->size;
        b.item_size = c->size;
    }
    if (!strncmp(c->alg->name, "hmac", 4)) {
        o.given = HC_GIVEN_KEY;
        o.key.data = "a key of 32 bytes for the bench.";
        o.key.len = 32;
    }
    while (times--) hc_digest_many(c->alg, c->out, c->out_len, o.given ? &o : NULL, &b, threads, NULL);
}
static void ours_many(const bench_case *c, size_t times) { batch(c, times, NULL, c->threads); }
static void ours_slices(const bench_case *c, size_t times)
{
    hc_slice items[ITEMS];
    equal_items(c, items);
    batch(c, times, items, c->threads);
}
static void ours_mixed(const bench_case *c, size_t times)
{
    hc_slice items[ITEMS];
    mixed_items(c, items);
    batch(c, times, items, c->threads);
}
static void peer_many(const bench_case *c, size_t times)
{
    const bench_peer *p = c->peer;
    while (times--)
        if (p->many) p->many(c->out, c->out_len, c->in, c->size, c->count);
        else
            for (size_t i = 0; i < c->count; i++) p->one(c->out + c->out_len * i, c->out_len, c->in + c->size * i, c->size);
}
static void peer_mixed(const bench_case *c, size_t times)
{
    hc_slice items[ITEMS];
    mixed_items(c, items);
    while (times--)
        for (size_t i = 0; i < c->count; i++)
            c->peer->one(c->out + c->out_len * i, c->out_len, (const uint8_t *)items[i].data, items[i].len);
}

/* ---- Threads: HC_THREADS_AUTO (or --threads N) against the caller alone ------------------------- */
static unsigned threads_of(const bench_case *c) { return c->threads ? c->threads : HC_THREADS_AUTO; }
static void input_with(const bench_case *c, unsigned threads, size_t times)
{
    while (times--) hc_blake3_hash(c->out, 32, NULL, c->in, c->size, threads);
}
static void input_all(const bench_case *c, size_t times) { input_with(c, threads_of(c), times); }
static void input_alone(const bench_case *c, size_t times) { input_with(c, 0, times); }
static void peer_threads(const bench_case *c, size_t times)
{
    while (times--) c->peer->threads(c->out, c->out_len, c->in, c->size);
}
static void update_with(const bench_case *c, unsigned threads, size_t times)
{
    while (times--) {
        hc_blake3 s;
        hc_blake3_init(&s, NULL);
        hc_blake3_update(&s, c->in, c->size, threads);
        hc_blake3_final(&s, c->out, 32, 0);
    }
}
static void update_all(const bench_case *c, size_t times) { update_with(c, threads_of(c), times); }
static void update_alone(const bench_case *c, size_t times) { update_with(c, 0, times); }
static void output_with(const bench_case *c, unsigned threads, size_t times)
{
    while (times--) hc_blake3_hash(c->out, c->size, NULL, c->in, 64, threads);
}
static void output_all(const bench_case *c, size_t times) { output_with(c, threads_of(c), times); }
static void output_alone(const bench_case *c, size_t times) { output_with(c, 0, times); }
static void many_all(const bench_case *c, size_t times) { batch(c, times, NULL, threads_of(c)); }
static void many_alone(const bench_case *c, size_t times) { batch(c, times, NULL, 0); }

#define ALONE "hashcore, one thread"
const bench_mode mode_hash = { hash, hash, BENCH_ONE, 0, NULL, NULL };
const bench_mode mode_chain = { chain, chain, BENCH_ONE, 0, NULL, NULL };
const bench_mode mode_new = { new_object, new_object, BENCH_PIECES, 0, NULL, NULL };
const bench_mode mode_reset = { kept_object, kept_object, BENCH_PIECES, 0, NULL, NULL };
const bench_mode mode_parts = { ours_parts, kept_object, BENCH_PIECES, 0, NULL, NULL };
const bench_mode mode_stream = { stream, stream, BENCH_PIECES, 0, NULL, NULL };
const bench_mode mode_write = { write_32k, write_32k, BENCH_PIECES, 0, NULL, NULL };
const bench_mode mode_output = { output, output, BENCH_READ, 0, NULL, NULL };
const bench_mode mode_read = { read_output, read_output, BENCH_READ, 0, NULL, NULL };
const bench_mode mode_threads = { input_all, peer_threads, BENCH_THREADS, 1, NULL, NULL };
const bench_mode mode_many = { ours_many, peer_many, BENCH_ONE, 0, NULL, NULL };
const bench_mode mode_slices = { ours_slices, peer_many, BENCH_ONE, 0, NULL, NULL };
const bench_mode mode_mixed = { ours_mixed, peer_mixed, BENCH_ONE, 0, NULL, NULL };
const bench_mode mode_trie = { bench_trie, bench_trie, BENCH_ONE, 0, NULL, NULL };
const bench_mode mode_auto_hash = { input_all, NULL, BENCH_NOBODY, 1, ALONE, input_alone };
const bench_mode mode_auto_update = { update_all, NULL, BENCH_NOBODY, 1, ALONE, update_alone };
const bench_mode mode_auto_output = { output_all, NULL, BENCH_NOBODY, 1, ALONE, output_alone };
const bench_mode mode_auto_many = { many_all, NULL, BENCH_NOBODY, 1, ALONE, many_alone };
