/* sha256_bmi2.inc.h - SHA-256, one stream: rounds in integer registers (rorx, andn), the message schedule four words at
 * a time in vectors, sixteen words ahead, so that both halves of the processor work. */
#include "sha256_end.inc.h"
#define BM_ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))
/* bc carries b ^ c: maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b */
#define BM_RND(a, b, c, d, e, f, g, h, wk)                                                                             \
    {                                                                                                                  \
        uint32_t ab = a ^ b;                                                                                           \
        h += (wk) + ((e & f) + (~e & g)) + (BM_ROR(e, 6) ^ BM_ROR(e, 11) ^ BM_ROR(e, 25));                             \
        d += h;                                                                                                        \
        h += (BM_ROR(a, 2) ^ BM_ROR(a, 13) ^ BM_ROR(a, 22)) + ((ab & bc) ^ b);                                         \
        bc = ab;                                                                                                       \
    }
#define BM_SHR(x, n) _mm_srli_epi32((x), (n))
#define BM_X(a, b) _mm_xor_si128((a), (b))
#define BM_LD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
/* The next four words in place of x0; sigma1 takes two words at a time, doubled into 64 bits, where one shift is a
 * rotation. */
HC_INLINE __m128i bm_next(__m128i x0, __m128i x1, __m128i x2, __m128i x3)
{
    const __m128i lo = _mm_setr_epi8(0, 1, 2, 3, 8, 9, 10, 11, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128i hi = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 8, 9, 10, 11);
    __m128i t = _mm_alignr_epi8(x1, x0, 4), u, s;
    s = BM_X(BM_X(BM_SHR(t, 3), BM_X(BM_SHR(t, 7), _mm_slli_epi32(t, 25))), BM_X(BM_SHR(t, 18), _mm_slli_epi32(t, 14)));
    s = _mm_add_epi32(_mm_add_epi32(x0, _mm_alignr_epi8(x3, x2, 4)), s);
    t = _mm_shuffle_epi32(x3, 0xfa);
    u = BM_X(BM_X(_mm_srli_epi64(t, 17), _mm_srli_epi64(t, 19)), BM_SHR(t, 10));
    s = _mm_add_epi32(s, _mm_shuffle_epi8(u, lo));
    t = _mm_shuffle_epi32(s, 0x50);
    u = BM_X(BM_X(_mm_srli_epi64(t, 17), _mm_srli_epi64(t, 19)), BM_SHR(t, 10));
    return _mm_add_epi32(s, _mm_shuffle_epi8(u, hi));
}
#define BM_PUT(i, x) _mm_store_si128((__m128i *)(void *)wk + (i), _mm_add_epi32((x), BM_LD(hc_sha256_k + 4 * (i))))
#define BM_4A(t)                                                                                                       \
    BM_RND(a, b, c, d, e, f, g, h, wk[t]) BM_RND(h, a, b, c, d, e, f, g, wk[t + 1])                                    \
    BM_RND(g, h, a, b, c, d, e, f, wk[t + 2]) BM_RND(f, g, h, a, b, c, d, e, wk[t + 3])
#define BM_4B(t)                                                                                                       \
    BM_RND(e, f, g, h, a, b, c, d, wk[t]) BM_RND(d, e, f, g, h, a, b, c, wk[t + 1])                                    \
    BM_RND(c, d, e, f, g, h, a, b, wk[t + 2]) BM_RND(b, c, d, e, f, g, h, a, wk[t + 3])
#define BM_16(t)                                                                                                       \
    x0 = bm_next(x0, x1, x2, x3); BM_PUT((t) / 4 + 4, x0); BM_4A(t)                                                    \
    x1 = bm_next(x1, x2, x3, x0); BM_PUT((t) / 4 + 5, x1); BM_4B(t + 4)                                                \
    x2 = bm_next(x2, x3, x0, x1); BM_PUT((t) / 4 + 6, x2); BM_4A(t + 8)                                                \
    x3 = bm_next(x3, x0, x1, x2); BM_PUT((t) / 4 + 7, x3); BM_4B(t + 12)
void HC_NAME(hc_sha256_blocks)(uint32_t st[8], const uint8_t *in, size_t blocks)
{
    const __m128i sw = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    uint32_t HC_ALIGN(16) wk[64];
    uint32_t a = st[0], b = st[1], c = st[2], d = st[3], e = st[4], f = st[5], g = st[6], h = st[7], bc;
    for (; blocks; blocks--, in += 64) {
        __m128i x0 = _mm_shuffle_epi8(BM_LD(in), sw), x1 = _mm_shuffle_epi8(BM_LD(in + 16), sw);
        __m128i x2 = _mm_shuffle_epi8(BM_LD(in + 32), sw), x3 = _mm_shuffle_epi8(BM_LD(in + 48), sw);
        BM_PUT(0, x0); BM_PUT(1, x1); BM_PUT(2, x2); BM_PUT(3, x3);
        bc = b ^ c;
        BM_16(0) BM_16(16) BM_16(32)
        BM_4A(48) BM_4B(52) BM_4A(56) BM_4B(60)
        a = st[0] += a; b = st[1] += b; c = st[2] += c; d = st[3] += d;
        e = st[4] += e; f = st[5] += f; g = st[6] += g; h = st[7] += h;
    }
}
HC_SHA256_FINISH
