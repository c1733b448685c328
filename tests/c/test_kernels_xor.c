/* test_kernels_xor.c - every XOR kernel of the candidate arrays against byte loops, between pages that fault. */
#define KT_STACK 1280
#include "kernel_test.h"

enum { MEMORY = 1 << 15, BIG = (9 << 20) + 77 };
static guard to, one, two, three, pointers;
static uint8_t expected[MEMORY];

/* Bytes before and after what may be written stay: 64 of them are watched where memory goes on. */
static uint8_t canary[MEMORY];
static void keep(void) { memcpy(canary, to.first, MEMORY); }
static int kept(const uint8_t *d, size_t n)
{
    const size_t at = (size_t)(d - to.first), after = MEMORY - at - n;
    const size_t a = at < 64 ? at : 64, b = after < 64 ? after : 64;
    return !memcmp(d - a, canary + at - a, a) && !memcmp(d + n, canary + at + n, b);
}

static void check_two(const hc_candidate *kt_c, uint8_t *d, const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) expected[i] = a[i] ^ b[i];
    keep();
    KERNEL(xor_two)(d, a, b, n);
    CHECK_SAY(!memcmp(d, expected, n) && kept(d, n), "%s, %zu bytes", KERNEL_NAME, n);
}

static void xor_two(void)
{
    FOR_KERNELS(xor_two) {
        for (size_t n = 0; n <= 1100; n += n < 200 ? 1 : CHECK_CASES(1, 5)) {
            const size_t s = n % 64, t = n * 7 % 64, u = n * 13 % 64;
            check_two(kt_c, to.end - n, one.end - n, two.end - n, n);
            check_two(kt_c, to.first, one.first, two.first, n);
            check_two(kt_c, to.first + s, one.first + t, two.first + u, n);
            check_two(kt_c, to.end - n, to.end - n, two.end - n, n); /* in place: one, the other, both */
            check_two(kt_c, to.first + t, one.first + s, to.first + t, n);
            check_two(kt_c, to.first, to.first, to.first, n);
            random_bytes(to.first, n + 64);
        }
        for (size_t n = 1101; n <= 4096; n += CHECK_CASES(1, 11)) {
            check_two(kt_c, to.end - n, one.end - n, two.end - n, n);
            check_two(kt_c, to.end - n, to.end - n, two.first + n % 64, n);
        }
        for (size_t n = 1; n <= 300; n += 1 + n / 24) { /* crypto/subtle's test: all alignments of all three */
            for (size_t s = 0; s < 8; s++) {
                for (size_t t = 0; t < 64; t++) check_two(kt_c, to.first + s, one.first + t % 8, two.first + t / 8, n);
            }
        }
    }
}

/* Sizes at which stores go around the cache: every number of vectors modulo four, whatever a vector is. */
static void big(void)
{
    guard a = guard_new(BIG), b = guard_new(BIG), d = guard_new(BIG);
    random_bytes(a.first, BIG);
    random_bytes(a.end - BIG, BIG);
    random_bytes(b.first, BIG);
    FOR_KERNELS(xor_two)
    for (size_t k = 0; k < 5; k++) {
        const size_t n = k < 4 ? BIG - 80 * k : BIG / 4096 * 4096;
        const uint8_t *p = a.end - n, *q = k % 2 ? b.end - n : b.first + k;
        uint8_t *x = d.end - n;
        size_t bad = 0;
        KERNEL(xor_two)(x, p, q, n);
        for (size_t i = 0; i < n; i++) bad += x[i] != (p[i] ^ q[i]);
        KERNEL(xor_two)(x, x, q, n); /* and back */
        CHECK_SAY(!bad && !memcmp(x, p, n), "%s, %zu bytes", KERNEL_NAME, n);
    }
    FOR_KERNELS(xor_many) {
        const uint8_t *s[3] = {a.end - BIG, b.first, a.first};
        size_t bad = 0;
        KERNEL(xor_many)(d.first, s, 3, BIG);
        for (size_t i = 0; i < BIG; i++) bad += d.first[i] != (s[0][i] ^ s[1][i] ^ s[2][i]);
        CHECK_SAY(!bad, "%s", KERNEL_NAME);
    }
}

static void xor_many(void)
{
    const uint8_t *all[9] = {one.first, two.first, three.first, one.end, two.end, three.end, NULL, one.first + 5, two.first + 3};
    const uint8_t *s[9];
    FOR_KERNELS(xor_many)
    for (size_t n = 0; n <= 1600; n += n < CHECK_CASES(1100, 140) ? 1 : 13) {
        for (size_t k = 1; k <= 9; k++) {
            uint8_t *d = n % 2 ? to.end - n : to.first + n % 64;
            const size_t own = check_random() % (2 * k); /* dst is source `own`, in half of the cases */
            memset(expected, 0, n);
            for (size_t j = 0; j < k; j++) {
                s[j] = j == own || !all[j] ? d : all[j] == one.end || all[j] == two.end || all[j] == three.end ? all[j] - n : all[j];
                for (size_t i = 0; i < n; i++) expected[i] ^= s[j][i];
            }
            keep();
            KERNEL(xor_many)(d, (const uint8_t *const *)at_end(&pointers, s, k, sizeof *s), k, n);
            CHECK_SAY(!memcmp(d, expected, n) && kept(d, n), "%s, %zu sources of %zu, dst is %zu", KERNEL_NAME, k, n, own);
            random_bytes(d, n);
        }
    }
}

static void xor_key(void)
{
    static const size_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 128, 200, 255, 256, 257, 300, 1000};
    FOR_KERNELS(xor_key)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const size_t len = lengths[l];
        for (size_t n = 0; n <= 1100; n += n < CHECK_CASES(300, 140) ? 1 : CHECK_CASES(7, 31)) {
            const size_t at = check_random() % 4 ? check_random() % len : 0;
            const uint8_t *key = n % 2 ? two.end - len : two.first;
            uint8_t *d = n % 3 ? to.end - n : to.first + n % 64;
            const uint8_t *src = check_random() & 256 ? d : one.end - n;
            for (size_t i = 0; i < n; i++) expected[i] = src[i] ^ key[(at + i) % len];
            keep();
            KERNEL(xor_key)(d, key, len, at, src, n);
            CHECK_SAY(!memcmp(d, expected, n) && kept(d, n), "%s, key of %zu from %zu, %zu bytes", KERNEL_NAME, len, at, n);
        }
    }
}

int main(void)
{
    check_seed("test_kernels_xor");
    to = guard_new(MEMORY);
    one = guard_new(MEMORY);
    two = guard_new(MEMORY);
    three = guard_new(MEMORY);
    pointers = guard_new(9 * sizeof(uint8_t *));
    random_bytes(to.first, MEMORY);
    random_bytes(one.first, MEMORY);
    random_bytes(two.first, MEMORY);
    random_bytes(three.first, MEMORY);
    xor_two();
    xor_many();
    xor_key();
    big();
    return check_done("test_kernels_xor");
}
