/* blake2b_lanes.inc.h - BLAKE2b of HC_L64 independent messages, one a lane; one lane is the portable kernel.
 *
 * The four G of a half round advance together, one operation each: sixteen words of state and one temporary live, and
 * never a wait. The written order is kept (HC_SET_HERE) and the rotations' tables are opaque (v64_ror_t): clang 14 gives
 * 1.13 cycles a byte with both, 1.4 without; gcc 12 0.98. */
static const uint64_t HC_ALIGN(64) HC_NAME(b2_iv)[8] = { /* RFC 7693, 2.6 */
    0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
    0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u};

#define B2_4(op, i0, i1, i2, i3, j0, j1, j2, j3) op(i0, j0); op(i1, j1); op(i2, j2); op(i3, j3)
#define B2_ADD(i, j) HC_SET_HERE(v[i], v64_add(v[i], v[j]))
#define B2_XOR(i, j) HC_SET_HERE(v[i], v64_xor(v[i], v[j]))
#define B2_MSG(i, j) HC_SET_HERE(v[i], v64_add(v[i], v64_load(m + j)))
#define B2_R32(i, j) HC_SET_HERE(v[i], v64_ror_t(v[i], 32))
#define B2_R24(i, j) HC_SET_HERE(v[i], v64_ror_t(v[i], 24))
#define B2_R16(i, j) HC_SET_HERE(v[i], v64_ror_t(v[i], 16))
#define B2_R63(i, j) HC_SET_HERE(v[i], v64_ror_t(v[i], 63))
#define B2_HALF(b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, x0, x1, x2, x3, y0, y1, y2, y3)                        \
    B2_4(B2_MSG, 0, 1, 2, 3, x0, x1, x2, x3); B2_4(B2_ADD, 0, 1, 2, 3, b0, b1, b2, b3);                                \
    B2_4(B2_XOR, d0, d1, d2, d3, 0, 1, 2, 3); B2_4(B2_R32, d0, d1, d2, d3, 0, 0, 0, 0);                                \
    B2_4(B2_ADD, c0, c1, c2, c3, d0, d1, d2, d3); B2_4(B2_XOR, b0, b1, b2, b3, c0, c1, c2, c3);                        \
    B2_4(B2_R24, b0, b1, b2, b3, 0, 0, 0, 0); B2_4(B2_MSG, 0, 1, 2, 3, y0, y1, y2, y3);                                \
    B2_4(B2_ADD, 0, 1, 2, 3, b0, b1, b2, b3); B2_4(B2_XOR, d0, d1, d2, d3, 0, 1, 2, 3);                                \
    B2_4(B2_R16, d0, d1, d2, d3, 0, 0, 0, 0); B2_4(B2_ADD, c0, c1, c2, c3, d0, d1, d2, d3);                            \
    B2_4(B2_XOR, b0, b1, b2, b3, c0, c1, c2, c3); B2_4(B2_R63, b0, b1, b2, b3, 0, 0, 0, 0)
#define B2_ROUND(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, ma, mb, mc, md, me, mf)                                       \
    B2_HALF(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, m0, m2, m4, m6, m1, m3, m5, m7);                                 \
    B2_HALF(5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14, m8, ma, mc, me, m9, mb, md, mf)

/* t0, t1: the bytes hashed, this block's included; f0, f1: the finalization flags; each a lane. */
HC_INLINE void HC_NAME(b2_block)(v64 h[8], const uint8_t *const *in, size_t off, v64 t0, v64 t1, v64 f0, v64 f1)
{
    v64 m[16], v[16];
    HC_ROT64_TABLES;
    v64_gather_block(m, in, off);
    HC_UNROLL for (int i = 0; i < 8; i++) { v[i] = h[i]; v[8 + i] = v64_set1(HC_NAME(b2_iv)[i]); }
    v[12] = v64_xor(v[12], t0);
    v[13] = v64_xor(v[13], t1);
    v[14] = v64_xor(v[14], f0);
    v[15] = v64_xor(v[15], f1);
    B2_ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    B2_ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);
    B2_ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4);
    B2_ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8);
    B2_ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13);
    B2_ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9);
    B2_ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11);
    B2_ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10);
    B2_ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5);
    B2_ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0);
    B2_ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    B2_ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);
    HC_UNROLL for (int i = 0; i < 8; i++) h[i] = v64_xor(v64_load(h + i), v64_xor(v[i], v[8 + i]));
}

#if HC_L64 > 1
/* The last n % 16 bytes of p[0..n), zero filled, without a buffer; `back` bytes before p may be read. */
HC_INLINE q32 HC_NAME(b2_last)(const uint8_t *p, size_t n, size_t back)
{
    if (n + back >= 16) return HC_NAME(q_slide)(p + n, n & 15);
    return HC_NAME(q_part)(p, n);
}
#endif

#if HC_L64 == 1
void HC_NAME(hc_b2b_blocks)(uint64_t h[8], uint64_t t[2], const uint8_t *in, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        t[1] += (t[0] += 128) < 128;
        HC_NAME(b2_block)(h, &in, 128 * b, t[0], t[1], 0, 0);
    }
}
void HC_NAME(hc_b2b_finish)(uint8_t out[64], const uint64_t h[8], const uint64_t t[2], uint64_t f1, const uint8_t *in,
                            size_t n)
{
    const size_t body = n ? (n - 1) / 128 : 0, r = n - 128 * body;
    uint64_t s[8], c[2];
    uint8_t end[128];
    const uint8_t *last = n ? in + 128 * body : end;
    memcpy(s, h, 64);
    memcpy(c, t, 16);
    HC_NAME(hc_b2b_blocks)(s, c, in, body);
    if (r < 128) {
        memset(end, 0, 128);
        if (r) memcpy(end, last, r);
        last = end;
    }
    c[1] += (c[0] += r) < r;
    HC_NAME(b2_block)(s, &last, 0, c[0], c[1], ~(uint64_t)0, f1);
    for (int i = 0; i < 8; i++) hc_store64le(out + 8 * i, s[i]);
}
void HC_NAME(hc_b2b_many)(uint8_t *out, size_t out_len, const uint64_t h[8], uint64_t before, uint64_t f1,
                          const uint8_t *const *in, const size_t *len, size_t n)
{
    const uint64_t t[2] = {before, 0};
    uint8_t full[64];
    for (size_t i = 0; i < n; i++, out += out_len) {
        HC_NAME(hc_b2b_finish)(full, h, t, f1, in[i], len[i]);
        memcpy(out, full, out_len);
    }
}
#else
#include "blake2b_many.inc.h"
#endif
#if HC_L64 > 1
#include "blake2b_row.inc.h"
#endif
