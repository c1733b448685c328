/* digest.c - hashes a file as sha256sum does: digest ALGORITHM THREADS PATH. For bench/cli/run. */
#include "hashcore.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const hc_alg *alg = argc == 4 ? hc_alg_find(argv[1]) : NULL;
    hc_file f = HC_FILE_INIT;
    hc_state s;
    void *state = &s;
    unsigned char d[64];
    char hex[128], text[200];
    hc_error e;
    if (!alg) {
        fprintf(stderr, "digest ALGORITHM THREADS PATH\n");
        return 2;
    }
    f.path = argv[3];
    f.threads = (unsigned)strtoul(argv[2], NULL, 0);
    alg->init(&s, NULL, NULL);
    if (hc_update_file(&alg, &state, 1, &f, NULL, &e) != HC_OK) {
        hc_error_text(&e, text, sizeof text);
        fprintf(stderr, "digest: %s\n", text);
        return 1;
    }
    alg->final(&s, d, alg->digest_size, 0, NULL);
    hc_hex(hex, d, alg->digest_size);
    printf("%.*s  %s\n", (int)(2 * alg->digest_size), hex, argv[3]);
    return 0;
}
