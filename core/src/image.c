/* image.c - states as bytes and back: an image of our own, and Go's MarshalBinary.
 *
 * NATIVE, integers little-endian, nothing that could be derived stands in it:
 *   "hcst", version 1, number of the algorithm (below), body, first 8 bytes of the BLAKE3 of all that
 *   SHA-2     count(8) h(32) buffered(count % 64)
 *   HMAC      count(8) inner(32) outer(32) h(32) buffered(count % 64)
 *   BLAKE2    parameter block(64) last node(1) buffered(1) t(16) h(64) key(its length) buffer(buffered)
 *   BLAKE3    flags of the mode(1) count(8), keyed: key(32), after a chunk's first block: value so far(32),
 *             buffer, one value(32) for each one bit of the number of the chunk that is under way
 * GO, integers big-endian:
 *   SHA-2     "sha", 2 or 3, h(32) buffer(64) count(8)
 *   BLAKE2b   "b2b" h(64) t(16) digest size(1) buffer(128) buffered(1) */
#include "internal.h"

enum { SHA224 = 1, SHA256, HMAC_SHA224, HMAC_SHA256, BLAKE2B, BLAKE2XB, BLAKE3 };
#define VERSION 1
#define HEADER 6
#define SEAL 8
#define GO_SHA2 108
#define GO_BLAKE2B 213

static int number_of(const hc_alg *alg)
{
    static const char *const names[] = { "sha224",  "sha256",   "hmac-sha224", "hmac-sha256",
                                         "blake2b", "blake2xb", "blake3" };
    int i;
    for (i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        if (strcmp(alg->name, names[i]) == 0) return i + 1;
    return 0;
}

/* ---- Cursors ------------------------------------------------------------------
 * One description of a body serves both ways: `to` is NULL while reading. */
typedef struct cursor {
    const uint8_t *from;
    uint8_t *to;
    size_t at, len; /* len: of the image, or the room */
    int ok;         /* reading: all was there and right so far; `at` stays where it was not */
} cursor;

static void raw(cursor *c, void *field, size_t n)
{
    if (!c->ok || c->len - c->at < n) {
        c->ok = 0;
        return;
    }
    if (c->to != NULL)
        memcpy(c->to + c->at, field, n);
    else
        memcpy(field, c->from + c->at, n);
    c->at += n;
}

static void words32(cursor *c, uint32_t *w, int n, int big)
{
    int i;
    for (i = 0; i < n; i++) {
        uint8_t b[4] = { 0 };
        if (c->to != NULL && big)
            hc_store32be(b, w[i]);
        else if (c->to != NULL)
            hc_store32le(b, w[i]);
        raw(c, b, 4);
        w[i] = big ? hc_load32be(b) : hc_load32le(b);
    }
}

static void words64(cursor *c, uint64_t *w, int n, int big)
{
    int i;
    for (i = 0; i < n; i++) {
        uint8_t b[8] = { 0 };
        if (c->to != NULL && big)
            hc_store64be(b, w[i]);
        else if (c->to != NULL)
            hc_store64le(b, w[i]);
        raw(c, b, 8);
        w[i] = big ? hc_load64be(b) : hc_load64le(b);
    }
}

/* What a state must fulfil; where it fails the field that ended here is to blame. */
static void require(cursor *c, int holds)
{
    if (!holds) c->ok = 0;
}

static int same(const void *a, const void *b, size_t n) { return hc_equal(a, b, n); /* keys are among them */ }

/* ---- Bodies -------------------------------------------------------------------- */

/* FIPS 180-4: fewer than 2^64 bits, the key's block of HMAC among them. */
#define SHA256_BYTES_MAX (UINT64_MAX / 8)

static void sha2_body(cursor *c, hc_sha256_state *s, int number)
{
    s->size = number == SHA224 ? HC_SHA224_SIZE : HC_SHA256_SIZE;
    words64(c, &s->count, 1, 0);
    require(c, s->count <= SHA256_BYTES_MAX);
    words32(c, s->h, 8, 0);
    require(c, s->count >= 64 || same(s->h, number == SHA224 ? hc_sha224_iv : hc_sha256_iv, sizeof s->h));
    raw(c, s->buf, (size_t)(s->count % 64));
}

static void hmac_body(cursor *c, hc_hmac_state *s, int number)
{
    s->size = number == HMAC_SHA224 ? HC_SHA224_SIZE : HC_SHA256_SIZE;
    words64(c, &s->count, 1, 0);
    require(c, s->count <= SHA256_BYTES_MAX - 64);
    words32(c, s->inner, 8, 0);
    words32(c, s->outer, 8, 0);
    words32(c, s->h, 8, 0);
    require(c, s->count >= 64 || same(s->h, s->inner, sizeof s->h));
    raw(c, s->buf, (size_t)(s->count % 64));
}

/* A parameter block that an init of ours makes: the limits of the BLAKE2 paper (2.4, 2.5), and the BLAKE2X paper's. */
static int param_is_right(const uint8_t p[64], int number)
{
    static const uint8_t zero[14] = { 0 }, tree[8] = { 1, 1 };
    if (p[0] < 1 || p[0] > 64 || p[1] > 64 || p[3] < 1 || p[17] > 64 || !same(p + 18, zero, 14)) return 0;
    return number == BLAKE2B || (p[0] == 64 && same(p + 2, tree, 8) && same(p + 10, zero, 2) &&
                                 hc_load32le(p + 12) != 0 && same(p + 16, zero, 2));
}

/* Counters and buffer of BLAKE2b: only whole blocks are compressed, and never the last. */
static int blake2b_counts_are_right(const hc_blake2b_state *s)
{
    const int fresh = s->t[0] == 0 && s->t[1] == 0;
    if (s->t[0] % 128 != 0 || s->buffered > 128 || (s->buffered == 0 && !fresh)) return 0;
    if (s->t[1] == UINT64_MAX && s->t[0] > UINT64_MAX - s->buffered) return 0;
    return !fresh || s->key_len == 0 || s->buffered == 128;
}

static void blake2b_body(cursor *c, hc_blake2b_state *s, int number)
{
    uint8_t param[64];
    int i;
    for (i = 0; i < 8; i++) hc_store64le(param + 8 * i, s->h0[i] ^ hc_blake2b_iv[i]);
    raw(c, param, sizeof param);
    require(c, param_is_right(param, number));
    for (i = 0; i < 8; i++) s->h0[i] = hc_blake2b_iv[i] ^ hc_load64le(param + 8 * i);
    s->digest_size = param[0];
    s->key_len = param[1];
    if (number == BLAKE2XB)
        s->xof_length = hc_load32le(param + 12) == UINT32_MAX ? HC_UNKNOWN : hc_load32le(param + 12);
    raw(c, &s->last_node, 1);
    require(c, s->last_node <= (number == BLAKE2B));
    raw(c, &s->buffered, 1);
    words64(c, s->t, 2, 0);
    require(c, blake2b_counts_are_right(s));
    words64(c, s->h, 8, 0);
    require(c, s->t[0] != 0 || s->t[1] != 0 || same(s->h, s->h0, sizeof s->h));
    if (!c->ok) return; /* the lengths below are not to be trusted */
    raw(c, s->key, s->key_len);
    raw(c, s->buf, s->buffered);
    if (s->key_len > 0 && s->t[0] == 0 && s->t[1] == 0) { /* what waits is the key's own block */
        static const uint8_t zero[64] = { 0 };
        require(c, same(s->buf, s->key, 64) && same(s->buf + 64, zero, 64));
    }
}

static unsigned ones(uint64_t x)
{
    unsigned n = 0;
    for (; x > 0; x &= x - 1) n++;
    return n;
}

static void blake3_body(cursor *c, hc_blake3_state *s)
{
    uint8_t flags = (uint8_t)s->flags;
    uint64_t count = s->chunk * HC_BLAKE3_CHUNK_SIZE + s->blocks * 64u + s->buffered;
    raw(c, &flags, 1);
    require(c, flags == 0 || flags == HC_B3_KEYED || flags == HC_B3_DERIVE_MATERIAL);
    words64(c, &count, 1, 0);
    s->flags = flags;
    if (c->to == NULL) { /* full chunks are on the stack, but for the first one; a full block waits for the next byte */
        const uint64_t in_chunk = count == HC_BLAKE3_CHUNK_SIZE ? count : count % HC_BLAKE3_CHUNK_SIZE;
        s->chunk = (count - in_chunk) / HC_BLAKE3_CHUNK_SIZE;
        s->blocks = (uint8_t)(in_chunk ? (in_chunk - 1) / 64 : 0);
        s->buffered = (uint8_t)(in_chunk - s->blocks * 64u);
        s->depth =
            (uint8_t)(ones(s->chunk) + (in_chunk == 0 && ones(s->chunk) == 1)); /* two below the root stay apart */
        memcpy(s->key, hc_b3_plain.key, 32);
    }
    if (flags != 0) raw(c, s->key, 32);
    if (s->blocks > 0)
        raw(c, s->cv, 32);
    else if (c->to == NULL)
        memcpy(s->cv, s->key, 32);
    raw(c, s->buf, s->buffered);
    raw(c, s->stack, (size_t)32 * s->depth);
}

static void go_sha2(cursor *c, hc_sha256_state *s, int number)
{
    uint8_t magic[4] = { 's', 'h', 'a', 0 }, buf[64] = { 0 };
    magic[3] = number == SHA224 ? 2 : 3;
    s->size = number == SHA224 ? HC_SHA224_SIZE : HC_SHA256_SIZE;
    if (c->to != NULL) memcpy(buf, s->buf, (size_t)(s->count % 64));
    raw(c, magic, 4);
    words32(c, s->h, 8, 1);
    raw(c, buf, 64);
    words64(c, &s->count, 1, 1);
    require(c, s->count <= SHA256_BYTES_MAX);
    require(c, s->count >= 64 || same(s->h, number == SHA224 ? hc_sha224_iv : hc_sha256_iv, sizeof s->h));
    memcpy(s->buf, buf, 64); /* Go does not look at the rest of the buffer either */
}

static void go_blake2b(cursor *c, hc_blake2b_state *s)
{
    uint8_t magic[3] = { 'b', '2', 'b' }, buf[128] = { 0 };
    if (c->to != NULL) memcpy(buf, s->buf, s->buffered);
    raw(c, magic, 3);
    words64(c, s->h, 8, 1);
    words64(c, s->t, 2, 1);
    raw(c, &s->digest_size, 1);
    require(c, s->digest_size >= 1 && s->digest_size <= 64);
    raw(c, buf, 128);
    raw(c, &s->buffered, 1);
    require(c, blake2b_counts_are_right(s));
    memcpy(s->h0, hc_blake2b_iv, sizeof s->h0);
    s->h0[0] ^= 0x01010000u ^ (uint64_t)s->digest_size;
    require(c, s->t[0] != 0 || s->t[1] != 0 || same(s->h, s->h0, sizeof s->h));
    memcpy(s->buf, buf, 128); /* here Go leaves what was there before behind what is buffered */
}

/* ---- Both formats ---------------------------------------------------------------- */

static void seal(uint8_t out[SEAL], const uint8_t *image, size_t len)
{
    (void)hc_blake3_hash(out, SEAL, NULL, image, len, 1);
}

static void body(cursor *c, hc_state *s, int number, int format)
{
    if (number == SHA224 || number == SHA256) {
        if (format == HC_IMAGE_GO)
            go_sha2(c, (hc_sha256_state *)(void *)s, number);
        else
            sha2_body(c, (hc_sha256_state *)(void *)s, number);
    } else if (number == HMAC_SHA224 || number == HMAC_SHA256) {
        hmac_body(c, (hc_hmac_state *)(void *)s, number);
    } else if (number == BLAKE3) {
        blake3_body(c, (hc_blake3_state *)(void *)s);
    } else if (format == HC_IMAGE_GO) {
        go_blake2b(c, (hc_blake2b_state *)(void *)s);
    } else {
        blake2b_body(c, (hc_blake2b_state *)(void *)s, number);
    }
}

/* Go has no salt, no person, no tree, and refuses to show a key. */
static int go_has_it(const hc_alg *alg, const void *state, hc_error *err)
{
    const hc_blake2b_state *s = (const hc_blake2b_state *)state;
    if ((alg->flags & HC_ALG_GO_IMAGE) == 0) return hc_fail(err, HC_E_PARAM, "format", HC_WHY_UNSUPPORTED, 0, 0);
    if (strcmp(alg->name, "blake2b") != 0) return HC_OK;
    if (s->key_len > 0) return hc_fail(err, HC_E_PARAM, "format", HC_WHY_TOGETHER, 0, 0);
    if (s->last_node || s->h0[0] != (hc_blake2b_iv[0] ^ 0x01010000u ^ s->digest_size) ||
        !same(s->h0 + 1, hc_blake2b_iv + 1, 56))
        return hc_fail(err, HC_E_PARAM, "format", HC_WHY_UNSUPPORTED, 0, 0);
    return HC_OK;
}

int hc_export(const hc_alg *alg, const void *state, void *out, size_t *out_len, int format, hc_error *err)
{
    uint8_t image[HC_IMAGE_MAX] = { 'h', 'c', 's', 't', VERSION };
    const int number = number_of(alg);
    cursor c;
    hc_state s;
    int code = HC_OK;
    if (format == HC_IMAGE_GO)
        code = go_has_it(alg, state, err);
    else if (format != HC_IMAGE_NATIVE)
        code = hc_fail(err, HC_E_PARAM, "format", HC_WHY_UNSUPPORTED, 0, 0);
    if (code != HC_OK) return code;
    image[5] = (uint8_t)number;
    c.from = NULL;
    c.to = image;
    c.at = format == HC_IMAGE_GO ? 0 : HEADER;
    c.len = HC_IMAGE_MAX - SEAL;
    c.ok = 1;
    alg->copy(&s, state);
    body(&c, &s, number, format);
    if (format == HC_IMAGE_NATIVE) {
        seal(image + c.at, image, c.at);
        c.at += SEAL;
    }
    if (!c.ok) /* not a state */
        code = hc_fail(err, HC_E_STATE, "state", 0, 0, 0);
    else if (*out_len < c.at)
        code = hc_fail(err, HC_E_LENGTH, "out", *out_len, c.at, HC_IMAGE_MAX);
    else
        memcpy(out, image, c.at);
    if (code == HC_OK) *out_len = c.at;
    hc_wipe(image, sizeof image);
    hc_wipe(&s, sizeof s);
    return code;
}

/* The format an image's first bytes promise for this algorithm, and where its body begins and ends; -1: neither. */
static int format_of(cursor *c, int number)
{
    uint8_t magic[HEADER] = { 'h', 'c', 's', 't', VERSION };
    magic[5] = (uint8_t)number;
    if ((number == SHA224 || number == SHA256) && c->len == GO_SHA2 && memcmp(c->from, "sha", 3) == 0) {
        c->at = 3;
        return c->from[3] == (number == SHA224 ? 2 : 3) ? HC_IMAGE_GO : -1;
    }
    if (number == BLAKE2B && c->len == GO_BLAKE2B && memcmp(c->from, "b2b", 3) == 0) return HC_IMAGE_GO;
    for (c->at = 0; c->at < HEADER; c->at++)
        if (c->at >= c->len || c->from[c->at] != magic[c->at]) return -1;
    return HC_IMAGE_NATIVE;
}

int hc_import(const hc_alg *alg, void *state, const void *image, size_t len, hc_error *err)
{
    const int number = number_of(alg);
    cursor c;
    hc_state s;
    int format;
    c.from = (const uint8_t *)image;
    c.to = NULL;
    c.at = 0;
    c.len = len;
    format = format_of(&c, number);
    c.ok = format >= 0;
    memset(&s, 0, sizeof s);
    if (format == HC_IMAGE_GO) {
        c.at = 0;
    } else if (c.ok) {
        uint8_t expected[SEAL];
        c.ok = len >= HEADER + SEAL && len <= HC_IMAGE_MAX;
        if (c.ok) {
            c.len = len - SEAL;
            seal(expected, c.from, c.len);
            c.ok = same(expected, c.from + c.len, SEAL);
        }
    }
    if (c.ok) body(&c, &s, number, format);
    c.ok = c.ok && c.at == c.len;
    if (c.ok) alg->copy(state, &s);
    hc_wipe(&s, sizeof s);
    return c.ok ? HC_OK : hc_fail_at(err, HC_E_STATE, "image", c.at, len, 0, HC_IMAGE_MAX);
}
