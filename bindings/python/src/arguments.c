/* arguments.c - from Python's arguments to the core's, and from the core's errors to Python's exceptions. */
#include "binding.h"
#include <limits.h>

/* ---- Errors ------------------------------------------------------------------- */
void *raise_hc(module_state *st, const hc_error *err)
{
    char text[512];
    PyObject *type = PyExc_ValueError;
    if (PyErr_Occurred()) return NULL; /* a callback's exception is the reason */
    if (err->code == HC_E_MEMORY) return PyErr_NoMemory();
    errno = err->os_error;
    if (err->code == HC_E_IO) return PyErr_SetFromErrno(PyExc_OSError);
    if (err->code == HC_E_VERIFY) type = st->verify_error;
    if (err->value > INT_MAX && err->max <= UINT32_MAX &&
        strstr("digest_size fanout depth leaf_size node_depth inner_size", err->argument))
        type = PyExc_OverflowError; /* hashlib's, for what does not fit its C types */
    hc_error_text(err, text, sizeof text);
    PyErr_SetString(type, text);
    return NULL;
}

/* ---- Names -------------------------------------------------------------------- */
static int find_keyword(module_state *st, PyObject *name)
{
    for (int i = 0; i < KEYWORD_COUNT; i++)
        if (PyUnicode_Compare(st->keywords[i], name) == 0) return i; /* mostly the same object */
    return -1;
}

int bind_arguments(module_state *st, PyObject **v, const char *function, const unsigned char *positional, int max,
                   uint32_t allowed, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    memset(v, 0, KEYWORD_COUNT * sizeof *v);
    if (has_count(function, n, 0, max) < 0) return -1;
    for (Py_ssize_t i = 0; i < n; i++) v[positional[i]] = args[i];
    for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); k++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, k);
        int i = find_keyword(st, name), known = i >= 0 && allowed >> i & 1;
        if (!known || v[i])
            return PyErr_Format(PyExc_TypeError, "%s() got %s argument '%U'", function,
                                known ? "multiple values for" : "an unexpected keyword", name), -1;
        v[i] = args[n + k];
    }
    return 0;
}

int has_count(const char *function, Py_ssize_t n, Py_ssize_t min, Py_ssize_t max)
{
    if (n >= min && n <= max) return 0;
    PyErr_Format(PyExc_TypeError, "%s() takes %s %zd positional argument%s (%zd given)", function,
                 min == max ? "exactly" : n < min ? "at least" : "at most", n < min ? min : max,
                 (n < min ? min : max) == 1 ? "" : "s", n);
    return -1;
}

int find_alg(module_state *st, PyObject *name)
{
    int i;
    for (i = 0; i < ALG_MAX && st->names[i]; i++)
        if (st->names[i] == name || (PyObject *)st->types[i] == name) return i;
    if (!PyUnicode_Check(name))
        return PyErr_Format(PyExc_TypeError, "name must be a string, not %.100s", Py_TYPE(name)->tp_name), -1;
    const char *text = PyUnicode_AsUTF8(name);
    if (!text) PyErr_Clear(); /* lone surrogates: no name that there is */
    const hc_alg *alg = hc_alg_find(text);
    for (i = 0; alg && i < ALG_MAX; i++)
        if (st->algs[i] == alg) return i;
    PyErr_Format(PyExc_ValueError, "unsupported hash type %R", name);
    return -1;
}

/* ---- Numbers ------------------------------------------------------------------- */
int get_number(PyObject *o, uint64_t *value, uint64_t max, const char *what)
{
    PyObject *number = PyIndex_Check(o) ? PyNumber_Index(o) : NULL;
    if (!number) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "%s: an int is needed, not %.100s", what, Py_TYPE(o)->tp_name);
        return -1;
    }
    int overflow, huge = 0;
    long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
    unsigned long long v = overflow > 0 ? PyLong_AsUnsignedLongLong(number) : (unsigned long long)small;
    if (overflow > 0 && PyErr_Occurred()) huge = 1;
    int wrong = huge || overflow < 0 || (!overflow && small < 0) || v > max;
    if (wrong)
        PyErr_Format(huge ? PyExc_OverflowError : PyExc_ValueError, "%s: %S given, 0 to %llu allowed", what, number,
                     (unsigned long long)max);
    Py_DECREF(number);
    if (!wrong) *value = v;
    return wrong ? -1 : 0;
}

int get_threads(PyObject *o, unsigned *threads, const char *what)
{
    uint64_t n = 0;
    if (!o || o == Py_None) return 0;
    int automatic = PyLong_Check(o) && PyLong_AsLong(o) == -1 && !PyErr_Occurred();
    PyErr_Clear();
    if (!automatic && get_number(o, &n, INT_MAX, what) < 0) return -1;
    *threads = automatic ? HC_THREADS_AUTO : (unsigned)n;
    return 0;
}

/* ---- Bytes ------------------------------------------------------------------------- */
void held_release(held *h)
{
    while (h->n) PyBuffer_Release(&h->views[--h->n]);
    if (h->views != h->v0) PyMem_Free(h->views);
    if (h->slices != h->s0) PyMem_Free(h->slices);
    held_init(h);
}

Py_buffer *get_view(held *h, PyObject *o, int flags, const char *what, const char *needed)
{
    if (PyUnicode_Check(o) || !PyObject_CheckBuffer(o)) {
        PyErr_Format(PyExc_TypeError, "%s: %s is needed, not %.100s", what, needed, Py_TYPE(o)->tp_name);
        return NULL;
    }
    Py_buffer *view = &h->views[h->n]; /* there is room: get_parts makes it, the others take few */
    if (PyObject_GetBuffer(o, view, flags) < 0) return NULL;
    h->n++;
    return view;
}

PyObject *get_out(held *h, PyObject *out, size_t need, void **to)
{
    if (!out || out == Py_None) {
        PyObject *bytes = need <= PY_SSIZE_T_MAX ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)need) : PyErr_NoMemory();
        if (bytes) *to = PyBytes_AS_STRING(bytes);
        return bytes;
    }
    Py_buffer *view = get_view(h, out, PyBUF_WRITABLE, "out", "a writable buffer");
    if (!view) return NULL;
    *to = view->buf;
    if ((size_t)view->len >= need) return Py_NewRef(out);
    return PyErr_Format(PyExc_ValueError, "out: %zd bytes given, %zu needed", view->len, need);
}

int get_data(held *h, PyObject *o, hc_slice *data, const char *what)
{
    if (PyBytes_CheckExact(o)) {
        data->data = PyBytes_AS_STRING(o);
        data->len = (size_t)PyBytes_GET_SIZE(o);
        return 0;
    }
    if (PyUnicode_Check(o) || !PyObject_CheckBuffer(o)) /* hashlib's texts */
        return PyErr_Format(PyExc_TypeError, "%s%s%s", what ? what : "", what ? ": " : "",
                            PyUnicode_Check(o) ? "Strings must be encoded before hashing"
                                               : "object supporting the buffer API required"), -1;
    Py_buffer *view = get_view(h, o, PyBUF_SIMPLE, what, "");
    if (!view) return -1;
    if (view->ndim > 1) return PyErr_Format(PyExc_BufferError, "Buffer must be single dimension"), -1;
    data->data = view->buf;
    data->len = (size_t)view->len;
    return 0;
}

int get_parts(held *h, PyObject *const *objects, Py_ssize_t n, const char *what, size_t first, size_t *total)
{
    char name[48];
    size_t sum = 0;
    if (n > (Py_ssize_t)(sizeof h->s0 / sizeof *h->s0)) { /* else there is room, options' four included */
        Py_ssize_t views = h->n + 2; /* out may follow */
        for (Py_ssize_t i = 0; i < n; i++) views += !PyBytes_CheckExact(objects[i]);
        Py_buffer *more = views > h->room ? PyMem_New(Py_buffer, views) : h->views;
        h->slices = PyMem_New(hc_slice, n);
        if (!more || !h->slices) {
            if (more != h->views) PyMem_Free(more);
            PyErr_NoMemory();
            return -1;
        }
        if (more != h->views) memcpy(more, h->views, (size_t)h->n * sizeof *more);
        h->views = more;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        int named = what && !PyBytes_CheckExact(objects[i]) && !PyObject_CheckBuffer(objects[i]); /* the refused alone */
        if (named) PyOS_snprintf(name, sizeof name, "%s[%zu]", what, first + (size_t)i);
        if (get_data(h, objects[i], &h->slices[i], named ? name : NULL) < 0) return -1;
        sum = h->slices[i].len > SIZE_MAX - sum ? SIZE_MAX : sum + h->slices[i].len;
    }
    *total = sum;
    return 0;
}

/* ---- Options --------------------------------------------------------------------------- */
static int option_bytes(held *h, PyObject *v, hc_slice *to, const char *what)
{
    Py_ssize_t n;
    if (PyUnicode_Check(v) && !strcmp(what, "derive_key_context")) { /* a text, as in the blake3 package */
        to->data = PyUnicode_AsUTF8AndSize(v, &n);
        to->len = (size_t)n;
        return to->data ? 0 : -1;
    }
    Py_buffer *view = get_view(h, v, PyBUF_SIMPLE, what, "a bytes-like object");
    if (!view) return -1;
    to->data = view->buf;
    to->len = (size_t)view->len;
    return 0;
}

int get_options(held *h, const hc_alg *alg, PyObject *const *v, hc_options *o)
{
    static const hc_options initial = HC_OPTIONS_INIT;
    const struct { PyObject *v; const char *name; hc_slice *to; uint32_t bit; } bytes[] = {
        { v[K_key], "key", &o->key, HC_GIVEN_KEY }, { v[K_salt], "salt", &o->salt, HC_GIVEN_SALT },
        { v[K_person], "person", &o->person, HC_GIVEN_PERSON },
        { v[K_derive_key_context], "derive_key_context", &o->context, HC_GIVEN_CONTEXT },
    };
    const struct { PyObject *v; const char *name; uint64_t *to; } tree[] = {
        { v[K_fanout], "fanout", &o->fanout }, { v[K_depth], "depth", &o->depth },
        { v[K_leaf_size], "leaf_size", &o->leaf_size }, { v[K_node_offset], "node_offset", &o->node_offset },
        { v[K_node_depth], "node_depth", &o->node_depth }, { v[K_inner_size], "inner_size", &o->inner_size },
    };
    *o = initial;
    o->fanout = o->depth = 1;
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        if (!bytes[i].v || (bytes[i].v == Py_None && bytes[i].bit & (HC_GIVEN_KEY | HC_GIVEN_CONTEXT))) continue;
        if (option_bytes(h, bytes[i].v, bytes[i].to, bytes[i].name) < 0) return -1;
        o->given |= bytes[i].bit;
    }
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++) {
        if (!tree[i].v) continue;
        if (get_number(tree[i].v, tree[i].to, UINT64_MAX, tree[i].name) < 0) return -1;
        o->given |= HC_GIVEN_TREE;
    }
    if (v[K_last_node]) {
        int last = PyObject_IsTrue(v[K_last_node]);
        o->last_node = last > 0;
        o->given |= HC_GIVEN_TREE;
        if (last < 0) return -1;
    }
    if (v[K_digest_size]) {
        o->given |= HC_GIVEN_DIGEST_SIZE;
        o->digest_size = HC_UNKNOWN; /* None: BLAKE2Xb of unknown length */
        if ((v[K_digest_size] != Py_None || alg->digest_size) &&
            get_number(v[K_digest_size], &o->digest_size, UINT64_MAX - 1, "digest_size") < 0)
            return -1;
    }
    return (o->given & HC_GIVEN_KEY && o->key.len) || o->given & HC_GIVEN_CONTEXT;
}

int get_output(module_state *st, held *h, int i, const char *function, uint32_t extra, PyObject *const *args,
               PyObject *kwnames, PyObject **v, output *out)
{
    const hc_alg *alg = st->algs[i];
    hc_options *o = &out->options;
    int xof = !!(alg->flags & HC_ALG_XOF);
    uint32_t allowed = (st->accepts[i] & ~(BIT(data) | BIT(max_threads))) | BIT(threads) | extra;
    uint64_t size = alg->digest_size;
    out->seek = out->threads = 0;
    if (xof) allowed |= BIT(digest_size) | BIT(seek);
    if (bind_arguments(st, v, function, NULL, 0, allowed, args, 0, kwnames) < 0 ||
        get_threads(v[K_threads], &out->threads, THREADS) < 0 ||
        (v[K_seek] && get_number(v[K_seek], &out->seek, UINT64_MAX, "seek") < 0) ||
        get_options(h, alg, v, o) < 0)
        return -1;
    if (o->given & HC_GIVEN_DIGEST_SIZE) {
        size = o->digest_size;
        if (xof && alg->digest_size) o->given &= ~(uint32_t)HC_GIVEN_DIGEST_SIZE; /* no parameter, just a length */
    }
    if (size == HC_UNKNOWN || (!alg->digest_size && !v[K_digest_size]))
        return PyErr_Format(PyExc_ValueError, "digest_size: needed"), -1;
    if (size > alg->digest_max) size = alg->digest_min; /* no need of memory: the core words the error */
    if (size > PY_SSIZE_T_MAX) return PyErr_NoMemory(), -1;
    out->size = (Py_ssize_t)size;
    return 0;
}
