/* kernels.c - every slot's candidates, best first, and the one table of the kernels in use (L2). */
#include "kernels.h"
#include "cpu.h"

/* ---- Candidates ---------------------------------------------------------------
 * X(slot, suffix, needs): the function is hc_<slot>_<suffix>. The order is measured: docs/BENCHMARKS.md. */
#ifdef HC_HAVE_AVX512
#define AVX512(X, slot) X(slot, avx512, HC_CPU_AVX512)
#define AVX512VL(X, slot) X(slot, avx512vl, HC_CPU_AVX512) /* vectors of 256 bits */
#else
#define AVX512(X, slot)
#define AVX512VL(X, slot)
#endif
#ifdef HC_HAVE_AVX2
#define AVX2(X, slot) X(slot, avx2, HC_CPU_AVX2)
#else
#define AVX2(X, slot)
#endif
#ifdef HC_HAVE_SSE
#define SSE41(X, slot) X(slot, sse41, HC_CPU_SSE41)
#define SSE2(X, slot) X(slot, sse2, HC_CPU_SSE2)
#else
#define SSE41(X, slot)
#define SSE2(X, slot)
#endif
#ifdef HC_HAVE_SHANI
#define SHANI(X, slot) X(slot, shani, HC_CPU_SHANI)
#else
#define SHANI(X, slot)
#endif
#if defined(HC_HAVE_SHANI) && defined(HC_HAVE_AVX512)
#define SHANIVL(X, slot) X(slot, shanivl, HC_CPU_SHANI | HC_CPU_AVX512)
#else
#define SHANIVL(X, slot)
#endif
#ifdef HC_HAVE_BMI2
#define BMI2(X, slot) X(slot, bmi2, HC_CPU_AVX2 | HC_CPU_BMI2)
#else
#define BMI2(X, slot)
#endif
#ifdef HC_HAVE_NEON
#define NEON(X, slot) X(slot, neon, HC_CPU_NEON)
#else
#define NEON(X, slot)
#endif
#ifdef HC_HAVE_SHA2
#define SHA2(X, slot) X(slot, sha2, HC_CPU_SHA2)
#else
#define SHA2(X, slot)
#endif
#ifdef HC_HAVE_SIMD128
#define SIMD128(X, slot) X(slot, simd128, HC_CPU_SIMD128)
#else
#define SIMD128(X, slot)
#endif
#define PORTABLE(X, slot) X(slot, portable, 0)

/* Scalar code comes before NEON's rows: Arm's cores rotate and add 31 words in one cycle each, vectors take two or three,
 * and one message is a chain. (By count of instructions; measured on no such machine.) */
#define BLAKE3_ONE(X, s) AVX512VL(X, s) AVX2(X, s) SSE41(X, s) SSE2(X, s) SIMD128(X, s) PORTABLE(X, s) NEON(X, s)
#define BLAKE3_MANY(X, s)                                                                                              \
    AVX512(X, s) AVX512VL(X, s) AVX2(X, s) SSE41(X, s) SSE2(X, s) NEON(X, s) SIMD128(X, s) PORTABLE(X, s)
#define SHA256_ONE(X, s) SHANIVL(X, s) SHANI(X, s) BMI2(X, s) SHA2(X, s) PORTABLE(X, s)
#define SHA256_MANY(X, s)                                                                                              \
    AVX512(X, s) SHANI(X, s) AVX2(X, s) SSE41(X, s) SSE2(X, s) SHA2(X, s) NEON(X, s) SIMD128(X, s) PORTABLE(X, s)
#define BLAKE2B_BLOCKS(X, s) AVX512(X, s) AVX2(X, s) SSE41(X, s) PORTABLE(X, s) SIMD128(X, s) NEON(X, s)
#define BLAKE2B_END(X, s) AVX512(X, s) AVX2(X, s) SSE41(X, s) SIMD128(X, s) PORTABLE(X, s) NEON(X, s)
#define BLAKE2B_MANY(X, s) AVX512(X, s) AVX2(X, s) SSE41(X, s) NEON(X, s) SIMD128(X, s) PORTABLE(X, s)
/* XOR has no 512-bit vectors: on Ice Lake a core that used one moves 256 bits at 0.56 of its speed for 0.65 ms, and they
 * move less than 256 bits do before that (4 KiB in L1: 49 ns against 38). */
#define XOR(X, s) AVX2(X, s) SSE2(X, s) NEON(X, s) SIMD128(X, s) PORTABLE(X, s)

#define CANDIDATES_b3_block(X) BLAKE3_ONE(X, b3_block)
#define CANDIDATES_b3_blocks(X) BLAKE3_ONE(X, b3_blocks)
#define CANDIDATES_b3_many(X) BLAKE3_MANY(X, b3_many)
#define CANDIDATES_b3_jobs(X) BLAKE3_MANY(X, b3_jobs)
#define CANDIDATES_b3_xof(X) BLAKE3_MANY(X, b3_xof)
#define CANDIDATES_sha256_blocks(X) SHA256_ONE(X, sha256_blocks)
#define CANDIDATES_sha256_finish(X) SHA256_ONE(X, sha256_finish)
#define CANDIDATES_sha256_many(X) SHA256_MANY(X, sha256_many)
#define CANDIDATES_sha256_pairs(X) SHA256_MANY(X, sha256_pairs)
#define CANDIDATES_b2b_blocks(X) BLAKE2B_BLOCKS(X, b2b_blocks)
#define CANDIDATES_b2b_finish(X) BLAKE2B_END(X, b2b_finish)
#define CANDIDATES_b2b_many(X) BLAKE2B_MANY(X, b2b_many)
#define CANDIDATES_b2b_xof(X) BLAKE2B_MANY(X, b2b_xof)
#define CANDIDATES_xor_two(X) XOR(X, xor_two)
#define CANDIDATES_xor_many(X) XOR(X, xor_many)
#define CANDIDATES_xor_key(X) XOR(X, xor_key)

#define DECLARE(slot, suffix, needs) HC_INTERNAL hc_##slot##_fn hc_##slot##_##suffix;
#define ROW(slot, suffix, needs) { #suffix, (needs), (hc_any_fn *)hc_##slot##_##suffix },
#define ARRAY(slot, name, params, args)                                                                                \
    CANDIDATES_##slot(DECLARE) static const hc_candidate candidates_##slot[] = { CANDIDATES_##slot(ROW) };
HC_SLOTS(ARRAY)

const hc_slot hc_slots[HC_SLOT_COUNT] = {
#define SLOT(slot, name, params, args) { name, candidates_##slot, sizeof candidates_##slot / sizeof *candidates_##slot },
    HC_SLOTS(SLOT)
};

static const hc_candidate *pick(size_t slot, uint32_t mask)
{
    const hc_candidate *c = hc_slots[slot].candidates;
    while (c->needs & ~mask) c++; /* portable needs nothing */
    return c;
}

/* ---- The table ------------------------------------------------------------------
 * Each pointer begins as a resolver that fills the whole table and calls on. Threads that meet there store the same
 * values. Without atomics (compilers other than gcc and clang) there is one candidate a slot, in place from the start. */
#if defined(__GNUC__)
#define POINTER(slot, name, params, args)                                                                              \
    static void resolve_##slot params                                                                                  \
    {                                                                                                                  \
        hc_kernels_choose();                                                                                           \
        HC_K(slot) args;                                                                                               \
    }                                                                                                                  \
    hc_##slot##_fn *hc_k_##slot = resolve_##slot;
#else
#define POINTER(slot, name, params, args) hc_##slot##_fn *hc_k_##slot = hc_##slot##_portable;
#endif
HC_SLOTS(POINTER)

void hc_kernels_choose(void)
{
#if defined(__GNUC__)
    uint32_t mask;
    do { /* again if somebody restricted the processor meanwhile */
        mask = hc_cpu_mask();
#define CHOOSE(slot, name, params, args) HC_ATOMIC_STORE(&hc_k_##slot, (hc_##slot##_fn *)pick(HC_SLOT_##slot, mask)->fn);
        HC_SLOTS(CHOOSE)
    } while (mask != hc_cpu_mask());
#endif
}

int hc_cpu_restrict(uint32_t mask, hc_error *err)
{
    int code = hc_cpu_set_mask(mask, err);
    if (code == HC_OK) hc_kernels_choose();
    return code;
}

const char *hc_cpu_kernel(size_t i, const char **slot)
{
    if (i >= HC_SLOT_COUNT) return NULL;
    if (slot) *slot = hc_slots[i].name;
    return pick(i, hc_cpu_mask())->name;
}
