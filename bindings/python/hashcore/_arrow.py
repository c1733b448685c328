"""Arrow arrays by the Arrow C data interface (arrow.apache.org/docs/format/CDataInterface.html), without pyarrow."""
import functools


@functools.cache
def _interface():
    """ctypes, its two structures and the two functions of capsules: made once, and not by those who need none."""
    import ctypes

    class Schema(ctypes.Structure):
        _fields_ = [("format", ctypes.c_char_p)]

    class Array(ctypes.Structure):
        _fields_ = [(name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")]
        _fields_ += [("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.c_void_p)]
        _fields_ += [("dictionary", ctypes.c_void_p)]

    def function(name, result):
        return ctypes.PYFUNCTYPE(result, ctypes.py_object, ctypes.c_char_p)((name, ctypes.pythonapi))

    valid, pointer = function("PyCapsule_IsValid", ctypes.c_int), function("PyCapsule_GetPointer", ctypes.c_void_p)
    return ctypes, Schema, Array, valid, pointer


def arrow_buffers(data):
    """(data, offsets, owner) of an object with __arrow_c_array__, or None for anything else.

    Arrays of binary, large_binary, string, large_string or fixed-size binary, without nulls.
    """
    method = getattr(type(data), "__arrow_c_array__", None)
    if method is None:
        return None
    from array import array

    ctypes, Schema, Array, valid, pointer = _interface()
    owner = method(data)
    pair = isinstance(owner, tuple) and len(owner) == 2
    if not pair or not valid(owner[0], b"arrow_schema") or not valid(owner[1], b"arrow_array"):
        got = f"{owner!r:.100}"
        raise TypeError(f"data: __arrow_c_array__() returned {got}, a schema's and an array's capsule are needed")
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
        bits = buffer(0, ctypes.c_uint8, 0, (a.offset + a.length + 7) // 8)
        if a.null_count > 0 or not all(bits[i >> 3] >> (i & 7) & 1 for i in range(a.offset, a.offset + a.length)):
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
