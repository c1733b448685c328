/* fuzz_hash.c - libFuzzer over the descriptor table: any options, any pieces; a state gives what the one-shot gives.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -Icore/include tests/fuzz/fuzz_hash.c core/src/[a-z]*.c -o fuzz_hash
 */
#include "hashcore.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t number(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return x >> (p[8] & 63); /* small ones are the interesting ones */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { NUMBERS = 8, HEAD = 4 + 9 * NUMBERS + 4, OUT = 200 };
    hc_options o = HC_OPTIONS_INIT;
    uint64_t *numbers[NUMBERS];
    uint8_t a[OUT], b[OUT];
    const hc_alg *alg;
    hc_state s, t;
    hc_slice parts[3], *slices[4];
    size_t i, out_len, cut;
    uint64_t offset;
    if (size < HEAD) return 0;
    alg = hc_alg_at(data[0] % 7);
    o.given = data[1] & 63;
    numbers[0] = &o.digest_size; numbers[1] = &o.fanout; numbers[2] = &o.depth; numbers[3] = &o.leaf_size;
    numbers[4] = &o.node_offset; numbers[5] = &o.node_depth; numbers[6] = &o.inner_size; numbers[7] = &o.last_node;
    for (i = 0; i < NUMBERS; i++) *numbers[i] = number(data + 4 + 9 * i);
    slices[0] = &o.key; slices[1] = &o.salt; slices[2] = &o.person; slices[3] = &o.context;
    for (i = 0; i < 4; i++) {
        slices[i]->data = data + HEAD;
        slices[i]->len = data[4 + 9 * NUMBERS + i] % (size - HEAD + 1);
    }
    offset = alg->flags & HC_ALG_XOF ? data[2] * (uint64_t)40 : 0;
    data += HEAD;
    size -= HEAD;
    if (alg->init(&s, &o, NULL) != HC_OK) return 0;
    out_len = alg->size(&s) > OUT ? OUT : (size_t)alg->size(&s);
    cut = size ? o.fanout % size : 0;
    alg->update(&s, data, cut);
    alg->copy(&t, &s);
    alg->update(&t, data + cut, size - cut);
    alg->reset(&s);
    parts[0].data = data;
    parts[0].len = cut / 2;
    parts[1].data = data + cut / 2;
    parts[1].len = cut - cut / 2;
    parts[2].data = data + cut;
    parts[2].len = size - cut;
    for (i = 0; i < 3; i++) alg->update(&s, parts[i].data, parts[i].len);
    memset(a, 1, OUT);
    memset(b, 2, OUT);
    if (alg->final(&t, a, out_len, offset, NULL) != HC_OK) {
        if (offset == 0 || hc_digest(alg, b, out_len, offset, &o, parts, 3, 0, NULL) == HC_OK) abort();
        return 0;
    }
    if (alg->final(&s, b, out_len, offset, NULL) != HC_OK || memcmp(a, b, out_len) != 0) abort();
    memset(b, 2, OUT);
    if (hc_digest(alg, b, out_len, offset, &o, parts, 3, 0, NULL) != HC_OK || memcmp(a, b, out_len) != 0) abort();
    return 0;
}
