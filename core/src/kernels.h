/* kernels.h - the kernels: what each must do, and the one table of those in use (L2).
 *
 * A kernel is a pure function on bytes and words; it never sees a state of hashcore.h. For every slot kernels.c holds
 * an array of candidates, best first; the first whose needs the processor meets serves. HC_K(slot)(...) calls it.
 *
 * All pointers may have any alignment. in, key and cv are read, out is written, exactly as far as stated and never a byte
 * further. Unless a slot says otherwise out must not overlap the inputs. Chaining values of BLAKE3 are 32 bytes
 * (little-endian words); those of SHA-256 and BLAKE2b are native words. */
#ifndef HC_KERNELS_H
#define HC_KERNELS_H
#include "common.h"

/* One BLAKE3 chunk (or parent, or short message) of a batch: len 0..1024 bytes at in, value to out (32 bytes).
 * flags go to every block, CHUNK_START | CHUNK_END come by themselves unless PARENT is set; last_flags join the last block. */
typedef struct hc_b3_job {
    const uint8_t *in;
    uint8_t *out;
    uint64_t counter;
    uint32_t len, last_flags;
} hc_b3_job;

enum { /* BLAKE3 paper, table 3 */
    HC_B3_CHUNK_START = 1,
    HC_B3_CHUNK_END = 2,
    HC_B3_PARENT = 4,
    HC_B3_ROOT = 8,
    HC_B3_KEYED = 16,
    HC_B3_DERIVE_CONTEXT = 32,
    HC_B3_DERIVE_MATERIAL = 64
};

/* X(slot, "name", (parameters), (arguments)) */
#define HC_SLOTS(X)                                                                                                     \
    /* One BLAKE3 compression of len (0..64) bytes, zero padded here: the first 32 bytes of its output. out may be cv. */ \
    X(b3_block, "blake3.block",                                                                                         \
      (uint8_t out[32], const uint8_t cv[32], const uint8_t *in, unsigned len, uint64_t counter, unsigned flags),       \
      (out, cv, in, len, counter, flags))                                                                               \
    /* One BLAKE3 input of 1.. whole blocks: first joins the flags of the first block, last those of the last. out may be cv. */ \
    X(b3_blocks, "blake3.blocks",                                                                                       \
      (uint8_t out[32], const uint8_t cv[32], const uint8_t *in, size_t blocks, uint64_t counter, unsigned flags,       \
       unsigned first, unsigned last),                                                                                  \
      (out, cv, in, blocks, counter, flags, first, last))                                                               \
    /* n BLAKE3 inputs of `blocks` whole blocks at in, in + stride, ...: n values, 32 bytes each, back to back. Input i has */ \
    /* counter + i when step is 1, counter when it is 0. out may be in (parents: stride 64). */                         \
    X(b3_many, "blake3.many",                                                                                           \
      (uint8_t *out, const uint8_t key[32], const uint8_t *in, size_t stride, size_t n, size_t blocks,                  \
       uint64_t counter, int step, unsigned flags, unsigned first, unsigned last),                                      \
      (out, key, in, stride, n, blocks, counter, step, flags, first, last))                                             \
    /* n jobs of any lengths and counters under one key; lanes stay full across jobs. Jobs of one length run in order: then */ \
    /* a job may write over the inputs of those before it. */                                                           \
    X(b3_jobs, "blake3.jobs",                                                                                           \
      (const uint8_t key[32], unsigned flags, const hc_b3_job *jobs, size_t n), (key, flags, jobs, n))                  \
    /* Output blocks counter .. counter + blocks - 1 of one root compression: 64 bytes each. block is zero padded. */   \
    X(b3_xof, "blake3.xof",                                                                                             \
      (uint8_t *out, const uint8_t cv[32], const uint8_t block[64], unsigned len, uint64_t counter, unsigned flags,     \
       size_t blocks),                                                                                                  \
      (out, cv, block, len, counter, flags, blocks))                                                                    \
    /* SHA-256 compression of whole blocks (FIPS 180-4, 6.2.2). */                                                      \
    X(sha256_blocks, "sha256.blocks", (uint32_t st[8], const uint8_t *in, size_t blocks), (st, in, blocks))             \
    /* The rest of a message: n bytes after `before` (a multiple of 64) bytes that st has absorbed; padding; 32 bytes. */ \
    /* out may be in, or any part of it. */                                                                             \
    X(sha256_finish, "sha256.finish",                                                                                   \
      (uint8_t out[32], const uint32_t st[8], uint64_t before, const uint8_t *in, size_t n), (out, st, before, in, n))  \
    /* sha256_finish of n messages from one st: 32 n bytes, in order. */                                                \
    /* out may be in[0] where the messages lie one after another, all of one length of 32 or more (hc_digest_many). */  \
    X(sha256_many, "sha256.many",                                                                                       \
      (uint8_t *out, const uint32_t st[8], uint64_t before, const uint8_t *const *in, const size_t *len, size_t n),     \
      (out, st, before, in, len, n))                                                                                    \
    /* n whole messages of 64 bytes, back to back, from st and nothing before. out may be in. */                        \
    X(sha256_pairs, "sha256.pairs", (uint8_t *out, const uint32_t st[8], const uint8_t *in, size_t n), (out, st, in, n)) \
    /* BLAKE2b compression of whole blocks that are not the last; t, the 128-bit byte counter, advances (RFC 7693, 3.2). */ \
    X(b2b_blocks, "blake2b.blocks", (uint64_t h[8], uint64_t t[2], const uint8_t *in, size_t blocks), (h, t, in, blocks)) \
    /* The rest of a message, n bytes (0 only where t is 0) with its last block; f1 is all ones for a last node. 64 bytes. */ \
    X(b2b_finish, "blake2b.finish",                                                                                     \
      (uint8_t out[64], const uint64_t h[8], const uint64_t t[2], uint64_t f1, const uint8_t *in, size_t n),            \
      (out, h, t, f1, in, n))                                                                                           \
    /* b2b_finish of n messages from one h, after `before` (a multiple of 128) bytes: out_len (1..64) bytes of each. */ \
    /* None is empty where before is not 0. out may be in[0] as in sha256_many, for lengths of out_len or more. */      \
    X(b2b_many, "blake2b.many",                                                                                         \
      (uint8_t *out, size_t out_len, const uint64_t h[8], uint64_t before, uint64_t f1, const uint8_t *const *in,       \
       const size_t *len, size_t n),                                                                                    \
      (out, out_len, h, before, f1, in, len, n))                                                                        \
    /* BLAKE2Xb: b2b_finish of the same 64 bytes, nothing before them, from h with word 1 ^ first, first + 1, ...: 64 bytes */ \
    /* each, back to back. */                                                                                           \
    X(b2b_xof, "blake2b.xof", (uint8_t *out, const uint64_t h[8], const uint8_t in[64], uint64_t first, size_t blocks), \
      (out, h, in, first, blocks))                                                                                      \
    /* dst = a ^ b. dst may be a or b. */                                                                               \
    X(xor_two, "xor.two", (uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n), (dst, a, b, n))                 \
    /* dst = src[0] ^ ... ^ src[k - 1], k >= 1. dst may be any of them. */                                              \
    X(xor_many, "xor.many", (uint8_t *dst, const uint8_t *const *src, size_t k, size_t n), (dst, src, k, n))            \
    /* dst = src ^ the key repeated, beginning with its byte `at` (below key_len, which is not 0). dst may be src. */   \
    X(xor_key, "xor.mask",                                                                                              \
      (uint8_t *dst, const uint8_t *key, size_t key_len, size_t at, const uint8_t *src, size_t n),                      \
      (dst, key, key_len, at, src, n))

#define HC_SLOT_DECLARE(slot, name, params, args)                                                                       \
    typedef void hc_##slot##_fn params;                                                                                 \
    HC_INTERNAL extern hc_##slot##_fn *hc_k_##slot;
HC_SLOTS(HC_SLOT_DECLARE)
#undef HC_SLOT_DECLARE
#define HC_K(slot) HC_ATOMIC_LOAD(&hc_k_##slot)

typedef void hc_any_fn(void);
typedef struct hc_candidate {
    const char *name; /* "avx2" */
    uint32_t needs;   /* HC_CPU_* */
    hc_any_fn *fn;
} hc_candidate;
typedef struct hc_slot {
    const char *name;
    const hc_candidate *candidates; /* best first; portable, and nothing else, needs nothing */
    size_t count;
} hc_slot;
enum {
#define HC_SLOT_ENUM(slot, name, params, args) HC_SLOT_##slot,
    HC_SLOTS(HC_SLOT_ENUM)
#undef HC_SLOT_ENUM
    HC_SLOT_COUNT
};
HC_INTERNAL extern const hc_slot hc_slots[HC_SLOT_COUNT]; /* tests and benches walk it */
HC_INTERNAL void hc_kernels_choose(void);                 /* fill the table for hc_cpu_mask() */

#endif
