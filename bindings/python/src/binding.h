/* binding.h - what the files of the Python extension share: module state, objects, arguments. */
#ifndef HC_PY_BINDING_H
#define HC_PY_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
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
    X(item_size) X(offsets) X(prefix) X(out) X(as_list) X(offset) X(progress) X(format) X(first_chunk) X(group) \
    X(outboard)
#define X(name) K_##name,
enum { KEYWORDS(X) KEYWORD_COUNT };
#undef X
#define BIT(name) (1u << K_##name)
#define BITS_BLAKE2 (BIT(digest_size) | BIT(key) | BIT(salt) | BIT(person) | BIT(fanout) | BIT(depth) | BIT(leaf_size) | \
                     BIT(node_offset) | BIT(node_depth) | BIT(inner_size) | BIT(last_node))
#define BITS_MODE (BIT(key) | BIT(derive_key_context))
#define BITS_OPTIONS (BITS_BLAKE2 | BITS_MODE)

#define ALG_MAX 16
typedef struct module_state {
    PyObject *keywords[KEYWORD_COUNT]; /* interned, in the order of the enumeration */
    PyObject *names[ALG_MAX];          /* interned canonical names */
    const hc_alg *algs[ALG_MAX];
    PyTypeObject *types[ALG_MAX];
    char type_names[ALG_MAX][48];
    uint32_t accepts[ALG_MAX]; /* bits of the keywords that the constructor takes */
    PyTypeObject *xof_type, *bao_type;
    PyObject *verify_error; /* hashcore.VerificationError */
    PyObject *package;      /* dict of the package hashcore: GIL_MINSIZE and what is written in Python */
    PyObject *gil_minsize;  /* "GIL_MINSIZE" */
} module_state;

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
    int busy;
    volatile unsigned long owner; /* the thread that runs Python code while it holds the lock; 0: none */
    unsigned threads;             /* default of update */
    int keyed;                    /* wipe it, don't pickle it */
    uint64_t state[1];            /* alg->state_size bytes; hc_xof or hc_bao in their types */
} hash_object;

/* 1: the lock is held, 0: it isn't needed, -1: this very thread is in the middle of another call on the object (from a
 * signal handler or a progress callback) and RuntimeError is set. long_work: the GIL will be released. */
int hash_enter(hash_object *self, int long_work);
void hash_leave(hash_object *self, int held);
hash_object *object_new(PyTypeObject *type, const hc_alg *alg);
PyObject *delegate(PyObject *self, const char *function, PyObject *const *args, Py_ssize_t n, PyObject *kwnames);
int add_types(PyObject *module, module_state *st);
/* A new object of algorithm i; key_first: a MAC's first positional argument is its key, not the data. */
PyObject *construct(module_state *st, int i, int key_first, PyObject *const *args, Py_ssize_t n, PyObject *kwnames);
static inline int is_mac(const hc_alg *alg) { return alg->key_max == UINT64_MAX; }

/* ---- Arguments and errors (arguments.c) ------------------------------------------ */

PyObject *raise_hc(module_state *st, const hc_error *err); /* sets the exception, returns NULL */

/* Arguments of a call to v[KEYWORD_COUNT] (borrowed): n positional ones go to the keywords in `positional`. */
int bind_arguments(module_state *st, PyObject **v, const char *function, const unsigned char *positional, int max,
                   uint32_t allowed, PyObject *const *args, Py_ssize_t n, PyObject *kwnames);

/* The bytes of an object that hashlib takes: exact bytes without a view. `what` NULL: hashlib's own words. */
int get_data(PyObject *o, hc_slice *data, Py_buffer *view, const char *what);
int get_writable(PyObject *o, Py_buffer *view, const char *what);

typedef struct parts { /* several of them */
    hc_slice *s;
    Py_buffer *views;
    Py_ssize_t n, held;
    size_t total;
    hc_slice s0[4];
    Py_buffer v0[4];
} parts;
int parts_get(parts *p, PyObject *const *objects, Py_ssize_t n, const char *what); /* what: "items[%zd]" or NULL */
void parts_release(parts *p);

typedef struct options {
    hc_options o;
    Py_buffer views[4];
    int held, keyed;
} options;
int options_get(options *o, PyObject *const *v);
void options_release(options *o);

/* Output and options of a one-shot of algorithm i; extra: bits of keywords that this function takes besides. */
typedef struct output {
    Py_ssize_t size;
    uint64_t seek;
    unsigned threads;
    options options; /* to be released after success */
} output;
int output_arguments(module_state *st, int i, const char *function, uint32_t extra, PyObject *const *args, Py_ssize_t n,
                     PyObject *kwnames, PyObject **v, output *out);

/* 0 <= value <= max, else ValueError (OverflowError above 2^64 - 1), for anything with __index__. */
int get_number(PyObject *o, uint64_t *value, uint64_t max, const char *what);
int get_threads(PyObject *o, unsigned *threads, const char *what); /* NULL and None: left as it is */
int find_alg(module_state *st, PyObject *name);                    /* index, or -1 with an exception */

/* ---- Work -------------------------------------------------------------------------- */

#define ALWAYS_SHORT 512u          /* bytes: not worth a look at GIL_MINSIZE */
#define UNINTERRUPTED (16u << 20) /* bytes between two checks for signals, at most 0.1 s of work */

/* Whether work on so many bytes releases the GIL: 1 or 0, -1 when GIL_MINSIZE is not an int. */
int is_long(module_state *st, size_t bytes);
/* Absorb; 0, or -1 after a signal handler raised: then the state is as before. owner: see hash_object, or NULL. */
int absorb(const hc_alg *alg, void *state, const hc_slice *s, Py_ssize_t n, size_t total, unsigned threads,
           int release, volatile unsigned long *owner);
PyObject *hex_of(const void *data, Py_ssize_t n);

extern PyMethodDef function_methods[], batch_methods[], file_methods[], tree_methods[];

#define FASTCALL_KW (METH_FASTCALL | METH_KEYWORDS)
#define CALLED_FAST(f) ((PyCFunction)(void (*)(void))(f))

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif
#endif
