"""Arrow arrays by the Arrow C data interface (arrow.apache.org/docs/format/CDataInterface.html), without pyarrow."""


def arrow_buffers(data):
    """(data, offsets, owner) of an object with __arrow_c_array__, or None for anything else.

    Arrays of binary, large_binary, string, large_string or fixed-size binary, without nulls.
    """
    method = getattr(type(data), "__arrow_c_array__", None)
    if method is None:
        return None
    import ctypes  # here: few need it
    from array import array

    class Schema(ctypes.Structure):
        _fields_ = [("format", ctypes.c_char_p)]

    class Array(ctypes.Structure):
        _fields_ = [(name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")]
        _fields_ += [("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.c_void_p)]
        _fields_ += [("dictionary", ctypes.c_void_p)]

    def capsule_function(name, result):
        return ctypes.PYFUNCTYPE(result, ctypes.py_object, ctypes.c_char_p)((name, ctypes.pythonapi))

    valid = capsule_function("PyCapsule_IsValid", ctypes.c_int)
    pointer = capsule_function("PyCapsule_GetPointer", ctypes.c_void_p)
    owner = method(data)
    pair = isinstance(owner, tuple) and len(owner) == 2
    if not pair or not valid(owner[0], b"arrow_schema") or not valid(owner[1], b"arrow_array"):
        raise TypeError(
            f"data: __arrow_c_array__() returned {owner!r:.100}, a schema's and an array's capsule are needed"
        )
    schema = Schema.from_address(pointer(owner[0], b"arrow_schema"))
    a = Array.from_address(pointer(owner[1], b"arrow_array"))
    format = schema.format.decode()
    fixed = format.startswith("w:")
    if (not fixed and format not in ("z", "Z", "u", "U")) or a.dictionary:
        raise TypeError(
            f"data: an Arrow array of binary, string or fixed-size binary is needed, not format {format!r}"
        )

    def buffer(i, kind, first, n):
        return (kind * n).from_address(a.buffers[i] + first * ctypes.sizeof(kind)) if n else (kind * 0)()

    if a.null_count and a.buffers[0]:  # -1: not counted
        valid = buffer(0, ctypes.c_uint8, 0, (a.offset + a.length + 7) // 8)
        if a.null_count > 0 or not all(valid[i >> 3] >> (i & 7) & 1 for i in range(a.offset, a.offset + a.length)):
            raise ValueError("data: an Arrow array with nulls")
    if fixed:
        size = int(format[2:])
        content = buffer(1, ctypes.c_char, a.offset * size, a.length * size)
        offsets = array("q", range(0, a.length * size + 1, size) if size else [0] * (a.length + 1))
    else:
        kind = ctypes.c_int64 if format in ("Z", "U") else ctypes.c_int32
        offsets = buffer(1, kind, a.offset, a.length + 1) if a.length else (kind * 1)()
        content = buffer(2, ctypes.c_char, 0, offsets[a.length])
    return content, offsets, owner
