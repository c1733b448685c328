/* peers.c - who can hash: hashcore and the libraries that the machine has, each as the functions that bench.h asks for. */
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
#ifdef BENCH_LIBB2
#include <blake2.h>
#endif
#ifdef BENCH_GCRYPT
#include <gcrypt.h>
#endif
#ifdef BENCH_NETTLE
#include <nettle/sha2.h>
#include <nettle/version.h>
#endif
#ifdef BENCH_RUST
#include "peers.h"
#endif

#define ONE(name) static void name(uint8_t *out, size_t out_len, const uint8_t *in, size_t n)
#define PIECES(name) static void name(uint8_t *out, const hc_slice *parts, size_t n, int keep)
#define UNUSED(x) ((void)(x))

/* ---- hashcore ------------------------------------------------------------------------- */
const char *bench_hashcore_version(void) { return HC_VERSION_STRING; }
ONE(ours_sha256) { UNUSED(out_len), hc_sha256_hash(out, in, n); }
ONE(ours_blake2b) { hc_blake2b_hash(out, out_len, NULL, 0, in, n); }
ONE(ours_blake3) { hc_blake3_hash(out, out_len, NULL, in, n, 0); }
PIECES(ours_sha256_pieces)
{
    static hc_sha256 kept;
    hc_sha256 fresh, *s = keep ? &kept : &fresh;
    hc_sha256_init(s);
    for (size_t i = 0; i < n; i++) hc_sha256_update(s, parts[i].data, parts[i].len);
    hc_sha256_final(s, out);
}
PIECES(ours_blake3_pieces)
{
    static hc_blake3 kept;
    hc_blake3 fresh, *s = keep ? &kept : &fresh;
    hc_blake3_init(s, NULL);
    for (size_t i = 0; i < n; i++) hc_blake3_update(s, parts[i].data, parts[i].len, 0);
    hc_blake3_final(s, out, 32, 0);
}
ONE(ours_blake3_read)
{
    static hc_xof x;
    static int open;
    if (!open) {
        hc_blake3 s;
        hc_blake3_init(&s, NULL);
        hc_blake3_update(&s, in, n, 0);
        open = hc_xof_open(&x, hc_alg_find("blake3"), &s, NULL) == HC_OK;
    }
    hc_xof_read(&x, out, out_len, 0, 0, NULL);
}

/* ---- Libraries --------------------------------------------------------------------------- */
#ifdef BENCH_OPENSSL
static const char *openssl_version(void) { return OPENSSL_VERSION_STR; }
/* Its functions of 1.1 for the algorithm itself: the fastest way that it has. */
ONE(openssl_sha256)
{
    SHA256_CTX s;
    UNUSED(out_len);
    SHA256_Init(&s);
    SHA256_Update(&s, in, n);
    SHA256_Final(out, &s);
}
PIECES(openssl_pieces)
{
    static SHA256_CTX kept;
    SHA256_CTX fresh, *s = keep ? &kept : &fresh;
    SHA256_Init(s);
    for (size_t i = 0; i < n; i++) SHA256_Update(s, parts[i].data, parts[i].len);
    SHA256_Final(out, s);
}
static EVP_MD_CTX *evp_context(void)
{
    static EVP_MD_CTX *s;
    return s ? s : (s = EVP_MD_CTX_new());
}
static void evp(uint8_t *out, const uint8_t *in, size_t n, const EVP_MD *md)
{
    EVP_MD_CTX *s = evp_context();
    EVP_DigestInit_ex(s, md, NULL);
    EVP_DigestUpdate(s, in, n);
    EVP_DigestFinal_ex(s, out, NULL);
}
ONE(evp_sha256) { UNUSED(out_len), evp(out, in, n, EVP_sha256()); }
ONE(evp_blake2b) { UNUSED(out_len), evp(out, in, n, EVP_blake2b512()); }
#endif
#ifdef BENCH_SODIUM
ONE(sodium_sha256) { UNUSED(out_len), crypto_hash_sha256(out, in, n); }
ONE(sodium_blake2b)
{
    static int ready;
    if (!ready) ready = sodium_init() >= 0; /* chooses its kernels */
    crypto_generichash(out, out_len, in, n, NULL, 0);
}
PIECES(sodium_pieces)
{
    static crypto_hash_sha256_state kept;
    crypto_hash_sha256_state fresh, *s = keep ? &kept : &fresh;
    crypto_hash_sha256_init(s);
    for (size_t i = 0; i < n; i++) crypto_hash_sha256_update(s, (const uint8_t *)parts[i].data, parts[i].len);
    crypto_hash_sha256_final(s, out);
}
#endif
#ifdef BENCH_LIBB2
static const char *libb2_version(void) { return BENCH_LIBB2; }
ONE(libb2_blake2b) { blake2b(out, in, NULL, out_len, n, 0); }
#endif
#ifdef BENCH_GCRYPT
static const char *gcrypt_version(void) { return gcry_check_version(NULL); }
static void gcrypt_ready(void)
{
    static int ready;
    if (ready) return;
    gcry_check_version(NULL);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    ready = 1;
}
ONE(gcrypt_sha256) { gcrypt_ready(), UNUSED(out_len), gcry_md_hash_buffer(GCRY_MD_SHA256, out, in, n); }
ONE(gcrypt_blake2b) { gcrypt_ready(), UNUSED(out_len), gcry_md_hash_buffer(GCRY_MD_BLAKE2B_512, out, in, n); }
#endif
#ifdef BENCH_NETTLE
static const char *nettle_version(void) { return BENCH_NETTLE; }
PIECES(nettle_pieces)
{
    static struct sha256_ctx kept;
    struct sha256_ctx fresh, *s = keep ? &kept : &fresh;
    sha256_init(s);
    for (size_t i = 0; i < n; i++) sha256_update(s, parts[i].len, (const uint8_t *)parts[i].data);
    sha256_digest(s, 32, out);
}
ONE(nettle_sha256)
{
    hc_slice part = { in, n };
    UNUSED(out_len), nettle_pieces(out, &part, 1, 0);
}
#endif
#ifdef BENCH_RUST
static const char *blake3_version(void) { return peer_version(0); }
static const char *blake2b_simd_version(void) { return peer_version(1); }
static const char *sha2_version(void) { return peer_version(2); }
static const char *ring_version(void) { return peer_version(3); }
ONE(sha2_sha256) { UNUSED(out_len), peer_sha256(out, in, n); }
ONE(ring_sha256) { UNUSED(out_len), peer_ring_sha256(out, in, n); }
ONE(rayon_blake3) { UNUSED(out_len), peer_blake3_rayon(out, in, n); }
PIECES(crate_pieces) { peer_blake3_pieces(out, parts, n, keep); }
#endif

const bench_peer bench_peers[] = {
    { "C", "hashcore", "sha256", bench_hashcore_version, 32, ours_sha256, ours_sha256_pieces, NULL, NULL, NULL },
    { "C", "hashcore", "blake2b", bench_hashcore_version, 0, ours_blake2b, NULL, NULL, NULL, NULL },
    { "C", "hashcore", "blake3", bench_hashcore_version, 0, ours_blake3, ours_blake3_pieces, NULL, NULL, ours_blake3_read },
#ifdef BENCH_OPENSSL
    { "C", "OpenSSL", "sha256", openssl_version, 32, openssl_sha256, openssl_pieces, NULL, NULL, NULL },
    { "C", "OpenSSL EVP", "sha256", openssl_version, 32, evp_sha256, NULL, NULL, NULL, NULL },
    { "C", "OpenSSL EVP", "blake2b", openssl_version, 64, evp_blake2b, NULL, NULL, NULL, NULL },
#endif
#ifdef BENCH_SODIUM
    { "C", "libsodium", "sha256", sodium_version_string, 32, sodium_sha256, sodium_pieces, NULL, NULL, NULL },
    { "C", "libsodium", "blake2b", sodium_version_string, 0, sodium_blake2b, NULL, NULL, NULL, NULL },
#endif
#ifdef BENCH_LIBB2
    { "C", "libb2", "blake2b", libb2_version, 0, libb2_blake2b, NULL, NULL, NULL, NULL },
#endif
#ifdef BENCH_GCRYPT
    { "C", "libgcrypt", "sha256", gcrypt_version, 32, gcrypt_sha256, NULL, NULL, NULL, NULL },
    { "C", "libgcrypt", "blake2b", gcrypt_version, 64, gcrypt_blake2b, NULL, NULL, NULL, NULL },
#endif
#ifdef BENCH_NETTLE
    { "C", "nettle", "sha256", nettle_version, 32, nettle_sha256, nettle_pieces, NULL, NULL, NULL },
#endif
#ifdef BENCH_RUST
    { "Rust", "sha2 crate", "sha256", sha2_version, 32, sha2_sha256, NULL, NULL, NULL, NULL },
    { "Rust", "ring crate", "sha256", ring_version, 32, ring_sha256, NULL, NULL, NULL, NULL },
    { "Rust", "blake2b_simd crate", "blake2b", blake2b_simd_version, 0, peer_blake2b, NULL, peer_blake2b_many, NULL, NULL },
    { "Rust", "blake3 crate", "blake3", blake3_version, 0, peer_blake3, crate_pieces, NULL, rayon_blake3, peer_blake3_read },
#endif
    { NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL }
};

const char *const bench_missing[] = {
#ifndef BENCH_OPENSSL
    "OpenSSL",
#endif
#ifndef BENCH_SODIUM
    "libsodium",
#endif
#ifndef BENCH_LIBB2
    "libb2",
#endif
#ifndef BENCH_GCRYPT
    "libgcrypt",
#endif
#ifndef BENCH_NETTLE
    "nettle",
#endif
#ifndef BENCH_RUST
    "the crates blake3, blake2b_simd, sha2, ring (no cargo)",
#endif
    "isa-l_crypto (Debian does not package it)",
    NULL
};
