/* test_kernels_blake3.c - every BLAKE3 kernel of the candidate arrays against a plain compression, between pages that fault. */
#include "kernel_test.h"

#ifdef HC_TEST_SHORT
enum { ROUNDS = 40 };
#else
enum { ROUNDS = 1500 };
#endif
enum { INPUT = 1 << 16, OUTPUT = 1 << 15, MANY = 300 };

/* ---- The compression function, written from section 2.2 of the BLAKE3 paper ------------------------------------------ */
static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void g(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y)
{
    v[a] += v[b] + x;
    v[d] = ror(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = ror(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[d] = ror(v[d] ^ v[a], 8);
    v[c] += v[d];
    v[b] = ror(v[b] ^ v[c], 7);
}

static void plain(uint8_t out[64], const uint8_t cv[32], const uint8_t *in, unsigned len, uint64_t counter, unsigned flags)
{
    static const uint32_t iv[4] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a };
    static const uint8_t permutation[16] = { 2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8 };
    uint32_t v[16], m[16], next[16];
    uint8_t block[64] = { 0 };
    int i, round;
    if (len) memcpy(block, in, len);
    for (i = 0; i < 16; i++) m[i] = hc_load32le(block + 4 * i);
    for (i = 0; i < 8; i++) v[i] = hc_load32le(cv + 4 * i);
    for (i = 0; i < 4; i++) v[8 + i] = iv[i];
    v[12] = (uint32_t)counter;
    v[13] = (uint32_t)(counter >> 32);
    v[14] = len;
    v[15] = flags;
    for (round = 0; round < 7; round++) {
        for (i = 0; i < 4; i++) g(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
        for (i = 0; i < 4; i++) g(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i], m[9 + 2 * i]);
        for (i = 0; i < 16; i++) next[i] = m[permutation[i]];
        memcpy(m, next, sizeof m);
    }
    for (i = 0; i < 8; i++) {
        hc_store32le(out + 32 + 4 * i, v[8 + i] ^ hc_load32le(cv + 4 * i));
        hc_store32le(out + 4 * i, v[i] ^ v[8 + i]);
    }
}

/* len bytes in blocks of 64, the last one of 0 to 64. */
static void plain_input(uint8_t out[32], const uint8_t key[32], const uint8_t *in, size_t len, uint64_t counter, unsigned flags,
                        unsigned first, unsigned last)
{
    uint8_t whole[64];
    size_t blocks = len ? (len + 63) / 64 : 1, b;
    memcpy(whole, key, 32);
    for (b = 0; b < blocks; b++) {
        unsigned n = b + 1 < blocks ? 64 : (unsigned)(len - 64 * b);
        uint8_t cv[32];
        memcpy(cv, whole, 32);
        plain(whole, cv, in + 64 * b, n, counter, flags | (b ? 0 : first) | (b + 1 < blocks ? 0 : last));
    }
    memcpy(out, whole, 32);
}

/* ---- What the cases share -------------------------------------------------------------------------------------------- */
static guard input, output, batch;
static uint8_t expected[OUTPUT], before[OUTPUT];
static uint8_t *key, *cv; /* they end where faults begin */

/* Counters whose low word carries within a few lanes, counters at the end of their range, and any. */
static uint64_t random_counter(void)
{
    uint64_t r = check_random();
    switch (r >> 60 & 3) {
    case 0: return (r & 0xffffffff00000000u) + 0xffffffffu - (r & 31);
    case 1: return UINT64_MAX - (r & 31);
    case 2: return r & 63;
    default: return r;
    }
}
static unsigned random_flags(void) { return (unsigned)(check_random() >> 20) & 0xff; }

/* 32 n bytes at a random place; what lies around them must stay. */
static uint8_t *place(size_t n)
{
    memcpy(before, output.first, OUTPUT);
    return random_place(&output, n);
}
static int good(const uint8_t *out, size_t n)
{
    size_t at = (size_t)(out - output.first);
    return !memcmp(out, expected, n) && !memcmp(before, output.first, at) &&
           !memcmp(before + at + n, out + n, OUTPUT - at - n);
}

static void block(void)
{
    FOR_KERNELS(b3_block)
    for (unsigned i = 0; i < ROUNDS; i++) {
        for (unsigned len = 0; len <= 64; len++) {
            uint8_t *in = random_place(&input, len), *out = place(32), whole[64];
            uint64_t counter = random_counter();
            unsigned flags = random_flags();
            memcpy(cv, key, 32);
            plain(whole, cv, in, len, counter, flags);
            memcpy(expected, whole, 32);
            KERNEL(b3_block)(out, cv, in, len, counter, flags);
            CHECK_SAY(good(out, 32), "%s, %u bytes", KERNEL_NAME, len);
            KERNEL(b3_block)(cv, cv, in, len, counter, flags);
            CHECK_SAY(!memcmp(cv, expected, 32), "%s, %u bytes, out is cv", KERNEL_NAME, len);
            memcpy(key, cv, 32);
        }
    }
}

static void blocks(void)
{
    FOR_KERNELS(b3_blocks)
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t n = 1 + i % 17;
        uint8_t *in = i % 3 ? random_place(&input, 64 * n) : input.first + i / 3 % 64, *out = place(32);
        uint64_t counter = random_counter();
        unsigned flags = random_flags(), first = random_flags(), last = random_flags();
        memcpy(cv, key, 32);
        plain_input(expected, cv, in, 64 * n, counter, flags, first, last);
        KERNEL(b3_blocks)(out, cv, in, n, counter, flags, first, last);
        CHECK_SAY(good(out, 32), "%s, %zu blocks", KERNEL_NAME, n);
        KERNEL(b3_blocks)(cv, cv, in, n, counter, flags, first, last);
        CHECK_SAY(!memcmp(cv, expected, 32), "%s, %zu blocks, out is cv", KERNEL_NAME, n);
        memcpy(key, cv, 32);
    }
}

static void many(void)
{
    FOR_KERNELS(b3_many)
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t n = 1 + i % 41, b = 1 + check_random() % (i % 5 ? 3 : 16), stride = 64 * b, size;
        uint64_t counter = random_counter();
        unsigned flags = random_flags(), first = random_flags(), last = random_flags();
        int step = (int)(i & 1);
        uint8_t *in, *out;
        if (i % 4 == 1) stride += check_random() % 100;
        if (i % 4 == 2) stride = check_random() % 64; /* inputs may share bytes */
        size = stride * (n - 1) + 64 * b;
        in = random_place(&input, size);
        out = place(32 * n);
        for (size_t k = 0; k < n; k++)
            plain_input(expected + 32 * k, key, in + stride * k, 64 * b, counter + (step ? k : 0), flags, first, last);
        KERNEL(b3_many)(out, key, in, stride, n, b, counter, step, flags, first, last);
        CHECK_SAY(good(out, 32 * n), "%s, %zu inputs of %zu blocks, stride %zu", KERNEL_NAME, n, b, stride);
        if (stride >= 64) { /* a level of a tree: over its own input */
            KERNEL(b3_many)(in, key, in, stride, n, b, counter, step, flags, first, last);
            CHECK_SAY(!memcmp(in, expected, 32 * n), "%s, %zu inputs of %zu blocks in place", KERNEL_NAME, n, b);
            random_bytes(in, 32 * n);
        }
        memcpy(key, expected, 32);
    }
}

/* Lengths of one batch: all alike, all of one number of blocks, whole blocks, any. */
static size_t random_len(unsigned kind, size_t same)
{
    size_t r = check_random() >> 8;
    switch (kind) {
    case 0: return same;
    case 1: return (same + 63) / 64 * 64 - (same ? r % 64 : 0);
    case 2: return r % 17 * 64;
    case 3: return r % 65;
    default: return r % 1025;
    }
}

static void jobs(void)
{
    static hc_b3_job job[MANY];
    static uint8_t slot[MANY];
    FOR_KERNELS(b3_jobs)
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t n = i % 80 == 39 ? 257 + check_random() % 44 : i % 80 == 79 ? 150 + check_random() % 107 : i % 40, same = check_random() % 1025, k;
        unsigned kind = (unsigned)(check_random() >> 8) % 5, flags = random_flags();
        unsigned first = flags & HC_B3_PARENT ? 0 : HC_B3_CHUNK_START, last = flags & HC_B3_PARENT ? 0 : HC_B3_CHUNK_END;
        uint8_t *out = place(32 * n);
        for (k = 0; k < n; k++) slot[k] = (uint8_t)(check_random() >> 8);
        for (k = 0; k < n; k++) {
            size_t to = i & 1 ? k : n - 1 - k;
            job[k].len = (uint32_t)random_len(kind, same);
            job[k].in = random_place(&input, job[k].len);
            job[k].out = out + 32 * to;
            job[k].counter = random_counter();
            job[k].last_flags = slot[k];
            plain_input(expected + 32 * to, key, job[k].in, job[k].len, job[k].counter, flags, first, last | slot[k]);
        }
        KERNEL(b3_jobs)(key, flags, (const hc_b3_job *)at_end(&batch, job, n, sizeof *job), n);
        CHECK_SAY(good(out, 32 * n), "%s, %zu jobs of kind %u", KERNEL_NAME, n, kind);
        if (n) memcpy(key, expected, 32);
        /* jobs of one length, each over inputs of those before it */
        if (kind || same < 32) continue;
        for (k = 0; k < n && same * n <= INPUT; k++) {
            job[k].len = (uint32_t)same;
            job[k].in = input.first + same * k;
            job[k].out = input.first + 32 * k;
            plain_input(expected + 32 * k, key, job[k].in, same, job[k].counter, flags, first, last | slot[k]);
        }
        if (same * n > INPUT) continue;
        KERNEL(b3_jobs)(key, flags, (const hc_b3_job *)at_end(&batch, job, n, sizeof *job), n);
        CHECK_SAY(!memcmp(input.first, expected, 32 * n), "%s, %zu jobs of %zu bytes in place", KERNEL_NAME, n, same);
        random_bytes(input.first, 32 * n);
    }
}

static void xof(void)
{
    FOR_KERNELS(b3_xof)
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t n = i % 70, k;
        uint8_t *out = place(64 * n), *in = random_place(&input, 64);
        uint64_t counter = random_counter();
        unsigned flags = random_flags(), len = (unsigned)(check_random() >> 8) % 65;
        memset(in + len, 0, 64 - len); /* the caller pads */
        for (k = 0; k < n; k++) plain(expected + 64 * k, key, in, len, counter + k, flags);
        KERNEL(b3_xof)(out, key, in, len, counter, flags, n);
        CHECK_SAY(good(out, 64 * n), "%s, %zu blocks", KERNEL_NAME, n);
        random_bytes(in, 64);
        if (n) memcpy(key, expected, 32);
    }
}

int main(void)
{
    check_seed("test_kernels_blake3");
    input = guard_new(INPUT);
    batch = guard_new(MANY * sizeof(hc_b3_job));
    output = guard_new(OUTPUT);
    key = guard_new(32).end - 32;
    cv = guard_new(32).end - 32;
    random_bytes(input.first, INPUT);
    random_bytes(output.first, OUTPUT);
    random_bytes(key, 32);
    block();
    blocks();
    many();
    jobs();
    xof();
    return check_done("test_kernels_blake3");
}
