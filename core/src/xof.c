/* xof.c - long output read anywhere: BLAKE3's and BLAKE2Xb's behind one reader. */
#include "internal.h"

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
