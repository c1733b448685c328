/* test_abi.c - at every level the kernels leave the caller's registers as the system's ABI wants them (64-bit Windows: xmm6
 * to xmm15 survive a call), and two calls in a row agree. */
#include "hashcore.h"
#include "check.h"

static uint8_t input[3000], digest[64];

static void blake3_65(void) { hc_blake3_hash(digest, 32, NULL, input, 65, 0); }
static void blake3_long(void) { hc_blake3_hash(digest, 64, NULL, input, sizeof input, 0); }
static void blake2b_long(void) { hc_blake2b_hash(digest, 64, NULL, 0, input, sizeof input); }
static void sha256_long(void) { hc_sha256_hash(digest, input, sizeof input); }
static void xor_long(void) { hc_xor(input, input, input + 1000, 1000); hc_xor(input, input, input + 1000, 1000); }
static void many(void)
{
    static uint8_t out[40 * 64];
    static const char *const names[] = { "sha256", "blake2b", "blake3" };
    hc_batch b = { 40, NULL, { input, 40 * 70 }, { NULL, 0 }, NULL, 70, 0 };
    for (int i = 0; i < 3; i++) {
        const hc_alg *alg = hc_alg_find(names[i]);
        hc_digest_many(alg, out, alg->digest_size, NULL, &b, 0, NULL);
    }
}

#if defined(_WIN64) && defined(__GNUC__)
static int registers_kept(void (*f)(void))
{
    static uint8_t before[160], after[160];
    for (int i = 0; i < 160; i++) before[i] = (uint8_t)(i * 7 + 1);
    memset(after, 0, sizeof after);
#define LOAD(n, at) "movups " #at "(%%rsi), %%xmm" #n "\n\t"
#define STORE(n, at) "movups %%xmm" #n ", " #at "(%%rdi)\n\t"
    __asm__ volatile("movq %%rsp, %%r12\n\tandq $-16, %%rsp\n\tsubq $32, %%rsp\n\t"
                     LOAD(6, 0) LOAD(7, 16) LOAD(8, 32) LOAD(9, 48) LOAD(10, 64) LOAD(11, 80) LOAD(12, 96) LOAD(13, 112)
                     LOAD(14, 128) LOAD(15, 144) "call *%%rbx\n\t"
                     STORE(6, 0) STORE(7, 16) STORE(8, 32) STORE(9, 48) STORE(10, 64) STORE(11, 80) STORE(12, 96)
                     STORE(13, 112) STORE(14, 128) STORE(15, 144) "movq %%r12, %%rsp"
                     :
                     : "S"(before), "D"(after), "b"(f)
                     : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
    return !memcmp(before, after, sizeof before);
}
#else
static int registers_kept(void (*f)(void)) /* elsewhere no vector register outlives a call */
{
    f();
    return 1;
}
#endif

int main(void)
{
    static const char *const levels[] = { "portable", "sse2", "sse41", "avx2,no-shani", "avx2", "avx512", "neon,no-sha2", "neon", "simd128" };
    static void (*const work[])(void) = { blake3_65, blake3_long, blake2b_long, sha256_long, xor_long, many };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        uint32_t mask;
        if (hc_cpu_parse(&mask, levels[i], NULL) || hc_cpu_restrict(mask, NULL)) continue;
        for (size_t w = 0; w < sizeof work / sizeof *work; w++) CHECK_SAY(registers_kept(work[w]), "%s, %u", levels[i], (unsigned)w);
        memset(input, 0xff, 65);
        for (int twice = 0; twice < 2; twice++) {
            blake3_65(); /* the second call went wrong elsewhere */
            CHECK_SAY(check_hex(digest, 4, "b7eb32d9"), "%s", levels[i]);
        }
    }
    return check_done("test_abi");
}
