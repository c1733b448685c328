/* fuzz_image.c - libFuzzer over hc_import: what it accepts is a state like any other, and has just that image.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -Icore/include tests/fuzz/fuzz_image.c core/src/[a-z]*.c -o fuzz_image
 *
 * The first byte chooses the algorithm, and whether the image is sealed, so that the fuzzer gets past the seal. */
#include "hashcore.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void finish(const hc_alg *alg, hc_state *s)
{
    uint8_t out[64];
    const size_t n = alg->size(s) > 64 ? 64 : (size_t)alg->size(s);
    if (alg->final(s, out, n, 0, NULL) != HC_OK) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t image[2 * HC_IMAGE_MAX], again[HC_IMAGE_MAX], more[3000];
    const hc_alg *alg;
    size_t n = HC_IMAGE_MAX;
    hc_state s, before;
    hc_error err;
    int native;
    if (size < 1 || size > sizeof image) return 0;
    alg = hc_alg_at((data[0] & 127) % 7);
    memcpy(image, data + 1, --size);
    native = size >= 4 && memcmp(image, "hcst", 4) == 0;
    if (native && size > 14 && data[0] & 128) hc_blake3_hash(image + size - 8, 8, NULL, image, size - 8, 0);
    memset(&s, 0x77, sizeof s);
    before = s;
    if (hc_import(alg, &s, image, size, &err) != HC_OK) {
        if (err.code != HC_E_STATE || err.index > size || memcmp(&s, &before, sizeof s) != 0) abort();
        return 0;
    }
    if (hc_export(alg, &s, again, &n, native ? HC_IMAGE_NATIVE : HC_IMAGE_GO, NULL) != HC_OK || n != size) abort();
    if (native && memcmp(again, image, n) != 0) abort();
    finish(alg, &s);
    alg->update(&s, more, sizeof more);
    finish(alg, &s);
    alg->reset(&s);
    finish(alg, &s);
    return 0;
}
