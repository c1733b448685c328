/* vectors.h - reads the known answers of tests/vectors from memory and turns a record into a call; C99 and libc only. */
#ifndef HC_TEST_VECTORS_H
#define HC_TEST_VECTORS_H
#include "hashcore.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VEC_FIELDS 48

typedef struct vec_record {
    const char *file;
    unsigned long line; /* of its first field */
    size_t count;
    struct {
        const char *name, *value;
    } field[VEC_FIELDS];
} vec_record;

typedef struct vec_reader {
    const char *file;
    char *text; /* changed while reading: names and values become strings in place */
    size_t at, len;
    unsigned long line;
} vec_reader;

/* Out of memory or a malformed file: a test that goes on would prove nothing. */
static inline void vec_die(const char *file, unsigned long line, const char *what)
{
    fprintf(stderr, "%s:%lu: %s\n", file, line, what);
    exit(2);
}

static inline void *vec_alloc(size_t n)
{
    void *p = malloc(n ? n : 1);
    if (!p) vec_die("vectors.h", 0, "out of memory");
    return p;
}

/* A copy of n bytes of text. */
static inline void vec_open(vec_reader *r, const char *file, const char *text, size_t n)
{
    r->file = file;
    r->text = (char *)vec_alloc(n + 1);
    memcpy(r->text, text, n);
    r->text[n] = 0;
    r->at = 0;
    r->len = n;
    r->line = 0;
}

static inline int vec_open_file(vec_reader *r, const char *path)
{
    FILE *f = fopen(path, "rb");
    long n = -1;
    if (!f) return 0;
    if (fseek(f, 0, SEEK_END) || (n = ftell(f)) < 0 || fseek(f, 0, SEEK_SET)) vec_die(path, 0, "cannot be read");
    r->file = path;
    r->text = (char *)vec_alloc((size_t)n + 1);
    r->len = fread(r->text, 1, (size_t)n, f);
    if (r->len != (size_t)n) vec_die(path, 0, "cannot be read");
    r->text[n] = 0;
    r->at = 0;
    r->line = 0;
    fclose(f);
    return 1;
}

static inline void vec_close(vec_reader *r)
{
    free(r->text);
    r->text = NULL;
}

/* 1 and the next record, or 0 after the last. Its strings live until vec_close. */
static inline int vec_next(vec_reader *r, vec_record *record)
{
    record->file = r->file;
    record->count = 0;
    while (r->at < r->len) {
        char *line = r->text + r->at, *end = (char *)memchr(line, '\n', r->len - r->at), *sign;
        if (!end) vec_die(r->file, r->line + 1, "the last line does not end");
        *end = 0;
        r->at += (size_t)(end - line) + 1;
        r->line++;
        if (line[0] == '#') continue;
        if (!line[0]) {
            if (record->count) return 1;
            continue;
        }
        sign = strstr(line, " = ");
        if (!sign || record->count == VEC_FIELDS) vec_die(r->file, r->line, "not `name = value`, or too many");
        *sign = 0;
        if (!record->count) record->line = r->line;
        record->field[record->count].name = line;
        record->field[record->count++].value = sign + 3;
    }
    return record->count != 0;
}

/* NULL when the record has no such field. */
static inline const char *vec_get(const vec_record *record, const char *name)
{
    size_t i;
    for (i = 0; i < record->count; i++)
        if (!strcmp(record->field[i].name, name)) return record->field[i].value;
    return NULL;
}

static inline uint64_t vec_decimal(const vec_record *record, const char *value)
{
    uint64_t n = 0;
    if (!*value) vec_die(record->file, record->line, "a number is empty");
    for (; *value; value++) {
        unsigned digit = (unsigned)(*value - '0');
        if (digit > 9 || n > UINT64_MAX / 10 || n * 10 > UINT64_MAX - digit)
            vec_die(record->file, record->line, "not a number of 64 bits");
        n = n * 10 + digit;
    }
    return n;
}

static inline int vec_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes that a value stands for, to be freed; absent: NULL. */
static inline uint8_t *vec_bytes(const vec_record *record, const char *value, size_t *len)
{
    int zero;
    size_t i, n;
    uint8_t *out;
    *len = 0;
    if (!value) return NULL;
    zero = !strncmp(value, "zero ", 5);
    if (zero || !strncmp(value, "mod251 ", 7)) {
        n = (size_t)vec_decimal(record, value + (zero ? 5 : 7));
        out = (uint8_t *)vec_alloc(n);
        for (i = 0; i < n; i++) out[i] = zero ? 0 : (uint8_t)(i % 251);
    } else {
        n = strlen(value) / 2;
        out = (uint8_t *)vec_alloc(n);
        for (i = 0; i < n; i++) {
            int high = vec_digit(value[2 * i]), low = vec_digit(value[2 * i + 1]);
            if (high < 0 || low < 0) vec_die(record->file, record->line, "not lower-case hex");
            out[i] = (uint8_t)(high * 16 + low);
        }
        if (value[2 * n]) vec_die(record->file, record->line, "an odd number of hex digits");
    }
    *len = n;
    return out;
}

/* ---- A record as a call ------------------------------------------------------------ */

enum { VEC_DIGEST, VEC_XOR, VEC_XOR_MASK, VEC_UNKNOWN };
#define VEC_SOURCES 26

typedef struct vec_case {
    int op;
    const hc_alg *alg;
    hc_options options;
    uint64_t offset; /* seek, or xor_mask's offset */
    int hashed;      /* output is the SHA-256 of the true output */
    uint8_t *input, *output, *key, *salt, *person, *context;
    size_t input_len, output_len;
    size_t sources;
    uint8_t *source[VEC_SOURCES]; /* xor: all of input_len bytes */
} vec_case;

static inline hc_slice vec_option(const vec_record *r, hc_options *o, uint32_t bit, const char *name, uint8_t **keep)
{
    hc_slice s;
    *keep = vec_bytes(r, vec_get(r, name), &s.len);
    s.data = *keep;
    if (*keep) o->given |= bit;
    return s;
}

static inline void vec_digest_case(vec_case *c, const vec_record *r)
{
    static const char *const tree[] = { "fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size",
                                        "last_node" };
    hc_options *o = &c->options;
    uint64_t *member[7];
    const char *value = vec_get(r, "alg");
    size_t i, given = 0;
    member[0] = &o->fanout;
    member[1] = &o->depth;
    member[2] = &o->leaf_size;
    member[3] = &o->node_offset;
    member[4] = &o->node_depth;
    member[5] = &o->inner_size;
    member[6] = &o->last_node;
    c->alg = value ? hc_alg_find(value) : NULL;
    if (!c->alg) vec_die(r->file, r->line, "alg is absent or unknown");
    value = vec_get(r, "digest_size");
    if (value) {
        o->given |= HC_GIVEN_DIGEST_SIZE;
        o->digest_size = strcmp(value, "unknown") ? vec_decimal(r, value) : HC_UNKNOWN;
    }
    o->key = vec_option(r, o, HC_GIVEN_KEY, "key", &c->key);
    o->salt = vec_option(r, o, HC_GIVEN_SALT, "salt", &c->salt);
    o->person = vec_option(r, o, HC_GIVEN_PERSON, "person", &c->person);
    o->context = vec_option(r, o, HC_GIVEN_CONTEXT, "derive_key_context", &c->context);
    for (i = 0; i < 7; i++)
        if ((value = vec_get(r, tree[i])) != NULL) {
            *member[i] = vec_decimal(r, value);
            given++;
        }
    if (given != 0 && given != 7) vec_die(r->file, r->line, "some of the tree parameters are absent");
    if (given) o->given |= HC_GIVEN_TREE;
    value = vec_get(r, "seek");
    if (value) c->offset = vec_decimal(r, value);
    c->input = vec_bytes(r, vec_get(r, "input"), &c->input_len);
}

static inline void vec_xor_case(vec_case *c, const vec_record *r)
{
    size_t i, len;
    char name[2] = "a";
    for (i = 0; i < VEC_SOURCES; i++, name[0]++) {
        uint8_t *source = vec_bytes(r, vec_get(r, name), &len);
        if (!source) break;
        if (i && len != c->input_len) vec_die(r->file, r->line, "the sources differ in length");
        c->input_len = len;
        c->source[c->sources++] = source;
    }
    if (!c->sources) vec_die(r->file, r->line, "no sources");
}

static inline void vec_case_read(vec_case *c, const vec_record *r)
{
    static const hc_options none = HC_OPTIONS_INIT;
    const char *op = vec_get(r, "op"), *value = vec_get(r, "output");
    memset(c, 0, sizeof *c);
    c->options = none;
    c->op = !op || !strcmp(op, "digest") ? VEC_DIGEST
            : !strcmp(op, "xor") ? VEC_XOR : !strcmp(op, "xor_mask") ? VEC_XOR_MASK : VEC_UNKNOWN;
    if (c->op == VEC_UNKNOWN) return;
    if (!value) {
        value = vec_get(r, "output_sha256");
        c->hashed = 1;
    }
    if (!value) vec_die(r->file, r->line, "no output");
    c->output = vec_bytes(r, value, &c->output_len);
    if (c->op == VEC_DIGEST) vec_digest_case(c, r);
    if (c->op == VEC_XOR) vec_xor_case(c, r);
    if (c->op == VEC_XOR_MASK) {
        c->input = vec_bytes(r, vec_get(r, "input"), &c->input_len);
        c->options.key = vec_option(r, &c->options, HC_GIVEN_KEY, "key", &c->key);
        value = vec_get(r, "offset");
        if (!value) vec_die(r->file, r->line, "no offset");
        c->offset = vec_decimal(r, value);
    }
    if (c->op != VEC_XOR && !c->input) vec_die(r->file, r->line, "no input");
}

static inline void vec_case_free(vec_case *c)
{
    size_t i;
    free(c->input);
    free(c->output);
    free(c->key);
    free(c->salt);
    free(c->person);
    free(c->context);
    for (i = 0; i < c->sources; i++) free(c->source[i]);
}

/* ---- The dispatch levels of this processor -------------------------------------------- */

/* Goes to the i-th level, with and without the helpers (shani, bmi2, sha2): 1, or 0 where this machine has not got it
 * or it is the same as an earlier one; -1 after the last. Where HASHCORE_CPU is set there is that one level. */
static inline int vec_level(size_t i, char *text, size_t cap)
{
    static const char *const level[] = { "portable", "sse2", "sse41", "avx2", "avx512", "neon", "simd128" };
    static const char *const without[] = { "", ",no-shani", ",no-bmi2", ",no-shani,no-bmi2", ",no-sha2" };
    static uint32_t seen[7 * 5];
    static size_t seen_count;
    const char *wish = getenv("HASHCORE_CPU");
    char name[64];
    uint32_t mask;
    size_t k;
    if (wish && *wish) {
        if (i) return -1;
        hc_cpu_text(hc_cpu_enabled(), text, cap);
        return 1;
    }
    if (!i) seen_count = 0;
    if (i == 7 * 5) {
        hc_cpu_restrict(HC_CPU_ALL, NULL);
        return -1;
    }
    snprintf(name, sizeof name, "%s%s", level[i / 5], without[i % 5]);
    if (hc_cpu_parse(&mask, name, NULL)) return 0;
    for (k = 0; k < seen_count; k++)
        if (seen[k] == mask) return 0;
    if (hc_cpu_restrict(mask, NULL)) return 0;
    seen[seen_count++] = mask;
    hc_cpu_text(mask, text, cap);
    return 1;
}

#endif
