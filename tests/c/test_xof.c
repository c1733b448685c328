/* test_xof.c - long output: every offset gives the bytes of the one long stream, up to its very end and not past it. */
#include "kernels.h" /* to count blocks */
#include "check.h"
#include "vectors.h"

#define LONG (300 * 1024)
static uint8_t data[4096], stream[LONG], got[LONG + 16];

static uint64_t below(uint64_t n) { return check_random() % n; }

typedef struct subject {
    const char *name;
    uint64_t digest_size; /* 0: not given */
    size_t key_len, in_len;
    uint64_t size; /* of the output */
} subject;

static const subject subjects[] = {
    { "blake3", 0, 0, 0, UINT64_MAX },
    { "blake3", 0, 0, 1000, UINT64_MAX },
    { "blake3", 0, 32, 1025, UINT64_MAX },
    { "blake3", 0, 32, 4096, UINT64_MAX },
    { "blake2xb", 0, 0, 3, (uint64_t)1 << 38 },
    { "blake2xb", HC_UNKNOWN, 32, 1000, (uint64_t)1 << 38 },
    { "blake2xb", 1, 0, 3, 1 },
    { "blake2xb", 64, 64, 0, 64 },
    { "blake2xb", 65, 0, 128, 65 },
    { "blake2xb", 200000, 7, 129, 200000 },
    { "blake2xb", UINT32_MAX - 1, 0, 5, UINT32_MAX - 1 },
};

static void start(const subject *s, hc_state *state, hc_xof *x)
{
    const hc_alg *alg = hc_alg_find(s->name);
    hc_options o = HC_OPTIONS_INIT;
    if (s->digest_size != 0) {
        o.given |= HC_GIVEN_DIGEST_SIZE;
        o.digest_size = s->digest_size;
    }
    if (s->key_len > 0) {
        o.given |= HC_GIVEN_KEY;
        o.key.data = data;
        o.key.len = s->key_len;
    }
    CHECK(alg->init(state, &o, NULL) == HC_OK);
    alg->update(state, data, s->in_len);
    memset(x, 0xff, sizeof *x);
    CHECK(hc_xof_open(x, alg, state, NULL) == HC_OK && hc_xof_size(x) == s->size);
}

/* The n bytes at an offset by the reader and by final equal want; nothing behind them is touched. */
static int reads(const hc_alg *alg, const hc_state *state, const hc_xof *x, uint64_t at, size_t n, const uint8_t *want)
{
    static const uint8_t guard[16] = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9 };
    int good;
    memset(got + n, 9, 16);
    good = hc_xof_read(x, got, n, at, 0, NULL) == HC_OK && memcmp(got, want, n) == 0 && memcmp(got + n, guard, 16) == 0;
    memset(got, 0, n);
    return good && alg->final(state, got, n, at, NULL) == HC_OK && memcmp(got, want, n) == 0 &&
           memcmp(got + n, guard, 16) == 0;
}

/* Around an offset: one read equals byte by byte and pieces; so blocks, counters and carries agree. */
static void around(const hc_alg *alg, const hc_state *state, const hc_xof *x, uint64_t middle, uint64_t size)
{
    uint8_t want[400];
    const uint64_t from = middle < 200 ? 0 : middle - 200;
    const size_t n = size - from < 400 ? (size_t)(size - from) : 400;
    size_t i;
    for (i = 0; i < n; i++) CHECK(hc_xof_read(x, want + i, 1, from + i, 0, NULL) == HC_OK);
    CHECK(reads(alg, state, x, from, n, want));
    for (i = 0; i < 60; i++) {
        const size_t at = (size_t)below(n), some = (size_t)below(n - at + 1);
        CHECK_SAY(reads(alg, state, x, from + at, some, want + at), "%lu at %llu", (unsigned long)some,
                  (unsigned long long)(from + at));
    }
}

static void the_end(const subject *s, const hc_alg *alg, const hc_state *state, const hc_xof *x)
{
    uint8_t buf[300], same[300];
    hc_error e;
    const uint64_t size = s->size;
    memset(buf, 5, sizeof buf);
    memset(same, 5, sizeof same);
    CHECK(hc_xof_read(x, buf, 1, size, 0, &e) == HC_E_RANGE && strcmp(e.argument, "length") == 0 && e.max == 0);
    CHECK(hc_xof_read(x, buf, 300, size - 1, 0, &e) == HC_E_RANGE && e.value == 300 && e.max == 1);
    CHECK(alg->final(state, buf, 2, size - 1, &e) == HC_E_RANGE);
    if (size < UINT64_MAX) {
        CHECK(hc_xof_read(x, buf, 0, size + 1, 0, &e) == HC_E_RANGE && strcmp(e.argument, "seek") == 0 &&
              e.max == size);
        CHECK(hc_xof_read(x, buf, 1, UINT64_MAX, 0, &e) == HC_E_RANGE);
        CHECK(alg->final(state, buf, 1, size, &e) == HC_E_RANGE);
    }
    CHECK(memcmp(buf, same, sizeof buf) == 0);
    CHECK(hc_xof_read(x, buf, 0, size, 0, &e) == HC_OK && memcmp(buf, same, sizeof buf) == 0);
    CHECK(hc_xof_read(x, buf, 1, size - 1, 0, &e) == HC_OK);
    around(alg, state, x, size, size);
}

/* What the first level gave for each subject: the others give the same. */
static uint8_t first_level[sizeof subjects / sizeof subjects[0]][32];

static void one_subject(const subject *s, int first)
{
    uint8_t hash[32];
    static const uint64_t far[] = { (uint64_t)1 << 31, (uint64_t)1 << 32, (uint64_t)64 << 32,
                                    (uint64_t)1 << 38, (uint64_t)1 << 63, ((uint64_t)1 << 63) + 12345 };
    const hc_alg *alg = hc_alg_find(s->name);
    const size_t all = s->size < LONG ? (size_t)s->size : LONG;
    hc_state state, before, more;
    hc_xof x, copy;
    size_t i;
    memset(&state, 0, sizeof state); /* what init leaves alone is compared too */
    start(s, &state, &x);
    before = state;
    CHECK(hc_xof_read(&x, stream, all, 0, 0, NULL) == HC_OK);
    hc_blake3_hash(hash, 32, NULL, stream, all, 0);
    if (first) memcpy(first_level[s - subjects], hash, 32);
    CHECK(memcmp(first_level[s - subjects], hash, 32) == 0);
    for (i = 0; i + 32 <= all && i <= 3000; i++)
        CHECK_SAY(reads(alg, &state, &x, i, 32, stream + i), "%s at %lu", s->name, (unsigned long)i);
    for (i = 0; i < 150; i++) {
        const size_t at = (size_t)below(all),
                     some = (size_t)below((below(10) ? 3000 : all) < all - at ? 3000 : all - at);
        if (at + some <= all) CHECK(reads(alg, &state, &x, at, some, stream + at));
    }
    for (i = 0; i < 4; i++) { /* threads change nothing */
        const size_t at = (size_t)below(all);
        memset(got, 0, all);
        CHECK(hc_xof_read(&x, got, all - at, at, i == 3 ? HC_THREADS_AUTO : (unsigned)i + 1, NULL) == HC_OK);
        CHECK(memcmp(got, stream + at, all - at) == 0);
    }
    for (i = 0; i < sizeof far / sizeof far[0]; i++)
        if (far[i] < s->size) around(alg, &state, &x, far[i], s->size);
    the_end(s, alg, &state, &x);
    /* The reader is apart from its state, and a state goes on after final. */
    CHECK(memcmp(&state, &before, alg->state_size) == 0);
    copy = x;
    alg->update(&state, data, 77);
    alg->reset(&state);
    alg->update(&state, data, s->in_len);
    CHECK(hc_xof_read(&copy, got, all < 100 ? all : 100, 0, 0, NULL) == HC_OK &&
          memcmp(got, stream, all < 100 ? all : 100) == 0);
    CHECK(alg->final(&state, got, all < 100 ? all : 100, 0, NULL) == HC_OK &&
          memcmp(got, stream, all < 100 ? all : 100) == 0);
    alg->copy(&more, &state);
    alg->update(&more, data, 1);
    CHECK(alg->final(&more, got, all < 100 ? all : 100, 0, NULL) == HC_OK &&
          memcmp(got, stream, all < 100 ? all : 100) != 0);
}

/* Values of x/crypto's BLAKE2Xb (key: the first bytes of the input pattern), and BLAKE3's of two independent
 * implementations. */
static void known(void)
{
    static const struct {
        uint64_t size;
        size_t key_len, in_len;
        const char *out;
    } blake2xb[] = {
        { 1, 0, 3, "ef" },
        { 63, 0, 0,
          "cc3cd4f00882c0cacaede69edde6e1f0e6c70bb8188c6cae32ee3e97def1930529891cf845285329978a81a99f43b3cd530e"
          "b4e9e1499df1e1d2da2ef2c238" },
        { 65, 0, 128,
          "847e9d647f19c6434767bfc9845f9a74a1c9c2c11d1588380948f9c146760a26b6ca68e202b3d52cc51ce8ffe30f6bfe78"
          "ca6f2d076cdba74ad30e139196ed910d" },
    };
    static const struct {
        size_t in_len;
        uint64_t offset;
        const char *out;
    } blake3[] = {
        { 3, ((uint64_t)1 << 32) + 1, "3115e9481255f6f1c1d713bdd63008c85572b0b73f9da4da0224a2e9431ceecd" },
        { 1025, ((uint64_t)1 << 38) - 1, "0ae54e45687e25a1673882cb09f828f13b3f9e8b746c970c5531648dac9ef3e1" },
        { 1024, ((uint64_t)1 << 63) - 1, "2c774ae2c006d6f42f2088c322702f90db9884c3b3636266bddbf8ae2ceac58d" },
        { 0, UINT64_MAX - 130, "7973546b6750ee6adbd7c1deb2b1f66003700e29861b1ae4bdf95d26e97cedf7" },
    };
    const hc_alg *alg = hc_alg_find("blake2xb");
    uint8_t out[160];
    hc_state s;
    size_t i;
    for (i = 0; i < sizeof blake2xb / sizeof blake2xb[0]; i++) {
        hc_options o = HC_OPTIONS_INIT;
        o.given = HC_GIVEN_DIGEST_SIZE;
        o.digest_size = blake2xb[i].size;
        CHECK(alg->init(&s, &o, NULL) == HC_OK && alg->size(&s) == blake2xb[i].size);
        alg->update(&s, data, blake2xb[i].in_len);
        CHECK(alg->final(&s, out, (size_t)blake2xb[i].size, 0, NULL) == HC_OK);
        CHECK(check_hex(out, (size_t)blake2xb[i].size, blake2xb[i].out));
    }
    CHECK(alg->init(&s, NULL, NULL) == HC_OK && alg->size(&s) == HC_UNKNOWN);
    alg->update(&s, data, 3);
    CHECK(alg->final(&s, out, 64, 0, NULL) == HC_OK);
    CHECK(check_hex(out, 64,
                    "9984e250ddd5c6373edea4cca3af4ec3c9108ca060db10928c6988834492585116ff578751ced6347af867778d2"
                    "badf725df4e0227db45d850727feb96f0023b"));
    for (i = 0; i < sizeof blake3 / sizeof blake3[0]; i++) {
        hc_blake3 b;
        hc_blake3_init(&b, NULL);
        hc_blake3_update(&b, data, blake3[i].in_len, 0);
        CHECK(hc_blake3_final(&b, out, 32, blake3[i].offset) == HC_OK && check_hex(out, 32, blake3[i].out));
    }
}

/* Salt and person go on into every output block; so each changes all of it. */
static void blake2xb_options(void)
{
    const hc_alg *alg = hc_alg_find("blake2xb");
    uint8_t out[3][128];
    hc_state s;
    hc_error e;
    int i;
    for (i = 0; i < 3; i++) {
        hc_options o = HC_OPTIONS_INIT;
        o.given = i == 0 ? 0 : i == 1 ? HC_GIVEN_SALT : HC_GIVEN_PERSON;
        o.salt.data = o.person.data = data;
        o.salt.len = o.person.len = 16;
        CHECK(alg->init(&s, &o, NULL) == HC_OK && alg->final(&s, out[i], 128, 0, NULL) == HC_OK);
    }
    CHECK(memcmp(out[0], out[1], 64) && memcmp(out[1], out[2], 64) && memcmp(out[0] + 64, out[1] + 64, 64));
    for (i = 0; i < 6; i++) {
        hc_options o = HC_OPTIONS_INIT;
        hc_state before;
        static const uint32_t given[] = { HC_GIVEN_DIGEST_SIZE, HC_GIVEN_DIGEST_SIZE, HC_GIVEN_KEY,
                                          HC_GIVEN_SALT,        HC_GIVEN_TREE,        HC_GIVEN_CONTEXT };
        static const char *const names[] = {
            "digest_size", "digest_size", "key", "salt", "fanout", "derive_key_context"
        };
        o.given = given[i];
        o.digest_size = i == 0 ? 0 : UINT32_MAX;
        o.key.data = o.salt.data = o.context.data = data;
        o.key.len = 65;
        o.salt.len = 17;
        o.context.len = 3;
        memset(&s, 3, sizeof s);
        before = s;
        CHECK(alg->init(&s, &o, &e) == (i < 4 ? HC_E_LENGTH : HC_E_PARAM) && strcmp(e.argument, names[i]) == 0);
        CHECK(memcmp(&s, &before, sizeof s) == 0);
        CHECK(i > 1 || (e.min == 1 && e.max == UINT32_MAX - 1));
    }
    {
        hc_xof x;
        CHECK(hc_alg_find("sha256")->init(&s, NULL, NULL) == HC_OK);
        CHECK(hc_xof_open(&x, hc_alg_find("sha256"), &s, &e) == HC_E_PARAM);
    }
}

/* ---- Work: only the blocks that are asked for --------------------------------------- */
static size_t blocks_made;
static hc_b3_xof_fn *real_b3_xof;
static hc_b2b_finish_fn *real_b2b_finish;
static hc_b2b_xof_fn *real_b2b_xof;
static void count_b3_xof(uint8_t *out, const uint8_t cv[32], const uint8_t block[64], unsigned len, uint64_t counter,
                         unsigned flags, size_t blocks)
{
    blocks_made += blocks;
    real_b3_xof(out, cv, block, len, counter, flags, blocks);
}
static void count_b2b_xof(uint8_t *out, const uint64_t h[8], const uint8_t in[64], uint64_t first, size_t blocks)
{
    const size_t made = blocks_made;
    real_b2b_xof(out, h, in, first, blocks);
    blocks_made = made + blocks; /* it may have used the other one */
}
static void count_b2b_finish(uint8_t out[64], const uint64_t h[8], const uint64_t t[2], uint64_t f1, const uint8_t *in,
                             size_t n)
{
    blocks_made++;
    real_b2b_finish(out, h, t, f1, in, n);
}

static void work(void)
{
    static const subject s[2] = { { "blake3", 0, 0, 3000, UINT64_MAX }, { "blake2xb", 0, 0, 3000, (uint64_t)1 << 38 } };
    int i, k;
    for (i = 0; i < 2; i++) {
        hc_state state;
        hc_xof x;
        start(&s[i], &state, &x);
        real_b3_xof = hc_k_b3_xof;
        real_b2b_finish = hc_k_b2b_finish;
        real_b2b_xof = hc_k_b2b_xof;
        hc_k_b3_xof = count_b3_xof;
        hc_k_b2b_finish = count_b2b_finish;
        hc_k_b2b_xof = count_b2b_xof;
        for (k = 0; k < 300; k++) {
            const uint64_t at = below(2) ? below(5000) : check_random() >> 30;
            const size_t n = (size_t)below(below(2) ? 70 : 5000);
            blocks_made = 0;
            CHECK(hc_xof_read(&x, got, n, at, 0, NULL) == HC_OK);
            CHECK_SAY(blocks_made == (n > 0 ? (at + n - 1) / 64 - at / 64 + 1 : 0), "%s: %lu blocks for %lu at %llu",
                      s[i].name, (unsigned long)blocks_made, (unsigned long)n, (unsigned long long)at);
        }
        hc_k_b3_xof = real_b3_xof;
        hc_k_b2b_finish = real_b2b_finish;
        hc_k_b2b_xof = real_b2b_xof;
    }
}

int main(void)
{
    char level[64];
    size_t i, k;
    int here, first = 1;
    check_seed("test_xof");
    for (i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i % 251);
    for (i = 0; (here = vec_level(i, level, sizeof level)) >= 0; i++) {
        if (!here || strstr(level, "no-") != NULL) /* what is left out there is SHA-256's */
            continue;
        known();
        for (k = 0; k < sizeof subjects / sizeof subjects[0]; k++) one_subject(&subjects[k], first);
        work();
        first = 0;
    }
    blake2xb_options();
    return check_done("test_xof");
}
