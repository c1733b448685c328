/* blake3_plan.inc.h - the BLAKE3 slots of one instruction set: which kernel takes how many inputs, by measured cost. */
#include "pinned.h"
#if HC_ISA >= HC_SSE2 && HC_ISA <= HC_AVX512VL
#define ROW_NAME b3_row1
#define ROW_W 16
#define ROW_SETS 1
#include "blake3_row.inc.h"
#endif
#if HC_ISA == HC_AVX2 || HC_ISA == HC_AVX512VL
#define ROW_NAME b3_row2
#define ROW_W 32
#define ROW_SETS 1
#include "blake3_row.inc.h"
#define ROW_NAME b3_row4
#define ROW_W 32
#define ROW_SETS 2
#include "blake3_row.inc.h"
#endif
#include "blake3_lanes.inc.h"

#if HC_ISA <= HC_AVX512VL
#define HC_B3_SINGLE(f) HC_NAME(f)
#elif HC_ISA == HC_AVX512
HC_INTERNAL hc_b3_many_fn hc_b3_many_avx512vl;
HC_INTERNAL void hc_b3_group_avx512vl(const uint8_t key[32], unsigned flags, const hc_b3_job *jobs, const uint8_t *index, size_t n);
#else /* no rows here: scalar code does one message faster than lanes of which one is used */
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

#if HC_ISA <= HC_AVX512VL
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

/* One job alone: no lanes. */
#if HC_ISA != HC_AVX512
static void HC_NAME(b3_one)(const uint8_t key[32], unsigned flags, const hc_b3_job *j)
{
    const unsigned start = flags & HC_B3_PARENT ? 0 : HC_B3_CHUNK_START;
    const unsigned last = (flags & HC_B3_PARENT ? 0 : HC_B3_CHUNK_END) | j->last_flags;
    size_t before = j->len ? (j->len - 1) / 64 : 0;
    if (before) HC_B3_SINGLE(hc_b3_blocks)(j->out, key, j->in, before, j->counter, flags, start, 0);
    HC_B3_SINGLE(hc_b3_block)(j->out, before ? j->out : key, j->in + 64 * before, j->len - 64 * (unsigned)before, j->counter,
                         flags | last | (before ? 0 : start));
}
#endif

HC_INLINE void HC_NAME(b3_some)(const uint8_t key[32], unsigned flags, const hc_b3_job *jobs, const uint8_t *index, size_t n)
{
#if HC_ISA == HC_AVX512
    if (n <= 8)
        hc_b3_group_avx512vl(key, flags, jobs, index, n);
#else
    if (n == 1)
        HC_NAME(b3_one)(key, flags, jobs + index[0]);
#endif
    else
        HC_NAME(hc_b3_group)(key, flags, jobs, index, n);
}

/* Groups of equal or near lengths: sorted by blocks, longest first, all groups together waste at most 15 steps. */
HC_INTERNAL void HC_NAME(hc_b3_jobs)(const uint8_t key[32], unsigned flags, const hc_b3_job *jobs, size_t n)
{
    while (n) {
        uint8_t index[256];
        uint16_t at[17] = { 0 };
        size_t take = n < 256 ? n : 256, i;
        unsigned k, sum;
        for (i = 0; i < take; i++) at[16 - (jobs[i].len ? (jobs[i].len - 1) / 64 : 0)]++;
        for (k = 0, sum = 0; k < 17; k++) {
            unsigned count = at[k];
            at[k] = (uint16_t)sum;
            sum += count;
        }
        for (i = 0; i < take; i++) index[at[16 - (jobs[i].len ? (jobs[i].len - 1) / 64 : 0)]++] = (uint8_t)i;
        for (i = 0; i < take; i += HC_L32)
            HC_NAME(b3_some)(key, flags, jobs, index + i, take - i < HC_L32 ? take - i : HC_L32);
        jobs += take;
        n -= take;
    }
}
