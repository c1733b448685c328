"""Bytes-like arguments of what is written in Python."""


def bytes_of(value, name, needed="a bytes-like object"):
    """A view of the bytes of a contiguous bytes-like object; errors name the argument and what it needs."""
    try:
        view = memoryview(value)
    except TypeError:
        if hasattr(type(value), "__buffer__"):  # the error is its own
            raise
        raise TypeError(f"{name}: {needed} is needed, not {type(value).__name__}") from None
    if not view.c_contiguous:
        view.release()
        raise BufferError(f"{name}: a contiguous buffer is needed")
    return view.cast("B") if view.nbytes else memoryview(bytearray())  # a shape with zeros is not cast


def room_of(buffer):
    """The same of what readinto() is given, which must be writable: TypeError as in io."""
    view = bytes_of(buffer, "buffer", "a writable buffer")
    if view.readonly:
        view.release()
        raise TypeError(f"buffer: a writable buffer is needed, not {type(buffer).__name__}")
    return view
