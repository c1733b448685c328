/* many.c - the digests of many messages in one call: what is checked, how a batch is cut, which kernels take it. */
#include "internal.h"

enum {
    JOIN = 12 << 10, /* a worker's room for messages that follow a prefix; longer ones are absorbed one by one */
    FEW = 16         /* messages a piece that a lane kernel needs to be full */
};

typedef enum kind { ONE_BY_ONE, SHA2, HMAC, BLAKE2B, BLAKE3 } kind;

/* What all workers read. Every message begins with the `pending` bytes at `head`, after what `base` has absorbed. */
typedef struct job {
    const hc_alg *alg;
    const hc_batch *batch;
    uint8_t *out;
    size_t out_len, per_piece;
    kind kind;
    int in_place, secret;
    size_t pending;
    const uint8_t *head;
    uint64_t before; /* bytes in the chaining value that kernels start from */
    uint32_t sha[8], outer[8];
    uint64_t b2b[8], f1;
    hc_blake3_mode mode;
    hc_state base; /* key and prefix absorbed: for messages that no kernel takes whole */
} job;

/* ---- Messages ----------------------------------------------------------------------- */
static uint64_t offset_at(const hc_batch *b, size_t i)
{
    uint64_t wide;
    uint32_t narrow;
    if (b->offset_bits == 64) {
        memcpy(&wide, (const uint8_t *)b->offsets + 8 * i, 8);
        return wide;
    }
    memcpy(&narrow, (const uint8_t *)b->offsets + 4 * i, 4);
    return narrow;
}

static hc_slice message(const hc_batch *b, size_t i)
{
    hc_slice s;
    if (b->items) return b->items[i];
    if (b->offsets) {
        const uint64_t at = offset_at(b, i);
        s.len = (size_t)(offset_at(b, i + 1) - at);
        s.data = s.len ? (const uint8_t *)b->data.data + at : NULL;
    } else {
        s.len = b->item_size;
        s.data = s.len ? (const uint8_t *)b->data.data + i * s.len : NULL;
    }
    return s;
}

/* ---- Checks: all of them before anything is written ------------------------------------ */
static int overlap(const void *out, size_t size, const void *in, size_t len)
{
    const uintptr_t o = (uintptr_t)out, i = (uintptr_t)in;
    return size && len && o < i + len && i < o + size;
}

static int check_messages(const hc_batch *b, uint64_t *bytes, hc_error *err)
{
    uint64_t sum = 0;
    if (b->items) {
        for (size_t i = 0; i < b->count; i++) {
            if (b->items[i].len && !b->items[i].data)
                return hc_fail_at(err, HC_E_PARAM, "items", i, HC_WHY_MISSING, 0, 0);
            sum += b->items[i].len;
        }
        *bytes = sum;
        return HC_OK;
    }
    if (b->data.len && !b->data.data) return hc_fail(err, HC_E_PARAM, "data", HC_WHY_MISSING, 0, 0);
    if (b->offsets) {
        if (b->offset_bits != 32 && b->offset_bits != 64)
            return hc_fail(err, HC_E_RANGE, "offset_bits", b->offset_bits, 32, 64);
        uint64_t last = offset_at(b, 0);
        if (last > b->data.len) return hc_fail_at(err, HC_E_RANGE, "offsets", 0, last, 0, b->data.len);
        const uint64_t first = last;
        for (size_t i = 1; i <= b->count; i++) {
            const uint64_t next = offset_at(b, i);
            if (next < last || next > b->data.len)
                return hc_fail_at(err, HC_E_RANGE, "offsets", i, next, last, b->data.len);
            last = next;
        }
        *bytes = last - first;
        return HC_OK;
    }
    if (b->item_size && b->count > SIZE_MAX / b->item_size)
        return hc_fail(err, HC_E_RANGE, "count", b->count, 0, SIZE_MAX / b->item_size);
    if (b->data.len != b->count * b->item_size)
        return hc_fail(err, HC_E_LENGTH, "data", b->data.len, b->count * b->item_size, b->count * b->item_size);
    *bytes = b->data.len;
    return HC_OK;
}

static int check_batch(job *j, uint64_t *bytes, hc_error *err)
{
    const hc_batch *b = j->batch;
    const size_t room = SIZE_MAX / (b->offsets ? 8 : 1) - 1;
    if (b->count > room || (j->out_len && b->count > SIZE_MAX / j->out_len))
        return hc_fail(err, HC_E_RANGE, "count", b->count, 0, j->out_len > 8 ? SIZE_MAX / j->out_len : room);
    const size_t size = b->count * j->out_len;
    if (size && !j->out) return hc_fail(err, HC_E_PARAM, "out", HC_WHY_MISSING, 0, 0);
    if (b->prefix.len && !b->prefix.data) return hc_fail(err, HC_E_PARAM, "prefix", HC_WHY_MISSING, 0, 0);
    const int code = check_messages(b, bytes, err);
    if (code) return code;
    if (overlap(j->out, size, b->prefix.data, b->prefix.len)) return hc_fail(err, HC_E_OVERLAP, "prefix", 0, 0, 0);
    if (b->items) {
        for (size_t i = 0; i < b->count; i++) {
            if (overlap(j->out, size, b->items[i].data, b->items[i].len))
                return hc_fail_at(err, HC_E_OVERLAP, "items", i, 0, 0, 0);
        }
        return HC_OK;
    }
    if (b->offsets && overlap(j->out, size, b->offsets, (b->count + 1) * (b->offset_bits / 8)))
        return hc_fail_at(err, HC_E_OVERLAP, "offsets", 0, 0, 0, 0);
    if (overlap(j->out, size, b->data.data, b->data.len)) {
        if (b->offsets || j->out != b->data.data || b->item_size < j->out_len)
            return hc_fail(err, HC_E_OVERLAP, "data", 0, 0, 0);
        j->in_place = 1;
    }
    return HC_OK;
}

static int check_out_len(const job *j, hc_error *err)
{
    if (j->kind == BLAKE3) return HC_OK;
    if (j->alg->flags & HC_ALG_XOF) {
        hc_xof x;
        int code = hc_xof_open(&x, j->alg, &j->base, err);
        if (!code) code = hc_xof_check(hc_xof_size(&x), j->out_len, 0, err);
        hc_wipe(&x, sizeof x);
        return code;
    }
    const uint64_t size = j->alg->size(&j->base);
    return j->out_len == size ? HC_OK : hc_fail(err, HC_E_LENGTH, "length", j->out_len, size, size);
}

static kind kind_of(const char *name)
{
    return !strncmp(name, "sha", 3)    ? SHA2
           : !strncmp(name, "hmac", 4) ? HMAC
           : !strcmp(name, "blake2b")  ? BLAKE2B
           : !strcmp(name, "blake3")   ? BLAKE3
                                       : ONE_BY_ONE;
}

/* ---- What kernels start from -------------------------------------------------------------- */
static void start(job *j)
{
    if (j->batch->prefix.len) j->alg->update(&j->base, j->batch->prefix.data, j->batch->prefix.len);
    if (j->kind == SHA2) {
        const hc_sha256_state *s = (const hc_sha256_state *)(const void *)&j->base;
        memcpy(j->sha, s->h, 32);
        j->pending = (size_t)(s->count % 64);
        j->before = s->count - j->pending;
        j->head = s->buf;
    } else if (j->kind == HMAC) {
        const hc_hmac_state *s = (const hc_hmac_state *)(const void *)&j->base;
        memcpy(j->sha, s->h, 32);
        memcpy(j->outer, s->outer, 32);
        j->pending = (size_t)(s->count % 64);
        j->before = 64 + s->count - j->pending;
        j->head = s->buf;
    } else if (j->kind == BLAKE2B) {
        const hc_blake2b_state *s = (const hc_blake2b_state *)(const void *)&j->base;
        uint64_t t[2] = { s->t[0], s->t[1] };
        memcpy(j->b2b, s->h, 64);
        j->f1 = s->last_node ? UINT64_MAX : 0;
        j->pending = s->buffered;
        j->head = s->buf;
        if (j->pending == 128) { /* a whole block, not the last of any message that has bytes: once for all */
            HC_K(b2b_blocks)(j->b2b, t, s->buf, 1);
            j->pending = 0;
        }
        j->before = t[0];
    } else if (j->kind == BLAKE3) {
        j->pending = j->batch->prefix.len;
        j->head = (const uint8_t *)j->batch->prefix.data;
        if (j->pending > JOIN / 2) j->kind = ONE_BY_ONE;
    }
}

/* ---- A worker: up to HC_BATCH messages at a time -------------------------------------------- */
typedef struct gathered {
    const uint8_t *in[HC_BATCH];
    size_t len[HC_BATCH], n, first; /* messages first .. first + n - 1 */
} gathered;

/* n digests of 32 bytes to digests of out_len. */
static void narrow(uint8_t *out, size_t out_len, const uint8_t *digests, size_t n)
{
    for (size_t i = 0; i < n; i++) memcpy(out + out_len * i, digests + 32 * i, out_len);
}

static void sha2_many(const job *j, uint8_t *out, gathered *g)
{
    uint8_t digests[32 * HC_BATCH];
    if (j->kind == SHA2 && j->out_len == 32) {
        HC_K(sha256_many)(out, j->sha, j->before, g->in, g->len, g->n);
        return;
    }
    HC_K(sha256_many)(digests, j->sha, j->before, g->in, g->len, g->n);
    if (j->kind == HMAC) { /* the outer hash, its digests in place of the inner ones */
        for (size_t i = 0; i < g->n; i++) {
            g->in[i] = digests + 32 * i;
            g->len[i] = j->out_len;
        }
        HC_K(sha256_many)(digests, j->outer, 64, g->in, g->len, g->n);
    }
    narrow(out, j->out_len, digests, g->n);
    if (j->secret) hc_wipe(digests, 32 * g->n);
}

static void blake3_many(const job *j, uint8_t *out, gathered *g, uint8_t *room)
{
    const hc_b3_mode *m = HC_B3_MODE(&j->mode);
    if (!j->in_place || j->pending) { /* joined messages no longer lie where digests go */
        hc_b3_batch(out, j->out_len, m, g->in, g->len, g->n);
        return;
    }
    /* Digests would reach messages that the lanes have not read: as many as fit aside, and then their place. */
    const size_t fit = JOIN / j->out_len;
    for (size_t i = 0, n; i < g->n; i += n) {
        n = g->n - i < fit ? g->n - i : fit;
        hc_b3_batch(room, j->out_len, m, g->in + i, g->len + i, n);
        memcpy(out + j->out_len * i, room, j->out_len * n);
    }
}

/* BLAKE3 of equal messages of 1 to 16 whole blocks, back to back, needs no lists. In place too: a digest never reaches
 * messages that the kernel has not read. */
static int packed_blocks(const job *j)
{
    const hc_batch *b = j->batch;
    return j->kind == BLAKE3 && j->out_len == 32 && !j->pending && !b->items && !b->offsets && b->item_size &&
           b->item_size % 64 == 0 && b->item_size <= HC_BLAKE3_CHUNK_SIZE;
}

static void blake3_packed(const job *j, size_t i, size_t n)
{
    const hc_b3_mode *m = HC_B3_MODE(&j->mode);
    const size_t size = j->batch->item_size;
    HC_K(b3_many)
    (j->out + 32 * i, m->key, (const uint8_t *)j->batch->data.data + size * i, size, n, size / 64, 0, 0, m->flags,
     HC_B3_CHUNK_START, HC_B3_CHUNK_END | HC_B3_ROOT);
}

static void flush(const job *j, gathered *g, uint8_t *room)
{
    if (!g->n) return; /* and first is not set */
    uint8_t *out = j->out + j->out_len * g->first;
    if (j->kind == BLAKE2B)
        HC_K(b2b_many)(out, j->out_len, j->b2b, j->before, j->f1, g->in, g->len, g->n);
    else if (j->kind == BLAKE3)
        blake3_many(j, out, g, room);
    else
        sha2_many(j, out, g);
    g->n = 0;
}

/* One message through a copy of the state that holds key and prefix. */
static void alone(const job *j, size_t i, hc_slice m, unsigned threads)
{
    hc_state s;
    j->alg->copy(&s, &j->base);
    if (m.len) j->alg->update_threads(&s, m.data, m.len, threads);
    (void)j->alg->final(&s, j->out + j->out_len * i, j->out_len, 0, NULL); /* its arguments were checked */
    if (j->secret) hc_wipe(&s, sizeof s);
}

/* room: JOIN bytes, where messages are joined or digests set aside; NULL when neither is. */
static void run(const job *j, size_t i, size_t end, uint8_t *room)
{
    gathered g;
    size_t used = 0;
    if (packed_blocks(j)) {
        blake3_packed(j, i, end - i);
        return;
    }
    g.n = 0;
    for (; i < end; i++) {
        const hc_slice m = message(j->batch, i);
        /* an empty message of a keyed BLAKE2b ends with the key's block, which the others have behind them */
        const int odd = j->kind == ONE_BY_ONE || (j->kind == BLAKE2B && !m.len && !j->pending && j->before) ||
                        (j->kind == BLAKE3 && j->in_place && j->out_len > 1024);
        if (odd || (j->pending && m.len > JOIN - j->pending)) {
            flush(j, &g, room);
            used = 0;
            alone(j, i, m, 1);
            continue;
        }
        if (g.n == HC_BATCH || (j->pending && m.len + j->pending > JOIN - used)) {
            flush(j, &g, room);
            used = 0;
        }
        if (!g.n) g.first = i;
        g.len[g.n] = j->pending + m.len;
        if (j->pending) {
            g.in[g.n] = room + used;
            memcpy(room + used, j->head, j->pending);
            if (m.len) memcpy(room + used + j->pending, m.data, m.len);
            used += j->pending + m.len;
        } else {
            g.in[g.n] = (const uint8_t *)m.data;
        }
        g.n++;
    }
    flush(j, &g, room);
}

static void run_in_room(const job *j, size_t i, size_t end)
{
    uint8_t room[JOIN];
    run(j, i, end, room);
}

static void piece(void *user, size_t p)
{
    const job *j = (const job *)user;
    const hc_batch *b = j->batch;
    const size_t i = p * j->per_piece, end = b->count - i < j->per_piece ? b->count : i + j->per_piece;
    if (j->kind == SHA2 && j->out_len == 32 && b->item_size == 64 && !b->items && !b->offsets && !b->prefix.len)
        HC_K(sha256_pairs)(j->out + 32 * i, j->sha, (const uint8_t *)b->data.data + 64 * i, end - i);
    else if (j->pending || (j->kind == BLAKE3 && j->in_place))
        run_in_room(j, i, end);
    else
        run(j, i, end, NULL);
}

/* Few long messages: whether all threads take one after the other, rather than each thread its own. AUTO's do where one
 * message is more than a thread's share. */
static int one_by_one(const job *j, uint64_t bytes, unsigned threads, unsigned team)
{
    const size_t count = j->batch->count;
    size_t longest = 0;
    if (!(j->alg->flags & HC_ALG_PARALLEL) || count / FEW >= team || bytes / count < 1u << 20) return 0;
    if (threads != HC_THREADS_AUTO) return 1;
    for (size_t i = 0; i < count; i++) {
        const size_t len = message(j->batch, i).len;
        if (len > longest) longest = len;
    }
    return longest > bytes / team && HC_THREADS_FOR(threads, longest, BLAKE3) > 1;
}

static void work(job *j, uint64_t bytes, unsigned threads)
{
    const size_t count = j->batch->count;
    const uint64_t cost = bytes + (uint64_t)count * (j->alg->block_size + j->batch->prefix.len);
    const uint64_t auto_grain = j->kind == BLAKE3 ? HC_AUTO_BLAKE3 : HC_AUTO_MANY;
    const unsigned team = j->in_place ? 1 : hc_threads_for(threads, cost, HC_GRAIN_MANY, auto_grain);
    if (team > 1 && one_by_one(j, bytes, threads, team)) {
        for (size_t i = 0; i < count; i++) alone(j, i, message(j->batch, i), threads);
        return;
    }
    const size_t pieces = team * (count / FEW / team > 7 ? 8 : count / FEW / team > 1 ? count / FEW / team : 1);
    j->per_piece = team > 1 ? count / pieces + (count % pieces != 0) : count;
    hc_parallel(team, count / j->per_piece + (count % j->per_piece != 0), piece, j);
}

int hc_digest_many(const hc_alg *alg, void *out, size_t out_len, const hc_options *options, const hc_batch *batch,
                   unsigned threads, hc_error *err)
{
    job j;
    uint64_t bytes = 0;
    if (!alg) return hc_fail(err, HC_E_PARAM, "algorithm", HC_WHY_MISSING, 0, 0);
    if (!batch) return hc_fail(err, HC_E_PARAM, "batch", HC_WHY_MISSING, 0, 0);
    j.alg = alg;
    j.batch = batch;
    j.out = (uint8_t *)out;
    j.out_len = out_len;
    j.in_place = 0;
    j.pending = 0;
    if (batch->count == 1 && out_len && !check_batch(&j, &bytes, NULL) && !j.in_place) { /* no lanes to fill */
        const hc_slice parts[2] = { batch->prefix, message(batch, 0) };
        const int skip = !batch->prefix.len;
        if (!hc_digest(alg, out, out_len, 0, options, parts + skip, 2 - (size_t)skip, threads, NULL)) return HC_OK;
    } /* what is wrong is told below, as of any batch */
    j.in_place = 0;
    j.secret = HC_GIVEN(options, KEY) || HC_GIVEN(options, CONTEXT);
    j.kind = kind_of(alg->name);
    int code = alg->init(&j.base, options, err);
    if (code) return code;
    code = check_out_len(&j, err);
    if (!code) code = check_batch(&j, &bytes, err);
    if (!code && j.kind == BLAKE3) code = hc_blake3_mode_init(&j.mode, options, err);
    if (!code && batch->count && out_len) {
        start(&j);
        work(&j, bytes, threads);
    }
    if (j.secret) hc_wipe(&j, sizeof j);
    return code;
}
