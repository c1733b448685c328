/* functions.c - one-shots, new, XOR and cpu. */
#include "binding.h"

static PyObject *py_new(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    int i = has_count("new", n, 1, 2) < 0 ? -1 : find_alg(state_of(module), args[0]);
    return i < 0 ? NULL : construct(state_of(module), i, 0, args + 1, n - 1, kwnames);
}

/* ---- digest, hexdigest -------------------------------------------------------------- */
PyObject *call_package(module_state *st, const char *function, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    PyObject *f = PyMapping_GetItemString(st->package, function);
    PyObject *result = f ? PyObject_Vectorcall(f, args, (size_t)n, kwnames) : NULL;
    Py_XDECREF(f);
    return result;
}

PyObject *hex_of(PyObject *bytes)
{
    if (!bytes) return NULL;
    Py_ssize_t n = PyBytes_GET_SIZE(bytes);
    PyObject *text = n <= PY_SSIZE_T_MAX / 2 ? PyUnicode_New(2 * n, 127) : PyErr_NoMemory();
    if (text && n) hc_hex((char *)PyUnicode_1BYTE_DATA(text), PyBytes_AS_STRING(bytes), (size_t)n);
    Py_DECREF(bytes);
    return text;
}

static PyObject *one_shot(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames,
                          const char *function)
{
    module_state *st = state_of(module);
    PyObject *v[KEYWORD_COUNT], *result = NULL;
    output out;
    held h;
    hc_error err;
    size_t total;
    int i = has_count(function, n, 1, PY_SSIZE_T_MAX) < 0 ? -1 : find_alg(st, args[0]), code, release = 0;
    if (i < 0) return NULL;
    const hc_alg *alg = st->algs[i];
    const hc_options *options = NULL;
    held_init(&h);
    if (kwnames || !alg->digest_size) {
        if (get_output(st, &h, i, function, 0, args + n, kwnames, v, &out) < 0) goto done;
        options = &out.options;
    } else {
        out.size = (Py_ssize_t)alg->digest_size;
        out.seek = out.threads = 0;
    }
    if (get_parts(&h, args + 1, n - 1, NULL, 0, &total) < 0) goto done;
    if (total + (size_t)out.size >= ALWAYS_SHORT && (release = is_long(st, total + (size_t)out.size)) < 0) goto done;
    if (release && total > UNINTERRUPTED) { /* by way of an object, whose update sees signals */
        result = call_package(st, "_long_digest", args, n, kwnames);
        goto done;
    }
    if (!(result = PyBytes_FromStringAndSize(NULL, out.size))) goto done;
    MAYBE_RELEASED(release, code = hc_digest(alg, PyBytes_AS_STRING(result), (size_t)out.size, out.seek, options,
                                             h.slices, (size_t)n - 1, out.threads, &err));
    if (code) {
        Py_CLEAR(result);
        raise_hc(st, &err);
    }
done:
    held_release(&h);
    return result;
}

static PyObject *py_digest(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return one_shot(module, args, n, kwnames, "digest");
}
static PyObject *py_hexdigest(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return hex_of(one_shot(module, args, n, kwnames, "hexdigest"));
}

/* ---- XOR -------------------------------------------------------------------------------- */
/* dst = XOR of the n sources in h; *done bytes. */
static int xor_many(module_state *st, size_t *done, void *dst, size_t len, const held *h, Py_ssize_t n)
{
    hc_error err;
    int code = -1, release = is_long(st, h->slices[0].len);
    if (release >= 0) {
        MAYBE_RELEASED(release, code = hc_xor_many(done, dst, len, h->slices, (size_t)n, &err));
        if (code) raise_hc(st, &err);
    }
    return code;
}

static PyObject *py_xor(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    PyObject *out = NULL;
    held h;
    size_t total, len;
    held_init(&h);
    if (has_count("xor", n, 1, PY_SSIZE_T_MAX) == 0 && get_parts(&h, args, n, "sources", 0, &total) == 0) {
        len = h.slices[0].len;
        Py_ssize_t i = 1;
        while (i < n && h.slices[i].len == len) i++;
        if (i < n) PyErr_Format(PyExc_ValueError, "sources[%zd]: %zu bytes given, %zu needed", i, h.slices[i].len, len);
        else out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)len);
        if (out && xor_many(state_of(module), &len, PyBytes_AS_STRING(out), len, &h, n)) Py_CLEAR(out);
    }
    held_release(&h);
    return out;
}

static PyObject *py_xor_into(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    PyObject *result = NULL;
    Py_buffer *view = NULL;
    held h;
    size_t total, done;
    held_init(&h);
    if (has_count("xor_into", n, 2, PY_SSIZE_T_MAX) == 0)
        view = get_view(&h, args[0], PyBUF_WRITABLE, "dst", "a writable buffer");
    if (view) {
        void *dst = view->buf;
        size_t len = (size_t)view->len;
        if (get_parts(&h, args + 1, n - 1, "sources", 0, &total) == 0 &&
            xor_many(state_of(module), &done, dst, len, &h, n - 1) == 0)
            result = PyLong_FromSize_t(done);
    }
    held_release(&h);
    return result;
}

static PyObject *py_xor_mask(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    static const unsigned char positional[] = { K_data, K_key, K_offset };
    module_state *st = state_of(module);
    PyObject *v[KEYWORD_COUNT], *result = NULL;
    held h;
    hc_slice data, key;
    hc_error err;
    uint64_t offset = 0;
    void *dst;
    int code, release;
    const uint32_t names = BIT(data) | BIT(key) | BIT(offset) | BIT(out);
    if (bind_arguments(st, v, "xor_mask", positional, 3, names, args, n, kwnames) < 0) return NULL;
    if (!v[K_data] || !v[K_key]) return PyErr_Format(PyExc_TypeError, "xor_mask() needs data and key");
    held_init(&h);
    if ((v[K_offset] && get_number(v[K_offset], &offset, UINT64_MAX, "offset") < 0) ||
        get_data(&h, v[K_data], &data, "data") < 0 || get_data(&h, v[K_key], &key, "key") < 0 ||
        (release = is_long(st, data.len)) < 0)
        goto done;
    result = get_out(&h, v[K_out], data.len, &dst);
    if (!result) goto done;
    MAYBE_RELEASED(release, code = hc_xor_mask(dst, key.data, key.len, offset, data.data, data.len, &err));
    if (code) {
        Py_CLEAR(result);
        raise_hc(st, &err);
    }
done:
    held_release(&h);
    return result;
}

/* ---- Processor --------------------------------------------------------------------------- */
static PyObject *py_cpu(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    char detected[128], enabled[128];
    const char *slot, *kernel;
    PyObject *kernels = PyDict_New();
    for (size_t i = 0; kernels && (kernel = hc_cpu_kernel(i, &slot)) != NULL; i++) {
        PyObject *name = PyUnicode_FromString(kernel);
        if (!name || PyDict_SetItemString(kernels, slot, name) < 0) Py_CLEAR(kernels);
        Py_XDECREF(name);
    }
    if (!kernels) return NULL;
    hc_cpu_text(hc_cpu_detected(), detected, sizeof detected);
    hc_cpu_text(hc_cpu_enabled(), enabled, sizeof enabled);
    return Py_BuildValue("{s:s,s:s,s:N}", "detected", detected, "enabled", enabled, "kernels", kernels);
}

#define OPTIONS_DOC "\n\noptions: those of the algorithm's constructor, for BLAKE3 digest_size and seek too (so many bytes of output\n" \
    "from that offset on), and threads (0 and 1: this one alone, AUTO: by size)." ERRORS_DOC
PyMethodDef function_methods[] = {
    { "new", CALLED_FAST(py_new), FASTCALL_KW,
      "new(name, /, data=b'', **options)\n--\n\nA hash object by name. ValueError for unknown names." },
    { "digest", CALLED_FAST(py_digest), FASTCALL_KW, "digest(name, /, *parts, **options)\n--\n\n"
      "Digest of the concatenation of the parts, which is never made, as bytes." OPTIONS_DOC },
    { "hexdigest", CALLED_FAST(py_hexdigest), FASTCALL_KW, "hexdigest(name, /, *parts, **options)\n--\n\n"
      "Digest of the concatenation of the parts, as lower-case hexadecimal digits." OPTIONS_DOC },
    { "xor", CALLED_FAST(py_xor), METH_FASTCALL, "xor(a, /, *more)\n--\n\n"
      "XOR of bytes-like objects of one length, as new bytes. ValueError for unequal lengths." },
    { "xor_into", CALLED_FAST(py_xor_into), METH_FASTCALL, "xor_into(dst, /, *sources)\n--\n\n"
      "XOR of sources into dst; returns n, the least source length, which is what is written.\n\n"
      "dst may be a source, from its first byte on. ValueError, with nothing written, when dst is shorter than n or overlaps\n"
      "a source in part (the rule of XORBytes in Go's crypto/subtle)." },
    { "xor_mask", CALLED_FAST(py_xor_mask), FASTCALL_KW, "xor_mask(data, key, offset=0, *, out=None)\n--\n\n"
      "XOR of data with the repeated key, whose phase is offset % len(key) (WebSocket masking, RFC 6455, 5.3).\n\n"
      "New bytes, or written to out (which may be data) and out returned." ERRORS_DOC " ValueError too: out and data overlap in part." },
    { "cpu", py_cpu, METH_NOARGS, "cpu()\n--\n\nDict: what the processor has ('detected'), what may be used\n"
      "('enabled'; HASHCORE_CPU in the environment lowers it), and the kernel that serves each slot ('kernels')." },
    { NULL, NULL, 0, NULL },
};
