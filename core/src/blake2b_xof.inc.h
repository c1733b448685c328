/* blake2b_xof.inc.h - BLAKE2Xb output: one 64-byte message, states that differ in the node offset, a state a lane. */
#if HC_L64 == 1
void HC_NAME(hc_b2b_xof)(uint8_t *out, const uint64_t h[8], const uint8_t in[64], uint64_t first, size_t blocks)
{
    static const uint64_t none[2] = {0, 0};
    uint64_t s[8];
    memcpy(s, h, 64);
    for (; blocks; blocks--, out += 64, first++) {
        s[1] = h[1] ^ first;
        HC_NAME(hc_b2b_finish)(out, s, none, 0, in, 64);
    }
}
#else
/* Measured: rows are as fast as lanes for two blocks with eight lanes, for one with four or two. */
enum { HC_NAME(B2X_FEW) = (HC_L64 + 2) / 4 };

void HC_NAME(hc_b2b_xof)(uint8_t *out, const uint64_t h[8], const uint8_t in[64], uint64_t first, size_t blocks)
{
    static const uint64_t none[2] = {0, 0};
    uint8_t HC_ALIGN(64) message[128], HC_ALIGN(64) spare[64];
    uint64_t HC_ALIGN(64) st[8 * HC_L64], HC_ALIGN(64) t[HC_L64], HC_ALIGN(64) f[HC_L64], s[8];
    const uint8_t *at[HC_L64];
    uint8_t *to[HC_L64];
    v64 number = v64_set1(0);
    if (blocks > HC_NAME(B2X_FEW)) {
        memcpy(message, in, 64);
        memset(message + 64, 0, 64);
        v64_store(f, v64_set1(~(uint64_t)0));
        for (int i = 0; i < HC_L64; i++) {
            at[i] = message;
            t[i] = first + (uint64_t)i;
        }
        number = v64_load(t);
    }
    while (blocks > HC_NAME(B2X_FEW)) {
        const size_t some = blocks < HC_L64 ? blocks : HC_L64;
        HC_UNROLL for (int i = 0; i < 8; i++) v64_store(st + HC_L64 * i, v64_set1(h[i]));
        v64_store(st + HC_L64, v64_xor(v64_set1(h[1]), number));
        number = v64_add(number, v64_set1(HC_L64));
        for (size_t i = 0; i < HC_L64; i++) to[i] = i < some ? out + 64 * i : spare;
        v64_store(t, v64_set1((uint64_t)64 - 128));
        HC_NAME(b2m_lanes)(st, t, f, 0, at, 1);
        HC_NAME(b2m_digests)(to, st);
        first += some;
        out += 64 * some;
        blocks -= some;
    }
    memcpy(s, h, 64);
    for (; blocks; blocks--, first++, out += 64) {
        s[1] = h[1] ^ first;
        HC_K(b2b_finish)(out, s, none, 0, in, 64);
    }
}
#endif
