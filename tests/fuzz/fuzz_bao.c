/* fuzz_bao.c - libFuzzer over the Bao decoder: whatever it is given, a verified leaf holds the true bytes at their place.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -Icore/include tests/fuzz/fuzz_bao.c core/src/[a-z]*.c -o fuzz_bao
 *
 * Input: group, flags (1: outboard, 2: walk without verifying, 4: begin with the true encoding's bytes), length of the
 * data / 100, start and length of the slice, then the bytes that the walker asks for, in order. */
#include "hashcore.h"
#include <stdlib.h>
#include <string.h>

enum { HEAD = 19, DATA_MAX = 25500 };
static uint8_t truth[DATA_MAX], encoded[2 * DATA_MAX];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t encode(uint8_t root[32], size_t len, unsigned group, int outboard)
{
    hc_bao b;
    hc_bao_step step;
    uint64_t all;
    if (hc_bao_size(&all, len, group, outboard, NULL) != HC_OK || all > sizeof encoded ||
        hc_bao_encode(&b, NULL, group, outboard, len, NULL) != HC_OK)
        abort();
    for (hc_bao_next(&b, &step); step.kind != HC_BAO_END; hc_bao_next(&b, &step)) {
        if (step.kind != HC_BAO_LEAF) {
            if (hc_bao_get(&b, encoded + step.encoded_at, step.size, NULL) != HC_OK) abort();
            continue;
        }
        if (hc_bao_put(&b, truth + step.data_at, step.size, NULL) != HC_OK) abort();
        if (!outboard) memcpy(encoded + step.encoded_at, truth + step.data_at, step.size);
    }
    if (hc_bao_get(&b, root, 32, NULL) != HC_OK) abort();
    return (size_t)all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t start, len, last = 0;
    uint8_t root[32];
    hc_bao b;
    hc_bao_step step;
    size_t data_len, all, i, steps = 0;
    unsigned group;
    int outboard, verify, helped;
    if (size < HEAD) return 0;
    for (i = 0; i < DATA_MAX; i++) truth[i] = (uint8_t)(i % 251);
    group = data[0] % (HC_BAO_GROUP_MAX + 1);
    outboard = data[1] & 1;
    verify = !(data[1] & 2);
    helped = data[1] & 4;
    data_len = data[2] * (size_t)100;
    memcpy(&start, data + 3, 8);
    memcpy(&len, data + 11, 8);
    data += HEAD;
    size -= HEAD;
    all = encode(root, data_len, group, outboard);
    if (hc_bao_decode(&b, verify ? root : NULL, NULL, group, outboard, start, len, NULL) != HC_OK) abort();
    for (hc_bao_next(&b, &step); step.kind != HC_BAO_END; hc_bao_next(&b, &step), steps++) {
        const uint8_t *bytes = data;
        const int leaf = step.kind == HC_BAO_LEAF;
        if (step.size > (size_t)HC_BLAKE3_CHUNK_SIZE << group && step.size > 64) abort();
        if (!(leaf && outboard)) {
            if (step.encoded_at < last) abort(); /* a stream is never asked to go back */
            last = step.encoded_at + step.size;
        }
        if (helped && steps % 3 != 2 && leaf && outboard && step.data_at <= DATA_MAX - step.size) {
            bytes = truth + step.data_at;
        } else if (helped && steps % 3 != 2 && step.encoded_at <= all && step.size <= all - step.encoded_at) {
            bytes = encoded + step.encoded_at;
        } else {
            if (step.size > size) return 0;
            data += step.size;
            size -= step.size;
        }
        if (hc_bao_put(&b, bytes, step.size, NULL) != HC_OK) return 0;
        if (leaf && verify &&
            (step.data_at > data_len || step.size > data_len - step.data_at ||
             memcmp(bytes, truth + step.data_at, step.size) != 0))
            abort();
    }
    return 0;
}
