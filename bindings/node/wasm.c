/* wasm.c - the core as a WebAssembly module: hashcore.h in calls that take numbers and addresses only.
 *
 * wasm.js is its one caller. The error of the last call that failed stands in one place, as a module has one thread. */
#include "errors.h"
#include "hashcore.h"
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

static hc_error err;
static hc_options options;

/* The last error: its text; its class (hc_node_class) and the address of its code. */
EXPORT(error_text) size_t error_text(char *out, size_t cap) { return hc_node_text(&err, out, cap); }
EXPORT(error_code) const char *error_code(int *kind)
{
    enum hc_node_class which;
    const char *code = hc_node_code(err.code, &which);
    *kind = which;
    return code;
}
EXPORT(environment) int environment(void) { return hc_cpu_environment(&err); }
EXPORT(allocate) void *allocate(size_t n) { return malloc(n ? n : 1); }
EXPORT(release) void release(void *p) { free(p); }
EXPORT(wipe) void wipe(void *p, size_t n) { hc_wipe(p, n); }
EXPORT(state_size) size_t state_size(void) { return sizeof(hc_bao) > sizeof(hc_state) ? sizeof(hc_bao) : sizeof(hc_state); }

/* numbers: digest_size and the seven tree members; bytes: address and length of key, salt, person, context. */
EXPORT(set_options) void set_options(uint32_t given, const uint64_t *numbers, const uint32_t *bytes)
{
    const hc_options none = HC_OPTIONS_INIT;
    hc_slice *slices[4];
    options = none;
    options.given = given;
    if (!given) return;
    options.digest_size = numbers[0], options.fanout = numbers[1], options.depth = numbers[2];
    options.leaf_size = numbers[3], options.node_offset = numbers[4], options.node_depth = numbers[5];
    options.inner_size = numbers[6], options.last_node = numbers[7];
    slices[0] = &options.key, slices[1] = &options.salt, slices[2] = &options.person, slices[3] = &options.context;
    for (int i = 0; i < 4; i++) {
        slices[i]->data = (const void *)(uintptr_t)bytes[2 * i];
        slices[i]->len = bytes[2 * i + 1];
    }
}
static const hc_options *given(void) { return options.given ? &options : NULL; }

EXPORT(alg_named) int alg_named(const char *name)
{
    const hc_alg *alg = hc_alg_find(name);
    int i = 0;
    if (!alg) return -1;
    while (hc_alg_at((size_t)i) != alg) i++;
    return i;
}
EXPORT(alg_row) const char *alg_row(int i, uint32_t row[3])
{
    const hc_alg *a = hc_alg_at((size_t)i);
    if (!a) return NULL;
    row[0] = a->flags, row[1] = a->block_size, row[2] = a->digest_size;
    return a->name;
}
EXPORT(init) int init(int alg, void *s) { return hc_alg_at((size_t)alg)->init(s, given(), &err); }
EXPORT(reset) void reset(int alg, void *s) { hc_alg_at((size_t)alg)->reset(s); }
EXPORT(copy) void copy(int alg, void *to, const void *from) { hc_alg_at((size_t)alg)->copy(to, from); }
EXPORT(update) void update(int alg, void *s, const void *data, size_t n) { hc_alg_at((size_t)alg)->update(s, data, n); }
EXPORT(size) uint64_t size(int alg, const void *s) { return hc_alg_at((size_t)alg)->size(s); }
EXPORT(final) int final(int alg, const void *s, void *out, size_t n, uint64_t seek)
{
    return hc_alg_at((size_t)alg)->final(s, out, n, seek, &err);
}

/* Short calls take no addresses and no 64-bit numbers, which JavaScript has to make: input lies in `staged`, a digest
 * of at most 64 bytes comes in `result`. They give its length, 0 when there is no such digest, or an error. */
#define STAGED (128 << 10)
static uint8_t staged[STAGED], result[64];
EXPORT(staged_at) void *staged_at(void) { return staged; }
EXPORT(staged_size) size_t staged_size(void) { return sizeof staged; }
EXPORT(result_at) void *result_at(void) { return result; }
EXPORT(digest_staged) int digest_staged(int i, size_t n)
{
    const hc_alg *alg = hc_alg_at((size_t)i);
    hc_slice part = { staged, n };
    if (alg->digest_size > sizeof result) return 0;
    return hc_digest(alg, result, alg->digest_size, 0, NULL, &part, 1, 0, &err) ? err.code : (int)alg->digest_size;
}
/* begin: the state is new, without options. */
EXPORT(update_staged) int update_staged(int i, void *s, size_t n, int begin)
{
    const hc_alg *alg = hc_alg_at((size_t)i);
    if (begin && alg->init(s, NULL, &err)) return err.code;
    alg->update(s, staged, n);
    return HC_OK;
}
EXPORT(final_short) int final_short(int i, const void *s)
{
    const hc_alg *alg = hc_alg_at((size_t)i);
    uint64_t n = alg->size(s);
    if (n > sizeof result) return 0;
    return alg->final(s, result, (size_t)n, 0, &err) ? err.code : (int)n;
}

EXPORT(digest) int digest(int alg, void *out, size_t n, uint64_t seek, const void *data, size_t len)
{
    hc_slice part = { data, len };
    return hc_digest(hc_alg_at((size_t)alg), out, n, seek, given(), &part, 1, 0, &err);
}
/* One buffer of messages: offsets, count + 1 of 64 bits, or NULL and item_size. */
EXPORT(digest_many) int digest_many(int alg, void *out, size_t n, size_t count, const void *data, size_t len, size_t item_size,
                                    const void *offsets, const void *prefix, size_t prefix_len)
{
    hc_batch b = { 0 };
    b.count = count, b.item_size = item_size, b.offsets = offsets, b.offset_bits = offsets ? 64 : 0;
    b.data.data = data, b.data.len = len;
    b.prefix.data = prefix, b.prefix.len = prefix_len;
    return hc_digest_many(hc_alg_at((size_t)alg), out, n, given(), &b, 0, &err);
}
EXPORT(export_state) int export_state(int alg, const void *s, void *out, uint32_t *n, int format)
{
    size_t room = *n;
    int code = hc_export(hc_alg_at((size_t)alg), s, out, &room, format, &err);
    *n = (uint32_t)room;
    return code;
}
EXPORT(import_state) int import_state(int alg, void *s, const void *image, size_t n)
{
    return hc_import(hc_alg_at((size_t)alg), s, image, n, &err);
}
EXPORT(xof_open) int xof_open(void *x, int alg, const void *s) { return hc_xof_open(x, hc_alg_at((size_t)alg), s, &err); }
EXPORT(xof_size) uint64_t xof_size(const void *x) { return hc_xof_size(x); }
EXPORT(xof_read) int xof_read(const void *x, void *out, size_t n, uint64_t offset) { return hc_xof_read(x, out, n, offset, 0, &err); }

static hc_blake3_mode mode;
static int set_mode(void) { return hc_blake3_mode_init(&mode, given(), &err); }
static int forget_mode(int code)
{
    hc_wipe(&mode, sizeof mode);
    return code;
}
EXPORT(subtree) int subtree(void *out, const void *data, size_t n, uint64_t first)
{
    return set_mode() ? err.code : forget_mode(hc_blake3_subtree(out, &mode, data, n, first, 0, &err));
}
EXPORT(parent) int parent(void *out, const void *left, const void *right)
{
    if (set_mode()) return err.code;
    hc_blake3_parent(out, &mode, left, right);
    return forget_mode(HC_OK);
}
EXPORT(root) int root(void *out, size_t n, uint64_t seek, const void *cvs, size_t count)
{
    return set_mode() ? err.code : forget_mode(hc_blake3_root(out, n, seek, &mode, cvs, count, &err));
}
EXPORT(subtree_max) uint64_t subtree_max(uint64_t first) { return hc_blake3_subtree_max(first); }
EXPORT(left_len) uint64_t left_len(uint64_t n) { return hc_blake3_left_len(n); }

EXPORT(bao_size) int bao_size(uint64_t *size, uint64_t n, unsigned group, int outboard)
{
    return hc_bao_size(size, n, group, outboard, &err);
}
EXPORT(bao_decode) int bao_decode(void *b, const void *hash, unsigned group, int outboard, uint64_t start, uint64_t n)
{
    return set_mode() ? err.code : forget_mode(hc_bao_decode(b, hash, &mode, group, outboard, start, n, &err));
}
EXPORT(bao_encode) int bao_encode(void *b, unsigned group, int outboard, uint64_t n)
{
    return set_mode() ? err.code : forget_mode(hc_bao_encode(b, &mode, group, outboard, n, &err));
}
EXPORT(bao_next) void bao_next(const void *b, uint64_t out[4])
{
    hc_bao_step step;
    hc_bao_next(b, &step);
    out[0] = (uint64_t)step.kind, out[1] = step.size, out[2] = step.encoded_at, out[3] = step.data_at;
}
EXPORT(bao_put) int bao_put(void *b, const void *bytes, size_t n) { return hc_bao_put(b, bytes, n, &err); }
EXPORT(bao_get) int bao_get(void *b, void *out, size_t n) { return hc_bao_get(b, out, n, &err); }

EXPORT(xor_two) void xor_two(void *dst, const void *a, const void *b, size_t n) { hc_xor(dst, a, b, n); }
EXPORT(xor_mask) int xor_mask(void *dst, const void *key, size_t key_len, uint64_t phase, const void *src, size_t n)
{
    return hc_xor_mask(dst, key, key_len, phase, src, n, &err);
}
/* n staged bytes and the four key bytes in `result`. */
EXPORT(mask_staged) void mask_staged(size_t n) { hc_xor_mask(staged, result, 4, 0, staged, n, &err); }
EXPORT(equal) int equal(const void *a, const void *b, size_t n) { return hc_equal(a, b, n); }

EXPORT(cpu_text) size_t cpu_text(int detected, char *out, size_t cap)
{
    return hc_cpu_text(detected ? hc_cpu_detected() : hc_cpu_enabled(), out, cap);
}
EXPORT(cpu_kernel) const char *cpu_kernel(size_t i, const char **slot) { return hc_cpu_kernel(i, slot); }
EXPORT(version) const char *version(void) { return HC_VERSION_STRING; }
