/* workload_trie.c - the whole trie of examples/c, as it stands there; its batches by hashcore or by a loop of OpenSSL's. */
#include "bench.h"
static int batch_by(const hc_alg *alg, void *out, size_t out_len, const hc_options *o, const hc_batch *b, unsigned threads, hc_error *err);
#define main merkle_trie_main
#define hc_digest_many batch_by
#include "../../examples/c/merkle_trie.c"
#undef hc_digest_many
#undef main

static const bench_peer *looped; /* NULL: hashcore's batch, by the calling thread alone */

static int batch_by(const hc_alg *alg, void *out, size_t out_len, const hc_options *o, const hc_batch *b, unsigned threads, hc_error *err)
{
    const uint8_t *data = (const uint8_t *)b->data.data;
    const uint64_t *offsets = (const uint64_t *)b->offsets;
    (void)threads;
    if (!looped || strcmp(alg->name, looped->algorithm)) return hc_digest_many(alg, out, out_len, o, b, 0, err);
    for (size_t i = 0; i < b->count; i++) {
        uint8_t *to = (uint8_t *)out + out_len * i;
        if (b->items) looped->one(to, out_len, (const uint8_t *)b->items[i].data, b->items[i].len);
        else if (offsets) looped->one(to, out_len, data + offsets[i], (size_t)(offsets[i + 1] - offsets[i]));
        else looped->one(to, out_len, data + b->item_size * i, b->item_size);
    }
    return HC_OK;
}

void bench_trie(const bench_case *c, size_t times)
{
    looped = strcmp(c->peer->library, "hashcore") ? c->peer : NULL;
    while (times--)
        if (root_of(c->out, c->alg, c->part_count, 0, NULL) != HC_OK) exit(2);
}
