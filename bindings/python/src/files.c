/* files.c - hash objects that absorb files, several in one read; what a file is, is settled in Python. */
#include "binding.h"

typedef struct watch {
    PyThreadState *save;
    PyObject *progress;
    int failed;
} watch;

/* On the calling thread, without the GIL. */
static int on_progress(void *user, uint64_t done, uint64_t total)
{
    watch *w = (watch *)user;
    if (w->failed) return 1;
    PyEval_RestoreThread(w->save);
    w->failed = PyErr_CheckSignals();
    if (!w->failed && w->progress != Py_None) {
        PyObject *result = total == UINT64_MAX
            ? PyObject_CallFunction(w->progress, "KO", (unsigned long long)done, Py_None)
            : PyObject_CallFunction(w->progress, "KK", (unsigned long long)done, (unsigned long long)total);
        w->failed = !result;
        Py_XDECREF(result);
    }
    w->save = PyEval_SaveThread();
    return w->failed;
}

static int file_work(module_state *st, PyObject *objects, hc_file *file, watch *w, PyObject *path, uint64_t *done)
{
    enum { MOST = 16 }; /* in one read */
    const hc_alg *algs[MOST];
    void *states[MOST];
    hc_error err;
    int held[MOST], code = -1;
    Py_ssize_t n = PyTuple_GET_SIZE(objects), entered = 0;
    if (n > MOST) return PyErr_Format(PyExc_ValueError, "name: %zd names given, 1 to %d allowed", n, MOST), -1;
    for (; entered < n; entered++) {
        hash_object *h = (hash_object *)PyTuple_GET_ITEM(objects, entered);
        if ((held[entered] = hash_enter(h, 1)) < 0) goto leave;
        algs[entered] = h->alg;
        states[entered] = h->state;
    }
    file->progress = on_progress;
    file->user = w;
    w->save = PyEval_SaveThread();
    code = hc_update_file(algs, states, (size_t)n, file, done, &err);
    PyEval_RestoreThread(w->save);
leave:
    while (entered--) hash_leave((hash_object *)PyTuple_GET_ITEM(objects, entered), held[entered]);
    if (code == 0 || PyErr_Occurred()) return PyErr_Occurred() ? -1 : 0;
    errno = err.os_error;
    if (err.code == HC_E_IO && path) PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
    else raise_hc(st, &err);
    return -1;
}

/* _update_files(objects, path or descriptor, offset or None: from the position, threads, progress or None): bytes read. */
static PyObject *py_update_files(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    module_state *st = state_of(module);
    hc_file file = HC_FILE_INIT;
    watch w = { NULL, NULL, 0 };
    PyObject *path = NULL;
    uint64_t done = 0;
    if (has_count("_update_files", n, 5, 5) < 0 || get_threads(args[3], &file.threads, THREADS) < 0) return NULL;
    if ((w.progress = args[4]) != Py_None && !PyCallable_Check(args[4]))
        return PyErr_Format(PyExc_TypeError, "progress: a callable is needed, not %.100s", Py_TYPE(args[4])->tp_name);
    file.offset = HC_UNTIL_END;
    if (args[2] != Py_None && get_number(args[2], &file.offset, UINT64_MAX, "offset") < 0) return NULL;
    if (PyLong_Check(args[1])) {
        file.fd = PyObject_AsFileDescriptor(args[1]);
        if (file.fd < 0) return NULL;
    } else {
        if (!PyUnicode_FSConverter(args[1], &path)) return NULL;
        file.path = PyBytes_AS_STRING(path);
    }
    int code = file_work(st, args[0], &file, &w, path ? args[1] : NULL, &done);
    Py_XDECREF(path);
    return code < 0 ? NULL : PyLong_FromUnsignedLongLong(done);
}

PyMethodDef file_methods[] = {
    { "_update_files", CALLED_FAST(py_update_files), METH_FASTCALL, NULL },
    { NULL, NULL, 0, NULL },
};
