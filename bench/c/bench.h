/* bench.h - the harness: a test is a piece of work that several libraries do, timed alternately in one process.
 *
 * peers.c says who can hash, modes.c what they are made to do, tests.c at which sizes; workloads.c reads the workloads that
 * all languages share. The first row of a test is hashcore's: every other row's output must equal its output. */
#ifndef BENCH_H
#define BENCH_H
#include "hashcore.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Who hashes (peers.c) ----------------------------------------------------------- */
typedef void bench_one(uint8_t *out, size_t out_len, const uint8_t *in, size_t n);
typedef void bench_pieces(uint8_t *out, const hc_slice *parts, size_t n, int keep); /* keep: an object that was there before */
typedef void bench_batch(uint8_t *out, size_t out_len, const uint8_t *in, size_t n, size_t count);

typedef struct bench_peer {
    const char *language, *library, *algorithm;
    const char *(*version)(void);
    size_t only;          /* the one digest size it has, or 0 */
    bench_one *one;       /* a message */
    bench_pieces *pieces; /* 32 bytes of digest, by init, an update a part, final; or NULL */
    bench_batch *many;    /* or NULL: a loop of `one` */
    bench_one *threads;   /* a message by all threads, or NULL */
    bench_one *read;      /* output from its start, of an object that is kept, or NULL */
} bench_peer;
extern const bench_peer bench_peers[]; /* ended by one without a library; hashcore's come first */
extern const char *const bench_missing[]; /* peers that were not built in, ended by NULL */

/* ---- What is done -------------------------------------------------------------------- */
typedef struct bench_case {
    const bench_peer *peer; /* whose row it is; NULL where a test has rows of its own */
    const hc_alg *alg;      /* hashcore's row of the same algorithm, or NULL */
    uint8_t *out;           /* as the test's output says */
    const uint8_t *in;      /* size * count bytes, aligned to 64 and `align` bytes further: byte i is i mod 251 */
    uint8_t *scratch;       /* as much again, for what writes in place or wants a second source: (i + 89) mod 241 */
    size_t size, count, align, out_len; /* out_len: of one digest */
    unsigned threads;
    const hc_slice *parts; /* of a workload; together they are the input */
    size_t part_count;
} bench_case;

/* Does the work `times` times. */
typedef void bench_fn(const bench_case *c, size_t times);

enum { BENCH_ONE, BENCH_PIECES, BENCH_THREADS, BENCH_READ, BENCH_NOBODY }; /* what a peer must have */
typedef struct bench_mode {
    bench_fn *ours, *peer; /* peer runs for each that has what `needs` says */
    int needs;
    int automatic; /* threads: HC_THREADS_AUTO unless --threads says how many */
    const char *variant; /* a second row of hashcore's, or NULL */
    bench_fn *ours_variant;
} bench_mode;
extern const bench_mode mode_hash, mode_chain, mode_new, mode_reset, mode_parts, mode_stream, mode_write, mode_output, mode_read,
    mode_threads, mode_many, mode_slices, mode_mixed, mode_trie, mode_auto_hash, mode_auto_update, mode_auto_output, mode_auto_many;

typedef struct bench_row { /* of a test that is not made of a mode */
    const char *library;
    const char *(*version)(void);
    bench_fn *run;
} bench_row;

enum { BENCH_OUT_ALL = -1 }; /* output: as many bytes as the input */
typedef struct bench_test {
    const char *algorithm, *operation;
    const char *slot;    /* the kernel slot that serves hashcore, as hc_cpu_kernel names it; NULL: none */
    int output;          /* bytes a message, or BENCH_OUT_ALL; 0: nothing to compare */
    size_t count;        /* messages a call; times are given a message */
    const size_t *sizes; /* ended by BENCH_END */
    const char *cpu;     /* hashcore's level for this test (HASHCORE_CPU's grammar), or NULL */
    const bench_mode *mode;
    const bench_row *rows; /* without a mode; ended by one without a function */
    unsigned threads;      /* 0: as --threads says, and HC_THREADS_AUTO where a mode takes that */
    /* of a workload: */
    size_t alignment, part_count; /* part_count: of a trie the number of keys */
    const hc_slice *parts;
    char digest[129];
    int dst_only; /* the alignment is that of the destination alone */
} bench_test;
#define BENCH_END ((size_t)-1)
#define KI(n) ((size_t)(n) << 10)

/* ---- Measuring (measure.c) --------------------------------------------------------------- */
typedef struct bench_options {
    const char *cpu, *algorithms, *peers; /* lists with commas, or NULL: all */
    size_t sizes[40], size_count, max_bytes, align;
    unsigned threads;
    double seconds;
    FILE *json; /* a line a row, or NULL */
} bench_options;
extern bench_options bench_given;
unsigned bench_threads(const bench_test *t); /* how many are allowed */
int bench_set_cpu(const char *level);   /* 0: no such level, said on stderr */
int bench_wants(const bench_test *t, size_t size);
int bench_run(const bench_test *t, size_t size); /* 0: an output was wrong */
/* One sample of hashcore's row, in nanoseconds a message; its digest's text. */
double bench_sample(const bench_test *t, size_t size, unsigned threads, size_t times, char digest[129]);
double bench_tsc_ghz(void); /* ticks of the time stamp counter a nanosecond; 0: there is none */
int bench_listed(const char *list, const char *name);

extern const bench_test bench_hashes[], bench_xor[], bench_file[]; /* ended by a test without a name */
const bench_test *bench_workloads(const char *path);               /* the same; ends the program when it cannot be read */
void bench_trie(const bench_case *c, size_t times); /* workload_trie.c */

/* Keeps a value that nobody reads. */
#define BENCH_KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")

const char *bench_hashcore_version(void);
#endif
