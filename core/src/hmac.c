/* hmac.c - HMAC-SHA-256 and HMAC-SHA-224 (RFC 2104, RFC 4231), the key kept as two midstates. */
#include "internal.h"

HC_STATIC_ASSERT(hmac_state_fits, sizeof(hc_hmac_state) <= sizeof(hc_hmac_sha256));

void hc_hmac_midstates(uint32_t inner[8], uint32_t outer[8], size_t size, const void *key, size_t key_len)
{
    const uint32_t *iv = size == HC_SHA256_SIZE ? hc_sha256_iv : hc_sha224_iv;
    uint8_t block[64] = { 0 };
    if (key_len > 64) { /* longer keys count as their digest (RFC 2104, section 2) */
        uint8_t digest[32];
        HC_K(sha256_finish)(digest, iv, 0, (const uint8_t *)key, key_len);
        memcpy(block, digest, size);
        hc_wipe(digest, sizeof digest);
    } else if (key_len) {
        memcpy(block, key, key_len);
    }
    for (int i = 0; i < 64; i++) block[i] ^= 0x36;
    memcpy(inner, iv, 32);
    HC_K(sha256_blocks)(inner, block, 1);
    for (int i = 0; i < 64; i++) block[i] ^= 0x36 ^ 0x5c;
    memcpy(outer, iv, 32);
    HC_K(sha256_blocks)(outer, block, 1);
    hc_wipe(block, sizeof block);
}

static void init(hc_hmac_sha256 *state, uint32_t size, const void *key, size_t key_len)
{
    hc_hmac_state *s = (hc_hmac_state *)(void *)state;
    hc_hmac_midstates(s->inner, s->outer, size, key, key_len);
    memcpy(s->h, s->inner, sizeof s->h);
    s->count = 0;
    s->size = size;
    s->unused = 0;
}

void hc_hmac_sha256_init(hc_hmac_sha256 *s, const void *key, size_t key_len) { init(s, HC_SHA256_SIZE, key, key_len); }
void hc_hmac_sha224_init(hc_hmac_sha256 *s, const void *key, size_t key_len) { init(s, HC_SHA224_SIZE, key, key_len); }

void hc_hmac_sha256_update(hc_hmac_sha256 *state, const void *data, size_t len)
{
    hc_hmac_state *s = (hc_hmac_state *)(void *)state;
    hc_sha256_absorb(s->h, s->buf, s->count, data, len);
    s->count += len;
}

void hc_hmac_sha256_final(const hc_hmac_sha256 *state, void *out)
{
    const hc_hmac_state *s = (const hc_hmac_state *)(const void *)state;
    size_t size = s->size == HC_SHA256_SIZE ? HC_SHA256_SIZE : HC_SHA224_SIZE;
    uint8_t digest[32];
    HC_K(sha256_finish)(digest, s->h, 64 + s->count / 64 * 64, s->buf, (size_t)(s->count % 64));
    HC_K(sha256_finish)(digest, s->outer, 64, digest, size);
    memcpy(out, digest, size);
    hc_wipe(digest, sizeof digest);
}

void hc_hmac_sha256_hash(void *out, const void *key, size_t key_len, const void *data, size_t len)
{
    uint32_t inner[8], outer[8];
    uint8_t digest[32];
    hc_hmac_midstates(inner, outer, HC_SHA256_SIZE, key, key_len);
    HC_K(sha256_finish)(digest, inner, 64, (const uint8_t *)data, len);
    HC_K(sha256_finish)((uint8_t *)out, outer, 64, digest, 32);
    hc_wipe(inner, sizeof inner);
    hc_wipe(outer, sizeof outer);
    hc_wipe(digest, sizeof digest);
}
