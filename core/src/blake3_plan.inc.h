/* blake3_plan.inc.h - the BLAKE3 slots of one instruction set: which kernel takes how many inputs, by measured cost. */
#include "pinned.h"
#define HC_B3_ROWS (HC_ISA != HC_PORTABLE && HC_ISA != HC_AVX512)
#if HC_B3_ROWS
#define ROW_NAME b3_row1
#define ROW_XOF b3_xof1
#define ROW_W 16
#define ROW_SETS 1
#include "blake3_row.inc.h"
#endif
#if HC_ISA == HC_AVX2 || HC_ISA == HC_AVX512VL
#define ROW_NAME b3_row2
#define ROW_XOF b3_xof2
#define ROW_W 32
#define ROW_SETS 1
#include "blake3_row.inc.h"
#define ROW_NAME b3_row4
#define ROW_XOF b3_xof4
#if HC_ISA == HC_AVX2
#define ROW_W 32
#define ROW_SETS 2
#else
#define ROW_W 64 /* one set of four states is better than two sets of two: 80 against 104 ns */
#define ROW_SETS 1
#endif
#include "blake3_row.inc.h"
#endif

/* Jobs in the order in which they fill lanes, each member apart: a group reads vectors of them. They are written well
 * before that, since words that were just stored cannot be loaded as one vector without a stall. */
enum { HC_B3_WINDOW = 256 };
typedef struct hc_b3_sorted {
    uint32_t low[HC_B3_WINDOW + 16], high[HC_B3_WINDOW + 16]; /* counter */
    uint32_t size[HC_B3_WINDOW + 16], flags[HC_B3_WINDOW + 16]; /* of the last block */
    const uint8_t *in[HC_B3_WINDOW + 16];
    uint8_t *out[HC_B3_WINDOW + 16];
    uint8_t blocks[HC_B3_WINDOW + 16];
} hc_b3_sorted;
#include "blake3_lanes.inc.h"

#if HC_ISA <= HC_AVX512VL || HC_ISA == HC_WASM
#define HC_B3_SINGLE(f) HC_NAME(f)
#elif HC_ISA == HC_AVX512
HC_INTERNAL hc_b3_many_fn hc_b3_many_avx512vl;
HC_INTERNAL void hc_b3_group_avx512vl(const uint8_t key[32], unsigned flags, const hc_b3_sorted *x, size_t i);
HC_INTERNAL hc_b3_xof_fn hc_b3_xof_avx512vl;
HC_INTERNAL hc_b3_blocks_fn hc_b3_blocks_avx512vl;
HC_INTERNAL hc_b3_block_fn hc_b3_block_avx512vl;
#define HC_B3_SINGLE(f) f##_avx512vl
#else /* scalar code: thirty-one registers and rotations of one cycle against vectors' two or three (kernels.c) */
#define HC_B3_SINGLE(f) f##_portable
HC_INTERNAL hc_b3_blocks_fn hc_b3_blocks_portable;
HC_INTERNAL hc_b3_block_fn hc_b3_block_portable;
#endif

#if HC_ISA == HC_PORTABLE
#define b3_row1_portable b3_lanes_portable
HC_INTERNAL void HC_NAME(hc_b3_block)(uint8_t out[32], const uint8_t cv[32], const uint8_t *in, unsigned len,
                                      uint64_t counter, unsigned flags)
{
    v32 v[16], m[16], row3[4], s8;
    uint8_t pad[64];
    in = HC_NAME(b3_last_block)(pad, in, len);
    for (int i = 0; i < 16; i++) m[i] = hc_load32le(in + 4 * i);
    for (int i = 0; i < 8; i++) v[i] = hc_load32le(cv + 4 * i);
    row3[0] = (uint32_t)counter;
    row3[1] = (uint32_t)(counter >> 32);
    row3[2] = len;
    row3[3] = flags;
    B3_ROUNDS
    B3_FORWARD
    v32_scatter8(out, v);
}
#endif

#if HC_ISA != HC_AVX512
HC_INTERNAL void HC_NAME(hc_b3_blocks)(uint8_t out[32], const uint8_t cv[32], const uint8_t *in, size_t blocks,
                                       uint64_t counter, unsigned flags, unsigned first, unsigned last)
{
    HC_NAME(b3_row1)(out, cv, &in, blocks, counter, 0, flags, first, last);
}
#endif

/* Cost of one block step, whatever part of the inputs is real. Zen 3, AVX2, core cycles: row1 220, row2 220, row4 260,
 * lanes 349: so 3 inputs go to row4 and 5 to 7 to lanes with the last input repeated, never 4 + 2 + 1. */
HC_INTERNAL void HC_NAME(hc_b3_many)(uint8_t *out, const uint8_t key[32], const uint8_t *in, size_t stride, size_t n,
                                     size_t blocks, uint64_t counter, int step, unsigned flags, unsigned first, unsigned last)
{
    while (n) {
        size_t take = n < HC_L32 ? n : HC_L32;
#if HC_ISA == HC_AVX512
        if (n <= 8) {
            hc_b3_many_avx512vl(out, key, in, stride, n, blocks, counter, step, flags, first, last);
            return;
        }
#elif HC_ISA == HC_AVX2 || HC_ISA == HC_AVX512VL
        if (n <= 4) {
            const uint8_t *p[4] = { in, in + stride * (n > 1), in + stride * (n > 2 ? 2 : n - 1), in + stride * (n - 1) };
            uint8_t spare[4 * 32];
            if (n == 1)
                HC_NAME(b3_row1)(out, key, p, blocks, counter, step, flags, first, last);
            else if (n == 2)
                HC_NAME(b3_row2)(out, key, p, blocks, counter, step, flags, first, last);
            else
                HC_NAME(b3_row4)(n == 4 ? out : spare, key, p, blocks, counter, step, flags, first, last);
            if (n == 3) memcpy(out, spare, 3 * 32);
            return;
        }
#elif HC_ISA != HC_PORTABLE
        if (n == 1) {
            HC_B3_SINGLE(hc_b3_blocks)(out, key, in, blocks, counter, flags, first, last);
            return;
        }
#endif
        HC_NAME(b3_lanes_at)(out, key, in, stride, take, blocks, counter, step, flags, first, last);
        in += stride * take;
        out += 32 * take;
        counter += step ? take : 0;
        n -= take;
    }
}

HC_INTERNAL void HC_NAME(hc_b3_xof)(uint8_t *out, const uint8_t cv[32], const uint8_t block[64], unsigned len,
                                    uint64_t counter, unsigned flags, size_t blocks)
{
    size_t whole = blocks / HC_L32 * HC_L32, rest = blocks - whole;
    if (whole) HC_NAME(b3_xof_lanes)(out, cv, block, len, counter, flags, whole);
    if (!rest) return;
    out += 64 * whole;
    counter += whole;
#if HC_ISA == HC_AVX512
    if (rest <= 8) {
        hc_b3_xof_avx512vl(out, cv, block, len, counter, flags, rest);
        return;
    }
#elif HC_B3_ROWS
    if (rest == 1) {
        HC_NAME(b3_xof1)(out, cv, block, len, counter, flags);
        return;
    }
#if HC_ISA == HC_AVX2 || HC_ISA == HC_AVX512VL
    if (rest == 2 || rest == 4) {
        (rest == 2 ? HC_NAME(b3_xof2) : HC_NAME(b3_xof4))(out, cv, block, len, counter, flags);
        return;
    }
#endif
#endif
    HC_NAME(b3_xof_lanes)(out, cv, block, len, counter, flags, rest);
}

/* Job i alone: no lanes. */
static void HC_NAME(b3_one)(const uint8_t key[32], unsigned flags, const hc_b3_sorted *x, size_t i)
{
    const unsigned before = x->blocks[i] - 1u;
    const uint64_t counter = x->low[i] | (uint64_t)x->high[i] << 32;
    if (before)
        HC_B3_SINGLE(hc_b3_blocks)(x->out[i], key, x->in[i], before, counter, flags, flags & HC_B3_PARENT ? 0 : HC_B3_CHUNK_START, 0);
    HC_B3_SINGLE(hc_b3_block)(x->out[i], before ? x->out[i] : key, x->in[i] + 64 * before, x->size[i], counter, x->flags[i]);
}

/* The next jobs of the n from i on; how many. */
HC_INLINE size_t HC_NAME(b3_next)(const uint8_t key[32], unsigned flags, const hc_b3_sorted *x, size_t i, size_t n)
{
    if (n == 1) {
        HC_NAME(b3_one)(key, flags, x, i);
        return 1;
    }
#if HC_ISA == HC_AVX512
    if (n <= 8) {
        hc_b3_group_avx512vl(key, flags, x, i);
        return n;
    }
#endif
    HC_NAME(hc_b3_group)(key, flags, x, i);
    return n < HC_L32 ? n : HC_L32;
}

HC_INLINE void HC_NAME(b3_sort_in)(hc_b3_sorted *x, size_t i, const hc_b3_job *j, unsigned blocks, unsigned flags)
{
    const unsigned ends = flags & HC_B3_PARENT ? 0 : blocks == 1 ? HC_B3_CHUNK_START | HC_B3_CHUNK_END : HC_B3_CHUNK_END;
    x->in[i] = j->in;
    x->out[i] = j->out;
    x->low[i] = (uint32_t)j->counter;
    x->high[i] = (uint32_t)(j->counter >> 32);
    x->size[i] = j->len - 64 * (blocks - 1);
    x->flags[i] = flags | ends | j->last_flags;
    x->blocks[i] = (uint8_t)blocks;
}

/* Sorted by blocks, longest first, groups take equal or near lengths: all together waste at most 15 steps. */
HC_INTERNAL void HC_NAME(hc_b3_jobs)(const uint8_t key[32], unsigned flags, const hc_b3_job *jobs, size_t n)
{
    while (n) {
        hc_b3_sorted x;
        uint8_t spare[32];
        uint16_t at[17] = { 0 };
        size_t take = n < HC_B3_WINDOW ? n : HC_B3_WINDOW, i;
        unsigned b, sum;
#define BLOCKS(j) ((j).len ? ((j).len + 63) / 64 : 1)
        for (i = 0; i < take; i++) at[BLOCKS(jobs[i])]++;
        for (b = 17, sum = 0; b-- > 1;) {
            unsigned count = at[b];
            at[b] = (uint16_t)sum;
            sum += count;
        }
        for (i = 0; i < take; i++) {
            b = BLOCKS(jobs[i]);
            HC_NAME(b3_sort_in)(&x, at[b]++, jobs + i, b, flags);
        }
#undef BLOCKS
        for (i = take; i < take + HC_L32 - 1; i++) { /* lanes that would be empty repeat the last job */
            x.in[i] = x.in[take - 1];
            x.out[i] = spare;
            x.low[i] = x.low[take - 1];
            x.high[i] = x.high[take - 1];
            x.size[i] = x.size[take - 1];
            x.flags[i] = x.flags[take - 1];
            x.blocks[i] = x.blocks[take - 1];
        }
        for (i = 0; i < take;) i += HC_NAME(b3_next)(key, flags, &x, i, take - i);
        jobs += take;
        n -= take;
    }
}
