/* test_kernels_sha256.c - every SHA-256 kernel of the candidate arrays against the portable one. */
#include "kernel_test.h"

enum { MEMORY = 1 << 16 };
static guard in, out, pointers, lengths;
static uint8_t expected[300 * 32];

/* A state that ends where a fault begins. */
static uint32_t *random_state(void)
{
    uint32_t st[8];
    random_bytes(st, 32);
    return (uint32_t *)at_end_of(0, st, 32);
}
static uint64_t random_before(void)
{
    static const uint64_t at[] = {0, 0, 64, ((uint64_t)1 << 32) - 64, ((uint64_t)1 << 29) - 64, ((uint64_t)1 << 61) - 128};
    return at[(check_random() >> 8) % (sizeof at / sizeof *at)];
}

/* The oracle itself: FIPS 180-4's examples (NIST's example values for "abc" and the two-block message). */
static void known(void)
{
    static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    uint8_t d[32];
    FOR_KERNELS(sha256_finish) {
        KERNEL(sha256_finish)(d, iv, 0, (const uint8_t *)"abc", 3);
        CHECK_SAY(check_hex(d, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), "%s", KERNEL_NAME);
        KERNEL(sha256_finish)(d, iv, 0, (const uint8_t *)two, 56);
        CHECK_SAY(check_hex(d, 32, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"), "%s", KERNEL_NAME);
        KERNEL(sha256_finish)(d, iv, 0, NULL, 0);
        CHECK_SAY(check_hex(d, 32, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), "%s", KERNEL_NAME);
    }
}

static void blocks(void)
{
    FOR_KERNELS(sha256_blocks)
    for (size_t n = 0; n <= 17; n++) {
        for (size_t offset = 0; offset < 64; offset++) {
            uint32_t *a = random_state(), b[8];
            const uint8_t *p = offset ? in.first + offset - 1 : in.end - 64 * n;
            memcpy(b, a, 32);
            KERNEL(sha256_blocks)(a, p, n);
            PORTABLE(sha256_blocks)(b, p, n);
            CHECK_SAY(!memcmp(a, b, 32), "%s, %zu blocks", KERNEL_NAME, n);
        }
    }
}

static void finish(void)
{
    FOR_KERNELS(sha256_finish)
    for (size_t n = 0; n <= 1152; n += n < 200 ? 1 : CHECK_CASES(1, 7)) {
        for (int place = 0; place < 8; place++) {
            const uint32_t *st = random_state();
            const uint64_t before = random_before();
            const uint8_t *p = place == 0 ? in.end - n : place == 1 ? in.first : in.first + check_random() % 64;
            uint8_t *d = place % 2 ? out.first : out.end - 32;
            KERNEL(sha256_finish)(d, st, before, p, n);
            PORTABLE(sha256_finish)(expected, st, before, p, n);
            CHECK_SAY(!memcmp(d, expected, 32), "%s, %zu bytes after %llu", KERNEL_NAME, n, (unsigned long long)before);
        }
    }
}

static void check_many(const hc_candidate *kt_c, uint64_t before, const uint8_t *const *p, const size_t *len, size_t n)
{
    const uint32_t *st = random_state();
    uint8_t *d = check_random() & 256 ? out.first : out.end - 32 * n;
    memset(d, 0, 32 * n);
    p = (const uint8_t *const *)at_end(&pointers, p, n, sizeof *p);
    len = (const size_t *)at_end(&lengths, len, n, sizeof *len);
    KERNEL(sha256_many)(d, st, before, p, len, n);
    for (size_t i = 0; i < n; i++) PORTABLE(sha256_finish)(expected + 32 * i, st, before, p[i], len[i]);
    CHECK_SAY(!memcmp(d, expected, 32 * n), "%s, %zu messages, the first of %zu bytes", KERNEL_NAME, n, n ? len[0] : 0);
}

static void many(void)
{
    static const size_t most[] = {1, 60, 130, 200, 1500, 2500, 5000, 20000};
    static const size_t leasts[] = {64, 512, 1536, 4096};
    const uint8_t *p[300];
    size_t len[300];
    FOR_KERNELS(sha256_many) {
        for (size_t size = 0; size <= 300; size++) { /* equal lengths, every number of lanes in use */
            const size_t n = size % 40;
            for (size_t i = 0; i < n; i++) { p[i] = random_place(&in, size); len[i] = size; }
            check_many(kt_c, random_before(), p, len, n);
        }
        for (int round = 0; round < CHECK_CASES(400, 48); round++) {
            const size_t limit = most[round % 8], n = (check_random() >> 8) % 301;
            for (size_t i = 0; i < n; i++) {
                len[i] = (check_random() >> 8) % limit;
                if (check_random() % 8 == 0) len[i] = len[i] / 64 * 64;
                if (limit == 20000 && check_random() % 8) len[i] %= 100;
                p[i] = random_place(&in, len[i]);
            }
            check_many(kt_c, random_before(), p, len, n);
        }
        for (int round = 0; round < CHECK_CASES(24, 4); round++) { /* none of them short */
            const size_t least = leasts[round % 4], n = 1 + (check_random() >> 8) % 40;
            for (size_t i = 0; i < n; i++) {
                len[i] = least + (check_random() >> 8) % (least + 512);
                p[i] = random_place(&in, len[i]);
            }
            check_many(kt_c, random_before(), p, len, n);
        }
    }
}

static void one_differs(void)
{
    static const size_t sizes[][2] = {{64, 65}, {64, 119}, {64, 120}, {65, 64}, {128, 64}, {64, 128}, {64, 63}, {0, 55}, {55, 56}, {300, 310}};
    static const size_t numbers[] = {3, 17, 2, 5, 9, 16, 33};
    FOR_KERNELS(sha256_many)
    kt_one_differs(kt_c, check_many, &in, sizes, sizeof sizes / sizeof *sizes, numbers,
                   CHECK_CASES(sizeof numbers / sizeof *numbers, 2), random_before);
}

/* Lanes leave a single message to the table's kernel, and so SHA instructions alone when they are in the table. */
static unsigned ended;
static void end_one(uint8_t d[32], const uint32_t st[8], uint64_t before, const uint8_t *p, size_t n)
{
    ended++;
    PORTABLE(sha256_finish)(d, st, before, p, n);
}
static unsigned leaves_one(const hc_candidate *c) { return c->needs && !(c->needs & (HC_CPU_SHANI | HC_CPU_SHA2)); }
static void table(void)
{
    const uint8_t *p[20];
    size_t len[20];
    for (size_t i = 0; i < 20; i++) { p[i] = in.end - 64; len[i] = 64; }
    HC_ATOMIC_STORE(&hc_k_sha256_blocks, PORTABLE(sha256_blocks));
    HC_ATOMIC_STORE(&hc_k_sha256_finish, end_one);
    FOR_KERNELS(sha256_many) {
        ended = 0;
        for (size_t n = 0; n <= 20; n++) {
            check_many(kt_c, 0, p, len, n);
            if (n == 1) CHECK_SAY(ended == leaves_one(kt_c), "%s", KERNEL_NAME);
        }
    }
    FOR_KERNELS(sha256_pairs) {
        ended = 0;
        KERNEL(sha256_pairs)(out.first, random_state(), in.end - 64, 1);
        CHECK_SAY(ended == leaves_one(kt_c), "%s", KERNEL_NAME);
    }
    hc_kernels_choose();
}

/* Messages of one length whose digests take their place: the levels of a hash tree. */
static void in_place(void)
{
    static const size_t sizes[] = {32, 33, 55, 56, 64, 65, 96, 128, 160, 2048, 2100};
    const uint8_t *p[300];
    size_t len[300];
    const uint32_t *st;
    FOR_KERNELS(sha256_many)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t n = 1; n <= 300 && n * sizes[s] <= MEMORY; n += 1 + n / CHECK_CASES(8, 3)) {
            uint8_t *m = in.end - n * sizes[s];
            random_bytes(m, n * sizes[s]);
            st = random_state();
            for (size_t i = 0; i < n; i++) {
                p[i] = m + sizes[s] * i;
                len[i] = sizes[s];
                PORTABLE(sha256_finish)(expected + 32 * i, st, 64, p[i], len[i]);
            }
            KERNEL(sha256_many)(m, st, 64, p, len, n);
            CHECK_SAY(!memcmp(m, expected, 32 * n), "%s, %zu messages of %zu", KERNEL_NAME, n, sizes[s]);
        }
    }
    FOR_KERNELS(sha256_pairs)
    for (size_t n = 0; n <= 150; n++) {
        for (int form = 0; form < 4; form++) {
            uint8_t *m = form % 2 ? in.first + check_random() % 64 : in.end - 64 * n;
            uint8_t *d = form < 2 ? m : out.end - 32 * n;
            random_bytes(m, 64 * n);
            st = random_state();
            for (size_t i = 0; i < n; i++) PORTABLE(sha256_finish)(expected + 32 * i, st, 0, m + 64 * i, 64);
            KERNEL(sha256_pairs)(d, st, m, n);
            CHECK_SAY(!memcmp(d, expected, 32 * n), "%s, %zu pairs", KERNEL_NAME, n);
        }
    }
}

int main(void)
{
    check_seed("test_kernels_sha256");
    in = guard_new(MEMORY);
    out = guard_new(300 * 32);
    pointers = guard_new(300 * sizeof(uint8_t *));
    lengths = guard_new(300 * sizeof(size_t));
    random_bytes(in.first, MEMORY);
    hc_kernels_choose();
    known();
    blocks();
    finish();
    many();
    one_differs();
    table();
    in_place();
    return check_done("test_kernels_sha256");
}
