/* workloads.c - reads bench/workloads.txt: what the systems that hashcore replaces do, the same in every language. */
#include "bench.h"

enum { LINE = 4096, TESTS = 300, NODES = 20, PARTS = 48 };

static struct node {
    char algorithm[16], name[32];
    hc_slice parts[PARTS];
    size_t count;
} nodes[NODES];
static size_t node_count;

static void fail(const char *path, const char *line)
{
    fprintf(stderr, "bench: %s: cannot use: %.80s\n", path, line);
    exit(2);
}

static void *keep(const void *p, size_t n)
{
    void *copy = malloc(n + 1);
    if (!copy) exit(2);
    memcpy(copy, p, n);
    ((char *)copy)[n] = 0;
    return copy;
}

static int read_node(char *line)
{
    struct node *n = &nodes[node_count];
    char hex[LINE], *part;
    uint8_t bytes[64];
    if (node_count == NODES || sscanf(line, "node %15s %31s %4095s", n->algorithm, n->name, hex) != 3) return 0;
    for (part = strtok(hex, ","); part; part = strtok(NULL, ",")) {
        size_t len = strcmp(part, "-") ? strlen(part) / 2 : 0;
        if (n->count == PARTS || len > sizeof bytes || hc_unhex(bytes, part, 2 * len, NULL)) return 0;
        n->parts[n->count].data = keep(bytes, len);
        n->parts[n->count++].len = len;
    }
    node_count++;
    return 1;
}

/* ---- Those that are not a mode ---------------------------------------------------------------- */
static void xor_all(const bench_case *c, size_t times)
{
    while (times--) hc_xor(c->out + c->align, c->in, c->scratch + c->align, c->size);
}
static void xor_dst(const bench_case *c, size_t times)
{
    while (times--) hc_xor(c->out + c->align, c->in, c->scratch, c->size);
}
static const bench_row xor_rows[] = { { "hashcore", bench_hashcore_version, xor_all }, { NULL, NULL, NULL } };
static const bench_row xordst_rows[] = { { "hashcore", bench_hashcore_version, xor_dst }, { NULL, NULL, NULL } };

static int make_test(bench_test *t, const char *kind)
{
    static const struct {
        const char *kind;
        const bench_mode *mode;
    } modes[] = { { "hash", &mode_hash }, { "write", &mode_write }, { "xof", &mode_read },  { "new", &mode_new },
                  { "reset", &mode_reset }, { "parts", &mode_parts }, { "trie", &mode_trie } };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(kind, modes[i].kind)) t->mode = modes[i].mode;
    if (!strcmp(kind, "xor")) t->rows = xor_rows;
    if (!strcmp(kind, "xordst")) t->rows = xordst_rows, t->dst_only = 1;
    if (!strcmp(kind, "trie") && sscanf(t->operation, "trie-%zu-keys", &t->part_count) != 1) return 0;
    t->slot = !strcmp(t->algorithm, "xor") ? "xor.two" : !strcmp(t->algorithm, "blake2b") ? "blake2b.finish" :
              !strcmp(t->algorithm, "sha256") ? !strcmp(kind, "trie") ? "sha256.many" : "sha256.finish" :
              !strcmp(kind, "xof") ? "blake3.xof" : !strcmp(kind, "trie") ? "blake3.jobs" : "blake3.many";
    return t->mode || t->rows;
}

static int read_test(bench_test *t, const char *line)
{
    char kind[16], algorithm[16], operation[64], input[64];
    size_t size, threads, output, *sizes = (size_t *)malloc(2 * sizeof *sizes);
    if (!sizes || sscanf(line, "%15s %15s %63s %63s %zu %zu %zu %zu %zu %128s", kind, algorithm, operation, input, &size, &t->count,
                         &threads, &t->alignment, &output, t->digest) != 10)
        return 0;
    sizes[0] = size;
    sizes[1] = BENCH_END;
    t->algorithm = (const char *)keep(algorithm, strlen(algorithm));
    t->operation = (const char *)keep(operation, strlen(operation));
    t->sizes = sizes;
    t->output = (int)output;
    t->threads = (unsigned)threads;
    if (strncmp(input, "node:", 5)) return strcmp(input, "pattern") == 0 && make_test(t, kind);
    for (size_t i = 0; i < node_count; i++)
        if (!strcmp(nodes[i].name, input + 5) && !strcmp(nodes[i].algorithm, algorithm)) {
            t->parts = nodes[i].parts;
            t->part_count = nodes[i].count;
            return make_test(t, kind);
        }
    return 0;
}

const bench_test *bench_workloads(const char *path)
{
    static bench_test tests[TESTS + 1];
    static char line[LINE];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(2);
    }
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        if (!strncmp(line, "node ", 5) ? !read_node(line) : n == TESTS || !read_test(&tests[n++], line)) fail(path, line);
    }
    fclose(f);
    return tests;
}
