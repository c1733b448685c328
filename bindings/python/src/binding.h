/* binding.h - what the files of the Python extension share: module state, objects, arguments. */
#ifndef HC_PY_BINDING_H
#define HC_PY_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>
#include "hashcore.h"

/* Nothing but PyInit__hashcore is exported, so that no other library's symbols are ever met. */
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif

/* ---- Module state: one a (sub)interpreter ------------------------------------ */
/* Keywords of all functions; a call's arguments are gathered in an array with one place for each. */
#define KEYWORDS(X) \
    X(data) X(key) X(digest_size) X(salt) X(person) X(fanout) X(depth) X(leaf_size) X(node_offset) X(node_depth) \
    X(inner_size) X(last_node) X(derive_key_context) X(usedforsecurity) X(max_threads) X(threads) X(seek) X(length) \
    X(item_size) X(offsets) X(prefix) X(out) X(as_list) X(offset)
#define X(name) K_##name,
enum { KEYWORDS(X) KEYWORD_COUNT };
#undef X
#define BIT(name) (1u << K_##name)

#define ALG_MAX 16
typedef struct module_state {
    PyObject *keywords[KEYWORD_COUNT]; /* interned, in the order of the enumeration */
    PyObject *names[ALG_MAX];          /* interned canonical names */
    PyTypeObject *types[ALG_MAX], *bao_type;
    PyObject *verify_error; /* hashcore.VerificationError */
    PyObject *package;      /* globals of the package hashcore, for GIL_MINSIZE */
    PyObject *gil_minsize;  /* "GIL_MINSIZE": so far what module_clear() clears */
    const hc_alg *algs[ALG_MAX];
    uint32_t accepts[ALG_MAX]; /* bits of the keywords that the constructor takes */
    char type_names[ALG_MAX][48];
} module_state;

static inline module_state *state_of(PyObject *module) { return (module_state *)PyModule_GetState(module); }
static inline module_state *state_of_self(PyObject *o) { return (module_state *)PyType_GetModuleState(Py_TYPE(o)); }

/* ---- Objects: {header, algorithm, lock, state} --------------------------------- */
/* Free-threaded builds always lock. With the GIL a lock is needed only while some thread works on the object with the
 * GIL released (busy), so that calls on small data never pay for one. */
typedef struct hash_object {
    PyObject_HEAD
    const hc_alg *alg;
#if PY_VERSION_HEX >= 0x030D0000
    PyMutex lock;
#else
    PyThread_type_lock lock;
#endif
    int busy, keyed;              /* keyed: wipe the state */
    volatile unsigned long owner; /* the thread that may run Python code while it holds the lock; 0: none */
    unsigned threads;             /* default of update */
    uint64_t state[1];            /* alg->state_size bytes, or an hc_bao */
} hash_object;

/* 1: the lock is held, 0: it isn't needed, -1: this very thread is in the middle of another call on the object (from a
 * signal handler or a progress callback) and RuntimeError is set. release: the GIL will be released; negative: -1. */
int hash_enter(hash_object *self, int release);
void hash_leave(hash_object *self, int held);
hash_object *object_new(PyTypeObject *type, const hc_alg *alg);
void object_dealloc(PyObject *o);
int add_hash_types(PyObject *module, module_state *st);
int add_bao_type(PyObject *module, module_state *st);
/* A new object of algorithm i; key_first: a MAC's first positional argument is its key, not the data. */
PyObject *construct(module_state *st, int i, int key_first, PyObject *const *args, Py_ssize_t n, PyObject *kwnames);
static inline int is_mac(const hc_alg *alg) { return alg->key_max == UINT64_MAX; }

/* ---- Arguments and errors (arguments.c) ------------------------------------------ */
void *raise_hc(module_state *st, const hc_error *err); /* sets the exception, returns NULL */
/* Arguments of a call to v[KEYWORD_COUNT] (borrowed); positional ones go to the keywords in `positional`. */
int bind_arguments(module_state *st, PyObject **v, const char *function, const unsigned char *positional, int max,
                   uint32_t allowed, PyObject *const *args, Py_ssize_t n, PyObject *kwnames);
int has_count(const char *function, Py_ssize_t n, Py_ssize_t min, Py_ssize_t max);

/* What a call holds until it ends: buffers, and slices if there are many. */
typedef struct held {
    Py_ssize_t n, room;
    Py_buffer *views;
    hc_slice *slices;
    Py_buffer v0[12]; /* options, out, prefix and four parts at least */
    hc_slice s0[4];
} held;
static inline void held_init(held *h)
{
    h->n = 0;
    h->room = (Py_ssize_t)(sizeof h->v0 / sizeof *h->v0);
    h->views = h->v0;
    h->slices = h->s0;
}
void held_release(held *h);

/* The bytes of an object that hashlib takes: exact bytes without a view. `what` NULL: hashlib's own words. */
int get_data(held *h, PyObject *o, hc_slice *data, const char *what);
/* n of them to h->slices; errors say items[first + i] when `what` is "items". */
int get_parts(held *h, PyObject *const *objects, Py_ssize_t n, const char *what, size_t first, size_t *total);
Py_buffer *get_view(held *h, PyObject *o, int flags, const char *what, const char *needed);
/* A function's result: new bytes, or `out` itself; and where it is written. */
PyObject *get_out(held *h, PyObject *out, size_t need, void **to);
/* Options from v; 1 when they hold a key, 0, or -1. */
int get_options(held *h, const hc_alg *alg, PyObject *const *v, hc_options *o);
/* 0 <= value <= max, else ValueError (OverflowError above 2^64 - 1), for anything with __index__. */
int get_number(PyObject *o, uint64_t *value, uint64_t max, const char *what);
#define THREADS "threads (AUTO: -1)"
int get_threads(PyObject *o, unsigned *threads, const char *what); /* NULL and None: left as it is */
int find_alg(module_state *st, PyObject *name);  /* index, or -1 with an exception */

/* Output and options of a one-shot of algorithm i; extra: bits of keywords that the function takes besides. */
typedef struct output {
    Py_ssize_t size;
    uint64_t seek;
    unsigned threads;
    hc_options options;
} output;
int get_output(module_state *st, held *h, int i, const char *function, uint32_t extra, PyObject *const *args,
               PyObject *kwnames, PyObject **v, output *out);

/* ---- Work -------------------------------------------------------------------------- */
#define ALWAYS_SHORT 512u         /* bytes: not worth a look at GIL_MINSIZE */
#define UNINTERRUPTED (16u << 20) /* bytes between two checks for signals, at most 0.1 s of work */
/* Whether work on so many bytes releases the GIL: 1 or 0, -1 when GIL_MINSIZE is not an int. */
int is_long(module_state *st, size_t bytes);
#define MAYBE_RELEASED(release, statement) \
    do { \
        PyThreadState *save_ = (release) ? PyEval_SaveThread() : NULL; \
        statement; \
        if (save_) PyEval_RestoreThread(save_); \
    } while (0)
/* Absorb; 0, or -1 after a signal handler raised: then the state is as before. */
int absorb(const hc_alg *alg, void *state, const hc_slice *s, Py_ssize_t n, size_t total, unsigned threads,
           int release);
/* What is written in Python: a function of the package. */
PyObject *call_package(module_state *st, const char *function, PyObject *const *args, Py_ssize_t n, PyObject *kwnames);
PyObject *hex_of(PyObject *bytes); /* as lower-case digits; takes the reference, NULL too */

extern PyMethodDef function_methods[], batch_methods[], file_methods[], tree_methods[];
#define FASTCALL_KW (METH_FASTCALL | METH_KEYWORDS)
#define ERRORS_DOC "\n\nTypeError: a wrong type, an argument that is not taken. BufferError: a buffer not contiguous, an out not\n" \
    "writable. ValueError, OverflowError: an unknown name, a wrong length, a number out of range."
#define CALLED_FAST(f) ((PyCFunction)(void (*)(void))(f))

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif
#endif
