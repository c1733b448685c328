/* hash.c LIST ALGORITHM... - one line `index algorithm digest` for every file of the NUL-separated LIST. */
#include <hashcore.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALGORITHMS = 8 };

static int fail(const hc_error *err, const char *path)
{
    char text[512];
    hc_error_text(err, text, sizeof text);
    fprintf(stderr, "%s: %s\n", path, text);
    return 1;
}

/* One read of the file for all algorithms. */
static int hash_file(const char *path, long index, const hc_alg *const *algs, size_t n)
{
    static hc_state states[ALGORITHMS];
    void *places[ALGORITHMS];
    hc_file file = HC_FILE_INIT;
    hc_error err;
    size_t i;
    for (i = 0; i < n; i++) {
        places[i] = &states[i];
        if (algs[i]->init(places[i], NULL, &err) != HC_OK) return fail(&err, path);
    }
    file.path = path;
    if (hc_update_file(algs, places, n, &file, NULL, &err) != HC_OK) return fail(&err, path);
    for (i = 0; i < n; i++) {
        unsigned char digest[64];
        char hex[128];
        if (algs[i]->final(places[i], digest, algs[i]->digest_size, 0, &err) != HC_OK) return fail(&err, path);
        hc_hex(hex, digest, algs[i]->digest_size);
        printf("%ld %s %.*s\n", index, algs[i]->name, (int)(2 * algs[i]->digest_size), hex);
    }
    return fflush(stdout) != 0;
}

int main(int argc, char **argv)
{
    const hc_alg *algs[ALGORITHMS];
    char path[4096];
    size_t n = 0, len = 0;
    long index = 0;
    FILE *list = argc > 1 ? fopen(argv[1], "rb") : NULL;
    int i, c;
    for (i = 2; i < argc && n < ALGORITHMS; i++, n++) {
        algs[n] = hc_alg_find(argv[i]);
        if (!algs[n] || algs[n]->digest_size > 64) return fprintf(stderr, "%s: no such algorithm\n", argv[i]), 1;
    }
    if (!list || !n) return fprintf(stderr, "usage: hash LIST ALGORITHM...\n"), 1;
    while ((c = getc(list)) != EOF && len < sizeof path) {
        path[len++] = (char)c;
        if (c) continue;
        if (hash_file(path, index++, algs, n)) return 1;
        len = 0;
    }
    return ferror(list) || len ? fprintf(stderr, "%s: not a list of paths\n", argv[1]), 1 : 0;
}
