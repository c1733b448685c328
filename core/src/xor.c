/* xor.c - XOR of two sources, of many by one checked rule, and of a repeating key. */
#include "internal.h"

void hc_xor(void *dst, const void *a, const void *b, size_t n)
{
    if (n) HC_K(xor_two)((uint8_t *)dst, (const uint8_t *)a, (const uint8_t *)b, n);
}

/* The n bytes at a and at b share some, but not all of them. */
static int overlap_partly(const void *a, const void *b, size_t n)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x != y && (x < y ? y - x : x - y) < n;
}

/* As many sources of the caller's list as fit here become pointers at a time: no heap, any count. */
enum { FOLD = 64 };

int hc_xor_many(size_t *n, void *dst, size_t dst_len, const hc_slice *sources, size_t count, hc_error *err)
{
    const uint8_t *p[FOLD + 1];
    size_t least = SIZE_MAX, k = 0;
    if (!count || !sources) return hc_fail(err, HC_E_PARAM, "sources", HC_WHY_MISSING, 0, 0);
    for (size_t i = 0; i < count; i++) {
        if (sources[i].len && !sources[i].data) return hc_fail_at(err, HC_E_PARAM, "sources", i, HC_WHY_MISSING, 0, 0);
        if (sources[i].len < least) least = sources[i].len;
    }
    if (dst_len < least) return hc_fail(err, HC_E_LENGTH, "dst", dst_len, least, SIZE_MAX);
    if (least && !dst) return hc_fail(err, HC_E_PARAM, "dst", HC_WHY_MISSING, 0, 0);
    for (size_t i = 0; i < count; i++) {
        if (overlap_partly(dst, sources[i].data, least)) return hc_fail_at(err, HC_E_OVERLAP, "sources", i, 0, 0, 0);
    }
    *n = least;
    if (!least) return HC_OK;
    /* In several folds dst changes on the way: sources that are dst cancel in pairs, and what is left goes first. */
    size_t own = 0, folded = 0;
    for (size_t i = 0; i < count; i++) own += sources[i].data == dst;
    if (count <= FOLD) own = 0; /* one fold: the kernel takes dst as any of them */
    for (size_t i = 0; i < count; i++) {
        if (count > FOLD && sources[i].data == dst) continue;
        p[k++] = (const uint8_t *)sources[i].data;
        if (k < FOLD) continue;
        if (folded || own % 2) p[k++] = (const uint8_t *)dst;
        HC_K(xor_many)((uint8_t *)dst, p, k, least);
        folded = 1;
        k = 0;
    }
    if (!k && !folded && !(own % 2)) memset(dst, 0, least); /* every source was dst, an even number of times */
    if (!k) return HC_OK;
    if (folded || own % 2) p[k++] = (const uint8_t *)dst;
    HC_K(xor_many)((uint8_t *)dst, p, k, least);
    return HC_OK;
}

int hc_xor_mask(void *dst, const void *key, size_t key_len, uint64_t offset, const void *src, size_t n, hc_error *err)
{
    if (!key_len) return hc_fail(err, HC_E_LENGTH, "key", 0, 1, SIZE_MAX);
    if (!key) return hc_fail(err, HC_E_PARAM, "key", HC_WHY_MISSING, 0, 0);
    if (n && !src) return hc_fail(err, HC_E_PARAM, "src", HC_WHY_MISSING, 0, 0);
    if (n && !dst) return hc_fail(err, HC_E_PARAM, "dst", HC_WHY_MISSING, 0, 0);
    if (overlap_partly(dst, src, n)) return hc_fail(err, HC_E_OVERLAP, "src", 0, 0, 0);
    /* the key is read while dst is written: it must stand apart */
    const uintptr_t d = (uintptr_t)dst, k = (uintptr_t)key;
    if (n && d < k + key_len && k < d + n) return hc_fail(err, HC_E_OVERLAP, "key", 0, 0, 0);
    /* a division takes longer than a frame's header */
    const size_t at = (size_t)(offset < key_len ? offset : offset % key_len);
    if (n) HC_K(xor_key)((uint8_t *)dst, (const uint8_t *)key, key_len, at, (const uint8_t *)src, n);
    return HC_OK;
}
