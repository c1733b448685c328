/* sha256_end.inc.h - how a SHA-256 message ends, over the compression of whichever kernel includes this. */
#ifndef HC_SHA256_END_INC_H
#define HC_SHA256_END_INC_H
HC_INTERNAL extern const uint32_t hc_sha256_k[64];
/* K plus the message schedule of the block that is only padding and says 512 bits. */
HC_INTERNAL extern const uint32_t hc_sha256_pad64[64];

/* Messages of one shape have as many blocks of body and as many of padding. */
#define HC_S2_SHAPE(n) ((n) / 64 * 2 + ((n) % 64 >= 56))

/* The last r (0..63) bytes of a message of `total`, padded (FIPS 180-4, 5.1.1): 1 or 2 blocks. */
HC_INLINE size_t hc_s2_pad(uint8_t end[128], const uint8_t *p, size_t r, uint64_t total)
{
    const size_t size = r < 56 ? 64 : 128;
    memset(end, 0, 128);
    if (r) memcpy(end, p, r);
    end[r] = 0x80;
    hc_store64be(end + size - 8, total << 3);
    return size / 64;
}
HC_INLINE void hc_s2_digest(uint8_t out[32], const uint32_t *st, size_t stride)
{
    for (int i = 0; i < 8; i++) hc_store32be(out + 4 * i, st[i * stride]);
}
#define HC_SHA256_FINISH                                                                                               \
    void HC_NAME(hc_sha256_finish)(uint8_t out[32], const uint32_t st[8], uint64_t before, const uint8_t *in, size_t n)\
    {                                                                                                                  \
        uint32_t h[8];                                                                                                 \
        uint8_t end[128];                                                                                              \
        if (!n) in = out; /* may be NULL */                                                                            \
        memcpy(h, st, 32);                                                                                             \
        HC_NAME(hc_sha256_blocks)(h, in, n / 64);                                                                      \
        HC_NAME(hc_sha256_blocks)(h, end, hc_s2_pad(end, in + n / 64 * 64, n % 64, before + n));                       \
        hc_s2_digest(out, h, 1);                                                                                       \
    }
#endif
