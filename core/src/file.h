/* file.h - what the files of hc_update_file share: the source that is read, the states that take the bytes. */
#ifndef HC_FILE_H
#define HC_FILE_H
#include "threads.h"

typedef struct hc_source {
    intptr_t h; /* descriptor; HANDLE on Windows */
    int own;    /* opened here */
    int regular;
    int positioned; /* read at pos; the descriptor's own position stays out of it */
    int from_here;  /* afterwards the descriptor stands after the last byte read */
    uint64_t start, pos, left, before;
    const char *name; /* of the argument, for errors */
    int (*progress)(void *user, uint64_t done, uint64_t total);
    void *user;
    uint64_t done, total, told, told_ms;
    int tells; /* it was told at least once */
    int canceled;
} hc_source;

/* One algorithm. Its copy takes the bytes, so that nothing happened if anything fails. */
typedef struct hc_lane {
    const hc_alg *alg;
    void *state;
    uint64_t next; /* slots absorbed */
    int busy;
    hc_state copy;
} hc_lane;

/* A function here that gives an int gives 0, an errno value, or HC_E_CANCELED, HC_E_MEMORY (these are negative). */

/* Reports progress, or does so when it is time; 1 when asked to stop. Calling thread only. */
HC_INTERNAL int hc_file_tell(hc_source *s);
HC_INTERNAL int hc_file_due(hc_source *s);
/* The next bytes: *got is n unless the file ends (then less, 0 at last) or gives its bytes as they come. */
HC_INTERNAL int hc_file_fill(hc_source *s, uint8_t *buf, size_t n, size_t *got);
/* Reads and absorbs up to limit bytes on the calling thread, through buf. */
HC_INTERNAL int hc_file_pump(hc_source *s, hc_lane *lanes, size_t n, uint8_t *buf, size_t size, uint64_t limit);
/* One positioned read, on any thread: bytes (0: the end), or minus an errno value. */
HC_INTERNAL int64_t hc_file_read_at(const hc_source *s, void *buf, size_t n, uint64_t pos);

/* n bytes from the start of a page on, where the system copies 3 % faster than to malloc's own 16 bytes further.
 * *memory is to be freed. NULL: none to be had. */
HC_INTERNAL uint8_t *hc_file_buffer(size_t n, void **memory);

/* The whole source: the caller reads, helpers hash (file_ahead.c, threads > 1), after `alone` bytes without helpers;
 * BLAKE3 by subtrees (file_tree.c). */
HC_INTERNAL int hc_file_ahead(hc_source *s, hc_lane *lanes, size_t n, unsigned threads, uint64_t alone);
HC_INTERNAL int hc_file_tree(hc_source *s, hc_lane *l, unsigned threads);
#define HC_FILE_TELL_MS 50 /* hashcore.h promises 0.1 s */

#endif
