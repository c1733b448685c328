/* test_api.c - what hashcore.h promises of every algorithm: the object contract, options and errors, bytes, processor.
 */
#include "hashcore.h"
#include "check.h"

static uint8_t text[4096];

/* Something that alg needs or takes, so that keyed modes are walked too. which: 0 defaults, 1 keyed, 2 all it has. */
static int options_for(const hc_alg *alg, int which, hc_options *o)
{
    static const hc_options none = HC_OPTIONS_INIT;
    static const uint8_t key[64] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    *o = none;
    if (!strncmp(alg->name, "hmac", 4)) which++;
    if (which == 0) return 1;
    if (!(alg->flags & HC_ALG_KEYED)) return 0;
    o->given = HC_GIVEN_KEY;
    o->key.data = key;
    o->key.len = alg->key_max < 64 ? (size_t)alg->key_max : 64;
    if (which == 1) return 1;
    if (!strcmp(alg->name, "blake3")) {
        o->given = HC_GIVEN_CONTEXT;
        o->context.data = "hashcore 2026-11 tests of the C interface";
        o->context.len = 41;
        return 1;
    }
    if (strcmp(alg->name, "blake2b")) return 0;
    o->given |= HC_GIVEN_DIGEST_SIZE | HC_GIVEN_SALT | HC_GIVEN_PERSON | HC_GIVEN_TREE;
    o->digest_size = 20;
    o->key.len = 3;
    o->salt.data = "salt";
    o->salt.len = 4;
    o->person.data = "sixteen bytes ok";
    o->person.len = 16;
    o->fanout = 2;
    o->depth = 3;
    o->leaf_size = 4096;
    o->node_offset = 1;
    o->node_depth = 1;
    o->inner_size = 64;
    o->last_node = 1;
    return 1;
}

static size_t out_size(const hc_alg *alg, const void *state)
{
    uint64_t size = alg->size(state);
    return size == HC_UNKNOWN ? 100 : (size_t)size;
}

/* Repeatable final, more data after it, copy at every split, reset: against the one-shot. */
static void object_contract(const hc_alg *alg, const hc_options *o)
{
    enum { LENGTH = 300 };
    hc_state s, t, u;
    uint8_t want[100], got[100], part[100];
    hc_slice whole = { text, LENGTH }, two[2];
    CHECK(alg->init(&s, o, NULL) == HC_OK);
    size_t size = out_size(alg, &s);
    CHECK(hc_digest(alg, want, size, 0, o, &whole, 1, 0, NULL) == HC_OK);
    for (size_t split = 0; split <= LENGTH; split++) {
        alg->reset(&s);
        alg->update(&s, text, split);
        alg->copy(&t, &s);
        u = s;
        CHECK(alg->final(&s, part, size, 0, NULL) == HC_OK);
        alg->update(&t, text + split, LENGTH - split);
        alg->update(&s, NULL, 0);
        alg->update_threads(&s, text + split, LENGTH - split, HC_THREADS_AUTO);
        for (int i = 0; i < 2; i++) {
            CHECK(alg->final(&s, got, size, 0, NULL) == HC_OK);
            CHECK_SAY(!memcmp(got, want, size), "%s, split %u", alg->name, (unsigned)split);
        }
        CHECK(alg->final(&t, got, size, 0, NULL) == HC_OK);
        CHECK_SAY(!memcmp(got, want, size), "%s, copy, split %u", alg->name, (unsigned)split);
        CHECK(alg->final(&u, got, size, 0, NULL) == HC_OK && !memcmp(got, part, size));
        two[0].data = text;
        two[0].len = split;
        two[1].data = text + split;
        two[1].len = LENGTH - split;
        CHECK(hc_digest(alg, got, size, 0, o, two, 2, 0, NULL) == HC_OK && !memcmp(got, want, size));
    }
    /* larger than any buffer, in parts that are not joined */
    whole.len = sizeof text;
    CHECK(hc_digest(alg, want, size, 0, o, &whole, 1, HC_THREADS_AUTO, NULL) == HC_OK);
    two[0].len = 1025;
    two[1].data = text + 1025;
    two[1].len = sizeof text - 1025;
    CHECK(hc_digest(alg, got, size, 0, o, two, 2, 1, NULL) == HC_OK && !memcmp(got, want, size));
    /* nothing at all */
    CHECK(hc_digest(alg, want, size, 0, o, NULL, 0, 0, NULL) == HC_OK);
    alg->reset(&s);
    CHECK(alg->final(&s, got, size, 0, NULL) == HC_OK && !memcmp(got, want, size));
    /* a wrong length changes nothing */
    memset(got, 0x5a, sizeof got);
    if (!(alg->flags & HC_ALG_XOF)) {
        hc_error e;
        CHECK(alg->final(&s, got, size - 1, 0, &e) == HC_E_LENGTH && got[0] == 0x5a && e.min == size);
        CHECK(alg->final(&s, got, size, 1, &e) == HC_E_RANGE && got[0] == 0x5a);
        CHECK(hc_digest(alg, got, size + 1, 0, o, &whole, 1, 0, &e) == HC_E_LENGTH && got[0] == 0x5a);
    } else {
        CHECK(alg->final(&s, got, 0, 0, NULL) == HC_OK && got[0] == 0x5a);
    }
    hc_slice bad[2] = { { text, 1 }, { NULL, 1 } };
    hc_error e;
    CHECK(hc_digest(alg, got, size, 0, o, bad, 2, 0, &e) == HC_E_PARAM && got[0] == 0x5a && e.index == 1);
}

/* alg->init(given, ...) fails with code on argument; the state keeps its bytes. */
static void refused(const char *name, const hc_options *o, int code, const char *argument, uint64_t max)
{
    const hc_alg *alg = hc_alg_find(name);
    hc_state s;
    hc_error e;
    uint8_t out[64], zero[64];
    hc_slice data = { text, 10 };
    memset(&s, 0x5a, sizeof s);
    memset(out, 0, sizeof out);
    memset(zero, 0, sizeof zero);
    CHECK_SAY(alg->init(&s, o, &e) == code, "%s: %s", name, argument);
    CHECK_SAY(e.argument && !strcmp(e.argument, argument), "%s: %s, not %s", name, e.argument ? e.argument : "none",
              argument);
    CHECK(e.code == code && e.max == max);
    for (size_t i = 0; i < sizeof s; i++)
        if (((const uint8_t *)&s)[i] != 0x5a) {
            CHECK(!"the state was touched");
            break;
        }
    CHECK(alg->init(&s, o, NULL) == code);
    CHECK(hc_digest(alg, out, (size_t)(alg->digest_size ? alg->digest_size : 32), 0, o, &data, 1, 0, &e) == code);
    CHECK(!memcmp(out, zero, sizeof out));
}

static void options(void)
{
    hc_options o = HC_OPTIONS_INIT, n = o;
    uint8_t key[65] = { 0 };
#define TRY(name, what, set, code, argument, max) \
    do {                                          \
        o = n;                                    \
        o.given = HC_GIVEN_##what;                \
        set;                                      \
        refused(name, &o, code, argument, max);   \
    } while (0)
#define KEY_OF(length) o.key.data = key, o.key.len = length
    TRY("sha256", KEY, KEY_OF(1), HC_E_PARAM, "key", 0);
    TRY("sha256", SALT, o.salt.data = key, HC_E_PARAM, "salt", 0);
    TRY("sha256", CONTEXT, o.context.data = key, HC_E_PARAM, "derive_key_context", 0);
    TRY("sha224", TREE, o.fanout = 1, HC_E_PARAM, "fanout", 0);
    TRY("sha256", DIGEST_SIZE, o.digest_size = 28, HC_E_LENGTH, "digest_size", 32);
    TRY("sha224", DIGEST_SIZE, o.digest_size = 32, HC_E_LENGTH, "digest_size", 28);
    TRY("blake2b", DIGEST_SIZE, o.digest_size = 0, HC_E_LENGTH, "digest_size", 64);
    TRY("blake2b", DIGEST_SIZE, o.digest_size = 65, HC_E_LENGTH, "digest_size", 64);
    TRY("blake2b", DIGEST_SIZE, o.digest_size = UINT64_MAX, HC_E_LENGTH, "digest_size", 64);
    TRY("blake2b", KEY, KEY_OF(65), HC_E_LENGTH, "key", 64);
    TRY("blake2b", SALT, o.salt.data = key; o.salt.len = 17, HC_E_LENGTH, "salt", 16);
    TRY("blake2b", PERSON, o.person.data = key; o.person.len = 17, HC_E_LENGTH, "person", 16);
    TRY("blake2b", CONTEXT, o.context.data = key, HC_E_PARAM, "derive_key_context", 0);
    TRY("blake2b", TREE, o.fanout = 256; o.depth = 1, HC_E_RANGE, "fanout", 255);
    TRY("blake2b", TREE, o.depth = 0, HC_E_RANGE, "depth", 255);
    TRY("blake2b", TREE, o.depth = 256, HC_E_RANGE, "depth", 255);
    TRY("blake2b", TREE, o.depth = 1; o.leaf_size = UINT32_MAX + (uint64_t)1, HC_E_RANGE, "leaf_size", UINT32_MAX);
    TRY("blake2b", TREE, o.depth = 1; o.node_depth = 256, HC_E_RANGE, "node_depth", 255);
    TRY("blake2b", TREE, o.depth = 1; o.inner_size = 65, HC_E_RANGE, "inner_size", 64);
    TRY("blake2b", TREE, o.depth = 1; o.last_node = 2, HC_E_RANGE, "last_node", 1);
    TRY("blake3", KEY, KEY_OF(31), HC_E_LENGTH, "key", 32);
    TRY("blake3", KEY, KEY_OF(33), HC_E_LENGTH, "key", 32);
    TRY("blake3", KEY, KEY_OF(0), HC_E_LENGTH, "key", 32);
    TRY("blake3", KEY, KEY_OF(32); o.given |= HC_GIVEN_CONTEXT, HC_E_PARAM, "derive_key_context", 0);
    TRY("blake3", SALT, o.salt.data = key, HC_E_PARAM, "salt", 0);
    TRY("hmac-sha256", SALT, o.salt.data = key, HC_E_PARAM, "salt", 0);
    TRY("hmac-sha256", DIGEST_SIZE, o.digest_size = 32, HC_E_PARAM, "key", 0);
    TRY("blake2xb", DIGEST_SIZE, o.digest_size = UINT32_MAX, HC_E_LENGTH, "digest_size", UINT32_MAX - 1);
    TRY("blake2b", KEY, o.key.data = NULL; o.key.len = 1, HC_E_PARAM, "key", 0);
    TRY("blake2b", KEY, o.given |= 1u << 20, HC_E_PARAM, "options", 0);
    TRY("blake2b", KEY, o.size = 8, HC_E_PARAM, "options", 0);
}

static void names(void)
{
    static const char *const same[][2] = { { "SHA256", "sha256" },  { "sha-256", "sha256" },
                                           { "SHA-224", "sha224" }, { "BLAKE2b512", "blake2b" },
                                           { "Blake3", "blake3" },  { "HMAC-SHA256", "hmac-sha256" } };
    static const char *const unknown[] = { "",        "md5",     "sha1",
                                           "sha256 ", "blake2s", "blake2b256",
                                           "sha2",    "s-ha256", "a name that is longer than any algorithm's name" };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) CHECK(hc_alg_find(same[i][0]) == hc_alg_find(same[i][1]));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) CHECK_SAY(!hc_alg_find(unknown[i]), "%s", unknown[i]);
    CHECK(!hc_alg_find(NULL));
    size_t n = 0;
    for (; hc_alg_at(n); n++) {
        const hc_alg *a = hc_alg_at(n);
        CHECK(hc_alg_find(a->name) == a && a->state_size <= sizeof(hc_state) && a->update_threads);
    }
    CHECK(n == 7 && !hc_alg_at(SIZE_MAX));
    CHECK(hc_digest(NULL, NULL, 0, 0, NULL, NULL, 0, 0, NULL) == HC_E_PARAM);
    CHECK(hc_version() == HC_VERSION_NUMBER);
}

static void typed(void) /* the functions by algorithm give what the descriptor's do */
{
    uint8_t a[64], b[64];
    hc_slice data = { text, 1000 };
    hc_options o = HC_OPTIONS_INIT;
    hc_sha256 s;
    hc_sha256_hash(a, text, 1000);
    hc_digest(hc_alg_find("sha256"), b, 32, 0, NULL, &data, 1, 0, NULL);
    CHECK(!memcmp(a, b, 32));
    hc_sha224_hash(a, text, 1000);
    hc_digest(hc_alg_find("sha224"), b, 28, 0, NULL, &data, 1, 0, NULL);
    CHECK(!memcmp(a, b, 28));
    hc_sha224_init(&s);
    hc_sha256_update(&s, text, 1000);
    hc_sha256_final(&s, b);
    CHECK(!memcmp(a, b, 28));
    o.given = HC_GIVEN_KEY;
    o.key.data = text;
    o.key.len = 131;
    hc_hmac_sha256_hash(a, text, 131, text, 1000);
    CHECK(hc_digest(hc_alg_find("hmac-sha256"), b, 32, 0, &o, &data, 1, 0, NULL) == HC_OK && !memcmp(a, b, 32));
    o.key.len = 33;
    o.given |= HC_GIVEN_DIGEST_SIZE;
    o.digest_size = 20;
    CHECK(hc_blake2b_hash(a, 20, text, 33, text, 1000) == HC_OK);
    CHECK(hc_digest(hc_alg_find("blake2b"), b, 20, 0, &o, &data, 1, 0, NULL) == HC_OK && !memcmp(a, b, 20));
    CHECK(hc_blake2b_hash(a, 0, NULL, 0, text, 1) == HC_E_LENGTH &&
          hc_blake2b_hash(a, 65, NULL, 0, text, 1) == HC_E_LENGTH);
    CHECK(hc_blake2b_hash(a, 64, text, 65, text, 1) == HC_E_LENGTH);
    hc_blake2b x;
    CHECK(hc_blake2b_init(&x, 64, text, 65) == HC_E_LENGTH && hc_blake2b_init(&x, 0, NULL, 0) == HC_E_LENGTH);
    /* a key and nothing else: the key's block is the last one */
    hc_blake2b_hash(a, 64, "abc", 3, NULL, 0);
    CHECK(check_hex(a, 8, "91cc35fc51ce734e"));
    o.given = HC_GIVEN_KEY;
    o.key.len = 32;
    hc_blake3_mode m;
    hc_blake3_mode_keyed(&m, text);
    CHECK(hc_blake3_hash(a, 64, &m, text, 1000, 0) == HC_OK);
    CHECK(hc_digest(hc_alg_find("blake3"), b, 64, 0, &o, &data, 1, 0, NULL) == HC_OK && !memcmp(a, b, 64));
    hc_error e;
    CHECK(hc_digest(hc_alg_find("blake3"), b, 64, UINT64_MAX - 63, &o, &data, 1, 0, &e) == HC_E_RANGE &&
          e.max == UINT64_MAX - 64);
    CHECK(hc_digest(hc_alg_find("blake3"), b, 64, UINT64_MAX - 64, &o, &data, 1, 0, &e) == HC_OK);
}

static void bytes(void)
{
    char hex[2 * 70 + 1], text_out[256];
    uint8_t back[70], other[70];
    hc_error e;
    for (size_t n = 0; n <= 70; n++) {
        char want[3];
        memset(hex, '#', sizeof hex);
        hc_hex(hex, text + 100, n);
        for (size_t i = 0; i < n; i++) {
            snprintf(want, sizeof want, "%02x", text[100 + i]);
            CHECK(!memcmp(want, hex + 2 * i, 2));
        }
        CHECK(hex[2 * n] == '#');
        memset(back, 0, sizeof back);
        CHECK(hc_unhex(back, hex, 2 * n, &e) == HC_OK && !memcmp(back, text + 100, n));
        memcpy(other, back, sizeof other);
        CHECK(hc_equal(back, other, n) == 1);
        for (size_t i = 0; i < n; i++)
            for (int bit = 0; bit < 8; bit++) {
                other[i] ^= (uint8_t)(1 << bit);
                CHECK(hc_equal(back, other, n) == 0);
                other[i] ^= (uint8_t)(1 << bit);
            }
    }
    for (int c = 0; c < 256; c++) {
        char two[2] = { '0', (char)c };
        int digit = c && strchr("0123456789abcdefABCDEF", c) != NULL;
        memset(back, 0x5a, sizeof back);
        int code = hc_unhex(back, two, 2, &e);
        CHECK(digit ? code == HC_OK : code == HC_E_PARAM && e.index == 1 && back[0] == 0x5a);
    }
    CHECK(hc_unhex(back, "abc", 3, &e) == HC_E_LENGTH);
    CHECK(hc_unhex(NULL, NULL, 0, &e) == HC_OK && hc_equal(NULL, NULL, 0) == 1);
    hc_hex(NULL, NULL, 0);
    hc_wipe(NULL, 0);
    memset(back, 1, sizeof back);
    hc_wipe(back, sizeof back);
    memset(other, 0, sizeof other);
    CHECK(!memcmp(back, other, sizeof back));

    hc_options o = HC_OPTIONS_INIT;
    hc_state s;
    o.given = HC_GIVEN_KEY;
    o.key.data = text;
    o.key.len = 65;
    hc_alg_find("blake2b")->init(&s, &o, &e);
    size_t n = hc_error_text(&e, text_out, sizeof text_out);
    CHECK(!strcmp(text_out, "key: 65 bytes given, 0 to 64 allowed") && n == strlen(text_out));
    memset(text_out, '#', sizeof text_out);
    CHECK(hc_error_text(&e, text_out, 5) == n && !strcmp(text_out, "key:") && text_out[5] == '#');
    CHECK(hc_error_text(&e, NULL, 0) == n);
}

static void processor(void)
{
    uint32_t mask, all = hc_cpu_detected();
    char name[128];
    hc_error e;
    const char *slot = NULL;
    CHECK(hc_cpu_environment(&e) == HC_OK);
    CHECK((hc_cpu_enabled() & ~all) == 0);
    size_t n = 0;
    for (; hc_cpu_kernel(n, &slot); n++) CHECK(slot && strchr(slot, '.'));
    CHECK(n >= 10 && hc_cpu_kernel(n, NULL) == NULL && hc_cpu_kernel(SIZE_MAX, NULL) == NULL);
    CHECK(hc_cpu_restrict(0, &e) == HC_OK && hc_cpu_enabled() == 0);
    for (size_t i = 0; i < n; i++) CHECK(!strcmp(hc_cpu_kernel(i, NULL), "portable"));
    CHECK(hc_cpu_restrict(HC_CPU_ALL, &e) == HC_OK && hc_cpu_enabled() == all);
    CHECK(hc_cpu_restrict(1u << 30, &e) == HC_E_PARAM && hc_cpu_enabled() == all);
    for (unsigned bit = 0; bit < 17; bit++) /* what is lacking is refused, by name */
        if (!(all & 1u << bit) && bit != 6 && bit != 7 && bit < 10) {
            CHECK(hc_cpu_restrict(1u << bit, &e) == HC_E_PARAM && e.value == 1u << bit);
            CHECK(hc_error_text(&e, name, sizeof name) > 10 && strstr(name, "not available"));
        }
    hc_cpu_text(all, name, sizeof name);
    CHECK_SAY(hc_cpu_parse(&mask, name, &e) == HC_OK && mask == all, "%s", name);
    CHECK(hc_cpu_parse(&mask, "portable", &e) == HC_OK && mask == 0);
    CHECK(hc_cpu_parse(&mask, "sse2", &e) == HC_OK && mask == HC_CPU_SSE2);
    CHECK(hc_cpu_parse(&mask, "avx2,no-shani,no-bmi2", &e) == HC_OK &&
          mask == (HC_CPU_SSE2 | HC_CPU_SSE41 | HC_CPU_AVX2));
    CHECK(hc_cpu_parse(&mask, "avx512,no-avx2,no-shani,no-bmi2", &e) == HC_OK && mask == (HC_CPU_SSE2 | HC_CPU_SSE41));
    CHECK(hc_cpu_parse(&mask, "no-shani", &e) == HC_OK && mask == (all & ~(uint32_t)HC_CPU_SHANI));
    CHECK(hc_cpu_parse(&mask, "neon,no-sha2", &e) == HC_OK && mask == HC_CPU_NEON);
    static const char *const bad[] = {
        "", "avx3", "avx2,", ",avx2", "avx2,,no-shani", "avx2, no-shani", "no-portable", "AVX2", "no-"
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mask = 77;
        CHECK_SAY(hc_cpu_parse(&mask, bad[i], &e) == HC_E_PARAM && mask == 77, "\"%s\"", bad[i]);
    }
    CHECK(hc_cpu_parse(&mask, "avx2,nonsense", &e) == HC_E_PARAM && e.index == 5);
    /* every single level gives the same digest */
    static const char *const levels[] = {
        "portable",      "sse2",   "sse41,no-shani",  "sse41",  "avx2,no-shani,no-bmi2",
        "avx2,no-shani", "avx2",   "avx512,no-shani", "avx512", "neon,no-sha2",
        "neon",          "simd128"
    };
    uint8_t want[7][64], got[64];
    hc_slice data = { text, sizeof text };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (hc_cpu_parse(&mask, levels[i], &e) || hc_cpu_restrict(mask, &e)) continue;
        printf("level %s:", levels[i]);
        for (size_t k = 0; hc_cpu_kernel(k, &slot); k++) printf(" %s=%s", slot, hc_cpu_kernel(k, NULL));
        printf("\n");
        for (size_t a = 0; hc_alg_at(a); a++) {
            const hc_alg *alg = hc_alg_at(a);
            hc_options o;
            options_for(alg, 0, &o);
            size_t size = alg->digest_size ? alg->digest_size : 64;
            CHECK(hc_digest(alg, i ? got : want[a], size, 0, &o, &data, 1, 0, NULL) == HC_OK);
            CHECK_SAY(!i || !memcmp(got, want[a], size), "%s at %s", alg->name, levels[i]);
        }
    }
    CHECK(hc_cpu_restrict(HC_CPU_ALL, NULL) == HC_OK);
}

int main(void)
{
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i % 251);
    for (size_t i = 0; hc_alg_at(i); i++)
        for (int which = 0; which < 3; which++) {
            hc_options o;
            if (options_for(hc_alg_at(i), which, &o)) object_contract(hc_alg_at(i), &o);
        }
    options();
    names();
    typed();
    bytes();
    processor();
    return check_done("test_api");
}
