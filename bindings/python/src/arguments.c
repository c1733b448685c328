/* arguments.c - from Python's arguments to the core's, and from the core's errors to Python's exceptions. */
#include "binding.h"
#include <limits.h>
#include <string.h>

/* ---- Errors ------------------------------------------------------------------- */

/* hashlib gives OverflowError for what does not fit its C types; so does this, with the limits in the text. */
static int is_overflow(const hc_error *err)
{
    static const char *const ints[] = { "fanout", "depth", "node_depth", "inner_size" };
    if (!err->argument) return 0;
    if (!strcmp(err->argument, "leaf_size")) return err->value > UINT32_MAX;
    if (!strcmp(err->argument, "digest_size")) return err->value > INT_MAX && err->max < INT_MAX;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (!strcmp(err->argument, ints[i])) return err->value > INT_MAX;
    return 0;
}

PyObject *raise_hc(module_state *st, const hc_error *err)
{
    char text[512];
    PyObject *type = PyExc_ValueError;
    if (PyErr_Occurred()) return NULL; /* a callback's exception is the reason */
    switch (err->code) {
    case HC_E_MEMORY: return PyErr_NoMemory();
    case HC_E_IO: errno = err->os_error; return PyErr_SetFromErrno(PyExc_OSError);
    case HC_E_VERIFY: type = st->verify_error; break;
    case HC_E_LENGTH:
    case HC_E_RANGE:
        if (is_overflow(err)) type = PyExc_OverflowError;
        break;
    default: break;
    }
    hc_error_text(err, text, sizeof text);
    PyErr_SetString(type, text);
    return NULL;
}

/* ---- Binding arguments to names -------------------------------------------------- */

static int find_keyword(module_state *st, PyObject *name)
{
    for (int i = 0; i < KEYWORD_COUNT; i++)
        if (st->keywords[i] == name) return i;
    for (int i = 0; i < KEYWORD_COUNT; i++) /* not interned: built at run time */
        if (PyUnicode_Compare(st->keywords[i], name) == 0) return i;
    return -1;
}

int bind_arguments(module_state *st, PyObject **v, const char *function, const unsigned char *positional, int max,
                   uint32_t allowed, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    memset(v, 0, KEYWORD_COUNT * sizeof *v);
    if (n > max) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional argument%s (%zd given)", function, max,
                     max == 1 ? "" : "s", n);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) v[positional[i]] = args[i];
    for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); k++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, k);
        int i = find_keyword(st, name);
        if (i < 0 || !(allowed >> i & 1)) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function, name);
            return -1;
        }
        if (v[i]) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", function, name);
            return -1;
        }
        v[i] = args[n + k];
    }
    return 0;
}

int get_number(PyObject *o, uint64_t *value, uint64_t max, const char *what)
{
    if (!PyIndex_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s: an int is needed, not %.100s", what, Py_TYPE(o)->tp_name);
        return -1;
    }
    PyObject *number = PyNumber_Index(o);
    if (!number) return -1;
    int overflow, failed = 0;
    long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
    unsigned long long v = (unsigned long long)small;
    if (overflow > 0) {
        v = PyLong_AsUnsignedLongLong(number);
        failed = v == (unsigned long long)-1 && PyErr_Occurred();
    }
    if (failed) {
        PyErr_Format(PyExc_OverflowError, "%s: %S given, 0 to %llu allowed", what, number, (unsigned long long)max);
    } else if (overflow < 0 || (!overflow && small < 0) || v > max) {
        PyErr_Format(PyExc_ValueError, "%s: %S given, 0 to %llu allowed", what, number, (unsigned long long)max);
        failed = 1;
    }
    Py_DECREF(number);
    if (failed) return -1;
    *value = v;
    return 0;
}

int get_threads(PyObject *o, unsigned *threads, const char *what)
{
    if (!o || o == Py_None) return 0;
    if (!PyIndex_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s: an int is needed, not %.100s", what, Py_TYPE(o)->tp_name);
        return -1;
    }
    Py_ssize_t n = PyNumber_AsSsize_t(o, NULL); /* clipped, not an error */
    if (n == -1 && PyErr_Occurred()) return -1;
    if (n < -1 || n > INT_MAX) {
        PyErr_Format(PyExc_ValueError, "%s: %S given, 0 to %d or AUTO (-1) allowed", what, o, INT_MAX);
        return -1;
    }
    *threads = n == -1 ? HC_THREADS_AUTO : (unsigned)n;
    return 0;
}

int find_alg(module_state *st, PyObject *name)
{
    int i;
    for (i = 0; i < ALG_MAX && st->names[i]; i++)
        if (st->names[i] == name || (PyObject *)st->types[i] == name) return i;
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "name must be a string, not %.100s", Py_TYPE(name)->tp_name);
        return -1;
    }
    const char *text = PyUnicode_AsUTF8(name);
    if (!text) {
        if (PyErr_ExceptionMatches(PyExc_UnicodeError)) PyErr_Clear(); /* surrogates: no name that there is */
        else return -1;
    }
    const hc_alg *alg = text ? hc_alg_find(text) : NULL;
    for (i = 0; alg && i < ALG_MAX && st->algs[i]; i++)
        if (st->algs[i] == alg) return i;
    PyErr_Format(PyExc_ValueError, "unsupported hash type %R", name);
    return -1;
}

/* ---- Bytes ------------------------------------------------------------------------- */

int get_data(PyObject *o, hc_slice *data, Py_buffer *view, const char *what)
{
    view->obj = NULL;
    if (PyBytes_CheckExact(o)) {
        data->data = PyBytes_AS_STRING(o);
        data->len = (size_t)PyBytes_GET_SIZE(o);
        return 0;
    }
    if (PyUnicode_Check(o) || !PyObject_CheckBuffer(o)) { /* hashlib's texts */
        PyErr_Format(PyExc_TypeError, "%s%s%s", what ? what : "", what ? ": " : "",
                     PyUnicode_Check(o) ? "Strings must be encoded before hashing"
                                        : "object supporting the buffer API required");
        return -1;
    }
    if (PyObject_GetBuffer(o, view, PyBUF_SIMPLE) < 0) return -1;
    if (view->ndim > 1) {
        PyErr_SetString(PyExc_BufferError, "Buffer must be single dimension");
        PyBuffer_Release(view);
        return -1;
    }
    data->data = view->buf;
    data->len = (size_t)view->len;
    return 0;
}

int get_writable(PyObject *o, Py_buffer *view, const char *what)
{
    view->obj = NULL;
    if (!PyObject_CheckBuffer(o)) {
        PyErr_Format(PyExc_TypeError, "%s: a writable buffer is needed, not %.100s", what, Py_TYPE(o)->tp_name);
        return -1;
    }
    return PyObject_GetBuffer(o, view, PyBUF_WRITABLE);
}

void parts_release(parts *p)
{
    while (p->held) PyBuffer_Release(&p->views[--p->held]);
    if (p->views != p->v0) PyMem_Free(p->views);
    if (p->s != p->s0) PyMem_Free(p->s);
}

int parts_get(parts *p, PyObject *const *objects, Py_ssize_t n, const char *what)
{
    char name[48];
    p->n = p->held = 0;
    p->total = 0;
    p->s = p->s0;
    p->views = p->v0;
    if (n > (Py_ssize_t)(sizeof p->s0 / sizeof *p->s0)) {
        Py_ssize_t views = 0;
        for (Py_ssize_t i = 0; i < n; i++) views += !PyBytes_CheckExact(objects[i]);
        p->s = PyMem_New(hc_slice, n);
        if (views > (Py_ssize_t)(sizeof p->v0 / sizeof *p->v0)) p->views = PyMem_New(Py_buffer, views);
        if (!p->s || !p->views) {
            parts_release(p);
            PyErr_NoMemory();
            return -1;
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyBytes_CheckExact(objects[i])) {
            p->s[i].data = PyBytes_AS_STRING(objects[i]);
            p->s[i].len = (size_t)PyBytes_GET_SIZE(objects[i]);
        } else {
            if (what) PyOS_snprintf(name, sizeof name, "%s[%lld]", what, (long long)i);
            if (get_data(objects[i], &p->s[i], &p->views[p->held], what ? name : NULL) < 0) {
                parts_release(p);
                return -1;
            }
            p->held++;
        }
        p->total = p->s[i].len > SIZE_MAX - p->total ? SIZE_MAX : p->total + p->s[i].len;
    }
    p->n = n;
    return 0;
}

/* ---- Options --------------------------------------------------------------------------- */

void options_release(options *o)
{
    while (o->held) PyBuffer_Release(&o->views[--o->held]);
}

static int option_bytes(options *o, PyObject *v, hc_slice *to, uint32_t bit, const char *what)
{
    if (!v) return 0;
    if (PyUnicode_Check(v) && bit == HC_GIVEN_CONTEXT) { /* a context is a text, as in blake3's package */
        Py_ssize_t n;
        to->data = PyUnicode_AsUTF8AndSize(v, &n);
        if (!to->data) return -1;
        to->len = (size_t)n;
    } else if (PyUnicode_Check(v) || !PyObject_CheckBuffer(v)) {
        PyErr_Format(PyExc_TypeError, "%s: a bytes-like object is needed, not %.100s", what, Py_TYPE(v)->tp_name);
        return -1;
    } else {
        Py_buffer *view = &o->views[o->held];
        if (PyObject_GetBuffer(v, view, PyBUF_SIMPLE) < 0) return -1;
        o->held++;
        to->data = view->buf;
        to->len = (size_t)view->len;
    }
    o->o.given |= bit;
    return 0;
}

static int option_numbers(options *o, PyObject *const *v)
{
    hc_options *h = &o->o;
    const struct { int keyword; const char *name; uint64_t *to, initial; } tree[] = {
        { K_fanout, "fanout", &h->fanout, 1 },           { K_depth, "depth", &h->depth, 1 },
        { K_leaf_size, "leaf_size", &h->leaf_size, 0 },  { K_node_offset, "node_offset", &h->node_offset, 0 },
        { K_node_depth, "node_depth", &h->node_depth, 0 }, { K_inner_size, "inner_size", &h->inner_size, 0 },
    };
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++) *tree[i].to = tree[i].initial;
    h->last_node = 0;
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++) {
        if (!v[tree[i].keyword]) continue;
        if (get_number(v[tree[i].keyword], tree[i].to, UINT64_MAX, tree[i].name) < 0) return -1;
        h->given |= HC_GIVEN_TREE;
    }
    if (v[K_last_node]) {
        int last = PyObject_IsTrue(v[K_last_node]);
        if (last < 0) return -1;
        h->last_node = (uint64_t)last;
        h->given |= HC_GIVEN_TREE;
    }
    if (!v[K_digest_size]) return 0;
    h->given |= HC_GIVEN_DIGEST_SIZE;
    h->digest_size = HC_UNKNOWN; /* None: BLAKE2Xb of unknown length */
    return v[K_digest_size] == Py_None ? 0 : get_number(v[K_digest_size], &h->digest_size, UINT64_MAX - 1, "digest_size");
}

int options_get(options *o, PyObject *const *v)
{
    static const hc_options initial = HC_OPTIONS_INIT;
    o->o = initial;
    o->held = 0;
    if (option_bytes(o, v[K_key], &o->o.key, HC_GIVEN_KEY, "key") < 0 ||
        option_bytes(o, v[K_salt], &o->o.salt, HC_GIVEN_SALT, "salt") < 0 ||
        option_bytes(o, v[K_person], &o->o.person, HC_GIVEN_PERSON, "person") < 0 ||
        option_bytes(o, v[K_derive_key_context], &o->o.context, HC_GIVEN_CONTEXT, "derive_key_context") < 0 ||
        option_numbers(o, v) < 0) {
        options_release(o);
        return -1;
    }
    o->keyed = (o->o.given & HC_GIVEN_KEY && o->o.key.len) || o->o.given & HC_GIVEN_CONTEXT;
    return 0;
}
