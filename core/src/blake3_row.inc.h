/* blake3_row.inc.h - BLAKE3 in row form: one vector holds one row of ROW_W / 16 states side by side, ROW_SETS of them
 * interleave. Included once for each shape, with ROW_NAME, ROW_XOF, ROW_W and ROW_SETS defined; see blake3_plan.inc.h.
 *
 * b, the row that G finishes last, is never rotated: rows a, c and d move instead, while b is still being rotated right
 * by 7, so diagonalization costs the dependency chain nothing. Message vectors stand in the order that asks for: X = m0
 * m2 m4 m6, Y = m1 m3 m5 m7, Z = m14 m8 m10 m12, W = m15 m9 m11 m13; their permutation (11 shuffles a round) depends on
 * nothing and hides behind the chain. */
#define R_COUNT1(t) q_words(t, size_flags) /* counter, length, flags */
#if ROW_W == 16
#define row q32
#define R_(op) _mm_##op
#define B3R_PS(x) _mm_castsi128_ps(x)
#define B3R_INT(x) _mm_castps_si128(x)
#define B3R_BOTH(x) (x)
#define B3R_OR(a, b) q_or(a, b)
#define B3R_OUT(p, at, x) q_store((p) + (at), x);
#define B3R_COUNT(t) R_COUNT1(t)
#define B3R_LOAD(k, q) q_load(in[k] + off + 16 * (q))
#elif ROW_W == 32
#define row __m256i
#define R_(op) _mm256_##op
#define B3R_PS(x) _mm256_castsi256_ps(x)
#define B3R_INT(x) _mm256_castps_si256(x)
#define B3R_BOTH(x) _mm256_broadcastsi128_si256(x)
#define B3R_OR(a, b) _mm256_or_si256(a, b)
#define B3R_OUT(p, at, x)                                                              \
    _mm_storeu_si128((__m128i *)(void *)((p) + (at)), _mm256_castsi256_si128(x));      \
    _mm_storeu_si128((__m128i *)(void *)((p) + 64 + (at)), _mm256_extracti128_si256(x, 1));
#define B3R_TWO(a, b) _mm256_inserti128_si256(_mm256_castsi128_si256(a), (b), 1)
#define B3R_COUNT(t) B3R_TWO(R_COUNT1(t), R_COUNT1((t) + (step != 0)))
#define B3R_LOAD(k, q) B3R_TWO(q_load(in[2 * (k)] + off + 16 * (q)), q_load(in[2 * (k) + 1] + off + 16 * (q)))
#else
#define row __m512i
#define R_(op) _mm512_##op
#define B3R_PS(x) _mm512_castsi512_ps(x)
#define B3R_INT(x) _mm512_castps_si512(x)
#define B3R_BOTH(x) _mm512_broadcast_i32x4(x)
#define B3R_OR(a, b) _mm512_or_si512(a, b)
#define B3R_OUT(p, at, x)                                                                         \
    _mm_storeu_si128((__m128i *)(void *)((p) + (at)), _mm512_castsi512_si128(x));                 \
    _mm_storeu_si128((__m128i *)(void *)((p) + 64 + (at)), _mm512_extracti32x4_epi32(x, 1));      \
    _mm_storeu_si128((__m128i *)(void *)((p) + 128 + (at)), _mm512_extracti32x4_epi32(x, 2));     \
    _mm_storeu_si128((__m128i *)(void *)((p) + 192 + (at)), _mm512_extracti32x4_epi32(x, 3));
#define B3R_FOUR(a, b, c, d) \
    _mm512_inserti32x4(_mm512_inserti32x4(_mm512_inserti32x4(_mm512_castsi128_si512(a), (b), 1), (c), 2), (d), 3)
#define B3R_COUNT(t)                                                                     \
    B3R_FOUR(R_COUNT1(t), R_COUNT1((t) + (step != 0)), R_COUNT1((t) + 2 * (step != 0)),  \
           R_COUNT1((t) + 3 * (step != 0)))
#define B3R_LOAD(k, q)                                                                             \
    B3R_FOUR(q_load(in[4 * (k)] + off + 16 * (q)), q_load(in[4 * (k) + 1] + off + 16 * (q)),           \
           q_load(in[4 * (k) + 2] + off + 16 * (q)), q_load(in[4 * (k) + 3] + off + 16 * (q)))
#endif
#if HC_ISA == HC_NEON || HC_ISA == HC_WASM
#define B3R_SHUF(a, x, y, z, w) q_quad((a), (a), x, y, z, w)
#define B3R_SHUF2(a, b, x, y, z, w) q_quad((a), (b), x, y, z, w)
#define B3R_BLEND(a, b, k) q_blend((a), (b), k)
#elif ROW_W == 64
#define B3R_SHUF(a, x, y, z, w) _mm512_shuffle_epi32((a), (_MM_PERM_ENUM)_MM_SHUFFLE(w, z, y, x))
#define B3R_BLEND(a, b, k) _mm512_mask_blend_epi32((__mmask16)((k) * 0x1111), (a), (b))
#else
#define B3R_SHUF(a, x, y, z, w) R_(shuffle_epi32)((a), _MM_SHUFFLE(w, z, y, x))
#if HC_ISA >= HC_AVX2
#define B3R_BLEND(a, b, k) R_(blend_epi32)((a), (b), (k) * (ROW_W == 32 ? 17 : 1))
#elif HC_ISA == HC_SSE41
#define B3R_BLEND(a, b, k) _mm_blend_epi16((a), (b), ((k) & 1 ? 3 : 0) | ((k) & 2 ? 12 : 0) | ((k) & 4 ? 48 : 0) | ((k) & 8 ? 192 : 0))
#else
#define B3R_WORDS(k) _mm_setr_epi32(-((k) & 1), -((k) >> 1 & 1), -((k) >> 2 & 1), -((k) >> 3 & 1))
#define B3R_BLEND(a, b, k) _mm_or_si128(_mm_and_si128(B3R_WORDS(k), (b)), _mm_andnot_si128(B3R_WORDS(k), (a)))
#endif
#endif
#if HC_ISA == HC_NEON || HC_ISA == HC_WASM
#define B3R_LO(a, b) ZIPLO32((a), (b))
#define B3R_HI(a, b) ZIPHI32((a), (b))
#else
#define B3R_SHUF2(a, b, x, y, z, w) B3R_INT(R_(shuffle_ps)(B3R_PS(a), B3R_PS(b), _MM_SHUFFLE(w, z, y, x)))
#define B3R_LO(a, b) R_(unpacklo_epi32)((a), (b))
#define B3R_HI(a, b) R_(unpackhi_epi32)((a), (b))
#endif

/* ... for every set k, its code beside the others' */
#if ROW_SETS == 1
#define B3R_EACH(...) { enum { k = 0 }; __VA_ARGS__ }
#else
#define B3R_EACH(...) { enum { k = 0 }; __VA_ARGS__ } { enum { k = 1 }; __VA_ARGS__ }
#endif

#ifndef B3R_ROUNDS
/* G in three parts, so that two sets alternate; the message add of the second half comes early */
#define B3R_H1(m1)                                                                                            \
    hc_add(a[k], m1); hc_add(a[k], b[k]); hc_xor(d[k], a[k]); hc_ror16(row, d[k]); hc_add(c[k], d[k]); hc_xor(b[k], c[k]);
#define B3R_H2(m2) hc_add(a[k], m2); hc_ror_n(row, b[k], 12); hc_add(a[k], b[k]); hc_xor(d[k], a[k]); hc_ror8(row, d[k]);
#define B3R_H3 hc_add(c[k], d[k]); hc_xor(b[k], c[k]);
#define B3R_ROUND                                                                                             \
    B3R_EACH(B3R_H1(X[k])) B3R_EACH(B3R_H2(Y[k]))                                                                   \
    B3R_EACH(B3R_H3 a[k] = B3R_SHUF(a[k], 3, 0, 1, 2); hc_ror_n(row, b[k], 7);                                    \
           d[k] = B3R_SHUF(d[k], 2, 3, 0, 1); c[k] = B3R_SHUF(c[k], 1, 2, 3, 0);)                               \
    B3R_EACH(B3R_H1(Z[k])) B3R_EACH(B3R_H2(W[k]))                                                                   \
    B3R_EACH(B3R_H3 a[k] = B3R_SHUF(a[k], 1, 2, 3, 0); hc_ror_n(row, b[k], 7);                                    \
           d[k] = B3R_SHUF(d[k], 2, 3, 0, 1); c[k] = B3R_SHUF(c[k], 3, 0, 1, 2);)
#if HC_ISA == HC_AVX512VL || HC_ISA == HC_AVX512
/* one by one: clang 14 makes others of these shuffles, fewer and slower (64 bytes: 48.8 against 46.9 ns) */
#define B3R_STEP(d, e) HC_SET(d, e)
#else
#define B3R_STEP(d, e) (d) = (e)
#endif
#define B3R_PERMUTE                                                                                                  \
    B3R_EACH(row x_ = X[k]; row y_ = Y[k]; row z_ = Z[k]; row w_ = W[k]; row hi_; row t_;                            \
           B3R_STEP(hi_, B3R_HI(z_, w_));                                                                            \
           B3R_STEP(t_, B3R_SHUF2(x_, y_, 1, 2, 1, 3)); B3R_STEP(X[k], B3R_SHUF(t_, 0, 2, 3, 1));                    \
           B3R_STEP(t_, B3R_SHUF2(x_, hi_, 3, 0, 0, 3)); B3R_STEP(Y[k], B3R_SHUF(t_, 0, 2, 1, 3));                   \
           B3R_STEP(t_, B3R_LO(y_, w_)); B3R_STEP(t_, B3R_SHUF(t_, 1, 0, 2, 3)); B3R_STEP(Z[k], B3R_BLEND(t_, hi_, 4));\
           B3R_STEP(t_, B3R_SHUF(z_, 1, 1, 1, 0)); B3R_STEP(t_, B3R_BLEND(t_, hi_, 2)); B3R_STEP(W[k], B3R_BLEND(t_, y_, 4));)
#define B3R_MESSAGE(m0, m1, m2, m3)                                                                           \
    X[k] = B3R_SHUF2(m0, m1, 0, 2, 0, 2); Y[k] = B3R_SHUF2(m0, m1, 1, 3, 1, 3);                                 \
    Z[k] = B3R_SHUF(B3R_SHUF2(m2, m3, 0, 2, 0, 2), 3, 0, 1, 2);                                                 \
    W[k] = B3R_SHUF(B3R_SHUF2(m2, m3, 1, 3, 1, 3), 3, 0, 1, 2);
#define B3R_ROUNDS                                                                                            \
    B3R_ROUND B3R_PERMUTE B3R_ROUND B3R_PERMUTE B3R_ROUND B3R_PERMUTE B3R_ROUND B3R_PERMUTE B3R_ROUND B3R_PERMUTE B3R_ROUND B3R_PERMUTE B3R_ROUND
#define B3R_IV q_set(0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au)
#endif

/* ROW_SETS * ROW_W / 16 inputs of `blocks` whole blocks each; arguments as b3_lanes. */
static void HC_NAME(ROW_NAME)(uint8_t *out, const uint8_t key[32], const uint8_t *const *in, size_t blocks, uint64_t counter,
                              int step, unsigned flags, unsigned first, unsigned last)
{
    row a[ROW_SETS], b[ROW_SETS], count[ROW_SETS];
    const uint64_t size_flags = 64;
    (void)step; /* one input has one counter */
    B3R_EACH(a[k] = B3R_BOTH(q_load(key)); b[k] = B3R_BOTH(q_load(key + 16));
           count[k] = B3R_COUNT(counter + (step ? (uint64_t)k * (ROW_W / 16) : 0));)
    for (size_t n = 0; n < blocks; n++) {
        size_t off = 64 * n;
        unsigned f = flags | (n == 0 ? first : 0) | (n + 1 == blocks ? last : 0);
        row c[ROW_SETS], d[ROW_SETS], X[ROW_SETS], Y[ROW_SETS], Z[ROW_SETS], W[ROW_SETS];
        row fv = B3R_BOTH(q_top(f));
        B3R_EACH(row m0 = B3R_LOAD(k, 0); row m1 = B3R_LOAD(k, 1); row m2 = B3R_LOAD(k, 2); row m3 = B3R_LOAD(k, 3);
               B3R_MESSAGE(m0, m1, m2, m3)
               c[k] = B3R_BOTH(B3R_IV); d[k] = B3R_OR(count[k], fv);)
        B3R_ROUNDS
        B3R_EACH(hc_xor(a[k], c[k]); hc_xor(b[k], d[k]);)
    }
#if ROW_W == 16
    q_store(out, a[0]);
    q_store(out + 16, b[0]);
#elif ROW_W == 32
    B3R_EACH(_mm256_storeu_si256((__m256i *)(void *)(out + 64 * k), _mm256_permute2x128_si256(a[k], b[k], 0x20));
           _mm256_storeu_si256((__m256i *)(void *)(out + 64 * k + 32), _mm256_permute2x128_si256(a[k], b[k], 0x31));)
#else
    B3R_EACH(__m512i lo_ = _mm512_shuffle_i32x4(a[k], b[k], 0x44); __m512i hi_ = _mm512_shuffle_i32x4(a[k], b[k], 0xee);
           _mm512_storeu_si512(out + 128 * k, _mm512_shuffle_i32x4(lo_, lo_, 0xd8));
           _mm512_storeu_si512(out + 128 * k + 64, _mm512_shuffle_i32x4(hi_, hi_, 0xd8));)
#endif
}

/* ROW_SETS * ROW_W / 16 output blocks, arguments as slot b3_xof. */
static void HC_NAME(ROW_XOF)(uint8_t *out, const uint8_t cv[32], const uint8_t block[64], unsigned len, uint64_t counter,
                             unsigned flags)
{
    row a[ROW_SETS], b[ROW_SETS], c[ROW_SETS], d[ROW_SETS], X[ROW_SETS], Y[ROW_SETS], Z[ROW_SETS], W[ROW_SETS];
    const row h0 = B3R_BOTH(q_load(cv)), h1 = B3R_BOTH(q_load(cv + 16));
    const uint64_t size_flags = (uint64_t)flags << 32 | len;
    enum { step = 1 };
    (void)(int)step;
    B3R_EACH(row m0 = B3R_BOTH(q_load(block)); row m1 = B3R_BOTH(q_load(block + 16));
             row m2 = B3R_BOTH(q_load(block + 32)); row m3 = B3R_BOTH(q_load(block + 48));
             B3R_MESSAGE(m0, m1, m2, m3)
             a[k] = h0; b[k] = h1; c[k] = B3R_BOTH(B3R_IV); d[k] = B3R_COUNT(counter + (uint64_t)k * (ROW_W / 16));)
    B3R_ROUNDS
    B3R_EACH(uint8_t *o = out + 4 * ROW_W * k; hc_xor(a[k], c[k]); hc_xor(b[k], d[k]); hc_xor(c[k], h0); hc_xor(d[k], h1);
             B3R_OUT(o, 0, a[k]) B3R_OUT(o, 16, b[k]) B3R_OUT(o, 32, c[k]) B3R_OUT(o, 48, d[k]))
}

#if ROW_W == 16
#if HC_ISA == HC_AVX512VL
#define B3R_LOAD_PART(p, n, rest) _mm_maskz_loadu_epi8((__mmask16)((1u << (n)) - 1), (p))
#else
/* n (0..16) bytes of p, zero padded, without reading another byte; `rest` counts the readable bytes before p. */
HC_INLINE q32 HC_NAME(b3_load_part)(const uint8_t *p, unsigned n, unsigned rest)
{
    if (n == 16) return q_load(p);
#if HC_ISA != HC_SSE2
    if (n + rest >= 16) return HC_NAME(q_slide)(p + n, n); /* the 16 bytes that end where the input ends, moved down */
#endif
    (void)rest;
    return HC_NAME(q_part)(p, n);
}
#define B3R_LOAD_PART(p, n, rest) HC_NAME(b3_load_part)(p, n, rest)
#endif

/* 0..64 bytes of p as four vectors, zero padded. */
HC_INLINE void HC_NAME(b3_load_padded)(q32 m[4], const uint8_t *p, unsigned len)
{
    m[0] = m[1] = m[2] = m[3] = q_zero();
    if (len < 16) { /* none is no load: of an address that is nobody's even a masked one takes 60 cycles */
        if (len) m[0] = B3R_LOAD_PART(p, len, 0);
        return;
    }
    m[0] = q_load(p); /* whole vectors, then one part that may look back */
    if (len < 32) {
        m[1] = B3R_LOAD_PART(p + 16, len - 16, 16);
        return;
    }
    m[1] = q_load(p + 16);
    if (len < 48) {
        m[2] = B3R_LOAD_PART(p + 32, len - 32, 16);
        return;
    }
    m[2] = q_load(p + 32);
    m[3] = B3R_LOAD_PART(p + 48, len - 48, 16);
}

HC_INTERNAL void HC_NAME(hc_b3_block)(uint8_t out[32], const uint8_t cv[32], const uint8_t *p, unsigned len,
                                      uint64_t counter, unsigned flags)
{
    enum { k = 0 };
    row a[1], b[1], c[1], d[1], X[1], Y[1], Z[1], W[1], m[4];
    a[0] = q_load(cv);
    b[0] = q_load(cv + 16);
    c[0] = B3R_IV;
    d[0] = q_words(counter, (uint64_t)flags << 32 | len);
    if (len == 64) {
        m[0] = q_load(p);
        m[1] = q_load(p + 16);
        m[2] = q_load(p + 32);
        m[3] = q_load(p + 48);
    } else {
        HC_NAME(b3_load_padded)(m, p, len);
    }
    B3R_MESSAGE(m[0], m[1], m[2], m[3])
    B3R_ROUNDS
    hc_xor(a[0], c[0]);
    hc_xor(b[0], d[0]);
    q_store(out, a[0]);
    q_store(out + 16, b[0]);
}
#endif

#undef ROW_W
#undef ROW_SETS
#undef ROW_NAME
#undef ROW_XOF
#undef B3R_OUT
#undef row
#undef R_
#undef B3R_PS
#undef B3R_INT
#undef B3R_BOTH
#undef B3R_OR
#undef B3R_COUNT
#undef B3R_LOAD
#undef B3R_SHUF
#undef B3R_BLEND
#undef B3R_EACH
#undef R_COUNT1
#undef B3R_TWO
#undef B3R_SHUF2
#undef B3R_LO
#undef B3R_HI
