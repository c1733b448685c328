/* sha256_shani.inc.h - SHA-256 with the SHA instructions: one stream, and two or three interleaved.
 *
 * sha256rnds2 has a latency of 4 cycles and a throughput of 1 to 3, so one stream (2.0 cycles a byte, and no code can
 * change that) leaves most of the unit idle; independent streams fill the rest. On Ice Lake sha256msg2 keeps it from one
 * stream for 5 cycles; the same words by AVX-512's rotations cost nothing there (HC_SHANI_VL: 163 to 134 cycles a block,
 * of which 128 are the chain; sha256msg1 by rotations too: 140; by AVX's shifts: 175). All is written for NS streams, NS
 * being a literal, with literal indices and no loops: clang unrolls loops only after it has put such arrays into memory.
 *
 * A state is kept as the instructions want it: ab = {F, E, B, A}, cd = {H, G, D, C}, lowest word first. */
#include "gather.h"
#include "sha256_end.inc.h"
#define LD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define LD8(p) _mm_loadl_epi64((const __m128i *)(const void *)(p))
#define ST(p, v) _mm_storeu_si128((__m128i *)(void *)(p), (v))
#define ADD(a, b) _mm_add_epi32((a), (b))
/* Keep the written order of the streams' rounds. gcc 12 gains 2 to 7 %; clang 14 gains where messages are short and loses
 * more where they are long. */
#if defined(__clang__) || HC_ISA == HC_SHANI_VL
#define PIN(x) (void)0
#else
#define PIN(x) __asm__ volatile("" : "+x"(x))
#endif

/* byte shuffles: swap each word; undo the state's order and swap (one half of the digest) */
static const uint8_t HC_ALIGN(16) NI_SWAP[16] = {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12};
static const uint8_t HC_ALIGN(16) NI_OUT[16] = {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};

/* One stream. w holds the block as big-endian words; m is W + K of this step; k is K. */
typedef struct { __m128i ab, cd, a, c, m, w[4]; const uint32_t *k; } ni_t;

/* A step is four rounds, cut in two so that the streams can alternate. */
HC_INLINE void ni_lo(ni_t *x, const int q)
{
    x->m = ADD(x->w[q & 3], LD(x->k + 4 * q));
    x->c = _mm_sha256rnds2_epu32(x->c, x->a, x->m);
    PIN(x->c);
}
#if HC_ISA == HC_SHANI_VL
#define NI_SIGMA1(y) /* FIPS 180-4, 4.1.2 */                                                                           \
    _mm_ternarylogic_epi32(_mm_ror_epi32((y), 17), _mm_ror_epi32((y), 19), _mm_srli_epi32((y), 10), 0x96)
HC_INLINE void ni_hi(ni_t *x, const int q)
{
    x->a = _mm_sha256rnds2_epu32(x->a, x->c, _mm_shuffle_epi32(x->m, 0x0e));
    if (q < 12) { /* the words of four steps later, so that no round waits for them: two, then the two that need those */
        const __m128i w3 = x->w[(q + 3) & 3];
        __m128i t = _mm_sha256msg1_epu32(x->w[q & 3], x->w[(q + 1) & 3]);
        t = ADD(t, _mm_alignr_epi8(w3, x->w[(q + 2) & 3], 4));
        t = ADD(t, _mm_srli_si128(NI_SIGMA1(w3), 8));
        x->w[q & 3] = ADD(t, _mm_slli_si128(NI_SIGMA1(t), 8));
    }
}
#else
HC_INLINE void ni_hi(ni_t *x, const int q)
{
    if (q >= 3 && q < 15) {
        __m128i t = ADD(x->w[(q + 1) & 3], _mm_alignr_epi8(x->w[q & 3], x->w[(q + 3) & 3], 4));
        x->w[(q + 1) & 3] = _mm_sha256msg2_epu32(t, x->w[q & 3]);
    }
    x->a = _mm_sha256rnds2_epu32(x->a, x->c, _mm_shuffle_epi32(x->m, 0x0e));
    PIN(x->a);
    if (q >= 1 && q < 13) x->w[(q + 3) & 3] = _mm_sha256msg1_epu32(x->w[(q + 3) & 3], x->w[q & 3]);
}
#endif
HC_INLINE void ni_begin(ni_t *x)
{
    x->a = x->ab;
    x->c = x->cd;
    x->k = hc_sha256_k;
    HC_NO_VECTOR(x->k); /* or gcc 12 loads it once into AVX-512's further registers, and copies rnds2's operands there and back */
}
HC_INLINE void ni_end(ni_t *x) { x->ab = ADD(x->ab, x->a); x->cd = ADD(x->cd, x->c); }

#define EACH(f) do { f(x); if (NS > 1) f(x + 1); if (NS > 2) f(x + 2); } while (0)
#define EACH_(f, q) do { f(x, q); if (NS > 1) f(x + 1, q); if (NS > 2) f(x + 2, q); } while (0)
#define STEP16(S) S(0) S(1) S(2) S(3) S(4) S(5) S(6) S(7) S(8) S(9) S(10) S(11) S(12) S(13) S(14) S(15)
#define NI_STEP(q) EACH_(ni_lo, q); EACH_(ni_hi, q);
HC_INLINE void ni_block(ni_t *x, const int NS) { EACH(ni_begin); STEP16(NI_STEP) EACH(ni_end); }

/* The same for the block whose schedule is known. */
#define NI_LO64(q) LD(hc_sha256_pad64 + 4 * (q))
#define NI_HI64(q) LD8(hc_sha256_pad64 + 4 * (q) + 2)
HC_INLINE void ni_lo_wk(ni_t *x, __m128i m) { x->c = _mm_sha256rnds2_epu32(x->c, x->a, m); PIN(x->c); }
HC_INLINE void ni_hi_wk(ni_t *x, __m128i m) { x->a = _mm_sha256rnds2_epu32(x->a, x->c, m); PIN(x->a); }
#define NI_STEP_WK(q) { const __m128i lo = NI_LO64(q), hi = NI_HI64(q); EACH_(ni_lo_wk, lo); EACH_(ni_hi_wk, hi); }
HC_INLINE void ni_block_pad64(ni_t *x, const int NS) { EACH(ni_begin); STEP16(NI_STEP_WK) EACH(ni_end); }

HC_INLINE void ni_load(ni_t *s, const uint32_t st[8])
{
    __m128i x = _mm_shuffle_epi32(LD(st), 0x1b), y = _mm_shuffle_epi32(LD(st + 4), 0x1b); /* DCBA HGFE */
    s->ab = _mm_unpackhi_epi64(y, x);
    s->cd = _mm_unpacklo_epi64(y, x);
}
HC_INLINE void ni_store(uint32_t st[8], const ni_t *s)
{
    ST(st, _mm_shuffle_epi32(_mm_unpackhi_epi64(s->cd, s->ab), 0x1b));
    ST(st + 4, _mm_shuffle_epi32(_mm_unpacklo_epi64(s->cd, s->ab), 0x1b));
}
HC_INLINE void ni_digest(uint8_t out[32], const ni_t *s)
{
    const __m128i o = LD(NI_OUT);
    ST(out, _mm_shuffle_epi8(_mm_unpackhi_epi64(s->ab, s->cd), o));
    ST(out + 16, _mm_shuffle_epi8(_mm_unpacklo_epi64(s->ab, s->cd), o));
}
HC_INLINE void ni_words(ni_t *x, const uint8_t *p)
{
    const __m128i sw = LD(NI_SWAP);
    x->w[0] = _mm_shuffle_epi8(LD(p), sw); x->w[1] = _mm_shuffle_epi8(LD(p + 16), sw);
    x->w[2] = _mm_shuffle_epi8(LD(p + 32), sw); x->w[3] = _mm_shuffle_epi8(LD(p + 48), sw);
}

/* ---- Whole blocks of one, two or three states ------------------------------------- */
#define IF2(...) do { if (NS > 1) { __VA_ARGS__ } } while (0)
#define IF3(...) do { if (NS > 2) { __VA_ARGS__ } } while (0)
#define NI_BLOCKS(N)                                                                                                   \
    static void ni_blocks##N(uint32_t *st, const uint8_t *const *in, size_t blocks)                                    \
    {                                                                                                                  \
        enum { NS = N };                                                                                               \
        ni_t x[3];                                                                                                     \
        const uint8_t *p0 = in[0], *p1 = NS > 1 ? in[1] : p0, *p2 = NS > 2 ? in[2] : p0;                               \
        ni_load(x, st); IF2(ni_load(x + 1, st + 8);); IF3(ni_load(x + 2, st + 16););                                   \
        for (; blocks; blocks--) {                                                                                     \
            ni_words(x, p0); p0 += 64;                                                                                 \
            IF2(ni_words(x + 1, p1); p1 += 64;); IF3(ni_words(x + 2, p2); p2 += 64;);                                  \
            ni_block(x, NS);                                                                                           \
        }                                                                                                              \
        ni_store(st, x); IF2(ni_store(st + 8, x + 1);); IF3(ni_store(st + 16, x + 2););                                \
    }
NI_BLOCKS(1)
void HC_NAME(hc_sha256_blocks)(uint32_t st[8], const uint8_t *in, size_t blocks) { ni_blocks1(st, &in, blocks); }

/* ---- The end of a message, straight from where it lies ------------------------------
 * No buffer: a partial 16-byte piece is read as the message's last 16 bytes and shifted into place, so nothing outside
 * the message is read and no load waits for a narrower store. */
static const uint8_t HC_ALIGN(64) NI_SHIFT[32] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128};
static const uint8_t HC_ALIGN(64) NI_BIT[32] = {[16] = 128};
HC_INLINE uint64_t ni_ld64(const uint8_t *p) { uint64_t x; memcpy(&x, p, 8); return x; }
HC_INLINE uint32_t ni_ld32(const uint8_t *p) { uint32_t x; memcpy(&x, p, 4); return x; }

/* The last r = n % 16 bytes of p[0..n), then 0x80, then zeros; as words. */
HC_INLINE __m128i ni_last(const uint8_t *p, size_t n)
{
    const size_t r = n & 15;
    __m128i x;
    if (n >= 16) {
        x = _mm_shuffle_epi8(LD(p + n - 16), LD(NI_SHIFT + 16 - r));
    } else if (r >= 8) {
        const uint64_t high = r > 8 ? ni_ld64(p + r - 8) >> (8 * (16 - r)) : 0;
        x = _mm_set_epi64x((long long)high, (long long)ni_ld64(p));
    } else if (r >= 4) {
        x = _mm_cvtsi64_si128((long long)(ni_ld32(p) | (uint64_t)ni_ld32(p + r - 4) << (8 * (r - 4))));
    } else if (r) {
        x = _mm_cvtsi32_si128((int)(p[0] | (uint32_t)p[r >> 1] << (8 * (r >> 1)) | (uint32_t)p[r - 1] << (8 * (r - 1))));
    } else {
        x = _mm_setzero_si128();
    }
    return _mm_shuffle_epi8(_mm_or_si128(x, LD(NI_BIT + 16 - r)), LD(NI_SWAP));
}
/* the length in bits, in words 2 and 3 */
HC_INLINE __m128i ni_bits(uint64_t bytes)
{
    const uint64_t b = bytes << 3;
    return _mm_slli_si128(_mm_cvtsi64_si128((long long)(b << 32 | b >> 32)), 8);
}
/* Message p[0..n) from offset n - n % 64 on. Returns 1 if one more block, of padding only, is to come. */
HC_INLINE int ni_tail(ni_t *x, const uint8_t *p, size_t n, uint64_t total)
{
    const __m128i sw = LD(NI_SWAP), z = _mm_setzero_si128(), bits = ni_bits(total), last = ni_last(p, n);
    const size_t pieces = n >> 4 & 3;
    x->w[1] = x->w[2] = z;
    x->w[3] = bits;
    if (pieces == 0) { x->w[0] = last; return 0; } /* p may be NULL */
    const uint8_t *q = p + (n - n % 64);
    x->w[0] = _mm_shuffle_epi8(LD(q), sw);
    if (pieces == 1) { x->w[1] = last; return 0; }
    x->w[1] = _mm_shuffle_epi8(LD(q + 16), sw);
    if (pieces == 2) { x->w[2] = last; return 0; }
    x->w[2] = _mm_shuffle_epi8(LD(q + 32), sw);
    if (n % 16 < 8) { x->w[3] = _mm_or_si128(last, bits); return 0; }
    x->w[3] = last;
    return 1;
}
HC_INLINE void ni_padding(ni_t *x, uint64_t total)
{
    x->w[0] = x->w[1] = x->w[2] = _mm_setzero_si128();
    x->w[3] = ni_bits(total);
}

/* ---- Whole messages of one shape, N at a time -----------------------------------------
 * m: which messages. */
#define NI_GROUP(N)                                                                                                    \
    HC_INLINE void ni_group##N(uint8_t *out, const uint32_t st[8], uint64_t before, const uint8_t *const *in,          \
                               const size_t *len, const uint8_t *m)                                                    \
    {                                                                                                                  \
        enum { NS = N };                                                                                               \
        ni_t x[3];                                                                                                     \
        const size_t m0 = m[0], m1 = NS > 1 ? m[1] : m0, m2 = NS > 2 ? m[2] : m0;                                      \
        const uint8_t *p0 = in[m0], *p1 = in[m1], *p2 = in[m2];                                                        \
        const size_t n0 = len[m0], n1 = len[m1], n2 = len[m2];                                                         \
        ni_load(x, st);                                                                                                \
        IF2(x[1].ab = x[0].ab; x[1].cd = x[0].cd;); IF3(x[2].ab = x[0].ab; x[2].cd = x[0].cd;);                        \
        for (size_t off = 0; off + 64 <= n0; off += 64) {                                                              \
            ni_words(x, p0 + off); IF2(ni_words(x + 1, p1 + off);); IF3(ni_words(x + 2, p2 + off););                   \
            ni_block(x, NS);                                                                                           \
        }                                                                                                              \
        if (n0 == 64 && n1 == 64 && n2 == 64 && !before) {                                                             \
            ni_block_pad64(x, NS);                                                                                     \
        } else {                                                                                                       \
            int more = ni_tail(x, p0, n0, before + n0);                                                                \
            IF2(ni_tail(x + 1, p1, n1, before + n1);); IF3(ni_tail(x + 2, p2, n2, before + n2););                      \
            for (;; more = 0) {                                                                                        \
                ni_block(x, NS);                                                                                       \
                if (!more) break;                                                                                      \
                ni_padding(x, before + n0);                                                                            \
                IF2(ni_padding(x + 1, before + n1);); IF3(ni_padding(x + 2, before + n2););                            \
            }                                                                                                          \
        }                                                                                                              \
        ni_digest(out + 32 * m0, x);                                                                                   \
        IF2(ni_digest(out + 32 * m1, x + 1);); IF3(ni_digest(out + 32 * m2, x + 2););                                  \
    }
NI_GROUP(1)
void HC_NAME(hc_sha256_finish)(uint8_t out[32], const uint32_t st[8], uint64_t before, const uint8_t *in, size_t n)
{
    static const uint8_t first[1] = {0};
    ni_group1(out, st, before, &in, &n, first);
}

#if HC_ISA == HC_SHANI
NI_BLOCKS(2) NI_BLOCKS(3)
NI_GROUP(2) NI_GROUP(3)

/* ---- 64-byte messages (the nodes of a hash tree), one after the other -----------------
 * The second block is padding only and its schedule is known, so it costs 32 sha256rnds2 and nothing else. Two first
 * blocks run together with the two second blocks of the messages before them: four streams' worth of rounds with two
 * streams' worth of schedule and registers. */
HC_INLINE void ni_mix(ni_t *x, ni_t *y)
{
    enum { NS = 2 };
    EACH(ni_begin);
    ni_begin(y); ni_begin(y + 1);
#define NI_STEP_MIX(q)                                                                                                 \
    {                                                                                                                  \
        const __m128i lo = NI_LO64(q), hi = NI_HI64(q);                                                                \
        ni_lo(x, q); ni_lo_wk(y, lo); ni_lo(x + 1, q); ni_lo_wk(y + 1, lo);                                            \
        ni_hi(x, q); ni_hi_wk(y, hi); ni_hi(x + 1, q); ni_hi_wk(y + 1, hi);                                            \
    }
    STEP16(NI_STEP_MIX)
    EACH(ni_end);
    ni_end(y); ni_end(y + 1);
}
HC_INLINE void ni_pair(ni_t *x, const ni_t *start, const uint8_t *in)
{
    ni_words(x, in); ni_words(x + 1, in + 64);
    x[0].ab = x[1].ab = start->ab;
    x[0].cd = x[1].cd = start->cd;
}
void hc_sha256_pairs_shani(uint8_t *out, const uint32_t st[8], const uint8_t *in, size_t n)
{
    ni_t s, x[2], y[2];
    ni_load(&s, st);
    if (n > 1) {
        ni_pair(x, &s, in);
        ni_block(x, 2);
        for (; n > 3; n -= 2, out += 64) {
            in += 128;
            y[0].ab = x[0].ab; y[0].cd = x[0].cd; y[1].ab = x[1].ab; y[1].cd = x[1].cd;
            ni_pair(x, &s, in);
            ni_mix(x, y);
            ni_digest(out, y); ni_digest(out + 32, y + 1);
        }
        ni_block_pad64(x, 2);
        ni_digest(out, x); ni_digest(out + 32, x + 1);
        in += 128;
        out += 64;
        n -= 2;
    }
    if (n) hc_sha256_finish_shani(out, st, 0, in, 64);
}

/* ---- Messages of any lengths ---------------------------------------------------------
 * Those below 2 KiB are gathered by shape, three to a group: nothing is copied and no lane waits. Long ones, and what is
 * left of the shapes, share three lanes. */
#define S2_LANES 3
#define S2_FEW 0
#define S2_OWN_MANY
#define S2_AT(lane, i) (8 * (lane) + (i))
#define S2_RUN(st, at, k, live) \
    do { if (live == 3) ni_blocks3(st, at, k); else if (live == 2) ni_blocks2(st, at, k); else ni_blocks1(st, at, k); } while (0)
#include "sha256_refill.inc.h"

enum { NI_LONG = 64, NI_SMALL = 6 /* up to 3 blocks: not worth a lane */ };
void hc_sha256_many_shani(uint8_t *out, const uint32_t st[8], uint64_t before, const uint8_t *const *in,
                          const size_t *len, size_t n)
{
    uint8_t key[HC_GATHER], order[HC_GATHER];
    for (size_t m; n; n -= m, in += m, len += m, out += 32 * m) {
        size_t rest = 0, i = 0;
        m = n < HC_GATHER ? n : HC_GATHER;
        for (size_t j = 0; j < m; j++) {
            const size_t s = HC_S2_SHAPE(len[j]);
            key[j] = (uint8_t)(s < NI_LONG ? s : NI_LONG);
        }
        hc_gather(order, key, m);
        while (rest < m && key[order[rest]] == NI_LONG) rest++;
        for (i = rest; i < m;) {
            const uint8_t *g = order + i, k = key[g[0]];
            if (i + 2 < m && key[g[2]] == k) {
                ni_group3(out, st, before, in, len, g);
                i += 3;
            } else if (i + 1 < m && key[g[1]] == k) {
                ni_group2(out, st, before, in, len, g);
                i += 2;
            } else {
                if (k < NI_SMALL) ni_group1(out, st, before, in, len, g);
                else order[rest++] = g[0];
                i++;
            }
        }
        if (rest) HC_NAME(s2_refill)(out, st, before, in, len, order, rest);
    }
}
#endif
