/* rows_sha2.c - SHA-256: hashcore against OpenSSL's low-level functions and EVP, libsodium and the crate sha2.
 *
 * "without-shani" wants OPENSSL_ia32cap=:~0x20000000 in the environment, or OpenSSL keeps the SHA instructions. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "bench.h"
#ifdef BENCH_OPENSSL
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/sha.h>
#endif
#ifdef BENCH_SODIUM
#include <sodium.h>
#endif
#ifdef BENCH_RUST
#include "peers.h"
#endif

#define KI(n) ((size_t)(n) << 10)
#define OURS(slot, name)                               \
    {                                                  \
        "hashcore", bench_hashcore_version, slot, name \
    }

/* ---- One message ---------------------------------------------------------------- */
static void ours_hash(const bench_case *c, size_t times)
{
    while (times--) hc_sha256_hash(c->out, c->in, c->size);
}
/* Each call's input begins with the last one's digest. */
#define CHAIN(call)                               \
    const size_t n = c->size < 32 ? c->size : 32; \
    memcpy(c->scratch, c->in, c->size);           \
    while (times--) {                             \
        call;                                     \
        memcpy(c->scratch, c->out, n);            \
    }
static void ours_chain(const bench_case *c, size_t times) { CHAIN(hc_sha256_hash(c->out, c->scratch, c->size)) }
static void ours_hmac(const bench_case *c, size_t times)
{
    hc_hmac_sha256 keyed, s;
    hc_hmac_sha256_init(&keyed, "a key of 32 bytes for the bench.", 32);
    while (times--) {
        s = keyed;
        hc_hmac_sha256_update(&s, c->in, c->size);
        hc_hmac_sha256_final(&s, c->out);
    }
}

/* ---- Many messages ---------------------------------------------------------------- */
static void batch(const bench_case *c, size_t times, const hc_batch *b)
{
    const hc_alg *alg = hc_alg_find("sha256");
    while (times--) hc_digest_many(alg, c->out, 32, NULL, b, c->threads, NULL);
}
static void ours_many(const bench_case *c, size_t times)
{
    hc_batch b;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.data.data = c->in;
    b.data.len = c->count * c->size;
    b.item_size = c->size;
    batch(c, times, &b);
}
static void ours_slices(const bench_case *c, size_t times)
{
    hc_slice items[256];
    hc_batch b;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.items = items;
    for (size_t i = 0; i < c->count; i++) {
        items[i].data = c->in + c->size * i;
        items[i].len = c->size;
    }
    batch(c, times, &b);
}
static void ours_mixed(const bench_case *c, size_t times)
{
    hc_slice items[256];
    hc_batch b;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.items = items;
    bench_mixed(c, items);
    batch(c, times, &b);
}
static void ours_hmac_many(const bench_case *c, size_t times)
{
    const hc_alg *alg = hc_alg_find("hmac-sha256");
    hc_options o = HC_OPTIONS_INIT;
    hc_batch b;
    memset(&b, 0, sizeof b);
    b.count = c->count;
    b.data.data = c->in;
    b.data.len = c->count * c->size;
    b.item_size = c->size;
    o.given = HC_GIVEN_KEY;
    o.key.data = "a key of 32 bytes for the bench.";
    o.key.len = 32;
    while (times--) hc_digest_many(alg, c->out, 32, &o, &b, c->threads, NULL);
}
static void ours_hmac_loop(const bench_case *c, size_t times)
{
    hc_hmac_sha256 keyed, s;
    hc_hmac_sha256_init(&keyed, "a key of 32 bytes for the bench.", 32);
    while (times--) {
        for (size_t i = 0; i < c->count; i++) {
            s = keyed;
            hc_hmac_sha256_update(&s, c->in + c->size * i, c->size);
            hc_hmac_sha256_final(&s, c->out + 32 * i);
        }
    }
}

/* ---- Peers ------------------------------------------------------------------------- */
#ifdef BENCH_OPENSSL
static const char *openssl_version(void) { return OPENSSL_VERSION_TEXT; }
static void openssl_one(uint8_t *out, const uint8_t *in, size_t n)
{
    SHA256_CTX s;
    SHA256_Init(&s);
    SHA256_Update(&s, in, n);
    SHA256_Final(out, &s);
}
static void openssl_hash(const bench_case *c, size_t times)
{
    while (times--) openssl_one(c->out, c->in, c->size);
}
static void openssl_chain(const bench_case *c, size_t times) { CHAIN(openssl_one(c->out, c->scratch, c->size)) }
static void openssl_loop(const bench_case *c, size_t times)
{
    while (times--)
        for (size_t i = 0; i < c->count; i++) openssl_one(c->out + 32 * i, c->in + c->size * i, c->size);
}
static void openssl_mixed(const bench_case *c, size_t times)
{
    hc_slice items[256];
    bench_mixed(c, items);
    while (times--)
        for (size_t i = 0; i < c->count; i++)
            openssl_one(c->out + 32 * i, (const uint8_t *)items[i].data, items[i].len);
}
static void evp_hash(const bench_case *c, size_t times)
{
    EVP_MD_CTX *s = EVP_MD_CTX_new();
    const EVP_MD *md = EVP_sha256();
    while (times--) {
        EVP_DigestInit_ex(s, md, NULL);
        EVP_DigestUpdate(s, c->in, c->size);
        EVP_DigestFinal_ex(s, c->out, NULL);
    }
    EVP_MD_CTX_free(s);
}
#define OPENSSL(name) { "OpenSSL", openssl_version, NULL, name },
#define EVP(name) { "OpenSSL EVP", openssl_version, NULL, name },
#else
#define OPENSSL(name)
#define EVP(name)
#endif
#ifdef BENCH_SODIUM
static void sodium_hash(const bench_case *c, size_t times)
{
    while (times--) crypto_hash_sha256(c->out, c->in, c->size);
}
#define SODIUM(name) { "libsodium", sodium_version_string, NULL, name },
#else
#define SODIUM(name)
#endif
#ifdef BENCH_RUST
static void sha2_hash(const bench_case *c, size_t times)
{
    while (times--) peer_sha256(c->out, c->in, c->size);
}
#define SHA2(name) { "sha2 crate", bench_sha2_version, NULL, name },
#else
#define SHA2(name)
#endif
#define HASH_ROWS(slot)                                                                                      \
    {                                                                                                        \
        OURS(slot, ours_hash), OPENSSL(openssl_hash) EVP(evp_hash) SODIUM(sodium_hash) SHA2(sha2_hash) { 0 } \
    }

static const size_t sizes_chain[] = { 32, 55, 64, 128, BENCH_END };
static const size_t sizes_slow[] = { 64, KI(1), KI(1024), BENCH_END };
static const size_t sizes_hmac[] = { 0, 32, 64, 128, KI(1), BENCH_END };
static const size_t sizes_many[] = { 32, 55, 64, 128, 256, KI(1), KI(4), KI(16), BENCH_END };
static const size_t sizes_slices[] = { 32, 64, 128, KI(1), KI(4), BENCH_END };
static const size_t sizes_mixed[] = { 32, 100, 750, KI(2), BENCH_END };

const bench_test bench_sha2[] = {
    { "sha256", "hash", 32, 1, bench_sizes_short, NULL, HASH_ROWS("sha256.finish") },
    { "sha256", "hash", 32, 1, bench_sizes_mid, NULL, HASH_ROWS("sha256.finish") },
    { "sha256", "hash", 32, 1, bench_sizes_long, NULL, HASH_ROWS("sha256.finish") },
    { "sha256",
      "hash-chain",
      32,
      1,
      sizes_chain,
      NULL,
      { OURS("sha256.finish", ours_chain), OPENSSL(openssl_chain){ 0 } } },
    { "sha256",
      "without-shani",
      32,
      1,
      sizes_slow,
      "avx2,no-shani",
      { OURS("sha256.finish", ours_hash), OPENSSL(openssl_hash){ 0 } } },
    { "sha256",
      "portable",
      32,
      1,
      sizes_slow,
      "portable",
      { OURS("sha256.finish", ours_hash), OPENSSL(openssl_hash){ 0 } } },
    { "sha256", "many", 32, 256, sizes_many, NULL, { OURS("sha256.many", ours_many), OPENSSL(openssl_loop){ 0 } } },
    { "sha256",
      "many-slices",
      32,
      256,
      sizes_slices,
      NULL,
      { OURS("sha256.many", ours_slices), OPENSSL(openssl_loop){ 0 } } },
    { "sha256",
      "many-mixed",
      32,
      256,
      sizes_mixed,
      NULL,
      { OURS("sha256.many", ours_mixed), OPENSSL(openssl_mixed){ 0 } } },
    { "sha256",
      "many-avx512",
      32,
      256,
      sizes_many,
      "avx512,no-shani",
      { OURS("sha256.many", ours_slices), OPENSSL(openssl_loop){ 0 } } },
    { "sha256",
      "many-avx2",
      32,
      256,
      sizes_many,
      "avx2,no-shani",
      { OURS("sha256.many", ours_slices), OPENSSL(openssl_loop){ 0 } } },
    { "sha256",
      "many-sse41",
      32,
      256,
      sizes_many,
      "sse41,no-shani",
      { OURS("sha256.many", ours_slices), OPENSSL(openssl_loop){ 0 } } },
    { "sha256",
      "many-sse2",
      32,
      256,
      sizes_many,
      "sse2",
      { OURS("sha256.many", ours_slices), OPENSSL(openssl_loop){ 0 } } },
    { "sha256", "hmac", 32, 1, sizes_hmac, NULL, { OURS("sha256.finish", ours_hmac), { 0 } } },
    { "sha256",
      "hmac-many",
      32,
      256,
      sizes_hmac,
      NULL,
      { OURS("sha256.many", ours_hmac_many),
        { "hashcore loop", bench_hashcore_version, NULL, ours_hmac_loop },
        { 0 } } },
    { NULL, NULL, 0, 0, NULL, NULL, { { 0 } } }
};
