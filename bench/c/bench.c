/* bench.c - times hashcore and its peers alternately in one process; prints ratios, writes one JSON document.
 *
 *   bench [--only TEXT] [--size N]... [--cpu LEVEL] [--threads N] [--align N] [--seconds S] [--json FILE] [--list]
 *
 * --only takes the tests whose "algorithm operation" holds the text; --cpu is HASHCORE_CPU's grammar; --seconds is spent
 * on each size of each test. Every row's output is checked against hashcore's; a difference ends with status 1. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "bench.h"
#include <time.h>
#ifdef BENCH_RUST
#include "peers.h"
#endif

extern const bench_test bench_blake3[], bench_threads[], bench_file[];
#ifdef BENCH_SHA2
extern const bench_test bench_sha2[];
#endif
#ifdef BENCH_BLAKE2B
extern const bench_test bench_blake2b[];
#endif
#ifdef BENCH_XOR
extern const bench_test bench_xor[];
#endif
static const bench_test *const tables[] = {
    bench_blake3,
#ifdef BENCH_SHA2
    bench_sha2,
#endif
#ifdef BENCH_BLAKE2B
    bench_blake2b,
#endif
#ifdef BENCH_XOR
    bench_xor,
#endif
    bench_threads,
    bench_file,
    NULL
};

#define KI(n) ((size_t)(n) << 10)
const size_t bench_sizes_short[] = { 0, 1, 32, 55, 64, 128, 256, 512, KI(1), BENCH_END };
const size_t bench_sizes_mid[] = { KI(2),  KI(3),  KI(4),  KI(5),  KI(6),  KI(7),  KI(8),  KI(9),
                                   KI(10), KI(11), KI(12), KI(13), KI(14), KI(15), KI(16), BENCH_END };
const size_t bench_sizes_long[] = { KI(64), KI(1024), KI(65536), BENCH_END };

void bench_mixed(const bench_case *c, hc_slice items[256])
{
    size_t at = 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t len = (i * 149 + 31) % 256 * 2 * c->size / 255;
        if (len > c->count * c->size - at) len = c->count * c->size - at;
        items[i].data = c->in + at;
        items[i].len = len;
        at += len;
    }
}

const char *bench_hashcore_version(void) { return HC_VERSION_STRING; }
#ifdef BENCH_RUST
const char *bench_blake3_version(void) { return peer_version(0); }
const char *bench_blake2b_simd_version(void) { return peer_version(1); }
const char *bench_sha2_version(void) { return peer_version(2); }
#endif

static struct {
    const char *only, *cpu;
    size_t sizes[BENCH_SIZES], size_count, align;
    unsigned threads;
    double seconds;
    FILE *json;
} options;
static uint8_t *in_memory, *out_memory, *scratch_memory;
static size_t memory_size;
static int failures;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *memory(size_t n)
{
    void *p = malloc(n + 4096);
    if (!p) {
        fprintf(stderr, "bench: no memory for %zu bytes\n", n);
        exit(2);
    }
    return (void *)(((uintptr_t)p + 4095) / 4096 * 4096);
}

static void need_memory(size_t n)
{
    if (n <= memory_size) return;
    in_memory = (uint8_t *)memory(n); /* the smaller ones stay allocated: the sizes grow a few times only */
    out_memory = (uint8_t *)memory(n);
    scratch_memory = (uint8_t *)memory(n);
    memory_size = n;
    for (size_t i = 0; i < n; i++) in_memory[i] = (uint8_t)(i * 0x9e3779b1u >> 13);
    memset(out_memory, 0, n);
    memset(scratch_memory, 0, n);
}

static const char *kernel_of(const char *slot)
{
    const char *name, *kernel;
    for (size_t i = 0; slot && (kernel = hc_cpu_kernel(i, &name)) != NULL; i++)
        if (!strcmp(name, slot)) return kernel;
    return "";
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Samples of one row: nanoseconds a message, by round. */
enum { ROUNDS_MAX = 2000, ROUNDS_MIN = 7 };
typedef struct samples {
    double at[ROUNDS_MAX], min, median, p95;
    size_t times;
} samples;

static double sample(const bench_row *r, const bench_case *c, size_t times)
{
    double t = now_ns();
    r->run(c, times);
    return (now_ns() - t) / (double)times / (double)c->count;
}

static size_t output_size(const bench_test *t, size_t size)
{
    return (t->output == BENCH_OUT_ALL ? size : (size_t)t->output) * t->count;
}

static void json_row(const bench_test *t, const bench_row *r, const bench_case *c, const samples *s, const char *digest)
{
    static int any;
    if (!options.json) return;
    fprintf(options.json,
            "%s\n    {\"language\": \"C\", \"library\": \"%s\", \"version\": \"%s\", \"kernel\": \"%s\", \"algorithm\": \"%s\", "
            "\"operation\": \"%s\", \"size\": %zu, \"count\": %zu, \"threads\": %u, \"alignment\": %zu, "
            "\"ns_min\": %.2f, \"ns_median\": %.2f, \"ns_p95\": %.2f, \"bytes_per_second\": %.0f, \"digest\": \"%s\"}",
            any ? "," : "", r->library, r->version(), kernel_of(r->slot), t->algorithm, t->operation, c->size, c->count,
            c->threads ? c->threads : 1, c->align, s->min, s->median, s->p95,
            s->min > 0 ? (double)c->size * 1e9 / s->min : 0.0, digest);
    any = 1;
}

/* Output once, checked; the text of the digest, or of the SHA-256 of a long output. */
static void check_row(const bench_test *t, const bench_row *r, const bench_case *c, uint8_t *wanted, char digest[129])
{
    size_t n = output_size(t, c->size);
    uint8_t d[32];
    memset(c->out, 0x5a, n);
    r->run(c, 1);
    if (r == t->rows) {
        memcpy(wanted, c->out, n);
    } else if (memcmp(wanted, c->out, n)) {
        fprintf(stderr, "bench: %s %s, %zu bytes: %s differs from hashcore\n", t->algorithm, t->operation, c->size, r->library);
        failures = 1;
    }
    digest[0] = 0;
    if (!n) return;
    if (n > 64) hc_sha256_hash(d, c->out, n);
    hc_hex(digest, n > 64 ? d : c->out, n > 64 ? 32 : n);
    digest[2 * (n > 64 ? 32 : n)] = 0;
}

static double paired(const samples *a, const samples *b, size_t rounds)
{
    static double ratio[ROUNDS_MAX];
    for (size_t i = 0; i < rounds; i++) ratio[i] = a->at[i] / b->at[i];
    qsort(ratio, rounds, sizeof *ratio, by_value);
    return ratio[rounds / 2];
}

static void run_size(const bench_test *t, size_t size)
{
    static samples all[BENCH_ROWS];
    static double sorted[ROUNDS_MAX];
    static char digest[BENCH_ROWS][129];
    size_t rows = 0, rounds, i, k, total = size * t->count, out = output_size(t, size);
    double round_ns = 0;
    bench_case c;
    need_memory((total > out ? total : out) + options.align + 65536);
    c.in = in_memory + options.align;
    c.out = out_memory;
    c.scratch = scratch_memory;
    c.size = size;
    c.count = t->count;
    c.align = options.align;
    c.threads = options.threads;
    {
        uint8_t *wanted = (uint8_t *)malloc(out + 1);
        if (!wanted) exit(2);
        for (; rows < BENCH_ROWS && t->rows[rows].run; rows++) check_row(t, t->rows + rows, &c, wanted, digest[rows]);
        free(wanted);
    }
    for (k = 0; k < rows; k++) { /* a sample takes at least 20 microseconds */
        double ns;
        for (all[k].times = 1; (ns = sample(t->rows + k, &c, all[k].times) * (double)(all[k].times * c.count)) < 20e3;)
            all[k].times *= 2;
        round_ns += ns;
    }
    rounds = (size_t)(options.seconds * 1e9 / round_ns);
    rounds = rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds < ROUNDS_MIN ? ROUNDS_MIN : rounds;
    for (i = 0; i < rounds; i++)
        for (k = 0; k < rows; k++) all[k].at[i] = sample(t->rows + k, &c, all[k].times);
    for (k = 0; k < rows; k++) {
        memcpy(sorted, all[k].at, rounds * sizeof *sorted);
        qsort(sorted, rounds, sizeof *sorted, by_value);
        all[k].min = sorted[0];
        all[k].median = sorted[rounds / 2];
        all[k].p95 = sorted[rounds * 95 / 100];
        json_row(t, t->rows + k, &c, all + k, digest[k]);
    }
    printf("%-9s %-14s %9zu x %-4zu %-9s %12.1f ns %7.3f GB/s", t->algorithm, t->operation, size, t->count,
           kernel_of(t->rows[0].slot), all[0].min, (double)size / all[0].min);
    for (k = 1; k < rows; k++)
        printf("   %s %.3f (%.3f)", t->rows[k].library, all[k].min / all[0].min, paired(all + k, all, rounds));
    printf("\n");
    fflush(stdout);
}

static int wanted_size(size_t size)
{
    size_t i;
    if (!options.size_count) return 1;
    for (i = 0; i < options.size_count; i++)
        if (options.sizes[i] == size) return 1;
    return 0;
}

static int set_cpu(const char *text)
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

static void run_test(const bench_test *t)
{
    char name[100];
    snprintf(name, sizeof name, "%s %s", t->algorithm, t->operation);
    if (options.only && !strstr(name, options.only)) return;
    if (t->cpu && !set_cpu(t->cpu)) return;
    for (size_t i = 0; t->sizes[i] != BENCH_END; i++)
        if (wanted_size(t->sizes[i])) run_size(t, t->sizes[i]);
    if (t->cpu) set_cpu(options.cpu);
}

static int usage(void)
{
    fprintf(stderr, "bench [--only TEXT] [--size N]... [--cpu LEVEL] [--threads N] [--align N] [--seconds S] [--json FILE] "
                    "[--list]\n");
    return 2;
}

int main(int argc, char **argv)
{
    char cpu[200];
    int list = 0;
    options.seconds = 0.2;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(a, "--list")) {
            list = 1;
            continue;
        }
        if (!v) return usage();
        i++;
        if (!strcmp(a, "--only")) options.only = v;
        else if (!strcmp(a, "--cpu")) options.cpu = v;
        else if (!strcmp(a, "--threads")) options.threads = (unsigned)strtoul(v, NULL, 0);
        else if (!strcmp(a, "--align")) options.align = (size_t)strtoull(v, NULL, 0) % 4096;
        else if (!strcmp(a, "--seconds")) options.seconds = strtod(v, NULL);
        else if (!strcmp(a, "--size") && options.size_count < BENCH_SIZES)
            options.sizes[options.size_count++] = (size_t)strtoull(v, NULL, 0);
        else if (!strcmp(a, "--json")) {
            options.json = fopen(v, "w");
            if (!options.json) return perror(v), 2;
        } else return usage();
    }
    if (options.cpu && !set_cpu(options.cpu)) return 2;
    if (list) {
        for (size_t i = 0; tables[i]; i++)
            for (const bench_test *t = tables[i]; t->algorithm; t++) printf("%s %s\n", t->algorithm, t->operation);
        return 0;
    }
    hc_cpu_text(hc_cpu_enabled(), cpu, sizeof cpu);
    printf("hashcore %s, %s, compiler %s\n", HC_VERSION_STRING, cpu, __VERSION__);
    printf("fastest run of hashcore a message; then peer time / hashcore time, of the fastest runs and (median of pairs)\n");
    if (options.json)
        fprintf(options.json, "{\"schema\": 1, \"compiler\": \"%s\", \"cpu\": \"%s\", \"results\": [", __VERSION__, cpu);
    for (size_t i = 0; tables[i]; i++)
        for (const bench_test *t = tables[i]; t->algorithm; t++) run_test(t);
    if (options.json) {
        fprintf(options.json, "\n]}\n");
        if (fclose(options.json)) return perror("bench"), 2;
    }
    return failures;
}
