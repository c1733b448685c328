/* test_bao.c - the Bao walker against a plain recursive encoder, and against everything an attacker may change. */
#include "hashcore.h"
#include "check.h"
#include "modes.h"
#include "vectors.h"

#define DATA_MAX (300 * 1024)
#define ENCODED_MAX (DATA_MAX + DATA_MAX / 8)
static uint8_t data[DATA_MAX];

static uint64_t below(uint64_t n) { return check_random() % n; }

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* ---- The specification, plainly: pre-order, every parent before its subtrees ------- */
typedef struct plain {
    uint8_t out[ENCODED_MAX];
    size_t len;
    const hc_blake3_mode *m;
    size_t leaf;
    int outboard;
} plain;

static void plain_node(plain *p, uint8_t cv[32], size_t at, size_t len)
{
    if (len <= p->leaf) {
        if (!p->outboard) {
            memcpy(p->out + p->len, data + at, len);
            p->len += len;
        }
        if (len > 0) hc_blake3_subtree(cv, p->m, data + at, len, at / 1024, 0, NULL);
    } else {
        const size_t left = (size_t)hc_blake3_left_len(len), here = p->len;
        uint8_t l[32], r[32];
        p->len += 64;
        plain_node(p, l, at, left);
        plain_node(p, r, at + left, len - left);
        memcpy(p->out + here, l, 32);
        memcpy(p->out + here + 32, r, 32);
        hc_blake3_parent(cv, p->m, l, r);
    }
}

static void plain_encode(plain *p, size_t len, const hc_blake3_mode *m, unsigned group, int outboard)
{
    uint8_t cv[32];
    int i;
    p->m = m;
    p->leaf = (size_t)1024 << group;
    p->outboard = outboard;
    for (i = 0; i < 8; i++) p->out[i] = (uint8_t)((uint64_t)len >> 8 * i);
    p->len = 8;
    plain_node(p, cv, 0, len);
}

/* ---- The walker, over memory ------------------------------------------------------- */
static size_t encode(uint8_t *out, uint8_t root[32], size_t len, const hc_blake3_mode *m, unsigned group, int outboard)
{
    hc_bao b;
    hc_bao_step step;
    uint64_t size = 0, written = 0;
    CHECK(hc_bao_size(&size, len, group, outboard, NULL) == HC_OK);
    CHECK(hc_bao_encode(&b, m, group, outboard, len, NULL) == HC_OK);
    for (;;) {
        hc_bao_next(&b, &step);
        if (step.kind == HC_BAO_END) break;
        if (step.kind == HC_BAO_LEAF) {
            CHECK(hc_bao_put(&b, data + step.data_at, step.size, NULL) == HC_OK);
            CHECK((step.encoded_at == UINT64_MAX) == outboard);
            if (outboard) continue;
            memcpy(out + step.encoded_at, data + step.data_at, step.size);
        } else {
            CHECK(hc_bao_get(&b, out + step.encoded_at, step.size, NULL) == HC_OK);
        }
        written += step.size;
    }
    CHECK(step.size == 32 && hc_bao_get(&b, root, 32, NULL) == HC_OK);
    CHECK_SAY(written == size, "%lu bytes, group %u", (unsigned long)len, group);
    return (size_t)size;
}

enum { TRUNCATED = 1 }; /* beside hc_result */

/* What a decoder gets to see: an encoding at its offsets or, for a slice, in sequence; leaves of an outboard apart. */
typedef struct source {
    const uint8_t *encoded, *beside;
    size_t len, beside_len;
    int sequence;
    size_t at;
} source;

static const uint8_t *give(source *s, const hc_bao_step *step)
{
    static const uint8_t nothing[1] = { 0 };
    const int apart = s->beside != NULL && step->kind == HC_BAO_LEAF;
    const uint64_t at = apart ? step->data_at : s->sequence ? s->at : step->encoded_at;
    const size_t len = apart ? s->beside_len : s->len;
    if (at > len || step->size > len - at) return NULL;
    if (!apart) s->at = (size_t)at + step->size;
    return step->size > 0 ? (apart ? s->beside : s->encoded) + at : nothing;
}

/* Every verified byte must be the true one. taken, if not NULL, marks what was read. */
static int decode(source *s, const uint8_t *root, const hc_blake3_mode *m, unsigned group, uint64_t start, uint64_t len,
                  size_t *verified, uint8_t *taken)
{
    hc_bao b, before;
    hc_bao_step step;
    int code;
    s->at = 0;
    *verified = 0;
    if (hc_bao_decode(&b, root, m, group, s->beside != NULL, start, len, NULL) != HC_OK) return HC_E_RANGE;
    for (;;) {
        const uint8_t *bytes;
        hc_bao_next(&b, &step);
        if (step.kind == HC_BAO_END) return HC_OK;
        bytes = give(s, &step);
        if (bytes == NULL) return TRUNCATED;
        before = b;
        code = hc_bao_put(&b, bytes, step.size, NULL);
        if (code != HC_OK) {
            CHECK(memcmp(&before, &b, sizeof b) == 0); /* another source may still have the right bytes */
            return code;
        }
        if (taken != NULL && bytes >= s->encoded && bytes < s->encoded + s->len)
            memset(taken + (bytes - s->encoded), 1, step.size);
        if (step.kind == HC_BAO_LEAF && root != NULL) {
            CHECK(step.data_at <= DATA_MAX && memcmp(data + step.data_at, bytes, step.size) == 0);
            *verified += step.size;
        }
    }
}

/* The stream of a slice, cut out of an encoding without verifying. */
static size_t cut(uint8_t *out, source *s, unsigned group, uint64_t start, uint64_t len)
{
    hc_bao b;
    hc_bao_step step;
    size_t n = 0;
    hc_bao_decode(&b, NULL, NULL, group, s->beside != NULL, start, len, NULL);
    for (hc_bao_next(&b, &step); step.kind != HC_BAO_END; hc_bao_next(&b, &step)) {
        const uint8_t *bytes = give(s, &step);
        CHECK(bytes != NULL && hc_bao_put(&b, bytes, step.size, NULL) == HC_OK);
        if (step.size > 0) memcpy(out + n, bytes, step.size);
        n += step.size;
    }
    return n;
}

static source whole(const uint8_t *encoded, size_t len)
{
    source s = { NULL, NULL, 0, 0, 0, 0 };
    s.encoded = encoded;
    s.len = len;
    return s;
}

/* ---- Right input --------------------------------------------------------------------- */
static uint8_t combined[ENCODED_MAX], outboard[ENCODED_MAX], stream[ENCODED_MAX], stream2[ENCODED_MAX];

static void slices(size_t len, const uint8_t root[32], size_t combined_len, size_t outboard_len,
                   const hc_blake3_mode *m, unsigned group)
{
    int i;
    for (i = 0; i < 12; i++) {
        const size_t leaf = (size_t)1024 << group;
        const uint64_t anywhere = below(2) ? below(len + 3000) : below(len / 1024 + 1) * 1024;
        const uint64_t start = i == 0 ? 0 : i == 1 ? len : i < 4 ? leaf - 1 : anywhere; /* 2, 3: the last of a leaf */
        const uint64_t want = i == 0          ? HC_UNTIL_END
                              : i == 2        ? 0
                              : i == 3        ? 1
                              : below(3) == 0 ? below(3)
                                              : below(len + 2);
        size_t verified, n, n2, first, last;
        source a = whole(combined, combined_len), b = whole(outboard, outboard_len), c;
        b.beside = data;
        b.beside_len = len;
        n = cut(stream, &a, group, start, want);
        n2 = cut(stream2, &b, group, start, want);
        CHECK(n == n2 && memcmp(stream, stream2, n) == 0);
        if (i == 0) CHECK(n == combined_len && memcmp(stream, combined, n) == 0);
        /* Slice format: one byte at least; past the end the last leaf; else what overlaps, and nothing more. */
        first = len == 0 ? 0 : (size_t)(start < len ? start : len - 1) / leaf * leaf;
        last = len == 0 || start >= len || want == 0 ? smaller(first + leaf, len)
               : want > len - start                  ? len
                                                     : smaller(((size_t)(start + want) - 1) / leaf * leaf + leaf, len);
        c = whole(stream, n);
        c.sequence = 1;
        CHECK(decode(&c, root, m, group, start, want, &verified, NULL) == HC_OK && c.at == n);
        CHECK_SAY(verified == last - first, "%lu at %llu of %lu, group %u", (unsigned long)verified,
                  (unsigned long long)start, (unsigned long)len, group);
        CHECK(decode(&a, root, m, group, start, want, &verified, NULL) == HC_OK && verified == last - first);
        CHECK(decode(&b, root, m, group, start, want, &verified, NULL) == HC_OK && verified == last - first);
        for (first = n; first > 0; first = first > 700 ? first - 1 - (size_t)below(700) : 0) { /* too little of it */
            c.len = first - 1;
            CHECK(decode(&c, root, m, group, start, want, &verified, NULL) != HC_OK);
        }
    }
}

static void right_input(size_t len, int mode, unsigned group)
{
    static plain p;
    uint8_t root[32], root2[32], hash[32], wrong[32];
    hc_blake3_mode storage, other;
    const hc_blake3_mode *m = mode_of(mode, &storage);
    const size_t combined_len = encode(combined, root, len, m, group, 0);
    const size_t outboard_len = encode(outboard, root2, len, m, group, 1);
    size_t verified;
    source a = whole(combined, combined_len);
    hc_blake3_hash(hash, 32, m, data, len, 0);
    CHECK(memcmp(root, hash, 32) == 0 && memcmp(root2, hash, 32) == 0);
    plain_encode(&p, len, m, group, 0);
    CHECK_SAY(p.len == combined_len && memcmp(p.out, combined, p.len) == 0, "%lu, group %u", (unsigned long)len, group);
    plain_encode(&p, len, m, group, 1);
    CHECK(p.len == outboard_len && memcmp(p.out, outboard, p.len) == 0);
    slices(len, root, combined_len, outboard_len, m, group);
    /* Nothing verifies against another root, or in another mode. */
    memcpy(wrong, root, 32);
    wrong[below(32)] ^= (uint8_t)(1 << below(8));
    CHECK(decode(&a, wrong, m, group, 0, HC_UNTIL_END, &verified, NULL) == HC_E_VERIFY && verified == 0);
    CHECK(decode(&a, root, mode_of((mode + 1) % 3, &other), group, 0, 0, &verified, NULL) == HC_E_VERIFY);
}

/* The example of the Bao specification (Combined Encoding Format): 2049 zero bytes. */
static void known(void)
{
    uint8_t root[32], hash[32];
    size_t n;
    memset(data, 0, 2049);
    n = encode(combined, root, 2049, NULL, 0, 0);
    CHECK(n == 8 + 64 + 64 + 2049);
    CHECK(check_hex(combined, 8, "0108000000000000"));
    CHECK(check_hex(combined + 8, 3, "a04fc7") && check_hex(combined + 72, 3, "91715a"));
    CHECK(check_hex(combined + 40, 3, "c37466") && check_hex(combined + 104, 3, "f0eef3"));
    hc_blake3_hash(hash, 32, NULL, data, 2049, 0);
    CHECK(memcmp(root, hash, 32) == 0);
    for (n = 0; n < 2049; n++) data[n] = (uint8_t)(n % 251);
}

/* ---- Changed input --------------------------------------------------------------------- */

/* Every bit, every truncation. A change is noticed, or lies outside what the slice reads, or is in the length while the
 * slice does not reach the end: then still only true bytes come out (decode checks that). */
static void every_bit(size_t len, unsigned group, uint64_t start, uint64_t want)
{
    static uint8_t taken[ENCODED_MAX];
    uint8_t root[32];
    size_t n, verified, all, i;
    source s;
    n = encode(combined, root, len, NULL, group, 0);
    s = whole(combined, n);
    memset(taken, 0, sizeof taken);
    CHECK(decode(&s, root, NULL, group, start, want, &all, taken) == HC_OK);
    for (i = 0; i < 8 * n; i += CHECK_CASES(1, 7)) {
        int code;
        combined[i / 8] ^= (uint8_t)(1 << i % 8);
        code = decode(&s, root, NULL, group, start, want, &verified, NULL);
        if (i >= 64)
            CHECK_SAY((code != HC_OK) == taken[i / 8], "bit %lu of %lu bytes", (unsigned long)i, (unsigned long)len);
        else if (all == len)
            CHECK_SAY(code != HC_OK, "bit %lu of the length %lu", (unsigned long)i, (unsigned long)len);
        combined[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    for (i = 0; i < n; i += CHECK_CASES(1, 5)) {
        size_t k = i;
        while (k < n && !taken[k]) k++;
        s.len = i;
        CHECK((decode(&s, root, NULL, group, start, want, &verified, NULL) != HC_OK) == (k < n));
    }
}

static void every_bit_outboard(size_t len, unsigned group)
{
    uint8_t root[32], hash[32];
    static uint8_t copy[16384];
    size_t n = encode(outboard, root, len, NULL, group, 1), verified, i;
    source s = whole(outboard, n);
    s.beside = copy;
    s.beside_len = len;
    memcpy(copy, data, len);
    for (i = 0; i < 8 * n; i += CHECK_CASES(1, 3)) {
        outboard[i / 8] ^= (uint8_t)(1 << i % 8);
        CHECK(decode(&s, root, NULL, group, 0, HC_UNTIL_END, &verified, NULL) != HC_OK);
        outboard[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    for (i = 0; i < 8 * len; i += 1 + (size_t)below(CHECK_CASES(13, 100))) {
        copy[i / 8] ^= (uint8_t)(1 << i % 8);
        CHECK(decode(&s, root, NULL, group, 0, HC_UNTIL_END, &verified, NULL) == HC_E_VERIFY);
        copy[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    CHECK(decode(&s, root, NULL, group, 0, HC_UNTIL_END, &verified, NULL) == HC_OK && verified == len);
    hc_blake3_hash(hash, 32, NULL, data, len, 0);
    CHECK(memcmp(root, hash, 32) == 0);
}

/* 100,000 encodings with random changes: bits, bytes, pieces moved, lengths, cut ends. None verifies a wrong byte. */
static void mutations(unsigned count)
{
    static uint8_t changed[24 * 1024];
    unsigned i, accepted = 0;
    for (i = 0; i < count; i++) {
        static size_t len, n;
        static unsigned group;
        static uint8_t root[32];
        static int apart;
        size_t verified, m, k;
        const uint64_t start = below(4) == 0 ? check_random() : below(20000);
        const uint64_t want = below(4) == 0 ? check_random() : below(20000);
        source s;
        int code, same;
        if (i % 100 == 0) {
            len = (size_t)below(below(2) ? 17000 : 3000);
            group = (unsigned)below(4);
            apart = (int)below(2);
            n = encode(combined, root, len, NULL, group, apart);
        }
        memcpy(changed, combined, n);
        m = n;
        for (k = 1 + (size_t)below(3); k > 0; k--) {
            const size_t at = (size_t)below(below(2) && m > 80 ? 80 : m > 0 ? m : 1), some = (size_t)below(70);
            switch (below(7)) {
            case 0: changed[at] ^= (uint8_t)(1 << below(8)); break;
            case 1: changed[at] = (uint8_t)check_random(); break;
            case 2: memmove(changed + at, changed + below(m + 1), smaller(some, m - at)); break;
            case 3: m = at; break;
            case 4: changed[below(8)] = (uint8_t)(below(2) ? 255 : below(256)); break;
            case 5: memset(changed + at, (int)below(256), smaller(some, m - at)); break;
            default:
                memcpy(changed + m, data, some);
                m += some;
                break; /* what follows is never read */
            }
        }
        s = whole(changed, m);
        s.beside = apart ? data : NULL;
        s.beside_len = len;
        s.sequence = !apart && below(4) == 0;
        code = decode(&s, root, NULL, group, start, want, &verified, NULL);
        CHECK(code == HC_OK || code == HC_E_VERIFY || code == TRUNCATED);
        same = m >= n && memcmp(changed, combined, n) == 0;
        CHECK(!same || s.sequence || code == HC_OK);
        accepted += code == HC_OK;
    }
    CHECK(accepted > 0 && accepted < count); /* else the changes were too tame or too wild to show anything */
}

/* ---- Numbers that wrap -------------------------------------------------------------------- */

static void header(uint8_t h[8], uint64_t len)
{
    int i;
    for (i = 0; i < 8; i++) h[i] = (uint8_t)(len >> 8 * i);
}

/* Lengths nobody has. Walked blindly, the way to any slice ends after at most 54 parents a side, inside it. */
static void huge_lengths(void)
{
    static const uint64_t lens[] = { (uint64_t)1 << 40, ((uint64_t)1 << 63) - 1,
                                     (uint64_t)1 << 63, ((uint64_t)1 << 63) + 1,
                                     UINT64_MAX - 1024, UINT64_MAX - 9,
                                     UINT64_MAX - 1,    UINT64_MAX };
    static const uint8_t zero[1024] = { 0 };
    static uint8_t leaf[1024 << HC_BAO_GROUP_MAX];
    size_t i;
    unsigned group;
    int apart, verify, k;
    for (i = 0; i < sizeof lens / sizeof lens[0]; i++)
        for (group = 0; group <= HC_BAO_GROUP_MAX; group += 5)
            for (apart = 0; apart < 2; apart++)
                for (verify = 0; verify < 2; verify++)
                    for (k = 0; k < 4; k++) {
                        const uint64_t starts[] = { 0, lens[i] / 3, lens[i] - 1, UINT64_MAX };
                        uint64_t size, end = 0;
                        uint8_t h[8];
                        hc_bao b;
                        hc_bao_step step;
                        int code, steps = 0;
                        const int fits = hc_bao_size(&size, lens[i], group, apart, NULL) == HC_OK;
                        header(h, lens[i]);
                        CHECK(hc_bao_decode(&b, verify ? zero : NULL, NULL, group, apart, starts[k], 1, NULL) == HC_OK);
                        code = hc_bao_put(&b, h, 8, NULL);
                        CHECK(code == (fits ? HC_OK : HC_E_VERIFY));
                        if (!fits) continue;
                        for (hc_bao_next(&b, &step); step.kind == HC_BAO_PARENT; hc_bao_next(&b, &step)) {
                            CHECK(step.encoded_at >= 8 && step.encoded_at <= size - 64 && step.encoded_at >= end);
                            end = step.encoded_at + 64;
                            CHECK(++steps <= 54);
                            code = hc_bao_put(&b, zero, 64, NULL);
                            if (verify) CHECK(code == HC_E_VERIFY);
                            if (code != HC_OK) break;
                        }
                        if (verify) continue;
                        CHECK(step.kind == HC_BAO_LEAF && step.size > 0 && step.size <= (size_t)1024 << group);
                        CHECK(step.data_at <= lens[i] - step.size);
                        CHECK(starts[k] >= lens[i] ||
                              (starts[k] >= step.data_at && starts[k] - step.data_at < step.size));
                        CHECK(starts[k] < lens[i] || step.data_at + step.size == lens[i]);
                        CHECK(apart ? step.encoded_at == UINT64_MAX : step.encoded_at <= size - step.size);
                        CHECK(hc_bao_put(&b, leaf, step.size, NULL) == HC_OK);
                        hc_bao_next(&b, &step);
                        CHECK(step.kind == HC_BAO_END);
                    }
}

/* The length is 8 + data + 64 a parent; the largest that fits, and one byte more. */
static void sizes(void)
{
    static const struct {
        uint64_t len;
        unsigned group;
        int outboard;
        uint64_t size;
    } known_sizes[] = { { 0, 0, 0, 8 },
                        { 1, 0, 0, 9 },
                        { 1025, 0, 0, 1097 },
                        { 1025, 0, 1, 72 },
                        { 2049, 0, 0, 2185 },
                        { 2049, 0, 1, 136 },
                        { 1 << 20, 0, 0, 1114056 },
                        { 1 << 20, 0, 1, 65480 },
                        { 1 << 20, 4, 1, 4040 },
                        { UINT64_MAX, 0, 1, 64 * (((uint64_t)1 << 54) - 1) + 8 } };
    uint64_t size = 77;
    unsigned group;
    size_t i;
    hc_error e;
    for (i = 0; i < sizeof known_sizes / sizeof known_sizes[0]; i++) {
        CHECK(hc_bao_size(&size, known_sizes[i].len, known_sizes[i].group, known_sizes[i].outboard, NULL) == HC_OK);
        CHECK_SAY(size == known_sizes[i].size, "%llu", (unsigned long long)size);
    }
    for (group = 0; group <= HC_BAO_GROUP_MAX; group++) {
        hc_bao b;
        uint64_t largest = 0;
        CHECK(hc_bao_size(&size, UINT64_MAX, group, 0, &e) == HC_E_RANGE && strcmp(e.argument, "data_len") == 0);
        CHECK(hc_bao_size(&largest, e.max, group, 0, NULL) == HC_OK && largest > UINT64_MAX - 65);
        size = 77;
        CHECK(hc_bao_size(&size, e.max + 1, group, 0, NULL) == HC_E_RANGE && size == 77);
        CHECK(hc_bao_encode(&b, NULL, group, 0, e.max + 1, NULL) == HC_E_RANGE);
        CHECK(hc_bao_encode(&b, NULL, group, 0, e.max, NULL) == HC_OK);
    }
    CHECK(hc_bao_size(&size, 1, 11, 0, &e) == HC_E_RANGE && strcmp(e.argument, "group") == 0 && e.max == 10);
}

/* ---- Calls out of turn ----------------------------------------------------------------------- */
static void out_of_turn(void)
{
    hc_bao b, before;
    hc_bao_step step;
    uint8_t buf[64] = { 0 }, root[32] = { 0 };
    hc_error e;
    CHECK(hc_bao_decode(&b, root, NULL, 11, 0, 0, 0, &e) == HC_E_RANGE && e.min == 0 && e.max == 10);
    CHECK(hc_bao_encode(&b, NULL, 64, 0, 0, &e) == HC_E_RANGE);
    CHECK(hc_bao_encode(&b, NULL, 0, 0, 1500, NULL) == HC_OK);
    before = b;
    CHECK(hc_bao_put(&b, buf, 8, &e) == HC_E_PARAM);
    CHECK(hc_bao_get(&b, buf, 7, &e) == HC_E_LENGTH && e.min == 8 && e.max == 8);
    CHECK(memcmp(&b, &before, sizeof b) == 0);
    CHECK(hc_bao_get(&b, buf, 8, NULL) == HC_OK);
    CHECK(hc_bao_get(&b, buf, 8, &e) == HC_E_PARAM);
    CHECK(hc_bao_put(&b, data, 1023, &e) == HC_E_LENGTH && e.min == 1024);
    CHECK(hc_bao_put(&b, data, 1024, NULL) == HC_OK && hc_bao_put(&b, data, 476, NULL) == HC_OK);
    hc_bao_next(&b, &step);
    CHECK(step.kind == HC_BAO_PARENT && step.size == 64 && step.encoded_at == 8);
    CHECK(hc_bao_put(&b, data, 64, NULL) == HC_E_PARAM && hc_bao_get(&b, buf, 64, NULL) == HC_OK);
    hc_bao_next(&b, &step);
    CHECK(step.kind == HC_BAO_END && hc_bao_get(&b, buf, 31, NULL) == HC_E_LENGTH);
    CHECK(hc_bao_get(&b, root, 32, NULL) == HC_OK && hc_bao_get(&b, buf, 32, NULL) == HC_OK &&
          memcmp(root, buf, 32) == 0);
    CHECK(hc_bao_put(&b, buf, 32, NULL) == HC_E_PARAM);

    CHECK(hc_bao_decode(&b, root, NULL, 0, 0, 0, 0, NULL) == HC_OK);
    CHECK(hc_bao_get(&b, buf, 8, NULL) == HC_E_PARAM && hc_bao_put(&b, buf, 9, NULL) == HC_E_LENGTH);
    /* No data: the empty leaf is verified all the same. */
    hc_blake3_hash(root, 32, NULL, NULL, 0, 0);
    memset(buf, 0, sizeof buf);
    CHECK(hc_bao_decode(&b, root, NULL, 0, 0, 0, 0, NULL) == HC_OK && hc_bao_put(&b, buf, 8, NULL) == HC_OK);
    hc_bao_next(&b, &step);
    CHECK(step.kind == HC_BAO_LEAF && step.size == 0 && hc_bao_put(&b, NULL, 0, NULL) == HC_OK);
    hc_bao_next(&b, &step);
    CHECK(step.kind == HC_BAO_END && step.size == 0 && hc_bao_put(&b, NULL, 0, NULL) == HC_E_PARAM);
    root[0] ^= 1;
    CHECK(hc_bao_decode(&b, root, NULL, 0, 0, 0, 0, NULL) == HC_OK && hc_bao_put(&b, buf, 8, NULL) == HC_OK);
    CHECK(hc_bao_put(&b, NULL, 0, &e) == HC_E_VERIFY && strcmp(e.argument, "leaf") == 0);
}

static void one_level(void)
{
    static const size_t edges[] = { 0,    1,    63,   64,   1023, 1024, 1025,  2047,  2048,  2049, 3072,
                                    3073, 4096, 4097, 5121, 8192, 8193, 16384, 16385, 31744, 65537 };
    size_t i;
    known();
    for (i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        right_input(edges[i], 0, 0);
        right_input(edges[i], (int)(i % 3), 1 + (unsigned)(i % 5));
    }
    for (i = 0; i < CHECK_CASES(12, 2); i++) right_input((size_t)below(40000), (int)below(3), (unsigned)below(5));
    right_input(DATA_MAX, 0, 4);
    if (CHECK_CASES(1, 0)) right_input(DATA_MAX, 1, 10);
}

int main(void)
{
    static const size_t lens[] = { 0, 1, 64, 1023, 1024, 1025, 2048, 2049, 3073, 5000, 7800 };
    char level[64];
    size_t i;
    int here;
    check_seed("test_bao");
    for (i = 0; i < DATA_MAX; i++) data[i] = (uint8_t)(i % 251);
    for (i = 0; (here = vec_level(i, level, sizeof level)) >= 0; i++)
        if (here && strstr(level, "no-") == NULL) /* what is left out there is SHA-256's */
            one_level();
    sizes();
    huge_lengths();
    out_of_turn();
    for (i = 0; i < CHECK_CASES(sizeof lens / sizeof lens[0], 8); i++) {
        every_bit(lens[i], 0, 0, HC_UNTIL_END);
        every_bit(lens[i], (unsigned)(i % 3), below(lens[i] + 1), below(1500));
        every_bit_outboard(lens[i], (unsigned)(i % 2));
    }
    mutations(CHECK_CASES(100000, 3000));
    return check_done("test_bao");
}
