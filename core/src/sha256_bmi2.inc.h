/* sha256_bmi2.inc.h - SHA-256, one stream: rounds in integer registers (rorx, andn), the message schedule four words of
 * two blocks at a time in vectors, beside the first block's rounds, so that both halves of the processor work. */
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
#define BM_SHR(x, n) _mm256_srli_epi32((x), (n))
#define BM_SHR64(x, n) _mm256_srli_epi64((x), (n))
#define BM_X(a, b) _mm256_xor_si256((a), (b))
#define BM_ADD(a, b) _mm256_add_epi32((a), (b))
#define BM_LD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define BM_BYTES(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)
/* The next four words in place of x0; sigma1 takes two words at a time, doubled into 64 bits, where one shift is a
 * rotation. */
HC_INLINE __m256i bm_next(__m256i x0, __m256i x1, __m256i x2, __m256i x3)
{
    const __m256i lo = BM_BYTES(0, 1, 2, 3, 8, 9, 10, 11, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i hi = BM_BYTES(-1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 8, 9, 10, 11);
    __m256i t = _mm256_alignr_epi8(x1, x0, 4), u, s;
    s = BM_X(BM_X(BM_SHR(t, 3), BM_X(BM_SHR(t, 7), _mm256_slli_epi32(t, 25))), BM_X(BM_SHR(t, 18), _mm256_slli_epi32(t, 14)));
    s = BM_ADD(BM_ADD(x0, _mm256_alignr_epi8(x3, x2, 4)), s);
    t = _mm256_shuffle_epi32(x3, 0xfa);
    u = BM_X(BM_X(BM_SHR64(t, 17), BM_SHR64(t, 19)), BM_SHR(t, 10));
    s = BM_ADD(s, _mm256_shuffle_epi8(u, lo));
    t = _mm256_shuffle_epi32(s, 0x50);
    u = BM_X(BM_X(BM_SHR64(t, 17), BM_SHR64(t, 19)), BM_SHR(t, 10));
    return BM_ADD(s, _mm256_shuffle_epi8(u, hi));
}
/* W + K: four words of the first block, four of the second, ... */
#define BM_PUT(q, x)                                                                                                   \
    _mm256_store_si256((__m256i *)(void *)(wk + 8 * (q)), BM_ADD((x), _mm256_broadcastsi128_si256(BM_LD(hc_sha256_k + 4 * (q)))))
#define BM_4A(w)                                                                                                       \
    BM_RND(a, b, c, d, e, f, g, h, (w)[0]) BM_RND(h, a, b, c, d, e, f, g, (w)[1])                                      \
    BM_RND(g, h, a, b, c, d, e, f, (w)[2]) BM_RND(f, g, h, a, b, c, d, e, (w)[3])
#define BM_4B(w)                                                                                                       \
    BM_RND(e, f, g, h, a, b, c, d, (w)[0]) BM_RND(d, e, f, g, h, a, b, c, (w)[1])                                      \
    BM_RND(c, d, e, f, g, h, a, b, (w)[2]) BM_RND(b, c, d, e, f, g, h, a, (w)[3])
#define BM_16(q)                                                                                                       \
    x0 = bm_next(x0, x1, x2, x3); BM_PUT((q) + 4, x0); BM_4A(wk + 8 * (q))                                             \
    x1 = bm_next(x1, x2, x3, x0); BM_PUT((q) + 5, x1); BM_4B(wk + 8 * (q) + 8)                                         \
    x2 = bm_next(x2, x3, x0, x1); BM_PUT((q) + 6, x2); BM_4A(wk + 8 * (q) + 16)                                        \
    x3 = bm_next(x3, x0, x1, x2); BM_PUT((q) + 7, x3); BM_4B(wk + 8 * (q) + 24)
#define BM_LOAD(i) \
    _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(BM_LD(in + 16 * (i))), BM_LD(next + 16 * (i)), 1), sw)
#define BM_END                                                                                                         \
    a = st[0] += a; b = st[1] += b; c = st[2] += c; d = st[3] += d;                                                    \
    e = st[4] += e; f = st[5] += f; g = st[6] += g; h = st[7] += h;
void HC_NAME(hc_sha256_blocks)(uint32_t st[8], const uint8_t *in, size_t blocks)
{
    const __m256i sw = BM_BYTES(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    uint32_t HC_ALIGN(32) wk[128];
    uint32_t a = st[0], b = st[1], c = st[2], d = st[3], e = st[4], f = st[5], g = st[6], h = st[7], bc;
    while (blocks) {
        const uint8_t *next = in + (blocks > 1 ? 64 : 0);
        __m256i x0 = BM_LOAD(0), x1 = BM_LOAD(1), x2 = BM_LOAD(2), x3 = BM_LOAD(3);
        BM_PUT(0, x0); BM_PUT(1, x1); BM_PUT(2, x2); BM_PUT(3, x3);
        bc = b ^ c;
        BM_16(0) BM_16(4) BM_16(8)
        BM_4A(wk + 96) BM_4B(wk + 104) BM_4A(wk + 112) BM_4B(wk + 120)
        BM_END
        if (--blocks == 0) break;
        bc = b ^ c;
        for (const uint32_t *w = wk + 4; w < wk + 128; w += 32) { BM_4A(w) BM_4B(w + 8) BM_4A(w + 16) BM_4B(w + 24) }
        BM_END
        blocks--;
        in += 128;
    }
}
HC_SHA256_FINISH
