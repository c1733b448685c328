/* kernels.c - every slot's candidates, best first, and the one table of the kernels in use (L2). */
#include "kernels.h"
#include "cpu.h"

/* ---- Candidates ---------------------------------------------------------------
 * X(slot, suffix, needs): the function is hc_<slot>_<suffix>. The order is measured: docs/BENCHMARKS.md. */
#ifdef HC_HAVE_AVX512
#define IF_AVX512(x) x
#else
#define IF_AVX512(x)
#endif
#ifdef HC_HAVE_AVX2
#define IF_AVX2(x) x
#else
#define IF_AVX2(x)
#endif
#ifdef HC_HAVE_SSE
#define IF_SSE(x) x
#else
#define IF_SSE(x)
#endif
#ifdef HC_HAVE_SHANI
#define IF_SHANI(x) x
#else
#define IF_SHANI(x)
#endif
#ifdef HC_HAVE_BMI2
#define IF_BMI2(x) x
#else
#define IF_BMI2(x)
#endif
#ifdef HC_HAVE_NEON
#define IF_NEON(x) x
#else
#define IF_NEON(x)
#endif
#ifdef HC_HAVE_SHA2
#define IF_SHA2(x) x
#else
#define IF_SHA2(x)
#endif
#ifdef HC_HAVE_SIMD128
#define IF_SIMD128(x) x
#else
#define IF_SIMD128(x)
#endif

#define CANDIDATES_b3_block(X) X(b3_block, portable, 0)
#define CANDIDATES_b3_blocks(X) X(b3_blocks, portable, 0)
#define CANDIDATES_b3_many(X) X(b3_many, portable, 0)
#define CANDIDATES_b3_jobs(X) X(b3_jobs, portable, 0)
#define CANDIDATES_b3_xof(X) X(b3_xof, portable, 0)
#define CANDIDATES_sha256_blocks(X)                                                                                    \
    IF_SHANI(X(sha256_blocks, shani, HC_CPU_SHANI)) IF_BMI2(X(sha256_blocks, bmi2, HC_CPU_AVX2 | HC_CPU_BMI2))         \
    X(sha256_blocks, portable, 0)
#define CANDIDATES_sha256_finish(X)                                                                                    \
    IF_SHANI(X(sha256_finish, shani, HC_CPU_SHANI)) IF_BMI2(X(sha256_finish, bmi2, HC_CPU_AVX2 | HC_CPU_BMI2))         \
    X(sha256_finish, portable, 0)
#define CANDIDATES_sha256_many(X)                                                                                      \
    IF_SHANI(X(sha256_many, shani, HC_CPU_SHANI)) IF_AVX512(X(sha256_many, avx512, HC_CPU_AVX512))                     \
    IF_AVX2(X(sha256_many, avx2, HC_CPU_AVX2)) IF_SSE(X(sha256_many, sse41, HC_CPU_SSE41))                             \
    IF_SSE(X(sha256_many, sse2, HC_CPU_SSE2)) X(sha256_many, portable, 0)
#define CANDIDATES_sha256_pairs(X)                                                                                     \
    IF_SHANI(X(sha256_pairs, shani, HC_CPU_SHANI)) IF_AVX512(X(sha256_pairs, avx512, HC_CPU_AVX512))                   \
    IF_AVX2(X(sha256_pairs, avx2, HC_CPU_AVX2)) IF_SSE(X(sha256_pairs, sse41, HC_CPU_SSE41))                           \
    IF_SSE(X(sha256_pairs, sse2, HC_CPU_SSE2)) X(sha256_pairs, portable, 0)
#define CANDIDATES_b2b_blocks(X)                                                                                       \
    IF_AVX512(X(b2b_blocks, avx512, HC_CPU_AVX512)) IF_AVX2(X(b2b_blocks, avx2, HC_CPU_AVX2))                          \
    IF_SSE(X(b2b_blocks, sse41, HC_CPU_SSE41)) X(b2b_blocks, portable, 0)
#define CANDIDATES_b2b_finish(X)                                                                                       \
    IF_AVX512(X(b2b_finish, avx512, HC_CPU_AVX512)) IF_AVX2(X(b2b_finish, avx2, HC_CPU_AVX2))                          \
    IF_SSE(X(b2b_finish, sse41, HC_CPU_SSE41)) X(b2b_finish, portable, 0)
#define CANDIDATES_b2b_many(X)                                                                                         \
    IF_AVX512(X(b2b_many, avx512, HC_CPU_AVX512)) IF_AVX2(X(b2b_many, avx2, HC_CPU_AVX2))                              \
    IF_SSE(X(b2b_many, sse41, HC_CPU_SSE41)) X(b2b_many, portable, 0)
#define CANDIDATES_xor_two(X)                                                                                          \
    IF_AVX512(X(xor_two, avx512, HC_CPU_AVX512)) IF_AVX2(X(xor_two, avx2, HC_CPU_AVX2))                                \
    IF_SSE(X(xor_two, sse2, HC_CPU_SSE2)) X(xor_two, portable, 0)
#define CANDIDATES_xor_many(X)                                                                                         \
    IF_AVX512(X(xor_many, avx512, HC_CPU_AVX512)) IF_AVX2(X(xor_many, avx2, HC_CPU_AVX2))                              \
    IF_SSE(X(xor_many, sse2, HC_CPU_SSE2)) X(xor_many, portable, 0)
#define CANDIDATES_xor_key(X)                                                                                          \
    IF_AVX512(X(xor_key, avx512, HC_CPU_AVX512)) IF_AVX2(X(xor_key, avx2, HC_CPU_AVX2))                                \
    IF_SSE(X(xor_key, sse2, HC_CPU_SSE2)) X(xor_key, portable, 0)

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
    while (c->needs & ~mask) c++; /* the last needs nothing */
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
