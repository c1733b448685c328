/* test_kernels_blake2b.c - every BLAKE2b kernel of the candidate arrays against the portable one. */
#include "kernel_test.h"

enum { MEMORY = 1 << 16 };
static guard in, out, pointers, lengths;
static uint8_t expected[300 * 64];

static void random_counter(uint64_t t[2], size_t n)
{
    const uint64_t high = check_random(), near = ((uint64_t)0 - 128 * (check_random() % 12)); /* carries into t[1] */
    static const uint64_t low[] = {0, 128, ((uint64_t)1 << 32) - 256, ((uint64_t)1 << 63) - 128};
    const size_t i = (size_t)(check_random() >> 8) % 6;
    t[0] = i < 4 ? low[i] : near;
    t[1] = i == 5 ? high : i == 4;
    if (!n) t[0] = t[1] = 0;
}
/* A state and a counter that end where faults begin. */
static uint64_t *random_state(void)
{
    uint64_t h[8];
    random_bytes(h, 64);
    return (uint64_t *)at_end_of(0, h, 64);
}
static uint64_t *guarded(const uint64_t t[2]) { return (uint64_t *)at_end_of(1, t, 16); }
static uint64_t random_flag(void) { return check_random() & 256 ? ~(uint64_t)0 : 0; }

/* The oracle itself: RFC 7693, appendix A, and the empty message (BLAKE2's test vectors). */
static void known(void)
{
    static const uint64_t h[8] = {0x6a09e667f2bdc948, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
    static const uint64_t t[2] = {0, 0};
    uint8_t d[64];
    FOR_KERNELS(b2b_finish) {
        KERNEL(b2b_finish)(d, h, t, 0, (const uint8_t *)"abc", 3);
        CHECK_SAY(check_hex(d, 64, "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                                   "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"), "%s", KERNEL_NAME);
        KERNEL(b2b_finish)(d, h, t, 0, NULL, 0);
        CHECK_SAY(check_hex(d, 64, "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
                                   "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce"), "%s", KERNEL_NAME);
    }
}

static void blocks(void)
{
    FOR_KERNELS(b2b_blocks)
    for (size_t n = 0; n <= 17; n++) {
        for (size_t offset = 0; offset < 64; offset++) {
            uint64_t *a = random_state(), b[8], *ta, tb[2];
            const uint8_t *p = offset ? in.first + offset - 1 : in.end - 128 * n;
            random_counter(tb, 1);
            ta = guarded(tb);
            memcpy(b, a, 64);
            KERNEL(b2b_blocks)(a, ta, p, n);
            PORTABLE(b2b_blocks)(b, tb, p, n);
            CHECK_SAY(!memcmp(a, b, 64) && !memcmp(ta, tb, 16), "%s, %zu blocks", KERNEL_NAME, n);
        }
    }
}

static void finish(void)
{
    FOR_KERNELS(b2b_finish)
    for (size_t n = 0; n <= 1152; n++) {
        for (int place = 0; place < 8; place++) {
            uint64_t *h = random_state(), t[2];
            const uint64_t f1 = random_flag();
            const uint8_t *p = place == 0 ? in.end - n : place == 1 ? in.first : in.first + check_random() % 64;
            uint8_t *d = place % 2 ? out.first : out.end - 64;
            random_counter(t, n);
            KERNEL(b2b_finish)(d, h, guarded(t), f1, p, n);
            PORTABLE(b2b_finish)(expected, h, t, f1, p, n);
            CHECK_SAY(!memcmp(d, expected, 64), "%s, %zu bytes after %llu", KERNEL_NAME, n, (unsigned long long)t[0]);
        }
    }
}

static void check_many(const hc_candidate *kt_c, uint64_t before, const uint8_t *const *p, const size_t *len, size_t n)
{
    const uint64_t *h = random_state(), t[2] = {before, 0}, f1 = random_flag();
    const size_t some = 1 + (size_t)(check_random() >> 8) % 64, out_len = some % 4 ? some : some % 8 ? 32 : 64;
    uint8_t *d = check_random() & 256 ? out.first : out.end - out_len * n, full[64];
    memset(d, 0, out_len * n);
    p = (const uint8_t *const *)at_end(&pointers, p, n, sizeof *p);
    len = (const size_t *)at_end(&lengths, len, n, sizeof *len);
    KERNEL(b2b_many)(d, out_len, h, before, f1, p, len, n);
    for (size_t i = 0; i < n; i++) {
        PORTABLE(b2b_finish)(full, h, t, f1, p[i], len[i]);
        memcpy(expected + out_len * i, full, out_len);
    }
    CHECK_SAY(!memcmp(d, expected, out_len * n), "%s, %zu messages, the first of %zu bytes", KERNEL_NAME, n, n ? len[0] : 0);
}

static void many(void)
{
    static const size_t most[] = {1, 60, 130, 200, 1500, 2500, 5000, 40000};
    static const size_t leasts[] = {128, 1024, 3072, 8192};
    const uint8_t *p[300];
    size_t len[300];
    FOR_KERNELS(b2b_many) {
        for (size_t size = 0; size <= 520; size++) { /* equal lengths, every number of lanes in use */
            const size_t n = size % 27;
            for (size_t i = 0; i < n; i++) { p[i] = random_place(&in, size); len[i] = size; }
            check_many(kt_c, size && size % 2 ? 128 : 0, p, len, n);
        }
        for (int round = 0; round < CHECK_CASES(400, 48); round++) {
            const size_t limit = most[round % 8], n = (check_random() >> 8) % 301;
            const uint64_t before = round % 3 ? 0 : 128;
            for (size_t i = 0; i < n; i++) {
                len[i] = (check_random() >> 8) % limit;
                if (check_random() % 8 == 0) len[i] = len[i] / 128 * 128;
                if (limit == 40000 && check_random() % 8) len[i] %= 100;
                if (before && !len[i]) len[i] = 1;
                p[i] = random_place(&in, len[i]);
            }
            check_many(kt_c, before, p, len, n);
        }
        for (int round = 0; round < CHECK_CASES(24, 4); round++) { /* none of them short */
            const size_t least = leasts[round % 4], n = 1 + (check_random() >> 8) % 40;
            for (size_t i = 0; i < n; i++) {
                len[i] = least + (check_random() >> 8) % (least + 1024);
                p[i] = random_place(&in, len[i]);
            }
            check_many(kt_c, 0, p, len, n);
        }
    }
}

static void one_differs(void)
{
    static const size_t sizes[][2] = {{128, 129}, {128, 127}, {129, 128}, {64, 0}, {0, 128}, {100, 300}, {256, 257}, {257, 256}};
    static const size_t numbers[] = {3, 9, 2, 4, 5, 8, 17};
    FOR_KERNELS(b2b_many)
    kt_one_differs(kt_c, check_many, &in, sizes, sizeof sizes / sizeof *sizes, numbers,
                   CHECK_CASES(sizeof numbers / sizeof *numbers, 2), NULL);
}

/* Messages of one length whose digests take their place: the levels of a hash tree. */
static void in_place(void)
{
    static const size_t sizes[] = {64, 65, 128, 129, 200, 2048};
    const uint64_t t[2] = {128, 0};
    const uint8_t *p[300];
    size_t len[300];
    FOR_KERNELS(b2b_many)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t n = 1; n <= 300 && n * sizes[s] <= MEMORY; n += 1 + n / CHECK_CASES(8, 3)) {
            const size_t out_len = n % 2 ? 64 : 32;
            uint8_t *m = in.end - n * sizes[s], full[64];
            const uint64_t *h = random_state();
            random_bytes(m, n * sizes[s]);
            for (size_t i = 0; i < n; i++) {
                p[i] = m + sizes[s] * i;
                len[i] = sizes[s];
                PORTABLE(b2b_finish)(full, h, t, 0, p[i], len[i]);
                memcpy(expected + out_len * i, full, out_len);
            }
            KERNEL(b2b_many)(m, out_len, h, 128, 0, p, len, n);
            CHECK_SAY(!memcmp(m, expected, out_len * n), "%s, %zu messages of %zu", KERNEL_NAME, n, sizes[s]);
        }
    }
}

/* BLAKE2Xb: any number of blocks, node offsets that carry out of 32 bits and to the last of them. */
static void xof(void)
{
    static const uint64_t firsts[] = {0, 1, 254, ((uint64_t)1 << 31) - 3, ((uint64_t)1 << 32) - 70};
    FOR_KERNELS(b2b_xof)
    for (size_t n = 0; n <= 70; n++) {
        for (int place = 0; place < 8; place++) {
            const uint64_t first = place < 5 ? firsts[place] : check_random() >> 33;
            const uint8_t *p = place % 2 ? in.end - 64 : in.first + check_random() % 64;
            uint8_t *d = place % 2 ? out.first : out.end - 64 * n;
            const uint64_t *h = random_state();
            memset(d, 0, 64 * n);
            KERNEL(b2b_xof)(d, h, p, first, n);
            for (size_t i = 0; i < n; i++) {
                const uint64_t none[2] = {0, 0};
                uint64_t s[8];
                memcpy(s, h, 64);
                s[1] ^= first + i;
                PORTABLE(b2b_finish)(expected + 64 * i, s, none, 0, p, 64);
            }
            CHECK_SAY(!memcmp(d, expected, 64 * n), "%s, %zu blocks from %llu", KERNEL_NAME, n, (unsigned long long)first);
        }
    }
}

int main(void)
{
    check_seed("test_kernels_blake2b");
    in = guard_new(MEMORY);
    out = guard_new(300 * 64);
    pointers = guard_new(300 * sizeof(uint8_t *));
    lengths = guard_new(300 * sizeof(size_t));
    random_bytes(in.first, MEMORY);
    known();
    blocks();
    finish();
    many();
    one_differs();
    in_place();
    xof();
    return check_done("test_kernels_blake2b");
}
