/* test_tree.c - BLAKE3 in pieces: any cut of an input merges to the plain digest, in every mode, at every level. */
#include "hashcore.h"
#include "check.h"
#include "modes.h"
#include "vectors.h"

#define DATA_MAX (600 * 1024)
static uint8_t data[DATA_MAX];

static uint64_t below(uint64_t n) { return check_random() % n; }

/* ---- Any cut ------------------------------------------------------------------- */

/* Value of data[at..at + len], cut at random into pieces that are hashed apart and merged. */
static void cut_value(uint8_t cv[32], const hc_blake3_mode *m, size_t at, size_t len)
{
    const size_t left = (size_t)hc_blake3_left_len(len);
    uint8_t l[32], r[32];
    if (left == 0 || below(3) == 0) {
        CHECK(hc_blake3_subtree(cv, m, data + at, len, at / 1024, (unsigned)below(3), NULL) == HC_OK);
        return;
    }
    cut_value(l, m, at, left);
    cut_value(r, m, at + left, len - left);
    hc_blake3_parent(cv, m, l, r);
}

static void any_cut(const hc_blake3_mode *m, size_t len, size_t out_len, uint64_t offset)
{
    uint8_t pair[64], got[200], want[200];
    const size_t left = (size_t)hc_blake3_left_len(len);
    hc_blake3 s;
    cut_value(pair, m, 0, left);
    cut_value(pair + 32, m, left, len - left);
    CHECK(hc_blake3_root(got, out_len, offset, m, pair, 2, NULL) == HC_OK);
    hc_blake3_init(&s, m);
    hc_blake3_update(&s, data, len, 0);
    CHECK(hc_blake3_final(&s, want, out_len, offset) == HC_OK);
    CHECK_SAY(memcmp(got, want, out_len) == 0, "%lu bytes", (unsigned long)len);
}

/* Equal pieces of 2^k chunks, the last one shorter: what parts of an upload are. */
static void equal_pieces(const hc_blake3_mode *m, size_t len, size_t piece)
{
    static uint8_t cvs[32 * (DATA_MAX / 1024 + 1)];
    uint8_t got[64], want[64];
    const size_t n = (len - 1) / piece + 1;
    size_t i;
    if (n < 2) return;
    for (i = 0; i < n; i++) {
        const size_t some = len - i * piece < piece ? len - i * piece : piece;
        CHECK(hc_blake3_subtree(cvs + 32 * i, m, data + i * piece, some, i * piece / 1024, 0, NULL) == HC_OK);
    }
    CHECK(hc_blake3_root(got, 64, 0, m, cvs, n, NULL) == HC_OK);
    hc_blake3_hash(want, 64, m, data, len, 0);
    CHECK_SAY(memcmp(got, want, 64) == 0, "%lu bytes in pieces of %lu", (unsigned long)len, (unsigned long)piece);
}

/* Far into an input the counter has two words; a subtree there is still the parent of its halves. */
static void far_away(const hc_blake3_mode *m)
{
    static const uint64_t chunks[] = {
        2, (uint64_t)1 << 22, ((uint64_t)1 << 32) - 16, (uint64_t)1 << 32, (uint64_t)1 << 53, ((uint64_t)1 << 54) - 16
    };
    size_t i, len;
    for (i = 0; i < sizeof chunks / sizeof chunks[0]; i++)
        for (len = 2048; len <= 16384; len *= 2) {
            uint8_t whole[32], l[32], r[32];
            if (hc_blake3_subtree_max(chunks[i]) < len) continue;
            CHECK(hc_blake3_subtree(whole, m, data, len, chunks[i], 0, NULL) == HC_OK);
            CHECK(hc_blake3_subtree(l, m, data, len / 2, chunks[i], 0, NULL) == HC_OK);
            CHECK(hc_blake3_subtree(r, m, data + len / 2, len / 2, chunks[i] + len / 2048, 0, NULL) == HC_OK);
            hc_blake3_parent(l, m, l, r); /* in place */
            CHECK(memcmp(whole, l, 32) == 0);
        }
}

static void one_level(void)
{
    static const size_t edges[] = { 1025, 2047, 2048, 2049, 3072, 3073, 65536, 65537, 131072 + 1, DATA_MAX };
    hc_blake3_mode storage;
    int mode;
    size_t i, k;
    for (mode = 0; mode < 3; mode++) {
        const hc_blake3_mode *m = mode_of(mode, &storage);
        for (i = 0; i < sizeof edges / sizeof edges[0]; i++) any_cut(m, edges[i], 32, 0);
        for (i = 0; i < 40; i++) {
            const size_t len = 1025 + (size_t)below((i % 10 == 0 ? DATA_MAX : 70000) - 1025);
            any_cut(m, len, (size_t)below(200) + 1, below(2) ? below(1000) : check_random() >> 1);
            equal_pieces(m, len, (size_t)1024 << below(8));
        }
        for (k = 2; k < 140; k++) equal_pieces(m, k * 1024 - below(1024), 1024);
        far_away(m);
    }
}

/* ---- Numbers and bad input ------------------------------------------------------- */

static void numbers(void)
{
    static const struct {
        uint64_t len, left;
    } lefts[] = { { 0, 0 },
                  { 1, 0 },
                  { 1024, 0 },
                  { 1025, 1024 },
                  { 2048, 1024 },
                  { 2049, 2048 },
                  { 4096, 2048 },
                  { 4097, 4096 },
                  { 5000, 4096 },
                  { (uint64_t)1 << 63, (uint64_t)1 << 62 },
                  { ((uint64_t)1 << 63) + 1, (uint64_t)1 << 63 },
                  { UINT64_MAX, (uint64_t)1 << 63 } };
    static const struct {
        uint64_t chunk, most;
    } mosts[] = { { 0, (uint64_t)1 << 63 },
                  { 1, 1024 },
                  { 2, 2048 },
                  { 3, 1024 },
                  { 4, 4096 },
                  { 6, 2048 },
                  { 96, 32768 },
                  { (uint64_t)1 << 52, (uint64_t)1 << 62 },
                  { (uint64_t)1 << 53, ((uint64_t)1 << 63) - 1 },
                  { ((uint64_t)1 << 54) - 1, 1023 },
                  { (uint64_t)1 << 54, 0 },
                  { UINT64_MAX, 0 } };
    size_t i;
    for (i = 0; i < sizeof lefts / sizeof lefts[0]; i++)
        CHECK_SAY(hc_blake3_left_len(lefts[i].len) == lefts[i].left, "%llu", (unsigned long long)lefts[i].len);
    for (i = 0; i < sizeof mosts / sizeof mosts[0]; i++)
        CHECK_SAY(hc_blake3_subtree_max(mosts[i].chunk) == mosts[i].most, "%llu", (unsigned long long)mosts[i].chunk);
}

static void bad_input(void)
{
    uint8_t cv[32], out[32], same[32], cvs[96];
    hc_error e;
    memset(cv, 7, 32);
    memset(out, 7, 32);
    memset(same, 7, 32);
    memset(cvs, 1, 96);
    CHECK(hc_blake3_subtree(cv, NULL, data, 0, 0, 0, &e) == HC_E_LENGTH && e.min == 1 && e.value == 0);
    CHECK(hc_blake3_subtree(cv, NULL, data, 1025, 1, 0, &e) == HC_E_LENGTH && e.max == 1024 && e.value == 1025);
    CHECK(hc_blake3_subtree(cv, NULL, data, 2049, 2, 0, &e) == HC_E_LENGTH && e.max == 2048);
    CHECK(hc_blake3_subtree(cv, NULL, data, 1024, ((uint64_t)1 << 54) - 1, 0, &e) == HC_E_LENGTH && e.max == 1023);
    CHECK(hc_blake3_subtree(cv, NULL, data, 1, (uint64_t)1 << 54, 0, &e) == HC_E_RANGE);
    CHECK(strcmp(e.argument, "first_chunk") == 0 && e.max == ((uint64_t)1 << 54) - 1);
    CHECK(hc_blake3_subtree(cv, NULL, data, 1, UINT64_MAX, 0, NULL) == HC_E_RANGE);
    CHECK(hc_blake3_root(out, 32, 0, NULL, cvs, 0, &e) == HC_E_LENGTH && e.min == 2);
    CHECK(hc_blake3_root(out, 32, 0, NULL, cvs, 1, &e) == HC_E_LENGTH && strcmp(e.argument, "cvs") == 0);
    CHECK(hc_blake3_root(out, 32, UINT64_MAX - 31, NULL, cvs, 2, &e) == HC_E_RANGE && e.max == UINT64_MAX - 32);
    CHECK(memcmp(cv, same, 32) == 0 && memcmp(out, same, 32) == 0);
    CHECK(hc_blake3_root(out, 31, UINT64_MAX - 31, NULL, cvs, 3, &e) == HC_OK);
    CHECK(hc_blake3_root(out, 0, UINT64_MAX, NULL, cvs, 3, &e) == HC_OK);
}

int main(void)
{
    char level[64];
    size_t i;
    int here;
    check_seed("test_tree");
    for (i = 0; i < DATA_MAX; i++) data[i] = (uint8_t)(i % 251);
    numbers();
    bad_input();
    for (i = 0; (here = vec_level(i, level, sizeof level)) >= 0; i++)
        if (here && strstr(level, "no-") == NULL) /* what is left out there is SHA-256's */
            one_level();
    return check_done("test_tree");
}
