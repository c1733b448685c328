/* many_blake3.c - BLAKE3 of many messages: chunks of different messages share the lanes, and so do their parents. */
#include "internal.h"

enum {
    CHUNK = HC_BLAKE3_CHUNK_SIZE,
    WINDOW = 256, /* jobs at a time */
    LONG = 32,    /* chunks: so many fill the lanes by themselves */
    LANES = 16    /* the widest lanes: whole multiples of it fill them (16 KiB: a fifth faster than by jobs) */
};

/* A message of several chunks: n values from slot `first` on, its digest to out. */
typedef struct tree {
    uint8_t *out;
    unsigned first, n;
} tree;

typedef struct window {
    const hc_b3_mode *m;
    size_t jobs, slots, trees;
    hc_b3_job job[WINDOW];
    tree tree[WINDOW / 2];
    uint8_t cvs[2][WINDOW][32]; /* values of one level, and of the next */
} window;

static void add(window *w, const uint8_t *in, size_t len, uint64_t counter, unsigned last_flags, uint8_t *out)
{
    hc_b3_job *j = &w->job[w->jobs++];
    j->in = in;
    j->out = out;
    j->counter = counter;
    j->len = (uint32_t)len;
    j->last_flags = last_flags;
}

/* Adds the parents of one level of every tree; the trees whose root is among them are done. */
static void add_parents(window *w, uint8_t (*from)[32], uint8_t (*to)[32])
{
    size_t t, kept = 0;
    for (t = 0; t < w->trees; t++) {
        tree x = w->tree[t];
        unsigned i, pairs = x.n / 2;
        if (x.n == 2) {
            add(w, from[x.first], 64, 0, HC_B3_ROOT, x.out);
            continue;
        }
        for (i = 0; i < pairs; i++) add(w, from[x.first + 2 * i], 64, 0, 0, to[x.first + i]);
        if (x.n % 2) memcpy(to[x.first + pairs], from[x.first + x.n - 1], 32); /* an odd one moves up */
        x.n -= pairs;
        w->tree[kept++] = x;
    }
    w->trees = kept;
}

static void flush(window *w)
{
    unsigned side = 0;
    HC_K(b3_jobs)(w->m->key, w->m->flags, w->job, w->jobs);
    for (; w->trees; side = !side) {
        w->jobs = 0;
        add_parents(w, w->cvs[side], w->cvs[!side]);
        HC_K(b3_jobs)(w->m->key, w->m->flags | (unsigned)HC_B3_PARENT, w->job, w->jobs);
    }
    w->jobs = w->slots = 0;
}

/* 32 bytes of output each. */
static void digests(uint8_t *out, const hc_b3_mode *m, const uint8_t *const *in, const size_t *len, size_t n)
{
    window w;
    size_t i, k;
    w.m = m;
    w.jobs = w.slots = w.trees = 0;
    for (i = 0; i < n; i++) {
        size_t chunks = len[i] / CHUNK + (len[i] % CHUNK || !len[i]);
        if (chunks > LONG || chunks % LANES == 0) {
            hc_blake3_hash(out + 32 * i, 32, (const hc_blake3_mode *)(const void *)m, in[i], len[i], 0);
            continue;
        }
        if (w.jobs + chunks > WINDOW) flush(&w);
        if (chunks == 1) {
            add(&w, in[i], len[i], 0, HC_B3_ROOT, out + 32 * i);
            continue;
        }
        w.tree[w.trees].out = out + 32 * i;
        w.tree[w.trees].first = (unsigned)w.slots;
        w.tree[w.trees++].n = (unsigned)chunks;
        for (k = 0; k < chunks; k++)
            add(&w, in[i] + CHUNK * k, k + 1 < chunks ? CHUNK : len[i] - CHUNK * k, k, 0, w.cvs[0][w.slots++]);
    }
    if (w.jobs) flush(&w);
}

/* Equal messages of 1..16 whole blocks at one distance need no jobs. */
static int regular(const uint8_t *const *in, const size_t *len, size_t n)
{
    size_t i, stride = n > 1 ? (size_t)(in[1] - in[0]) : 0;
    if (n < 2 || len[0] % 64 || !len[0] || len[0] > CHUNK || in[1] < in[0]) return 0;
    for (i = 1; i < n; i++)
        if (len[i] != len[0] || (uintptr_t)in[i] - (uintptr_t)in[i - 1] != stride) return 0;
    return 1;
}

void hc_b3_batch(uint8_t *out, size_t out_len, const hc_b3_mode *m, const uint8_t *const *in, const size_t *len,
                 size_t n)
{
    size_t i;
    if (!n || !out_len) return;
    if (out_len > 32 || n == 1) {
        for (i = 0; i < n; i++)
            hc_blake3_hash(out + out_len * i, out_len, (const hc_blake3_mode *)(const void *)m, in[i], len[i], 0);
    } else if (out_len < 32) {
        uint8_t whole[HC_BATCH][32];
        digests(whole[0], m, in, len, n);
        for (i = 0; i < n; i++) memcpy(out + out_len * i, whole[i], out_len);
    } else if (regular(in, len, n)) {
        HC_K(b3_many)
        (out, m->key, in[0], (size_t)(in[1] - in[0]), n, len[0] / 64, 0, 0, m->flags, HC_B3_CHUNK_START,
         HC_B3_CHUNK_END | HC_B3_ROOT);
    } else {
        digests(out, m, in, len, n);
    }
}
