/* steps.c - how many instructions a call takes, hashcore's and a peer's: a child is stepped through each by ptrace (Linux). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define OPENSSL_SUPPRESS_DEPRECATED
#include "hashcore.h"
#include <openssl/sha.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../peers.h"

void loop_xor(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b, size_t n);

static uint8_t out[8192], in[8192], other[8192];

static void nothing(size_t n) { (void)n; }
static void blake3(size_t n) { hc_blake3_hash(out, 32, NULL, in, n, 1); }
static void crate(size_t n) { peer_blake3(out, 32, in, n); }
static void blake2b(size_t n) { hc_blake2b_hash(out, 32, NULL, 0, in, n); }
static void sodium(size_t n) { crypto_generichash(out, 32, in, n, NULL, 0); }
static void blake2b_simd(size_t n) { peer_blake2b(out, 32, in, n); }
static void sha256(size_t n) { hc_sha256_hash(out, in, n); }
static void openssl(size_t n)
{
    SHA256_CTX c;
    SHA256_Init(&c);
    SHA256_Update(&c, in, n);
    SHA256_Final(out, &c);
}
static void xor_two(size_t n) { hc_xor(out, in, other, n); }
static void loop(size_t n) { loop_xor(out, in, other, n); }

enum { SIZES = 7 };
static const struct {
    const char *name;
    void (*call)(size_t n);
    size_t sizes[SIZES]; /* SIZE_MAX: no more */
} calls[] = {
    { "nothing", nothing, { 0, SIZE_MAX } },
    { "blake3 hashcore", blake3, { 0, 32, 64, 4096, 5120, 6144, SIZE_MAX } },
    { "blake3 crate", crate, { 0, 32, 64, 4096, 5120, 6144, SIZE_MAX } },
    { "blake2b hashcore", blake2b, { 32, 128, 256, SIZE_MAX } },
    { "blake2b libsodium", sodium, { 32, 128, 256, SIZE_MAX } },
    { "blake2b blake2b_simd", blake2b_simd, { 32, 128, 256, SIZE_MAX } },
    { "sha256 hashcore", sha256, { 0, 55, 64, 128, SIZE_MAX } },
    { "sha256 OpenSSL", openssl, { 0, 55, 64, 128, SIZE_MAX } },
    { "xor hashcore", xor_two, { 8, 128, 2048, SIZE_MAX } },
    { "xor gcc -O3 loop", loop, { 8, 128, 2048, SIZE_MAX } },
};
enum { CALLS = sizeof calls / sizeof *calls };

/* The child says in *at which call is on: 1 and up, 0 between them. */
static void child(volatile int *at)
{
    for (int traced = 0; traced < 2; traced++) { /* first once for dispatch and lazy binding */
        for (int i = 0; i < CALLS; i++) {
            for (int k = 0; calls[i].sizes[k] != SIZE_MAX; k++) {
                *at = traced ? 1 + i * SIZES + k : 0;
                calls[i].call(calls[i].sizes[k]);
                *at = 0;
            }
        }
        if (!traced && (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP))) _exit(1);
    }
    _exit(0);
}

int main(void)
{
    volatile int *at = (volatile int *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    long steps[1 + CALLS * SIZES] = { 0 };
    int status;
    pid_t pid;
    if (at == MAP_FAILED || sodium_init() < 0 || (pid = fork()) < 0) return 2;
    if (!pid) child(at);
    waitpid(pid, &status, 0);
    while (WIFSTOPPED(status)) {
        if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid) return 2;
        steps[*at]++;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status)) return 2;
    for (int i = 1; i < CALLS; i++)
        for (int k = 0; calls[i].sizes[k] != SIZE_MAX; k++)
            printf("%-22s %6zu B %6ld\n", calls[i].name, calls[i].sizes[k], steps[1 + i * SIZES + k] - steps[1]);
    return 0;
}
