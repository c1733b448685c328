/* sha256_lanes.inc.h - SHA-256 of HC_L32 independent messages, one a lane; one lane is the portable kernel.
 *
 * Sixteen rounds are written out and run four times: all 64 written out are more than a processor's operation cache
 * holds, and were slower than any loop. No pins: they change nothing here. */
#include "gather.h"
#include "sha256_end.inc.h"

#if HC_ISA == HC_PORTABLE
const uint32_t HC_ALIGN(64) hc_sha256_k[64] = { /* FIPS 180-4, 4.2.2 */
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};
#include "sha256_pad64.inc.h"
#endif

#define S2_SIG(o, x, r0, r1, r2) o = v32_xor3(v32_ror(x, r0), v32_ror(x, r1), v32_ror(x, r2));
#define S2_SCHED(t)                                                                                                    \
    {                                                                                                                  \
        v32 x_ = w[((t) + 1) & 15], y_ = w[((t) + 14) & 15], s0_, s1_;                                                 \
        s0_ = v32_xor3(v32_ror(x_, 7), v32_ror(x_, 18), v32_shr(x_, 3));                                               \
        s1_ = v32_xor3(v32_ror(y_, 17), v32_ror(y_, 19), v32_shr(y_, 10));                                             \
        w[(t) & 15] = v32_add(v32_add(w[(t) & 15], v32_add(s0_, w[((t) + 9) & 15])), s1_);                             \
    }
/* bc carries b ^ c from the round before: maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b */
#define S2_MAJ(a, b, c)                                                                                                \
    {                                                                                                                  \
        v32 ab_ = v32_xor(a, b);                                                                                       \
        s_ = v32_xor(b, v32_and(ab_, bc));                                                                             \
        bc = ab_;                                                                                                      \
    }
#if HC_ISA == HC_AVX512 /* one instruction */
#undef S2_MAJ
#define S2_MAJ(a, b, c) s_ = v32_maj(a, b, c);
#endif
#define S2_CORE(wk, a, b, c, d, e, f, g, h)                                                                            \
    {                                                                                                                  \
        v32 s_;                                                                                                        \
        h = v32_add(h, wk);                                                                                            \
        S2_SIG(s_, e, 6, 11, 25)                                                                                       \
        h = v32_add(v32_add(h, v32_ch(e, f, g)), s_);                                                                  \
        d = v32_add(d, h);                                                                                             \
        S2_SIG(s_, a, 2, 13, 22)                                                                                       \
        h = v32_add(h, s_);                                                                                            \
        S2_MAJ(a, b, c)                                                                                                \
        h = v32_add(h, s_);                                                                                            \
    }
#define S2_FIRST(t, ...) S2_CORE(v32_add(v32_set1(k[t]), w[(t) & 15]), __VA_ARGS__)
#define S2_NEXT(t, ...) S2_SCHED(t) S2_FIRST(t, __VA_ARGS__)
#define S2_KNOWN(t, ...) S2_CORE(v32_set1(k[t]), __VA_ARGS__)
#define S2_8(R, t)                                                                                                     \
    R(t, A, B, C, D, E, F, G, H) R(t + 1, H, A, B, C, D, E, F, G) R(t + 2, G, H, A, B, C, D, E, F)                     \
    R(t + 3, F, G, H, A, B, C, D, E) R(t + 4, E, F, G, H, A, B, C, D) R(t + 5, D, E, F, G, H, A, B, C)                 \
    R(t + 6, C, D, E, F, G, H, A, B) R(t + 7, B, C, D, E, F, G, H, A)
#define S2_ROW(i) (st + (i) * HC_L32)
#define S2_BEGIN                                                                                                       \
    v32 A = v32_load(S2_ROW(0)), B = v32_load(S2_ROW(1)), C = v32_load(S2_ROW(2)), D = v32_load(S2_ROW(3));            \
    v32 E = v32_load(S2_ROW(4)), F = v32_load(S2_ROW(5)), G = v32_load(S2_ROW(6)), H = v32_load(S2_ROW(7));            \
    v32 bc = v32_xor(B, C);                                                                                            \
    (void)bc;
#define S2_OUT(i, x) v32_store(S2_ROW(i), v32_add(x, v32_load(S2_ROW(i))))
#define S2_END S2_OUT(0, A); S2_OUT(1, B); S2_OUT(2, C); S2_OUT(3, D); S2_OUT(4, E); S2_OUT(5, F); S2_OUT(6, G); S2_OUT(7, H);

/* st: eight rows of one word a lane. */
static void HC_NAME(s2_lanes)(uint32_t *st, const uint8_t *const *in, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        const uint32_t *k = hc_sha256_k;
        v32 w[16];
        v32_gather_block(w, in, 64 * b);
        HC_UNROLL for (int i = 0; i < 16; i++) w[i] = v32_bswap(w[i]);
        S2_BEGIN
        S2_8(S2_FIRST, 0) S2_8(S2_FIRST, 8)
        for (k += 16; k < hc_sha256_k + 64; k += 16) { S2_8(S2_NEXT, 0) S2_8(S2_NEXT, 8) }
        S2_END
    }
}

#if HC_L32 == 1
void HC_NAME(hc_sha256_blocks)(uint32_t st[8], const uint8_t *in, size_t blocks) { HC_NAME(s2_lanes)(st, &in, blocks); }
HC_SHA256_FINISH
void HC_NAME(hc_sha256_many)(uint8_t *out, const uint32_t st[8], uint64_t before, const uint8_t *const *in,
                             const size_t *len, size_t n)
{
    for (size_t i = 0; i < n; i++) HC_NAME(hc_sha256_finish)(out + 32 * i, st, before, in[i], len[i]);
}
void HC_NAME(hc_sha256_pairs)(uint8_t *out, const uint32_t st[8], const uint8_t *in, size_t n)
{
    for (size_t i = 0; i < n; i++) HC_NAME(hc_sha256_finish)(out + 32 * i, st, 0, in + 64 * i, 64);
}
#else
/* The padding block of 64-byte messages: its schedule is known. */
static void HC_NAME(s2_pad64)(uint32_t *st)
{
    S2_BEGIN
    for (const uint32_t *k = hc_sha256_pad64; k < hc_sha256_pad64 + 64; k += 16) { S2_8(S2_KNOWN, 0) S2_8(S2_KNOWN, 8) }
    S2_END
}
static void HC_NAME(s2_start)(uint32_t *st, const uint32_t start[8])
{
    HC_UNROLL for (int i = 0; i < 8; i++) v32_store(S2_ROW(i), v32_set1(start[i]));
}
/* Digests of all lanes back to back. */
static void HC_NAME(s2_digests)(uint8_t *out, const uint32_t *st)
{
    v32 h[8];
    HC_UNROLL for (int i = 0; i < 8; i++) h[i] = v32_bswap(v32_load(S2_ROW(i)));
    v32_scatter8(out, h);
}
/* hc_s2_pad by the stores that the kernel's loads match, or it would wait for them. */
HC_INLINE size_t HC_NAME(s2_pad)(uint8_t end[128], const uint8_t *p, size_t r, uint64_t total)
{
#if HC_ISA == HC_AVX512
    const __m512i bit = _mm512_set1_epi8((char)0x80), bits = _mm512_set1_epi64((long long)hc_swap64(total << 3));
    __m512i x = _mm512_maskz_loadu_epi8(((uint64_t)1 << r) - 1, p);
    x = _mm512_mask_mov_epi8(x, (uint64_t)1 << r, bit);
    if (r < 56) x = _mm512_mask_mov_epi64(x, 0x80, bits);
    v32_store(end, x);
    v32_store(end + 64, _mm512_maskz_mov_epi64(0x80, bits));
    return r < 56 ? 1 : 2;
#else
    return hc_s2_pad(end, p, r, total);
#endif
}
#define S2_LANES HC_L32
#if HC_ISA == HC_AVX512 && defined(HC_HAVE_SHANI)
HC_INTERNAL hc_sha256_blocks_fn hc_sha256_blocks_shani;
HC_INTERNAL hc_sha256_many_fn hc_sha256_many_shani;
HC_INTERNAL hc_sha256_pairs_fn hc_sha256_pairs_shani;
#define S2_SHANI (HC_K(sha256_blocks) == hc_sha256_blocks_shani)
#define S2_FEW (S2_SHANI ? 8u : 2u) /* the SHA instructions do so many in the time of all lanes */
#else
#define S2_FEW (HC_L32 / 4)
#endif
#define S2_AT(lane, i) ((i) * HC_L32 + (lane))
#define S2_RUN(st, at, k, live) HC_NAME(s2_lanes)(st, at, k)
#define S2_PAD HC_NAME(s2_pad)
#define S2_OWN_MANY
#include "sha256_refill.inc.h"

/* A lane each for messages of one shape: as many blocks of body, as many of padding. m: which. */
static void HC_NAME(s2_group)(uint8_t *out, const uint32_t start[8], uint64_t before, const uint8_t *const *in,
                              const size_t *len, const uint8_t *m)
{
    uint32_t HC_ALIGN(64) st[8 * HC_L32];
    uint8_t HC_ALIGN(64) tail[HC_L32][128], digest[32 * HC_L32];
    const uint8_t *at[HC_L32];
    const size_t body = len[m[0]] / 64;
    size_t blocks = 0, whole = 0, in_order = 0;
    HC_NAME(s2_start)(st, start);
    for (size_t i = 0; i < HC_L32; i++) {
        at[i] = in[m[i]];
        whole += len[m[i]] == 64;
        in_order += m[i] == m[0] + i;
    }
    if (body) HC_NAME(s2_lanes)(st, at, body);
    if (whole == HC_L32 && !before) {
        HC_NAME(s2_pad64)(st);
    } else {
        for (size_t i = 0; i < HC_L32; i++) {
            const size_t n = len[m[i]];
            blocks = HC_NAME(s2_pad)(tail[i], body ? at[i] + 64 * body : at[i], n % 64, before + n);
            at[i] = tail[i];
        }
        HC_NAME(s2_lanes)(st, at, blocks);
    }
    if (in_order == HC_L32) {
        HC_NAME(s2_digests)(out + 32 * m[0], st);
        return;
    }
    HC_NAME(s2_digests)(digest, st);
    for (size_t i = 0; i < HC_L32; i++) memcpy(out + 32 * m[i], digest + 32 * i, 32);
}

void HC_NAME(hc_sha256_many)(uint8_t *out, const uint32_t st[8], uint64_t before, const uint8_t *const *in,
                             const size_t *len, size_t n)
{
    uint8_t key[HC_GATHER], order[HC_GATHER];
#ifdef S2_SHANI
    if (n <= S2_FEW && S2_SHANI) {
        hc_sha256_many_shani(out, st, before, in, len, n);
        return;
    }
#endif
    for (size_t m; n; n -= m, in += m, len += m, out += 32 * m) {
        size_t rest = 0, same;
        m = n < HC_GATHER ? n : HC_GATHER;
        for (size_t i = 0; i < m; i++) {
            const size_t s = HC_S2_SHAPE(len[i]);
            key[i] = (uint8_t)(s < HC_GATHER_KEYS - 1 ? s : HC_GATHER_KEYS - 1);
        }
        hc_gather(order, key, m);
        for (size_t i = 0; i < m; i += same) {
            const uint8_t *g = order + i;
            for (same = 1; same < HC_L32 && i + same < m && HC_S2_SHAPE(len[g[same]]) == HC_S2_SHAPE(len[g[0]]);) same++;
            if (same == HC_L32) HC_NAME(s2_group)(out, st, before, in, len, g);
            else for (size_t j = 0; j < same; j++) order[rest++] = g[j];
        }
        HC_NAME(s2_refill)(out, st, before, in, len, order, rest);
    }
}
void HC_NAME(hc_sha256_pairs)(uint8_t *out, const uint32_t start[8], const uint8_t *in, size_t n)
{
    uint32_t HC_ALIGN(64) st[8 * HC_L32];
    uint8_t last[32 * HC_L32];
    const uint8_t *at[HC_L32];
    for (size_t m; n > S2_FEW; n -= m, in += 64 * m, out += 32 * m) {
        m = n < HC_L32 ? n : HC_L32;
        for (size_t i = 0; i < HC_L32; i++) at[i] = in + 64 * (i < m ? i : 0);
        HC_NAME(s2_start)(st, start);
        HC_NAME(s2_lanes)(st, at, 1);
        HC_NAME(s2_pad64)(st);
        HC_NAME(s2_digests)(m == HC_L32 ? out : last, st);
        if (m < HC_L32) memcpy(out, last, 32 * m);
    }
#ifdef S2_SHANI
    if (S2_SHANI) {
        hc_sha256_pairs_shani(out, start, in, n);
        return;
    }
#endif
    for (; n; n--, in += 64, out += 32) HC_K(sha256_finish)(out, start, 0, in, 64);
}
#endif
