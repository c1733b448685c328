/* blake3_plan.inc.h - the BLAKE3 slots of one instruction set: which kernel takes how many inputs, by measured cost. */

#if HC_ISA == HC_PORTABLE
void HC_NAME(hc_b3_blocks)(uint8_t out[32], const uint8_t cv[32], const uint8_t *in, size_t blocks,
                                       uint64_t counter, unsigned flags, unsigned first, unsigned last)
{
    HC_NAME(b3_lanes)(out, cv, &in, blocks, counter, 0, flags, first, last);
}

void HC_NAME(hc_b3_block)(uint8_t out[32], const uint8_t cv[32], const uint8_t *in, unsigned len, uint64_t counter,
                          unsigned flags)
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
    v[8] = s8;
    for (int i = 0; i < 8; i++) hc_store32le(out + 4 * i, v[i] ^ v[8 + i]);
}
#endif

void HC_NAME(hc_b3_many)(uint8_t *out, const uint8_t key[32], const uint8_t *in, size_t stride, size_t n,
                                     size_t blocks, uint64_t counter, int step, unsigned flags, unsigned first, unsigned last)
{
    while (n) {
        size_t take = n < HC_L32 ? n : HC_L32;
        HC_NAME(b3_lanes_at)(out, key, in, stride, take, blocks, counter, step, flags, first, last);
        in += stride * take;
        out += 32 * take;
        counter += step ? take : 0;
        n -= take;
    }
}
