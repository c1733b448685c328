/* lanes_simd.h - the SIMD backends of lanes.h: types and primitives of each set, then transposes written once. */
#if HC_ISA == HC_SSE2 || HC_ISA == HC_SSE41
#define HC_VL 16
typedef __m128i v32, v64;
#define V(op) _mm_##op
#define VS(op) _mm_##op##_si128
#define v32_load(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define v32_store(p, a) _mm_storeu_si128((__m128i *)(void *)(p), (a))
#elif HC_ISA == HC_AVX2 || HC_ISA == HC_AVX512VL
#define HC_VL 32
typedef __m256i v32, v64;
#define V(op) _mm256_##op
#define VS(op) _mm256_##op##_si256
#define v32_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define v32_store(p, a) _mm256_storeu_si256((__m256i *)(void *)(p), (a))
#elif HC_ISA == HC_AVX512
#define HC_VL 64
typedef __m512i v32, v64;
#define V(op) _mm512_##op
#define VS(op) _mm512_##op##_si512
#define v32_load(p) _mm512_loadu_si512((const void *)(p))
#define v32_store(p, a) _mm512_storeu_si512((void *)(p), (a))
#endif

#if HC_ISA >= HC_SSE2 && HC_ISA <= HC_AVX512
#define HC_L32 (HC_VL / 4)
#define HC_L64 (HC_VL / 8)
#define v64_load v32_load
#define v64_store v32_store
#define v32_add(a, b) V(add_epi32)((a), (b))
#define v64_add(a, b) V(add_epi64)((a), (b))
#define v32_xor(a, b) VS(xor)((a), (b))
#define v64_xor(a, b) VS(xor)((a), (b))
#define v32_and(a, b) VS(and)((a), (b))
#define v64_and(a, b) VS(and)((a), (b))
#define v32_set1(x) V(set1_epi32)((int32_t)(x))
#define v32_shr(a, n) V(srli_epi32)((a), (n))
#if HC_ISA == HC_AVX512
#define v64_set1(x) _mm512_set1_epi64((long long)(x))
#else
#define v64_set1(x) V(set1_epi64x)((long long)(x))
#endif

/* Rotations. The count is always a literal, so the ?: folds away. */
#if HC_ISA == HC_AVX512
#define BYTES(...) _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__))
#elif HC_VL == 32
#define BYTES(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)
#else
#define BYTES(...) _mm_setr_epi8(__VA_ARGS__)
#endif
#if HC_ISA == HC_AVX512VL || HC_ISA == HC_AVX512
#define v32_ror(a, n) V(ror_epi32)((a), (n))
#define v64_ror(a, n) V(ror_epi64)((a), (n))
#define v32_xor3(a, b, c) V(ternarylogic_epi32)((a), (b), (c), 0x96)
#define v32_ch(e, f, g) V(ternarylogic_epi32)((e), (f), (g), 0xca)
#define v32_maj(a, b, c) V(ternarylogic_epi32)((a), (b), (c), 0xe8)
#define v32_bswap(a) V(shuffle_epi8)((a), BYTES(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12))
#else
#define SHIFT_ROR(sz, a, n) VS(or)(V(srli_epi##sz)((a), (n)), V(slli_epi##sz)((a), sz - (n)))
#define v32_ror(a, n) SHIFT_ROR(32, a, n)
#if HC_ISA == HC_SSE2
#define v64_ror(a, n) ((n) == 32 ? _mm_shuffle_epi32((a), 0xb1) : SHIFT_ROR(64, a, n))
HC_INLINE v32 v32_bswap(v32 a) /* no pshufb */
{
    a = _mm_or_si128(_mm_slli_epi16(a, 8), _mm_srli_epi16(a, 8));
    return _mm_shufflehi_epi16(_mm_shufflelo_epi16(a, 0xb1), 0xb1);
}
#else
HC_INLINE v64 HC_NAME(ror63)(v64 a)
{
    v64 t = V(add_epi64)(a, a);
    HC_KEEP(t); /* clang would shift instead, on one of two pipes */
    return VS(or)(t, V(srli_epi64)(a, 63));
}
/* The byte rotations of 64-bit words with their tables behind a pointer whose origin the compiler cannot see: clang 14
 * replaces constant vpshufb by vpshuflw + vpshufhw or by floating-point shuffles, a cycle lost on each crossing. */
HC_INLINE const uint8_t (*HC_NAME(rot64_tables)(void))[32]
{
    static const uint8_t HC_ALIGN(64) t[4][32] = {
        { 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11 },
        { 3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10, 3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10 },
        { 2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9, 2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9 },
        { 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7 }
    };
    const uint8_t(*p)[32] = t;
    __asm__("" : "+r"(p));
    return p;
}
#define HC_ROT64_TABLES const uint8_t(*hc_rk)[32] = HC_NAME(rot64_tables)()
#define v64_ror_t(a, n)                \
    ((n) == 63 ? HC_NAME(ror63)(a)     \
               : V(shuffle_epi8)((a), v64_load(hc_rk[(n) == 32 ? 0 : (n) == 24 ? 1 : 2])))
#define v64_swap_t(a) V(shuffle_epi8)((a), v64_load(hc_rk[3])) /* words in each 128 bits */
#define v32_bswap(a) V(shuffle_epi8)((a), BYTES(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12))
#endif
#endif
#define ZIPLO32(a, b) V(unpacklo_epi32)((a), (b))
#define ZIPHI32(a, b) V(unpackhi_epi32)((a), (b))
#define ZIPLO64(a, b) V(unpacklo_epi64)((a), (b))
#define ZIPHI64(a, b) V(unpackhi_epi64)((a), (b))
#endif

#if HC_ISA == HC_NEON
#define HC_VL 16
#define HC_L32 4
#define HC_L64 2
typedef uint32x4_t v32;
typedef uint64x2_t v64;
#define v32_load(p) vreinterpretq_u32_u8(vld1q_u8((const uint8_t *)(const void *)(p)))
#define v32_store(p, a) vst1q_u8((uint8_t *)(void *)(p), vreinterpretq_u8_u32(a))
#define v64_load(p) vreinterpretq_u64_u8(vld1q_u8((const uint8_t *)(const void *)(p)))
#define v64_store(p, a) vst1q_u8((uint8_t *)(void *)(p), vreinterpretq_u8_u64(a))
#define v32_add(a, b) vaddq_u32((a), (b))
#define v64_add(a, b) vaddq_u64((a), (b))
#define v32_xor(a, b) veorq_u32((a), (b))
#define v64_xor(a, b) veorq_u64((a), (b))
#define v32_and(a, b) vandq_u32((a), (b))
#define v64_and(a, b) vandq_u64((a), (b))
#define v32_set1(x) vdupq_n_u32(x)
#define v64_set1(x) vdupq_n_u64(x)
#define v32_shr(a, n) vshrq_n_u32((a), (n))
#define v32_ror(a, n)                                                                  \
    ((n) == 16 ? vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(a)))          \
               : vsriq_n_u32(vshlq_n_u32((a), 32 - (n)), (a), (n)))
#define v64_ror(a, n)                                                                  \
    ((n) == 32 ? vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(a)))          \
               : vsriq_n_u64(vshlq_n_u64((a), 64 - (n)), (a), (n)))
#define v32_bswap(a) vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(a)))
#define v32_xor3(a, b, c) v32_xor(v32_xor((a), (b)), (c))
#define v32_ch(e, f, g) vbslq_u32((e), (f), (g))
#define v32_maj(a, b, c) vbslq_u32(v32_xor((a), (b)), (c), (b))
#define ZIPLO32(a, b) vzip1q_u32((a), (b))
#define ZIPHI32(a, b) vzip2q_u32((a), (b))
#define ZIPLO64(a, b) vreinterpretq_u32_u64(vzip1q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)))
#define ZIPHI64(a, b) vreinterpretq_u32_u64(vzip2q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)))
#define AS32(x) vreinterpretq_u32_u64(x)
#define AS64(x) vreinterpretq_u64_u32(x)
#else
#define AS32(x) (x)
#define AS64(x) (x)
#endif

#if HC_ISA == HC_WASM
#define HC_VL 16
#define HC_L32 4
#define HC_L64 2
typedef v128_t v32, v64;
#define v32_load(p) wasm_v128_load(p)
#define v32_store(p, a) wasm_v128_store((p), (a))
#define v64_load v32_load
#define v64_store v32_store
#define v32_add(a, b) wasm_i32x4_add((a), (b))
#define v64_add(a, b) wasm_i64x2_add((a), (b))
#define v32_xor(a, b) wasm_v128_xor((a), (b))
#define v64_xor(a, b) wasm_v128_xor((a), (b))
#define v32_and(a, b) wasm_v128_and((a), (b))
#define v64_and(a, b) wasm_v128_and((a), (b))
#define v32_set1(x) wasm_i32x4_splat((int32_t)(x))
#define v64_set1(x) wasm_i64x2_splat((int64_t)(x))
#define v32_shr(a, n) wasm_u32x4_shr((a), (n))
#define WASM_BYTES(a, ...) wasm_i8x16_shuffle((a), (a), __VA_ARGS__)
#define v32_ror(a, n)                                                                        \
    ((n) == 16  ? WASM_BYTES(a, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)         \
     : (n) == 8 ? WASM_BYTES(a, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12)         \
                : wasm_v128_or(wasm_u32x4_shr((a), (n)), wasm_i32x4_shl((a), 32 - (n))))
#define v64_ror(a, n)                                                                        \
    ((n) == 32   ? wasm_i32x4_shuffle((a), (a), 1, 0, 3, 2)                                   \
     : (n) == 24 ? WASM_BYTES(a, 3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10)        \
     : (n) == 16 ? WASM_BYTES(a, 2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9)        \
                 : wasm_v128_or(wasm_u64x2_shr((a), (n)), wasm_i64x2_shl((a), 64 - (n))))
#define v32_bswap(a) WASM_BYTES(a, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
#define ZIPLO32(a, b) wasm_i32x4_shuffle((a), (b), 0, 4, 1, 5)
#define ZIPHI32(a, b) wasm_i32x4_shuffle((a), (b), 2, 6, 3, 7)
#define ZIPLO64(a, b) wasm_i64x2_shuffle((a), (b), 0, 2)
#define ZIPHI64(a, b) wasm_i64x2_shuffle((a), (b), 1, 3)
#endif

/* One vector of 128 bits, whatever the set's own width: a row of a single message's state. q_words: two 64-bit words, low
 * one first; q_quad: words x, y of a, then z, w of b; q_blend: word i of b where bit i of k is set, else of a; q_pair: 64-bit
 * word i of a, then word j of b; q_bytes: bytes of a chosen by those of i, 0 where these are over 127. Counts are literals. */
#if HC_ISA >= HC_SSE2 && HC_ISA <= HC_AVX512
typedef __m128i q32, q64;
#define q_load(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define q_store(p, a) _mm_storeu_si128((__m128i *)(void *)(p), (a))
#define q_zero() _mm_setzero_si128()
#define q_or(a, b) _mm_or_si128((a), (b))
#define q_words(lo, hi) _mm_set_epi64x((long long)(hi), (long long)(lo))
#define q_set(x, y, z, w) _mm_setr_epi32((int)(x), (int)(y), (int)(z), (int)(w))
#define q_top(x) _mm_slli_si128(_mm_cvtsi32_si128((int)(x)), 12) /* 0, 0, 0, x */
#if HC_ISA != HC_SSE2
#define q_bytes(a, i) _mm_shuffle_epi8((a), (i))
#endif
#elif HC_ISA == HC_NEON
typedef uint32x4_t q32;
typedef uint64x2_t q64;
#define q_load v32_load
#define q_store v32_store
#define q_zero() vdupq_n_u32(0)
#define q_or(a, b) vorrq_u32((a), (b))
#define q_words(lo, hi) AS32(vcombine_u64(vcreate_u64(lo), vcreate_u64(hi)))
#define q_set(x, y, z, w) q_words((uint64_t)(y) << 32 | (x), (uint64_t)(w) << 32 | (z))
#define q_top(x) vsetq_lane_u32((x), vdupq_n_u32(0), 3)
#define q_bytes(a, i) vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(a), vreinterpretq_u8_u32(i)))
#if defined(__clang__)
#define q_quad(a, b, x, y, z, w) __builtin_shufflevector((a), (b), x, y, 4 + (z), 4 + (w))
#define q_blend(a, b, k) \
    __builtin_shufflevector((a), (b), (k) & 1 ? 4 : 0, (k) & 2 ? 5 : 1, (k) & 4 ? 6 : 2, (k) & 8 ? 7 : 3)
#define q_pair(a, i, b, j) __builtin_shufflevector((a), (b), (i), 2 + (j))
#else
#define q_quad(a, b, x, y, z, w) __builtin_shuffle((a), (b), (uint32x4_t){ x, y, 4 + (z), 4 + (w) })
#define q_blend(a, b, k) \
    __builtin_shuffle((a), (b), (uint32x4_t){ (k) & 1 ? 4 : 0, (k) & 2 ? 5 : 1, (k) & 4 ? 6 : 2, (k) & 8 ? 7 : 3 })
#define q_pair(a, i, b, j) __builtin_shuffle((a), (b), (uint64x2_t){ (i), 2 + (j) })
#endif
#else
typedef v128_t q32, q64;
#define q_load v32_load
#define q_store v32_store
#define q_zero() wasm_i32x4_splat(0)
#define q_or(a, b) wasm_v128_or((a), (b))
HC_INLINE q32 q_words(uint64_t lo, uint64_t hi)
{
    HC_NO_VECTOR(lo); /* clang 14 would vectorize what makes the two, and then combine shuffles for minutes */
    return wasm_i64x2_make((int64_t)lo, (int64_t)hi);
}
#define q_set(x, y, z, w) wasm_i32x4_make((int32_t)(x), (int32_t)(y), (int32_t)(z), (int32_t)(w))
#define q_top(x) wasm_i32x4_make(0, 0, 0, (int32_t)(x))
#define q_bytes(a, i) wasm_i8x16_swizzle((a), (i))
#define q_quad(a, b, x, y, z, w) wasm_i32x4_shuffle((a), (b), x, y, 4 + (z), 4 + (w))
#define q_blend(a, b, k) wasm_i32x4_shuffle((a), (b), (k) & 1 ? 4 : 0, (k) & 2 ? 5 : 1, (k) & 4 ? 6 : 2, (k) & 8 ? 7 : 3)
#define q_pair(a, i, b, j) wasm_i64x2_shuffle((a), (b), (i), 2 + (j))
#endif
#if HC_ISA != HC_SSE2
/* The last r (0..15) of the bytes that end in `end`, zero padded; the 16 bytes before `end` are readable. */
HC_INLINE q32 HC_NAME(q_slide)(const uint8_t *end, size_t r)
{
    static const uint8_t HC_ALIGN(32) slide[32] = { 0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,
                                       128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128 };
    return q_bytes(q_load(end - 16), q_load(slide + 16 - r));
}
#endif
/* n (0..15) bytes of p, zero padded, without reading another byte. */
HC_INLINE q32 HC_NAME(q_part)(const uint8_t *p, size_t n)
{
    uint64_t lo = 0, hi = 0;
    uint32_t x, y;
    if (n >= 8) {
        memcpy(&lo, p, 8);
        memcpy(&hi, p + n - 8, 8);
        hi = n == 8 ? 0 : hi >> (8 * (16 - n));
    } else if (n >= 4) {
        memcpy(&x, p, 4);
        memcpy(&y, p + n - 4, 4);
        lo = x | (uint64_t)y << (8 * (n - 4));
    } else if (n) {
        lo = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    return q_words(lo, hi);
}

/* Transposes. Every stage zips inside 128-bit lanes first, then moves whole 128-bit lanes; wider vectors only add a stage. */
#if HC_VL == 32
#define LANELO(a, b) _mm256_permute2x128_si256((a), (b), 0x20)
#define LANEHI(a, b) _mm256_permute2x128_si256((a), (b), 0x31)
#elif HC_VL == 64
#define LANELO(a, b) _mm512_shuffle_i32x4((a), (b), 0x88) /* lanes 0 2 | 0 2 */
#define LANEHI(a, b) _mm512_shuffle_i32x4((a), (b), 0xdd) /* lanes 1 3 | 1 3 */
#endif

/* t[g * P + k], g < HC_VL / 16: gather the g-th 128-bit lanes across groups. */
#if HC_VL == 16
#define ACROSS(r, t, P) HC_UNROLL for (int k = 0; k < (P); k++) (r)[k] = (t)[k]
#elif HC_VL == 32
#define ACROSS(r, t, P)                            \
    HC_UNROLL for (int k = 0; k < (P); k++) {      \
        (r)[k] = LANELO((t)[k], (t)[(P) + k]);     \
        (r)[(P) + k] = LANEHI((t)[k], (t)[(P) + k]); \
    }
#else
#define ACROSS(r, t, P)                                                                                     \
    HC_UNROLL for (int k = 0; k < (P); k++) {                                                               \
        v32 p = LANELO((t)[k], (t)[(P) + k]), q = LANEHI((t)[k], (t)[(P) + k]);                             \
        v32 s = LANELO((t)[2 * (P) + k], (t)[3 * (P) + k]), u = LANEHI((t)[2 * (P) + k], (t)[3 * (P) + k]); \
        (r)[k] = LANELO(p, s);                                                                              \
        (r)[2 * (P) + k] = LANEHI(p, s);                                                                    \
        (r)[(P) + k] = LANELO(q, u);                                                                        \
        (r)[3 * (P) + k] = LANEHI(q, u);                                                                    \
    }
#endif

HC_INLINE void v32_transpose(v32 r[HC_L32]) /* HC_L32 x HC_L32 words */
{
    v32 t[HC_L32];
    HC_UNROLL
    for (int g = 0; g < HC_L32; g += 4) {
        v32 a = ZIPLO32(r[g], r[g + 1]), b = ZIPHI32(r[g], r[g + 1]);
        v32 c = ZIPLO32(r[g + 2], r[g + 3]), d = ZIPHI32(r[g + 2], r[g + 3]);
        t[g] = ZIPLO64(a, c);
        t[g + 1] = ZIPHI64(a, c);
        t[g + 2] = ZIPLO64(b, d);
        t[g + 3] = ZIPHI64(b, d);
    }
    ACROSS(r, t, 4);
}
/* 64 bytes of every lane, in[j] + off, as 16 words; 128 bytes as 16 double words */
#if HC_VL == 64
HC_INLINE v32 HC_NAME(load_halves)(const uint8_t *p, const uint8_t *q) /* the insertion from memory is no shuffle */
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)p)),
                              _mm256_loadu_si256((const __m256i *)(const void *)q), 1);
}
HC_INLINE void v32_gather_block(v32 m[16], const uint8_t *const *in, size_t off)
{
    HC_UNROLL
    for (int h = 0; h < 2; h++) { /* words 0 to 7, then 8 to 15; lanes 0 to 7, then 8 to 15, each in two halves of four */
        v32 t[2][4];
        HC_UNROLL
        for (int g = 0; g < 2; g++) {
            const uint8_t *const *x = in + 8 * g;
            size_t at = off + 32 * (size_t)h;
            v32 r0 = HC_NAME(load_halves)(x[0] + at, x[4] + at), r1 = HC_NAME(load_halves)(x[1] + at, x[5] + at);
            v32 r2 = HC_NAME(load_halves)(x[2] + at, x[6] + at), r3 = HC_NAME(load_halves)(x[3] + at, x[7] + at);
            v32 a = ZIPLO32(r0, r1), b = ZIPHI32(r0, r1), c = ZIPLO32(r2, r3), d = ZIPHI32(r2, r3);
            t[g][0] = ZIPLO64(a, c);
            t[g][1] = ZIPHI64(a, c);
            t[g][2] = ZIPLO64(b, d);
            t[g][3] = ZIPHI64(b, d);
        }
        HC_UNROLL
        for (int k = 0; k < 4; k++) {
            m[8 * h + k] = LANELO(t[0][k], t[1][k]);
            m[8 * h + 4 + k] = LANEHI(t[0][k], t[1][k]);
        }
    }
}
#else
HC_INLINE void v32_gather_block(v32 m[16], const uint8_t *const *in, size_t off)
{
    HC_UNROLL
    for (int g = 0; g < 16; g += HC_L32) {
        HC_UNROLL
        for (int j = 0; j < HC_L32; j++) m[g + j] = v32_load(in[j] + off + 4 * g);
        v32_transpose(m + g);
    }
}
#endif
HC_INLINE void v64_gather_block(v64 m[16], const uint8_t *const *in, size_t off)
{
    HC_UNROLL
    for (int g = 0; g < 16; g += HC_L64) {
        v32 t[HC_L64], r[HC_L64];
        HC_UNROLL
        for (int j = 0; j < HC_L64; j += 2) {
            v32 a = v32_load(in[j] + off + 8 * g), b = v32_load(in[j + 1] + off + 8 * g);
            t[j] = ZIPLO64(a, b);
            t[j + 1] = ZIPHI64(a, b);
        }
        ACROSS(r, t, 2);
        HC_UNROLL
        for (int j = 0; j < HC_L64; j++) m[g + j] = AS64(r[j]);
    }
}
#if HC_VL == 32
/* Words w[0..3] of lane j to AT(j): two 128-bit stores instead of vperm2i128, which has one pipe only (output blocks on
 * Zen 3: 366 against 416 cycles a step). */
#define STORE_QUARTER(w, AT)                                                                                  \
    do {                                                                                                      \
        v32 a_ = ZIPLO32((w)[0], (w)[1]), b_ = ZIPHI32((w)[0], (w)[1]);                                       \
        v32 c_ = ZIPLO32((w)[2], (w)[3]), d_ = ZIPHI32((w)[2], (w)[3]);                                       \
        v32 t_[4];                                                                                            \
        t_[0] = ZIPLO64(a_, c_);                                                                              \
        t_[1] = ZIPHI64(a_, c_);                                                                              \
        t_[2] = ZIPLO64(b_, d_);                                                                              \
        t_[3] = ZIPHI64(b_, d_);                                                                              \
        HC_UNROLL                                                                                             \
        for (int j = 0; j < 4; j++) {                                                                         \
            _mm_storeu_si128((__m128i *)(void *)(AT(j)), _mm256_castsi256_si128(t_[j]));                      \
            _mm_storeu_si128((__m128i *)(void *)(AT(j + 4)), _mm256_extracti128_si256(t_[j], 1));             \
        }                                                                                                     \
    } while (0)
#define SCATTER8(h, AT)                             \
    do {                                            \
        STORE_QUARTER(h, AT);                       \
        STORE_QUARTER((h) + 4, 16 + AT);            \
    } while (0)
#elif HC_VL == 16
#define SCATTER8(h, AT)                                                          \
    HC_UNROLL for (int g = 0; g < 8; g += 4) {                                   \
        v32 r_[4];                                                               \
        HC_UNROLL                                                                \
        for (int j = 0; j < 4; j++) r_[j] = (h)[g + j];                          \
        v32_transpose(r_);                                                       \
        HC_UNROLL                                                                \
        for (int j = 0; j < 4; j++) v32_store(AT(j) + 4 * g, r_[j]);             \
    }
#else
HC_INLINE void HC_NAME(store_half)(uint8_t *p, v32 x, int high)
{
    _mm256_storeu_si256((__m256i *)(void *)p, high ? _mm512_extracti64x4_epi64(x, 1) : _mm512_castsi512_si256(x));
}
/* t[g][k]: words 4g .. 4g + 3 of lanes k, 4 + k, 8 + k, 12 + k */
#define SCATTER8(h, AT)                                                                                       \
    do {                                                                                                      \
        const v64 low_ = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);                                         \
        const v64 high_ = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);                                      \
        v32 t_[2][4];                                                                                         \
        HC_UNROLL                                                                                             \
        for (int g = 0; g < 2; g++) {                                                                         \
            v32 a_ = ZIPLO32((h)[4 * g], (h)[4 * g + 1]), b_ = ZIPHI32((h)[4 * g], (h)[4 * g + 1]);           \
            v32 c_ = ZIPLO32((h)[4 * g + 2], (h)[4 * g + 3]), d_ = ZIPHI32((h)[4 * g + 2], (h)[4 * g + 3]);   \
            t_[g][0] = ZIPLO64(a_, c_);                                                                       \
            t_[g][1] = ZIPHI64(a_, c_);                                                                       \
            t_[g][2] = ZIPLO64(b_, d_);                                                                       \
            t_[g][3] = ZIPHI64(b_, d_);                                                                       \
        }                                                                                                     \
        HC_UNROLL                                                                                             \
        for (int k = 0; k < 4; k++) {                                                                         \
            v32 x_ = _mm512_permutex2var_epi64(t_[0][k], low_, t_[1][k]);                                     \
            v32 y_ = _mm512_permutex2var_epi64(t_[0][k], high_, t_[1][k]);                                    \
            HC_NAME(store_half)(AT(k), x_, 0);                                                                \
            HC_NAME(store_half)(AT(k + 4), x_, 1);                                                            \
            HC_NAME(store_half)(AT(k + 8), y_, 0);                                                            \
            HC_NAME(store_half)(AT(k + 12), y_, 1);                                                           \
        }                                                                                                     \
    } while (0)
#endif
/* 8 words of every lane j to out + 32 j, or to out[j] */
HC_INLINE void v32_scatter8(uint8_t *out, const v32 h[8])
{
#define AT_(j) (out + 32 * (j))
    SCATTER8(h, AT_);
#undef AT_
}
HC_INLINE void v32_scatter8_to(uint8_t *const *out, const v32 h[8])
{
#define AT_(j) (out[j])
    SCATTER8(h, AT_);
#undef AT_
}
/* 16 words of every lane to out + 64 lane */
HC_INLINE void v32_scatter_block(uint8_t *out, v32 v[16])
{
#if HC_VL == 32
    HC_UNROLL
    for (int g = 0; g < 16; g += 4) {
#define AT_(j) (out + 4 * g + 64 * (j))
        STORE_QUARTER(v + g, AT_);
#undef AT_
    }
#else
    HC_UNROLL
    for (int g = 0; g < 16; g += HC_L32) {
        v32_transpose(v + g);
        HC_UNROLL
        for (int j = 0; j < HC_L32; j++) v32_store(out + 64 * j + 4 * g, v[g + j]);
    }
#endif
}
