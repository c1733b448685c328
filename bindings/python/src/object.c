/* object.c - the hash objects: hashlib's interface over any row of the core's descriptor table. */
#include "binding.h"

/* ---- Work with the GIL released --------------------------------------------------- */
int is_long(module_state *st, size_t bytes)
{
    if (bytes < ALWAYS_SHORT) return 0;
    uint64_t value;
    PyObject *minimum = PyObject_GetItem(st->package, st->gil_minsize);
    int code = minimum ? get_number(minimum, &value, UINT64_MAX, "GIL_MINSIZE") : -1;
    Py_XDECREF(minimum);
    return code < 0 ? -1 : bytes > value;
}

int absorb(const hc_alg *alg, void *state, const hc_slice *s, Py_ssize_t n, size_t total, unsigned threads, int release)
{
    if (!release || total <= UNINTERRUPTED) {
        MAYBE_RELEASED(release, for (Py_ssize_t i = 0; i < n; i++)
                                    alg->update_threads(state, s[i].data, s[i].len, threads));
        return 0;
    }
    hc_state before;
    size_t step = threads > 1 ? 4 * UNINTERRUPTED : UNINTERRUPTED, since = 0;
    int code = 0;
    alg->copy(&before, state);
    for (Py_ssize_t i = 0; i < n && !code; i++) {
        for (size_t at = 0; at < s[i].len && !code;) {
            size_t len = s[i].len - at < step - since ? s[i].len - at : step - since;
            MAYBE_RELEASED(1, alg->update_threads(state, (const char *)s[i].data + at, len, threads));
            at += len;
            since += len;
            if (since < step) continue;
            since = 0;
            code = PyErr_CheckSignals();
        }
    }
    if (code) alg->copy(state, &before);
    hc_wipe(&before, sizeof before);
    return code;
}

int hash_enter(hash_object *self, int release)
{
    if (release < 0) return -1;
    if (self->owner && self->owner == PyThread_get_thread_ident())
        return PyErr_Format(PyExc_RuntimeError, "%s object is in the middle of another call on this thread",
                            self->alg->name), -1;
#if PY_VERSION_HEX >= 0x030D0000
    PyMutex_Lock(&self->lock);
#else
    if (!self->busy && !release) return 0;
    if (!self->lock && !(self->lock = PyThread_allocate_lock())) {
        PyErr_NoMemory();
        return -1;
    }
    if (!PyThread_acquire_lock(self->lock, NOWAIT_LOCK))
        MAYBE_RELEASED(1, PyThread_acquire_lock(self->lock, WAIT_LOCK));
#endif
    if (release) self->owner = PyThread_get_thread_ident();
    self->busy = 1;
    return 1;
}

void hash_leave(hash_object *self, int held)
{
    if (!held) return;
    self->owner = 0;
    self->busy = 0;
#if PY_VERSION_HEX >= 0x030D0000
    PyMutex_Unlock(&self->lock);
#else
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
    self->owner = self->threads = 0;
    return self;
}

void object_dealloc(PyObject *o)
{
    hash_object *self = (hash_object *)o;
    PyTypeObject *type = Py_TYPE(o);
    if (self->keyed) hc_wipe(self->state, (size_t)type->tp_basicsize - offsetof(hash_object, state));
#if PY_VERSION_HEX < 0x030D0000
    if (self->lock) PyThread_free_lock(self->lock);
#endif
    PyObject_Free(o);
    Py_DECREF(type);
}

PyObject *construct(module_state *st, int i, int key_first, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    static const unsigned char plain[] = { K_data }, mac[] = { K_key, K_data };
    const hc_alg *alg = st->algs[i];
    const char *name = st->type_names[i] + sizeof "hashcore." - 1;
    PyObject *v[KEYWORD_COUNT], *data = n ? args[0] : NULL;
    hc_options o, *options = NULL;
    held h;
    hc_slice s = { NULL, 0 };
    hc_error err;
    hash_object *self = NULL;
    unsigned threads = 0;
    int release = 0, keyed = 0;
    held_init(&h);
    if (kwnames || n > 1 || is_mac(alg)) {
        key_first = key_first && is_mac(alg);
        if (bind_arguments(st, v, name, key_first ? mac : plain, 1 + key_first, st->accepts[i], args, n, kwnames) < 0)
            return NULL;
        if (is_mac(alg) && !v[K_key])
            return PyErr_Format(PyExc_TypeError, "%s() missing required argument 'key'", name);
        if (get_threads(v[K_max_threads], &threads, "max_" THREADS) < 0 || (keyed = get_options(&h, alg, v, &o)) < 0)
            goto done;
        options = &o;
        data = v[K_data];
    }
    if (data && (get_data(&h, data, &s, NULL) < 0 || (release = is_long(st, s.len)) < 0)) goto done;
    self = object_new(st->types[i], alg);
    if (!self) goto done;
    self->threads = threads;
    if (alg->init(self->state, options, &err)) {
        Py_CLEAR(self);
        raise_hc(st, &err);
        goto done;
    }
    self->keyed = keyed || is_mac(alg);
    if (s.len && absorb(alg, self->state, &s, 1, s.len, threads, release) < 0) Py_CLEAR(self);
done:
    held_release(&h);
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
    int held = copy ? hash_enter(self, 0) : -1;
    if (held < 0) {
        Py_XDECREF(copy);
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
    return Py_NewRef(o);
}

/* ---- Data in, digests out --------------------------------------------------------------- */
static PyObject *update_parts(hash_object *self, PyObject *const *args, Py_ssize_t n)
{
    held h;
    size_t total = 0;
    int code = -1, release = 0, held = -1;
    held_init(&h);
    if (get_parts(&h, args, n, NULL, 0, &total) == 0) {
        if (total >= ALWAYS_SHORT) release = is_long(state_of_self((PyObject *)self), total);
        held = hash_enter(self, release);
    }
    if (held >= 0) {
        code = absorb(self->alg, self->state, h.slices, n, total, self->threads, release);
        hash_leave(self, held);
    }
    held_release(&h);
    return code < 0 ? NULL : Py_NewRef((PyObject *)self);
}

static PyObject *hash_update(PyObject *o, PyObject *const *args, Py_ssize_t n)
{
    hash_object *self = (hash_object *)o;
    if (n != 1 || !PyBytes_CheckExact(args[0]) || PyBytes_GET_SIZE(args[0]) >= (Py_ssize_t)ALWAYS_SHORT || self->busy)
        return update_parts(self, args, n);
#if PY_VERSION_HEX >= 0x030D0000
    PyMutex_Lock(&self->lock);
#endif
    self->alg->update(self->state, PyBytes_AS_STRING(args[0]), (size_t)PyBytes_GET_SIZE(args[0]));
#if PY_VERSION_HEX >= 0x030D0000
    PyMutex_Unlock(&self->lock);
#endif
    return Py_NewRef(o);
}

/* Output's size, from the arguments of digest and hexdigest, or -1. */
static Py_ssize_t output_size(hash_object *self, PyObject *const *args, Py_ssize_t n, PyObject *kwnames, uint64_t *seek,
                              unsigned *threads)
{
    static const unsigned char positional[] = { K_length };
    PyObject *v[KEYWORD_COUNT];
    uint64_t size = self->alg->size(self->state);
    *seek = 0;
    if (!n && !kwnames && size <= PY_SSIZE_T_MAX) return (Py_ssize_t)size;
    if (!(self->alg->flags & HC_ALG_XOF))
        return PyErr_Format(PyExc_TypeError, "digest() takes no arguments: %s has one digest", self->alg->name), -1;
    if (bind_arguments(state_of_self((PyObject *)self), v, "digest", positional, 1,
                       BIT(length) | BIT(seek) | BIT(threads), args, n, kwnames) < 0 ||
        get_threads(v[K_threads], threads, THREADS) < 0 ||
        (v[K_seek] && get_number(v[K_seek], seek, UINT64_MAX, "seek") < 0))
        return -1;
    if (v[K_length] && v[K_length] != Py_None) {
        if (get_number(v[K_length], &size, PY_SSIZE_T_MAX, "length") < 0) return -1;
    } else if (!self->alg->digest_size && size != HC_UNKNOWN) {
        size = *seek < size ? size - *seek : 0; /* BLAKE2Xb: the rest of its output */
    }
    if (size <= PY_SSIZE_T_MAX) return (Py_ssize_t)size;
    PyErr_SetString(PyExc_ValueError, "length: needed, because the digest size is not known");
    return -1;
}

static PyObject *hash_digest(PyObject *o, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    hash_object *self = (hash_object *)o;
    uint64_t seek;
    unsigned threads = self->threads;
    Py_ssize_t size = output_size(self, args, n, kwnames, &seek, &threads);
    hc_error err;
    hc_xof x;
    int release = size < 0 ? -1 : is_long(state_of_self(o), (size_t)size), code;
    PyObject *out = release < 0 ? NULL : PyBytes_FromStringAndSize(NULL, size);
    int held = out ? hash_enter(self, release) : -1;
    if (held < 0) {
        Py_XDECREF(out);
        return NULL;
    }
    if (!release) {
        code = self->alg->final(self->state, PyBytes_AS_STRING(out), (size_t)size, seek, &err);
    } else {
        MAYBE_RELEASED(1, if (!(code = hc_xof_open(&x, self->alg, self->state, &err)))
                              code = hc_xof_read(&x, PyBytes_AS_STRING(out), (size_t)size, seek, threads, &err));
        if (self->keyed) hc_wipe(&x, sizeof x);
    }
    hash_leave(self, held);
    if (!code) return out;
    Py_DECREF(out);
    return raise_hc(state_of_self(o), &err);
}

static PyObject *hash_hexdigest(PyObject *o, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return hex_of(hash_digest(o, args, n, kwnames));
}

/* _export(go) and _import(image), for _methods.py. */
static PyObject *hash_export(PyObject *o, PyObject *go)
{
    hash_object *self = (hash_object *)o;
    unsigned char image[HC_IMAGE_MAX];
    size_t n = sizeof image;
    hc_error err;
    int held = hash_enter(self, 0);
    if (held < 0) return NULL;
    int code = hc_export(self->alg, self->state, image, &n, go == Py_True ? HC_IMAGE_GO : HC_IMAGE_NATIVE, &err);
    hash_leave(self, held);
    PyObject *bytes = code ? raise_hc(state_of_self(o), &err) : PyBytes_FromStringAndSize((char *)image, (Py_ssize_t)n);
    hc_wipe(image, sizeof image);
    return bytes;
}

static PyObject *hash_import(PyObject *o, PyObject *image)
{
    hash_object *self = (hash_object *)o;
    held h;
    hc_slice s;
    hc_error err;
    int code = -1, held;
    held_init(&h);
    if (get_data(&h, image, &s, "image") == 0 && (held = hash_enter(self, 0)) >= 0) {
        self->keyed = 1; /* for all that is known */
        code = hc_import(self->alg, self->state, s.data, s.len, &err);
        hash_leave(self, held);
        if (code) raise_hc(state_of_self(o), &err);
    }
    held_release(&h);
    return code ? NULL : Py_NewRef(Py_None);
}

/* ---- Attributes and types --------------------------------------------------------------------- */
enum { GET_NAME, GET_DIGEST_SIZE, GET_BLOCK_SIZE };
static PyObject *hash_get(PyObject *o, void *what)
{
    hash_object *self = (hash_object *)o;
    if ((intptr_t)what == GET_NAME) return PyUnicode_FromString(self->alg->name);
    uint64_t n = (intptr_t)what == GET_BLOCK_SIZE ? self->alg->block_size : self->alg->size(self->state);
    return n == HC_UNKNOWN ? Py_NewRef(Py_None) : PyLong_FromUnsignedLongLong(n);
}

static PyGetSetDef hash_attributes[] = {
    { "name", hash_get, NULL, "Name of the algorithm, as new() takes it.", (void *)GET_NAME },
    { "digest_size", hash_get, NULL, "Bytes of digest(); None: unknown length (BLAKE2Xb).", (void *)GET_DIGEST_SIZE },
    { "block_size", hash_get, NULL, "Bytes that the algorithm compresses at a time.", (void *)GET_BLOCK_SIZE },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyMethodDef hash_methods[] = {
    { "update", CALLED_FAST(hash_update), METH_FASTCALL,
      "update($self, /, *data)\n--\n\nAbsorb bytes-like objects, one after the other; return the object itself.\n\n"
      "All of them are checked before the first is absorbed. TypeError: one is not bytes-like. BufferError: not contiguous." },
    { "digest", CALLED_FAST(hash_digest), FASTCALL_KW, "digest($self, /, length=None, *, seek=0, threads=None)\n--\n\n"
      "Digest of what was absorbed so far, as bytes; the object is unchanged.\n\n"
      "Only BLAKE3 and BLAKE2Xb take arguments: length bytes of output from offset seek on, with so many threads.\n"
      "TypeError: an argument for another. ValueError, OverflowError: out of range, or no length where it is needed." },
    { "hexdigest", CALLED_FAST(hash_hexdigest), FASTCALL_KW,
      "hexdigest($self, /, length=None, *, seek=0, threads=None)\n--\n\ndigest() as lower-case hexadecimal digits; its errors." },
    { "copy", hash_copy, METH_NOARGS, "copy($self, /)\n--\n\nAn independent object with the same state." },
    { "reset", hash_reset, METH_NOARGS, "reset($self, /)\n--\n\nForget data, keep key and parameters; return the object itself." },
    { "_export", hash_export, METH_O, NULL },
    { "_import", hash_import, METH_O, NULL },
    { NULL, NULL, 0, NULL },
};

#define HAS_BLAKE2X (BIT(digest_size) | BIT(key) | BIT(salt) | BIT(person))
#define HAS_TREE (BIT(fanout) | BIT(depth) | BIT(leaf_size) | BIT(node_offset) | BIT(node_depth) | BIT(inner_size) | BIT(last_node))
#define HAS_BLAKE3 (BIT(key) | BIT(derive_key_context) | BIT(max_threads))
#define END ", usedforsecurity=True)\n--\n\n"
static const struct { const char *name, *signature; uint32_t accepts; } known[] = {
    { "sha224", "sha224(data=b'', *" END, 0 },
    { "sha256", "sha256(data=b'', *" END, 0 },
    { "hmac-sha224", "hmac_sha224(key, data=b'', *" END, BIT(key) },
    { "hmac-sha256", "hmac_sha256(key, data=b'', *" END, BIT(key) },
    { "blake2b", "blake2b(data=b'', *, digest_size=64, key=b'', salt=b'', person=b'', fanout=1, depth=1, leaf_size=0, "
      "node_offset=0, node_depth=0, inner_size=0, last_node=False" END, HAS_BLAKE2X | HAS_TREE },
    { "blake2xb", "blake2xb(data=b'', *, digest_size=None, key=b'', salt=b'', person=b''" END, HAS_BLAKE2X },
    { "blake3", "blake3(data=b'', *, key=None, derive_key_context=None, max_threads=1" END, HAS_BLAKE3 },
};

static int add_type(PyObject *module, module_state *st, int i)
{
    const hc_alg *alg = st->algs[i];
    const char *doc = "";
    char *name = st->type_names[i]; /* older versions of Python keep the pointer */
    st->accepts[i] = HAS_BLAKE2X | HAS_TREE | HAS_BLAKE3;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k].name, alg->name)) continue;
        doc = known[k].signature;
        st->accepts[i] = known[k].accepts;
    }
    st->accepts[i] |= BIT(data) | BIT(usedforsecurity);
    PyOS_snprintf(name, sizeof st->type_names[i], "hashcore.%s", alg->name);
    for (char *c = name; *c; c++)
        if (*c == '-') *c = '_';
    PyType_Slot slots[] = {
        { Py_tp_doc, (void *)doc }, { Py_tp_new, (void *)hash_new }, { Py_tp_dealloc, (void *)object_dealloc },
        { Py_tp_methods, hash_methods }, { Py_tp_getset, hash_attributes }, { 0, NULL },
    };
    PyType_Spec spec = { name, (int)(offsetof(hash_object, state) + alg->state_size), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots };
    st->types[i] = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    if (!st->types[i]) return -1;
    st->types[i]->tp_vectorcall = hash_vectorcall;
    return PyModule_AddType(module, st->types[i]);
}

int add_hash_types(PyObject *module, module_state *st)
{
    for (int i = 0; i < ALG_MAX && (st->algs[i] = hc_alg_at((size_t)i)) != NULL; i++) {
        st->names[i] = PyUnicode_InternFromString(st->algs[i]->name);
        if (!st->names[i] || add_type(module, st, i) < 0) return -1;
    }
    return 0;
}
