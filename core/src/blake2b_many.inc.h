/* blake2b_many.inc.h - BLAKE2b of many messages of any lengths: HC_L64 lanes, gathered by number of blocks, refilled.
 *
 * States, counters and flags are written and read as vectors: scalars into an array that is read as a vector wait 20 to
 * 50 cycles for their stores. */
#include "gather.h"

/* `blocks` blocks on every lane. t: the bytes hashed before them, a lane; it advances. f0: all ones where this is the
 * last block (then blocks is 1), which f1 joins. */
static void HC_NAME(b2m_lanes)(uint64_t *st, uint64_t *t, const uint64_t *f0, uint64_t f1, const uint8_t *const *in,
                               size_t blocks)
{
    const v64 f = v64_load(f0), f_ = v64_and(f, v64_set1(f1)), zero = v64_set1(0);
    v64 h[8], c = v64_load(t);
    HC_UNROLL for (int i = 0; i < 8; i++) h[i] = v64_load(st + HC_L64 * i);
    for (size_t b = 0; b < blocks; b++) {
        c = v64_add(c, v64_set1(128));
        HC_NAME(b2_block)(h, in, 128 * b, c, zero, f, f_);
    }
    v64_store(t, c);
    HC_UNROLL for (int i = 0; i < 8; i++) v64_store(st + HC_L64 * i, h[i]);
}

/* The r bytes at p zero filled to a block at to, by stores that the kernel's loads match. `back` bytes before p may be
 * read. */
HC_INLINE void HC_NAME(b2m_tail)(uint8_t to[128], const uint8_t *p, size_t r, size_t back)
{
#if HC_ISA == HC_AVX512
    const uint64_t all = ~(uint64_t)0;
    (void)back;
    v64_store(to, _mm512_maskz_loadu_epi8(r >= 64 ? all : all >> 1 >> (63 - r), p));
    if (r > 64) v64_store(to + 64, _mm512_maskz_loadu_epi8(all >> (128 - r), p + 64));
    else v64_store(to + 64, v64_set1(0));
#else
    const q32 e = HC_NAME(b2_last)(p, r, back), z = q_zero();
#define PIECE(k) (r >= 16 * (k) + 16 ? q_load(p + 16 * (k)) : r >= 16 * (k) ? e : z)
#if HC_ISA == HC_AVX2
    HC_UNROLL for (size_t k = 0; k < 8; k += 2) v64_store(to + 16 * k, _mm256_set_m128i(PIECE(k + 1), PIECE(k)));
#else
    HC_UNROLL for (size_t k = 0; k < 8; k++) q_store(to + 16 * k, PIECE(k));
#endif
#undef PIECE
#endif
}
/* 64 bytes of lane j to to[j]. */
HC_INLINE void HC_NAME(b2m_digests)(uint8_t *const *to, const uint64_t *st)
{
    HC_UNROLL
    for (int g = 0; g < 8; g += HC_L64) {
        v32 t[HC_L64], r[HC_L64];
        HC_UNROLL
        for (int j = 0; j < HC_L64; j += 2) {
            const v32 a = v32_load(st + HC_L64 * (g + j)), b = v32_load(st + HC_L64 * (g + j + 1));
            t[j] = ZIPLO64(a, b); t[j + 1] = ZIPHI64(a, b);
        }
        ACROSS(r, t, 2);
        HC_UNROLL for (int j = 0; j < HC_L64; j++) v32_store(to[j] + 8 * g, r[j]);
    }
}
HC_INLINE void HC_NAME(b2m_copy)(uint8_t *out, const void *d, size_t out_len)
{
    if (out_len == 32) memcpy(out, d, 32);
    else memcpy(out, d, out_len);
}

#define B2M_BODY(n) ((n) ? ((n) - 1) / 128 : 0) /* blocks before the last */
/* As many messages as lanes, of as many blocks each. m: which. */
static void HC_NAME(b2m_group)(uint8_t *out, size_t out_len, const uint64_t start[8], uint64_t before, uint64_t f1,
                               const uint8_t *const *in, const size_t *len, const uint8_t *m)
{
    uint8_t HC_ALIGN(64) tail[HC_L64][128], HC_ALIGN(64) digest[HC_L64][64];
    uint64_t HC_ALIGN(64) st[8 * HC_L64], HC_ALIGN(64) t[HC_L64], HC_ALIGN(64) f[HC_L64];
    const size_t body = B2M_BODY(len[m[0]]);
    const uint8_t *at[HC_L64];
    uint8_t *to[HC_L64];
    HC_UNROLL for (int i = 0; i < 8; i++) v64_store(st + HC_L64 * i, v64_set1(start[i]));
    if (body) {
        for (int i = 0; i < HC_L64; i++) at[i] = in[m[i]];
        v64_store(t, v64_set1(before));
        v64_store(f, v64_set1(0));
        HC_NAME(b2m_lanes)(st, t, f, 0, at, body);
    }
    for (int i = 0; i < HC_L64; i++) {
        const size_t n = len[m[i]], r = n - 128 * body;
        at[i] = n ? in[m[i]] + 128 * body : tail[i];
        if (r < 128) { HC_NAME(b2m_tail)(tail[i], at[i], r, body ? 16 : 0); at[i] = tail[i]; }
        to[i] = out_len == 64 ? out + 64 * m[i] : digest[i];
        t[i] = before + n - 128;
    }
    v64_store(f, v64_set1(~(uint64_t)0));
    HC_NAME(b2m_lanes)(st, t, f, f1, at, 1);
    HC_NAME(b2m_digests)(to, st);
    if (out_len != 64) for (int i = 0; i < HC_L64; i++) HC_NAME(b2m_copy)(out + out_len * m[i], digest[i], out_len);
}

/* n messages on lanes that take the next when they end. When few are left, the single-message kernel of the table ends
 * them. */
enum { HC_NAME(B2M_FEW) = (HC_L64 + 2) / 4 };
static void HC_NAME(b2m_refill)(uint8_t *out, size_t out_len, const uint64_t start[8], uint64_t before, uint64_t f1,
                                const uint8_t *const *in, const size_t *len, const uint8_t *order, size_t n)
{
    uint8_t HC_ALIGN(64) tail[HC_L64][128];
    uint64_t HC_ALIGN(64) st[8 * HC_L64], HC_ALIGN(64) t[HC_L64], HC_ALIGN(64) f[HC_L64], d[8];
    const uint8_t *at[HC_L64];
    size_t left[HC_L64], live = 0, next = 0; /* left: blocks before the last; then, with f, the last */
    uint8_t message[HC_L64];
    for (int i = 0; i < HC_L64; i++) t[i] = f[i] = 0;
    for (int i = 0; i < 8 * HC_L64; i++) st[i] = 0;
    for (;;) {
        for (; live < HC_L64 && next < n; live++) {
            const size_t m = message[live] = order[next++];
            at[live] = in[m];
            left[live] = B2M_BODY(len[m]);
            t[live] = before;
            f[live] = 0;
            for (int j = 0; j < 8; j++) st[HC_L64 * j + live] = start[j];
        }
        if (live <= HC_NAME(B2M_FEW)) break;
        size_t k = SIZE_MAX;
        for (size_t i = 0; i < live; i++) {
            if (!left[i]) {
                const size_t size = len[message[i]], body = B2M_BODY(size), r = size - 128 * body;
                if (r < 128) { HC_NAME(b2m_tail)(tail[i], at[i], r, body ? 16 : 0); at[i] = tail[i]; }
                t[i] = before + size - 128;
                f[i] = ~(uint64_t)0;
                left[i] = 1;
            }
            if (left[i] < k) k = left[i];
        }
        for (size_t i = live; i < HC_L64; i++) at[i] = at[0]; /* an idle lane computes something, for nobody */
        HC_NAME(b2m_lanes)(st, t, f, f1, at, k);
        for (size_t i = live; i-- > 0;) {
            at[i] += 128 * k;
            left[i] -= k;
            if (!f[i]) continue;
            for (int j = 0; j < 8; j++) d[j] = st[HC_L64 * j + i];
            HC_NAME(b2m_copy)(out + out_len * message[i], d, out_len);
            if (i == --live) continue;
            for (int j = 0; j < 8; j++) st[HC_L64 * j + i] = st[HC_L64 * j + live]; /* the last lane moves here */
            at[i] = at[live]; left[i] = left[live]; message[i] = message[live]; t[i] = t[live]; f[i] = f[live];
        }
    }
    for (size_t i = 0; i < live; i++) {
        const size_t m = message[i], done = 128 * (B2M_BODY(len[m]) - left[i]);
        const uint64_t c[2] = {before + done, 0};
        uint64_t h[8];
        for (int j = 0; j < 8; j++) h[j] = st[HC_L64 * j + i];
        HC_K(b2b_finish)((uint8_t *)(void *)d, h, c, f1, in[m] ? in[m] + done : in[m], len[m] - done);
        HC_NAME(b2m_copy)(out + out_len * m, d, out_len);
    }
}

void HC_NAME(hc_b2b_many)(uint8_t *out, size_t out_len, const uint64_t h[8], uint64_t before, uint64_t f1,
                          const uint8_t *const *in, const size_t *len, size_t n)
{
    uint8_t key[HC_GATHER], order[HC_GATHER];
    for (size_t m; n; n -= m, in += m, len += m, out += out_len * m) {
        size_t rest = 0, i = 0;
        m = n < HC_GATHER ? n : HC_GATHER;
        for (size_t j = 0; j < m; j++) {
            const size_t b = B2M_BODY(len[j]);
            key[j] = (uint8_t)(b < HC_GATHER_KEYS ? b : HC_GATHER_KEYS - 1);
        }
        hc_gather(order, key, m);
        while (i < m) {
            const uint8_t *g = order + i;
            size_t same = 1;
            while (same < HC_L64 && i + same < m && B2M_BODY(len[g[same]]) == B2M_BODY(len[g[0]])) same++;
            if (same == HC_L64) {
                HC_NAME(b2m_group)(out, out_len, h, before, f1, in, len, g);
            } else {
                for (size_t j = 0; j < same; j++) order[rest++] = g[j];
            }
            i += same;
        }
        HC_NAME(b2m_refill)(out, out_len, h, before, f1, in, len, order, rest);
    }
}
