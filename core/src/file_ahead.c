/* file_ahead.c - files on several threads: the caller reads ahead into a ring of buffers, whoever is free hashes. */
#include "common.h"
#include "file.h"
#include <stdlib.h>

#define SLOT_SIZE ((size_t)128 * 1024)
#define SLOTS 8

typedef struct ring {
    hc_monitor m;
    hc_source *s;
    hc_lane *lanes;
    size_t n;
    uint8_t *buf;
    size_t len[SLOTS];
    uint64_t filled; /* slots read so far */
    int over;        /* nothing more will be */
    int waiting;     /* the caller, for room */
    unsigned idle;   /* helpers, for work */
} ring;

/* Under the lock: the slots that every lane has absorbed. */
static uint64_t ring_least(const ring *r)
{
    uint64_t least = r->filled;
    size_t k;
    for (k = 0; k < r->n; k++)
        if (r->lanes[k].next < least) least = r->lanes[k].next;
    return least;
}

/* Under the lock: the idle lane that is furthest behind takes its next slot. 0: there is none. */
static int absorb(ring *r)
{
    hc_lane *l = NULL;
    size_t k, slot;
    for (k = 0; k < r->n; k++)
        if (!r->lanes[k].busy && r->lanes[k].next < r->filled && (!l || r->lanes[k].next < l->next)) l = &r->lanes[k];
    if (!l) return 0;
    l->busy = 1;
    slot = (size_t)(l->next % SLOTS);
    hc_monitor_unlock(&r->m);
    l->alg->update(&l->copy, r->buf + slot * SLOT_SIZE, r->len[slot]);
    hc_monitor_lock(&r->m);
    l->busy = 0;
    l->next++;
    /* Who hashes is what all wait for, and waking costs it a system call: the reader is called when half is empty. */
    if (r->idle || (r->waiting && r->filled - ring_least(r) <= SLOTS / 2)) hc_monitor_wake(&r->m);
    return 1;
}

static void ring_worker(void *arg)
{
    ring *r = (ring *)arg;
    hc_monitor_lock(&r->m);
    for (;;) {
        if (absorb(r)) continue;
        if (r->over) break; /* a lane that is busy is continued by whom it keeps busy */
        r->idle++;
        hc_monitor_wait(&r->m, 0);
        r->idle--;
    }
    hc_monitor_unlock(&r->m);
}

/* Under the lock: one slot is read, or one absorbed, or waited for. */
static int ring_caller(ring *r)
{
    hc_source *s = r->s;
    int e;
    if (!r->over && r->filled - ring_least(r) < SLOTS) {
        size_t slot = (size_t)(r->filled % SLOTS);
        hc_monitor_unlock(&r->m);
        e = hc_file_fill(s, r->buf + slot * SLOT_SIZE, SLOT_SIZE, &r->len[slot]);
        s->done += e ? 0 : r->len[slot];
        if (!e && hc_file_due(s)) e = HC_E_CANCELED;
        hc_monitor_lock(&r->m);
        if (e) return e;
        if (r->len[slot])
            r->filled++;
        else
            r->over = 1;
        if (r->idle) hc_monitor_wake(&r->m);
    } else if (!absorb(r)) {
        r->waiting = 1;
        hc_monitor_wait(&r->m, HC_FILE_TELL_MS);
        r->waiting = 0;
        hc_monitor_unlock(&r->m);
        e = hc_file_due(s) ? HC_E_CANCELED : 0;
        hc_monitor_lock(&r->m);
        if (e) return e;
    }
    return 0;
}

int hc_file_ahead(hc_source *s, hc_lane *lanes, size_t n, unsigned threads, uint64_t alone)
{
    ring r;
    hc_team team;
    void *memory;
    unsigned workers = threads - 1;
    int e = 0;
    if (workers > n) workers = (unsigned)n;
    r.buf = hc_file_buffer(SLOTS * SLOT_SIZE, &memory);
    if (!r.buf) return HC_E_MEMORY;
    e = hc_file_pump(s, lanes, n, r.buf, SLOT_SIZE, alone);
    if (e || s->done < alone) { /* it ended */
        free(memory);
        return e;
    }
    r.s = s;
    r.lanes = lanes;
    r.n = n;
    r.filled = 0;
    r.over = r.waiting = 0;
    r.idle = 0;
    hc_monitor_init(&r.m);
    hc_team_init(&team, ring_worker, &r);
    hc_monitor_lock(&r.m);
    while (!e && !(r.over && ring_least(&r) == r.filled)) {
        /* Not before there is more than one slot: what comes through a pipe may be short. */
        if (workers && s->done > SLOT_SIZE && !r.over) workers = hc_team_start(&team) ? workers - 1 : 0;
        e = ring_caller(&r);
    }
    r.over = 1;
    if (e) r.filled = 0; /* what is left is not worth hashing */
    hc_monitor_wake(&r.m);
    hc_monitor_unlock(&r.m);
    hc_team_join(&team);
    hc_monitor_end(&r.m);
    free(memory);
    return e;
}
