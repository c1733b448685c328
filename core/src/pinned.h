/* pinned.h - the same operations as lanes.h, as statements that stay what and where they are.
 *
 * A kernel that fills every register must not leave the choice of instruction to the compiler. On x86 each statement
 * below is exactly one instruction (rotations: one to three), in source order. Elsewhere it is HC_SET over lanes.h, so a
 * kernel is still written once. Why (measured):
 *   - clang rewrites the byte shuffle that rotates by 16 into two word shuffles and integer logic into vorps, which
 *     pays a bypass delay next to integer adds: 0.64 -> 0.51 cycles a byte;
 *   - clang turns every "xm" operand into memory, so register and memory forms are separate here;
 *   - gcc keeps the masks of v32_ror in registers that the state needs.
 * T is a vector type: a rotation's mask is a memory operand of that width. */
#ifndef HC_PINNED_H
#define HC_PINNED_H

#if defined(__GNUC__) && HC_ISA >= HC_AVX2 && HC_ISA <= HC_AVX512
/* three-operand encodings */
#if HC_ISA == HC_AVX2
#define HC_V "x"
#else
#define HC_V "v" /* 32 registers */
#endif
#define HC_OP2(op, d, s) __asm__ volatile(op " %1, %0, %0" : "+" HC_V(d) : HC_V(s))
#define HC_OP2M(op, d, s) __asm__ volatile(op " %1, %0, %0" : "+" HC_V(d) : "m"(s))
#define HC_OP3M(op, d, a, s) __asm__ volatile(op " %2, %1, %0" : "=" HC_V(d) : HC_V(a), "m"(s))
#define HC_SHIFT(op, d, n) __asm__ volatile(op " %1, %0, %0" : "+" HC_V(d) : "i"(n))
#define HC_SHIFT3(op, d, a, n) __asm__ volatile(op " %2, %1, %0" : "=" HC_V(d) : HC_V(a), "i"(n))
#define hc_add(d, s) HC_OP2("vpaddd", d, s)         /* d += s */
#define hc_add_m(d, m) HC_OP2M("vpaddd", d, m)      /* d += m, m in memory */
#define hc_add3_m(d, a, m) HC_OP3M("vpaddd", d, a, m) /* d = a + m */
#if HC_ISA == HC_AVX2
#define hc_xor(d, s) HC_OP2("vpxor", d, s)
#define hc_xor_m(d, m) HC_OP2M("vpxor", d, m)
#define hc_xor3_m(d, a, m) HC_OP3M("vpxor", d, a, m)
#define hc_spill(m, s) __asm__ volatile("vmovdqu %1, %0" : "=m"(m) : "x"(s))
#define hc_ror16(T, d) HC_OP2M("vpshufb", d, *(const T *)(const void *)hc_ror16_mask)
#define hc_ror8(T, d) HC_OP2M("vpshufb", d, *(const T *)(const void *)hc_ror8_mask)
#define hc_ror_n(T, d, n)                 \
    do {                                  \
        T hc_t;                           \
        HC_SHIFT3("vpsrld", hc_t, d, n);  \
        HC_SHIFT("vpslld", d, 32 - (n));  \
        HC_OP2("vpor", d, hc_t);          \
    } while (0)
#else
#define hc_xor(d, s) HC_OP2("vpxord", d, s)
#define hc_xor_m(d, m) HC_OP2M("vpxord", d, m)
#define hc_xor3_m(d, a, m) HC_OP3M("vpxord", d, a, m)
#define hc_spill(m, s) __asm__ volatile("vmovdqu32 %1, %0" : "=m"(m) : "v"(s))
#define hc_ror16(T, d) HC_SHIFT("vprord", d, 16)
#define hc_ror8(T, d) HC_SHIFT("vprord", d, 8)
#define hc_ror_n(T, d, n) HC_SHIFT("vprord", d, n)
#endif

#elif defined(__GNUC__) && !defined(__AVX__) && (HC_ISA == HC_SSE41 || HC_ISA == HC_SSE2)
/* two-operand encodings; memory operands are vector variables, hence aligned */
#define HC_OP2(op, d, s) __asm__ volatile(op " %1, %0" : "+x"(d) : "x"(s))
#define HC_OP2M(op, d, s) __asm__ volatile(op " %1, %0" : "+x"(d) : "m"(s))
#define HC_SHIFT(op, d, n) __asm__ volatile(op " %1, %0" : "+x"(d) : "i"(n))
#define hc_add(d, s) HC_OP2("paddd", d, s)
#define hc_xor(d, s) HC_OP2("pxor", d, s)
#define hc_add_m(d, m) HC_OP2M("paddd", d, m)
#define hc_xor_m(d, m) HC_OP2M("pxor", d, m)
#define hc_add3_m(d, a, m) __asm__ volatile("movdqa %2, %0\n\tpaddd %1, %0" : "=&x"(d) : "x"(a), "m"(m))
#define hc_xor3_m(d, a, m) __asm__ volatile("movdqa %2, %0\n\tpxor %1, %0" : "=&x"(d) : "x"(a), "m"(m))
#define hc_spill(m, s) __asm__ volatile("movdqa %1, %0" : "=m"(m) : "x"(s))
#define hc_ror_n(T, d, n)                                                                            \
    do {                                                                                             \
        T hc_t;                                                                                      \
        __asm__ volatile("movdqa %1, %0\n\tpsrld %2, %0" : "=x"(hc_t) : "x"(d), "i"(n));             \
        HC_SHIFT("pslld", d, 32 - (n));                                                              \
        HC_OP2("por", d, hc_t);                                                                      \
    } while (0)
#if HC_ISA == HC_SSE41
#define hc_ror16(T, d) HC_OP2M("pshufb", d, *(const T *)(const void *)hc_ror16_mask)
#define hc_ror8(T, d) HC_OP2M("pshufb", d, *(const T *)(const void *)hc_ror8_mask)
#else
#define hc_ror16(T, d) __asm__ volatile("pshuflw $0xb1, %0, %0\n\tpshufhw $0xb1, %0, %0" : "+x"(d))
#define hc_ror8(T, d) hc_ror_n(T, d, 8)
#endif

#else
#define hc_add(d, s) HC_SET(d, v32_add(d, s))
#define hc_xor(d, s) HC_SET(d, v32_xor(d, s))
#define hc_add_m hc_add
#define hc_xor_m hc_xor
#define hc_add3_m(d, a, m) HC_SET(d, v32_add(a, m))
#define hc_xor3_m(d, a, m) HC_SET(d, v32_xor(a, m))
#define hc_spill(m, s) ((m) = (s))
#define hc_ror16(T, d) HC_SET(d, v32_ror(d, 16))
#define hc_ror8(T, d) HC_SET(d, v32_ror(d, 8))
#define hc_ror_n(T, d, n) HC_SET(d, v32_ror(d, n))
#endif

#if defined(__GNUC__) && (HC_ISA == HC_SSE41 || HC_ISA == HC_AVX2)
#define HC_ROR16 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
#define HC_ROR8 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
static const uint8_t HC_ALIGN(32) hc_ror16_mask[32] = { HC_ROR16, HC_ROR16 };
static const uint8_t HC_ALIGN(32) hc_ror8_mask[32] = { HC_ROR8, HC_ROR8 };
#endif
#endif
