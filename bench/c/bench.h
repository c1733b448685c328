/* bench.h - the harness: a test is a piece of work that several libraries do, timed alternately in one process.
 *
 * A file of rows defines tables of bench_test, ended by a test without a name; bench.c lists the tables. The first row of
 * a test is hashcore's: the output of every other row must equal its output, and ratios are their time over its time. */
#ifndef BENCH_H
#define BENCH_H
#include "hashcore.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_case {
    uint8_t *out;      /* as the test's output says */
    const uint8_t *in; /* size * count bytes, aligned to 64 and `align` bytes further */
    uint8_t *scratch;  /* as much again, for what writes in place or wants a second source */
    size_t size, count, align;
    unsigned threads;
} bench_case;

/* Does the work `times` times. What it returns is ignored; it keeps loops that wait for each other alive. */
typedef void bench_fn(const bench_case *c, size_t times);

typedef struct bench_row {
    const char *library; /* "hashcore", "blake3 crate" */
    const char *(*version)(void);
    const char *slot; /* hashcore: the kernel slot that serves the work, as hc_cpu_kernel names it; NULL: none */
    bench_fn *run;
} bench_row;

enum { BENCH_ROWS = 8, BENCH_SIZES = 40 };
enum { BENCH_OUT_ALL = -1 }; /* output: as many bytes as the input */
typedef struct bench_test {
    const char *algorithm, *operation; /* "blake3", "hash": together the name for --only */
    int output;                        /* bytes a message, or BENCH_OUT_ALL; 0: nothing to compare */
    size_t count;                      /* messages a call; times are given a message */
    const size_t *sizes;               /* ended by BENCH_END */
    const char *cpu;                   /* hashcore's level for this test (HASHCORE_CPU's grammar), or NULL */
    bench_row rows[BENCH_ROWS];        /* ended by one without a function */
} bench_test;
#define BENCH_END ((size_t)-1)

extern const size_t bench_sizes_short[]; /* 0 1 32 55 64 128 256 512 1 Ki */
extern const size_t bench_sizes_mid[];   /* 2 Ki .. 16 Ki by 1 Ki */
extern const size_t bench_sizes_long[];  /* 64 Ki 1 Mi 64 Mi */

/* 256 messages of lengths 0 .. 2 * size, in no order; their sum is close to count * size. */
void bench_mixed(const bench_case *c, hc_slice items[256]);

/* Keeps a value that nobody reads. */
#define BENCH_KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")

const char *bench_hashcore_version(void);
#ifdef BENCH_RUST
const char *bench_blake3_version(void);
const char *bench_blake2b_simd_version(void);
const char *bench_sha2_version(void);
#endif

#endif
