/* tree.c - BLAKE3 subtrees and the Bao walker: what _tree.py and bao.py stand on. */
#include "binding.h"

/* To be wiped; the plain mode too, which is what None and None give. */
static int get_mode(module_state *st, hc_blake3_mode *m, PyObject *key, PyObject *context)
{
    PyObject *v[KEYWORD_COUNT] = { NULL };
    hc_options o;
    held h;
    hc_error err;
    v[K_key] = key;
    v[K_derive_key_context] = context;
    held_init(&h);
    int code = get_options(&h, NULL, v, &o) < 0 ? -1 : hc_blake3_mode_init(m, &o, &err);
    held_release(&h);
    if (code) raise_hc(st, &err);
    return code;
}

/* _tree(what, data, a, b, key, context, threads): value of the subtree over data at chunk a; of the parent over data,
 * which is two values; or a bytes of output from offset b on of the root over data, which is values. */
enum { SUBTREE, PARENT, ROOT };
static PyObject *py_tree(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    module_state *st = state_of(module);
    PyObject *out = NULL;
    hc_blake3_mode m;
    held h;
    hc_slice s;
    hc_error err;
    unsigned threads = 0;
    uint64_t what, a, b;
    int code = 0, release;
    held_init(&h);
    if (has_count("_tree", n, 7, 7) < 0 || get_number(args[0], &what, ROOT, "what") < 0 ||
        get_data(&h, args[1], &s, what == SUBTREE ? NULL : "values") < 0 ||
        get_number(args[2], &a, what ? PY_SSIZE_T_MAX : UINT64_MAX, what ? "digest_size" : "first_chunk") < 0 ||
        get_number(args[3], &b, UINT64_MAX, "seek") < 0 || get_threads(args[6], &threads, THREADS) < 0 ||
        (release = is_long(st, s.len)) < 0 || get_mode(st, &m, args[4], args[5]) < 0)
        goto done;
    if (what == PARENT ? s.len != 64 : what == ROOT && s.len % 32)
        PyErr_Format(PyExc_ValueError, "values: %zu bytes given, a multiple of 32 needed", s.len);
    else
        out = PyBytes_FromStringAndSize(NULL, what == ROOT ? (Py_ssize_t)a : 32);
    if (out) {
        uint8_t *to = (uint8_t *)PyBytes_AS_STRING(out);
        const uint8_t *from = (const uint8_t *)s.data;
        if (what == PARENT) hc_blake3_parent(to, &m, from, from + 32);
        else if (what == ROOT) code = hc_blake3_root(to, (size_t)a, b, &m, from, s.len / 32, &err);
        else MAYBE_RELEASED(release, code = hc_blake3_subtree(to, &m, from, s.len, a, threads, &err));
    }
    hc_wipe(&m, sizeof m);
    if (code) {
        Py_CLEAR(out);
        raise_hc(st, &err);
    }
done:
    held_release(&h);
    return out;
}

static PyObject *py_left_len(PyObject *Py_UNUSED(module), PyObject *o)
{
    uint64_t n;
    return get_number(o, &n, UINT64_MAX, "length") < 0 ? NULL : PyLong_FromUnsignedLongLong(hc_blake3_left_len(n));
}
static PyObject *py_subtree_max(PyObject *Py_UNUSED(module), PyObject *o)
{
    uint64_t n;
    return get_number(o, &n, UINT64_MAX, "first_chunk") < 0 ? NULL : PyLong_FromUnsignedLongLong(hc_blake3_subtree_max(n));
}

/* ---- The Bao walker ----------------------------------------------------------------------- */
/* _bao_size(length, group, outboard) */
static PyObject *py_bao_size(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    uint64_t length, group, size;
    hc_error err;
    if (has_count("encoded_size", n, 3, 3) < 0 || get_number(args[0], &length, UINT64_MAX, "length") < 0 ||
        get_number(args[1], &group, HC_BAO_GROUP_MAX, "group") < 0)
        return NULL;
    if (hc_bao_size(&size, length, (unsigned)group, args[2] == Py_True, &err)) return raise_hc(state_of(module), &err);
    return PyLong_FromUnsignedLongLong(size);
}

/* _bao(encode, root or None, start, length or None, group, outboard, key, context) */
static PyObject *py_bao(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    module_state *st = state_of(module);
    uint64_t start, length = HC_UNTIL_END, group;
    hc_slice root = { NULL, 32 };
    hc_blake3_mode m;
    held h;
    hc_error err;
    hash_object *w = NULL;
    held_init(&h);
    if (has_count("_bao", n, 8, 8) == 0 && (args[1] == Py_None || get_data(&h, args[1], &root, "root") == 0) &&
        get_number(args[2], &start, UINT64_MAX, "start") == 0 &&
        (args[3] == Py_None || get_number(args[3], &length, UINT64_MAX, "length") == 0) &&
        get_number(args[4], &group, HC_BAO_GROUP_MAX, "group") == 0 && get_mode(st, &m, args[6], args[7]) == 0) {
        if (root.len == 32) w = object_new(st->bao_type, hc_alg_find("blake3"));
        else PyErr_Format(PyExc_ValueError, "root: %zu bytes given, 32 needed", root.len);
    }
    if (w) {
        hc_bao *b = (hc_bao *)w->state;
        w->keyed = 1; /* it may be */
        int code = args[0] == Py_True
            ? hc_bao_encode(b, &m, (unsigned)group, args[5] == Py_True, length, &err)
            : hc_bao_decode(b, root.data, &m, (unsigned)group, args[5] == Py_True, start, length, &err);
        if (code) {
            Py_CLEAR(w);
            raise_hc(st, &err);
        }
    }
    hc_wipe(&m, sizeof m);
    held_release(&h);
    return (PyObject *)w;
}

/* next(): (kind, size, encoded_at, data_at) of the step that is due. */
static PyObject *bao_next(PyObject *o, PyObject *Py_UNUSED(ignored))
{
    hash_object *self = (hash_object *)o;
    hc_bao_step step;
    int held = hash_enter(self, 0);
    if (held < 0) return NULL;
    hc_bao_next((const hc_bao *)self->state, &step);
    hash_leave(self, held);
    return Py_BuildValue("inKK", step.kind, (Py_ssize_t)step.size, (unsigned long long)step.encoded_at,
                         (unsigned long long)step.data_at);
}

/* step(data): take the bytes of the step, VerificationError if they are not the tree's; step(None): give them, while
 * encoding; at the end the root. */
static PyObject *bao_step(PyObject *o, PyObject *data)
{
    hash_object *self = (hash_object *)o;
    hc_bao *b = (hc_bao *)self->state;
    unsigned char out[64];
    held h;
    hc_slice s = { NULL, 0 };
    hc_bao_step step = { 0 };
    hc_error err;
    int code = -1, release, held;
    held_init(&h);
    if ((data == Py_None || get_data(&h, data, &s, NULL) == 0) &&
        (held = hash_enter(self, release = is_long(state_of_self(o), s.len))) >= 0) {
        hc_bao_next(b, &step);
        if (step.kind == HC_BAO_END || step.size > sizeof out) step.size = 32;
        MAYBE_RELEASED(release, code = data == Py_None ? hc_bao_get(b, out, step.size, &err)
                                                       : hc_bao_put(b, s.data, s.len, &err));
        hash_leave(self, held);
        if (code) raise_hc(state_of_self(o), &err);
    }
    held_release(&h);
    if (code) return NULL;
    return data == Py_None ? PyBytes_FromStringAndSize((char *)out, (Py_ssize_t)step.size) : Py_NewRef(Py_None);
}

int add_bao_type(PyObject *module, module_state *st)
{
    static PyMethodDef methods[] = {
        { "next", bao_next, METH_NOARGS, NULL }, { "step", bao_step, METH_O, NULL }, { NULL, NULL, 0, NULL },
    };
    PyType_Slot slots[] = { { Py_tp_dealloc, (void *)object_dealloc }, { Py_tp_methods, methods }, { 0, NULL } };
    PyType_Spec spec = { "hashcore._hashcore.BaoWalker", (int)(offsetof(hash_object, state) + sizeof(hc_bao)), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots };
    st->bao_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return st->bao_type ? 0 : -1;
}

PyMethodDef tree_methods[] = {
    { "left_len", py_left_len, METH_O, "left_len(length, /)\n--\n\n"
      "Bytes under the left child of a BLAKE3 tree over length bytes; 0 for a single chunk." },
    { "subtree_max", py_subtree_max, METH_O, "subtree_max(first_chunk, /)\n--\n\n"
      "Bytes of the largest BLAKE3 subtree that may begin at that chunk." },
    { "_tree", CALLED_FAST(py_tree), METH_FASTCALL, NULL },
    { "_bao_size", CALLED_FAST(py_bao_size), METH_FASTCALL, NULL },
    { "_bao", CALLED_FAST(py_bao), METH_FASTCALL, NULL },
    { NULL, NULL, 0, NULL },
};
