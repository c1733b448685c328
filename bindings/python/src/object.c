/* object.c - the hash objects: hashlib's interface over any row of the core's descriptor table. */
#include "binding.h"
#include <string.h>

/* ---- Work with the GIL released --------------------------------------------------- */


int is_long(module_state *st, size_t bytes)
{
    if (bytes < ALWAYS_SHORT) return 0;
    PyObject *minimum = NULL;
    uint64_t value;
#if PY_VERSION_HEX >= 0x030D0000
    if (st->package && PyDict_GetItemRef(st->package, st->gil_minsize, &minimum) < 0) return -1;
#else
    minimum = st->package ? PyDict_GetItemWithError(st->package, st->gil_minsize) : NULL;
    Py_XINCREF(minimum);
#endif
    if (!minimum) return PyErr_Occurred() ? -1 : 1;
    int code = get_number(minimum, &value, UINT64_MAX, "GIL_MINSIZE");
    Py_DECREF(minimum);
    return code < 0 ? -1 : bytes > value;
}

int absorb(const hc_alg *alg, void *state, const hc_slice *s, Py_ssize_t n, size_t total, unsigned threads,
           int release, volatile unsigned long *owner)
{
    if (!release) {
        for (Py_ssize_t i = 0; i < n; i++) alg->update_threads(state, s[i].data, s[i].len, threads);
        return 0;
    }
    if (total <= UNINTERRUPTED) {
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = 0; i < n; i++) alg->update_threads(state, s[i].data, s[i].len, threads);
        Py_END_ALLOW_THREADS
        return 0;
    }
    hc_state before;
    size_t step = threads > 1 ? 4 * UNINTERRUPTED : UNINTERRUPTED, since = 0;
    int code = 0;
    alg->copy(&before, state);
    for (Py_ssize_t i = 0; i < n && !code; i++) {
        for (size_t at = 0; at < s[i].len && !code;) {
            size_t len = s[i].len - at < step - since ? s[i].len - at : step - since;
            Py_BEGIN_ALLOW_THREADS
            alg->update_threads(state, (const char *)s[i].data + at, len, threads);
            Py_END_ALLOW_THREADS
            at += len;
            since += len;
            if (since < step) continue;
            since = 0;
            if (owner) *owner = PyThread_get_thread_ident();
            code = PyErr_CheckSignals();
            if (owner) *owner = 0;
        }
    }
    if (code) alg->copy(state, &before);
    hc_wipe(&before, sizeof before);
    return code;
}

int hash_enter(hash_object *self, int long_work)
{
    if (self->owner && self->owner == PyThread_get_thread_ident()) {
        PyErr_Format(PyExc_RuntimeError, "%s object is in the middle of another call on this thread", self->alg->name);
        return -1;
    }
#if PY_VERSION_HEX >= 0x030D0000
    (void)long_work;
    PyMutex_Lock(&self->lock);
#else
    if (!self->busy && !long_work) return 0;
    if (!self->lock && !(self->lock = PyThread_allocate_lock())) {
        PyErr_NoMemory();
        return -1;
    }
    if (!PyThread_acquire_lock(self->lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(self->lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
    self->busy = 1;
#endif
    return 1;
}

void hash_leave(hash_object *self, int held)
{
    if (!held) return;
#if PY_VERSION_HEX >= 0x030D0000
    PyMutex_Unlock(&self->lock);
#else
    self->busy = 0;
    PyThread_release_lock(self->lock);
#endif
}

/* ---- Life ---------------------------------------------------------------------------- */

hash_object *object_new(PyTypeObject *type, const hc_alg *alg)
{
    hash_object *self = PyObject_New(hash_object, type); /* not zeroed: a BLAKE3 state has 1.9 KB */
    if (!self) return NULL;
    self->alg = alg;
    memset(&self->lock, 0, sizeof self->lock);
    self->busy = self->keyed = 0;
    self->owner = 0;
    self->threads = 0;
    return self;
}

static void hash_dealloc(PyObject *o)
{
    hash_object *self = (hash_object *)o;
    PyTypeObject *type = Py_TYPE(o);
    if (self->keyed) hc_wipe(self->state, self->alg->state_size);
#if PY_VERSION_HEX < 0x030D0000
    if (self->lock) PyThread_free_lock(self->lock);
#endif
    PyObject_Free(o);
    Py_DECREF(type);
}

static module_state *state_of(PyObject *self) { return (module_state *)PyType_GetModuleState(Py_TYPE(self)); }

PyObject *construct(module_state *st, int i, int key_first, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    const hc_alg *alg = st->algs[i];
    PyObject *v[KEYWORD_COUNT], *data = n ? args[0] : NULL;
    options o;
    hc_slice s = { NULL, 0 };
    Py_buffer view;
    hc_error err;
    hash_object *self = NULL;
    unsigned threads = 0;
    int release = 0, given = kwnames || n > 1 || is_mac(alg);
    if (given) {
        static const unsigned char plain[] = { K_data }, hmac[] = { K_key, K_data };
        key_first = key_first && is_mac(alg);
        if (bind_arguments(st, v, st->type_names[i] + sizeof "hashcore." - 1, key_first ? hmac : plain, key_first ? 2 : 1,
                           st->accepts[i], args, n, kwnames) < 0)
            return NULL;
        if (is_mac(alg) && !v[K_key]) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument 'key'",
                         st->type_names[i] + sizeof "hashcore." - 1);
            return NULL;
        }
        if (get_threads(v[K_max_threads], &threads, "max_threads") < 0 || options_get(&o, v) < 0) return NULL;
        data = v[K_data];
    }
    view.obj = NULL;
    if (data && (get_data(data, &s, &view, NULL) < 0 || (release = is_long(st, s.len)) < 0)) goto done;
    self = object_new(st->types[i], alg);
    if (!self) goto done;
    if (alg->init(self->state, given ? &o.o : NULL, &err)) {
        Py_CLEAR(self);
        raise_hc(st, &err);
        goto done;
    }
    self->threads = threads;
    self->keyed = given && (o.keyed || is_mac(alg));
    if (s.len && absorb(alg, self->state, &s, 1, s.len, threads, release, NULL) < 0) Py_CLEAR(self);
done:
    if (view.obj) PyBuffer_Release(&view);
    if (given) options_release(&o);
    return (PyObject *)self;
}

static PyObject *hash_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    module_state *st = (module_state *)PyType_GetModuleState((PyTypeObject *)type);
    int i = 0;
    while ((PyObject *)st->types[i] != type) i++;
    return construct(st, i, 1, args, PyVectorcall_NARGS(nargsf), kwnames);
}

static PyObject *hash_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return PyObject_Call((PyObject *)type, args, kwargs); /* by way of vectorcall */
}

static PyObject *hash_copy(PyObject *o, PyObject *Py_UNUSED(ignored))
{
    hash_object *self = (hash_object *)o, *copy = object_new(Py_TYPE(o), self->alg);
    if (!copy) return NULL;
    int held = hash_enter(self, 0);
    if (held < 0) {
        Py_DECREF(copy);
        return NULL;
    }
    self->alg->copy(copy->state, self->state);
    copy->keyed = self->keyed;
    copy->threads = self->threads;
    hash_leave(self, held);
    return (PyObject *)copy;
}

static PyObject *hash_reset(PyObject *o, PyObject *Py_UNUSED(ignored))
{
    hash_object *self = (hash_object *)o;
    int held = hash_enter(self, 0);
    if (held < 0) return NULL;
    self->alg->reset(self->state);
    hash_leave(self, held);
    Py_INCREF(o);
    return o;
}

/* ---- Data in ------------------------------------------------------------------------- */

static PyObject *hash_update(PyObject *o, PyObject *const *args, Py_ssize_t n)
{
    hash_object *self = (hash_object *)o;
    parts p;
    int release, held, code = -1;
    if (n == 1 && PyBytes_CheckExact(args[0])) { /* what most calls are */
        p.s0[0].data = PyBytes_AS_STRING(args[0]);
        p.total = p.s0[0].len = (size_t)PyBytes_GET_SIZE(args[0]);
        p.s = p.s0;
        p.views = p.v0;
        p.n = 1;
        p.held = 0;
    } else if (parts_get(&p, args, n, NULL) < 0) {
        return NULL;
    }
    release = p.total < ALWAYS_SHORT ? 0 : is_long(state_of(o), p.total);
    held = release < 0 ? -1 : hash_enter(self, release);
    if (held >= 0) {
        if (n == 1 && !release && self->threads <= 1) {
            self->alg->update(self->state, p.s->data, p.s->len);
            code = 0;
        } else {
            code = absorb(self->alg, self->state, p.s, n, p.total, self->threads, release, &self->owner);
        }
        hash_leave(self, held);
    }
    parts_release(&p);
    if (code < 0) return NULL;
    Py_INCREF(o);
    return o;
}

/* ---- Digests out ------------------------------------------------------------------------ */

PyObject *hex_of(const void *data, Py_ssize_t n)
{
    if (n > PY_SSIZE_T_MAX / 2) return PyErr_NoMemory();
    PyObject *text = PyUnicode_New(2 * n, 127);
    if (text && n) hc_hex((char *)PyUnicode_1BYTE_DATA(text), data, (size_t)n);
    return text;
}

/* Arguments of digest and hexdigest; the output's size or -1. */
static Py_ssize_t digest_arguments(hash_object *self, const char *function, PyObject *const *args, Py_ssize_t n,
                                   PyObject *kwnames, uint64_t *seek)
{
    static const unsigned char positional[] = { K_length };
    module_state *st = state_of((PyObject *)self);
    PyObject *v[KEYWORD_COUNT];
    uint64_t size = HC_UNKNOWN;
    *seek = 0;
    if (!(self->alg->flags & HC_ALG_XOF)) {
        PyErr_Format(PyExc_TypeError, "%s() takes no arguments: %s has one digest", function, self->alg->name);
        return -1;
    }
    if (bind_arguments(st, v, function, positional, 1, BIT(length) | BIT(seek), args, n, kwnames) < 0) return -1;
    if (v[K_seek] && get_number(v[K_seek], seek, UINT64_MAX, "seek") < 0) return -1;
    if (v[K_length] && v[K_length] != Py_None) {
        if (get_number(v[K_length], &size, PY_SSIZE_T_MAX, "length") < 0) return -1;
    } else {
        size = self->alg->size(self->state);
        if (self->alg->digest_size == 0 && size != HC_UNKNOWN) size = *seek < size ? size - *seek : 0;
    }
    if (size > PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_ValueError, "length: needed, because the digest size is not known");
        return -1;
    }
    return (Py_ssize_t)size;
}

static int finish(hash_object *self, void *out, size_t size, uint64_t seek)
{
    module_state *st = state_of((PyObject *)self);
    hc_error err;
    int code, release = is_long(st, size), held = release < 0 ? -1 : hash_enter(self, release);
    if (held < 0) return -1;
    if (!release) {
        code = self->alg->final(self->state, out, size, seek, &err);
    } else {
        Py_BEGIN_ALLOW_THREADS
        code = self->alg->final(self->state, out, size, seek, &err);
        Py_END_ALLOW_THREADS
    }
    hash_leave(self, held);
    if (!code) return 0;
    raise_hc(st, &err);
    return -1;
}

static PyObject *hash_digest(PyObject *o, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    hash_object *self = (hash_object *)o;
    uint64_t seek = 0;
    Py_ssize_t size;
    if (n || kwnames || !self->alg->digest_size) size = digest_arguments(self, "digest", args, n, kwnames, &seek);
    else size = (Py_ssize_t)self->alg->size(self->state);
    if (size < 0) return NULL;
    PyObject *out = PyBytes_FromStringAndSize(NULL, size);
    if (out && finish(self, PyBytes_AS_STRING(out), (size_t)size, seek) < 0) Py_CLEAR(out);
    return out;
}

static PyObject *hash_hexdigest(PyObject *o, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    hash_object *self = (hash_object *)o;
    uint64_t seek = 0;
    Py_ssize_t size;
    unsigned char small[64], *bytes = small;
    PyObject *text = NULL;
    if (n || kwnames || !self->alg->digest_size) size = digest_arguments(self, "hexdigest", args, n, kwnames, &seek);
    else size = (Py_ssize_t)self->alg->size(self->state);
    if (size < 0) return NULL;
    if (size > (Py_ssize_t)sizeof small && !(bytes = PyMem_Malloc((size_t)size))) return PyErr_NoMemory();
    if (finish(self, bytes, (size_t)size, seek) == 0) text = hex_of(bytes, size);
    if (bytes != small) PyMem_Free(bytes);
    return text;
}

/* ---- What is written in Python, as methods -------------------------------------------------- */

PyObject *delegate(PyObject *self, const char *function, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    module_state *st = state_of(self);
    Py_ssize_t all = n + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    PyObject *f = st->package ? PyDict_GetItemString(st->package, function) : NULL, *result = NULL;
    PyObject **a = PyMem_New(PyObject *, all + 1);
    if (!f) PyErr_Format(PyExc_RuntimeError, "%s: the package hashcore is not loaded", function);
    else if (!a) PyErr_NoMemory();
    else {
        a[0] = self;
        for (Py_ssize_t i = 0; i < all; i++) a[i + 1] = args[i];
        Py_INCREF(f);
        result = PyObject_Vectorcall(f, a, (size_t)n + 1, kwnames);
        Py_DECREF(f);
    }
    PyMem_Free(a);
    return result;
}

#define DELEGATED(name) \
    static PyObject *hash_##name(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *kwnames) \
    { \
        return delegate(self, "_" #name, args, n, kwnames); \
    }
DELEGATED(update_file)
DELEGATED(reader)
DELEGATED(export)
DELEGATED(reduce)

/* ---- Attributes and types --------------------------------------------------------------------- */

static PyObject *hash_get_name(PyObject *o, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(((hash_object *)o)->alg->name);
}
static PyObject *hash_get_block_size(PyObject *o, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLong(((hash_object *)o)->alg->block_size);
}
static PyObject *hash_get_digest_size(PyObject *o, void *Py_UNUSED(closure))
{
    uint64_t size = ((hash_object *)o)->alg->size(((hash_object *)o)->state);
    if (size == HC_UNKNOWN) Py_RETURN_NONE;
    return PyLong_FromUnsignedLongLong(size);
}
static PyObject *hash_get_keyed(PyObject *o, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((hash_object *)o)->keyed);
}

static PyGetSetDef hash_attributes[] = {
    { "name", hash_get_name, NULL, "Name of the algorithm, as new() takes it.", NULL },
    { "digest_size", hash_get_digest_size, NULL, "Bytes of digest(); None for BLAKE2Xb of unknown length.", NULL },
    { "block_size", hash_get_block_size, NULL, "Bytes that the algorithm compresses at a time.", NULL },
    { "_keyed", hash_get_keyed, NULL, "Whether the state holds a key.", NULL },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyMethodDef hash_methods[] = {
    { "update", CALLED_FAST(hash_update), METH_FASTCALL,
      "update($self, /, *data)\n--\n\nAbsorb bytes-like objects, one after the other; return the object itself.\n\n"
      "All of them are checked before the first is absorbed." },
    { "digest", CALLED_FAST(hash_digest), FASTCALL_KW,
      "digest($self, /, length=None, *, seek=0)\n--\n\nDigest of what was absorbed so far, as bytes; the object is unchanged.\n\n"
      "Only BLAKE3 and BLAKE2Xb take arguments: length bytes of output from offset seek on." },
    { "hexdigest", CALLED_FAST(hash_hexdigest), FASTCALL_KW,
      "hexdigest($self, /, length=None, *, seek=0)\n--\n\nThe same as lower-case hexadecimal digits." },
    { "copy", hash_copy, METH_NOARGS, "copy($self, /)\n--\n\nAn independent object with the same state." },
    { "__copy__", hash_copy, METH_NOARGS, "__copy__($self, /)\n--\n\nSame as copy()." },
    { "__deepcopy__", hash_copy, METH_O, "__deepcopy__($self, memo, /)\n--\n\nSame as copy()." },
    { "reset", hash_reset, METH_NOARGS,
      "reset($self, /)\n--\n\nForget the data, keep key and parameters; return the object itself." },
    { "update_file", CALLED_FAST(hash_update_file), FASTCALL_KW,
      "update_file($self, file, /, *, threads=None, progress=None)\n--\n\n"
      "Absorb a file: a path from its start, a descriptor or file object from its position.\n\n"
      "progress(done, total) is called now and then; total is None when not known. What it raises cancels and\n"
      "propagates, and the object is as before, as after any error. Returns the object itself." },
    { "update_mmap", CALLED_FAST(hash_update_file), FASTCALL_KW,
      "update_mmap($self, file, /, *, threads=None, progress=None)\n--\n\nSame as update_file(), which never maps files." },
    { "reader", CALLED_FAST(hash_reader), FASTCALL_KW,
      "reader($self, /, *, threads=None)\n--\n\nA readable, seekable raw stream of the output (BLAKE3, BLAKE2Xb)." },
    { "export", CALLED_FAST(hash_export), FASTCALL_KW,
      "export($self, /, format='native')\n--\n\nThe state as bytes, for restore(). It holds the key of a keyed object.\n\n"
      "format 'native': versioned, the same on all machines; 'go': what MarshalBinary of Go's crypto/sha256 and\n"
      "x/crypto/blake2b gives (unkeyed only)." },
    { "__reduce__", CALLED_FAST(hash_reduce), FASTCALL_KW,
      "__reduce__($self, /)\n--\n\nFor pickle. Keyed objects are refused: use export(), which says that it holds the key." },
    { NULL, NULL, 0, NULL },
};

#define DOC_COMMON "\n\ndata: any contiguous bytes-like object, absorbed at once. Interface of hashlib's objects.\n"
static const struct { const char *name, *doc; uint32_t accepts; } known[] = {
    { "sha224", "sha224(data=b'', *, usedforsecurity=True)\n--\n\nSHA-224 (FIPS 180-4), 28 bytes." DOC_COMMON, BIT(data) },
    { "sha256", "sha256(data=b'', *, usedforsecurity=True)\n--\n\nSHA-256 (FIPS 180-4), 32 bytes." DOC_COMMON, BIT(data) },
    { "hmac-sha224", "hmac_sha224(key, data=b'', *, usedforsecurity=True)\n--\n\nHMAC-SHA-224 (RFC 2104), 28 bytes." DOC_COMMON
      "key: bytes-like, any length.\n", BIT(data) | BIT(key) },
    { "hmac-sha256", "hmac_sha256(key, data=b'', *, usedforsecurity=True)\n--\n\nHMAC-SHA-256 (RFC 2104), 32 bytes." DOC_COMMON
      "key: bytes-like, any length.\n", BIT(data) | BIT(key) },
    { "blake2b", "blake2b(data=b'', *, digest_size=64, key=b'', salt=b'', person=b'', fanout=1, depth=1, leaf_size=0,\n"
      "        node_offset=0, node_depth=0, inner_size=0, last_node=False, usedforsecurity=True)\n--\n\n"
      "BLAKE2b (RFC 7693; salt, person and tree parameters: the BLAKE2 paper)." DOC_COMMON
      "digest_size 1 to 64; key 0 to 64 bytes; salt and person 0 to 16 bytes, zero padded.\n", BIT(data) | BITS_BLAKE2 },
    { "blake2xb", "blake2xb(data=b'', *, digest_size=None, key=b'', salt=b'', person=b'', usedforsecurity=True)\n--\n\n"
      "BLAKE2Xb (the BLAKE2X paper): output of 1 to 2**32 - 2 bytes, or of unknown length (None)." DOC_COMMON
      "key 0 to 64 bytes. With an unknown length digest() needs one.\n",
      BIT(data) | BIT(digest_size) | BIT(key) | BIT(salt) | BIT(person) },
    { "blake3", "blake3(data=b'', *, key=None, derive_key_context=None, max_threads=1, usedforsecurity=True)\n--\n\n"
      "BLAKE3: 32 bytes, or with digest(length, seek=) any of 2**64 - 1." DOC_COMMON
      "key: 32 bytes. derive_key_context: str or bytes; data is then key material.\n"
      "max_threads: threads that an update may use, AUTO: by size.\n", BIT(data) | BITS_MODE | BIT(max_threads) },
};

static PyTypeObject *make_type(PyObject *module, module_state *st, int i)
{
    const hc_alg *alg = st->algs[i];
    const char *doc = "A hash of the core's table.";
    char *name = st->type_names[i]; /* older versions of Python keep the pointer */
    st->accepts[i] = BIT(data) | BITS_OPTIONS | BIT(usedforsecurity);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k].name, alg->name)) continue;
        doc = known[k].doc;
        st->accepts[i] = known[k].accepts | BIT(usedforsecurity);
    }
    PyOS_snprintf(name, sizeof st->type_names[i], "hashcore.%s", alg->name);
    for (char *c = name; *c; c++)
        if (*c == '-') *c = '_';
    PyType_Slot slots[] = {
        { Py_tp_doc, (void *)doc },          { Py_tp_new, (void *)hash_new },
        { Py_tp_dealloc, (void *)hash_dealloc }, { Py_tp_methods, hash_methods },
        { Py_tp_getset, hash_attributes },   { 0, NULL },
    };
    PyType_Spec spec = { name, (int)(offsetof(hash_object, state) + alg->state_size), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots };
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    if (!type) return NULL;
    type->tp_vectorcall = hash_vectorcall;
    const struct { int when; const char *name; long value; } constants[] = {
        { !strcmp(alg->name, "blake2b"), "MAX_DIGEST_SIZE", 64 }, { !strcmp(alg->name, "blake2b"), "MAX_KEY_SIZE", 64 },
        { !strcmp(alg->name, "blake2b"), "SALT_SIZE", 16 },       { !strcmp(alg->name, "blake2b"), "PERSON_SIZE", 16 },
        { !!(alg->flags & HC_ALG_PARALLEL), "AUTO", -1 },
        { alg->key_min == alg->key_max && alg->key_min, "key_size", (long)alg->key_min },
    };
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
        if (!constants[k].when) continue;
        PyObject *value = PyLong_FromLong(constants[k].value);
        int code = value ? PyDict_SetItemString(type->tp_dict, constants[k].name, value) : -1;
        Py_XDECREF(value);
        if (code < 0) {
            Py_DECREF(type);
            return NULL;
        }
    }
    PyType_Modified(type);
    return type;
}

int add_types(PyObject *module, module_state *st)
{
    for (int i = 0; i < ALG_MAX && hc_alg_at((size_t)i); i++) {
        st->algs[i] = hc_alg_at((size_t)i);
        st->names[i] = PyUnicode_InternFromString(st->algs[i]->name);
        st->types[i] = st->names[i] ? make_type(module, st, i) : NULL;
        if (!st->types[i] || PyModule_AddType(module, st->types[i]) < 0) return -1;
    }
    return 0;
}
