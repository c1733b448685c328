/* rows_file.c - hc_update_file on a cached file (in $TMPDIR or /tmp) against what hashlib.file_digest and b3sum do. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "bench.h"
#include <fcntl.h>
#include <unistd.h>
#ifdef BENCH_RUST
#include "peers.h"
#endif
#ifdef BENCH_OPENSSL
#include <openssl/crypto.h>
#include <openssl/evp.h>
#endif

static char path[300];

static void remove_file(void)
{
    if (path[0]) unlink(path);
}

/* The case's input as a file; written when the size changes. */
static const char *file_of(const bench_case *c)
{
    static size_t size = (size_t)-1;
    int fd;
    if (size == c->size) return path;
    if (!path[0]) {
        const char *tmp = getenv("TMPDIR");
        snprintf(path, sizeof path, "%.250s/hashcore-bench-%ld", tmp ? tmp : "/tmp", (long)getpid());
        atexit(remove_file);
    }
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (size_t at = 0; fd >= 0 && at < c->size;) {
        ssize_t n = write(fd, c->in + at, c->size - at < KI(1024) ? c->size - at : KI(1024));
        if (n <= 0) fd = -1;
        at += (size_t)n;
    }
    if (fd < 0 || close(fd)) {
        perror(path);
        exit(2);
    }
    size = c->size;
    return path;
}

static void ours(const bench_case *c, const char *name, unsigned threads, size_t times)
{
    const hc_alg *alg = hc_alg_find(name);
    hc_file f = HC_FILE_INIT;
    hc_state s;
    void *state = &s;
    f.path = file_of(c);
    f.threads = threads;
    while (times--) {
        alg->init(&s, NULL, NULL);
        if (hc_update_file(&alg, &state, 1, &f, NULL, NULL)) exit(2);
        alg->final(&s, c->out, 32, 0, NULL);
    }
}
static void sha256_alone(const bench_case *c, size_t times) { ours(c, "sha256", 0, times); }
static void sha256_two(const bench_case *c, size_t times) { ours(c, "sha256", 2, times); }
static void blake3_alone(const bench_case *c, size_t times) { ours(c, "blake3", 0, times); }
static void blake3_two(const bench_case *c, size_t times) { ours(c, "blake3", 2, times); }
static void blake3_auto(const bench_case *c, size_t times) { ours(c, "blake3", HC_THREADS_AUTO, times); }

#ifdef BENCH_OPENSSL
static const char *openssl_version(void) { return OpenSSL_version(OPENSSL_VERSION); }
/* As hashlib.file_digest: one buffer of 256 KiB, read and update in turn. */
static void openssl_file(const bench_case *c, size_t times)
{
    const char *name = file_of(c);
    uint8_t *buf = (uint8_t *)malloc(KI(256));
    while (times--) {
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        int fd = open(name, O_RDONLY);
        ssize_t n;
        EVP_DigestInit_ex(ctx, EVP_sha256(), NULL);
        while ((n = read(fd, buf, KI(256))) > 0) EVP_DigestUpdate(ctx, buf, (size_t)n);
        close(fd);
        EVP_DigestFinal_ex(ctx, c->out, NULL);
        EVP_MD_CTX_free(ctx);
    }
    free(buf);
}
#define OPENSSL_ROW { "OpenSSL and read", openssl_version, openssl_file },
#else
#define OPENSSL_ROW
#endif
#ifdef BENCH_RUST
static const char *crate_version(void) { return peer_version(0); }
/* As b3sum: the file mapped, Rayon's threads (RAYON_NUM_THREADS sets how many). */
static void crate_file(const bench_case *c, size_t times)
{
    const char *name = file_of(c);
    while (times--)
        if (peer_blake3_file(c->out, name)) exit(2);
}
#define CRATE_ROW { "blake3 crate", crate_version, crate_file },
#else
#define CRATE_ROW
#endif

static const size_t sizes[] = { KI(4), KI(64), KI(1024), KI(16384), KI(65536), KI(262144), BENCH_END };
static const size_t sizes_blake3[] = { KI(4), KI(64), KI(1024), KI(16384), KI(65536), KI(262144), KI(1048576), BENCH_END };

#define OURS(run) { "hashcore", bench_hashcore_version, run },
#define ALONE(run) { "hashcore, one thread", bench_hashcore_version, run },
#define ROWS(name, rows) static const bench_row name[] = { rows { NULL, NULL, NULL } }
ROWS(rows_sha256, OURS(sha256_alone) OPENSSL_ROW);
ROWS(rows_sha256_two, OURS(sha256_two) ALONE(sha256_alone) OPENSSL_ROW);
ROWS(rows_blake3_two, OURS(blake3_two) ALONE(blake3_alone) CRATE_ROW);
ROWS(rows_blake3_auto, OURS(blake3_auto) ALONE(blake3_alone) CRATE_ROW);

#define TEST(name, operation, slot, sizes, rows, threads) \
    { name, operation, slot, 32, 1, sizes, NULL, NULL, rows, threads, 0, 0, NULL, "", 0 }
const bench_test bench_file[] = {
    TEST("sha256", "file", "sha256.blocks", sizes, rows_sha256, 1),
    TEST("sha256", "file", "sha256.blocks", sizes, rows_sha256_two, 2),
    TEST("blake3", "file", "blake3.many", sizes_blake3, rows_blake3_two, 2),
    TEST("blake3", "file-auto", "blake3.many", sizes_blake3, rows_blake3_auto, 0), /* HC_THREADS_AUTO */
    TEST(NULL, NULL, NULL, NULL, NULL, 0)
};
