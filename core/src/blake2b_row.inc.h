/* blake2b_row.inc.h - BLAKE2b, one message: the four rows of the state in four vectors of 256 bits (AVX2, AVX-512VL),
 * or two registers a row (where vectors have 128).
 *
 * The work is a chain: 13 operations a half round from b to b. So the diagonals are made by turning a, c and d, which are
 * ready earlier than b, and b, on which everything waits, stays. The message word for the next half round is added to a
 * before a is turned, off the chain. */
#include "blake2b_sigma.inc.h"

#if HC_VL == 16
typedef v64 HC_NAME(row);
#define ROWS 4 /* registers of a chaining value */
#define R_LD(p) v64_load(p)
#define R_ST(p, v) v64_store((p), (v))
#define R_XOR(a, b) v64_xor((a), (b))
#define R_ADD(a, b) v64_add((a), (b))
#define R_MSG(x) AS64(x)
#if HC_ISA == HC_SSE41
#define R_(op) _mm_##op
#define R_BLEND(a, b) _mm_blend_epi16((a), (b), 0xf0)
#endif
#else
typedef __m256i HC_NAME(row);
#define ROWS 2
#define R_(op) _mm256_##op
#define R_LD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define R_ST(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), (v))
#define R_XOR(a, b) _mm256_xor_si256((a), (b))
#define R_MSG(x) _mm256_broadcastsi128_si256(x)
#define R_ADD(a, b) _mm256_add_epi64((a), (b))
#define R_BLEND(a, b) _mm256_blend_epi32((a), (b), 0xcc)
#endif
#define row HC_NAME(row)
#if HC_ISA == HC_AVX512
#define R_ROR(a, n) _mm256_ror_epi64((a), (n))
#define R_SWAP(a) _mm256_shuffle_epi32((a), 0x4e)
#define R_TABLES (void)0
#else
#define R_ROR(a, n) v64_ror_t(a, n)
#define R_SWAP(a) v64_swap_t(a)
#define R_TABLES HC_ROT64_TABLES
#endif
/* Word i of a, then word j of b (i, j: 0 or 1). */
#ifdef q_pair
#define R_TWO(a, i, b, j) q_pair((a), (i), (b), (j))
#else
#define R_TWO(a, i, b, j)                                                                                              \
    ((i) == 0 ? ((j) == 0 ? R_(unpacklo_epi64)((a), (b)) : R_BLEND((a), (b)))                                          \
              : ((j) == 0 ? R_(alignr_epi8)((b), (a), 8) : R_(unpackhi_epi64)((a), (b))))
#endif
/* 128 bits holding message words i and j; m[k] holds words 2k, 2k + 1 (in both halves of a 256-bit vector). i and j are
 * literals: one instruction. */
#define R_PAIR(i, j) R_TWO(m[(i) / 2], (i) % 2, m[(j) / 2], (j) % 2)

#if ROWS == 2
/* Words lie in a row as 0 2 1 3. Turning by two is then a shuffle inside the 128-bit halves (latency 1); only turning by
 * one or three crosses them (3 to 6). That latency is kept off the chain: what a gets next is added before its turn, in
 * a second copy beside the a that d needs. */
#define R_ORDER(x) _mm256_permute4x64_epi64((x), 0xd8)
#define TURN1(x) _mm256_permute4x64_epi64((x), 0x1e)
#define TURN3(x) _mm256_permute4x64_epi64((x), 0x4b)
#define R_QUAD(i, j, k, l) _mm256_blend_epi32(R_PAIR(i, j), R_PAIR(k, l), 0xf0)
#define R_QUAD_(...) R_QUAD(__VA_ARGS__)
#define R_TOP                                                                                                          \
    HC_SET(a, R_ADD(a, b)); HC_SET(d, R_XOR(d, a)); HC_SET(d, R_ROR(d, 32));                                           \
    HC_SET(c, R_ADD(c, d)); HC_SET(b, R_XOR(b, c)); HC_SET(b, R_ROR(b, 24));
#define R_LOW                                                                                                          \
    HC_SET(d, R_XOR(d, a)); HC_SET(d, R_ROR(d, 16));                                                                   \
    HC_SET(t, R_ADD(c, d)); HC_SET(b, R_XOR(b, t)); HC_SET(b, R_ROR(b, 63));
#define R_HALF(y0, y1, y2, y3, n0, n1, n2, n3, TA, TC)                                                                 \
    R_TOP                                                                                                              \
    HC_SET(a, R_ADD(a, R_QUAD(y0, y1, y2, y3)));                                                                       \
    HC_SET(n, R_ADD(a, R_QUAD(n0, n1, n2, n3)));                                                                       \
    HC_SET(a, R_ADD(a, b)); HC_SET(n, R_ADD(n, b));                                                                    \
    R_LOW                                                                                                              \
    a = TA(n); c = TC(t); d = R_SWAP(d);
#define R_ROUND(y0, y1, y2, y3, z0, z1, z2, z3, w0, w1, w2, w3, n0, n1, n2, n3)                                        \
    R_HALF(y0, y1, y2, y3, z0, z1, z2, z3, TURN3, TURN1) R_HALF(w0, w1, w2, w3, n0, n1, n2, n3, TURN1, TURN3)
#define R_LAST(y0, y1, y2, y3, z0, z1, z2, z3, w0, w1, w2, w3)                                                         \
    R_HALF(y0, y1, y2, y3, z0, z1, z2, z3, TURN3, TURN1)                                                               \
    R_TOP HC_SET(a, R_ADD(a, R_QUAD(w0, w1, w2, w3))); HC_SET(a, R_ADD(a, b)); R_LOW                                   \
    a = TURN1(a); c = TURN3(t); d = R_SWAP(d);
/* h is kept in the order 0 2 1 3, 4 6 5 7. */
HC_INLINE void HC_NAME(b2r_block)(row *h, const row m[8], uint64_t t0, uint64_t t1, uint64_t f0, uint64_t f1)
{
    row a = h[0], b = h[1], c = R_ORDER(R_LD(HC_NAME(b2_iv))), d = R_ORDER(R_LD(HC_NAME(b2_iv) + 4)), t, n;
    R_TABLES;
    d = R_XOR(d, _mm256_set_epi64x((long long)f1, (long long)t1, (long long)f0, (long long)t0));
    a = R_ADD(a, R_QUAD_(B2R_FIRST));
    B2R_WIDE(R_ROUND, R_LAST)
    h[0] = R_XOR(h[0], R_XOR(a, c));
    h[1] = R_XOR(h[1], R_XOR(b, d));
}
/* by 128 bits: a state was stored so, and loads of more than one store wait for both */
#define R_LD2(p) _mm256_inserti128_si256(_mm256_castsi128_si256(q_load(p)), q_load((p) + 2), 1)
#define R_LOADH(h, p) do { h[0] = R_ORDER(R_LD2(p)); h[1] = R_ORDER(R_LD2((p) + 4)); } while (0)
#define R_STOREH(p, h) do { R_ST(p, R_ORDER(h[0])); R_ST((p) + 4, R_ORDER(h[1])); } while (0)
#else
/* Turning costs one alignr a register and nothing at all for d, so the chain is as short as it can be. */
#define R_2(r, e0, e1) HC_SET(r##0, e0); HC_SET(r##1, e1)
#define R_2ADD(r, s) R_2(r, R_ADD(r##0, s##0), R_ADD(r##1, s##1))
#define R_2XOR(r, s) R_2(r, R_XOR(r##0, s##0), R_XOR(r##1, s##1))
#define R_2ROR(r, n) R_2(r, R_ROR(r##0, n), R_ROR(r##1, n))
#define R_2MSG(i, j, k, l) R_2(a, R_ADD(a0, R_PAIR(i, j)), R_ADD(a1, R_PAIR(k, l)))
#define R_HALF(...)                                                                                                    \
    R_2ADD(a, b); R_2XOR(d, a); R_2ROR(d, 32); R_2ADD(c, d); R_2XOR(b, c); R_2ROR(b, 24);                              \
    R_2MSG(__VA_ARGS__);                                                                                               \
    R_2ADD(a, b); R_2XOR(d, a); R_2ROR(d, 16); R_2ADD(c, d); R_2XOR(b, c); R_2ROR(b, 63)
#define R_TURN_UP(r) u = R_TWO(r##0, 1, r##1, 0); r##0 = R_TWO(r##1, 1, r##0, 0); r##1 = u /* by three */
#define R_TURN(r) u = R_TWO(r##1, 1, r##0, 0); r##0 = R_TWO(r##0, 1, r##1, 0); r##1 = u    /* by one */
#define R_TURN2(r) u = r##0; r##0 = r##1; r##1 = u
#define R_ROUND(x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3, w0, w1, w2, w3)                                        \
    R_2MSG(x0, x1, x2, x3); R_HALF(y0, y1, y2, y3);                                                                    \
    R_TURN_UP(a); R_TURN(c); R_TURN2(d);                                                                               \
    R_2MSG(z0, z1, z2, z3); R_HALF(w0, w1, w2, w3);                                                                    \
    R_TURN(a); R_TURN_UP(c); R_TURN2(d);
HC_INLINE void HC_NAME(b2r_block)(row *h, const row m[8], uint64_t t0, uint64_t t1, uint64_t f0, uint64_t f1)
{
    const uint64_t *iv = HC_NAME(b2_iv);
    row a0 = h[0], a1 = h[1], b0 = h[2], b1 = h[3], c0 = R_LD(iv), c1 = R_LD(iv + 2), u;
    row d0 = R_XOR(R_LD(iv + 4), AS64(q_words(t0, t1)));
    row d1 = R_XOR(R_LD(iv + 6), AS64(q_words(f0, f1)));
    R_TABLES;
    B2R_ROUNDS(R_ROUND)
    h[0] = R_XOR(h[0], R_XOR(a0, c0)); h[1] = R_XOR(h[1], R_XOR(a1, c1));
    h[2] = R_XOR(h[2], R_XOR(b0, d0)); h[3] = R_XOR(h[3], R_XOR(b1, d1));
}
#define R_LOADH(h, p) do { h[0] = R_LD(p); h[1] = R_LD((p) + 2); h[2] = R_LD((p) + 4); h[3] = R_LD((p) + 6); } while (0)
#define R_STOREH(p, h) do { R_ST(p, h[0]); R_ST((p) + 2, h[1]); R_ST((p) + 4, h[2]); R_ST((p) + 6, h[3]); } while (0)
#endif

#define R_LDM(p) R_MSG(q_load(p))
HC_INLINE void HC_NAME(b2r_body)(row *h, uint64_t t[2], const uint8_t *in, size_t blocks)
{
    row m[8];
    for (; blocks; blocks--, in += 128) {
        t[1] += (t[0] += 128) < 128;
        HC_UNROLL for (int i = 0; i < 8; i++) m[i] = R_LDM(in + 16 * i);
        HC_NAME(b2r_block)(h, m, t[0], t[1], 0, 0);
    }
}
void HC_NAME(hc_b2b_blocks)(uint64_t st[8], uint64_t t[2], const uint8_t *in, size_t blocks)
{
    row h[ROWS];
    R_LOADH(h, st);
    HC_NAME(b2r_body)(h, t, in, blocks);
    R_STOREH(st, h);
}
/* Nothing outside the message is read and nothing is copied: the last partial 16-byte piece comes from the message's last
 * 16 bytes, shifted. */
void HC_NAME(hc_b2b_finish)(uint8_t out[64], const uint64_t st[8], const uint64_t t[2], uint64_t f1, const uint8_t *in,
                            size_t n)
{
    const size_t body = n ? (n - 1) / 128 : 0, r = n - 128 * body, full = r / 16;
    const uint8_t *p = n ? in + 128 * body : in;
    uint64_t c[2] = {t[0], t[1]};
    row h[ROWS], m[8];
    R_LOADH(h, st);
    HC_NAME(b2r_body)(h, c, in, body);
    c[1] += (c[0] += r) < r;
    if (r == 128) {
        HC_UNROLL for (int i = 0; i < 8; i++) m[i] = R_LDM(p + 16 * i);
    } else {
        const row z = R_XOR(h[0], h[0]);
        const row l = R_MSG(HC_NAME(b2_last)(p, r, body ? 16 : 0));
#define PIECE(i) m[i] = full > i ? R_LDM(p + 16 * i) : full == i ? l : z;
        PIECE(0) PIECE(1) PIECE(2) PIECE(3) PIECE(4) PIECE(5) PIECE(6) PIECE(7)
#undef PIECE
    }
    HC_NAME(b2r_block)(h, m, c[0], c[1], ~(uint64_t)0, f1);
    R_STOREH((uint64_t *)(void *)out, h);
}
#undef row
