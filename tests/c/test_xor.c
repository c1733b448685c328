/* test_xor.c - hc_xor, the checked rule of hc_xor_many, and hc_xor_mask, through the public header. */
#include "hashcore.h"
#include "check.h"

enum { MAX = 1024, GAP = 64 };

static void fill(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)(check_random() >> 32);
}

/* The rule as crypto/subtle's XORBytes has it: every length, alignments of all three, nothing outside n bytes. */
static void two(void)
{
    static uint8_t d[MAX + 2 * GAP], p[MAX + GAP], q[MAX + GAP], want[MAX + 2 * GAP];
    fill(p, sizeof p);
    fill(q, sizeof q);
    for (size_t n = 1; n <= MAX; n++) {
        const size_t step = n % 32 ? 7 : 1; /* all 8^3 alignments for some lengths, a few for the others */
        for (size_t a = n % step; a < 512; a += step) {
            const size_t x = a % 8, y = a / 8 % 8, z = a / 64;
            const hc_slice s[2] = {{p + y, n}, {q + z, n + x}};
            size_t got = 77;
            memset(d, 0xa5, sizeof d);
            memset(want, 0xa5, sizeof want);
            for (size_t i = 0; i < n; i++) want[GAP + x + i] = p[y + i] ^ q[z + i];
            if (a % 2) {
                hc_xor(d + GAP + x, p + y, q + z, n);
            } else {
                CHECK(hc_xor_many(&got, d + GAP + x, n + y, s, 2, NULL) == HC_OK && got == n);
            }
            CHECK_SAY(!memcmp(d, want, sizeof d), "%zu bytes at %zu, %zu, %zu", n, x, y, z);
        }
    }
    hc_xor(NULL, NULL, NULL, 0);
}

static void many(void)
{
    enum { N = 300 };
    static uint8_t data[200][N], d[N + 2 * GAP], want[N];
    hc_slice s[200];
    fill(data[0], sizeof data);
    for (size_t k = 1; k <= 200; k += k < 10 ? 1 : k < 60 ? 10 : 1 + k % 5) {
        for (int round = 0; round < 8; round++) {
            size_t least = N, got = 0;
            const size_t own = (size_t)round < k ? (size_t)round : 0; /* so many sources are dst */
            uint8_t *dst = d + GAP;
            fill(d, sizeof d);
            memset(want, 0, N);
            for (size_t j = 0; j < k; j++) {
                s[j].data = data[j];
                s[j].len = N - (size_t)(check_random() >> 40) % 20;
            }
            for (size_t j = 0; j < own; j++) s[(size_t)(check_random() >> 40) % k].data = dst;
            for (size_t j = 0; j < k; j++) {
                if (s[j].len < least) least = s[j].len;
                for (size_t i = 0; i < s[j].len; i++) want[i] ^= ((const uint8_t *)s[j].data)[i];
            }
            const uint8_t before = dst[-1], after = dst[least];
            CHECK(hc_xor_many(&got, dst, least, s, k, NULL) == HC_OK && got == least);
            CHECK_SAY(!memcmp(dst, want, least) && dst[-1] == before && dst[least] == after, "%zu sources, %d own", k, round);
        }
    }
    for (size_t k = 1; k <= 200; k++) s[k - 1].data = d; /* all of them: nothing, or dst itself */
    for (size_t k = 1; k <= 200; k++) {
        size_t got = 0;
        fill(d, sizeof d);
        for (size_t j = 0; j < k; j++) s[j].len = 100;
        memcpy(want, d, N);
        if (k % 2 == 0) memset(want, 0, 100);
        CHECK(hc_xor_many(&got, d, 100, s, k, NULL) == HC_OK && got == 100 && !memcmp(d, want, N));
    }
}

static void refused(void)
{
    uint8_t d[100], copy[100], a[100];
    hc_slice s[2] = {{a, 50}, {a + 50, 50}};
    hc_error e;
    size_t n = 4711;
    fill(d, sizeof d);
    fill(a, sizeof a);
    memcpy(copy, d, sizeof d);
    CHECK(hc_xor_many(&n, d, 49, s, 2, &e) == HC_E_LENGTH && !strcmp(e.argument, "dst") && e.value == 49 && e.min == 50);
    CHECK(hc_xor_many(&n, d, 50, s, 0, &e) == HC_E_PARAM && !strcmp(e.argument, "sources"));
    s[1].data = d + 1;
    CHECK(hc_xor_many(&n, d, 50, s, 2, &e) == HC_E_OVERLAP && !strcmp(e.argument, "sources") && e.index == 1);
    s[1].data = a;
    s[0].data = d;
    CHECK(hc_xor_many(&n, d + 49, 51, s, 2, &e) == HC_E_OVERLAP && e.index == 0);
    s[0].data = NULL;
    CHECK(hc_xor_many(&n, d, 50, s, 2, &e) == HC_E_PARAM && !strcmp(e.argument, "sources") && e.index == 0);
    s[0].data = a;
    CHECK(hc_xor_many(&n, NULL, 50, s, 2, &e) == HC_E_PARAM && !strcmp(e.argument, "dst"));
    CHECK(n == 4711 && !memcmp(d, copy, sizeof d));
    s[0].data = d; /* side by side is no overlap, and an empty source makes nothing of everything */
    CHECK(hc_xor_many(&n, d + 50, 50, s, 2, &e) == HC_OK && n == 50);
    s[1].len = 0;
    s[1].data = NULL;
    CHECK(hc_xor_many(&n, d + 1, 50, s, 2, &e) == HC_OK && n == 0);
    CHECK(hc_xor_many(&n, NULL, 0, s, 2, &e) == HC_OK && n == 0);

    memcpy(copy, d, sizeof d);
    CHECK(hc_xor_mask(d, a, 0, 0, a, 10, &e) == HC_E_LENGTH && !strcmp(e.argument, "key") && e.min == 1);
    CHECK(hc_xor_mask(d, NULL, 4, 0, a, 10, &e) == HC_E_PARAM && !strcmp(e.argument, "key"));
    CHECK(hc_xor_mask(d, a, 4, 0, NULL, 10, &e) == HC_E_PARAM && !strcmp(e.argument, "src"));
    CHECK(hc_xor_mask(NULL, a, 4, 0, a, 10, &e) == HC_E_PARAM && !strcmp(e.argument, "dst"));
    CHECK(hc_xor_mask(d, a, 4, 0, d + 1, 10, &e) == HC_E_OVERLAP && !strcmp(e.argument, "src"));
    CHECK(hc_xor_mask(d, d + 9, 4, 0, a, 10, &e) == HC_E_OVERLAP && !strcmp(e.argument, "key"));
    CHECK(!memcmp(d, copy, sizeof d));
    CHECK(hc_xor_mask(NULL, a, 4, 0, NULL, 0, &e) == HC_OK);
}

/* A stream masked in pieces at their offsets is the stream masked whole, also past 2^32 and 2^63. */
static void mask(void)
{
    uint8_t src[700], whole[700], d[700], key[300];
    static const uint64_t bases[] = {0, 1, 0xfffffff0u, (uint64_t)1 << 63, UINT64_MAX - 700};
    fill(src, sizeof src);
    fill(key, sizeof key);
    for (size_t len = 1; len <= 300; len += len < 20 ? 1 : 37) {
        for (size_t b = 0; b < 5; b++) {
            for (size_t i = 0; i < sizeof src; i++) whole[i] = src[i] ^ key[(bases[b] + i) % len];
            memcpy(d, src, sizeof d);
            for (size_t i = 0, n; i < sizeof d; i += n) {
                n = 1 + (size_t)(check_random() >> 40) % 90;
                if (n > sizeof d - i) n = sizeof d - i;
                CHECK(hc_xor_mask(d + i, key, len, bases[b] + i, i % 2 ? d + i : src + i, n, NULL) == HC_OK);
            }
            CHECK_SAY(!memcmp(d, whole, sizeof d), "key of %zu", len);
        }
    }
}

int main(void)
{
    check_seed("test_xor");
    two();
    many();
    refused();
    mask();
    return check_done("test_xor");
}
