/* blake3_tree.c - BLAKE3 in pieces: the values of subtrees, their parents, and the root over them. */
#include "internal.h"

#define CHUNK HC_BLAKE3_CHUNK_SIZE
#define CHUNKS_MAX ((uint64_t)1 << HC_B3_DEPTH) /* an input of 2^64 - 1 bytes has as many */

uint64_t hc_blake3_subtree_max(uint64_t first_chunk)
{
    uint64_t most, left;
    if (first_chunk == 0) return (uint64_t)1 << 63; /* the left half of the largest input: more would be the root */
    if (first_chunk >= CHUNKS_MAX) return 0;
    most = (first_chunk & (0 - first_chunk)) * CHUNK;
    left = UINT64_MAX - first_chunk * CHUNK;
    return most < left ? most : left;
}

/* BLAKE3 paper, 2.1: the left child is the largest power of two of chunks that leaves something to the right. */
uint64_t hc_blake3_left_len(uint64_t len)
{
    uint64_t left = CHUNK, chunks;
    if (len <= CHUNK) return 0;
    for (chunks = (len - 1) / CHUNK; chunks > 1; chunks >>= 1) left <<= 1;
    return left;
}

int hc_blake3_subtree(uint8_t cv[32], const hc_blake3_mode *m, const void *data, size_t len, uint64_t first_chunk,
                      unsigned threads, hc_error *err)
{
    const uint64_t most = hc_blake3_subtree_max(first_chunk);
    if (most == 0) return hc_fail(err, HC_E_RANGE, "first_chunk", first_chunk, 0, CHUNKS_MAX - 1);
    if (len == 0 || len > most) return hc_fail(err, HC_E_LENGTH, "data", len, 1, most);
    hc_b3_subtree_value(cv, HC_B3_MODE(m), (const uint8_t *)data, len, first_chunk, threads);
    return HC_OK;
}

void hc_blake3_parent(uint8_t cv[32], const hc_blake3_mode *m, const uint8_t left[32], const uint8_t right[32])
{
    const hc_b3_mode *mode = HC_B3_MODE(m);
    uint8_t block[64];
    memcpy(block, left, 32);
    memcpy(block + 32, right, 32);
    HC_K(b3_block)(cv, mode->key, block, 64, 0, HC_B3_PARENT | mode->flags);
}

/* One level up: n values become (n + 1) / 2, an odd last one as it is. Done until `until` are left this gives the same
 * tree as splitting from the root, since only the last subtree is ever smaller than a power of two. */
static size_t fold(uint8_t *values, size_t n, size_t until, const hc_b3_mode *m)
{
    while (n > until) {
        const size_t pairs = n / 2;
        HC_K(b3_many)(values, m->key, values, 64, pairs, 1, 0, 0, HC_B3_PARENT | m->flags, 0, 0);
        if (n % 2 == 1) memmove(values + 32 * pairs, values + 64 * pairs, 32);
        n = pairs + n % 2;
    }
    return n;
}

/* The upper two values of a stack become their parent. */
static void merge(uint8_t pair[64], const hc_b3_mode *m)
{
    uint8_t cv[32];
    HC_K(b3_block)(cv, m->key, pair, 64, 0, HC_B3_PARENT | m->flags);
    memcpy(pair, cv, 32);
}

/* The two values below the root. Runs of RUN values are folded by the wide kernel; the stack holds one value for each
 * one bit of the count of full runs, and is brought up to date only when more comes, so that two remain. */
static void root_pair(uint8_t pair[64], const hc_b3_mode *m, const uint8_t *cvs, size_t n)
{
    enum { RUN = 64 };
    uint8_t run[RUN * 32], stack[(HC_B3_DEPTH + 1) * 32];
    size_t depth = 0, i, bits;
    if (n <= RUN) {
        memcpy(run, cvs, n * 32);
        fold(run, n, 2, m);
        memcpy(pair, run, 64);
    } else {
        for (i = 0; i < n; i += RUN) {
            const size_t some = n - i < RUN ? n - i : RUN;
            size_t ones = 0;
            for (bits = i / RUN; bits > 0; bits &= bits - 1) ones++;
            for (; depth > ones; depth--) merge(stack + 32 * (depth - 2), m);
            memcpy(run, cvs + i * 32, some * 32);
            fold(run, some, 1, m);
            memcpy(stack + 32 * depth++, run, 32);
        }
        for (; depth > 2; depth--) merge(stack + 32 * (depth - 2), m);
        memcpy(pair, stack, 64);
    }
    if (m->flags != 0) {
        hc_wipe(run, sizeof run);
        hc_wipe(stack, sizeof stack);
    }
}

int hc_blake3_root(void *out, size_t out_len, uint64_t offset, const hc_blake3_mode *m, const void *cvs, size_t n,
                   hc_error *err)
{
    const hc_b3_mode *mode = HC_B3_MODE(m);
    hc_b3_root root;
    if (n < 2) return hc_fail(err, HC_E_LENGTH, "cvs", n, 2, SIZE_MAX / 32);
    if (offset > UINT64_MAX - out_len) return hc_fail(err, HC_E_RANGE, "seek", offset, 0, UINT64_MAX - out_len);
    memcpy(root.cv, mode->key, 32);
    root_pair(root.block, mode, (const uint8_t *)cvs, n);
    root.len = 64;
    root.flags = HC_B3_PARENT | HC_B3_ROOT | mode->flags;
    hc_b3_output(&root, out, out_len, offset, 1);
    if (mode->flags != 0) hc_wipe(&root, sizeof root);
    return HC_OK;
}
