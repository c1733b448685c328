/* blake3_lanes.inc.h - BLAKE3 with one input, or one output block, in each lane: HC_L32 compressions at once.
 *
 * Sixteen state words and a temporary need seventeen registers. Word 8 therefore lives in memory (s8) between its two
 * uses: c += d reads it as the memory operand it would have been anyway, so the spill costs one store. Each half of G
 * runs over the four columns in three steps; on Zen 3 any order between this and full lockstep runs alike (24 cycles a
 * half round against 18 by operation count: the pipes are chosen at dispatch), but this one leaves both compilers
 * without a single further spill or register move. */
#if HC_ISA >= HC_SSE2 && HC_ISA <= HC_AVX2
#define B3_SPILLS 1 /* sixteen registers or less */
#define B3_V8 s8
#else
#define B3_SPILLS 0
#define B3_V8 v[8]
#endif

#if B3_SPILLS
#define B3_A(a, b, x) hc_add_m(v[a], m[x]); hc_add(v[a], v[b]);
#else
#define B3_A(a, b, x) hc_add(v[a], m[x]); hc_add(v[a], v[b]);
#endif
#define B3_D(d, a, ror) hc_xor(v[d], v[a]); ror(v32, v[d]);
#define B3_D1(d, a, ror) hc_xor3_m(v[d], v[a], row3[(d) - 12]); ror(v32, v[d]);
#define B3_C(c, d) if (B3_SPILLS && (c) == 8) { hc_add3_m(v[8], v[d], s8); } else { hc_add(v[c], v[d]); }
#define B3_C1(c, d) hc_add3_m(v[c], v[d], *(const v32 *)(const void *)HC_NAME(b3_iv)[(c) - 8]);
#define B3_B(b, c, n) hc_xor(v[b], v[c]); if (B3_SPILLS && (c) == 8) { hc_spill(s8, v[8]); } hc_ror_n(v32, v[b], n);

#define B3_HALF(D, C, ror, n, a0, b0, c0, d0, x0, a1, b1, c1, d1, x1, a2, b2, c2, d2, x2, a3, b3, c3, d3, x3) \
    B3_A(a0, b0, x0) B3_A(a1, b1, x1) B3_A(a2, b2, x2) B3_A(a3, b3, x3)                                       \
    D(d0, a0, ror) D(d1, a1, ror) D(d2, a2, ror) D(d3, a3, ror)                                               \
    C(c0, d0) B3_B(b0, c0, n) C(c1, d1) B3_B(b1, c1, n) C(c2, d2) B3_B(b2, c2, n) C(c3, d3) B3_B(b3, c3, n)
#define B3_COLUMNS(D, C, ror, n, x0, x1, x2, x3) \
    B3_HALF(D, C, ror, n, 0, 4, 8, 12, x0, 1, 5, 9, 13, x1, 2, 6, 10, 14, x2, 3, 7, 11, 15, x3)
/* the diagonal that owns word 8 first, so that word 8 leaves its register first */
#define B3_DIAGONALS(ror, n, x0, x1, x2, x3) \
    B3_HALF(B3_D, B3_C, ror, n, 2, 7, 8, 13, x2, 3, 4, 9, 14, x3, 0, 5, 10, 15, x0, 1, 6, 11, 12, x1)
#define B3_ROUND_(D, C, s0, s1, s2, s3, s4, s5, s6, s7, s8_, s9, sa, sb, sc, sd, se, sf) \
    B3_COLUMNS(D, C, hc_ror16, 12, s0, s2, s4, s6)                                       \
    B3_COLUMNS(B3_D, B3_C, hc_ror8, 7, s1, s3, s5, s7)                                   \
    B3_DIAGONALS(hc_ror16, 12, s8_, sa, sc, se)                                          \
    B3_DIAGONALS(hc_ror8, 7, s9, sb, sd, sf)
#define B3_ROUND1(...) B3_ROUND_(B3_D1, B3_C1, __VA_ARGS__) /* rows 2 and 3 straight from memory */
#define B3_ROUND(...) B3_ROUND_(B3_D, B3_C, __VA_ARGS__)

/* v[0..7]: chaining value in; row3: counter, length, flags; m: message. Where B3_SPILLS is 1, v[8] is left in s8. */
#define B3_ROUNDS                                                   \
    B3_ROUND1(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) \
    B3_ROUND(2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)  \
    B3_ROUND(3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1)  \
    B3_ROUND(10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6)  \
    B3_ROUND(12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4)  \
    B3_ROUND(9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7)  \
    B3_ROUND(11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13)

#if B3_SPILLS
#define B3_FORWARD hc_xor_m(v[0], s8); HC_UNROLL for (int i = 1; i < 8; i++) hc_xor(v[i], v[8 + i]);
#else
#define B3_FORWARD (void)s8; HC_UNROLL for (int i = 0; i < 8; i++) hc_xor(v[i], v[8 + i]);
#endif

/* row 2 of every first round, a vector a word: memory operands that no call has to set up */
#define B3_X4(x) x, x, x, x
#define B3_X16(x) { B3_X4(x), B3_X4(x), B3_X4(x), B3_X4(x) }
static const uint32_t HC_ALIGN(64) HC_NAME(b3_iv)[4][16] = { B3_X16(0x6a09e667), B3_X16(0xbb67ae85), B3_X16(0x3c6ef372),
                                                               B3_X16(0xa54ff53a) };

/* row3[0..1] = counter + j in lane j (counter alone when step is 0). Vector arithmetic unless a low word wraps within
 * these lanes: scalar stores read back as one vector would stall. */
HC_INLINE void HC_NAME(b3_counters)(v32 row3[2], uint64_t counter, int step)
{
    static const uint32_t index[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    row3[0] = v32_set1((uint32_t)counter);
    row3[1] = v32_set1((uint32_t)(counter >> 32));
    if (!step) return;
    if ((uint32_t)counter <= UINT32_MAX - HC_L32) {
        row3[0] = v32_add(row3[0], v32_load(index));
    } else {
        uint32_t lo[HC_L32], hi[HC_L32];
        for (int j = 0; j < HC_L32; j++) {
            lo[j] = (uint32_t)(counter + (uint64_t)j);
            hi[j] = (uint32_t)((counter + (uint64_t)j) >> 32);
        }
        row3[0] = v32_load(lo);
        row3[1] = v32_load(hi);
    }
}

#if HC_ISA == HC_AVX2 || HC_ISA == HC_AVX512VL
/* As v32_gather_block, but the 128-bit halves meet by broadcast load and blend: a blend runs on any of four pipes,
 * vperm2i128 and vinserti128 on one. */
HC_INLINE void HC_NAME(b3_gather)(v32 m[16], const uint8_t *const *in, size_t off)
{
    HC_UNROLL
    for (int g = 0; g < 16; g += 4) {
        v32 r[4], a, b, c, d;
        HC_UNROLL
        for (int j = 0; j < 4; j++) {
            const uint8_t *p = in[j] + off + 4 * g, *q = in[j + 4] + off + 4 * g;
            v32 hi;
            /* clang would turn the intrinsic and the blend back into vinserti128 */
            __asm__("vbroadcasti128 %1, %0" : "=x"(hi) : "m"(*(const __m128i_u *)(const void *)q));
            r[j] = _mm256_blend_epi32(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)p)), hi, 0xf0);
        }
        a = ZIPLO32(r[0], r[1]);
        b = ZIPHI32(r[0], r[1]);
        c = ZIPLO32(r[2], r[3]);
        d = ZIPHI32(r[2], r[3]);
        m[g] = ZIPLO64(a, c);
        m[g + 1] = ZIPHI64(a, c);
        m[g + 2] = ZIPLO64(b, d);
        m[g + 3] = ZIPHI64(b, d);
    }
}
#else
#define b3_gather_portable v32_gather_block
#define b3_gather_sse2 v32_gather_block
#define b3_gather_sse41 v32_gather_block
#define b3_gather_avx512 v32_gather_block
#define b3_gather_neon v32_gather_block
#define b3_gather_simd128 v32_gather_block
#endif

/* HC_L32 inputs of `blocks` whole blocks each, as slot b3_many has them. */
static HC_NOINLINE void HC_NAME(b3_lanes)(uint8_t *out, const uint8_t key[32], const uint8_t *const *in, size_t blocks,
                              uint64_t counter, int step, unsigned flags, unsigned first, unsigned last)
{
    v32 v[16], m[16], row3[4], s8;
    HC_NAME(b3_counters)(row3, counter, step);
    row3[2] = v32_set1(64);
    HC_UNROLL
    for (int i = 0; i < 8; i++) v[i] = v32_set1(hc_load32le(key + 4 * i));
    for (size_t b = 0; b < blocks; b++) {
        unsigned f = flags | (b == 0 ? first : 0) | (b + 1 == blocks ? last : 0);
        HC_NAME(b3_gather)(m, in, 64 * b);
#if HC_L32 >= 8 /* so many streams are more than the hardware follows: the next 16 chunks' lines (64 MiB: 0.90 -> 1.13 of
                 * the official assembly; 256 B or 8 KiB ahead 0.96, 1.03). A prefetch never faults. */
        HC_UNROLL
        for (int j = 0; j < HC_L32; j++) _mm_prefetch((const char *)(in[j] + 64 * b + (16 << 10)), _MM_HINT_T0);
#endif
        row3[3] = v32_set1(f);
        B3_ROUNDS
        B3_FORWARD
    }
    v32_scatter8(out, v);
}

/* n (1..HC_L32) inputs at in, in + stride, ...: lanes without one repeat the last and are dropped. */
static void HC_NAME(b3_lanes_at)(uint8_t *out, const uint8_t key[32], const uint8_t *in, size_t stride, size_t n,
                                 size_t blocks, uint64_t counter, int step, unsigned flags, unsigned first, unsigned last)
{
    const uint8_t *p[HC_L32];
    uint8_t spare[HC_L32 * 32];
    for (size_t j = 0; j < HC_L32; j++) {
        p[j] = in;
        if (j + 1 < n) in += stride;
        HC_NO_VECTOR(in);
    }
    HC_NAME(b3_lanes)(n == HC_L32 ? out : spare, key, p, blocks, counter, step, flags, first, last);
    if (n == HC_L32) return;
    for (size_t j = 0; j < 2 * n; j++) memcpy(out + 16 * j, spare + 16 * j, 16); /* no wider than they were stored */
}

/* HC_L32 output blocks at a time, and the last ones through a buffer. */
static void HC_NAME(b3_xof_lanes)(uint8_t *out, const uint8_t cv[32], const uint8_t block[64], unsigned len,
                                  uint64_t counter, unsigned flags, size_t blocks)
{
    v32 v[16], m[16], h[8], row3[4], s8;
    uint8_t spare[64 * HC_L32];
    HC_UNROLL
    for (int i = 0; i < 8; i++) h[i] = v32_set1(hc_load32le(cv + 4 * i));
    HC_UNROLL
    for (int i = 0; i < 16; i++) m[i] = v32_set1(hc_load32le(block + 4 * i));
    row3[2] = v32_set1(len);
    row3[3] = v32_set1(flags);
    while (blocks) {
        size_t take = blocks < HC_L32 ? blocks : HC_L32;
        HC_NAME(b3_counters)(row3, counter, 1);
        HC_UNROLL
        for (int i = 0; i < 8; i++) v[i] = h[i];
        B3_ROUNDS
        B3_FORWARD
        v[8] = B3_V8;
        HC_UNROLL
        for (int i = 0; i < 8; i++) hc_xor_m(v[8 + i], h[i]);
        v32_scatter_block(take == HC_L32 ? out : spare, v);
        if (take != HC_L32)
            for (size_t j = 0; j < take; j++) memcpy(out + 64 * j, spare + 64 * j, 64);
        blocks -= take;
        counter += take;
        out += 64 * take;
    }
}

/* ---- Jobs: every lane with its own length, counter, flags and output ---------------------------------------------- */

/* The last block of a job, zero padded: in place when it is whole, else copied with the stores that its loads want. */
HC_INLINE const uint8_t *HC_NAME(b3_last_block)(uint8_t pad[64], const uint8_t *in, unsigned len)
{
    if (len == 64) return in;
#if HC_ISA == HC_AVX512 || HC_ISA == HC_AVX512VL
    _mm512_store_si512(pad, _mm512_maskz_loadu_epi8(((__mmask64)1 << len) - 1, in));
#elif HC_ISA >= HC_SSE2 && HC_ISA <= HC_AVX2
    {
        __m128i m[4];
        HC_NAME(b3_load_padded)(m, in, len);
        for (int i = 0; i < 4; i++) _mm_store_si128((__m128i *)(void *)(pad + 16 * i), m[i]);
    }
#else
    memset(pad, 0, 64);
    if (len) memcpy(pad, in, len);
#endif
    return pad;
}

/* Jobs from `i` on, sorted by blocks, longest first; all HC_L32 lanes are there, the spare ones with an output of their own. */
HC_INTERNAL void HC_NAME(hc_b3_group)(const uint8_t key[32], unsigned flags, const hc_b3_sorted *x, size_t i);
HC_INTERNAL void HC_NAME(hc_b3_group)(const uint8_t key[32], unsigned flags, const hc_b3_sorted *x, size_t i)
{
    const unsigned most = x->blocks[i], least = x->blocks[i + HC_L32 - 1];
    const unsigned start = flags & HC_B3_PARENT ? 0 : HC_B3_CHUNK_START;
    v32 v[16], m[16], row3[4], s8;
    const uint8_t *in[HC_L32];
    uint8_t HC_ALIGN(64) pad[HC_L32][64];
    for (size_t j = 0; j < HC_L32; j++) in[j] = x->in[i + j];
    row3[0] = v32_load(x->low + i);
    row3[1] = v32_load(x->high + i);
    HC_UNROLL
    for (int k = 0; k < 8; k++) v[k] = v32_set1(hc_load32le(key + 4 * k));
    for (unsigned b = 1; b <= most; b++) { /* block b, counted from 1 */
        uint8_t *out[HC_L32], spare[32];
        if (b < least) {
            row3[2] = v32_set1(64);
            row3[3] = v32_set1(flags | (b == 1 ? start : 0));
        } else {
            for (size_t j = 0; j < HC_L32; j++)
                if (b == x->blocks[i + j]) in[j] = HC_NAME(b3_last_block)(pad[j], in[j], x->size[i + j]);
            if (most == least) {
                row3[2] = v32_load(x->size + i);
                row3[3] = v32_load(x->flags + i);
            } else { /* a lane that has ended computes something that nobody reads */
                uint32_t size[HC_L32], flag[HC_L32];
                for (size_t j = 0; j < HC_L32; j++) {
                    size[j] = b == x->blocks[i + j] ? x->size[i + j] : 64;
                    flag[j] = b == x->blocks[i + j] ? x->flags[i + j] : flags | (b == 1 ? start : 0);
                }
                row3[2] = v32_load(size);
                row3[3] = v32_load(flag);
            }
        }
        HC_NAME(b3_gather)(m, in, 0);
        B3_ROUNDS
        B3_FORWARD
        if (most == least && b == most) {
            v32_scatter8_to(x->out + i, v);
            return;
        }
        if (b >= least) {
            for (size_t j = 0; j < HC_L32; j++) out[j] = b == x->blocks[i + j] ? x->out[i + j] : spare;
            v32_scatter8_to(out, v);
        }
        for (size_t j = 0; j < HC_L32; j++)
            if (b < x->blocks[i + j]) in[j] += 64;
    }
}
