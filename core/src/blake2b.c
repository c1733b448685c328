/* blake2b.c - BLAKE2b (RFC 7693) with every parameter of the BLAKE2 paper, over the compression kernels. */
#include "internal.h"

HC_STATIC_ASSERT(blake2b_state_fits, sizeof(hc_blake2b_state) <= sizeof(hc_blake2b));

#define IV_0 0x6a09e667f3bcc908u
#define IV_REST                                                                                              \
    0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u, 0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, \
        0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u
const uint64_t hc_blake2b_iv[8] = { IV_0, IV_REST };

/* What a message starts from whose parameter block holds a digest size and nothing else: fanout 1, depth 1, no key (RFC
 * 7693, 2.5). Ready made: kernels that load in vectors what was just stored word by word wait until it is in the cache,
 * which took 10 ns of the 110 of a short message. */
#define PLAIN(n)                          \
    {                                     \
        IV_0 ^ 0x01010000u ^ (n), IV_REST \
    }
#define PLAIN_8(n)                                                                                            \
    PLAIN(n), PLAIN((n) + 1), PLAIN((n) + 2), PLAIN((n) + 3), PLAIN((n) + 4), PLAIN((n) + 5), PLAIN((n) + 6), \
        PLAIN((n) + 7)
static const uint64_t HC_ALIGN(64) plain[HC_BLAKE2B_SIZE_MAX + 1][8] = { PLAIN_8(0),  PLAIN_8(8),  PLAIN_8(16),
                                                                         PLAIN_8(24), PLAIN_8(32), PLAIN_8(40),
                                                                         PLAIN_8(48), PLAIN_8(56), PLAIN(64) };

/* ---- Parameters -------------------------------------------------------------------- */
static int number(uint64_t *to, const char *name, uint64_t value, uint64_t min, uint64_t max, hc_error *err)
{
    if (value < min || value > max) return hc_fail(err, HC_E_RANGE, name, value, min, max);
    *to = value;
    return HC_OK;
}

static int bytes(uint8_t *to, const char *name, const hc_slice *from, size_t max, hc_error *err)
{
    if (from->len > max) return hc_fail(err, HC_E_LENGTH, name, from->len, 0, max);
    if (from->len) memcpy(to, from->data, from->len);
    return HC_OK;
}

int hc_blake2b_param(uint8_t p[64], const hc_options *o, hc_error *err)
{
    uint64_t fanout = 1, depth = 1, leaf = 0, offset = 0, node_depth = 0, inner = 0, last = 0;
    memset(p, 0, 64);
    p[0] = HC_BLAKE2B_SIZE_MAX;
    if (HC_GIVEN(o, KEY)) {
        if (o->key.len > HC_BLAKE2B_KEY_MAX) return hc_fail(err, HC_E_LENGTH, "key", o->key.len, 0, HC_BLAKE2B_KEY_MAX);
        p[1] = (uint8_t)o->key.len;
    }
    if (HC_GIVEN(o, SALT) && bytes(p + 32, "salt", &o->salt, 16, err)) return HC_E_LENGTH;
    if (HC_GIVEN(o, PERSON) && bytes(p + 48, "person", &o->person, 16, err)) return HC_E_LENGTH;
    if (HC_GIVEN(o, TREE) &&
        (number(&fanout, "fanout", o->fanout, 0, 255, err) || number(&depth, "depth", o->depth, 1, 255, err) ||
         number(&leaf, "leaf_size", o->leaf_size, 0, UINT32_MAX, err) ||
         number(&offset, "node_offset", o->node_offset, 0, UINT64_MAX, err) ||
         number(&node_depth, "node_depth", o->node_depth, 0, 255, err) ||
         number(&inner, "inner_size", o->inner_size, 0, 64, err) ||
         number(&last, "last_node", o->last_node, 0, 1, err)))
        return HC_E_RANGE;
    p[2] = (uint8_t)fanout;
    p[3] = (uint8_t)depth;
    hc_store32le(p + 4, (uint32_t)leaf);
    hc_store64le(p + 8, offset);
    p[16] = (uint8_t)node_depth;
    p[17] = (uint8_t)inner;
    return HC_OK;
}

/* After h0. */
static void begin(hc_blake2b_state *s, size_t digest_size, size_t key_len, const void *key)
{
    s->digest_size = (uint8_t)digest_size;
    s->key_len = (uint8_t)key_len;
    s->last_node = 0;
    s->xof_length = 0;
    memset(s->unused, 0, sizeof s->unused);
    memset(s->key, 0, sizeof s->key);
    if (key_len) memcpy(s->key, key, key_len);
    hc_blake2b_reset(s);
}

void hc_blake2b_start(hc_blake2b_state *s, const uint8_t param[64], const void *key)
{
    for (int i = 0; i < 8; i++) s->h0[i] = hc_blake2b_iv[i] ^ hc_load64le(param + 8 * i);
    begin(s, param[0], param[1], key);
}

static void buffer(hc_blake2b_state *s, const uint8_t *p, size_t n)
{
    if (n > 64)
        memcpy(s->buf + s->buffered, p, n);
    else
        hc_copy_piece(s->buf + s->buffered, p, n);
}

/* ---- The object ------------------------------------------------------------------------ */
void hc_blake2b_reset(void *state)
{
    hc_blake2b_state *s = (hc_blake2b_state *)state;
    memcpy(s->h, s->h0, sizeof s->h);
    s->t[0] = s->t[1] = 0;
    s->buffered = 0;
    if (s->key_len) { /* the key is a first block of its own (RFC 7693, 3.3); it may be the last one too */
        memcpy(s->buf, s->key, 64);
        memset(s->buf + 64, 0, 64);
        s->buffered = 128;
    }
}

void hc_blake2b_absorb(void *state, const void *data, size_t len)
{
    hc_blake2b_state *s = (hc_blake2b_state *)state;
    const uint8_t *p = (const uint8_t *)data;
    size_t room = 128 - (size_t)s->buffered;
    if (!len) return;
    if (len > room) { /* a full block is compressed only when more follows: it may be the last */
        if (s->buffered) {
            buffer(s, p, room);
            HC_K(b2b_blocks)(s->h, s->t, s->buf, 1);
            p += room;
            len -= room;
            s->buffered = 0;
        }
        if (len > 128) {
            size_t blocks = (len - 1) / 128;
            HC_K(b2b_blocks)(s->h, s->t, p, blocks);
            p += 128 * blocks;
            len -= 128 * blocks;
        }
    }
    buffer(s, p, len);
    s->buffered = (uint8_t)(s->buffered + len);
}

int hc_blake2b_init(hc_blake2b *state, size_t out_len, const void *key, size_t key_len)
{
    hc_blake2b_state *s = (hc_blake2b_state *)(void *)state;
    if (out_len < 1 || out_len > HC_BLAKE2B_SIZE_MAX || key_len > HC_BLAKE2B_KEY_MAX) return HC_E_LENGTH;
    memcpy(s->h0, plain[out_len], sizeof s->h0);
    if (key_len) s->h0[0] ^= (uint64_t)key_len << 8;
    begin(s, out_len, key_len, key);
    return HC_OK;
}

void hc_blake2b_update(hc_blake2b *state, const void *data, size_t len) { hc_blake2b_absorb(state, data, len); }

void hc_blake2b_final(const hc_blake2b *state, void *out)
{
    const hc_blake2b_state *s = (const hc_blake2b_state *)(const void *)state;
    uint64_t f1 = s->last_node ? UINT64_MAX : 0;
    if (s->digest_size == 64) {
        HC_K(b2b_finish)((uint8_t *)out, s->h, s->t, f1, s->buf, s->buffered);
    } else {
        uint8_t digest[64];
        HC_K(b2b_finish)(digest, s->h, s->t, f1, s->buf, s->buffered);
        hc_copy_piece((uint8_t *)out, digest, s->digest_size);
        if (s->key_len) hc_wipe(digest, sizeof digest);
    }
}

int hc_blake2b_hash(void *out, size_t out_len, const void *key, size_t key_len, const void *data, size_t len)
{
    const uint64_t zero[2] = { 0, 0 };
    uint8_t digest[64];
    if (out_len < 1 || out_len > HC_BLAKE2B_SIZE_MAX || key_len > HC_BLAKE2B_KEY_MAX) return HC_E_LENGTH;
    if (key_len) {
        hc_blake2b s;
        hc_blake2b_init(&s, out_len, key, key_len);
        hc_blake2b_update(&s, data, len);
        hc_blake2b_final(&s, out);
        hc_wipe(&s, sizeof s);
        return HC_OK;
    }
    if (out_len == 64) {
        HC_K(b2b_finish)((uint8_t *)out, plain[out_len], zero, 0, (const uint8_t *)data, len);
    } else {
        HC_K(b2b_finish)(digest, plain[out_len], zero, 0, (const uint8_t *)data, len);
        hc_copy_piece((uint8_t *)out, digest, out_len);
    }
    return HC_OK;
}
