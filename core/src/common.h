/* common.h - compiler, architecture and byte order, seen the same way by every file of the core. */
#ifndef HC_COMMON_H
#define HC_COMMON_H

/* Before any system header: 64-bit file offsets, affinity masks, positioned reads. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#define HC_BUILD 1
#include "hashcore.h"
#include <string.h>

/* What is not in hashcore.h stays inside, also where no flag hides it (luarocks passes none).
 * System headers come before the pragma; a file that needs more of them includes them after this
 * one, which is harmless: only definitions are hidden, not references to other libraries. */
#if defined(__GNUC__) && !defined(_WIN32) && !defined(__CYGWIN__)
#define HC_INTERNAL __attribute__((visibility("hidden")))
#else
#define HC_INTERNAL
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define HC_INLINE static __forceinline
#define HC_ALIGN(n) __declspec(align(n))
#elif defined(__GNUC__)
#define HC_INLINE static inline __attribute__((always_inline))
#define HC_ALIGN(n) __attribute__((aligned(n)))
#else
#define HC_INLINE static inline
#define HC_ALIGN(n)
#endif

/* Kernels that fill every register stay functions of their own: inlined, the code around them costs spills. So does rare
 * code beside what is short. */
#if defined(__GNUC__)
#define HC_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define HC_NOINLINE __declspec(noinline)
#else
#define HC_NOINLINE
#endif

/* Which instruction sets this compiler can write for this machine. -DHC_NO_AVX512 and the like leave one
 * out. gcc and clang only: kernels switch their target by pragma, never by a flag. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && !defined(HC_PORTABLE_ONLY)
#define HC_X86 1
#if defined(__clang__)
#define HC_COMPILER_AT_LEAST(gcc, clang) (__clang_major__ >= (clang))
#else
#define HC_COMPILER_AT_LEAST(gcc, clang) (__GNUC__ >= (gcc))
#endif
#if HC_COMPILER_AT_LEAST(5, 5)
#define HC_HAVE_SSE 1
/* The pinned wide kernels want 64-bit registers; GCC for Windows misaligns 32-byte spills (GCC PR 54412). */
#if defined(__x86_64__) && !(defined(_WIN32) && !defined(__clang__))
#ifndef HC_NO_AVX2
#define HC_HAVE_AVX2 1
#ifndef HC_NO_AVX512
#if HC_COMPILER_AT_LEAST(7, 7)
#define HC_HAVE_AVX512 1
#endif
#endif
#endif
#endif
#if defined(__x86_64__) && !defined(HC_NO_SHANI)
#define HC_HAVE_SHANI 1
#endif
#if defined(__x86_64__) && !defined(HC_NO_BMI2)
#define HC_HAVE_BMI2 1
#endif
#endif
#endif
#if defined(__GNUC__) && defined(__aarch64__) && !defined(HC_PORTABLE_ONLY)
#define HC_ARM64 1
#if defined(__AARCH64EL__)
#define HC_HAVE_NEON 1
#define HC_HAVE_SHA2 1
#endif
#endif
#if defined(__wasm_simd128__) && !defined(HC_PORTABLE_ONLY)
#define HC_HAVE_SIMD128 1
#endif

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define HC_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#elif defined(_MSC_VER)
#define HC_BIG_ENDIAN 0
#endif

/* Words from bytes in a stated order, on any host, at any alignment. Where the host's order is known
 * these are one load or store (compilers at -O0 included). */
HC_INLINE uint32_t hc_swap32(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}
HC_INLINE uint64_t hc_swap64(uint64_t x)
{
    return (uint64_t)hc_swap32((uint32_t)x) << 32 | hc_swap32((uint32_t)(x >> 32));
}
#ifdef HC_BIG_ENDIAN
#define HC_LE32(x) (HC_BIG_ENDIAN ? hc_swap32(x) : (x))
#define HC_BE32(x) (HC_BIG_ENDIAN ? (x) : hc_swap32(x))
#define HC_LE64(x) (HC_BIG_ENDIAN ? hc_swap64(x) : (x))
#define HC_BE64(x) (HC_BIG_ENDIAN ? (x) : hc_swap64(x))
#else
HC_INLINE int hc_host_is_big(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}
#define HC_LE32(x) (hc_host_is_big() ? hc_swap32(x) : (x))
#define HC_BE32(x) (hc_host_is_big() ? (x) : hc_swap32(x))
#define HC_LE64(x) (hc_host_is_big() ? hc_swap64(x) : (x))
#define HC_BE64(x) (hc_host_is_big() ? (x) : hc_swap64(x))
#endif
HC_INLINE uint32_t hc_load32le(const void *p) { uint32_t x; memcpy(&x, p, 4); return HC_LE32(x); }
HC_INLINE uint64_t hc_load64le(const void *p) { uint64_t x; memcpy(&x, p, 8); return HC_LE64(x); }
HC_INLINE uint32_t hc_load32be(const void *p) { uint32_t x; memcpy(&x, p, 4); return HC_BE32(x); }
HC_INLINE uint64_t hc_load64be(const void *p) { uint64_t x; memcpy(&x, p, 8); return HC_BE64(x); }
HC_INLINE void hc_store32le(void *p, uint32_t x) { x = HC_LE32(x); memcpy(p, &x, 4); }
HC_INLINE void hc_store64le(void *p, uint64_t x) { x = HC_LE64(x); memcpy(p, &x, 8); }
HC_INLINE void hc_store32be(void *p, uint32_t x) { x = HC_BE32(x); memcpy(p, &x, 4); }
HC_INLINE void hc_store64be(void *p, uint64_t x) { x = HC_BE64(x); memcpy(p, &x, 8); }

/* As much of text as fits into cap bytes of out, its zero byte with it (nothing when cap is 0); its whole length. */
HC_INLINE size_t hc_put_text(const char *text, char *out, size_t cap)
{
    size_t len = strlen(text);
    if (cap) {
        size_t n = len < cap ? len : cap - 1;
        memcpy(out, text, n);
        out[n] = 0;
    }
    return len;
}

/* Relaxed atomics: the dispatch table and the processor masks, nothing else in L0..L3 (threads.c has its own). */
#if defined(__GNUC__)
#define HC_ATOMIC_LOAD(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define HC_ATOMIC_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#else
/* Portable kernels only there: every slot has one candidate and the masks never change, so plain access is exact.
 * MSVC: volatile accesses are atomic for aligned words. */
#define HC_ATOMIC_LOAD(p) (*(p))
#define HC_ATOMIC_STORE(p, v) ((void)(*(p) = (v)))
#endif

/* sizeof(*s) bytes of an opaque public state, as the structure it really is. */
#define HC_STATIC_ASSERT(name, e) typedef char hc_assert_##name[(e) ? 1 : -1]

#endif
