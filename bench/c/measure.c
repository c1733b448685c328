/* measure.c - runs the rows of a test alternately, checks their outputs, and writes a line a row. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "bench.h"
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#define BENCH_TICKS() __rdtsc()
#endif

enum { ROWS = 12, ROUNDS_MAX = 2000, ROUNDS_MIN = 7, ROUNDS_FEW = 3 };

bench_options bench_given;

typedef struct row {
    const char *language, *library, *version;
    bench_case c;
    bench_fn *run;
    size_t times;
    double sample_ns; /* what a sample took, once */
    double at[ROUNDS_MAX], sorted[ROUNDS_MAX], ratio; /* nanoseconds a message, by round */
    char digest[129];
} row;
static row rows[ROWS];

static uint8_t *in_memory, *out_memory, *scratch_memory, *node_memory;
static size_t memory_size, in_align = (size_t)-1;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double bench_tsc_ghz(void)
{
#ifdef BENCH_TICKS
    static double ghz;
    if (ghz == 0) {
        double t = now_ns();
        uint64_t start = BENCH_TICKS();
        while (now_ns() - t < 20e6) {}
        ghz = (double)(BENCH_TICKS() - start) / (now_ns() - t);
    }
    return ghz;
#else
    return 0;
#endif
}

/* ---- Data ------------------------------------------------------------------------------ */
static uint8_t *memory(size_t n)
{
    uint8_t *p = (uint8_t *)malloc(n + 4096);
    if (!p) {
        fprintf(stderr, "bench: no memory for %zu bytes\n", n);
        exit(2);
    }
    return (uint8_t *)(((uintptr_t)p + 4095) / 4096 * 4096);
}

static void fill(uint8_t *p, size_t n, unsigned value, unsigned by)
{
    for (size_t i = 0; i < n; i++) {
        p[i] = (uint8_t)value;
        if (++value == by) value = 0;
    }
}

static void prepare(size_t n, size_t align)
{
    n += 8192;
    if (n > memory_size) { /* the smaller ones stay allocated: the sizes grow a few times only */
        in_memory = memory(n);
        out_memory = memory(n + 2048) + 2048; /* as far from the input, modulo a page, as can be: a load that agrees with a store in
                                               * flight in its lowest 12 bits waits for it, as if every call waited for the last */
        scratch_memory = memory(n);
        memory_size = n;
        in_align = (size_t)-1;
        memset(out_memory, 0, n);
    }
    if (in_align != align) fill(in_memory + align, memory_size - align, 0, 251);
    in_align = align;
    fill(scratch_memory + align, n - align, 89, 241);
}

static const uint8_t *joined(const hc_slice *parts, size_t n)
{
    size_t at = 0;
    if (!node_memory) node_memory = memory(4096);
    for (size_t i = 0; i < n; at += parts[i++].len) memcpy(node_memory + at, parts[i].data, parts[i].len);
    return node_memory;
}

unsigned bench_threads(const bench_test *t)
{
    unsigned n = t->threads ? t->threads : bench_given.threads;
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    return n ? n : t->mode && t->mode->automatic ? all > 16 ? 16 : (unsigned)all : 1;
}

static size_t output_size(const bench_test *t, size_t size)
{
    return t->output == BENCH_OUT_ALL ? size : (size_t)t->output;
}

static void make_case(bench_case *c, const bench_test *t, size_t size)
{
    size_t total = size * t->count, out = output_size(t, size) * t->count;
    size_t align = t->alignment ? t->alignment : bench_given.align;
    prepare((total > out ? total : out) + align, t->dst_only ? 0 : align);
    memset(c, 0, sizeof *c);
    c->alg = hc_alg_find(t->algorithm);
    c->in = t->parts ? joined(t->parts, t->part_count) : in_memory + (t->dst_only ? 0 : align);
    c->out = out_memory;
    c->scratch = scratch_memory;
    c->size = size;
    c->count = t->count;
    c->align = align;
    c->out_len = output_size(t, size);
    c->threads = t->threads ? t->threads : bench_given.threads;
    c->parts = t->parts;
    c->part_count = t->part_count;
}

/* ---- Rows --------------------------------------------------------------------------------- */
static void add_row(size_t *n, const bench_case *c, const char *language, const char *library, const char *version, bench_fn *run)
{
    row *r = &rows[*n];
    if (*n == ROWS || (strncmp(library, "hashcore", 8) && bench_given.peers && !bench_listed(bench_given.peers, library))) return;
    memset(r, 0, sizeof *r);
    r->language = language;
    r->library = library;
    r->version = version;
    r->c = *c;
    r->run = run;
    ++*n;
}

static int has(const bench_peer *p, int needs)
{
    return needs == BENCH_ONE ? p->one != NULL : needs == BENCH_PIECES ? p->pieces != NULL : needs == BENCH_THREADS ? p->threads != NULL :
           needs == BENCH_READ ? p->read != NULL : 0;
}

static size_t make_rows(const bench_test *t, size_t size)
{
    const char *algorithm = strncmp(t->algorithm, "hmac", 4) ? t->algorithm : "none";
    bench_case c;
    size_t n = 0, ours = 0;
    make_case(&c, t, size);
    if (!t->mode) {
        for (const bench_row *r = t->rows; r->run; r++) add_row(&n, &c, "C", r->library, r->version(), r->run);
        return n;
    }
    while (bench_peers[ours].library && !strcmp(bench_peers[ours].library, "hashcore") && strcmp(bench_peers[ours].algorithm, algorithm)) ours++;
    c.peer = &bench_peers[ours];
    add_row(&n, &c, "C", "hashcore", bench_hashcore_version(), t->mode->ours);
    if (t->mode->variant) add_row(&n, &c, "C", t->mode->variant, bench_hashcore_version(), t->mode->ours_variant);
    for (const bench_peer *p = bench_peers; p->library; p++) {
        c.peer = p;
        if (strcmp(p->library, "hashcore") && !strcmp(p->algorithm, algorithm) && t->mode->peer && has(p, t->mode->needs) &&
            (!p->only || p->only == c.out_len))
            add_row(&n, &c, p->language, p->library, p->version(), t->mode->peer);
    }
    return n;
}

static const char *kernel_of(const char *slot)
{
    const char *name, *kernel;
    for (size_t i = 0; slot && (kernel = hc_cpu_kernel(i, &name)) != NULL; i++)
        if (!strcmp(name, slot)) return kernel;
    return "";
}

static double sample(const row *r, size_t times)
{
    double t = now_ns();
    r->run(&r->c, times);
    return (now_ns() - t) / (double)times / (double)r->c.count;
}

/* Where a library before this one used no wide vectors for 0.7 ms, some processors (Ice Lake) run them at a quarter of their speed
 * for the first 0.2 ms or so: a sample begins when its own code has run as long as that. Long ones pay for it by less than they vary. */
#define WARM_NS 400e3
#define NEEDS_NO_WARMING_NS 5e6
static double warm_sample(const row *r)
{
    if (r->sample_ns < NEEDS_NO_WARMING_NS)
        for (double t = now_ns(); now_ns() - t < WARM_NS;) r->run(&r->c, r->times);
    return sample(r, r->times);
}

/* ---- Outputs -------------------------------------------------------------------------------- */
static const uint8_t *output_of(const row *r) { return r->c.out + (r->c.peer ? 0 : r->c.align); }

static void digest_text(char digest[129], const uint8_t *out, size_t n)
{
    uint8_t d[32];
    digest[0] = 0;
    if (!n) return;
    if (n > 64) hc_sha256_hash(d, out, n);
    hc_hex(digest, n > 64 ? d : out, n > 64 ? 32 : n);
    digest[2 * (n > 64 ? 32 : n)] = 0;
}

/* Runs it once; 0 when what it gives is not what the workload says, or differs from the first row's. */
static int check_row(const bench_test *t, row *r, uint8_t *wanted)
{
    size_t n = r->c.out_len * r->c.count;
    const uint8_t *out = t->mode || t->alignment ? output_of(r) : r->c.out;
    memset(r->c.out, 0x5a, n + r->c.align);
    r->run(&r->c, 1);
    digest_text(r->digest, out, n);
    if (r == rows) memcpy(wanted, out, n);
    if ((t->digest[0] && strcmp(t->digest, r->digest)) || memcmp(wanted, out, n)) {
        fprintf(stderr, "bench: %s %s, %zu bytes: %s gives a wrong output\n", t->algorithm, t->operation, r->c.size, r->library);
        return 0;
    }
    return 1;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void json_row(const bench_test *t, const row *r, size_t rounds)
{
    FILE *f = bench_given.json;
    double min = r->sorted[0], ghz = bench_tsc_ghz();
    int ours = !strncmp(r->library, "hashcore", 8);
    if (!f) return;
    fprintf(f, "{\"language\": \"%s\", \"library\": \"%s\", \"version\": \"%s\", \"kernel\": \"%s\", \"algorithm\": \"%s\", "
               "\"operation\": \"%s\", \"size\": %zu, \"count\": %zu, \"threads\": %u, \"alignment\": %zu, "
               "\"ns_min\": %.3f, \"ns_median\": %.3f, \"ns_p95\": %.3f, \"bytes_per_second\": %.0f, ",
            r->language, r->library, r->version, ours ? kernel_of(t->slot) : "", t->algorithm, t->operation, r->c.size, r->c.count,
            bench_threads(t), r->c.align, min, r->sorted[rounds / 2], r->sorted[rounds * 95 / 100],
            min > 0 ? (double)r->c.size * 1e9 / min : 0.0);
    if (ghz > 0 && r->c.size) fprintf(f, "\"tsc_ticks_per_byte\": %.4f, ", min * ghz / (double)r->c.size);
    else fprintf(f, "\"tsc_ticks_per_byte\": null, ");
    if (r != rows) fprintf(f, "\"ratio\": %.4f, ", r->ratio);
    else fprintf(f, "\"ratio\": null, ");
    fprintf(f, "\"level\": \"%s\", \"digest\": \"%s\"}\n", t->cpu ? t->cpu : "", r->digest);
}

/* ---- A test -------------------------------------------------------------------------------- */
int bench_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (!strncmp(p, name, n) && (p[n] == ',' || p[n] == 0)) return 1;
    return 0;
}

int bench_wants(const bench_test *t, size_t size)
{
    size_t i = 0;
    if (bench_given.algorithms && !bench_listed(bench_given.algorithms, t->algorithm)) return 0;
    if (bench_given.max_bytes && size * t->count > bench_given.max_bytes) return 0;
    for (; i < bench_given.size_count && bench_given.sizes[i] != size; i++) {}
    return !bench_given.size_count || i < bench_given.size_count;
}

int bench_run(const bench_test *t, size_t size)
{
    size_t n = make_rows(t, size), rounds, i, k;
    double round_ns = 0;
    uint8_t *wanted = (uint8_t *)malloc(output_size(t, size) * t->count + 1);
    int good = wanted != NULL;
    for (k = 0; good && k < n; k++) good = check_row(t, &rows[k], wanted);
    free(wanted);
    if (!good) return 0;
    for (k = 0; k < n; k++) { /* a sample takes at least 20 microseconds */
        double ns;
        for (rows[k].times = 1; (ns = sample(&rows[k], rows[k].times) * (double)(rows[k].times * t->count)) < 20e3;) rows[k].times *= 2;
        rows[k].sample_ns = ns;
        round_ns += ns + (ns < NEEDS_NO_WARMING_NS ? WARM_NS + ns : 0);
    }
    rounds = (size_t)(bench_given.seconds * 1e9 / round_ns);
    i = round_ns > 0.1e9 ? ROUNDS_FEW : ROUNDS_MIN;
    rounds = rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds < i ? i : rounds;
    for (i = 0; i < rounds; i++)
        for (k = 0; k < n; k++) rows[k].at[i] = warm_sample(&rows[k]);
    for (k = 0; k < n; k++) {
        for (i = 0; i < rounds; i++) rows[k].sorted[i] = rows[k].at[i] / rows[0].at[i];
        qsort(rows[k].sorted, rounds, sizeof(double), by_value);
        rows[k].ratio = rows[k].sorted[rounds / 2];
        memcpy(rows[k].sorted, rows[k].at, rounds * sizeof(double));
        qsort(rows[k].sorted, rounds, sizeof(double), by_value);
        json_row(t, &rows[k], rounds);
    }
    printf("%-11s %-24s %9zu x %-5zu %-9s %12.1f ns %7.3f GB/s", t->algorithm, t->operation, size, t->count, kernel_of(t->slot),
           rows[0].sorted[0], (double)size / rows[0].sorted[0]);
    for (k = 1; k < n; k++) printf("   %s %.3f", rows[k].library, rows[k].ratio);
    printf("\n");
    fflush(stdout);
    if (bench_given.json) fflush(bench_given.json);
    return 1;
}

double bench_sample(const bench_test *t, size_t size, unsigned threads, size_t times, char digest[129])
{
    static const bench_test *last;
    static uint8_t wanted[1 << 21];
    if (last != t) { /* the rows of the last test stand ready */
        make_rows(t, size);
        if (output_size(t, size) * t->count > sizeof wanted || !check_row(t, &rows[0], wanted)) return -1;
        last = t;
    }
    rows[0].c.threads = threads;
    rows[0].run(&rows[0].c, times / 8 + 1);
    strcpy(digest, rows[0].digest);
    return sample(&rows[0], times);
}
