/* test_many.c - hc_digest_many against one hc_digest a message: all algorithms, forms, prefixes, in place, bad input. */
#include "hashcore.h"
#include "check.h"
#include "guard.h"

enum { DATA = 1 << 17, MOST = 700, OUT = MOST * 200, CASES = 16 };
static guard data, out;
static uint8_t want[OUT], prefix[20000], offsets[8 * MOST + 16];
static hc_slice items[MOST];

static size_t below(size_t n) { return (size_t)(check_random() >> 16) % n; }
static void fill(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)(check_random() >> 32);
}

typedef struct mode {
    const hc_alg *alg;
    size_t out_len;
    hc_options options;
} mode;

static size_t modes(mode m[CASES])
{
    static const hc_options none = HC_OPTIONS_INIT;
    static const char *const names[CASES] = {"sha256", "sha224", "hmac-sha256", "hmac-sha224", "blake2b", "blake2b", "blake2b",
                                             "blake2b", "blake2b", "blake3", "blake3", "blake3", "blake3", "blake2xb", "blake3", "blake2b"};
    static const size_t sizes[CASES] = {32, 28, 32, 28, 64, 20, 32, 64, 33, 32, 32, 32, 131, 100, 0, 48};
    for (size_t i = 0; i < CASES; i++) {
        m[i].alg = hc_alg_find(names[i]);
        m[i].out_len = sizes[i];
        m[i].options = none;
        if (!m[i].alg) exit(2);
    }
    for (size_t i = 0; i < CASES; i++) {
        hc_options *o = &m[i].options;
        const char *name = names[i];
        if (!strncmp(name, "blake2", 6)) {
            o->given |= HC_GIVEN_DIGEST_SIZE;
            o->digest_size = sizes[i];
        }
        if (i == 2 || i == 3 || i == 6 || i == 7 || i == 10) {
            o->given |= HC_GIVEN_KEY;
            o->key.data = "a key of 64 bytes, a key of 64 bytes, a key of 64 bytes: 64 -----";
            o->key.len = i == 10 ? 32 : i == 6 ? 7 : i == 3 ? 65 : 64;
        }
        if (i == 11) {
            o->given |= HC_GIVEN_CONTEXT;
            o->context.data = "hashcore test_many 2026";
            o->context.len = 23;
        }
        if (i == 8 || i == 7) {
            o->given |= HC_GIVEN_SALT | HC_GIVEN_PERSON | HC_GIVEN_TREE;
            o->salt.data = "salt";
            o->salt.len = 4;
            o->person.data = "person of 16 byt";
            o->person.len = 16;
            o->fanout = 3; o->depth = 2; o->leaf_size = 4096; o->node_offset = 5; o->node_depth = 1; o->inner_size = 32;
            o->last_node = 1;
        }
    }
    return CASES;
}

static void one_by_one(const mode *m, const hc_slice *s, size_t n, hc_slice before)
{
    for (size_t i = 0; i < n; i++) {
        const hc_slice parts[2] = {before, s[i]};
        CHECK(hc_digest(m->alg, want + m->out_len * i, m->out_len, 0, &m->options, parts, 2, 0, NULL) == HC_OK);
    }
}
static void check_batch(const mode *m, const hc_batch *b, size_t n, unsigned threads, const char *form)
{
    uint8_t *d = below(2) ? out.first : out.end - n * m->out_len;
    hc_error e = {0};
    memset(d, 0, n * m->out_len);
    const int code = hc_digest_many(m->alg, d, m->out_len, &m->options, b, threads, &e);
    CHECK_SAY(!code && !memcmp(d, want, n * m->out_len), "%s, %s, %zu messages, prefix of %zu, %u threads: %d %s", m->alg->name,
              form, n, b->prefix.len, threads, code, e.argument ? e.argument : "");
}

static void forms(const mode *m)
{
    static const size_t most[] = {1, 60, 65, 130, 200, 1500, 5000, 20000};
    static const size_t prefixes[] = {0, 0, 1, 5, 63, 64, 65, 128, 129, 200, 3000, 20000};
    for (int round = 0; round < CHECK_CASES(8, 3); round++) {
        const size_t limit = most[round % 8], p = prefixes[below(12)];
        const unsigned threads = below(3) ? 0 : below(2) ? HC_THREADS_AUTO : (unsigned)below(5);
        size_t n = below(limit > 200 ? 60 : MOST), at = 0;
        hc_batch b = {0};
        b.prefix.data = p ? prefix : NULL;
        b.prefix.len = p;
        /* one buffer with offsets; the items are the same messages */
        uint8_t *base = data.first + below(64);
        const unsigned bits = below(2) ? 32 : 64;
        uint8_t *o = offsets + below(8);
        const uint64_t skip = below(100);
        at = (size_t)skip;
        size_t i = 0;
        for (; i < n; i++) {
            size_t len = below(limit);
            if (below(6) == 0) len = 0;
            if (below(6) == 0) len = len / 64 * 64;
            if (at + len > DATA - 64) break;
            items[i].data = len || below(2) ? base + at : NULL;
            items[i].len = len;
            const uint64_t wide = at;
            const uint32_t narrow = (uint32_t)at;
            memcpy(o + i * bits / 8, bits == 64 ? (const void *)&wide : (const void *)&narrow, bits / 8);
            at += len;
        }
        n = i;
        const uint64_t wide = at;
        const uint32_t narrow = (uint32_t)at;
        memcpy(o + n * bits / 8, bits == 64 ? (const void *)&wide : (const void *)&narrow, bits / 8);
        one_by_one(m, items, n, b.prefix);
        b.count = n;
        b.items = items;
        check_batch(m, &b, n, threads, "items");
        b.items = NULL;
        b.data.data = base;
        b.data.len = at;
        b.offsets = o;
        b.offset_bits = bits;
        check_batch(m, &b, n, threads, "offsets");
        /* one buffer, items of one size */
        const size_t size = round % 4 == 0 ? 64 : below(limit);
        n = below(limit > 200 ? 60 : MOST);
        if (n * size > DATA) n = DATA / size;
        b.offsets = NULL;
        b.count = n;
        b.item_size = size;
        b.data.data = data.end - n * size;
        b.data.len = n * size;
        for (i = 0; i < n; i++) {
            items[i].data = data.end - n * size + i * size;
            items[i].len = size;
        }
        one_by_one(m, items, n, b.prefix);
        check_batch(m, &b, n, threads, "item_size");
    }
}

static void in_place(const mode *m)
{
    static uint8_t level[DATA];
    static const size_t extra[] = {0, 1, 32, 100, 2100};
    for (int round = 0; round < CHECK_CASES(15, 5); round++) {
        const size_t size = m->out_len + (round % 3 == 0 && m->out_len <= 64 ? 64 - m->out_len : extra[round % 5]);
        size_t n = 1 + below(MOST);
        hc_batch b = {0};
        if (!size) return;
        if (n * size > DATA) n = DATA / size;
        memcpy(level, data.end - n * size, n * size);
        for (size_t i = 0; i < n; i++) { items[i].data = data.end - n * size + i * size; items[i].len = size; }
        b.prefix.len = below(3) ? 0 : below(200);
        b.prefix.data = prefix;
        one_by_one(m, items, n, b.prefix);
        b.count = n;
        b.item_size = size;
        b.data.data = level;
        b.data.len = n * size;
        const int code = hc_digest_many(m->alg, level, m->out_len, &m->options, &b, HC_THREADS_AUTO, NULL);
        CHECK_SAY(!code && !memcmp(level, want, n * m->out_len), "%s in place, %zu of %zu, prefix of %zu", m->alg->name, n, size,
                  b.prefix.len);
    }
}

static void refused(void)
{
    const hc_alg *sha = hc_alg_find("sha256"), *b2b = hc_alg_find("blake2b");
    uint8_t d[320], copy[320], in[640];
    uint64_t off[4] = {0, 10, 20, 30};
    uint32_t off32[4] = {0, 10, 9, 30};
    hc_slice s[3] = {{in, 10}, {in + 10, 10}, {NULL, 0}};
    hc_options o = HC_OPTIONS_INIT;
    hc_error e;
    hc_batch b = {0};
    fill(d, sizeof d);
    fill(in, sizeof in);
    memcpy(copy, d, sizeof d);
#define REFUSED(a, out_, len, opt, want_, name)                                                                        \
    do {                                                                                                               \
        memset(&e, 0, sizeof e);                                                                                       \
        const int got_ = hc_digest_many(a, out_, len, opt, &b, 2, &e);                                                 \
        CHECK_SAY(got_ == (want_) && e.code == (want_) && e.argument && !strcmp(e.argument, name), "got %d, %s", got_,   \
                  e.argument ? e.argument : "no argument");                                                            \
    } while (0)
    CHECK(hc_digest_many(NULL, d, 32, NULL, &b, 0, &e) == HC_E_PARAM && !strcmp(e.argument, "algorithm"));
    CHECK(hc_digest_many(sha, d, 32, NULL, NULL, 0, &e) == HC_E_PARAM && !strcmp(e.argument, "batch"));
    b.count = 3;
    b.items = s;
    REFUSED(sha, d, 31, NULL, HC_E_LENGTH, "length");
    REFUSED(sha, NULL, 32, NULL, HC_E_PARAM, "out");
    o.given = HC_GIVEN_KEY;
    o.key.data = in;
    o.key.len = 65;
    REFUSED(b2b, d, 64, &o, HC_E_LENGTH, "key");
    REFUSED(sha, d, 32, &o, HC_E_PARAM, "key");
    s[1].data = NULL;
    REFUSED(sha, d, 32, NULL, HC_E_PARAM, "items");
    CHECK(e.index == 1);
    s[1].data = d + 95; /* the last byte of the digests */
    s[1].len = 1;
    REFUSED(sha, d, 32, NULL, HC_E_OVERLAP, "items");
    CHECK(e.index == 1);
    s[1].data = in;
    b.prefix.data = NULL;
    b.prefix.len = 1;
    REFUSED(sha, d, 32, NULL, HC_E_PARAM, "prefix");
    b.prefix.data = d;
    REFUSED(sha, d, 32, NULL, HC_E_OVERLAP, "prefix");
    b.prefix.len = 0;

    b.items = NULL;
    b.data.data = in;
    b.data.len = 30;
    b.offsets = off;
    b.offset_bits = 16;
    REFUSED(sha, d, 32, NULL, HC_E_RANGE, "offset_bits");
    b.offset_bits = 64;
    off[2] = 9;
    REFUSED(sha, d, 32, NULL, HC_E_RANGE, "offsets");
    CHECK(e.index == 2 && e.value == 9 && e.min == 10 && e.max == 30);
    off[2] = 20;
    off[3] = 31;
    REFUSED(sha, d, 32, NULL, HC_E_RANGE, "offsets");
    CHECK(e.index == 3 && e.value == 31);
    off[3] = UINT64_MAX;
    REFUSED(sha, d, 32, NULL, HC_E_RANGE, "offsets");
    off[0] = 31;
    REFUSED(sha, d, 32, NULL, HC_E_RANGE, "offsets");
    CHECK(e.index == 0);
    b.offset_bits = 32;
    b.offsets = off32;
    REFUSED(sha, d, 32, NULL, HC_E_RANGE, "offsets");
    CHECK(e.index == 2);
    off32[2] = 20;
    b.data.data = NULL;
    REFUSED(sha, d, 32, NULL, HC_E_PARAM, "data");
    b.data.data = d; /* with offsets never in place */
    REFUSED(sha, d, 32, NULL, HC_E_OVERLAP, "data");
    b.data.data = in;
    REFUSED(sha, (uint8_t *)off32, 32, NULL, HC_E_OVERLAP, "offsets");

    b.offsets = NULL;
    b.item_size = 10;
    b.data.len = 29;
    REFUSED(sha, d, 32, NULL, HC_E_LENGTH, "data");
    CHECK(e.value == 29 && e.min == 30 && e.max == 30);
    b.data.len = 30;
    b.data.data = d; /* digests are longer than what they replace */
    REFUSED(sha, d, 32, NULL, HC_E_OVERLAP, "data");
    b.item_size = 40;
    b.data.len = 120;
    b.data.data = d + 1; /* not the same start */
    REFUSED(sha, d, 32, NULL, HC_E_OVERLAP, "data");
    b.data.data = in;
    b.count = SIZE_MAX / 32 + 1;
    REFUSED(sha, d, 32, NULL, HC_E_RANGE, "count");
    b.count = SIZE_MAX / 32;
    b.item_size = 64;
    REFUSED(sha, d, 32, NULL, HC_E_RANGE, "count");
    b.count = SIZE_MAX;
    REFUSED(hc_alg_find("blake3"), d, 1, NULL, HC_E_RANGE, "count");
    CHECK(!memcmp(d, copy, sizeof d));

    memset(&b, 0, sizeof b); /* nothing to do */
    CHECK(hc_digest_many(sha, NULL, 32, NULL, &b, 0, NULL) == HC_OK);
    b.item_size = 64;
    CHECK(hc_digest_many(sha, NULL, 32, NULL, &b, 0, NULL) == HC_OK);
    CHECK(!memcmp(d, copy, sizeof d));
}

int main(void)
{
    static const char *const levels[] = {"portable", "sse2", "sse41,no-shani,no-bmi2", "avx2,no-shani", "avx2", "avx512,no-shani", "avx512",
                                         "neon,no-sha2", "neon", "simd128"};
    mode m[CASES];
    const size_t n = modes(m);
    check_seed("test_many");
    data = guard_new(DATA);
    out = guard_new(OUT);
    fill(data.first, DATA);
    fill(prefix, sizeof prefix);
    refused();
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        uint32_t mask;
        if (hc_cpu_parse(&mask, levels[l], NULL)) continue; /* another architecture's */
        if (mask & ~hc_cpu_detected()) {
            CHECK_SKIP(levels[l]);
            continue;
        }
        CHECK(hc_cpu_restrict(mask, NULL) == HC_OK);
        for (size_t i = 0; i < n; i++) {
            forms(m + i);
            in_place(m + i);
        }
    }
    return check_done("test_many");
}
