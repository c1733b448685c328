/* sha256.c - SHA-256 and SHA-224 (FIPS 180-4) over the compression kernels. */
#include "internal.h"

HC_STATIC_ASSERT(sha256_state_fits, sizeof(hc_sha256_state) <= sizeof(hc_sha256));

const uint32_t hc_sha256_iv[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
const uint32_t hc_sha224_iv[8] = { 0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                   0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4 };

static void init(hc_sha256 *state, uint32_t size)
{
    hc_sha256_state *s = (hc_sha256_state *)(void *)state;
    memcpy(s->h, size == HC_SHA256_SIZE ? hc_sha256_iv : hc_sha224_iv, sizeof s->h);
    s->count = 0;
    s->size = size;
    s->unused = 0;
}

void hc_sha256_init(hc_sha256 *s) { init(s, HC_SHA256_SIZE); }
void hc_sha224_init(hc_sha256 *s) { init(s, HC_SHA224_SIZE); }

void hc_sha256_absorb(uint32_t h[8], uint8_t buf[64], uint64_t count, const void *data, size_t len)
{
    const uint8_t *p = (const uint8_t *)data;
    size_t have = (size_t)(count % 64);
    if (!len) return;
    if (have) {
        size_t n = 64 - have;
        if (len < n) {
            hc_copy_piece(buf + have, p, len);
            return;
        }
        hc_copy_piece(buf + have, p, n);
        HC_K(sha256_blocks)(h, buf, 1);
        p += n;
        len -= n;
    }
    if (len >= 64) {
        HC_K(sha256_blocks)(h, p, len / 64);
        p += len / 64 * 64;
        len %= 64;
    }
    hc_copy_piece(buf, p, len);
}

void hc_sha256_update(hc_sha256 *state, const void *data, size_t len)
{
    hc_sha256_state *s = (hc_sha256_state *)(void *)state;
    hc_sha256_absorb(s->h, s->buf, s->count, data, len);
    s->count += len;
}

void hc_sha256_final(const hc_sha256 *state, void *out)
{
    const hc_sha256_state *s = (const hc_sha256_state *)(const void *)state;
    uint8_t digest[32];
    HC_K(sha256_finish)(digest, s->h, s->count / 64 * 64, s->buf, (size_t)(s->count % 64));
    memcpy(out, digest, s->size == HC_SHA256_SIZE ? HC_SHA256_SIZE : HC_SHA224_SIZE);
}

void hc_sha256_hash(void *out, const void *data, size_t len)
{
    HC_K(sha256_finish)((uint8_t *)out, hc_sha256_iv, 0, (const uint8_t *)data, len);
}

void hc_sha224_hash(void *out, const void *data, size_t len)
{
    uint8_t digest[32];
    HC_K(sha256_finish)(digest, hc_sha224_iv, 0, (const uint8_t *)data, len);
    memcpy(out, digest, HC_SHA224_SIZE);
}
