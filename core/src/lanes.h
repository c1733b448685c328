/* lanes.h - one vocabulary of vector operations, a backend an instruction set.
 *
 * A kernel translation unit defines HC_ISA and includes target_begin.h first. A kernel is then written once, over
 * v32 and v64 (vectors of HC_L32 and HC_L64 independent lanes), and instantiated by every kernels_<isa>.c.
 * v32_load and v32_store move native words; gathers and scatters move little-endian bytes, on every host. */
#ifndef HC_LANES_H
#define HC_LANES_H
#include "kernels.h"

/* HC_SET: assign, and forbid the compiler to delay or recompute the value. GCC otherwise mixes the rounds until nothing
 * fits in the registers any more. HC_SET_HERE: and in the written order, for kernels that interleave by hand (clang 14
 * reorders them until they spill; BLAKE2b: 1.40 against 1.13 cycles a byte). */
#if defined(__GNUC__) && HC_ISA >= HC_SSE2 && HC_ISA <= HC_AVX2
#define HC_REG "+x"
#elif defined(__GNUC__) && (HC_ISA == HC_AVX512VL || HC_ISA == HC_AVX512)
#define HC_REG "+v"
#elif defined(__GNUC__) && HC_ISA == HC_NEON
#define HC_REG "+w"
#endif
#ifdef HC_REG
#define HC_KEEP(x) __asm__("" : HC_REG(x))
#define HC_KEEP_HERE(x) __asm__ volatile("" : HC_REG(x))
#else
#define HC_KEEP(x) (void)0
#define HC_KEEP_HERE(x) (void)0
#endif
#define HC_SET(d, e) do { (d) = (e); HC_KEEP(d); } while (0)
#define HC_SET_HERE(d, e) do { (d) = (e); HC_KEEP_HERE(d); } while (0)

#if defined(__GNUC__)
#define HC_NO_VECTOR(p) __asm__("" : "+r"(p)) /* gcc 12 computes addresses in vectors and extracts them one by one */
#else
#define HC_NO_VECTOR(p) (void)0
#endif

#define HC_CAT_(a, b) a##_##b
#define HC_CAT(a, b) HC_CAT_(a, b)
#define HC_NAME(f) HC_CAT(f, HC_SUFFIX)

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 8)
#define HC_UNROLL _Pragma("GCC unroll 16")
#else
#define HC_UNROLL
#endif

#if HC_ISA >= HC_SHANI
#elif HC_ISA == HC_PORTABLE
/* One lane of plain C: the fallback, and the oracle of every test. */
typedef uint32_t v32;
typedef uint64_t v64;
#define HC_L32 1
#define HC_L64 1
#define v32_add(a, b) ((uint32_t)((a) + (b)))
#define v64_add(a, b) ((uint64_t)((a) + (b)))
#define v32_xor(a, b) ((a) ^ (b))
#define v64_xor(a, b) ((a) ^ (b))
#define v32_and(a, b) ((a) & (b))
#define v64_and(a, b) ((a) & (b))
#define v32_set1(x) ((uint32_t)(x))
#define v64_set1(x) ((uint64_t)(x))
#define v32_shr(a, n) ((a) >> (n))
#define v32_ror(a, n) ((a) >> (n) | (a) << (32 - (n)))
#define v64_ror(a, n) ((a) >> (n) | (a) << (64 - (n)))
#define v32_bswap(x) hc_swap32(x)
HC_INLINE v32 v32_load(const void *p) { v32 r; memcpy(&r, p, 4); return r; }
HC_INLINE v64 v64_load(const void *p) { v64 r; memcpy(&r, p, 8); return r; }
HC_INLINE void v32_store(void *p, v32 a) { memcpy(p, &a, 4); }
HC_INLINE void v64_store(void *p, v64 a) { memcpy(p, &a, 8); }
HC_INLINE void v32_gather_block(v32 m[16], const uint8_t *const *in, size_t off)
{
    for (int i = 0; i < 16; i++) m[i] = hc_load32le(in[0] + off + 4 * i);
}
HC_INLINE void v64_gather_block(v64 m[16], const uint8_t *const *in, size_t off)
{
    for (int i = 0; i < 16; i++) m[i] = hc_load64le(in[0] + off + 8 * i);
}
HC_INLINE void v32_scatter8(uint8_t *out, const v32 h[8])
{
    for (int i = 0; i < 8; i++) hc_store32le(out + 4 * i, h[i]);
}
HC_INLINE void v32_scatter8_to(uint8_t *const *out, const v32 h[8]) { v32_scatter8(out[0], h); }
HC_INLINE void v32_scatter_block(uint8_t *out, v32 v[16])
{
    for (int i = 0; i < 16; i++) hc_store32le(out + 4 * i, v[i]);
}
#else
#include "lanes_simd.h"
#endif

/* Operations some instruction sets fuse; the definitions below are their meaning. */
#ifndef HC_ROT64_TABLES
#define HC_ROT64_TABLES (void)0
#define v64_ror_t v64_ror
#endif
#if !defined(v32_xor3) && HC_ISA < HC_SHANI
#define v32_xor3(a, b, c) v32_xor(v32_xor((a), (b)), (c))
#define v32_ch(e, f, g) v32_xor((g), v32_and((e), v32_xor((f), (g))))
#define v32_maj(a, b, c) v32_xor(v32_and((a), (b)), v32_and((c), v32_xor((a), (b))))
#endif

/* What is defined below has the slot's type and stays inside, also where no flag hides it. */
#define HC_KERNEL(slot, name, params, args) HC_INTERNAL hc_##slot##_fn HC_NAME(hc_##slot);
HC_SLOTS(HC_KERNEL)
#undef HC_KERNEL
#endif
