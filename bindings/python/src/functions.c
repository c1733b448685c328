/* functions.c - one-shots, new, XOR and cpu. */
#include "binding.h"
#include <string.h>

static module_state *state_of(PyObject *module) { return (module_state *)PyModule_GetState(module); }

static int leading_name(module_state *st, const char *function, PyObject *const *args, Py_ssize_t n)
{
    if (n > 0) return find_alg(st, args[0]);
    PyErr_Format(PyExc_TypeError, "%s() missing required argument 'name' (pos 1)", function);
    return -1;
}

static PyObject *py_new(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    int i = leading_name(state_of(module), "new", args, n);
    return i < 0 ? NULL : construct(state_of(module), i, 0, args + 1, n - 1, kwnames);
}

/* ---- digest, hexdigest -------------------------------------------------------------- */

int output_arguments(module_state *st, int i, const char *function, uint32_t extra, PyObject *const *args, Py_ssize_t n,
                     PyObject *kwnames, PyObject **v, output *out)
{
    const hc_alg *alg = st->algs[i];
    int xof = !!(alg->flags & HC_ALG_XOF);
    uint32_t allowed = (st->accepts[i] & ~(BIT(data) | BIT(max_threads))) | BIT(threads) | extra;
    uint64_t size = alg->digest_size;
    hc_error err;
    out->options.held = 0;
    out->seek = 0;
    out->threads = 0;
    if (xof) allowed |= BIT(digest_size) | BIT(length) | BIT(seek);
    if (bind_arguments(st, v, function, NULL, 0, allowed, args, n, kwnames) < 0) return -1;
    if (get_threads(v[K_threads], &out->threads, "threads") < 0 ||
        (v[K_seek] && get_number(v[K_seek], &out->seek, UINT64_MAX, "seek") < 0) || options_get(&out->options, v) < 0)
        return -1;
    hc_options *o = &out->options.o;
    if (o->given & HC_GIVEN_DIGEST_SIZE) {
        size = o->digest_size;
        if (xof && alg->digest_size) o->given &= ~(uint32_t)HC_GIVEN_DIGEST_SIZE; /* no parameter, just a length */
    }
    if (v[K_length]) {
        if (get_number(v[K_length], &size, PY_SSIZE_T_MAX, "length") < 0) goto failed;
    } else if (size == HC_UNKNOWN || (!size && !(o->given & HC_GIVEN_DIGEST_SIZE) && !v[K_digest_size])) {
        PyErr_SetString(PyExc_ValueError, "digest_size: needed, or a length");
        goto failed;
    } else if (size < alg->digest_min || size > alg->digest_max || size > PY_SSIZE_T_MAX) {
        err.code = HC_E_LENGTH;
        err.argument = "digest_size";
        err.value = size;
        err.min = alg->digest_min;
        err.max = alg->digest_max < PY_SSIZE_T_MAX ? alg->digest_max : PY_SSIZE_T_MAX;
        raise_hc(st, &err);
        goto failed;
    }
    out->size = (Py_ssize_t)size;
    return 0;
failed:
    options_release(&out->options);
    return -1;
}

/* More than a moment's work: in pieces, so that signals are seen. */
static int long_digest(const hc_alg *alg, void *to, size_t size, uint64_t seek, const options *o, const parts *p,
                       unsigned threads, hc_error *err)
{
    hc_state s;
    int code = alg->init(&s, o ? &o->o : NULL, err);
    if (code) return code;
    code = absorb(alg, &s, p->s, p->n, p->total, threads, 1, NULL) < 0 ? HC_E_CANCELED : HC_OK;
    if (!code) {
        Py_BEGIN_ALLOW_THREADS
        code = alg->final(&s, to, size, seek, err);
        Py_END_ALLOW_THREADS
    }
    if (o && o->keyed) hc_wipe(&s, sizeof s);
    return code;
}

static PyObject *one_shot(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames, int hex)
{
    module_state *st = state_of(module);
    const char *function = hex ? "hexdigest" : "digest";
    unsigned char small[64], *to = small;
    PyObject *v[KEYWORD_COUNT], *result = NULL;
    output out;
    parts p;
    hc_error err;
    int i = leading_name(st, function, args, n), code, release;
    if (i < 0) return NULL;
    const hc_alg *alg = st->algs[i];
    int given = kwnames || !alg->digest_size;
    if (!given) {
        out.size = (Py_ssize_t)alg->digest_size;
        out.seek = 0;
        out.threads = 0;
    } else if (output_arguments(st, i, function, BIT(usedforsecurity), args + n, 0, kwnames, v, &out) < 0) {
        return NULL;
    }
    if (parts_get(&p, args + 1, n - 1, NULL) < 0) goto options_held;
    release = p.total < ALWAYS_SHORT && out.size < (Py_ssize_t)ALWAYS_SHORT ? 0 : is_long(st, p.total + (size_t)out.size);
    if (release < 0) goto parts_held;
    if (!hex) {
        result = PyBytes_FromStringAndSize(NULL, out.size);
        if (!result) goto parts_held;
        to = (unsigned char *)PyBytes_AS_STRING(result);
    } else if (out.size > (Py_ssize_t)sizeof small && !(to = PyMem_Malloc((size_t)out.size))) {
        PyErr_NoMemory();
        goto parts_held;
    }
    if (p.total > UNINTERRUPTED && release) {
        code = long_digest(alg, to, (size_t)out.size, out.seek, given ? &out.options : NULL, &p, out.threads, &err);
    } else {
        PyThreadState *save = release ? PyEval_SaveThread() : NULL;
        code = hc_digest(alg, to, (size_t)out.size, out.seek, given ? &out.options.o : NULL, p.s, (size_t)p.n, out.threads,
                         &err);
        if (save) PyEval_RestoreThread(save);
    }
    if (code) {
        Py_CLEAR(result);
        raise_hc(st, &err);
    } else if (hex) {
        result = hex_of(to, out.size);
    }
    if (hex && to != small) PyMem_Free(to);
parts_held:
    parts_release(&p);
options_held:
    if (given) options_release(&out.options);
    return result;
}

static PyObject *py_digest(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return one_shot(module, args, n, kwnames, 0);
}
static PyObject *py_hexdigest(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    return one_shot(module, args, n, kwnames, 1);
}

/* ---- XOR -------------------------------------------------------------------------------- */

static int xor_parts(module_state *st, void *dst, size_t dst_len, const parts *p, size_t *n)
{
    hc_error err;
    int code, release = is_long(st, dst_len);
    if (release < 0) return -1;
    PyThreadState *save = release ? PyEval_SaveThread() : NULL;
    code = hc_xor_many(n, dst, dst_len, p->s, (size_t)p->n, &err);
    if (save) PyEval_RestoreThread(save);
    if (!code) return 0;
    raise_hc(st, &err);
    return -1;
}

static PyObject *py_xor(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    PyObject *out = NULL;
    parts p;
    size_t done;
    if (n < 2) return PyErr_Format(PyExc_TypeError, "xor() takes 2 or more arguments (%zd given)", n);
    if (parts_get(&p, args, n, NULL) < 0) return NULL;
    for (Py_ssize_t i = 1; i < n; i++) {
        if (p.s[i].len == p.s[0].len) continue;
        PyErr_Format(PyExc_ValueError, "sources[%zd]: %zu bytes given, %zu needed", i, p.s[i].len, p.s[0].len);
        goto done;
    }
    out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)p.s[0].len);
    if (out && xor_parts(state_of(module), PyBytes_AS_STRING(out), p.s[0].len, &p, &done) < 0) Py_CLEAR(out);
done:
    parts_release(&p);
    return out;
}

static PyObject *py_xor_into(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Py_buffer dst;
    PyObject *result = NULL;
    parts p;
    size_t done;
    if (n < 2) return PyErr_Format(PyExc_TypeError, "xor_into() takes 2 or more arguments (%zd given)", n);
    if (get_writable(args[0], &dst, "dst") < 0) return NULL;
    if (parts_get(&p, args + 1, n - 1, NULL) == 0) {
        if (xor_parts(state_of(module), dst.buf, (size_t)dst.len, &p, &done) == 0) result = PyLong_FromSize_t(done);
        parts_release(&p);
    }
    PyBuffer_Release(&dst);
    return result;
}

static PyObject *py_xor_mask(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *kwnames)
{
    static const unsigned char positional[] = { K_data, K_key, K_offset };
    module_state *st = state_of(module);
    PyObject *v[KEYWORD_COUNT], *result = NULL;
    Py_buffer views[2], dst;
    hc_slice data, key;
    hc_error err = { 0 };
    uint64_t offset = 0;
    dst.obj = NULL;
    if (bind_arguments(st, v, "xor_mask", positional, 3, BIT(data) | BIT(key) | BIT(offset) | BIT(out), args, n, kwnames) < 0)
        return NULL;
    if (!v[K_data] || !v[K_key]) return PyErr_Format(PyExc_TypeError, "xor_mask() needs data and key");
    if (v[K_offset] && get_number(v[K_offset], &offset, UINT64_MAX, "offset") < 0) return NULL;
    if (get_data(v[K_data], &data, &views[0], "data") < 0) return NULL;
    if (get_data(v[K_key], &key, &views[1], "key") < 0) goto data_held;
    if (!v[K_out] || v[K_out] == Py_None) {
        result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)data.len);
        dst.buf = result ? PyBytes_AS_STRING(result) : NULL;
    } else if (get_writable(v[K_out], &dst, "out") == 0) {
        if ((size_t)dst.len < data.len) {
            PyErr_Format(PyExc_ValueError, "out: %zd bytes given, %zu needed", dst.len, data.len);
        } else {
            result = v[K_out];
            Py_INCREF(result);
        }
    }
    int release = result ? is_long(st, data.len) : -1;
    if (release >= 0) {
        PyThreadState *save = release ? PyEval_SaveThread() : NULL;
        int code = hc_xor_mask(dst.buf, key.data, key.len, offset, data.data, data.len, &err);
        if (save) PyEval_RestoreThread(save);
        if (code) raise_hc(st, &err);
        release = code ? -1 : 0;
    }
    if (release < 0) Py_CLEAR(result);
    if (dst.obj) PyBuffer_Release(&dst);
    if (views[1].obj) PyBuffer_Release(&views[1]);
data_held:
    if (views[0].obj) PyBuffer_Release(&views[0]);
    return result;
}

/* ---- Processor --------------------------------------------------------------------------- */

static PyObject *py_cpu(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    char detected[128], enabled[128];
    const char *slot, *kernel;
    PyObject *kernels = PyDict_New();
    if (!kernels) return NULL;
    for (size_t i = 0; (kernel = hc_cpu_kernel(i, &slot)) != NULL; i++) {
        PyObject *name = PyUnicode_FromString(kernel);
        int code = name ? PyDict_SetItemString(kernels, slot, name) : -1;
        Py_XDECREF(name);
        if (code < 0) {
            Py_DECREF(kernels);
            return NULL;
        }
    }
    hc_cpu_text(hc_cpu_detected(), detected, sizeof detected);
    hc_cpu_text(hc_cpu_enabled(), enabled, sizeof enabled);
    return Py_BuildValue("{s:s,s:s,s:N}", "detected", detected, "enabled", enabled, "kernels", kernels);
}

#define OPTIONS_DOC "\n\noptions: those of the algorithm's constructor, digest_size too for BLAKE3, seek (BLAKE3 and BLAKE2Xb:\n" \
                    "offset of the output) and threads (0 and 1: this one alone, AUTO: by size).\n"
PyMethodDef function_methods[] = {
    { "new", CALLED_FAST(py_new), FASTCALL_KW,
      "new(name, data=b'', **options)\n--\n\nA hash object by name. ValueError for unknown names." },
    { "digest", CALLED_FAST(py_digest), FASTCALL_KW,
      "digest(name, /, *parts, **options)\n--\n\nDigest of the concatenation of the parts, which is never made, as bytes." OPTIONS_DOC },
    { "hexdigest", CALLED_FAST(py_hexdigest), FASTCALL_KW,
      "hexdigest(name, /, *parts, **options)\n--\n\nThe same as lower-case hexadecimal digits." OPTIONS_DOC },
    { "xor", CALLED_FAST(py_xor), METH_FASTCALL,
      "xor(a, b, /, *more)\n--\n\nXOR of bytes-like objects of one length, as new bytes. ValueError for unequal lengths." },
    { "xor_into", CALLED_FAST(py_xor_into), METH_FASTCALL,
      "xor_into(dst, /, *sources)\n--\n\nXOR of sources into dst; returns n, the least source length, which is what is written.\n\n"
      "dst may be a source, from its first byte on. ValueError, with nothing written, when dst is shorter than n or\n"
      "overlaps a source in part (the rule of XORBytes in Go's crypto/subtle)." },
    { "xor_mask", CALLED_FAST(py_xor_mask), FASTCALL_KW,
      "xor_mask(data, key, offset=0, *, out=None)\n--\n\nXOR of data with the repeated key, whose phase is offset % len(key)\n"
      "(WebSocket masking, RFC 6455 5.3). New bytes, or written to out (which may be data) and out returned." },
    { "cpu", py_cpu, METH_NOARGS,
      "cpu()\n--\n\nDict: what the processor has ('detected'), what may be used ('enabled'; HASHCORE_CPU in the environment lowers\n"
      "it), and the kernel that serves each slot ('kernels')." },
    { NULL, NULL, 0, NULL },
};
