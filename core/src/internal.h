/* internal.h - what the files of L3 share: error helpers, state layouts, the BLAKE3 tree, threads. */
#ifndef HC_INTERNAL_H
#define HC_INTERNAL_H
#include "cpu.h"
#include "kernels.h"

/* The public states are arrays of uint64_t that users copy with '='; ours are read through these structures. */
#if defined(__GNUC__)
#define HC_ALIAS __attribute__((may_alias))
#else
#define HC_ALIAS
#endif

/* ---- Errors: fill *err when it is not NULL, give the code back ------------- */
enum { HC_WHY_UNSUPPORTED, HC_WHY_TOGETHER, HC_WHY_MISSING }; /* the value of an HC_E_PARAM: why */
HC_INTERNAL int hc_fail(hc_error *err, int code, const char *argument, uint64_t value, uint64_t min, uint64_t max);
HC_INTERNAL int hc_fail_at(hc_error *err, int code, const char *argument, uint64_t index, uint64_t value, uint64_t min,
                           uint64_t max);
HC_INTERNAL int hc_fail_io(hc_error *err, const char *argument, int os_error);

/* ---- Small pieces of messages ------------------------------------------------ */
/* memcpy for the few bytes (at most 64) of a short update, where the call costs more than the copy: two overlapping
 * moves. */
HC_INLINE void hc_copy_piece(uint8_t *to, const uint8_t *from, size_t n)
{
#define HC_TWO_MOVES(size)                   \
    if (n >= size) {                         \
        uint8_t first[size], last[size];     \
        memcpy(first, from, size);           \
        memcpy(last, from + n - size, size); \
        memcpy(to, first, size);             \
        memcpy(to + n - size, last, size);   \
        return;                              \
    }
    HC_TWO_MOVES(32)
    HC_TWO_MOVES(16)
    HC_TWO_MOVES(8)
    HC_TWO_MOVES(4)
    HC_TWO_MOVES(2)
    if (n) *to = *from;
#undef HC_TWO_MOVES
}

/* ---- The descriptor table (alg.c) ------------------------------------------- */
/* 1 when options (or NULL) name only what `allowed` (HC_GIVEN_*) has; else 0 and *err. */
HC_INTERNAL int hc_options_allow(const hc_options *options, uint32_t allowed, hc_error *err);
#define HC_GIVEN(options, what) ((options) && (options)->given & HC_GIVEN_##what)

/* ---- SHA-256 (sha256.c, hmac.c) -------------------------------------------- */
typedef struct HC_ALIAS hc_sha256_state {
    uint32_t h[8];
    uint64_t count;  /* bytes absorbed, buffered ones too */
    uint8_t buf[64]; /* the first count % 64 are in use */
    uint32_t size;   /* digest: 28 or 32 */
    uint32_t unused;
} hc_sha256_state;
typedef struct HC_ALIAS hc_hmac_state {
    uint32_t inner[8], outer[8]; /* after the block of key ^ ipad, key ^ opad (RFC 2104) */
    uint32_t h[8];               /* the inner hash, as hc_sha256_state's */
    uint64_t count;              /* message bytes, without the key's block */
    uint8_t buf[64];
    uint32_t size, unused;
} hc_hmac_state;
HC_INTERNAL extern const uint32_t hc_sha256_iv[8], hc_sha224_iv[8];
/* Absorb into h and buf, count bytes of which were absorbed before. */
HC_INTERNAL void hc_sha256_absorb(uint32_t h[8], uint8_t buf[64], uint64_t count, const void *data, size_t len);
/* The states after the key's blocks, for size 28 or 32 (RFC 2104). */
HC_INTERNAL void hc_hmac_midstates(uint32_t inner[8], uint32_t outer[8], size_t size, const void *key, size_t key_len);

/* ---- BLAKE2b, BLAKE2Xb (blake2b.c, blake2xb.c) ------------------------------- */
typedef struct HC_ALIAS hc_blake2b_state {
    uint64_t h[8], t[2]; /* t: compressed bytes only; a full last block stays in buf */
    uint8_t buf[128];
    uint64_t h0[8];      /* IV ^ parameter block: what reset starts from */
    uint8_t key[64];     /* zero padded */
    uint64_t xof_length; /* BLAKE2Xb: its output length, HC_UNKNOWN; else 0 */
    uint8_t buffered, key_len, digest_size, last_node;
    uint8_t unused[4];
} hc_blake2b_state;
HC_INTERNAL extern const uint64_t hc_blake2b_iv[8];
/* Begin from a parameter block (RFC 7693, 2.5; salt and person as in the BLAKE2 paper) and a key of its length. */
HC_INTERNAL void hc_blake2b_start(hc_blake2b_state *s, const uint8_t param[64], const void *key);
/* Options to a parameter block; last_node apart. digest_size is checked by the caller. */
HC_INTERNAL int hc_blake2b_param(uint8_t param[64], const hc_options *options, hc_error *err);
HC_INTERNAL void hc_blake2b_reset(void *state);
HC_INTERNAL void hc_blake2b_absorb(void *state, const void *data, size_t len);
/* BLAKE2Xb (blake2xb.c): what its row of the descriptor table needs beside those two. */
HC_INTERNAL int hc_blake2xb_init(void *state, const hc_options *options, hc_error *err);
HC_INTERNAL uint64_t hc_blake2xb_size(const void *state);
HC_INTERNAL int hc_blake2xb_final(const void *state, void *out, size_t out_len, uint64_t offset, hc_error *err);
/* What its output blocks are made from. */
typedef struct hc_b2x_root {
    uint64_t h[8]; /* IV ^ parameter block of output block 0 */
    uint8_t digest[64];
    uint64_t size; /* bytes of output */
} hc_b2x_root;
HC_INTERNAL void hc_b2x_find_root(const hc_blake2b_state *s, hc_b2x_root *root);
/* Bytes offset .. offset + len - 1, at least one; only the blocks that hold them are computed. */
HC_INTERNAL void hc_b2x_output(const hc_b2x_root *root, uint8_t *out, size_t len, uint64_t offset, unsigned threads);
/* Whether out_len bytes at offset lie inside an output of `size` (xof.c). */
HC_INTERNAL int hc_xof_check(uint64_t size, size_t out_len, uint64_t offset, hc_error *err);

/* ---- BLAKE3 (blake3.c, xof.c) ---------------------------------------------------- */
#define HC_B3_DEPTH 54 /* 2^64 bytes are 2^54 chunks */
typedef struct HC_ALIAS hc_blake3_state {
    uint8_t key[32];
    uint64_t chunk; /* index of the chunk that is under way */
    uint8_t cv[32]; /* its chaining value so far */
    uint8_t buf[64];
    uint16_t flags;   /* of the mode */
    uint8_t buffered; /* 0..64 bytes of buf; a full block waits until more comes */
    uint8_t blocks;   /* compressed in this chunk, 0..15 */
    uint8_t depth;    /* of the stack; full chunks are on it as soon as they may not be the root */
    uint8_t unused[3];
    uint8_t stack[HC_B3_DEPTH][32];
} hc_blake3_state;
/* The mode of hc_blake3_mode: NULL gives the plain one. */
typedef struct hc_b3_mode {
    uint8_t key[32];
    uint32_t flags;
} hc_b3_mode;
HC_INTERNAL extern const hc_b3_mode hc_b3_plain;
#define HC_B3_MODE(m) ((m) ? (const hc_b3_mode *)(const void *)(m) : &hc_b3_plain)
/* The compression whose output is the tree's: block zero padded, flags with ROOT. */
typedef struct hc_b3_root {
    uint8_t cv[32], block[64];
    uint32_t len, flags;
} hc_b3_root;
/* The root of what s has absorbed, and bytes offset .. offset + out_len - 1 of its output: only the blocks that hold
 * them are computed (xof.c). */
HC_INTERNAL void hc_b3_find_root(const hc_blake3_state *s, hc_b3_root *root);
HC_INTERNAL void hc_b3_output(const hc_b3_root *root, void *out, size_t out_len, uint64_t offset, unsigned threads);
/* Value of the subtree of 1.. bytes that begins at a chunk; never the root. */
HC_INTERNAL void hc_b3_subtree_value(uint8_t cv[32], const hc_b3_mode *m, const uint8_t *data, size_t len,
                                     uint64_t chunk, unsigned threads);
/* The value of a subtree of `chunks`, a power of two, takes the place of their bytes. s stands at a multiple of that,
 * and more bytes follow: the value may be no root. */
HC_INTERNAL void hc_b3_push(hc_blake3_state *s, const uint8_t value[32], uint64_t chunks);
/* n (at most HC_BATCH) messages of any lengths, out_len bytes of output each, back to back. */
HC_INTERNAL void hc_b3_batch(uint8_t *out, size_t out_len, const hc_b3_mode *m, const uint8_t *const *in,
                             const size_t *len, size_t n);
#define HC_BATCH 256

/* ---- Threads (threads.c) ------------------------------------------------------- */
/* Bytes of work for each thread, the caller included: with less than two of them nobody but the caller works.
 *
 * HC_GRAIN_*: how far a number that was asked for is followed: about where two threads can win at best.
 *
 * HC_AUTO_*: what HC_THREADS_AUTO wants, which is not to lose to one thread: a quarter of a millisecond by the fastest
 * kernels, measured by the rows auto-* and file-auto of bench/c (AVX-512, two processors). To start a thread and join
 * it cost 25 us at best there, 60 to 120 at the median, and more on a busy machine, where the caller waits until the
 * system lets its helper run: two threads lost up to a third on 150 us of work (1 MiB of BLAKE3) and won a half on 590
 * (4 MiB). A slower kernel takes longer for as many bytes. */
enum {
    HC_GRAIN_BLAKE3 = 256 << 10, /* input and output */
    HC_AUTO_BLAKE3 = 2 << 20,
    HC_GRAIN_BLAKE2XB = 64 << 10, /* output */
    HC_AUTO_BLAKE2XB = 1 << 20,
    HC_GRAIN_MANY = 128 << 10, /* batches: bytes and a block a message */
    HC_AUTO_MANY = 2 << 20,    /* but HC_AUTO_BLAKE3 for BLAKE3 */
    HC_GRAIN_TREE = 256 << 10, /* BLAKE3 of a file, read by every thread */
    HC_AUTO_TREE = 2 << 20,
    HC_GRAIN_AHEAD = 1 << 20, /* a file read by one thread and hashed by others: what is won is the reading */
    HC_AUTO_AHEAD = 4 << 20
};
/* How many may work, the caller included, on `size` bytes: threads as in hashcore.h, never 0. */
#define HC_THREADS_FOR(threads, size, work) hc_threads_for(threads, size, HC_GRAIN_##work, HC_AUTO_##work)
HC_INTERNAL unsigned hc_threads_for(unsigned threads, uint64_t size, uint64_t grain, uint64_t auto_grain);
/* job(user, i) for every i below count, from a queue, on at most `threads` threads, the caller one of them. All are
 * joined before it returns; what cannot be started the caller does. */
HC_INTERNAL void hc_parallel(unsigned threads, size_t count, void (*job)(void *user, size_t i), void *user);

#endif
