/* blake2xb.c - BLAKE2Xb (BLAKE2X paper): output of a stated or an unknown length, any part of it alone. */
#include "internal.h"

#define LENGTH_UNKNOWN UINT32_MAX /* as the parameter block says it; hence the longest stated length */
#define LENGTH_MAX (LENGTH_UNKNOWN - 1)
#define PIECE ((size_t)32 * 1024)

/* BLAKE2X paper, 2.1: the root is BLAKE2b-512 whose upper half of the node offset is the length of the output. */
int hc_blake2xb_init(void *state, const hc_options *options, hc_error *err)
{
    hc_blake2b_state *s = (hc_blake2b_state *)state;
    uint8_t param[64];
    uint64_t size = HC_UNKNOWN;
    int code;
    if (!hc_options_allow(options, HC_GIVEN_DIGEST_SIZE | HC_GIVEN_KEY | HC_GIVEN_SALT | HC_GIVEN_PERSON, err))
        return HC_E_PARAM;
    if (HC_GIVEN(options, DIGEST_SIZE)) size = options->digest_size;
    if (size != HC_UNKNOWN && (size < 1 || size > LENGTH_MAX))
        return hc_fail(err, HC_E_LENGTH, "digest_size", size, 1, LENGTH_MAX);
    code = hc_blake2b_param(param, options, err);
    if (code != HC_OK) return code;
    hc_store32le(param + 12, size == HC_UNKNOWN ? LENGTH_UNKNOWN : (uint32_t)size);
    hc_blake2b_start(s, param, param[1] ? options->key.data : NULL);
    s->xof_length = size;
    return HC_OK;
}

uint64_t hc_blake2xb_size(const void *state) { return ((const hc_blake2b_state *)state)->xof_length; }

/* BLAKE2X paper, 2.2: output block i is BLAKE2b of the root's digest as a node of offset i; salt and person stay. */
void hc_b2x_find_root(const hc_blake2b_state *s, hc_b2x_root *root)
{
    hc_blake2b_final((const hc_blake2b *)(const void *)s, root->digest);
    memcpy(root->h, s->h0, sizeof root->h);
    root->h[0] = hc_blake2b_iv[0] ^ (64 | (uint64_t)64 << 32); /* 64 bytes, no key, fanout 0, depth 0, leaves of 64 */
    root->h[2] = hc_blake2b_iv[2] ^ 64 << 8;                   /* node depth 0, inner digests of 64 bytes */
    root->size = s->xof_length == HC_UNKNOWN ? (uint64_t)64 << 32 : s->xof_length;
}

/* Block i, of which the last may be short: then its parameter block says so, and it is no prefix of a whole one. */
static void one_block(const hc_b2x_root *root, uint8_t out[64], uint64_t i)
{
    const uint64_t left = root->size - 64 * i, none[2] = { 0, 0 };
    uint64_t h[8];
    memcpy(h, root->h, sizeof h);
    h[0] ^= left < 64 ? 64 ^ left : 0;
    h[1] ^= i;
    HC_K(b2b_finish)(out, h, none, 0, root->digest, 64);
}

/* Whole blocks go to the wide kernel; the ends, and the last block of a stated length, through one of their own. */
static void output(const hc_b2x_root *root, uint8_t *out, size_t len, uint64_t offset)
{
    uint8_t block[64];
    uint64_t i = offset / 64;
    size_t skip = (size_t)(offset % 64);
    while (len > 0) {
        if (skip == 0 && len >= 64) {
            HC_K(b2b_xof)(out, root->h, root->digest, i, len / 64);
            out += len / 64 * 64;
            i += len / 64;
            len %= 64;
        } else {
            const size_t some = 64 - skip < len ? 64 - skip : len;
            one_block(root, block, i++);
            memcpy(out, block + skip, some);
            out += some;
            len -= some;
            skip = 0;
        }
    }
    hc_wipe(block, sizeof block);
}

typedef struct work {
    const hc_b2x_root *root;
    uint8_t *out;
    uint64_t offset, end;
} work;

/* Pieces lie on multiples of PIECE of the stream, so that no block is computed twice. */
static void do_piece(void *user, size_t i)
{
    const work *w = (const work *)user;
    uint64_t from = (w->offset / PIECE + i) * PIECE, to = from + PIECE;
    from = from < w->offset ? w->offset : from;
    to = to > w->end ? w->end : to;
    output(w->root, w->out + (from - w->offset), (size_t)(to - from), from);
}

void hc_b2x_output(const hc_b2x_root *root, uint8_t *out, size_t len, uint64_t offset, unsigned threads)
{
    work w;
    w.root = root;
    w.out = out;
    w.offset = offset;
    w.end = offset + len;
    threads = HC_THREADS_FOR(threads, len, BLAKE2XB);
    if (threads < 2)
        output(root, out, len, offset);
    else
        hc_parallel(threads, (size_t)((w.end - 1) / PIECE - offset / PIECE + 1), do_piece, &w);
}

int hc_blake2xb_final(const void *state, void *out, size_t out_len, uint64_t offset, hc_error *err)
{
    hc_b2x_root root;
    int code;
    hc_b2x_find_root((const hc_blake2b_state *)state, &root);
    code = hc_xof_check(root.size, out_len, offset, err);
    if (code == HC_OK && out_len > 0) hc_b2x_output(&root, (uint8_t *)out, out_len, offset, 1);
    hc_wipe(&root, sizeof root);
    return code;
}
