/* test_hmac.c - the test cases of RFC 4231 for HMAC-SHA-224 and HMAC-SHA-256, by every way to a digest. */
#include "hashcore.h"
#include "check.h"

typedef struct rfc {
    const char *key; /* or NULL: key_len bytes of key_byte; 0x100: 1, 2, 3, ... */
    unsigned key_byte;
    size_t key_len;
    const char *data; /* or NULL: data_len bytes of data_byte */
    unsigned data_byte;
    size_t data_len;
    const char *sha224, *sha256; /* case 5 has the first 128 bits of them */
} rfc;

static const rfc cases[] = {
    { NULL, 0x0b, 20, "Hi There", 0, 0, "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7" },
    { "Jefe", 0, 0, "what do ya want for nothing?", 0, 0, "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
    { NULL, 0xaa, 20, NULL, 0xdd, 50, "7fb3cb3588c6c1f6ffa9694d7d6ad2649365b0c1f65d69d1ec8333ea",
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe" },
    { NULL, 0x100, 25, NULL, 0xcd, 50, "6c11506874013cac6a2abc1bb382627cec6a90d86efc012de7afec5a",
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b" },
    { NULL, 0x0c, 20, "Test With Truncation", 0, 0, "0e2aea68a90c8d37c988bcdb9fca6fa8",
      "a3b6167473100ee06e0c796c2955552b" },
    { NULL, 0xaa, 131, "Test Using Larger Than Block-Size Key - Hash Key First", 0, 0,
      "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54" },
    { NULL, 0xaa, 131,
      "This is a test using a larger than block-size key and a larger than block-size data. "
      "The key needs to be hashed before being used by the HMAC algorithm.",
      0, 0, "3a854166ac5d9f023f54d517d0b39dbd946770db9c2b95c9f6f565d1",
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2" },
};

static size_t fill(uint8_t *to, const char *text, unsigned byte, size_t len)
{
    if (text) {
        memcpy(to, text, strlen(text));
        return strlen(text);
    }
    for (size_t i = 0; i < len; i++) to[i] = (uint8_t)(byte == 0x100 ? i + 1 : byte);
    return len;
}

static void one(const char *name, int number, const hc_options *o, const hc_slice *data, const char *want)
{
    const hc_alg *alg = hc_alg_find(name);
    const size_t size = alg->digest_size, n = strlen(want) / 2;
    uint8_t out[3 * 32];
    hc_slice items[3] = { { "another", 7 }, { NULL, 0 }, { NULL, 0 } };
    hc_batch batch;
    hc_state s;
    CHECK(hc_digest(alg, out, size, 0, o, data, 1, 0, NULL) == HC_OK);
    CHECK_SAY(check_hex(out, n, want), "%s, test case %d", name, number);
    for (size_t cut = 0; cut <= data->len; cut++) {
        CHECK(alg->init(&s, o, NULL) == HC_OK);
        alg->update(&s, data->data, cut);
        alg->update(&s, (const uint8_t *)data->data + cut, data->len - cut);
        CHECK(alg->final(&s, out, size, 0, NULL) == HC_OK);
        CHECK_SAY(check_hex(out, n, want), "%s, test case %d, cut at %zu", name, number, cut);
    }
    memset(&batch, 0, sizeof batch);
    items[1] = *data;
    batch.items = items;
    batch.count = 3;
    CHECK(hc_digest_many(alg, out, size, o, &batch, 0, NULL) == HC_OK);
    CHECK_SAY(check_hex(out + size, n, want), "%s, test case %d, in a batch", name, number);
}

int main(void)
{
    CHECK(sizeof cases / sizeof *cases == 7);
    for (int i = 0; i < 7; i++) {
        const rfc *c = &cases[i];
        uint8_t key[131], data[200], out[32];
        hc_options o = HC_OPTIONS_INIT;
        hc_hmac_sha256 s;
        hc_slice message;
        o.given = HC_GIVEN_KEY;
        o.key.data = key;
        o.key.len = fill(key, c->key, c->key_byte, c->key_len);
        message.data = data;
        message.len = fill(data, c->data, c->data_byte, c->data_len);
        one("hmac-sha224", i + 1, &o, &message, c->sha224);
        one("hmac-sha256", i + 1, &o, &message, c->sha256);
        hc_hmac_sha256_hash(out, key, o.key.len, data, message.len);
        CHECK_SAY(check_hex(out, strlen(c->sha256) / 2, c->sha256), "hc_hmac_sha256_hash, test case %d", i + 1);
        hc_hmac_sha224_init(&s, key, o.key.len);
        hc_hmac_sha256_update(&s, data, message.len);
        hc_hmac_sha256_final(&s, out);
        CHECK_SAY(check_hex(out, strlen(c->sha224) / 2, c->sha224), "hc_hmac_sha224_init, test case %d", i + 1);
    }
    return check_done("test_hmac");
}
