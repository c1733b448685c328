/* file_tree.c - BLAKE3 of a file on several threads: each reads and hashes whole subtrees. */
#include "common.h"
#include "file.h"
#include <errno.h>
#include <stdlib.h>

#define PIECE_MIN ((size_t)64 * 1024)  /* a power of two of bytes, at least one of chunks */
#define PIECE_MAX ((size_t)256 * 1024) /* times HC_TEAM_MAX: 16 MiB */
#define WINDOW 128                     /* pieces that may be finished before the one due next is */

typedef struct tree {
    hc_monitor m;
    hc_source *s;
    hc_blake3_state *state;
    hc_b3_mode mode;
    size_t piece;
    uint64_t chunk;        /* of the first piece */
    uint64_t pos, before;  /* in the file; bytes done before it */
    uint64_t count;        /* pieces that the file had when it was opened */
    uint64_t taken, ready; /* pieces: given out; finished without a gap, and pushed */
    uint8_t *bufs;         /* one a thread */
    unsigned bufs_used;
    int stop;   /* canceled, failed, or the file became shorter */
    int failed; /* errno value of the caller's or a worker's read */
    uint8_t done[WINDOW];
    uint8_t cv[WINDOW][HC_BLAKE3_SIZE];
} tree;

static int read_piece(tree *t, uint8_t *buf, uint64_t i, int caller, size_t *got)
{
    *got = 0;
    while (*got < t->piece) {
        int64_t r = hc_file_read_at(t->s, buf + *got, t->piece - *got, t->pos + i * t->piece + *got);
        if (r == 0) break;
        if (r > 0)
            *got += (size_t)r;
        else if (r != -EINTR)
            return (int)-r;
        else if (caller && hc_file_tell(t->s))
            return HC_E_CANCELED;
    }
    return 0;
}

/* Under the lock: piece i has its value; all that are finished without a gap are pushed. */
static void tree_ready(tree *t, uint64_t i)
{
    t->done[i % WINDOW] = 1;
    while (t->ready < t->taken && t->done[t->ready % WINDOW]) {
        hc_b3_push(t->state, t->cv[t->ready % WINDOW], t->piece / HC_BLAKE3_CHUNK_SIZE);
        t->done[t->ready % WINDOW] = 0;
        t->ready++;
    }
    hc_monitor_wake(&t->m);
}

static void tree_work(tree *t, int caller)
{
    uint8_t *buf;
    hc_monitor_lock(&t->m);
    buf = t->bufs + t->piece * t->bufs_used++;
    while (!t->stop && t->taken < t->count) {
        uint8_t cv[HC_BLAKE3_SIZE];
        uint64_t i = t->taken;
        size_t got;
        int e = 0;
        if (i - t->ready >= WINDOW) {
            hc_monitor_wait(&t->m, HC_FILE_TELL_MS);
        } else {
            t->taken++;
            hc_monitor_unlock(&t->m);
            e = read_piece(t, buf, i, caller, &got);
            if (!e && got == t->piece)
                hc_b3_subtree_value(cv, &t->mode, buf, got, t->chunk + i * (t->piece / HC_BLAKE3_CHUNK_SIZE), 1);
            hc_monitor_lock(&t->m);
            if (e || got < t->piece) {
                t->stop = 1;
                if (e && !t->failed) t->failed = e;
            } else {
                memcpy(t->cv[i % WINDOW], cv, sizeof cv);
                tree_ready(t, i);
            }
        }
        if (caller && !t->stop) {
            t->s->done = t->before + t->ready * t->piece;
            hc_monitor_unlock(&t->m);
            e = hc_file_due(t->s);
            hc_monitor_lock(&t->m);
            if (e) t->stop = 1;
        }
    }
    hc_monitor_wake(&t->m);
    hc_monitor_unlock(&t->m);
}

static void tree_worker(void *t) { tree_work((tree *)t, 0); }

/* The pieces as they were planned, on all threads. */
static int tree_pieces(tree *t, hc_source *s, unsigned threads)
{
    hc_team team;
    hc_monitor_init(&t->m);
    hc_team_init(&team, tree_worker, t);
    while (--threads && hc_team_start(&team))
        ;
    tree_work(t, 1);
    hc_team_join(&team);
    hc_monitor_end(&t->m);
    if (t->failed) return t->failed;
    if (s->canceled) return HC_E_CANCELED;
    s->done = t->before + t->ready * t->piece;
    s->pos = t->pos + t->ready * t->piece;
    s->left -= t->ready * t->piece;
    return 0;
}

/* What follows the pieces: the file's last bytes, what it has grown by, or what a cut left of the piece due next. */
static int tree_rest(tree *t, hc_source *s, hc_lane *l)
{
    size_t got;
    int e = hc_file_fill(s, t->bufs, t->piece, &got);
    if (e) return e;
    if (got) {
        l->alg->update(&l->copy, t->bufs, got);
        s->done += got;
        if (hc_file_due(s)) return HC_E_CANCELED;
    } else if (t->ready) {
        /* Cut off just here, or before: a value that was pushed may be the root, which no value tells. What there is
         * now, much or little, is read again in order. */
        l->alg->copy(&l->copy, l->state);
        s->left += s->done;
        s->pos = s->start;
        s->done = 0;
    }
    return hc_file_pump(s, l, 1, t->bufs, t->piece, HC_UNTIL_END);
}

int hc_file_tree(hc_source *s, hc_lane *l, unsigned threads)
{
    tree t;
    void *memory;
    uint64_t had, head;
    int e;
    memset(&t, 0, sizeof t);
    t.s = s;
    t.state = (hc_blake3_state *)(void *)&l->copy;
    t.piece = PIECE_MAX;
    while (t.piece > PIECE_MIN && s->total / t.piece < 8 * (uint64_t)threads) t.piece /= 2;
    t.bufs = hc_file_buffer(threads * t.piece, &memory);
    if (!t.bufs) return HC_E_MEMORY;

    had = t.state->chunk * HC_BLAKE3_CHUNK_SIZE + t.state->blocks * 64u + t.state->buffered;
    head = (t.piece - had % t.piece) % t.piece;
    e = hc_file_pump(s, l, 1, t.bufs, t.piece, head);
    if (!e && s->total > s->done) {
        memcpy(t.mode.key, t.state->key, sizeof t.mode.key);
        t.mode.flags = t.state->flags;
        t.chunk = (had + head) / HC_BLAKE3_CHUNK_SIZE;
        t.pos = s->pos;
        t.before = s->done;
        t.count = (s->total - s->done - 1) / t.piece; /* and a byte at least is left */
        e = tree_pieces(&t, s, threads);
    }
    if (!e) e = tree_rest(&t, s, l);
    free(memory);
    hc_wipe(&t, sizeof t);
    return e;
}
