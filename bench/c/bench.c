/* bench.c - times hashcore and its peers alternately in one process; prints ratios, writes a JSON line a row.
 *
 *   bench [--only TEXT] [--algorithms A,B] [--size N]... [--peers NAME,NAME] [--max-bytes N] [--cpu LEVEL] [--threads N] [--align N]
 *         [--seconds S] [--workloads FILE] [--json FILE [--resume]] [--progress] [--list] [--serve]
 *
 * --only takes the tests whose "algorithm operation" holds the text; --cpu is HASHCORE_CPU's grammar; --seconds is spent
 * on each size of each test; --max-bytes leaves out what hashes more in a call. A wrong output ends with status 1. --resume
 * appends what FILE does not have. --serve reads lines "algorithm operation size alignment threads times" and answers each
 * with nanoseconds a message, the digest and the kernel of hashcore's row: for peers in other processes. */
#include "bench.h"

static const char *only;

int bench_set_cpu(const char *text)
{
    hc_error e;
    uint32_t mask = HC_CPU_ALL;
    char buf[200];
    if ((text && hc_cpu_parse(&mask, text, &e)) || hc_cpu_restrict(mask, &e)) {
        hc_error_text(&e, buf, sizeof buf);
        fprintf(stderr, "bench: %s\n", buf);
        return 0;
    }
    return 1;
}

/* Whether a file of lines, as measure.c writes them, has this test. */
static int is_done(const char *lines, const bench_test *t, size_t size)
{
    char key[300];
    if (!lines) return 0;
    snprintf(key, sizeof key, "\"algorithm\": \"%s\", \"operation\": \"%s\", \"size\": %zu, \"count\": %zu, \"threads\": %u, \"alignment\": %zu,",
             t->algorithm, t->operation, size, t->count, bench_threads(t),
             t->alignment ? t->alignment : bench_given.align);
    return strstr(lines, key) != NULL;
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    long n;
    if (!f) return NULL;
    if (!fseek(f, 0, SEEK_END) && (n = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET) && (text = (char *)malloc((size_t)n + 1)) != NULL)
        text[fread(text, 1, (size_t)n, f)] = 0;
    fclose(f);
    return text;
}

static void header(FILE *f)
{
    char cpu[200];
    hc_cpu_text(hc_cpu_enabled(), cpu, sizeof cpu);
    fprintf(f, "{\"schema\": 2, \"runtime\": \"%s %s\", \"cpu\": \"%s\", \"tsc_ghz\": %.4f, \"missing\": [",
#ifdef __clang__
            "clang", __clang_version__,
#else
            "gcc", __VERSION__,
#endif
            cpu, bench_tsc_ghz());
    for (const char *const *m = bench_missing; *m; m++) fprintf(f, "%s\"%s\"", m == bench_missing ? "" : ", ", *m);
    fprintf(f, "]}\n");
    fflush(f);
}

static int wants(const bench_test *t, size_t size)
{
    char name[100];
    snprintf(name, sizeof name, "%s %s", t->algorithm, t->operation);
    return (!only || strstr(name, only)) && bench_wants(t, size);
}

/* Every test and size that is asked for; 0: an output was wrong. */
static int run_all(const bench_test *const *tables, const char *done, int list, int progress)
{
    size_t total = 0, at = 0;
    for (int pass = 0; pass < 2; pass++)
        for (const bench_test *const *table = tables; *table; table++)
            for (const bench_test *t = *table; t->algorithm; t++)
                for (const size_t *s = t->sizes; *s != BENCH_END; s++) {
                    if (!wants(t, *s)) continue;
                    if (pass == 0) total++;
                    else if (list) printf("%s %s %zu\n", t->algorithm, t->operation, *s);
                    else {
                        if (progress) printf("@ %zu %zu %s %s\n", at++, total, t->algorithm, t->operation);
                        fflush(stdout);
                        if (is_done(done, t, *s)) continue;
                        if (t->cpu && !bench_set_cpu(t->cpu)) continue;
                        if (!bench_run(t, *s)) return 0;
                        if (t->cpu) bench_set_cpu(bench_given.cpu);
                    }
                }
    return 1;
}

static int serve(const bench_test *const *tables)
{
    char line[300], algorithm[64], operation[64], digest[129];
    size_t size, alignment, times;
    unsigned threads;
    while (fgets(line, sizeof line, stdin)) {
        const bench_test *found = NULL;
        if (sscanf(line, "%63s %63s %zu %zu %u %zu", algorithm, operation, &size, &alignment, &threads, &times) != 6) return 2;
        for (const bench_test *const *table = tables; *table; table++)
            for (const bench_test *t = *table; t->algorithm && !found; t++)
                for (const size_t *s = t->sizes; *s != BENCH_END; s++)
                    if (*s == size && t->alignment == alignment && !strcmp(t->algorithm, algorithm) && !strcmp(t->operation, operation)) found = t;
        if (!found) printf("none\n");
        else {
            double ns = bench_sample(found, size, threads, times, digest);
            const char *slot, *kernel = "", *k;
            for (size_t i = 0; found->slot && (k = hc_cpu_kernel(i, &slot)) != NULL; i++)
                if (!strcmp(slot, found->slot)) kernel = k;
            printf("%.4f %s %s\n", ns, digest, kernel[0] ? kernel : "-");
        }
        fflush(stdout);
    }
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "bench [--only TEXT] [--algorithms A,B] [--size N]... [--peers NAME,NAME] [--max-bytes N] [--cpu LEVEL] [--threads N]\n"
                    "      [--align N] [--seconds S] [--workloads FILE] [--json FILE [--resume]] [--progress] [--list] [--serve]\n");
    return 2;
}

int main(int argc, char **argv)
{
    const bench_test *tables[] = { NULL, bench_hashes, bench_xor, bench_file, NULL };
    const char *workloads = "bench/workloads.txt", *json = NULL;
    char *done = NULL, cpu[200];
    int list = 0, progress = 0, resume = 0, serving = 0, good;
    bench_given.seconds = 0.2;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
        int flag = 1;
        if (!strcmp(a, "--list")) list = 1;
        else if (!strcmp(a, "--progress")) progress = 1;
        else if (!strcmp(a, "--resume")) resume = 1;
        else if (!strcmp(a, "--serve")) serving = 1;
        else flag = 0;
        if (flag) continue;
        if (!v) return usage();
        i++;
        if (!strcmp(a, "--only")) only = v;
        else if (!strcmp(a, "--algorithms")) bench_given.algorithms = v;
        else if (!strcmp(a, "--peers")) bench_given.peers = v;
        else if (!strcmp(a, "--cpu")) bench_given.cpu = v;
        else if (!strcmp(a, "--workloads")) workloads = v;
        else if (!strcmp(a, "--json")) json = v;
        else if (!strcmp(a, "--max-bytes")) bench_given.max_bytes = (size_t)strtoull(v, NULL, 0);
        else if (!strcmp(a, "--threads")) bench_given.threads = (unsigned)strtoul(v, NULL, 0);
        else if (!strcmp(a, "--align")) bench_given.align = (size_t)strtoull(v, NULL, 0) % 4096;
        else if (!strcmp(a, "--seconds")) bench_given.seconds = strtod(v, NULL);
        else if (!strcmp(a, "--size") && bench_given.size_count < sizeof bench_given.sizes / sizeof *bench_given.sizes)
            bench_given.sizes[bench_given.size_count++] = (size_t)strtoull(v, NULL, 0);
        else return usage();
    }
    tables[0] = bench_workloads(workloads);
    if (bench_given.cpu && !bench_set_cpu(bench_given.cpu)) return 2;
    if (serving) return serve(tables);
    if (json && resume) done = read_all(json);
    if (json && (bench_given.json = fopen(json, resume ? "a" : "w")) == NULL) return perror(json), 2;
    if (bench_given.json && (!done || !done[0])) header(bench_given.json);
    hc_cpu_text(hc_cpu_enabled(), cpu, sizeof cpu);
    if (!list) printf("hashcore %s, %s, compiler %s; hashcore's fastest time, then peer / hashcore, medians of pairs\n", HC_VERSION_STRING, cpu, __VERSION__);
    good = run_all(tables, done, list, progress);
    free(done);
    if (bench_given.json && fclose(bench_given.json)) return perror(json), 2;
    return good ? 0 : 1;
}
