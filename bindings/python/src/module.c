/* module.c - the extension module hashcore._hashcore: its state and what it holds. */
#include "binding.h"

/* _bind(package, methods, constants): the globals of the package; what is written in Python, as methods of every hash
 * type; and {type: {name: constant}}. The types are immutable for everybody else. */
static PyObject *py_bind(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    module_state *st = state_of(module);
    if (has_count("_bind", n, 3, 3) < 0) return NULL;
    for (int i = 0; i < ALG_MAX && st->types[i]; i++) {
        PyObject *constants = PyDict_GetItemWithError(args[2], (PyObject *)st->types[i]);
        if (PyErr_Occurred() || PyDict_Update(st->types[i]->tp_dict, args[1]) < 0 ||
            (constants && PyDict_Update(st->types[i]->tp_dict, constants) < 0))
            return NULL;
        PyType_Modified(st->types[i]);
    }
    Py_INCREF(args[0]);
    Py_XSETREF(st->package, args[0]);
    Py_RETURN_NONE;
}

static int module_exec(PyObject *module)
{
#define X(name) #name,
    static const char *const keywords[] = { KEYWORDS(X) };
#undef X
    static PyMethodDef bind[] = { { "_bind", CALLED_FAST(py_bind), METH_FASTCALL, NULL }, { NULL, NULL, 0, NULL } };
    PyMethodDef *const methods[] = { bind, function_methods, batch_methods, file_methods, tree_methods };
    module_state *st = state_of(module);
    hc_error err;
    char text[256];
    if (hc_cpu_environment(&err)) {
        hc_error_text(&err, text, sizeof text);
        PyErr_SetString(PyExc_ImportError, text);
        return -1;
    }
    for (int i = 0; i < KEYWORD_COUNT; i++)
        if (!(st->keywords[i] = PyUnicode_InternFromString(keywords[i]))) return -1;
    st->gil_minsize = PyUnicode_InternFromString("GIL_MINSIZE");
    st->verify_error = PyErr_NewExceptionWithDoc("hashcore.VerificationError", "Data does not match its hash.",
                                                 PyExc_ValueError, NULL);
    if (!st->gil_minsize || !st->verify_error || PyModule_AddType(module, (PyTypeObject *)st->verify_error) < 0 ||
        PyModule_AddStringConstant(module, "__version__", HC_VERSION_STRING) < 0)
        return -1;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (PyModule_AddFunctions(module, methods[i]) < 0) return -1;
    return add_hash_types(module, st) < 0 || add_bao_type(module, st) < 0 ? -1 : 0;
}

#define OWNED (offsetof(module_state, algs) / sizeof(PyObject *))
static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    for (size_t i = 0; i < OWNED; i++) Py_VISIT(((PyObject **)PyModule_GetState(module))[i]);
    return 0;
}
static int module_clear(PyObject *module)
{
    for (size_t i = 0; i < OWNED; i++) Py_CLEAR(((PyObject **)PyModule_GetState(module))[i]);
    return 0;
}
static void module_free(void *module) { module_clear((PyObject *)module); }

static PyModuleDef_Slot module_slots[] = {
    { Py_mod_exec, (void *)module_exec },
#if PY_VERSION_HEX >= 0x030C0000
    { Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED },
#endif
#if PY_VERSION_HEX >= 0x030D0000
    { Py_mod_gil, Py_MOD_GIL_NOT_USED },
#endif
    { 0, NULL },
};

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT, "_hashcore", "The C core's part of the package hashcore.", sizeof(module_state),
    NULL, module_slots, module_traverse, module_clear, module_free,
};

PyMODINIT_FUNC PyInit__hashcore(void) { return PyModuleDef_Init(&module_definition); }
