/* sha256_armv8.c - SHA-256 with the Armv8 SHA-2 instructions: one stream, and two or three interleaved. */
#include "kernels.h"
#ifdef HC_HAVE_SHA2
#define HC_ISA HC_SHA2
#define HC_SUFFIX sha2
#include "target_begin.h"
#include "lanes.h"
#include "gather.h"
#include "sha256_end.inc.h"

/* One stream: the state's halves as the instructions want them, the working copies, the block as words. */
typedef struct { uint32x4_t abcd, efgh, a, e, w[4]; } a8_t;

/* Four rounds. The schedule is in place: words t .. t + 3 give way to t + 16 .. t + 19. */
HC_INLINE void a8_step(a8_t *x, const int q)
{
    const uint32x4_t m = vaddq_u32(x->w[q & 3], vld1q_u32(hc_sha256_k + 4 * q)), a = x->a;
    if (q < 12) x->w[q & 3] = vsha256su0q_u32(x->w[q & 3], x->w[(q + 1) & 3]);
    x->a = vsha256hq_u32(a, x->e, m);
    x->e = vsha256h2q_u32(x->e, a, m);
    if (q < 12) x->w[q & 3] = vsha256su1q_u32(x->w[q & 3], x->w[(q + 2) & 3], x->w[(q + 3) & 3]);
}
HC_INLINE void a8_begin(a8_t *x, const uint8_t *p)
{
    x->a = x->abcd;
    x->e = x->efgh;
#define A8_WORD(i) x->w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p + 16 * (i))))
    A8_WORD(0); A8_WORD(1); A8_WORD(2); A8_WORD(3);
}
HC_INLINE void a8_end(a8_t *x)
{
    x->abcd = vaddq_u32(x->abcd, x->a);
    x->efgh = vaddq_u32(x->efgh, x->e);
}

#define A8_STEP(q) a8_step(x, q); if (NS > 1) a8_step(x + 1, q); if (NS > 2) a8_step(x + 2, q);
#define A8_BLOCKS(N)                                                                                                   \
    static void a8_blocks##N(uint32_t *st, const uint8_t *const *in, size_t blocks)                                    \
    {                                                                                                                  \
        enum { NS = N };                                                                                               \
        a8_t x[NS];                                                                                                    \
        for (int i = 0; i < NS; i++) {                                                                                 \
            x[i].abcd = vld1q_u32(st + 8 * i);                                                                         \
            x[i].efgh = vld1q_u32(st + 8 * i + 4);                                                                     \
        }                                                                                                              \
        for (size_t b = 0; b < blocks; b++) {                                                                          \
            for (int i = 0; i < NS; i++) a8_begin(x + i, in[i] + 64 * b);                                              \
            A8_STEP(0) A8_STEP(1) A8_STEP(2) A8_STEP(3) A8_STEP(4) A8_STEP(5) A8_STEP(6) A8_STEP(7)                    \
            A8_STEP(8) A8_STEP(9) A8_STEP(10) A8_STEP(11) A8_STEP(12) A8_STEP(13) A8_STEP(14) A8_STEP(15)              \
            for (int i = 0; i < NS; i++) a8_end(x + i);                                                                \
        }                                                                                                              \
        for (int i = 0; i < NS; i++) {                                                                                 \
            vst1q_u32(st + 8 * i, x[i].abcd);                                                                          \
            vst1q_u32(st + 8 * i + 4, x[i].efgh);                                                                      \
        }                                                                                                              \
    }
A8_BLOCKS(1) A8_BLOCKS(2) A8_BLOCKS(3)
void hc_sha256_blocks_sha2(uint32_t st[8], const uint8_t *in, size_t blocks) { a8_blocks1(st, &in, blocks); }
HC_SHA256_FINISH

#define S2_LANES 3
#define S2_FEW 0
#define S2_AT(lane, i) (8 * (lane) + (i))
#define S2_RUN(st, at, k, live) \
    do { if (live == 3) a8_blocks3(st, at, k); else if (live == 2) a8_blocks2(st, at, k); else a8_blocks1(st, at, k); } while (0)
#include "sha256_refill.inc.h"
#include "target_end.h"
#endif
