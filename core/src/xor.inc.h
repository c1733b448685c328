/* xor.inc.h - XOR of byte strings: two sources, many sources, a repeating key; for the vectors of HC_ISA.
 *
 * No byte loops: what does not fill a vector is covered by a first and a last vector that overlap the others. They are
 * computed before anything is stored and stored after everything else, so working in place is exact. */
#if HC_ISA == HC_AVX2
#define XV 32
typedef __m256i xv;
#define x_ld(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define x_st(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), (v))
#define x_nt(p, v) _mm256_stream_si256((__m256i *)(void *)(p), (v))
#define x_xor(a, b) _mm256_xor_si256((a), (b))
#define x_set(w) _mm256_set1_epi64x((long long)(w))
#elif HC_ISA == HC_SSE2
#define XV 16
typedef __m128i xv;
#define x_ld(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define x_st(p, v) _mm_storeu_si128((__m128i *)(void *)(p), (v))
#define x_nt(p, v) _mm_stream_si128((__m128i *)(void *)(p), (v))
#define x_xor(a, b) _mm_xor_si128((a), (b))
#define x_set(w) _mm_set1_epi64x((long long)(w))
#elif HC_ISA == HC_NEON || HC_ISA == HC_WASM
#define XV HC_VL
typedef v32 xv;
#define x_ld(p) v32_load(p)
#define x_st(p, v) v32_store((p), (v))
#define x_xor(a, b) v32_xor((a), (b))
#define x_set(w) AS32(v64_set1(w))
#else /* plain C; native words, so the host's byte order does not matter */
#define XV 8
typedef uint64_t xv;
HC_INLINE xv HC_NAME(x_ld)(const void *p) { xv v; memcpy(&v, p, 8); return v; }
HC_INLINE void HC_NAME(x_st)(void *p, xv v) { memcpy(p, &v, 8); }
#define x_ld(p) HC_NAME(x_ld)(p)
#define x_st(p, v) HC_NAME(x_st)((p), (v))
#define x_xor(a, b) ((a) ^ (b))
#define x_set(w) (w)
#endif
/* From here on stores go around the cache: dst would push out what is in it, and each of its lines would be read before
 * it is written. */
#ifndef HC_XOR_NT
#define HC_XOR_NT ((size_t)8 << 20)
#endif

/* Sizes T..2T: one step at the start and one that ends at n. */
#define X_TWICE(T, LD, XOR, ST)                                                                                        \
    {                                                                                                                  \
        T x = XOR(LD(a), LD(b)), y = XOR(LD(a + n - sizeof(T)), LD(b + n - sizeof(T)));                                \
        ST(dst, x); ST(dst + n - sizeof(T), y);                                                                        \
        return;                                                                                                        \
    }
#define X_TINY(T)                                                                                                      \
    {                                                                                                                  \
        T p, q, r, s;                                                                                                  \
        memcpy(&p, a, sizeof p); memcpy(&q, b, sizeof q);                                                              \
        memcpy(&r, a + n - sizeof r, sizeof r); memcpy(&s, b + n - sizeof s, sizeof s);                                \
        p ^= q; r ^= s;                                                                                                \
        memcpy(dst, &p, sizeof p); memcpy(dst + n - sizeof r, &r, sizeof r);                                           \
        return;                                                                                                        \
    }
#define X_LD16(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define X_ST16(p, v) _mm_storeu_si128((__m128i *)(void *)(p), (v))

/* All that N steps load comes before what they store, so that a dst a little after a or b, modulo a page, waits less for
 * stores that only look like overlaps; and in this order: out of it the prefetchers give up. */
#define X_TWO_RUNS(N)                                                                                                  \
    for (; i + N * XV <= n; i += N * XV) {                                                                             \
        xv v[N];                                                                                                       \
        HC_UNROLL for (int j = 0; j < N; j++) HC_SET_HERE(v[j], x_xor(x_ld(a + i + XV * j), x_ld(b + i + XV * j)));    \
        HC_UNROLL for (int j = 0; j < N; j++) x_st(dst + i + XV * j, v[j]);                                            \
    }

/* More than four vectors, anywhere. Bytes that fill none at either end are computed first and stored last. */
static HC_NOINLINE void HC_NAME(x_long)(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    const size_t end = n - XV;
    const xv first = x_xor(x_ld(a), x_ld(b)), last = x_xor(x_ld(a + end), x_ld(b + end));
    size_t i = (0 - (uintptr_t)dst) & (XV - 1); /* dst + i is aligned */
#ifdef x_nt
#define X_NT(o) x_nt(dst + i + (o), x_xor(x_ld(a + i + (o)), x_ld(b + i + (o))))
    if (n >= HC_XOR_NT && dst != a && dst != b) {
        for (; i + 4 * XV <= n; i += 4 * XV) { X_NT(0); X_NT(XV); X_NT(2 * XV); X_NT(3 * XV); }
        _mm_sfence();
    }
#endif
    X_TWO_RUNS(8)
    X_TWO_RUNS(2)
    for (; i < end; i += XV) x_st(dst + i, x_xor(x_ld(a + i), x_ld(b + i))); /* may reach into `last` */
    x_st(dst, first);
    x_st(dst + end, last);
}

void HC_NAME(hc_xor_two)(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n <= 2 * XV) {
        if (n >= XV) X_TWICE(xv, x_ld, x_xor, x_st)
#if XV > 16
        if (n >= 16) X_TWICE(__m128i, X_LD16, _mm_xor_si128, X_ST16)
#endif
        if (n >= 8) X_TINY(uint64_t)
        if (n >= 4) X_TINY(uint32_t)
        if (n >= 2) X_TINY(uint16_t)
        if (n) dst[0] = (uint8_t)(a[0] ^ b[0]);
    } else if (n <= 4 * XV) {
        xv v = x_xor(x_ld(a), x_ld(b)), w = x_xor(x_ld(a + n - XV), x_ld(b + n - XV));
        xv x = x_xor(x_ld(a + XV), x_ld(b + XV)), y = x_xor(x_ld(a + n - 2 * XV), x_ld(b + n - 2 * XV));
        x_st(dst, v); x_st(dst + XV, x); x_st(dst + n - 2 * XV, y); x_st(dst + n - XV, w);
    } else if ((((uintptr_t)dst | n) & (XV - 1)) || n >= HC_XOR_NT) {
        HC_NAME(x_long)(dst, a, b, n);
    } else {
        size_t i = 0;
        X_TWO_RUNS(8)
        X_TWO_RUNS(1)
    }
}

/* The sources folded at one place, a T wide. */
#define X_FOLDER(T, LD)                                                                                                \
    HC_INLINE T HC_NAME(x_fold_##T)(const uint8_t *const *src, size_t k, size_t at)                                    \
    {                                                                                                                  \
        T v, w;                                                                                                        \
        LD(v, src[0] + at);                                                                                            \
        for (size_t s = 1; s < k; s++) { LD(w, src[s] + at); v = X_FOLD_##T(v, w); }                                   \
        return v;                                                                                                      \
    }
#define X_FOLD_xv(v, w) x_xor(v, w)
#define X_FOLD_uint64_t(v, w) (v ^ w)
#define X_FOLD_uint32_t(v, w) (v ^ w)
#define X_FOLD_uint16_t(v, w) (uint16_t)(v ^ w)
#define X_FOLD_uint8_t(v, w) (uint8_t)(v ^ w)
#define X_FOLD_LOAD(v, p) v = x_ld(p)
#define X_FOLD_COPY(v, p) memcpy(&v, p, sizeof v)
X_FOLDER(xv, X_FOLD_LOAD)
X_FOLDER(uint64_t, X_FOLD_COPY)
X_FOLDER(uint32_t, X_FOLD_COPY)
X_FOLDER(uint16_t, X_FOLD_COPY)
X_FOLDER(uint8_t, X_FOLD_COPY)
/* All n bytes, at least a T, in steps of it; the last one ends at n. */
#define X_FOLD_ALL(T)                                                                                                  \
    {                                                                                                                  \
        const T last = HC_NAME(x_fold_##T)(src, k, n - sizeof last);                                                   \
        for (; i + sizeof last < n; i += sizeof last) {                                                                \
            const T v = HC_NAME(x_fold_##T)(src, k, i);                                                                \
            memcpy(dst + i, &v, sizeof v);                                                                             \
        }                                                                                                              \
        memcpy(dst + n - sizeof last, &last, sizeof last);                                                             \
        return;                                                                                                        \
    }

/* One pointer is loaded for each N vectors. */
#define X_FOLD_RUNS(N)                                                                                                 \
    for (; i + N * XV <= n; i += N * XV) {                                                                             \
        const uint8_t *p = src[0] + i;                                                                                 \
        xv v[N];                                                                                                       \
        HC_UNROLL for (int j = 0; j < N; j++) v[j] = x_ld(p + XV * j);                                                 \
        for (size_t s = 1; s < k; s++) {                                                                               \
            p = src[s] + i;                                                                                            \
            HC_UNROLL for (int j = 0; j < N; j++) v[j] = x_xor(v[j], x_ld(p + XV * j));                                \
        }                                                                                                              \
        HC_UNROLL for (int j = 0; j < N; j++) x_st(dst + i + XV * j, v[j]);                                            \
    }

void HC_NAME(hc_xor_many)(uint8_t *dst, const uint8_t *const *src, size_t k, size_t n)
{
    size_t i = 0;
    if (k == 1) { if (n) memmove(dst, src[0], n); return; }
    if (k == 2) { HC_NAME(hc_xor_two)(dst, src[0], src[1], n); return; }
    if (n < XV) {
        if (n >= 8) X_FOLD_ALL(uint64_t)
        if (n >= 4) X_FOLD_ALL(uint32_t)
        if (n >= 2) X_FOLD_ALL(uint16_t)
        if (n) X_FOLD_ALL(uint8_t)
        return;
    }
    const xv last = HC_NAME(x_fold_xv)(src, k, n - XV);
    X_FOLD_RUNS(8)
    X_FOLD_RUNS(4)
    X_FOLD_RUNS(2)
    for (; i + XV < n; i += XV) x_st(dst + i, HC_NAME(x_fold_xv)(src, k, i));
    x_st(dst + n - XV, last);
}

/* A key of 1, 2, 4 or 8 bytes is a word: byte 0 lowest, turned to where its period stands. */
#define X_TURN(w, at) HC_LE64((w) >> (8 * ((at) & 7)) | (w) << (-8 * (int)(at) & 63))
#define X_WORD_ALL(T, LE)                                                                                              \
    {                                                                                                                  \
        T v, last;                                                                                                     \
        memcpy(&last, src + n - sizeof last, sizeof last);                                                             \
        last ^= LE((T)HC_LE64(X_TURN(w, n - sizeof last)));                                                            \
        for (; i + sizeof v < n; i += sizeof v) {                                                                      \
            memcpy(&v, src + i, sizeof v);                                                                             \
            v ^= LE((T)HC_LE64(X_TURN(w, i)));                                                                         \
            memcpy(dst + i, &v, sizeof v);                                                                             \
        }                                                                                                              \
        memcpy(dst + n - sizeof last, &last, sizeof last);                                                             \
        return;                                                                                                        \
    }
HC_INLINE void HC_NAME(x_key_word)(uint8_t *dst, uint64_t w, const uint8_t *src, size_t n)
{
    size_t i = 0;
    if (n < XV || XV == 8) {
        if (n >= 8) X_WORD_ALL(uint64_t, HC_LE64)
        if (n >= 4) X_WORD_ALL(uint32_t, HC_LE32)
        for (; i < n; i++) dst[i] = (uint8_t)(src[i] ^ (w >> 8 * i & 0xff)); /* three at most */
        return;
    }
    const xv p = x_set(X_TURN(w, 0)), last = x_xor(x_ld(src + n - XV), x_set(X_TURN(w, n - XV)));
    for (; i + 4 * XV <= n; i += 4 * XV) {
        xv q = x_xor(x_ld(src + i), p), r = x_xor(x_ld(src + i + XV), p);
        xv s = x_xor(x_ld(src + i + 2 * XV), p), t = x_xor(x_ld(src + i + 3 * XV), p);
        x_st(dst + i, q); x_st(dst + i + XV, r); x_st(dst + i + 2 * XV, s); x_st(dst + i + 3 * XV, t);
    }
    for (; i + XV < n; i += XV) x_st(dst + i, x_xor(x_ld(src + i), p));
    x_st(dst + n - XV, last);
}

#define X_KEYMAX 256 /* longer keys need no expanding: they are taken piece by piece */
void HC_NAME(hc_xor_key)(uint8_t *dst, const uint8_t *key, size_t klen, size_t at, const uint8_t *src, size_t n)
{
    uint8_t HC_ALIGN(64) e[X_KEYMAX + 8 * XV]; /* the key repeated, as far as four vectors from any place in it reach */
    size_t i = 0, have = klen, want = n < 4 * XV ? at + n : klen - 1 + 4 * XV;
    uint64_t w = 0;
    if (klen == 4) w = hc_load32le(key) * (uint64_t)0x100000001u;
    else if (klen == 8) w = hc_load64le(key);
    else if (klen == 2) w = (key[0] | (uint64_t)key[1] << 8) * 0x0001000100010001u;
    else if (klen == 1) w = key[0] * (uint64_t)0x0101010101010101u;
    if (klen == 4 || klen == 8 || klen <= 2) {
        HC_NAME(x_key_word)(dst, HC_LE64(X_TURN(w, at)), src, n);
        return;
    }
    if (klen > X_KEYMAX) {
        for (size_t m; i < n; i += m, at = 0) {
            m = klen - at < n - i ? klen - at : n - i;
            HC_NAME(hc_xor_two)(dst + i, src + i, key + at, m);
        }
        return;
    }
    memcpy(e, key, klen);
    for (size_t m; have < want; have += m) {
        m = have < want - have ? have : want - have;
        memcpy(e + have, e, m);
    }
    const size_t step = 4 * XV % klen;
    for (; i + 4 * XV <= n; i += 4 * XV) {
        const uint8_t *p = e + at;
        xv q = x_xor(x_ld(src + i), x_ld(p)), r = x_xor(x_ld(src + i + XV), x_ld(p + XV));
        xv s = x_xor(x_ld(src + i + 2 * XV), x_ld(p + 2 * XV)), t = x_xor(x_ld(src + i + 3 * XV), x_ld(p + 3 * XV));
        x_st(dst + i, q); x_st(dst + i + XV, r); x_st(dst + i + 2 * XV, s); x_st(dst + i + 3 * XV, t);
        at += step;
        if (at >= klen) at -= klen;
    }
    if (i < n) HC_NAME(hc_xor_two)(dst + i, src + i, e + at, n - i);
}
