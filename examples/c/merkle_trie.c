/* merkle_trie.c - the id of a Merkle radix trie (avalanchego's merkledb, 16 children a node), one batch a height.
 *
 *   merkle_trie [number of keys] [sha256 | blake3]
 *   merkle_trie --check
 *
 * A node's bytes are uvarint(children), for each child uvarint(index) and its id, then 0 or 1, uvarint(length) and the
 * value's digest, then uvarint(bits of the key) and the key. Its id is their hash. Nodes of one height depend on lower
 * ones only, so each height is a single call of hc_digest_many. */
#include <hashcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID = 32, HEIGHTS = 64 };

typedef struct node {
    const uint8_t *key;
    size_t nibbles; /* of the key that lead here */
    hc_slice value; /* its digest; data NULL: none */
    unsigned index; /* among its parent's children */
    unsigned height;
    struct node *child, *sibling, *same_height;
    uint8_t id[ID];
} node;

typedef struct pair {
    uint8_t key[10];
    size_t key_len;
    uint8_t digest[ID]; /* of the value; a value shorter than 32 bytes would stand here itself */
} pair;

typedef struct trie {
    node *nodes; /* 2 * pairs are enough */
    size_t used;
    node *first[HEIGHTS], **last[HEIGHTS];
    size_t count[HEIGHTS];
} trie;

static void *need(void *p)
{
    if (p == NULL) {
        fputs("merkle_trie: out of memory\n", stderr);
        exit(2);
    }
    return p;
}

/* ---- The bytes of a node ---------------------------------------------------------- */
static size_t uvarint(uint8_t *out, uint64_t n)
{
    size_t len = 0;
    for (; n >= 128; n >>= 7) out[len++] = (uint8_t)(n | 128);
    out[len++] = (uint8_t)n;
    return len;
}

/* Room that any node's bytes fit in. */
static size_t encoded_max(const node *n) { return 16 * (1 + ID) + 2 + 11 + n->value.len + 10 + n->nibbles / 2 + 1; }

static size_t encode(uint8_t *out, const node *n)
{
    const node *c;
    size_t children = 0, len, whole = n->nibbles / 2;
    for (c = n->child; c != NULL; c = c->sibling) children++;
    len = uvarint(out, children);
    for (c = n->child; c != NULL; c = c->sibling) {
        len += uvarint(out + len, c->index);
        memcpy(out + len, c->id, ID);
        len += ID;
    }
    out[len++] = n->value.data != NULL;
    if (n->value.data != NULL) {
        len += uvarint(out + len, n->value.len);
        memcpy(out + len, n->value.data, n->value.len);
        len += n->value.len;
    }
    len += uvarint(out + len, 4 * (uint64_t)n->nibbles);
    if (whole > 0) memcpy(out + len, n->key, whole);
    len += whole;
    if (n->nibbles % 2 == 1) out[len++] = n->key[whole] & 0xf0;
    return len;
}

/* ---- The trie ----------------------------------------------------------------------- */
static unsigned nibble(const uint8_t *key, size_t i) { return i % 2 ? key[i / 2] & 15 : key[i / 2] >> 4; }

static int by_key(const void *a, const void *b)
{
    const pair *p = (const pair *)a, *q = (const pair *)b;
    const int order = memcmp(p->key, q->key, p->key_len < q->key_len ? p->key_len : q->key_len);
    return order != 0 ? order : p->key_len < q->key_len ? -1 : 1;
}

/* The node over sorted, distinct pairs that agree in `depth` nibbles. */
static node *build(trie *t, const pair *from, const pair *to, size_t depth)
{
    node *n = &t->nodes[t->used++];
    node **tail = &n->child;
    const pair *last = to - 1;
    memset(n, 0, sizeof *n);
    n->key = from->key;
    n->nibbles = depth;
    if (from == last) n->nibbles = 2 * from->key_len;
    while (n->nibbles < 2 * from->key_len && n->nibbles < 2 * last->key_len &&
           nibble(from->key, n->nibbles) == nibble(last->key, n->nibbles))
        n->nibbles++;
    if (n->nibbles == 2 * from->key_len) {
        n->value.data = from->digest;
        n->value.len = ID;
        from++;
    }
    while (from < to) {
        const unsigned index = nibble(from->key, n->nibbles);
        const pair *end = from + 1;
        while (end < to && nibble(end->key, n->nibbles) == index) end++;
        *tail = build(t, from, end, n->nibbles + 1);
        (*tail)->index = index;
        if (n->height <= (*tail)->height) n->height = (*tail)->height + 1;
        tail = &(*tail)->sibling;
        from = end;
    }
    if (t->last[n->height] == NULL) t->last[n->height] = &t->first[n->height];
    *t->last[n->height] = n;
    t->last[n->height] = &n->same_height;
    t->count[n->height]++;
    return n;
}

/* Ids of a list of nodes: their bytes in one buffer, the offsets beside it, one batch. */
static int identify(const hc_alg *alg, node *list, size_t count, hc_error *err)
{
    uint64_t *offsets = (uint64_t *)need(malloc((count + 1) * sizeof *offsets));
    uint8_t *ids = (uint8_t *)need(malloc(count * ID)), *bytes;
    hc_batch batch = { 0, NULL, { NULL, 0 }, { NULL, 0 }, NULL, 0, 64 };
    size_t room = 0, i = 0;
    node *n;
    int code;
    for (n = list; n != NULL; n = n->same_height) room += encoded_max(n);
    bytes = (uint8_t *)need(malloc(room));
    offsets[0] = 0;
    for (n = list; n != NULL; n = n->same_height, i++) offsets[i + 1] = offsets[i] + encode(bytes + offsets[i], n);
    batch.count = count;
    batch.data.data = bytes;
    batch.data.len = (size_t)offsets[count];
    batch.offsets = offsets;
    code = hc_digest_many(alg, ids, ID, NULL, &batch, HC_THREADS_AUTO, err);
    for (n = list, i = 0; code == HC_OK && n != NULL; n = n->same_height, i++) memcpy(n->id, ids + ID * i, ID);
    free(bytes);
    free(ids);
    free(offsets);
    return code;
}

/* Root of the trie that merkledb's own benchmark builds: keys uvarint(0), uvarint(1), ..., values SHA-256 of the key;
 * these have 32 bytes, so that their hash stands in the node. */
static int root_of(uint8_t root[ID], const hc_alg *alg, size_t keys, int show, hc_error *err)
{
    pair *pairs = (pair *)need(calloc(keys, sizeof *pairs));
    hc_slice *items = (hc_slice *)need(malloc(keys * sizeof *items));
    uint8_t *values = (uint8_t *)need(malloc(keys * ID));
    hc_batch batch = { 0, NULL, { NULL, 0 }, { NULL, 0 }, NULL, ID, 0 };
    static const trie empty;
    trie t = empty;
    size_t i;
    int code;
    for (i = 0; i < keys; i++) {
        pairs[i].key_len = uvarint(pairs[i].key, i);
        items[i].data = pairs[i].key;
        items[i].len = pairs[i].key_len;
    }
    batch.count = keys;
    batch.items = items;
    code = hc_digest_many(hc_alg_find("sha256"), values, ID, NULL, &batch, 0, err);
    batch.items = NULL;
    batch.data.data = values;
    batch.data.len = keys * ID;
    if (code == HC_OK) /* in place: a digest is as long as a value */
        code = hc_digest_many(alg, values, ID, NULL, &batch, 0, err);
    for (i = 0; i < keys; i++) memcpy(pairs[i].digest, values + ID * i, ID);
    qsort(pairs, keys, sizeof *pairs, by_key);
    t.nodes = (node *)need(malloc(2 * keys * sizeof *t.nodes));
    build(&t, pairs, pairs + keys, 0);
    for (i = 0; code == HC_OK && i < HEIGHTS && t.count[i] > 0; i++) {
        code = identify(alg, t.first[i], t.count[i], err);
        if (show) printf("height %u: %lu nodes\n", (unsigned)i, (unsigned long)t.count[i]);
    }
    if (code == HC_OK) memcpy(root, t.nodes[0].id, ID);
    free(t.nodes);
    free(values);
    free(items);
    free(pairs);
    return code;
}

/* ---- Known answers: merkledb's hashing_test.go and view_test.go ------------------------------- */
static int is_hex(const uint8_t id[ID], const char *hex)
{
    char text[2 * ID];
    hc_hex(text, id, ID);
    return memcmp(text, hex, sizeof text) == 0;
}

static void leaf(node *n, const uint8_t *key, const char *value, unsigned index)
{
    memset(n, 0, sizeof *n);
    n->key = key;
    n->nibbles = 2;
    n->value.data = value;
    n->value.len = strlen(value);
    n->index = index;
}

/* A node over `children` leaves without a key of its own. */
static int parent_is(const hc_alg *alg, node *leaves, unsigned children, const char *id)
{
    node top;
    unsigned i;
    memset(&top, 0, sizeof top);
    for (i = 0; i < children; i++) {
        if (identify(alg, &leaves[i], 1, NULL) != HC_OK) return 0;
        leaves[i].sibling = i + 1 < children ? &leaves[i + 1] : NULL;
    }
    top.child = children > 0 ? leaves : NULL;
    return identify(alg, &top, 1, NULL) == HC_OK && is_hex(top.id, id);
}

static int check_nodes(const hc_alg *alg, const char *const ids[6])
{
    static const uint8_t keys[2] = { 0xed, 0xff }, long_key[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    uint8_t key[16];
    node n, leaves[16];
    unsigned i;
    int good = parent_is(alg, leaves, 0, ids[0]);
    memset(&n, 0, sizeof n);
    n.value.data = "value1";
    n.value.len = 6;
    good += identify(alg, &n, 1, NULL) == HC_OK && is_hex(n.id, ids[1]);
    memset(&n, 0, sizeof n);
    n.key = long_key;
    n.nibbles = 16;
    good += identify(alg, &n, 1, NULL) == HC_OK && is_hex(n.id, ids[2]);
    leaf(&leaves[0], &keys[1], "value1", 15);
    good += parent_is(alg, leaves, 1, ids[3]);
    leaf(&leaves[0], &keys[0], "value2", 14);
    leaf(&leaves[1], &keys[1], "value1", 15);
    good += parent_is(alg, leaves, 2, ids[4]);
    for (i = 0; i < 16; i++) {
        key[i] = (uint8_t)(i << 4);
        leaf(&leaves[i], &key[i], "some value", i);
    }
    return good + parent_is(alg, leaves, 16, ids[5]);
}

static int check(void)
{
    static const char *const names[2] = { "sha256", "blake3" };
    static const char *const nodes[2][6] = {
        /* empty, a value, a key, 1, 2 and 16 children */
        { "709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c",
          "fe318e84f0535833fb3bf7a3714a52642fbd0d17279bfc22b1baec0e3e7b0194",
          "fc6587cf678733b4adb458b03b52be5d6068210749a6b18b5e11587e16e776bb",
          "47e3823b19d4b133d4eb9eacf19976d39923c434c6db6f95131635bcf8a002d8",
          "4783fbc68d966ca56c8ff812ba83e4be5e361743b89b78df6e6ad38335730c1c",
          "0a52eda52af8012286851a9107e3ead3a0ab2e1abf36a28f3f63b09e043be8c1" },
        { "91525ff00a3755a8df93c626b59f6e36cf021d85ebccecdedc38f3f1890a15fc",
          "0fbd2ece1cb1b8dd1b23d8af59db6afd384856a4e32ea1869ea4873b32c2911d",
          "600649ba68220402d041c7274d89521475f6368a5b4cafc76875d2e6357de053",
          "ee3bf8506b1473755a0b76bc7a79e457d49cfb70e9f0d32d285135bbf9bf0d41",
          "2f2bf6c16613d66515ddb3a2359a25c0fd8caa3ed2343a35941c9c7923784d42",
          "4a6dfbb952d5ccb46bc19bdcde46c3f19c0d4c1804fe3dbb5921e4513d85479c" },
    };
    static const char *const roots[2][6] = {
        /* 1, 10, ..., 100,000 keys */
        { "9841ed7d0b2a2ebb35b09ee859099b437d99086a6ed720a54fd8b868b47e3dca",
          "b6465f2f0d2276e2973d1d56e87e29b9d676f91bde534bac7b075fb8f3a1a728",
          "2b990486ebedb4f2bd4eba924dcf6ee59112fd69edef170f75b2249eac811c12",
          "bcaee17f6ee69de51c88f8a23af2a51605f5ab56fa0388488323cadf3db924f7",
          "7b2a56b4546c727ba3c90859caa62812f36f6c9b907d7827b2005eb2cf760275",
          "a12334bda30987fa635490db8ec891003d78f21568dd5033832f5cb14447d067" },
        { "f41f6ff562fda1813d44886aca543f81029d1070f788e12e6c38dd7c7977e90e",
          "db371132a7299685cc16c716319058f4f9e3fde503e5bf8b344e8c9ba914d08b",
          "250236a1a28ac49072a0d3b52b62892bae4c05b44d2f1351e2d6224efacd8d1d",
          "fed8464d12b6362ca442537fa1111f917648b8b974de1ff597f162a67a52809c",
          "a1d66bd23e920b7ace40a83d4fde8c3de3a4d9ac443a83fdc8f0d17f0b7fc3a1",
          "fc5d71ff9c047b39744515f23ea7c607dd4b4b8f457cbd1158cd02751273a947" },
    };
    int good = 0, a, i;
    for (a = 0; a < 2; a++) {
        const hc_alg *alg = hc_alg_find(names[a]);
        size_t keys = 1;
        uint8_t root[ID];
        good += check_nodes(alg, nodes[a]);
        for (i = 0; i < 6; i++, keys *= 10)
            good += root_of(root, alg, keys, 0, NULL) == HC_OK && is_hex(root, roots[a][i]);
    }
    printf("merkle_trie: %d of 24 known ids\n", good);
    return good == 24 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 2 ? argv[2] : "sha256";
    const hc_alg *alg = hc_alg_find(name);
    const unsigned long keys = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint8_t root[ID];
    char text[2 * ID];
    hc_error err;
    if (argc == 2 && strcmp(argv[1], "--check") == 0) return check();
    if (alg == NULL || alg->digest_size != ID || keys < 1 || keys > 100000000) {
        fputs("usage: merkle_trie [1 to 100000000 keys] [sha256 | blake3], or --check\n", stderr);
        return 2;
    }
    if (root_of(root, alg, keys, 1, &err) != HC_OK) {
        char why[160];
        hc_error_text(&err, why, sizeof why);
        fprintf(stderr, "merkle_trie: %s\n", why);
        return 1;
    }
    hc_hex(text, root, ID);
    printf("%s root of %lu keys: %.64s\n", name, keys, text);
    return 0;
}
