/* file.c - files, pipes and devices into states: one bounded read for several algorithms, on one thread or more. */
#include "common.h"
#include "file.h"
#include <stdlib.h>
#include "file_os.inc.h"

#define ALONE_SIZE ((size_t)64 * 1024) /* stays in the second cache between the copy and the hash */
#define TREE_ALONE ((uint64_t)1024 * 1024)
#define TELL_BYTES ((uint64_t)16 << 20)
#define POLL_MS 50

/* ---- The file --------------------------------------------------------------------- */

int hc_file_tell(hc_source *s)
{
    if (!s->progress || s->canceled) return s->canceled;
    if (s->told < s->done) s->told = s->done;   /* a file that was cut may be read again: no step back */
    if (s->total < s->told) s->total = s->told; /* it grew */
    s->tells = 1;
    s->told_ms = os_ms();
    s->canceled = s->progress(s->user, s->told, s->total) != 0;
    return s->canceled;
}

int hc_file_due(hc_source *s)
{
    if (!s->progress || s->canceled) return s->canceled;
    if (s->done < s->told + TELL_BYTES && os_ms() - s->told_ms < HC_FILE_TELL_MS) return 0;
    return hc_file_tell(s);
}

static int open_source(hc_source *s, const hc_file *f, hc_error *err)
{
    os_info info;
    int e;
    memset(s, 0, sizeof *s);
    s->progress = f->progress;
    s->user = f->user;
    s->name = f->path ? "path" : "fd";
    s->told_ms = f->progress ? os_ms() : 0;
    if (f->path) {
        while ((e = os_open(&s->h, f->path, f->progress != NULL)) == EINTR)
            if (hc_file_tell(s)) return hc_fail(err, HC_E_CANCELED, "progress", 0, 0, 0);
        s->own = !e;
    } else {
        e = os_from_fd(&s->h, f->fd);
    }
    if (!e) e = os_look(s->h, s->own, &info);
    if (!e && info.directory) e = EISDIR;
    if (e) return hc_fail_io(err, s->name, e);

    s->regular = info.regular;
    s->from_here = f->offset == HC_UNTIL_END;
    s->positioned = info.regular || (!s->from_here && info.seekable && (!s->own || f->offset));
    if (!s->positioned && !s->from_here && f->offset) return hc_fail_io(err, "offset", ESPIPE);
    s->before = info.pos;
    s->start = s->pos = s->from_here ? info.pos : f->offset;
    s->left = INT64_MAX - (s->positioned ? s->pos : 0);
    if (s->left > f->length) s->left = f->length;
    s->total = f->length;
    if (info.regular) { /* 0 may be /proc's, whose files say nothing else */
        uint64_t rest = info.size > s->pos ? info.size - s->pos : 0;
        s->total = !info.size && f->length ? HC_UNKNOWN : rest < s->left ? rest : s->left;
    }
    if (s->own && s->regular && s->total > ALONE_SIZE) os_will_read(s->h);
    return HC_OK;
}

/* Leaves the descriptor's position as promised. */
static int close_source(hc_source *s, int ok, hc_error *err)
{
    int e = 0;
    if (s->own)
        os_close(s->h);
    else if (s->positioned && ok && s->from_here)
        e = os_seek(s->h, s->start + s->done);
    else if (s->positioned && OS_READ_AT_MOVES)
        (void)os_seek(s->h, s->before);
    return e ? hc_fail_io(err, s->name, e) : HC_OK;
}

/* One read at most n bytes long, on the calling thread: *got is 0 at the end. */
static int read_some(hc_source *s, uint8_t *buf, size_t n, size_t *got)
{
    *got = 0;
    if (n > s->left) n = (size_t)s->left;
    while (n) {
        int64_t r;
        int w = s->progress && !s->regular ? os_wait(s->h, POLL_MS) : 0;
        r = w ? -(int64_t)EINTR : s->positioned ? os_read_at(s->h, buf, n, s->pos) : os_read(s->h, buf, n);
        if (r >= 0) {
            *got = (size_t)r;
            s->pos += (uint64_t)r;
            s->left -= (uint64_t)r;
            return 0;
        }
        if (r == -EAGAIN) /* a descriptor that does not block */
            (void)os_wait(s->h, POLL_MS);
        else if (r != -EINTR)
            return (int)-r;
        if (hc_file_tell(s)) return HC_E_CANCELED;
    }
    return 0;
}

int hc_file_fill(hc_source *s, uint8_t *buf, size_t n, size_t *got)
{
    size_t more;
    int e = read_some(s, buf, n, got);
    while (!e && s->regular && *got < n) {
        e = read_some(s, buf + *got, n - *got, &more);
        *got += more;
        if (!more) break;
    }
    return e;
}

int64_t hc_file_read_at(const hc_source *s, void *buf, size_t n, uint64_t pos) { return os_read_at(s->h, buf, n, pos); }

uint8_t *hc_file_buffer(size_t n, void **memory)
{
    const uintptr_t page = 4096;
    *memory = malloc(n + page - 1);
    return *memory ? (uint8_t *)(((uintptr_t)*memory + page - 1) & ~(page - 1)) : NULL;
}

/* ---- The caller alone ------------------------------------------------------------- */

int hc_file_pump(hc_source *s, hc_lane *lanes, size_t n, uint8_t *buf, size_t size, uint64_t limit)
{
    while (limit) {
        size_t got, k;
        int e = hc_file_fill(s, buf, size < limit ? size : (size_t)limit, &got);
        if (e || !got) return e;
        for (k = 0; k < n; k++) lanes[k].alg->update(&lanes[k].copy, buf, got);
        s->done += got;
        limit -= got;
        if (hc_file_due(s)) return HC_E_CANCELED;
    }
    return 0;
}

static int run_alone(hc_source *s, hc_lane *lanes, size_t n)
{
    size_t size = s->regular && s->total < ALONE_SIZE ? (size_t)s->total + 1 : ALONE_SIZE;
    void *memory;
    uint8_t *buf;
    int e;
    if (size < 4096) size = 4096; /* /proc says 0 */
    buf = hc_file_buffer(size, &memory);
    if (!buf) return HC_E_MEMORY;
    e = hc_file_pump(s, lanes, n, buf, size, HC_UNTIL_END);
    free(memory);
    return e;
}

/* ---- The call ------------------------------------------------------------------------- */

static int run(hc_source *s, hc_lane *lanes, size_t n, unsigned threads)
{
    if (s->regular && n == 1 && (lanes->alg->flags & HC_ALG_PARALLEL)) { /* the flag says BLAKE3 */
        unsigned tree = s->total != HC_UNKNOWN ? HC_THREADS_FOR(threads, s->total, TREE) : 1;
        /* Whole subtrees suit one thread too (5 % faster): an update leaves a chunk over that no wide kernel takes. */
        return tree > 1 || (s->total != HC_UNKNOWN && s->total >= TREE_ALONE) ? hc_file_tree(s, lanes, tree)
                                                                              : run_alone(s, lanes, n);
    }
    if (s->regular && s->total == HC_UNKNOWN) threads = 1;
    /* A pipe may be long: its helpers start when it turns out to be. */
    const uint64_t alone = threads == HC_THREADS_AUTO && !s->regular ? 2 * HC_AUTO_AHEAD : 0;
    threads = HC_THREADS_FOR(threads, s->regular ? s->total : HC_UNKNOWN, AHEAD);
    return threads > 1 ? hc_file_ahead(s, lanes, n, threads, alone) : run_alone(s, lanes, n);
}

static int check_call(const hc_alg *const *algs, void *const *states, size_t n, const hc_file *file, hc_error *err)
{
    size_t i, k;
    if (!file || file->size < sizeof(hc_file))
        return hc_fail(err, HC_E_PARAM, "file", file ? file->size : 0, sizeof(hc_file), 0);
    if (!n) return hc_fail(err, HC_E_PARAM, "algorithms", 0, 1, SIZE_MAX);
    for (i = 0; i < n; i++) {
        if (!algs[i]) return hc_fail_at(err, HC_E_PARAM, "algorithms", i, 0, 0, 0);
        for (k = 0; k < i; k++) /* a state that took the bytes twice would only keep them once */
            if (states[i] == states[k]) return hc_fail_at(err, HC_E_PARAM, "states", i, k, 0, 0);
    }
    if (file->offset != HC_UNTIL_END && file->offset > INT64_MAX)
        return hc_fail(err, HC_E_RANGE, "offset", file->offset, 0, INT64_MAX);
    return HC_OK;
}

int hc_update_file(const hc_alg *const *algs, void *const *states, size_t n, const hc_file *file, uint64_t *done,
                   hc_error *err)
{
    hc_source s;
    hc_lane *lanes;
    size_t k;
    int e = check_call(algs, states, n, file, err);
    if (e) return e;
    e = open_source(&s, file, err);
    if (e) {
        if (s.own) os_close(s.h); /* opened, but a directory, or a pipe with an offset */
        return e;
    }
    lanes = (hc_lane *)calloc(n, sizeof *lanes);
    for (k = 0; lanes && k < n; k++) {
        lanes[k].alg = algs[k];
        lanes[k].state = states[k];
        algs[k]->copy(&lanes[k].copy, states[k]);
    }
    e = lanes ? run(&s, lanes, n, file->threads) : HC_E_MEMORY;
    s.total = e ? s.total : s.done;
    if (!e && (s.told < s.done || !s.tells) && hc_file_tell(&s)) e = HC_E_CANCELED;
    if (e > 0)
        e = hc_fail_io(err, s.name, e);
    else if (e)
        e = hc_fail(err, e, e == HC_E_MEMORY ? "buffer" : "progress", 0, 0, 0);
    if (e)
        (void)close_source(&s, 0, NULL);
    else
        e = close_source(&s, 1, err);
    for (k = 0; lanes && k < n; k++)
        if (!e) algs[k]->copy(states[k], &lanes[k].copy);
    if (lanes) hc_wipe(lanes, n * sizeof *lanes);
    free(lanes);
    if (!e && done) *done = s.done;
    return e;
}
