/* test_clash.c - run with clash.c preloaded: hashcore reaches its own functions only, and digests are right. */
#include "hashcore.h"
#include "check.h"

int main(void)
{
    static const struct { const char *name, *digest; } known[] = { /* of "abc": FIPS 180-4 examples, RFC 7693, BLAKE3 */
        { "sha224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7" },
        { "sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "blake2b", "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                     "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923" },
        { "blake3", "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85" },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const hc_alg *alg = hc_alg_find(known[i].name);
        uint8_t out[64];
        hc_slice abc = { "abc", 3 };
        hc_state s;
        CHECK(alg && hc_digest(alg, out, alg->digest_size, 0, NULL, &abc, 1, 0, NULL) == HC_OK);
        CHECK_SAY(check_hex(out, alg->digest_size, known[i].digest), "%s", known[i].name);
        CHECK(alg->init(&s, NULL, NULL) == HC_OK);
        alg->update(&s, "abc", 3);
        CHECK(alg->final(&s, out, alg->digest_size, 0, NULL) == HC_OK);
        CHECK_SAY(check_hex(out, alg->digest_size, known[i].digest), "%s", known[i].name);
    }
    return check_done("test_clash");
}
