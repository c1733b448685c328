/* alg.c - the descriptor table: every algorithm as one row, and the one-shot over parts. */
#include "internal.h"
#include <stddef.h>

/* A row, and what one-shots of one piece use instead of a state: it checks options and lengths and hashes. */
typedef struct row {
    hc_alg alg;
    int (*one)(void *out, size_t out_len, uint64_t offset, const hc_options *options, const void *data, size_t len,
               unsigned threads, hc_error *err);
} row;

/* ---- Options -------------------------------------------------------------------------- */
int hc_options_allow(const hc_options *o, uint32_t allowed, hc_error *err)
{
    static const char *const names[] = { "digest_size", "key", "salt", "person", "derive_key_context", "fanout" };
    static const hc_slice none = { NULL, 0 };
    if (!o) return 1;
    if (o->size < sizeof *o) {
        hc_fail(err, HC_E_PARAM, "options", HC_WHY_UNSUPPORTED, 0, 0);
        return 0;
    }
    const hc_slice *slices[] = { &none, &o->key, &o->salt, &o->person, &o->context, &none };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t bit = (uint32_t)1 << i;
        if (!(o->given & bit)) continue;
        if (!(allowed & bit) || (slices[i]->len && !slices[i]->data)) {
            hc_fail(err, HC_E_PARAM, names[i], HC_WHY_UNSUPPORTED, 0, 0);
            return 0;
        }
    }
    if (o->given >> (sizeof names / sizeof *names)) {
        hc_fail(err, HC_E_PARAM, "options", HC_WHY_UNSUPPORTED, 0, 0);
        return 0;
    }
    return 1;
}

static int digest_size(const hc_options *o, uint64_t min, uint64_t max, hc_error *err)
{
    if (!HC_GIVEN(o, DIGEST_SIZE) || (o->digest_size >= min && o->digest_size <= max)) return HC_OK;
    return hc_fail(err, HC_E_LENGTH, "digest_size", o->digest_size, min, max);
}

/* What final of a fixed size checks. */
static int fits(size_t out_len, uint64_t offset, uint64_t size, hc_error *err)
{
    if (out_len != size) return hc_fail(err, HC_E_LENGTH, "length", out_len, size, size);
    if (offset) return hc_fail(err, HC_E_RANGE, "seek", offset, 0, 0);
    return HC_OK;
}

/* ---- SHA-256, SHA-224 -------------------------------------------------------------------- */
static int sha2_options(const hc_options *o, size_t size, hc_error *err)
{
    if (!hc_options_allow(o, HC_GIVEN_DIGEST_SIZE, err)) return HC_E_PARAM;
    return digest_size(o, size, size, err);
}
static int sha256_init(void *s, const hc_options *o, hc_error *err)
{
    int code = sha2_options(o, HC_SHA256_SIZE, err);
    if (!code) hc_sha256_init((hc_sha256 *)s);
    return code;
}
static int sha224_init(void *s, const hc_options *o, hc_error *err)
{
    int code = sha2_options(o, HC_SHA224_SIZE, err);
    if (!code) hc_sha224_init((hc_sha256 *)s);
    return code;
}
static uint64_t sha2_size(const void *s) { return ((const hc_sha256_state *)s)->size; }
static void sha2_reset(void *s)
{
    if (sha2_size(s) == HC_SHA256_SIZE) hc_sha256_init((hc_sha256 *)s);
    else hc_sha224_init((hc_sha256 *)s);
}
static void sha2_copy(void *to, const void *from) { memcpy(to, from, sizeof(hc_sha256)); }
static void sha2_update(void *s, const void *data, size_t len) { hc_sha256_update((hc_sha256 *)s, data, len); }
static void sha2_update_threads(void *s, const void *data, size_t len, unsigned threads)
{
    (void)threads; /* the chain is serial */
    hc_sha256_update((hc_sha256 *)s, data, len);
}
static int sha2_final(const void *s, void *out, size_t out_len, uint64_t offset, hc_error *err)
{
    int code = fits(out_len, offset, sha2_size(s), err);
    if (!code) hc_sha256_final((const hc_sha256 *)s, out);
    return code;
}
static int sha256_one(void *out, size_t out_len, uint64_t offset, const hc_options *o, const void *data, size_t len,
                      unsigned threads, hc_error *err)
{
    int code = sha2_options(o, HC_SHA256_SIZE, err);
    (void)threads;
    if (!code) code = fits(out_len, offset, HC_SHA256_SIZE, err);
    if (!code) hc_sha256_hash(out, data, len);
    return code;
}
static int sha224_one(void *out, size_t out_len, uint64_t offset, const hc_options *o, const void *data, size_t len,
                      unsigned threads, hc_error *err)
{
    int code = sha2_options(o, HC_SHA224_SIZE, err);
    (void)threads;
    if (!code) code = fits(out_len, offset, HC_SHA224_SIZE, err);
    if (!code) hc_sha224_hash(out, data, len);
    return code;
}

/* ---- HMAC ---------------------------------------------------------------------------------- */
static int hmac_options(const hc_options *o, size_t size, hc_error *err)
{
    if (!hc_options_allow(o, HC_GIVEN_DIGEST_SIZE | HC_GIVEN_KEY, err)) return HC_E_PARAM;
    if (!HC_GIVEN(o, KEY)) return hc_fail(err, HC_E_PARAM, "key", HC_WHY_MISSING, 0, 0);
    return digest_size(o, size, size, err);
}
static int hmac_init(void *s, size_t size, const hc_options *o, hc_error *err)
{
    int code = hmac_options(o, size, err);
    if (code) return code;
    if (size == HC_SHA256_SIZE) hc_hmac_sha256_init((hc_hmac_sha256 *)s, o->key.data, o->key.len);
    else hc_hmac_sha224_init((hc_hmac_sha256 *)s, o->key.data, o->key.len);
    return HC_OK;
}
static int hmac256_init(void *s, const hc_options *o, hc_error *err) { return hmac_init(s, HC_SHA256_SIZE, o, err); }
static int hmac224_init(void *s, const hc_options *o, hc_error *err) { return hmac_init(s, HC_SHA224_SIZE, o, err); }
static uint64_t hmac_size(const void *s) { return ((const hc_hmac_state *)s)->size; }
static void hmac_reset(void *state)
{
    hc_hmac_state *s = (hc_hmac_state *)state;
    memcpy(s->h, s->inner, sizeof s->h);
    s->count = 0;
}
static void hmac_copy(void *to, const void *from) { memcpy(to, from, sizeof(hc_hmac_sha256)); }
static void hmac_update(void *s, const void *data, size_t len) { hc_hmac_sha256_update((hc_hmac_sha256 *)s, data, len); }
static void hmac_update_threads(void *s, const void *data, size_t len, unsigned threads)
{
    (void)threads;
    hc_hmac_sha256_update((hc_hmac_sha256 *)s, data, len);
}
static int hmac_final(const void *s, void *out, size_t out_len, uint64_t offset, hc_error *err)
{
    int code = fits(out_len, offset, hmac_size(s), err);
    if (!code) hc_hmac_sha256_final((const hc_hmac_sha256 *)s, out);
    return code;
}
static int hmac_one(void *out, size_t out_len, uint64_t offset, size_t size, const hc_options *o, const void *data,
                    size_t len, hc_error *err)
{
    int code = hmac_options(o, size, err);
    if (!code) code = fits(out_len, offset, size, err);
    if (code) return code;
    if (size == HC_SHA256_SIZE) {
        hc_hmac_sha256_hash(out, o->key.data, o->key.len, data, len);
    } else {
        hc_hmac_sha256 s;
        hc_hmac_sha224_init(&s, o->key.data, o->key.len);
        hc_hmac_sha256_update(&s, data, len);
        hc_hmac_sha256_final(&s, out);
        hc_wipe(&s, sizeof s);
    }
    return HC_OK;
}
static int hmac256_one(void *out, size_t out_len, uint64_t offset, const hc_options *o, const void *data, size_t len,
                       unsigned threads, hc_error *err)
{
    (void)threads;
    return hmac_one(out, out_len, offset, HC_SHA256_SIZE, o, data, len, err);
}
static int hmac224_one(void *out, size_t out_len, uint64_t offset, const hc_options *o, const void *data, size_t len,
                       unsigned threads, hc_error *err)
{
    (void)threads;
    return hmac_one(out, out_len, offset, HC_SHA224_SIZE, o, data, len, err);
}

/* ---- BLAKE2b, BLAKE2Xb -------------------------------------------------------------------------- */
#define BLAKE2B_OPTIONS (HC_GIVEN_DIGEST_SIZE | HC_GIVEN_KEY | HC_GIVEN_SALT | HC_GIVEN_PERSON | HC_GIVEN_TREE)

/* What every BLAKE2b takes, checked. *plain: no parameter beside them is given. */
static int blake2b_options(uint64_t *size, hc_slice *key, int *plain, const hc_options *o, hc_error *err)
{
    static const hc_slice none = { NULL, 0 };
    if (!hc_options_allow(o, BLAKE2B_OPTIONS, err)) return HC_E_PARAM;
    *size = HC_GIVEN(o, DIGEST_SIZE) ? o->digest_size : HC_BLAKE2B_SIZE_MAX;
    *key = HC_GIVEN(o, KEY) ? o->key : none;
    *plain = !o || !(o->given & ~(uint32_t)(HC_GIVEN_DIGEST_SIZE | HC_GIVEN_KEY));
    int code = digest_size(o, 1, HC_BLAKE2B_SIZE_MAX, err);
    if (!code && key->len > HC_BLAKE2B_KEY_MAX) code = hc_fail(err, HC_E_LENGTH, "key", key->len, 0, HC_BLAKE2B_KEY_MAX);
    return code;
}
static int blake2b_init(void *state, const hc_options *o, hc_error *err)
{
    hc_blake2b_state *s = (hc_blake2b_state *)state;
    uint8_t param[64];
    uint64_t size;
    hc_slice key;
    int plain, code = blake2b_options(&size, &key, &plain, o, err);
    if (code) return code;
    if (plain) return hc_blake2b_init((hc_blake2b *)state, (size_t)size, key.data, key.len);
    code = hc_blake2b_param(param, o, err);
    if (code) return code;
    param[0] = (uint8_t)size;
    hc_blake2b_start(s, param, key.data);
    s->last_node = HC_GIVEN(o, TREE) && o->last_node;
    return HC_OK;
}
static uint64_t blake2b_size(const void *s) { return ((const hc_blake2b_state *)s)->digest_size; }
static void blake2b_copy(void *to, const void *from) { memcpy(to, from, sizeof(hc_blake2b)); }
static void blake2b_update_threads(void *s, const void *data, size_t len, unsigned threads)
{
    (void)threads;
    hc_blake2b_absorb(s, data, len);
}
static int blake2b_final(const void *s, void *out, size_t out_len, uint64_t offset, hc_error *err)
{
    int code = fits(out_len, offset, blake2b_size(s), err);
    if (!code) hc_blake2b_final((const hc_blake2b *)s, out);
    return code;
}
static int blake2b_one(void *out, size_t out_len, uint64_t offset, const hc_options *o, const void *data, size_t len,
                       unsigned threads, hc_error *err)
{
    uint64_t size;
    hc_slice key;
    hc_blake2b s;
    int plain, code = blake2b_options(&size, &key, &plain, o, err);
    (void)threads;
    if (!code) code = fits(out_len, offset, size, err);
    if (!code && plain) return hc_blake2b_hash(out, out_len, key.data, key.len, data, len);
    if (!code) code = blake2b_init(&s, o, err);
    if (code) return code;
    hc_blake2b_absorb(&s, data, len);
    hc_blake2b_final(&s, out);
    if (key.len) hc_wipe(&s, sizeof s);
    return HC_OK;
}

/* ---- BLAKE3 -------------------------------------------------------------------------------------- */
static int blake3_init(void *s, const hc_options *o, hc_error *err)
{
    hc_blake3_mode m;
    int code = hc_blake3_mode_init(&m, o, err);
    if (code) return code;
    hc_blake3_init((hc_blake3 *)s, &m);
    if (HC_GIVEN(o, KEY) || HC_GIVEN(o, CONTEXT)) hc_wipe(&m, sizeof m);
    return HC_OK;
}
static void blake3_reset(void *state)
{
    hc_blake3_state *s = (hc_blake3_state *)state;
    memcpy(s->cv, s->key, sizeof s->cv);
    s->chunk = 0;
    s->buffered = s->blocks = s->depth = 0;
}
static void blake3_copy(void *to, const void *from)
{
    const hc_blake3_state *s = (const hc_blake3_state *)from;
    memcpy(to, from, offsetof(hc_blake3_state, stack) + (size_t)32 * s->depth); /* only live entries */
}
static void blake3_update(void *s, const void *data, size_t len) { hc_blake3_update((hc_blake3 *)s, data, len, 0); }
static void blake3_update_threads(void *s, const void *data, size_t len, unsigned threads)
{
    hc_blake3_update((hc_blake3 *)s, data, len, threads);
}
static uint64_t blake3_size(const void *s)
{
    (void)s;
    return HC_BLAKE3_SIZE;
}
/* The output has 2^64 - 1 bytes (BLAKE3 paper, 2.6). */
static int blake3_fits(size_t out_len, uint64_t offset, hc_error *err)
{
    if (out_len > UINT64_MAX - offset) return hc_fail(err, HC_E_RANGE, "seek", offset, 0, UINT64_MAX - out_len);
    return HC_OK;
}
static int blake3_final(const void *s, void *out, size_t out_len, uint64_t offset, hc_error *err)
{
    int code = blake3_fits(out_len, offset, err);
    return code ? code : hc_blake3_final((const hc_blake3 *)s, out, out_len, offset);
}
static int blake3_one(void *out, size_t out_len, uint64_t offset, const hc_options *o, const void *data, size_t len,
                      unsigned threads, hc_error *err)
{
    hc_blake3_mode m, *mode = NULL;
    int code = blake3_fits(out_len, offset, err);
    if (!code && o && o->given) {
        code = hc_blake3_mode_init(&m, o, err);
        if (HC_GIVEN(o, KEY) || HC_GIVEN(o, CONTEXT)) mode = &m;
    }
    if (code) return code;
    if (offset == 0) {
        code = hc_blake3_hash(out, out_len, mode, data, len, threads);
    } else {
        hc_blake3 s;
        hc_blake3_init(&s, mode);
        hc_blake3_update(&s, data, len, threads);
        code = hc_blake3_final(&s, out, out_len, offset);
        if (mode) hc_wipe(&s, sizeof s);
    }
    if (mode) hc_wipe(&m, sizeof m);
    return code;
}

/* ---- The table ------------------------------------------------------------------------------------- */
#define SHA2_FUNCTIONS(init) init, sha2_reset, sha2_copy, sha2_update, sha2_update_threads, sha2_size, sha2_final
#define HMAC_FUNCTIONS(init) init, hmac_reset, hmac_copy, hmac_update, hmac_update_threads, hmac_size, hmac_final
static const row rows[] = {
    { { "sha224", HC_ALG_GO_IMAGE, sizeof(hc_sha256), 64, 28, 28, 28, 0, 0, SHA2_FUNCTIONS(sha224_init) }, sha224_one },
    { { "sha256", HC_ALG_GO_IMAGE, sizeof(hc_sha256), 64, 32, 32, 32, 0, 0, SHA2_FUNCTIONS(sha256_init) }, sha256_one },
    { { "hmac-sha224", HC_ALG_KEYED, sizeof(hc_hmac_sha256), 64, 28, 28, 28, 0, UINT64_MAX, HMAC_FUNCTIONS(hmac224_init) },
      hmac224_one },
    { { "hmac-sha256", HC_ALG_KEYED, sizeof(hc_hmac_sha256), 64, 32, 32, 32, 0, UINT64_MAX, HMAC_FUNCTIONS(hmac256_init) },
      hmac256_one },
    { { "blake2b", HC_ALG_KEYED | HC_ALG_GO_IMAGE, sizeof(hc_blake2b), 128, 64, 1, 64, 0, 64, blake2b_init,
        hc_blake2b_reset, blake2b_copy, hc_blake2b_absorb, blake2b_update_threads, blake2b_size, blake2b_final },
      blake2b_one },
    { { "blake2xb", HC_ALG_KEYED | HC_ALG_XOF, sizeof(hc_blake2b), 128, 0, 1, UINT32_MAX - 1, 0, 64, hc_blake2xb_init,
        hc_blake2b_reset, blake2b_copy, hc_blake2b_absorb, blake2b_update_threads, hc_blake2xb_size, hc_blake2xb_final },
      NULL },
    { { "blake3", HC_ALG_KEYED | HC_ALG_XOF | HC_ALG_PARALLEL, sizeof(hc_blake3), 64, 32, 0, UINT64_MAX, 32, 32,
        blake3_init, blake3_reset, blake3_copy, blake3_update, blake3_update_threads, blake3_size, blake3_final },
      blake3_one },
};
enum { ROWS = sizeof rows / sizeof *rows };

const hc_alg *hc_alg_at(size_t i) { return i < ROWS ? &rows[i].alg : NULL; }

const hc_alg *hc_alg_find(const char *name)
{
    /* what hashlib, OpenSSL and node:crypto call them; case is no matter */
    static const struct { const char *alias, *name; } aliases[] = {
        { "sha-224", "sha224" }, { "sha2-224", "sha224" }, { "sha-256", "sha256" }, { "sha2-256", "sha256" },
        { "blake2b512", "blake2b" }, { "blake2b-512", "blake2b" },
        { "hmac-sha-224", "hmac-sha224" }, { "hmac_sha224", "hmac-sha224" },
        { "hmac-sha-256", "hmac-sha256" }, { "hmac_sha256", "hmac-sha256" },
    };
    char lower[16];
    size_t n = 0;
    if (!name) return NULL;
    for (; name[n]; n++) {
        if (n + 1 == sizeof lower) return NULL;
        lower[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] + ('a' - 'A') : name[n]);
    }
    lower[n] = 0;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcmp(lower, aliases[i].alias)) strcpy(lower, aliases[i].name);
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(lower, rows[i].alg.name)) return &rows[i].alg;
    return NULL;
}

/* ---- One-shot over parts ------------------------------------------------------------------------------ */
enum { JOINED = 1024 }; /* so many bytes in several parts are cheaper joined here than absorbed one by one */

int hc_digest(const hc_alg *alg, void *out, size_t out_len, uint64_t offset, const hc_options *options,
              const hc_slice *parts, size_t n, unsigned threads, hc_error *err)
{
    if (!alg) return hc_fail(err, HC_E_PARAM, "algorithm", HC_WHY_MISSING, 0, 0);
    const row *r = (const row *)(const void *)alg;
    int secret = HC_GIVEN(options, KEY) || HC_GIVEN(options, CONTEXT);
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        if (parts[i].len && !parts[i].data) return hc_fail_at(err, HC_E_PARAM, "parts", i, HC_WHY_MISSING, 0, 0);
        total = parts[i].len > JOINED ? SIZE_MAX : total > JOINED ? total : total + parts[i].len;
    }
    if (r->one && n <= 1)
        return r->one(out, out_len, offset, options, n ? parts[0].data : NULL, n ? parts[0].len : 0, threads, err);
    if (r->one && total <= JOINED) {
        uint8_t joined[JOINED];
        size_t at = 0;
        for (size_t i = 0; i < n; i++) {
            if (parts[i].len) memcpy(joined + at, parts[i].data, parts[i].len);
            at += parts[i].len;
        }
        int code = r->one(out, out_len, offset, options, joined, total, threads, err);
        if (secret) hc_wipe(joined, total);
        return code;
    }
    hc_state s;
    int code = alg->init(&s, options, err);
    if (code) return code;
    for (size_t i = 0; i < n; i++) alg->update_threads(&s, parts[i].data, parts[i].len, threads);
    code = alg->final(&s, out, out_len, offset, err);
    if (secret) hc_wipe(&s, sizeof s);
    return code;
}
