"""BLAKE3 trees: pieces hashed apart, in other threads, processes or machines, and merged to the plain digest."""
from . import _hashcore
from ._buffers import bytes_of

_SUBTREE, _PARENT, _ROOT = range(3)


def subtree(data, first_chunk=0, *, key=None, derive_key_context=None, threads=0):
    """Chaining value (32 bytes) of the BLAKE3 subtree over data, which begins at chunk first_chunk; never the root.

    data: 1 to subtree_max(first_chunk) bytes; other than a power of two of 1024-byte chunks only at the end of the
    input. key (32 bytes) or derive_key_context name the mode. Source: the BLAKE3 paper, 2.4 and 2.5.
    """
    return _hashcore._tree(_SUBTREE, data, first_chunk, 0, key, derive_key_context, threads)


def parent(left, right, /, *, key=None, derive_key_context=None):
    """Chaining value (32 bytes) of the BLAKE3 node over two others; never the root."""
    pair = bytes_of(left, "left"), bytes_of(right, "right")
    for name, value in zip(("left", "right"), pair):
        if len(value) != 32:
            raise ValueError(f"{name}: {len(value)} bytes given, 32 needed")
    return _hashcore._tree(_PARENT, b"".join(pair), 0, 0, key, derive_key_context, 0)


def root(values, /, *, digest_size=32, seek=0, key=None, derive_key_context=None):
    """BLAKE3 output of the tree over two or more chaining values of equal power-of-two subtrees in order.

    values: 32 bytes each, back to back or in a list; the last subtree may be shorter. digest_size bytes from
    offset seek on.
    """
    if isinstance(values, (list, tuple)):
        try:
            values = b"".join(values)
        except (TypeError, BufferError):
            for i, value in enumerate(values):
                bytes_of(value, f"values[{i}]")
            raise
    return _hashcore._tree(_ROOT, values, digest_size, seek, key, derive_key_context, 0)
