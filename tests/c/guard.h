/* guard.h - memory between two pages that fault, so that one byte read or written outside ends the test.
 * -DHC_TEST_NO_GUARD (no mmap, Windows, Bochs): plain memory. */
#ifndef HC_GUARD_H
#define HC_GUARD_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if !defined(HC_TEST_NO_GUARD) && !defined(_WIN32)
#include <sys/mman.h>
#include <unistd.h>
#endif

typedef struct guard {
    uint8_t *first, *end; /* [first, end) may be touched: whole pages, at least what was asked for */
} guard;

static inline guard guard_new(size_t size)
{
    guard g;
#if !defined(HC_TEST_NO_GUARD) && !defined(_WIN32)
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
    g.first = (uint8_t *)mmap(NULL, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g.first == (uint8_t *)MAP_FAILED) g.first = NULL;
    if (g.first) g.first += page;
    if (g.first && mprotect(g.first, whole, PROT_READ | PROT_WRITE)) g.first = NULL;
    g.end = g.first + whole;
#else
    g.first = (uint8_t *)malloc(size);
    g.end = g.first + size;
#endif
    if (!g.first) {
        fprintf(stderr, "guard_new: no memory\n");
        exit(2);
    }
    return g;
}
#endif
