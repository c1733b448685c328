/* blake3.c - BLAKE3: modes, streaming state, one-shot, the tree of any run of chunks. Output of any length: xof.c. */
#include "internal.h"

HC_STATIC_ASSERT(b3_state, sizeof(hc_blake3_state) <= sizeof(hc_blake3));
HC_STATIC_ASSERT(b3_mode, sizeof(hc_b3_mode) == sizeof(hc_blake3_mode));

enum {
    CHUNK = HC_BLAKE3_CHUNK_SIZE,
    RUN = 512, /* chunks that are reduced at once, 16 KiB of values: the narrow top of each costs 1.5 % at 128 */
    PIECE = 64 /* chunks a piece for threads, or more; a run that is shared begins at a multiple of two */
};

/* Words of the initialization vector (SHA-256's), little-endian. */
const hc_b3_mode hc_b3_plain = { { 0x67, 0xe6, 0x09, 0x6a, 0x85, 0xae, 0x67, 0xbb, 0x72, 0xf3, 0x6e,
                                   0x3c, 0x3a, 0xf5, 0x4f, 0xa5, 0x7f, 0x52, 0x0e, 0x51, 0x8c, 0x68,
                                   0x05, 0x9b, 0xab, 0xd9, 0x83, 0x1f, 0x19, 0xcd, 0xe0, 0x5b },
                                 0 };

static hc_blake3_state *state_of(hc_blake3 *s) { return (hc_blake3_state *)(void *)s; }
static const hc_blake3_state *const_state_of(const hc_blake3 *s) { return (const hc_blake3_state *)(const void *)s; }

/* ---- Modes ---------------------------------------------------------------------- */
void hc_blake3_mode_keyed(hc_blake3_mode *mode, const uint8_t key[HC_BLAKE3_KEY_SIZE])
{
    hc_b3_mode *m = (hc_b3_mode *)(void *)mode;
    memcpy(m->key, key, 32);
    m->flags = HC_B3_KEYED;
}

void hc_blake3_mode_derive(hc_blake3_mode *mode, const void *context, size_t len)
{
    hc_b3_mode *m = (hc_b3_mode *)(void *)mode;
    hc_b3_mode c = hc_b3_plain;
    c.flags = HC_B3_DERIVE_CONTEXT;
    hc_blake3_hash(m->key, 32, (const hc_blake3_mode *)(const void *)&c, context, len, 0);
    m->flags = HC_B3_DERIVE_MATERIAL;
}

int hc_blake3_mode_init(hc_blake3_mode *m, const hc_options *o, hc_error *err)
{
    uint32_t given = o ? o->given : 0;
    if (!hc_options_allow(o, HC_GIVEN_DIGEST_SIZE | HC_GIVEN_KEY | HC_GIVEN_CONTEXT, err)) return HC_E_PARAM;
    if ((given & HC_GIVEN_KEY) && (given & HC_GIVEN_CONTEXT))
        return hc_fail(err, HC_E_PARAM, "derive_key_context", HC_WHY_TOGETHER, 0, 0);
    if (given & HC_GIVEN_KEY) {
        if (o->key.len != HC_BLAKE3_KEY_SIZE)
            return hc_fail(err, HC_E_LENGTH, "key", o->key.len, HC_BLAKE3_KEY_SIZE, HC_BLAKE3_KEY_SIZE);
        hc_blake3_mode_keyed(m, (const uint8_t *)o->key.data);
    } else if (given & HC_GIVEN_CONTEXT) {
        hc_blake3_mode_derive(m, o->context.data, o->context.len);
    } else {
        memcpy(m, &hc_b3_plain, sizeof *m);
    }
    return HC_OK;
}

/* ---- Trees ------------------------------------------------------------------------ */

/* One chunk of 0..1024 bytes, all but its last block: that one's place, length and flags are left to the caller. */
static const uint8_t *chunk_head(uint8_t cv[32], const hc_b3_mode *m, const uint8_t *in, size_t len, uint64_t chunk,
                                 unsigned *last_len, unsigned *last_flags)
{
    size_t before = len ? (len - 1) / 64 : 0;
    *last_len = (unsigned)(len - 64 * before);
    *last_flags = m->flags | HC_B3_CHUNK_END | (before ? 0 : HC_B3_CHUNK_START);
    if (before)
        HC_K(b3_blocks)(cv, m->key, in, before, chunk, m->flags, HC_B3_CHUNK_START, 0);
    else
        memcpy(cv, m->key, 32);
    return in + 64 * before;
}

/* Value of one chunk; flags joins those of its last block (ROOT, or 0). */
static void chunk_value(uint8_t cv[32], const hc_b3_mode *m, const uint8_t *in, size_t len, uint64_t chunk,
                        unsigned flags)
{
    if (len <= 64) {
        HC_K(b3_block)(cv, m->key, in, (unsigned)len, chunk, m->flags | HC_B3_CHUNK_START | HC_B3_CHUNK_END | flags);
    } else if (len % 64 == 0) {
        HC_K(b3_blocks)(cv, m->key, in, len / 64, chunk, m->flags, HC_B3_CHUNK_START, HC_B3_CHUNK_END | flags);
    } else {
        HC_K(b3_blocks)(cv, m->key, in, len / 64, chunk, m->flags, HC_B3_CHUNK_START, 0);
        HC_K(b3_block)(cv, cv, in + len / 64 * 64, (unsigned)(len % 64), chunk, m->flags | HC_B3_CHUNK_END | flags);
    }
}

/* n values to at most two, level by level; an odd one moves up. The same tree as the specification's, whose left
 * subtrees are the largest powers of two (section 2.1), as long as only the last value is of a smaller subtree. */
static void reduce(uint8_t *cvs, const hc_b3_mode *m, size_t n)
{
    while (n > 2) {
        HC_K(b3_many)(cvs, m->key, cvs, 64, n / 2, 1, 0, 0, m->flags | HC_B3_PARENT, 0, 0);
        if (n & 1) memmove(cvs + 32 * (n / 2), cvs + 32 * (n - 1), 32);
        n = (n + 1) / 2;
    }
}

typedef struct piece_job {
    uint8_t *cvs;
    const hc_b3_mode *m;
    const uint8_t *in;
    size_t len, piece;
    uint64_t chunk;
} piece_job;

static void hash_piece(void *user, size_t i)
{
    const piece_job *j = (const piece_job *)user;
    size_t at = i * j->piece, rest = j->len - at;
    hc_b3_subtree_value(j->cvs + 32 * i, j->m, j->in + at, rest < j->piece ? rest : j->piece, j->chunk + at / CHUNK, 0);
}

/* Bytes a piece, a power of two, at most RUN of them; small for threads, so that all end about together (measured: two
 * threads that shared 4 MiB in pieces of 512 KiB ended 20 % later). */
static size_t piece_size(size_t len, unsigned threads)
{
    size_t piece = (size_t)(threads > 1 ? PIECE : RUN) * CHUNK;
    while ((len - 1) / piece >= RUN) piece *= 2;
    return piece;
}

/* The two values below the root of more than one chunk. chunk: where it begins, a multiple of its size. */
static void top(uint8_t pair[64], const hc_b3_mode *m, const uint8_t *in, size_t len, uint64_t chunk, unsigned threads)
{
    uint8_t cvs[RUN * 32];
    size_t n;
    threads = len > 2 * PIECE * CHUNK ? HC_THREADS_FOR(threads, len, BLAKE3) : 1;
    if (threads == 1 && len <= (size_t)RUN * CHUNK) {
        n = len / CHUNK;
        HC_K(b3_many)(cvs, m->key, in, CHUNK, n, CHUNK / 64, chunk, 1, m->flags, HC_B3_CHUNK_START, HC_B3_CHUNK_END);
        if (len % CHUNK) {
            chunk_value(cvs + 32 * n, m, in + CHUNK * n, len % CHUNK, chunk + n, 0);
            n++;
        }
    } else {
        piece_job job;
        job.cvs = cvs;
        job.m = m;
        job.in = in;
        job.len = len;
        job.piece = piece_size(len, threads);
        job.chunk = chunk;
        n = (len - 1) / job.piece + 1;
        hc_parallel(threads, n, hash_piece, &job);
    }
    reduce(cvs, m, n);
    memcpy(pair, cvs, 64);
}

void hc_b3_subtree_value(uint8_t cv[32], const hc_b3_mode *m, const uint8_t *data, size_t len, uint64_t chunk,
                         unsigned threads)
{
    uint8_t pair[64];
    if (len <= CHUNK) {
        chunk_value(cv, m, data, len, chunk, 0);
    } else {
        top(pair, m, data, len, chunk, threads);
        HC_K(b3_block)(cv, m->key, pair, 64, 0, m->flags | HC_B3_PARENT);
    }
}

/* ---- One call ------------------------------------------------------------------------ */
static void hash_long_output(void *out, size_t out_len, const hc_b3_mode *m, const uint8_t *in, size_t len,
                             unsigned threads)
{
    hc_b3_root root;
    memset(root.block, 0, 64);
    if (len <= CHUNK) {
        unsigned n, flags;
        const uint8_t *last = chunk_head(root.cv, m, in, len, 0, &n, &flags);
        if (n) memcpy(root.block, last, n);
        root.len = n;
        root.flags = flags | HC_B3_ROOT;
    } else {
        memcpy(root.cv, m->key, 32);
        top(root.block, m, in, len, 0, threads);
        root.len = 64;
        root.flags = m->flags | HC_B3_PARENT | HC_B3_ROOT;
    }
    hc_b3_output(&root, out, out_len, 0, threads);
    hc_wipe(&root, sizeof root);
}

static HC_NOINLINE void hash_more(void *out, size_t out_len, const hc_b3_mode *m, const uint8_t *in, size_t len,
                                  unsigned threads)
{
    uint8_t pair[64];
    if (out_len != 32) {
        hash_long_output(out, out_len, m, in, len, threads);
    } else if (len <= CHUNK) {
        chunk_value((uint8_t *)out, m, in, len, 0, HC_B3_ROOT);
    } else {
        top(pair, m, in, len, 0, threads);
        HC_K(b3_block)((uint8_t *)out, m->key, pair, 64, 0, m->flags | HC_B3_PARENT | HC_B3_ROOT);
    }
}

int hc_blake3_hash(void *out, size_t out_len, const hc_blake3_mode *mode, const void *data, size_t len,
                   unsigned threads)
{
    const hc_b3_mode *m = HC_B3_MODE(mode);
    if (out_len == 32 && len <= 64) /* few instructions: the processor begins the next call within this one's block */
        HC_K(b3_block)
    ((uint8_t *)out, m->key, (const uint8_t *)data, (unsigned)len, 0,
     m->flags | HC_B3_CHUNK_START | HC_B3_CHUNK_END | HC_B3_ROOT);
    else hash_more(out, out_len, m, (const uint8_t *)data, len, threads);
    return HC_OK;
}

/* ---- A state ---------------------------------------------------------------------------
 * A chunk is closed when it is full, at once: its value goes on the stack, where every pair is merged and so one value
 * is left for each bit that is set in `chunk`. Only what may be the root stays open until more comes: the first chunk,
 * and the last pair of values when they are all there is (`chunk` is then a power of two, and the chunk under way is
 * empty). */
static int has_open_pair(const hc_blake3_state *s)
{
    return s->depth == 2 && !s->buffered && !s->blocks && !(s->chunk & (s->chunk - 1));
}

void hc_blake3_init(hc_blake3 *state, const hc_blake3_mode *mode)
{
    hc_blake3_state *s = state_of(state);
    const hc_b3_mode *m = HC_B3_MODE(mode);
    memcpy(s->key, m->key, 32);
    memcpy(s->cv, m->key, 32);
    s->chunk = 0;
    s->flags = (uint16_t)m->flags;
    s->buffered = s->blocks = s->depth = 0;
    memset(s->unused, 0, sizeof s->unused);
}

/* n values of subtrees of 2^level chunks each, from s->chunk on (a multiple of that), are merged with the stack and
 * with each other as far as they go; without more to follow they and the stack are two values or more. They end a
 * buffer that has ROOM for what comes off the stack. */
enum { ROOM = HC_B3_DEPTH };

static void push(hc_blake3_state *s, uint8_t *cvs, size_t n, unsigned level, int more)
{
    uint64_t at = s->chunk >> level; /* index of the first value among its level's */
    uint8_t last[HC_B3_DEPTH + 1][32];
    unsigned kept = 0;
    s->chunk = (at + n) << level;
    while (n) {
        if (at & 1) { /* its left sibling waits on top of the stack */
            cvs -= 32;
            memcpy(cvs, s->stack[--s->depth], 32);
            n++;
            at--;
        }
        if (n == 2 && !at && !kept && !more) { /* below the root, unless more comes */
            memcpy(last[kept++], cvs + 32, 32);
            memcpy(last[kept++], cvs, 32);
            break;
        }
        if (n & 1) memcpy(last[kept++], cvs + 32 * (n - 1), 32); /* its right sibling is still to come */
        n /= 2;
        at /= 2;
        if (n) HC_K(b3_many)(cvs, s->key, cvs, 64, n, 1, 0, 0, s->flags | (unsigned)HC_B3_PARENT, 0, 0);
    }
    while (kept) memcpy(s->stack[s->depth++], last[--kept], 32);
}

/* len (1 or more) bytes for the chunk under way, no more than it takes. */
static void absorb(hc_blake3_state *s, const uint8_t *in, size_t len)
{
    size_t blocks;
    if (s->buffered) {
        size_t take = 64u - s->buffered < len ? 64u - s->buffered : len;
        hc_copy_piece(s->buf + s->buffered, in, take);
        s->buffered = (uint8_t)(s->buffered + take);
        if (take == len) return;
        in += take;
        len -= take;
        HC_K(b3_block)(s->cv, s->cv, s->buf, 64, s->chunk, s->flags | (s->blocks ? 0u : (unsigned)HC_B3_CHUNK_START));
        s->blocks++;
    }
    blocks = (len - 1) / 64;
    if (blocks) {
        HC_K(b3_blocks)(s->cv, s->cv, in, blocks, s->chunk, s->flags, s->blocks ? 0 : HC_B3_CHUNK_START, 0);
        s->blocks = (uint8_t)(s->blocks + blocks);
    }
    hc_copy_piece(s->buf, in + 64 * blocks, len - 64 * blocks);
    s->buffered = (uint8_t)(len - 64 * blocks);
}

/* Whole chunks, at most n: as many as one call of the kernels or one team of threads takes. more: bytes follow them. */
static size_t absorb_chunks(hc_blake3_state *s, const uint8_t *in, size_t n, int more, unsigned threads)
{
    uint8_t buf[(ROOM + RUN) * 32], *cvs = buf + ROOM * 32;
    const size_t all = n;
    hc_b3_mode m;
    unsigned level = 0, unaligned = (unsigned)(s->chunk % (2 * PIECE));
    memcpy(m.key, s->key, 32);
    m.flags = s->flags;
    threads = n > 2 * PIECE ? HC_THREADS_FOR(threads, (uint64_t)n * CHUNK, BLAKE3) : 1;
    if (threads > 1 && !unaligned) {
        size_t piece = piece_size(n * CHUNK, threads) / CHUNK;
        piece_job job;
        while (s->chunk % piece) piece /= 2;
        while ((size_t)1 << level < piece) level++;
        n = n / piece < RUN ? n / piece : RUN;
        job.cvs = cvs;
        job.m = &m;
        job.in = in;
        job.len = n * piece * CHUNK;
        job.piece = piece * CHUNK;
        job.chunk = s->chunk;
        hc_parallel(threads, n, hash_piece, &job);
    } else {
        if (n > RUN) n = RUN;
        if (threads > 1) n = 2 * PIECE - unaligned;
        HC_K(b3_many)(cvs, m.key, in, CHUNK, n, CHUNK / 64, s->chunk, 1, m.flags, HC_B3_CHUNK_START, HC_B3_CHUNK_END);
    }
    push(s, cvs, n, level, more || n << level < all);
    hc_wipe(&m, sizeof m);
    return n << level;
}

/* The chunk under way is full. */
static void close_chunk(hc_blake3_state *s, int more)
{
    uint8_t buf[(ROOM + 1) * 32], *cv = buf + ROOM * 32;
    HC_K(b3_block)(cv, s->cv, s->buf, 64, s->chunk, s->flags | (unsigned)HC_B3_CHUNK_END);
    push(s, cv, 1, 0, more);
    memcpy(s->cv, s->key, 32);
    s->blocks = s->buffered = 0;
}

/* More comes: what might have been the root is not. */
static void close_root(hc_blake3_state *s)
{
    if (has_open_pair(s)) {
        HC_K(b3_block)(s->stack[0], s->key, s->stack[0], 64, 0, s->flags | (unsigned)HC_B3_PARENT);
        s->depth = 1;
    } else if (64u * s->blocks + s->buffered == CHUNK) {
        close_chunk(s, 1);
    }
}

void hc_b3_push(hc_blake3_state *s, const uint8_t value[32], uint64_t chunks)
{
    uint8_t buf[(ROOM + 1) * 32];
    unsigned level = 0;
    close_root(s);
    while (chunks >> level > 1) level++;
    memcpy(buf + ROOM * 32, value, 32);
    push(s, buf + ROOM * 32, 1, level, 1);
}

void hc_blake3_update(hc_blake3 *state, const void *data, size_t len, unsigned threads)
{
    hc_blake3_state *s = state_of(state);
    const uint8_t *in = (const uint8_t *)data;
    size_t have;
    if (!len) return;
    if (len < 64u - s->buffered && (s->buffered || !s->depth)) { /* a short piece that fills no block */
        hc_copy_piece(s->buf + s->buffered, in, len);
        s->buffered = (uint8_t)(s->buffered + len);
        return;
    }
    close_root(s);
    have = 64u * s->blocks + s->buffered;
    if (have) {
        size_t take = CHUNK - have < len ? CHUNK - have : len;
        absorb(s, in, take);
        in += take;
        len -= take;
        if (have + take < CHUNK || (!s->chunk && !len)) return;
        close_chunk(s, len != 0);
    }
    while (len > CHUNK || (s->chunk && len == CHUNK)) {
        size_t done = absorb_chunks(s, in, len / CHUNK, len % CHUNK != 0, threads) * CHUNK;
        in += done;
        len -= done;
    }
    if (len) absorb(s, in, len);
}

int hc_blake3_final(const hc_blake3 *state, void *out, size_t out_len, uint64_t offset)
{
    const hc_blake3_state *s = const_state_of(state);
    hc_b3_root root;
    if (out_len > UINT64_MAX - offset) return HC_E_RANGE;
    if (!s->depth && out_len == 32 && !offset) {
        HC_K(b3_block)
        ((uint8_t *)out, s->cv, s->buf, s->buffered, 0,
         s->flags | (s->blocks ? 0u : (unsigned)HC_B3_CHUNK_START) | HC_B3_CHUNK_END | HC_B3_ROOT);
        return HC_OK;
    }
    hc_b3_find_root(s, &root);
    if (out_len == 32 && !offset)
        HC_K(b3_block)((uint8_t *)out, root.cv, root.block, root.len, 0, root.flags);
    else
        hc_b3_output(&root, out, out_len, offset, 0);
    hc_wipe(&root, sizeof root);
    return HC_OK;
}
