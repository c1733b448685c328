/* xof.c - long output read anywhere: BLAKE3's, which is made here, and BLAKE2Xb's behind one reader. */
#include "internal.h"

/* ---- BLAKE3: the root of a state, and output from it ---------------------------------- */
void hc_b3_find_root(const hc_blake3_state *s, hc_b3_root *root)
{
    unsigned flags = s->flags | (s->blocks ? 0u : (unsigned)HC_B3_CHUNK_START) | HC_B3_CHUNK_END, i;
    if (!s->depth) {
        memcpy(root->cv, s->cv, 32);
        memcpy(root->block, s->buf, s->buffered);
        memset(root->block + s->buffered, 0, 64u - s->buffered);
        root->len = s->buffered;
        root->flags = flags | HC_B3_ROOT;
        return;
    }
    i = s->depth;
    if (s->buffered) /* full chunks are on the stack */
        HC_K(b3_block)(root->block + 32, s->cv, s->buf, s->buffered, s->chunk, flags);
    else
        memcpy(root->block + 32, s->stack[--i], 32);
    while (--i) {
        memcpy(root->block, s->stack[i], 32);
        HC_K(b3_block)(root->block + 32, s->key, root->block, 64, 0, s->flags | (unsigned)HC_B3_PARENT);
    }
    memcpy(root->block, s->stack[0], 32);
    memcpy(root->cv, s->key, 32);
    root->len = 64;
    root->flags = s->flags | (unsigned)HC_B3_PARENT | HC_B3_ROOT;
}

enum { OUTPUT_PIECE = 1 << 16 };

typedef struct output_job {
    const hc_b3_root *root;
    uint8_t *out;
    uint64_t block;
    size_t blocks;
} output_job;

static void output_piece(void *user, size_t i)
{
    const output_job *j = (const output_job *)user;
    size_t at = i * (OUTPUT_PIECE / 64), n = j->blocks - at;
    if (n > OUTPUT_PIECE / 64) n = OUTPUT_PIECE / 64;
    HC_K(b3_xof)(j->out + 64 * at, j->root->cv, j->root->block, j->root->len, j->block + at, j->root->flags, n);
}

void hc_b3_output(const hc_b3_root *root, void *out, size_t out_len, uint64_t offset, unsigned threads)
{
    uint8_t *o = (uint8_t *)out, part[64];
    uint64_t block = offset / 64;
    size_t skip = (size_t)(offset % 64), whole;
    if (!out_len) return;
    if (skip || out_len < 64) {
        size_t n = 64 - skip < out_len ? 64 - skip : out_len;
        HC_K(b3_xof)(part, root->cv, root->block, root->len, block++, root->flags, 1);
        memcpy(o, part + skip, n);
        o += n;
        out_len -= n;
    }
    whole = out_len / 64;
    if (whole > OUTPUT_PIECE / 64) {
        output_job job;
        job.root = root;
        job.out = o;
        job.block = block;
        job.blocks = whole;
        hc_parallel(HC_THREADS_FOR(threads, out_len, BLAKE3), (whole - 1) / (OUTPUT_PIECE / 64) + 1, output_piece,
                    &job);
    } else if (whole) {
        HC_K(b3_xof)(o, root->cv, root->block, root->len, block, root->flags, whole);
    }
    if (out_len % 64) {
        HC_K(b3_xof)(part, root->cv, root->block, root->len, block + whole, root->flags, 1);
        memcpy(o + 64 * whole, part, out_len % 64);
    }
}

/* ---- Readers --------------------------------------------------------------------------- */
enum { XOF_BLAKE3 = 1, XOF_BLAKE2XB };

typedef struct HC_ALIAS xof {
    uint64_t size;
    uint32_t kind, unused;
    union {
        hc_b3_root blake3;
        hc_b2x_root blake2xb;
    } root;
} xof;
HC_STATIC_ASSERT(xof_fits, sizeof(xof) <= sizeof(hc_xof));

int hc_xof_open(hc_xof *x, const hc_alg *alg, const void *state, hc_error *err)
{
    xof *s = (xof *)(void *)x;
    if ((alg->flags & HC_ALG_XOF) == 0) return hc_fail(err, HC_E_PARAM, "algorithm", HC_WHY_UNSUPPORTED, 0, 0);
    memset(x, 0, sizeof *x);
    if (strcmp(alg->name, "blake3") == 0) {
        s->kind = XOF_BLAKE3;
        s->size = UINT64_MAX;
        hc_b3_find_root((const hc_blake3_state *)state, &s->root.blake3);
    } else {
        s->kind = XOF_BLAKE2XB;
        hc_b2x_find_root((const hc_blake2b_state *)state, &s->root.blake2xb);
        s->size = s->root.blake2xb.size;
    }
    return HC_OK;
}

uint64_t hc_xof_size(const hc_xof *x) { return ((const xof *)(const void *)x)->size; }

int hc_xof_read(const hc_xof *x, void *out, size_t out_len, uint64_t offset, unsigned threads, hc_error *err)
{
    const xof *s = (const xof *)(const void *)x;
    const int code = hc_xof_check(s->size, out_len, offset, err);
    if (code != HC_OK || out_len == 0) return code;
    if (s->kind == XOF_BLAKE3)
        hc_b3_output(&s->root.blake3, out, out_len, offset, threads);
    else
        hc_b2x_output(&s->root.blake2xb, (uint8_t *)out, out_len, offset, threads);
    return HC_OK;
}

int hc_xof_check(uint64_t size, size_t out_len, uint64_t offset, hc_error *err)
{
    if (offset > size) return hc_fail(err, HC_E_RANGE, "seek", offset, 0, size);
    if (out_len > size - offset) return hc_fail(err, HC_E_RANGE, "length", out_len, 0, size - offset);
    return HC_OK;
}
