/* test_image.c - states as images: resumed anywhere, one image a state, and no changed image that does harm. */
#include "hashcore.h"
#include "check.h"
#include "vectors.h"

#define DATA_MAX 70000
static uint8_t data[DATA_MAX];

static uint64_t below(uint64_t n) { return check_random() % n; }

/* Every kind of state: what init was given. */
typedef struct kind {
    const char *name;
    uint32_t given;
    uint64_t digest_size;
    size_t key_len;
    int go; /* has Go's image */
} kind;
static const kind kinds[] = {
    { "sha224", 0, 0, 0, 1 },
    { "sha256", 0, 0, 0, 1 },
    { "hmac-sha224", HC_GIVEN_KEY, 0, 5, 0 },
    { "hmac-sha256", HC_GIVEN_KEY, 0, 100, 0 },
    { "blake2b", 0, 0, 0, 1 },
    { "blake2b", HC_GIVEN_DIGEST_SIZE, 20, 0, 1 },
    { "blake2b", HC_GIVEN_DIGEST_SIZE | HC_GIVEN_KEY, 32, 64, 0 },
    { "blake2b", HC_GIVEN_KEY, 0, 1, 0 },
    { "blake2b", HC_GIVEN_SALT | HC_GIVEN_PERSON, 0, 0, 0 },
    { "blake2b", HC_GIVEN_TREE | HC_GIVEN_KEY | HC_GIVEN_SALT, 0, 33, 0 },
    { "blake2xb", 0, 0, 0, 0 },
    { "blake2xb", HC_GIVEN_DIGEST_SIZE | HC_GIVEN_KEY | HC_GIVEN_PERSON, 12345, 20, 0 },
    { "blake3", 0, 0, 0, 0 },
    { "blake3", HC_GIVEN_KEY, 0, 32, 0 },
    { "blake3", HC_GIVEN_CONTEXT, 0, 0, 0 },
    { "blake2xb", HC_GIVEN_DIGEST_SIZE, 57, 0, 0 },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const hc_alg *start(const kind *k, hc_state *s)
{
    const hc_alg *alg = hc_alg_find(k->name);
    hc_options o = HC_OPTIONS_INIT;
    o.given = k->given;
    o.digest_size = k->digest_size;
    o.key.data = data + 1;
    o.key.len = k->key_len;
    o.salt.data = o.person.data = data + 2;
    o.salt.len = 7;
    o.person.len = 16;
    o.context.data = "hashcore 2026-11-30 tests";
    o.context.len = 25;
    o.fanout = 3;
    o.depth = 4;
    o.leaf_size = 4096;
    o.node_offset = ((uint64_t)1 << 40) + 5;
    o.node_depth = 1;
    o.inner_size = 32;
    o.last_node = 1;
    CHECK(alg->init(s, &o, NULL) == HC_OK);
    return alg;
}

static size_t digest(const hc_alg *alg, const void *s, uint8_t out[64])
{
    const size_t n = alg->size(s) > 64 ? 64 : (size_t)alg->size(s);
    memset(out, 0, 64);
    CHECK(alg->final(s, out, n, 0, NULL) == HC_OK);
    return n;
}

static int same_digest(const hc_alg *alg, const void *a, const void *b)
{
    uint8_t x[64], y[64];
    return digest(alg, a, x) == digest(alg, b, y) && memcmp(x, y, 64) == 0;
}

/* An export that must work, into exactly the room that it takes. */
static size_t export_exact(const hc_alg *alg, const void *s, uint8_t *image, int format)
{
    size_t n = HC_IMAGE_MAX, room;
    hc_error e;
    CHECK(hc_export(alg, s, image, &n, format, NULL) == HC_OK && n > 0 && n <= HC_IMAGE_MAX);
    room = n - 1;
    memset(image, 0xee, HC_IMAGE_MAX);
    CHECK(hc_export(alg, s, image, &room, format, &e) == HC_E_LENGTH && e.value == n - 1 && e.min == n &&
          room == n - 1);
    CHECK(image[0] == 0xee && image[n - 1] == 0xee);
    room = n;
    CHECK(hc_export(alg, s, image, &room, format, NULL) == HC_OK && room == n &&
          (n == HC_IMAGE_MAX || image[n] == 0xee));
    return n;
}

/* ---- Out and in again ------------------------------------------------------------ */
static void round_trip(const kind *k, size_t len)
{
    uint8_t image[HC_IMAGE_MAX], image2[HC_IMAGE_MAX];
    hc_state s, pieces, t;
    const hc_alg *alg = start(k, &s);
    size_t n, at, rest = (size_t)below(3000);
    int format;
    alg->update(&s, data, len);
    /* The image tells what was absorbed, not how. */
    start(k, &pieces);
    for (at = 0; at < len;) {
        const size_t some = 1 + (size_t)below(below(3) ? 200 : 9000);
        alg->update(&pieces, data + at, some < len - at ? some : len - at);
        at += some;
    }
    for (format = 0; format <= k->go; format++) {
        n = export_exact(alg, &s, image, format);
        CHECK(export_exact(alg, &pieces, image2, format) == n && memcmp(image, image2, n) == 0);
        CHECK(format == HC_IMAGE_NATIVE || n == (k->name[0] == 's' ? 108 : 213));
        memset(&t, 0x5a, sizeof t);
        CHECK(hc_import(alg, &t, image, n, NULL) == HC_OK);
        CHECK(alg->size(&t) == alg->size(&s) && same_digest(alg, &s, &t));
        CHECK(export_exact(alg, &t, image2, format) == n && memcmp(image, image2, n) == 0);
        alg->update(&t, data + len, rest);
        alg->copy(&pieces, &s);
        alg->update(&pieces, data + len, rest);
        CHECK_SAY(same_digest(alg, &pieces, &t), "%s after %lu bytes, then %lu", k->name, (unsigned long)len,
                  (unsigned long)rest);
        alg->reset(&t); /* key and parameters came along */
        start(k, &pieces);
        CHECK(same_digest(alg, &pieces, &t));
        start(k, &pieces);
        alg->update(&pieces, data, len);
    }
}

/* ---- Between levels ------------------------------------------------------------------ */
static uint8_t kept[KINDS][4][HC_IMAGE_MAX];
static size_t kept_len[KINDS][4];
static uint8_t kept_digest[KINDS][4][64];

/* The first level leaves images behind; every other makes the same and resumes them. */
static void between_levels(int first)
{
    static const size_t lens[4] = { 0, 129, 5000, 66000 };
    int k, i;
    for (k = 0; k < (int)KINDS; k++)
        for (i = 0; i < 4; i++) {
            uint8_t image[HC_IMAGE_MAX], out[64];
            hc_state s;
            const hc_alg *alg = start(&kinds[k], &s);
            size_t n;
            alg->update(&s, data, lens[i]);
            n = export_exact(alg, &s, image, HC_IMAGE_NATIVE);
            if (first) {
                memcpy(kept[k][i], image, n);
                kept_len[k][i] = n;
            }
            CHECK(n == kept_len[k][i] && memcmp(image, kept[k][i], n) == 0);
            CHECK(hc_import(alg, &s, kept[k][i], kept_len[k][i], NULL) == HC_OK);
            alg->update(&s, data, 4000);
            digest(alg, &s, out);
            if (first) memcpy(kept_digest[k][i], out, 64);
            CHECK(memcmp(out, kept_digest[k][i], 64) == 0);
        }
}

/* ---- Changed images -------------------------------------------------------------------- */
static void seal(uint8_t *image, size_t n)
{
    if (n > 8) hc_blake3_hash(image + n - 8, 8, NULL, image, n - 8, 0);
}

/* Refused, leaving the state alone; or a state that is as good as any: it goes on and has just this image. */
static int import_anything(const hc_alg *alg, const uint8_t *bytes, size_t n)
{
    uint8_t again[HC_IMAGE_MAX], out[64];
    uint8_t *image = (uint8_t *)malloc(n ? n : 1); /* so that a sanitizer sees every step past it */
    const int go = n > 3 && (memcmp(bytes, "sha", 3) == 0 || memcmp(bytes, "b2b", 3) == 0);
    size_t m = HC_IMAGE_MAX;
    hc_state s, before;
    hc_error e;
    int code;
    memcpy(image, bytes, n);
    memset(&s, 0x77, sizeof s);
    before = s;
    code = hc_import(alg, &s, image, n, &e);
    free(image);
    if (code != HC_OK) {
        CHECK(code == HC_E_STATE && e.code == HC_E_STATE && strcmp(e.argument, "image") == 0 && e.index <= n);
        CHECK(memcmp(&s, &before, sizeof s) == 0);
        return 0;
    }
    CHECK(alg->size(&s) >= alg->digest_min || alg->size(&s) == HC_UNKNOWN);
    CHECK(hc_export(alg, &s, again, &m, go ? HC_IMAGE_GO : HC_IMAGE_NATIVE, NULL) == HC_OK && m == n);
    if (!go) CHECK(memcmp(again, bytes, n) == 0);
    digest(alg, &s, out);
    alg->update(&s, data, (size_t)below(3000));
    digest(alg, &s, out);
    alg->reset(&s);
    digest(alg, &s, out);
    return 1;
}

static size_t some_image(const kind *k, uint8_t *image, int format)
{
    hc_state s;
    const hc_alg *alg = start(k, &s);
    size_t n = HC_IMAGE_MAX;
    alg->update(&s, data, (size_t)below(below(4) ? 300 : DATA_MAX));
    CHECK(hc_export(alg, &s, image, &n, format, NULL) == HC_OK);
    return n;
}

/* Every truncation, some bytes more, every other algorithm; and every bit: the seal notices each. */
static void every_change(const kind *k)
{
    uint8_t image[HC_IMAGE_MAX + 64], good[HC_IMAGE_MAX];
    const hc_alg *alg = hc_alg_find(k->name), *other;
    int format;
    for (format = 0; format <= k->go; format++) {
        const size_t n = some_image(k, good, format);
        size_t i;
        for (i = 0; i < n; i++) CHECK(!import_anything(alg, good, i));
        memset(image, 0, sizeof image);
        memcpy(image, good, n);
        for (i = 1; i < 64; i++) CHECK(!import_anything(alg, image, n + i));
        for (i = 0; (other = hc_alg_at(i)) != NULL; i++) CHECK(import_anything(other, good, n) == (other == alg));
        for (i = 0; i < 8 * n; i += CHECK_CASES(1, 3)) {
            image[i / 8] ^= (uint8_t)(1 << i % 8);
            if (format == HC_IMAGE_NATIVE)
                CHECK_SAY(!import_anything(alg, image, n), "%s: bit %lu", k->name, (unsigned long)i);
            else
                import_anything(alg, image, n);
            image[i / 8] ^= (uint8_t)(1 << i % 8);
        }
    }
}

/* 100,000 images with random changes, most of them sealed again, so that every check behind the seal is reached. */
static void mutations(unsigned count)
{
    uint8_t image[HC_IMAGE_MAX + 200] = { 0 };
    unsigned i, accepted = 0, refused = 0;
    for (i = 0; i < count; i++) {
        const kind *k = &kinds[below(KINDS)];
        const int format = k->go ? (int)below(2) : HC_IMAGE_NATIVE;
        size_t n = some_image(k, image, format), j;
        for (j = 1 + (size_t)below(3); j > 0 && n > 0; j--) {
            const size_t at = (size_t)below(below(2) && n > 24 ? 24 : n);
            switch (below(6)) {
            case 0: image[at] ^= (uint8_t)(1 << below(8)); break;
            case 1: image[at] = (uint8_t)check_random(); break;
            case 2: image[at] = below(2) ? 0xff : 0; break;
            case 3: n = at; break;
            case 4: memmove(image + at, image + at + 1, n - at - 1); break;
            default:
                n += (size_t)below(100);
                n = n > HC_IMAGE_MAX + 100 ? HC_IMAGE_MAX : n;
                break;
            }
        }
        if (format == HC_IMAGE_NATIVE && below(8)) seal(image, n);
        if (import_anything(hc_alg_find(below(20) ? k->name : kinds[below(KINDS)].name), image, n))
            accepted++;
        else
            refused++;
    }
    CHECK(accepted > count / 20 && refused > count / 20);
}

/* ---- One field wrong ---------------------------------------------------------------------- */

/* A right image with the byte at `at` set to `to` and sealed again. */
static int with_byte(const kind *k, size_t len, int format, size_t at, uint8_t to)
{
    uint8_t image[HC_IMAGE_MAX];
    hc_state s;
    const hc_alg *alg = start(k, &s);
    size_t n = HC_IMAGE_MAX;
    alg->update(&s, data, len);
    CHECK(hc_export(alg, &s, image, &n, format, NULL) == HC_OK && at < n);
    image[at] = to;
    if (format == HC_IMAGE_NATIVE) seal(image, n);
    return import_anything(alg, image, n);
}

static void fields(void)
{
    const kind *sha = &kinds[1], *hmac = &kinds[3], *b2 = &kinds[4], *keyed = &kinds[6], *xb = &kinds[11],
               *b3 = &kinds[12];
    const int go = HC_IMAGE_GO, native = HC_IMAGE_NATIVE;
    uint8_t to;
    CHECK(with_byte(sha, 100, native, 4, 1));         /* nothing changed: that is fine */
    CHECK(!with_byte(sha, 100, native, 4, 2));        /* a later version */
    CHECK(!with_byte(sha, 100, native, 5, 1));        /* SHA-224 */
    CHECK(!with_byte(sha, 100, native, 6 + 7, 0x20)); /* 2^61 bytes and more: no 64-bit length in bits */
    CHECK(with_byte(sha, 100, native, 6 + 7, 0x1f));
    CHECK(!with_byte(sha, 100, native, 6, 101)); /* one more byte buffered than there is */
    CHECK(!with_byte(sha, 10, native, 14, 1));   /* no block yet, and not the initial value */
    CHECK(with_byte(sha, 64, native, 14, 1));    /* could be */
    CHECK(!with_byte(sha, 100, go, 3, 2));
    CHECK(!with_byte(sha, 100, go, 100, 0x20));
    CHECK(!with_byte(sha, 10, go, 4, 1));
    CHECK(!with_byte(hmac, 100, native, 6 + 7, 0x20));
    CHECK(!with_byte(hmac, 0, native, 14, 1)); /* inner, h not the same */
    CHECK(with_byte(hmac, 0, native, 46, 1));  /* outer: any */
    for (to = 0; to < 255; to++) {             /* Go: 83 = digest size, 212 = buffered */
        CHECK(with_byte(b2, 300, go, 83, to) == (to >= 1 && to <= 64));
        CHECK(with_byte(b2, 300, go, 212, to) == (to >= 1 && to <= 128));
        CHECK(with_byte(b2, 0, go, 212, to) == (to <= 128));
        CHECK(with_byte(b2, 0, go, 83, to) == (to == 64)); /* h says 64 */
        CHECK(with_byte(b2, 300, native, 6, to) == (to >= 1 && to <= 64));
        CHECK(with_byte(b2, 300, native, 8, to));                    /* fanout: any */
        CHECK(with_byte(b2, 300, native, 9, to) == (to >= 1));       /* depth */
        CHECK(with_byte(b2, 300, native, 6 + 17, to) == (to <= 64)); /* inner size */
        CHECK(with_byte(b2, 300, native, 6 + 18, to) == (to == 0));  /* reserved */
        CHECK(with_byte(b2, 300, native, 70, to) == (to <= 1));      /* last node */
        CHECK(with_byte(b2, 300, native, 71, to) == (to == 44));     /* buffered */
        CHECK(with_byte(xb, 300, native, 70, to) == (to == 0));
        CHECK(with_byte(xb, 300, native, 6, to) == (to == 64));
        CHECK(with_byte(xb, 300, native, 6 + 8, to) == (to == 0)); /* node offset of the root */
        CHECK(with_byte(&kinds[15], 300, native, 6 + 12, to) == (to > 0));
        CHECK(with_byte(xb, 300, native, 6 + 12, to));         /* length: any but 0 */
        CHECK(with_byte(b3, 300, native, 6, to) == (to == 0)); /* a mode's flags change the length */
    }
    CHECK(!with_byte(b2, 300, go, 67 + 7, 1)); /* the counter is one of whole blocks */
    CHECK(!with_byte(b2, 300, native, 72, 1));
    CHECK(!with_byte(b2, 0, go, 67, 1) &&
          !with_byte(b2, 0, native, 88, 1)); /* blocks, but nothing waits; h: no block */
    CHECK(!with_byte(keyed, 0, native, 7, 63) &&
          !with_byte(keyed, 0, native, 152, 0xff)); /* key and its block differ */
    CHECK(!with_byte(&kinds[7], 0, native, 152, 0xff) && with_byte(&kinds[7], 300, native, 152, 0xff));
    CHECK(!with_byte(b3, 1024, native, 7, 1)); /* a length of 1025: another stack */
    CHECK(!with_byte(b3, 70000, native, 14, 1));
}

/* The longest message of SHA-256 has 2^61 - 1 bytes, HMAC's a block of 64 less; 63 of them wait in the buffer. */
static void longest_message(const kind *k, int format, size_t at, uint64_t most)
{
    uint8_t image[HC_IMAGE_MAX];
    const hc_alg *alg = hc_alg_find(k->name);
    size_t n = HC_IMAGE_MAX;
    uint64_t count;
    hc_state s;
    start(k, &s);
    alg->update(&s, data, 127);
    CHECK(hc_export(alg, &s, image, &n, format, NULL) == HC_OK);
    for (count = most - 128; count <= most + 128; count += 64) {
        int i;
        for (i = 0; i < 8; i++) image[at + i] = (uint8_t)(count >> (format == HC_IMAGE_GO ? 56 - 8 * i : 8 * i));
        if (format == HC_IMAGE_NATIVE) seal(image, n);
        CHECK((hc_import(alg, &s, image, n, NULL) == HC_OK) == (count <= most));
    }
}

/* Counters at their end: 2^128 - 1 bytes fit, 2^128 do not. */
static void last_counter(void)
{
    uint8_t image[213], out[64];
    const hc_alg *alg = hc_alg_find("blake2b");
    hc_state s;
    size_t n = sizeof image;
    CHECK(alg->init(&s, NULL, NULL) == HC_OK);
    CHECK(hc_export(alg, &s, image, &n, HC_IMAGE_GO, NULL) == HC_OK && n == 213);
    memset(image + 67, 0xff, 16);
    image[67 + 7] = 0x80;
    image[212] = 127;
    CHECK(hc_import(alg, &s, image, 213, NULL) == HC_OK && digest(alg, &s, out) == 64);
    image[212] = 128;
    CHECK(hc_import(alg, &s, image, 213, NULL) == HC_E_STATE);
    memset(image + 67, 0, 16);
    image[67 + 15] = 1; /* 2^64: the low word is 0 and yet there were blocks, so h may be anything */
    image[3] ^= 1;
    CHECK(hc_import(alg, &s, image, 213, NULL) == HC_OK);
    image[67 + 15] = 0xfe; /* the high word */
    CHECK(hc_import(alg, &s, image, 213, NULL) == HC_OK);
}

/* ---- Known images ---------------------------------------------------------------------------- */
static void known(void)
{
    /* What Go 1.26's crypto/sha256 and x/crypto's blake2b wrote after that many bytes i mod 251, and the digest after
     * 333 more. */
    static const struct {
        const char *name;
        uint64_t size;
        size_t len;
        const char *image, *digest;
    } go[] = {
        { "sha256", 32, 129,
          "73686103593253adfb4cc018be611395485e47c15a5b271dfb8da14fe8f77fb4d05eacbc800000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000081",
          "9a54176d3a48fd4aa23cfab1e0bcdc76fd710474ef73bf8ea54628e0f84110f1" },
        { "sha224", 28, 65,
          "7368610213bf686591bf9b4cc1abc8526a31ca4109e218a593731b39b1e41421033752db400000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000041",
          "e6f133e7e2177926d7cb031bba666556a635318b1d664e252a0a8d7e" },
        { "blake2b", 64, 0,
          "6232626a09e667f2bdc948bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1510e527fade682d19b05688c2b"
          "3e6c1f1f83d9abfb41bd6b5be0cd19137e21790000000000000000000000000000000040000000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000000000000000000000000",
          "95d950a79114a59797ae03a61c86a4a3d762dc7db4668a95c614658bde6e2b8c31c7759eb4dad979f1c6ed8001317f72"
          "905092907003c84f704e4de9aaa4e4aa" },
        { "blake2b", 64, 129,
          "623262ffa0852a267eb85aee3e4a8743c6c30b28a559f71459300a61b0eeaf429e73462f194672bced790fbef760bb73"
          "4a4a5d37410e514215c327e96b7e8825d0f5a70000000000000080000000000000000040800000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000000000000000000000001",
          "ad992191336be2f4418faeafd3c5a08426ecea92a5a7e86c558abcd3aef6ec6398c01dbe7555252d6b94da8211336696"
          "e3f9072bc05efa7bcf78d3e8bba39081" },
        { "blake2b", 20, 65,
          "6232626a09e667f2bdc91cbb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1510e527fade682d19b05688c2b"
          "3e6c1f1f83d9abfb41bd6b5be0cd19137e21790000000000000000000000000000000014000102030405060708090a0b"
          "0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b"
          "3c3d3e3f4000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000000000000000000000041",
          "c7fea4744b5675dc1c6f5f5240cc1b0400a77ff3" },
    };
    size_t i;
    for (i = 0; i < sizeof go / sizeof go[0]; i++) {
        uint8_t image[HC_IMAGE_MAX], out[64];
        hc_options o = HC_OPTIONS_INIT;
        hc_state s;
        const hc_alg *alg = hc_alg_find(go[i].name);
        size_t n = strlen(go[i].image) / 2;
        o.given = HC_GIVEN_DIGEST_SIZE;
        o.digest_size = go[i].size;
        CHECK(alg->init(&s, &o, NULL) == HC_OK);
        alg->update(&s, data, go[i].len);
        CHECK(export_exact(alg, &s, image, HC_IMAGE_GO) == n && check_hex(image, n, go[i].image));
        memset(&s, 0, sizeof s);
        CHECK(hc_import(alg, &s, image, n, NULL) == HC_OK);
        alg->update(&s, data + go[i].len, 333);
        CHECK(digest(alg, &s, out) == go[i].size && check_hex(out, (size_t)go[i].size, go[i].digest));
    }
}

/* The native format is one for all times: whole images of short states, and what the images of all kinds hash to. */
static void known_native(void)
{
    static const struct {
        int kind;
        size_t len;
        const char *image;
    } whole[] = {
        { 1, 3,
          "686373740102030000000000000067e6096a85ae67bb72f36e3c3af54fa57f520e518c68059babd9831f19cde05b0001"
          "02256fd47b8d3e3f42" },
        { 4, 5,
          "686373740105400001010000000000000000000000000000000000000000000000000000000000000000000000000000"
          "0000000000000000000000000000000000000000000000050000000000000000000000000000000048c9bdf267e6096a"
          "3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f"
          "79217e1319cde05b00010203046ba64889e9b487d6" },
        { 10, 0,
          "686373740106400001010000000000000000ffffffff0000000000000000000000000000000000000000000000000000"
          "0000000000000000000000000000000000000000000000000000000000000000000000000000000048c9bdf267e6096a"
          "3ba7ca847a5198442bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f"
          "79217e1319cde05bada7fa4e8d1c1be8" },
        { 12, 1025,
          "686373740107000104000000000000145c9e654411e393d1f4bec710ccd5bc5669ab177d610a0eb691fcfee92fb4e8b1"
          "d0e074f8823293e4" },
    };
    static const char *const hashes[KINDS] = { "431674cdecb80749382048d29d50d356", "ce6ffef3e91ca479da286443b53f8834",
                                               "f8d9afd4ba6f9815830a213adc1f41aa", "1d774441a818ec8b2d15c78981324bf3",
                                               "e1f26d0de79bfbd327420a691f27eace", "e670d4c2b926b407bf404513ff10271b",
                                               "99a8326b9365dc7879c07c2a143c8fe1", "905037794ff14614d90e244dbe23a454",
                                               "7b4d537b09212ebd52e457ee5b653fef", "b92ccafbd35a24917fc08bd528094105",
                                               "0a462bc479f648a3abdbaa0f61d3e15a", "6616eec91d83abb253d98dde3df61d8a",
                                               "f6034f60d415ab241332875ebd65ea4c", "7f831575a73383fa9bc9cd3246020607",
                                               "8e02413793e435237c8f9d01d7cd6d54", "20602a37b5e08497bc898a31cc085bea" };
    uint8_t image[HC_IMAGE_MAX], hash[16];
    hc_state s;
    size_t i, n;
    for (i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        const hc_alg *alg = start(&kinds[whole[i].kind], &s);
        alg->update(&s, data, whole[i].len);
        n = export_exact(alg, &s, image, HC_IMAGE_NATIVE);
        CHECK_SAY(check_hex(image, n, whole[i].image), "%s", alg->name);
    }
    for (i = 0; i < KINDS; i++) {
        const hc_alg *alg = start(&kinds[i], &s);
        alg->update(&s, data, 5000);
        n = export_exact(alg, &s, image, HC_IMAGE_NATIVE);
        hc_blake3_hash(hash, 16, NULL, image, n, 0);
        CHECK_SAY(check_hex(hash, 16, hashes[i]), "%s", alg->name);
    }
}

/* What Go's format cannot say. */
static void refused(void)
{
    size_t k;
    for (k = 0; k < KINDS; k++) {
        uint8_t image[HC_IMAGE_MAX];
        size_t n = HC_IMAGE_MAX;
        hc_state s;
        hc_error e;
        const hc_alg *alg = start(&kinds[k], &s);
        CHECK((hc_export(alg, &s, image, &n, HC_IMAGE_GO, &e) == HC_OK) == kinds[k].go);
        if (kinds[k].key_len > 0 && strcmp(kinds[k].name, "blake2b") == 0) {
            char text[100];
            hc_error_text(&e, text, sizeof text);
            CHECK(strstr(text, "key") != NULL); /* that is why */
        }
        CHECK(kinds[k].go || (e.code == HC_E_PARAM && strcmp(e.argument, "format") == 0 && n == HC_IMAGE_MAX));
        CHECK(hc_export(alg, &s, image, &n, 2, &e) == HC_E_PARAM &&
              hc_export(alg, &s, image, &n, -1, &e) == HC_E_PARAM);
        CHECK(hc_import(alg, &s, NULL, 0, &e) == HC_E_STATE);
    }
}

int main(void)
{
    static const size_t lens[] = { 0,   1,    63,   64,   65,   127,  128,  129,   255,   256,
                                   257, 1023, 1024, 1025, 2048, 3072, 3073, 65536, 65537, 66000 };
    char level[64];
    size_t i, k;
    int here, first = 1;
    check_seed("test_image");
    for (i = 0; i < DATA_MAX; i++) data[i] = (uint8_t)(i % 251);
    known();
    known_native();
    for (k = 0; k < KINDS; k++)
        for (i = 0; i < sizeof lens / sizeof lens[0]; i++) round_trip(&kinds[k], lens[i]);
    for (i = 0; i < 600; i++) round_trip(&kinds[i % KINDS], (size_t)below(below(2) ? 3000 : 66000));
    fields();
    last_counter();
    longest_message(&kinds[0], HC_IMAGE_GO, 100, UINT64_MAX >> 3);
    longest_message(&kinds[1], HC_IMAGE_NATIVE, 6, UINT64_MAX >> 3);
    longest_message(&kinds[2], HC_IMAGE_NATIVE, 6, (UINT64_MAX >> 3) - 64);
    refused();
    for (k = 0; k < KINDS; k++) every_change(&kinds[k]);
    mutations(CHECK_CASES(100000, 8000));
    for (i = 0; (here = vec_level(i, level, sizeof level)) >= 0; i++)
        if (here) {
            between_levels(first);
            first = 0;
        }
    return check_done("test_image");
}
