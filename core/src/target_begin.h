/* target_begin.h - switches the rest of a translation unit to the instruction set HC_ISA, without build flags.
 * Include it after every other header and before lanes.h; target_end.h switches back. */
#define HC_PORTABLE  0
#define HC_SSE2      1
#define HC_SSE41     2
#define HC_AVX2      3
#define HC_AVX512VL  4 /* AVX-512's instructions on vectors of 256 bits */
#define HC_AVX512    5
#define HC_NEON      6
#define HC_WASM      7
#define HC_SHANI     8 /* from here on: macros only, no lanes. SHA instructions, VEX encoding */
#define HC_SHANI_VL  9 /* the same with AVX-512's rotations */
#define HC_BMI2     10 /* scalar code with rorx, helped by AVX2 */
#define HC_SHA2     11 /* Armv8 SHA-256 */

#if HC_ISA == HC_SSE2
#define HC_TARGET "sse2"
#elif HC_ISA == HC_SSE41
#define HC_TARGET "sse4.1"
#elif HC_ISA == HC_AVX2
#define HC_TARGET "avx2"
#elif HC_ISA == HC_AVX512VL || HC_ISA == HC_AVX512
#define HC_TARGET "avx512f,avx512vl,avx512bw"
#elif HC_ISA == HC_SHANI
#define HC_TARGET "sha,avx"
#elif HC_ISA == HC_SHANI_VL
#define HC_TARGET "sha,avx512f,avx512vl,avx512bw"
#elif HC_ISA == HC_BMI2
#define HC_TARGET "avx2,bmi,bmi2"
#elif HC_ISA == HC_SHA2 && defined(__clang__)
#define HC_TARGET "sha2"
#elif HC_ISA == HC_SHA2
#define HC_TARGET "+crypto"
#endif

#if HC_ISA == HC_SHA2 && defined(__clang__) && __clang_major__ < 16 && !defined(__ARM_FEATURE_SHA2)
#define __ARM_FEATURE_SHA2 1 /* or its arm_neon.h hides the intrinsics, whatever the target of the function */
#include <arm_neon.h>
#undef __ARM_FEATURE_SHA2
#elif HC_ISA == HC_NEON || HC_ISA == HC_SHA2
#include <arm_neon.h>
#elif HC_ISA == HC_WASM
#include <wasm_simd128.h>
#elif defined(HC_TARGET)
#include <immintrin.h>
#endif
#ifdef HC_TARGET
#define HC_PRAGMA_(x) _Pragma(#x)
#define HC_PRAGMA(x) HC_PRAGMA_(x)
#if defined(__clang__)
HC_PRAGMA(clang attribute push(__attribute__((target(HC_TARGET))), apply_to = function))
#elif defined(__GNUC__)
#pragma GCC push_options
HC_PRAGMA(GCC target(HC_TARGET))
#endif
#endif
