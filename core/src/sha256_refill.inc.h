/* sha256_refill.inc.h - SHA-256 of messages of any lengths on S2_LANES lanes; a lane that ends takes the next message.
 *
 * S2_AT(lane, i): where word i of a lane's state stands; S2_RUN(st, at, k, live): k blocks on every lane; S2_PAD: what
 * does hc_s2_pad's work. When no more than S2_FEW lanes are left, the table's kernel for one stream ends them: it is
 * faster than lanes that idle. */
#ifndef S2_PAD
#define S2_PAD hc_s2_pad
#endif
static void HC_NAME(s2_refill)(uint8_t *out, const uint32_t start[8], uint64_t before, const uint8_t *const *in,
                               const size_t *len, const uint8_t *order, size_t n)
{
    uint32_t HC_ALIGN(64) st[8 * S2_LANES];
    uint8_t HC_ALIGN(64) tail[S2_LANES][128];
    const uint8_t *at[S2_LANES];
    size_t left[S2_LANES], live = 0, next = 0; /* left: blocks of the body, then of the padded tail */
    uint8_t message[S2_LANES], in_tail[S2_LANES];
    for (;;) {
        for (; live < S2_LANES && next < n; live++) {
            const size_t m = message[live] = order[next++];
            at[live] = in[m];
            left[live] = len[m] / 64;
            in_tail[live] = 0;
            for (int j = 0; j < 8; j++) st[S2_AT(live, j)] = start[j];
        }
        if (live <= S2_FEW) break;
        size_t k = SIZE_MAX;
        for (size_t i = 0; i < live; i++) {
            if (!left[i]) { /* the body is done */
                const size_t m = message[i];
                left[i] = S2_PAD(tail[i], at[i], len[m] % 64, before + len[m]);
                at[i] = tail[i];
                in_tail[i] = 1;
            }
            if (left[i] < k) k = left[i];
        }
        for (size_t i = live; i < S2_LANES; i++) at[i] = at[0]; /* an idle lane computes something, for nobody */
        S2_RUN(st, at, k, live);
        for (size_t i = live; i-- > 0;) {
            at[i] += 64 * k;
            left[i] -= k;
            if (left[i] || !in_tail[i]) continue;
            for (int j = 0; j < 8; j++) hc_store32be(out + 32 * message[i] + 4 * j, st[S2_AT(i, j)]);
            if (i == --live) continue;
            for (int j = 0; j < 8; j++) st[S2_AT(i, j)] = st[S2_AT(live, j)]; /* the last lane moves here */
            at[i] = at[live]; left[i] = left[live]; message[i] = message[live]; in_tail[i] = in_tail[live];
            if (in_tail[i]) {
                memcpy(tail[i], tail[live], 128);
                at[i] = tail[i] + (at[live] - tail[live]);
            }
        }
    }
    for (size_t i = 0; i < live; i++) {
        uint32_t h[8];
        uint8_t *d = out + 32 * message[i];
        for (int j = 0; j < 8; j++) h[j] = st[S2_AT(i, j)];
        if (!in_tail[i]) {
            const size_t rest = 64 * left[i] + len[message[i]] % 64;
            HC_K(sha256_finish)(d, h, before + (len[message[i]] - rest), at[i], rest);
        } else {
            HC_K(sha256_blocks)(h, at[i], left[i]);
            for (int j = 0; j < 8; j++) hc_store32be(d + 4 * j, h[j]);
        }
    }
}

#ifndef S2_OWN_MANY /* all of a batch on the lanes, most blocks first */
void HC_NAME(hc_sha256_many)(uint8_t *out, const uint32_t st[8], uint64_t before, const uint8_t *const *in,
                             const size_t *len, size_t n)
{
    uint8_t key[HC_GATHER], order[HC_GATHER];
    for (size_t m; n; n -= m, in += m, len += m, out += 32 * m) {
        m = n < HC_GATHER ? n : HC_GATHER;
        for (size_t i = 0; i < m; i++) { /* blocks with padding */
            const size_t b = len[i] / 64 + (len[i] % 64 >= 56);
            key[i] = (uint8_t)(b < HC_GATHER_KEYS ? b : HC_GATHER_KEYS - 1);
        }
        hc_gather(order, key, m);
        HC_NAME(s2_refill)(out, st, before, in, len, order, m);
    }
}
void HC_NAME(hc_sha256_pairs)(uint8_t *out, const uint32_t st[8], const uint8_t *in, size_t n)
{
    enum { STEP = 4 * S2_LANES };
    const uint8_t *p[STEP];
    size_t len[STEP];
    for (size_t m; n; n -= m, in += 64 * m, out += 32 * m) {
        m = n < STEP ? n : STEP;
        for (size_t i = 0; i < m; i++) { p[i] = in + 64 * i; len[i] = 64; }
        HC_NAME(hc_sha256_many)(out, st, 0, p, len, m);
    }
}
#endif
