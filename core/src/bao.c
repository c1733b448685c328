/* bao.c - Bao verified streaming over BLAKE3: a walker that says which bytes come next and checks them. */
#include "internal.h"

/* The tree is BLAKE3's, cut off where a subtree fits in a leaf of 2^group chunks. Nodes are named by the leaf they
 * begin at and their level: level k spans up to 2^k leaves, fewer only at the right edge, always more than half. */
#define LEVELS (HC_B3_DEPTH + 1)

typedef struct HC_ALIAS bao {
    uint64_t data_len; /* decode: from the header */
    uint64_t lo, hi;   /* decode: the slice, in bytes of data; once the header is known lo < hi, but for no data */
    uint64_t at;       /* data offset: decode, of the node on top; encode, of the next leaf */
    uint64_t encoded;  /* decode: offset of the node on top in the encoding */
    uint64_t leaf;     /* encode: index of the last leaf, whose lowest one bits are cleared as parents are made */
    hc_b3_mode mode;
    uint8_t kind, group, outboard, encode, verify;
    uint8_t depth;  /* of the stack */
    uint8_t merges; /* encode: parents to make before the next leaf */
    uint8_t level[LEVELS];
    uint8_t cv[LEVELS * 32]; /* decode: what is expected of nodes to come, the next on top; encode: what is complete */
} bao;
HC_STATIC_ASSERT(bao_fits, sizeof(bao) <= sizeof(hc_bao));

static uint64_t leaf_size(unsigned group) { return (uint64_t)HC_BLAKE3_CHUNK_SIZE << group; }

static uint64_t leaves_of(uint64_t data_len, unsigned group)
{
    return data_len == 0 ? 1 : (data_len - 1) / leaf_size(group) + 1;
}

static uint8_t level_of(uint64_t leaves)
{
    uint8_t level = 0;
    for (leaves--; leaves > 0; leaves >>= 1) level++;
    return level;
}

/* Longest data whose combined encoding is shorter than 2^64 bytes: 8, a leaf, then leaves with a parent each. */
static uint64_t data_max(unsigned group, int outboard)
{
    const uint64_t leaf = leaf_size(group), rest = UINT64_MAX - 8 - leaf, each = leaf + 64;
    const uint64_t last = rest % each;
    return outboard ? UINT64_MAX : leaf + rest / each * leaf + (last > 64 ? last - 64 : 0);
}

/* Bytes of the encoding of a subtree. */
static uint64_t encoded_len(uint64_t data_len, unsigned group, int outboard)
{
    return 64 * (leaves_of(data_len, group) - 1) + (outboard ? 0 : data_len);
}

static int check_group(unsigned group, hc_error *err)
{
    return group <= HC_BAO_GROUP_MAX ? HC_OK : hc_fail(err, HC_E_RANGE, "group", group, 0, HC_BAO_GROUP_MAX);
}

static int check_size(uint64_t data_len, unsigned group, int outboard, hc_error *err)
{
    const int code = check_group(group, err);
    if (code == HC_OK && data_len > data_max(group, outboard))
        return hc_fail(err, HC_E_RANGE, "data_len", data_len, 0, data_max(group, outboard));
    return code;
}

int hc_bao_size(uint64_t *size, uint64_t data_len, unsigned group, int outboard, hc_error *err)
{
    const int code = check_size(data_len, group, outboard, err);
    if (code == HC_OK) *size = 8 + encoded_len(data_len, group, outboard);
    return code;
}

static bao *start_walk(hc_bao *b, const hc_blake3_mode *m, unsigned group, int outboard)
{
    bao *s = (bao *)(void *)b;
    memset(s, 0, offsetof(bao, level));
    s->mode = *HC_B3_MODE(m);
    s->group = (uint8_t)group;
    s->outboard = outboard != 0;
    s->kind = HC_BAO_HEADER;
    return s;
}

int hc_bao_decode(hc_bao *b, const uint8_t *root, const hc_blake3_mode *m, unsigned group, int outboard, uint64_t start,
                  uint64_t len, hc_error *err)
{
    bao *s;
    if (check_group(group, err) != HC_OK) return HC_E_RANGE;
    s = start_walk(b, m, group, outboard);
    s->lo = start;
    s->hi = len > UINT64_MAX - start ? UINT64_MAX : start + len;
    s->verify = root != NULL;
    memset(s->cv, 0, 32);
    if (root != NULL) memcpy(s->cv, root, 32);
    return HC_OK;
}

int hc_bao_encode(hc_bao *b, const hc_blake3_mode *m, unsigned group, int outboard, uint64_t data_len, hc_error *err)
{
    bao *s;
    const int code = check_size(data_len, group, outboard, err);
    if (code != HC_OK) return code;
    s = start_walk(b, m, group, outboard);
    s->encode = 1;
    s->data_len = data_len;
    return HC_OK;
}

/* ---- Where things stand ------------------------------------------------------ */

/* Data bytes of the node at data offset `at`. */
static uint64_t node_len(const bao *s, uint64_t at, unsigned level)
{
    const uint64_t left = s->data_len - at, leaf = leaf_size(s->group);
    return left >> level < leaf ? left : leaf << level;
}

/* Offset in the encoding of the node at a data offset: pre-order, so before it stand the parents of everything to its
 * left, one fewer than leaves for each whole subtree there, and the parents above it: in sum one for each leaf to its
 * left and one for each turn to the left on the way down from the root. */
static uint64_t encoded_at(const bao *s, uint64_t at, unsigned level)
{
    uint64_t from = 0, turns = 0;
    unsigned k = level_of(leaves_of(s->data_len, s->group));
    while (k > level) {
        const uint64_t left = leaf_size(s->group) << (k - 1);
        if (at - from < left) {
            turns++;
            k--;
        } else {
            from += left;
            k = level_of(leaves_of(node_len(s, from, k - 1), s->group));
        }
    }
    return 8 + (s->outboard ? 0 : at) + 64 * (at / leaf_size(s->group) + turns);
}

void hc_bao_next(const hc_bao *b, hc_bao_step *step)
{
    const bao *s = (const bao *)(const void *)b;
    uint64_t at = s->at;
    unsigned level = 0;
    step->kind = s->kind;
    step->size = s->kind == HC_BAO_HEADER ? 8 : s->kind == HC_BAO_PARENT ? 64 : s->encode ? 32 : 0;
    step->encoded_at = step->data_at = 0;
    if (s->kind == HC_BAO_END || s->kind == HC_BAO_HEADER) return;
    if (s->encode && s->kind == HC_BAO_PARENT) {
        /* It ends where the last leaf did, and begins where clearing one more bit of its index leads. */
        const uint64_t first = s->leaf & (s->leaf - 1);
        at = first * leaf_size(s->group);
        level = level_of(leaves_of(s->at - at, s->group));
    }
    if (s->kind == HC_BAO_LEAF) {
        step->size = (size_t)node_len(s, at, 0);
        step->data_at = at;
    }
    if (s->kind == HC_BAO_LEAF && s->outboard)
        step->encoded_at = UINT64_MAX;
    else
        step->encoded_at = s->encode ? encoded_at(s, at, level) : s->encoded;
}

/* ---- Hashing ------------------------------------------------------------------ */

/* What the tree holds for these bytes of a node: for the root, the hash of all. */
static void node_value(const bao *s, uint8_t cv[32], const uint8_t *bytes, size_t size, int leaf, uint64_t at, int root)
{
    if (!leaf)
        HC_K(b3_block)(cv, s->mode.key, bytes, 64, 0, HC_B3_PARENT | s->mode.flags | (root ? HC_B3_ROOT : 0));
    else if (root)
        (void)hc_blake3_hash(cv, 32, (const hc_blake3_mode *)(const void *)&s->mode, bytes, size, 1);
    else
        hc_b3_subtree_value(cv, &s->mode, bytes, size, at / HC_BLAKE3_CHUNK_SIZE, 1);
}

/* ---- Decoding ----------------------------------------------------------------- */

/* Leave out subtrees that the slice does not touch; what is on top then comes next. */
static void decode_skip(bao *s)
{
    while (s->depth > 0) {
        const unsigned level = s->level[s->depth - 1];
        const uint64_t len = node_len(s, s->at, level);
        if (s->at < s->hi && (s->lo <= s->at || s->lo - s->at < len)) {
            s->kind = level > 0 ? HC_BAO_PARENT : HC_BAO_LEAF;
            return;
        }
        s->at += len;
        s->encoded += encoded_len(len, s->group, s->outboard);
        s->depth--;
    }
    s->kind = HC_BAO_END;
}

static int decode_header(bao *s, const uint8_t *bytes, hc_error *err)
{
    const uint64_t len = hc_load64le(bytes), most = data_max(s->group, s->outboard);
    if (len > most) return hc_fail_at(err, HC_E_VERIFY, "header", 0, len, 0, most);
    /* Slice format: at least one byte, and past the end the last leaf. */
    s->data_len = len;
    if (s->lo >= len) s->lo = len == 0 ? 0 : len - 1;
    if (s->hi <= s->lo) s->hi = s->lo + 1;
    s->depth = 1;
    s->level[0] = level_of(leaves_of(len, s->group));
    s->encoded = 8;
    decode_skip(s);
    return HC_OK;
}

static int decode_node(bao *s, const uint8_t *bytes, size_t size, hc_error *err)
{
    const unsigned top = s->depth - 1u, level = s->level[top];
    const int leaf = level == 0;
    /* The root is the first node of the walk: later ones have an offset or come after a parent. */
    if (s->verify) {
        uint8_t cv[32];
        int same;
        node_value(s, cv, bytes, size, leaf, s->at, s->encoded == 8);
        same = hc_equal(cv, s->cv + 32 * top, 32);
        hc_wipe(cv, s->mode.flags != 0 ? sizeof cv : 0);
        if (!same)
            return hc_fail_at(err, HC_E_VERIFY, leaf ? "leaf" : "parent", leaf && s->outboard ? s->at : s->encoded, 0,
                              0, 0);
    }
    if (leaf) {
        s->at += size;
        s->encoded += s->outboard ? 0 : size;
        s->depth--;
    } else {
        const uint64_t len = node_len(s, s->at, level), left = leaf_size(s->group) << (level - 1);
        memcpy(s->cv + 32 * top, bytes + 32, 32);
        memcpy(s->cv + 32 * (top + 1), bytes, 32);
        s->level[top] = level_of(leaves_of(len - left, s->group));
        s->level[top + 1] = (uint8_t)(level - 1);
        s->encoded += 64;
        s->depth++;
    }
    decode_skip(s);
    return HC_OK;
}

/* ---- Encoding ----------------------------------------------------------------- */

static void encode_choose(bao *s)
{
    s->kind = s->merges > 0 ? HC_BAO_PARENT : s->depth == 0 || s->at < s->data_len ? HC_BAO_LEAF : HC_BAO_END;
}

static void encode_leaf(bao *s, const uint8_t *bytes, size_t size)
{
    uint64_t ones = s->at / leaf_size(s->group);
    const int last = size == s->data_len - s->at;
    node_value(s, s->cv + 32 * s->depth++, bytes, size, 1, s->at, last && s->at == 0);
    s->leaf = ones;
    s->at += size;
    /* A parent is complete for each one bit at the low end of the leaf's index; after the last leaf, for every one. */
    for (s->merges = 0; ones > 0 && (last || (ones & 1) == 1); ones >>= 1)
        s->merges = (uint8_t)(s->merges + (ones & 1));
    encode_choose(s);
}

static void encode_parent(bao *s, uint8_t *out)
{
    uint8_t cv[32];
    uint8_t *pair = s->cv + 32 * (s->depth - 2);
    memcpy(out, pair, 64);
    s->leaf &= s->leaf - 1;
    s->merges--;
    s->depth--;
    node_value(s, cv, pair, 64, 0, 0, s->at == s->data_len && s->merges == 0);
    memcpy(pair, cv, 32);
    encode_choose(s);
}

/* ---- Both --------------------------------------------------------------------- */

static int check_step(const hc_bao *b, int may, const char *argument, size_t size, hc_error *err)
{
    hc_bao_step step;
    hc_bao_next(b, &step);
    if (!may) return hc_fail(err, HC_E_PARAM, argument, HC_WHY_UNSUPPORTED, 0, 0);
    if (size != step.size) return hc_fail(err, HC_E_LENGTH, "size", size, step.size, step.size);
    return HC_OK;
}

int hc_bao_put(hc_bao *b, const void *bytes, size_t size, hc_error *err)
{
    bao *s = (bao *)(void *)b;
    const int code = check_step(b, s->encode ? s->kind == HC_BAO_LEAF : s->kind != HC_BAO_END, "bytes", size, err);
    if (code != HC_OK) return code;
    if (s->encode) {
        encode_leaf(s, (const uint8_t *)bytes, size);
        return HC_OK;
    }
    return s->kind == HC_BAO_HEADER ? decode_header(s, (const uint8_t *)bytes, err)
                                    : decode_node(s, (const uint8_t *)bytes, size, err);
}

int hc_bao_get(hc_bao *b, void *out, size_t size, hc_error *err)
{
    bao *s = (bao *)(void *)b;
    const int code = check_step(b, s->encode && s->kind != HC_BAO_LEAF, "out", size, err);
    if (code != HC_OK) return code;
    if (s->kind == HC_BAO_HEADER) {
        hc_store64le(out, s->data_len);
        encode_choose(s);
    } else if (s->kind == HC_BAO_PARENT) {
        encode_parent(s, (uint8_t *)out);
    } else {
        memcpy(out, s->cv, 32);
    }
    return HC_OK;
}
