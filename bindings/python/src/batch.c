/* batch.c - digest_many: many messages in one call, from sequences, buffers and Arrow arrays. */
#include "binding.h"

/* The messages: a buffer in b, or a sequence, of which b holds a run at a time. */
typedef struct input {
    hc_batch b;
    size_t total, run;          /* bytes and items of a run */
    int below_zero;             /* offsets are of a signed type, which the core reads as unsigned */
    PyObject *sequence, *owner; /* a tuple, or a list longer than a run; Arrow's capsules */
} input;
#define RUN ((size_t)1024) /* items: what belongs to them stays in the cache, and no list is copied at once */

static int from_iterable(input *in, PyObject *data)
{
    if (PyUnicode_Check(data) || PyObject_CheckBuffer(data))
        return PyErr_Format(PyExc_TypeError, "%s", PyUnicode_Check(data) ? "Strings must be encoded before hashing"
                                                       : "data: one buffer needs item_size= or offsets="), -1;
    int list = PyList_CheckExact(data) && (size_t)PyList_GET_SIZE(data) > in->run;
    in->sequence = list ? Py_NewRef(data) : PySequence_Tuple(data); /* at one moment, whatever other threads do to a list */
    if (!in->sequence) return -1;
    in->b.count = (size_t)PySequence_Fast_GET_SIZE(in->sequence);
    return 0;
}

/* n items from `at` on; *kept keeps them, whatever happens to a list meanwhile. */
static int take_run(input *in, held *h, size_t at, size_t n, PyObject **kept)
{
    int list = PyList_CheckExact(in->sequence);
    *kept = list ? PyList_GetSlice(in->sequence, (Py_ssize_t)at, (Py_ssize_t)(at + n)) : Py_NewRef(in->sequence);
    if (!*kept) return -1;
    if (list && (size_t)PyList_GET_SIZE(*kept) != n)
        return PyErr_Format(PyExc_RuntimeError, "data: the list changed its size meanwhile"), -1;
    PyObject **items = PySequence_Fast_ITEMS(*kept) + (list ? 0 : at);
    if (get_parts(h, items, (Py_ssize_t)n, "items", at, &in->total) < 0) return -1;
    in->b.items = h->slices;
    in->b.count = n;
    return 0;
}

static int from_buffer(input *in, held *h, PyObject *data, PyObject *item_size, PyObject *offsets)
{
    uint64_t size;
    if (item_size && offsets) return PyErr_Format(PyExc_TypeError, "item_size: not allowed together with offsets"), -1;
    if (get_data(h, data, &in->b.data, "data") < 0) return -1;
    in->total = in->b.data.len;
    if (item_size) {
        if (get_number(item_size, &size, PY_SSIZE_T_MAX, "item_size") < 0) return -1;
        if (!size || in->total % size)
            return PyErr_Format(PyExc_ValueError, size ? "data: %zu bytes given, a multiple of item_size (%llu) needed"
                                                       : "item_size: 0 given, 1 or more allowed",
                                in->total, (unsigned long long)size), -1;
        in->b.item_size = (size_t)size;
        in->b.count = in->total / (size_t)size;
        return 0;
    }
    Py_buffer *view = get_view(h, offsets, PyBUF_ND | PyBUF_FORMAT, "offsets", "a buffer of 32 or 64-bit integers");
    if (!view) return -1;
    const char *format = view->format ? view->format : "B";
    if (*format == '@' || *format == '=' || *format == (PY_LITTLE_ENDIAN ? '<' : '>')) format++;
    if (!*format || !strchr("iIlLqQnN", *format) || format[1] || (view->itemsize != 4 && view->itemsize != 8))
        return PyErr_Format(PyExc_TypeError, "offsets: native integers of 32 or 64 bits are needed, not format '%s'",
                            view->format ? view->format : "B"), -1;
    if (!view->len) return PyErr_Format(PyExc_ValueError, "offsets: 0 given, one more than messages needed"), -1;
    in->b.offsets = view->buf;
    in->below_zero = *format >= 'a';
    in->b.offset_bits = (unsigned)view->itemsize * 8;
    in->b.count = (size_t)(view->len / view->itemsize) - 1;
    return 0;
}

static int get_input(module_state *st, input *in, held *h, PyObject *data, PyObject *const *v)
{
    PyObject *item_size = v[K_item_size] == Py_None ? NULL : v[K_item_size];
    PyObject *offsets = v[K_offsets] == Py_None ? NULL : v[K_offsets];
    if (v[K_prefix] && v[K_prefix] != Py_None && get_data(h, v[K_prefix], &in->b.prefix, "prefix") < 0) return -1;
    if (item_size || offsets) return from_buffer(in, h, data, item_size, offsets);
    if (PyList_CheckExact(data) || PyTuple_CheckExact(data)) return from_iterable(in, data);
    in->owner = call_package(st, "_arrow_buffers", &data, 1, NULL); /* (data, offsets, capsules), or None */
    if (!in->owner) return -1;
    if (in->owner != Py_None)
        return from_buffer(in, h, PyTuple_GET_ITEM(in->owner, 0), NULL, PyTuple_GET_ITEM(in->owner, 1));
    return from_iterable(in, data);
}

static PyObject *py_digest_many(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    const uint32_t extra = BIT(item_size) | BIT(offsets) | BIT(prefix) | BIT(out) | BIT(as_list);
    module_state *st = state_of(module);
    PyObject *v[KEYWORD_COUNT], *result = NULL, *kept = NULL;
    output out;
    held h, run;
    input in;
    hc_error err;
    void *to;
    if (has_count("digest_many", n, 2, 2) < 0) return NULL;
    int i = find_alg(st, args[0]), code, as_list = 0, release;
    if (i < 0) return NULL;
    held_init(&h);
    held_init(&run);
    memset(&in, 0, sizeof in);
    if (get_output(st, &h, i, "digest_many", extra, args + n, kwnames, v, &out) < 0) goto done;
    if (v[K_as_list] && (as_list = PyObject_IsTrue(v[K_as_list])) < 0) goto done;
    if (out.seek || (as_list && v[K_out] && v[K_out] != Py_None)) {
        PyErr_SetString(PyExc_ValueError, out.seek ? "seek: not supported here"
                                                   : "out: not allowed together with as_list");
        goto done;
    }
    in.run = v[K_out] || out.threads > 1 ? SIZE_MAX : RUN; /* out: nothing written if one fails */
    if (get_input(st, &in, &h, args[1], v) < 0) goto done;
    size_t size = (size_t)out.size, count = in.b.count, each = in.sequence ? in.run : count;
    result = size && count > SIZE_MAX / size ? PyErr_NoMemory() : get_out(&h, v[K_out], count * size, &to);
    for (size_t at = 0; result && at < count; at += each) {
        if (each > count - at) each = count - at;
        code = in.sequence ? take_run(&in, &run, at, each, &kept) : 0;
        if (!code && (code = release = is_long(st, in.total / 2 + each * 32)) >= 0) { /* a message costs a block */
            uint8_t *here = (uint8_t *)to + at * size;
            MAYBE_RELEASED(release,
                           code = hc_digest_many(st->algs[i], here, size, &out.options, &in.b, out.threads, &err));
            if (code && in.below_zero && !strcmp(err.argument, "offsets") && err.value >> (in.b.offset_bits - 1))
                PyErr_Format(PyExc_ValueError, "offsets[%zu]: %lld given, %llu to %llu allowed", (size_t)err.index,
                             in.b.offset_bits == 32 ? (int32_t)err.value : (long long)err.value,
                             (unsigned long long)err.min, (unsigned long long)err.max);
            else if (code) raise_hc(st, &err);
        }
        held_release(&run);
        Py_CLEAR(kept);
        if (code) Py_CLEAR(result);
    }
    if (result && as_list) {
        PyObject *one = PyLong_FromSsize_t(out.size);
        Py_SETREF(result, call_package(st, "_split", (PyObject *[]){ result, one }, 2, NULL));
        Py_XDECREF(one);
    }
done:
    held_release(&h);
    Py_XDECREF(in.owner);
    Py_XDECREF(in.sequence);
    return result;
}

PyMethodDef batch_methods[] = {
    { "digest_many", CALLED_FAST(py_digest_many), FASTCALL_KW,
      "digest_many(name, data, /, *, item_size=None, offsets=None, prefix=None, out=None, as_list=False, threads=0, "
      "**options)\n--\n\nDigests of many messages, back to back in order, as one bytes object.\n\n"
      "data: an iterable of bytes-like objects; or one buffer, of items of item_size bytes, or with offsets: a buffer of count\n"
      "+ 1 native 32 or 64-bit integers, message i being data[offsets[i]:offsets[i + 1]]; or an Arrow array of binary, string\n"
      "or fixed-size binary without nulls (anything with __arrow_c_array__). prefix: bytes before every message. out: a\n"
      "writable buffer to fill and return; may be data itself when item_size is not less than the digest size. as_list: a list\n"
      "of bytes objects. threads: 0 and 1 this one alone, AUTO by size. options: the constructor's, digest_size for BLAKE3 too."
      ERRORS_DOC " ValueError too: out and data overlap.\nRuntimeError: a list of over 1024 items changed its size meanwhile." },
    { NULL, NULL, 0, NULL },
};
