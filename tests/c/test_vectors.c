/* test_vectors.c - every known answer of tests/vectors through every way to compute it, at every dispatch level.
 *
 * test_vectors FOLDER [--short N] [--once]
 *   --short N  split and copy messages of at most N bytes everywhere (default 130)
 *   --once     each record only in one piece: for slow emulators; -DHC_TEST_SHORT is the same
 * Built with -DHC_EMBEDDED='"embedded.h"' it reads the records that scripts/embed_vectors.py compiled in instead. */
#include "hashcore.h"
#include "check.h"
#include "vectors.h"

#ifdef HC_EMBEDDED
#include HC_EMBEDDED
#endif

#define GUARD 16
static size_t short_len = 130;
#ifdef HC_TEST_SHORT
static int once = 1;
#else
static int once;
#endif

/* Room for n bytes with guards behind them, freed by the caller. */
static uint8_t *guarded(size_t n)
{
    uint8_t *p = (uint8_t *)vec_alloc(n + GUARD);
    memset(p, 0xa5, n + GUARD);
    return p;
}

static int guard_intact(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < GUARD; i++)
        if (p[n + i] != 0xa5) return 0;
    return 1;
}

static void verdict(const vec_record *r, const vec_case *c, const char *way, uint8_t *out, int result)
{
    CHECK_SAY(!result && guard_intact(out, c->output_len) && !memcmp(out, c->output, c->output_len),
              "%s:%lu %s, result %d", r->file, r->line, way, result);
    memset(out, 0xa5, c->output_len);
}

static size_t below(size_t n)
{
    return (size_t)(check_random() % n);
}

/* A piece's length: mostly short, at times a block, a chunk or much. */
static size_t piece(size_t left)
{
    static const size_t typical[] = { 1, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 4096, 16384 };
    size_t n = check_random() & 1 ? typical[below(12)] : below(left < 3000 ? left + 1 : 3000);
    if (left > 100000) n *= 8;
    return n < left ? n : left;
}

static void update_pieces(const hc_alg *alg, void *s, const uint8_t *p, size_t n)
{
    while (n) {
        size_t k = piece(n);
        if (check_random() & 3) alg->update(s, p, k);
        else alg->update_threads(s, p, k, (unsigned)below(4));
        p += k;
        n -= k;
    }
}

static void run_parts(const vec_record *r, const vec_case *c, uint8_t *out)
{
    hc_slice parts[8];
    size_t at = 0, i;
    hc_error err;
    for (i = 0; i < 8; i++) {
        size_t left = c->input_len - at, n = i == 7 ? left : below(3) ? below(left / 2 + 1) : 0;
        parts[i].data = n ? c->input + at : NULL;
        parts[i].len = n;
        at += n;
    }
    verdict(r, c, "in parts", out,
            hc_digest(c->alg, out, c->output_len, c->offset, &c->options, parts, 8, 0, &err));
}

static void run_states(const vec_record *r, const vec_case *c, uint8_t *out)
{
    const hc_alg *alg = c->alg;
    hc_state s, twin;
    hc_error err;
    size_t i, n = c->input_len;
    int done = alg->init(&s, &c->options, &err);
    CHECK_SAY(!done, "%s:%lu init", r->file, r->line);
    if (done) return;
    alg->update(&s, c->input, n);
    verdict(r, c, "in one piece", out, alg->final(&s, out, c->output_len, c->offset, &err));
    verdict(r, c, "finalized again", out, alg->final(&s, out, c->output_len, c->offset, &err));
    alg->reset(&s);
    update_pieces(alg, &s, c->input, n);
    verdict(r, c, "in random pieces after reset", out, alg->final(&s, out, c->output_len, c->offset, &err));
    if (n > 300) return;
    alg->reset(&s);
    for (i = 0; i < n; i++) alg->update(&s, c->input + i, 1);
    verdict(r, c, "byte by byte", out, alg->final(&s, out, c->output_len, c->offset, &err));
    if (n > short_len) return;
    alg->reset(&s);
    for (i = 0; i <= n; i++) {
        memset(&twin, 0x5a, sizeof twin);
        if (check_random() & 1) alg->copy(&twin, &s);
        else memcpy(&twin, &s, alg->state_size);
        alg->update(&twin, c->input + i, n - i);
        verdict(r, c, "copied on the way", out, alg->final(&twin, out, c->output_len, c->offset, &err));
        if (i < n) alg->update(&s, c->input + i, 1);
    }
    verdict(r, c, "after its copies", out, alg->final(&s, out, c->output_len, c->offset, &err));
}

/* Through a state image taken somewhere, and output read in two pieces. */
static void run_image_and_reader(const vec_record *r, const vec_case *c, uint8_t *out)
{
    const hc_alg *alg = c->alg;
    hc_state s;
    hc_error err;
    uint8_t image[HC_IMAGE_MAX];
    size_t size = sizeof image, split = below(c->input_len + 1);
    hc_xof x;
    int done;
    if (alg->init(&s, &c->options, &err)) return;
    alg->update(&s, c->input, split);
    done = hc_export(alg, &s, image, &size, HC_IMAGE_NATIVE, &err);
    memset(&s, 0x5a, sizeof s);
    if (!done) done = hc_import(alg, &s, image, size, &err);
    CHECK_SAY(!done, "%s:%lu image: %d", r->file, r->line, done);
    if (done) return;
    alg->update(&s, c->input + split, c->input_len - split);
    verdict(r, c, "through a state image", out, alg->final(&s, out, c->output_len, c->offset, &err));
    if (!(alg->flags & HC_ALG_XOF)) return;
    split = below(c->output_len + 1);
    done = hc_xof_open(&x, alg, &s, &err);
    if (!done) done = hc_xof_read(&x, out + split, c->output_len - split, c->offset + split, (unsigned)below(3), &err);
    if (!done) done = hc_xof_read(&x, out, split, c->offset, 0, &err);
    verdict(r, c, "read in two pieces", out, done);
}

/* Among copies of itself and of its first half, so that lanes differ. */
static void run_batch(const vec_record *r, const vec_case *c)
{
    hc_slice items[9];
    hc_batch batch;
    hc_error err;
    size_t i, n = c->output_len;
    uint8_t *out;
    int done;
    if (c->offset || n > 1000 || c->input_len > 100000) return;
    memset(&batch, 0, sizeof batch);
    for (i = 0; i < 9; i++) {
        items[i].data = c->input;
        items[i].len = i % 3 == 2 ? c->input_len / 2 : c->input_len;
    }
    batch.count = 9;
    batch.items = items;
    batch.prefix.len = below(c->input_len + 1);
    batch.prefix.data = c->input;
    if (check_random() & 1) batch.prefix.len = 0;
    for (i = 0; i < 9 && batch.prefix.len; i++) {
        if (i % 3 == 2) continue;
        items[i].data = c->input + batch.prefix.len;
        items[i].len = c->input_len - batch.prefix.len;
    }
    out = guarded(9 * n);
    done = hc_digest_many(c->alg, out, n, &c->options, &batch, (unsigned)below(3), &err);
    CHECK_SAY(!done && guard_intact(out, 9 * n), "%s:%lu in a batch, result %d", r->file, r->line, done);
    for (i = 0; i < 9; i++)
        if (i % 3 != 2)
            CHECK_SAY(!memcmp(out + i * n, c->output, n), "%s:%lu in a batch, item %lu", r->file, r->line,
                      (unsigned long)i);
    free(out);
}

/* The functions of the algorithm's own name, where the record needs no more than they take. */
static void run_named(const vec_record *r, const vec_case *c, uint8_t *out)
{
    const char *name = c->alg->name;
    const hc_options *o = &c->options;
    size_t half = c->input_len / 2, rest = c->input_len - half;
    hc_state s;
    if (!strcmp(name, "sha256")) {
        hc_sha256_hash(out, c->input, c->input_len);
        verdict(r, c, "hc_sha256_hash", out, 0);
        hc_sha256_init(&s.sha256);
    } else if (!strcmp(name, "sha224")) {
        hc_sha224_hash(out, c->input, c->input_len);
        verdict(r, c, "hc_sha224_hash", out, 0);
        hc_sha224_init(&s.sha256);
    } else if (!strcmp(name, "hmac-sha256")) {
        hc_hmac_sha256_hash(out, o->key.data, o->key.len, c->input, c->input_len);
        verdict(r, c, "hc_hmac_sha256_hash", out, 0);
        hc_hmac_sha256_init(&s.hmac_sha256, o->key.data, o->key.len);
    } else if (!strcmp(name, "hmac-sha224")) {
        hc_hmac_sha224_init(&s.hmac_sha256, o->key.data, o->key.len);
    } else if (!strcmp(name, "blake2b") && !(o->given & ~(uint32_t)(HC_GIVEN_DIGEST_SIZE | HC_GIVEN_KEY))) {
        verdict(r, c, "hc_blake2b_hash", out,
                hc_blake2b_hash(out, c->output_len, o->key.data, o->key.len, c->input, c->input_len));
        CHECK(!hc_blake2b_init(&s.blake2b, c->output_len, o->key.data, o->key.len));
        hc_blake2b_update(&s.blake2b, c->input, half);
        hc_blake2b_update(&s.blake2b, c->input + half, rest);
        hc_blake2b_final(&s.blake2b, out);
        verdict(r, c, "hc_blake2b_final", out, 0);
        return;
    } else if (!strcmp(name, "blake3")) {
        hc_blake3_mode mode, *m = o->given ? &mode : NULL;
        if (o->given & HC_GIVEN_KEY) hc_blake3_mode_keyed(&mode, (const uint8_t *)o->key.data);
        if (o->given & HC_GIVEN_CONTEXT) hc_blake3_mode_derive(&mode, o->context.data, o->context.len);
        if (!c->offset)
            verdict(r, c, "hc_blake3_hash", out,
                    hc_blake3_hash(out, c->output_len, m, c->input, c->input_len, (unsigned)below(4)));
        hc_blake3_init(&s.blake3, m);
        hc_blake3_update(&s.blake3, c->input, half, 0);
        hc_blake3_update(&s.blake3, c->input + half, rest, 2);
        verdict(r, c, "hc_blake3_final", out, hc_blake3_final(&s.blake3, out, c->output_len, c->offset));
        return;
    } else {
        return;
    }
    if (name[0] == 's') {
        hc_sha256_update(&s.sha256, c->input, half);
        hc_sha256_update(&s.sha256, c->input + half, rest);
        hc_sha256_final(&s.sha256, out);
    } else {
        hc_hmac_sha256_update(&s.hmac_sha256, c->input, half);
        hc_hmac_sha256_update(&s.hmac_sha256, c->input + half, rest);
        hc_hmac_sha256_final(&s.hmac_sha256, out);
    }
    verdict(r, c, "by the algorithm's own functions", out, 0);
}

static void run_digest(const vec_record *r, const vec_case *c)
{
    uint8_t *out = guarded(c->output_len);
    hc_slice whole;
    hc_error err;
    whole.data = c->input;
    whole.len = c->input_len;
    verdict(r, c, "whole", out,
            hc_digest(c->alg, out, c->output_len, c->offset, &c->options, &whole, 1, (unsigned)below(4), &err));
    if (!once) {
        run_parts(r, c, out);
        run_states(r, c, out);
        run_named(r, c, out);
        run_image_and_reader(r, c, out);
        run_batch(r, c);
    }
    free(out);
}

static void xor_verdict(const vec_record *r, const vec_case *c, const char *way, uint8_t *out, int result)
{
    uint8_t hash[32];
    size_t n = c->input_len;
    const uint8_t *have = out;
    if (c->hashed) {
        hc_sha256_hash(hash, out, n);
        have = hash;
    }
    CHECK_SAY(!result && guard_intact(out, n) && (c->hashed || c->output_len == n) &&
              !memcmp(have, c->output, c->output_len), "%s:%lu %s, result %d", r->file, r->line, way, result);
    memset(out, 0xa5, n);
}

static void run_xor(const vec_record *r, const vec_case *c)
{
    hc_slice s[VEC_SOURCES];
    size_t i, n = 0, len = c->input_len, at;
    uint8_t *out = guarded(len + 1);
    hc_error err;
    int done;
    for (i = 0; i < c->sources; i++) {
        s[i].data = c->source[i];
        s[i].len = len;
    }
    done = hc_xor_many(&n, out, len, s, c->sources, &err);
    CHECK(done || n == len);
    xor_verdict(r, c, "hc_xor_many", out, done);
    for (at = 0; at < c->sources; at++) { /* in place, on each source */
        memcpy(out, c->source[at], len);
        s[at].data = out;
        xor_verdict(r, c, "hc_xor_many in place", out, hc_xor_many(&n, out, len, s, c->sources, &err));
        s[at].data = c->source[at];
    }
    if (c->sources == 2) {
        hc_xor(out, c->source[0], c->source[1], len);
        xor_verdict(r, c, "hc_xor", out, 0);
        memcpy(out, c->source[1], len);
        hc_xor(out, c->source[0], out, len);
        xor_verdict(r, c, "hc_xor in place", out, 0);
        for (i = 0; i < len; i = at) {
            at = i + 1 + piece(len - i - 1);
            hc_xor(out + i, c->source[0] + i, c->source[1] + i, at - i);
        }
        xor_verdict(r, c, "hc_xor in pieces", out, 0);
    }
    free(out);
}

static void run_mask(const vec_record *r, const vec_case *c)
{
    size_t len = c->input_len, i, at, key_len = c->options.key.len;
    uint8_t *out = guarded(len);
    hc_error err;
    int done = hc_xor_mask(out, c->key, key_len, c->offset, c->input, len, &err);
    xor_verdict(r, c, "hc_xor_mask", out, done);
    memcpy(out, c->input, len);
    xor_verdict(r, c, "hc_xor_mask in place", out, hc_xor_mask(out, c->key, key_len, c->offset, out, len, &err));
    for (i = 0, done = 0; i < len; i = at) {
        uint64_t phase = c->offset % key_len + i; /* offset + i may pass 2^64 */
        at = i + 1 + piece(len - i - 1);
        done |= hc_xor_mask(out + i, c->key, key_len, phase, c->input + i, at - i, &err);
    }
    xor_verdict(r, c, "hc_xor_mask in pieces", out, done);
    free(out);
}

/* ---- All records at one level -------------------------------------------------------------- */

static unsigned long run, skipped;

static void run_text(vec_reader *reader)
{
    vec_record r;
    vec_case c;
    while (vec_next(reader, &r)) {
        vec_case_read(&c, &r);
        if (c.op == VEC_DIGEST) run_digest(&r, &c);
        if (c.op == VEC_XOR) run_xor(&r, &c);
        if (c.op == VEC_XOR_MASK) run_mask(&r, &c);
        if (c.op == VEC_UNKNOWN) skipped++;
        else run++;
        vec_case_free(&c);
    }
    vec_close(reader);
}

static void run_all(const char *folder)
{
    vec_reader reader;
    size_t i;
    run = skipped = 0;
#ifdef HC_EMBEDDED
    (void)folder;
    for (i = 0; i < sizeof hc_embedded / sizeof *hc_embedded; i++) {
        vec_open(&reader, hc_embedded[i].name, hc_embedded[i].text, hc_embedded[i].len);
        run_text(&reader);
    }
#else
    static const char *const files[] = { "sha2", "hmac", "blake2b", "blake2xb", "blake3", "xor", "bao" };
    char path[1024];
    for (i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s.txt", folder, files[i]);
        if (vec_open_file(&reader, path)) run_text(&reader);
        else if (strcmp(files[i], "bao")) vec_die(path, 0, "cannot be opened");
    }
#endif
}

static void run_level(const char *level, const char *folder)
{
    static unsigned long first;
    const char *slot, *kernel;
    size_t k;
    printf("%s:", level);
    for (k = 0; (kernel = hc_cpu_kernel(k, &slot)) != NULL; k++) printf(" %s=%s", slot, kernel);
    printf("\n");
    fflush(stdout);
    run_all(folder);
    printf("%s: %lu records\n", level, run);
    fflush(stdout);
    if (!first) first = run;
    CHECK(run == first);
}

int main(int argc, char **argv)
{
    const char *folder = NULL;
    char text[128];
    int arg;
    for (arg = 1; arg < argc; arg++) {
        if (!strcmp(argv[arg], "--once")) once = 1;
        else if (!strcmp(argv[arg], "--short") && arg + 1 < argc) short_len = (size_t)strtoul(argv[++arg], NULL, 10);
        else folder = argv[arg];
    }
#ifndef HC_EMBEDDED
    if (!folder) {
        fprintf(stderr, "usage: test_vectors FOLDER [--short N] [--once]\n");
        return 2;
    }
#endif
    check_seed("test_vectors");
#ifdef HC_EMBEDDED /* an emulated processor, where a level takes many minutes: what that processor picks */
    hc_cpu_text(hc_cpu_enabled(), text, sizeof text);
    run_level(text, folder);
#else
    size_t i;
    int level;
    for (i = 0; (level = vec_level(i, text, sizeof text)) >= 0; i++)
        if (level) run_level(text, folder);
#endif
    printf("tests/vectors: %lu records run, %lu skipped\n", run, skipped);
    CHECK(run > 0);
    return check_done("test_vectors");
}
