"""Bao verified streaming over BLAKE3: encodings, slices and readers that hand out verified bytes only.

The format is that of the Bao specification (github.com/oconnor663/bao), and for group > 0 that of chunk groups:
2**group chunks of 1024 bytes are one leaf. An outboard encoding holds the tree without the data. Everywhere key
(32 bytes) or derive_key_context name BLAKE3's mode, and root is the BLAKE3 digest of the data in that mode.
Whatever is not what the root says raises hashcore.VerificationError.
"""
import io
import operator
import os

from . import _hashcore
from ._buffers import bytes_of, room_of
from ._hashcore import VerificationError

__all__ = ["Reader", "decode", "decode_file", "decode_slice", "encode", "encode_file", "encoded_size", "extract_slice"]

_END, _HEADER, _PARENT, _LEAF = range(4)
_MOST = 2**64 - 1


def _check_binary(file, name):
    if isinstance(file, io.TextIOBase):
        raise TypeError(f"{name}: a file in binary mode is needed, not {type(file).__name__}")


def _can_seek(file):
    return hasattr(file, "seekable") and file.seekable()


def _status(file):
    """What os.stat() says of a path or file object; None when there is no such thing."""
    try:
        return os.stat(file) if isinstance(file, (str, os.PathLike)) else os.fstat(file.fileno())
    except (AttributeError, TypeError, OSError):  # no file yet, or one in memory
        return None


class _Sink:
    """A path or binary file to write to. A path is opened, and what it holds lost, when the first byte is written."""

    def __init__(self, target, seekable, *sources):
        """TypeError and ValueError, with nothing written, for what cannot be written to, or is one of the sources."""
        self.own = isinstance(target, (str, os.PathLike))
        if not self.own and not hasattr(target, "write"):
            raise TypeError(f"target: a path or a binary file is needed, not {type(target).__name__}")
        _check_binary(target, "target")
        if not self.own and seekable and not _can_seek(target):
            raise TypeError("target: a path or a seekable binary file is needed")
        self.target, self.file = target, None if self.own else target
        self.base = target.tell() if seekable and not self.own else 0
        self.position = self.base
        status = _status(target)
        for source in sources:
            if source.file is None:
                continue
            other = _status(source.file)
            if source.file is target or (status and other and os.path.samestat(status, other)):
                raise ValueError(f"target: the same file as {source.name}")

    def write(self, piece, offset=None):
        """At an offset from where the target stood, or next."""
        if self.file is None:
            self.file = open(self.target, "wb")
        if offset is not None and self.base + offset != self.position:
            self.file.seek(self.base + offset)
            self.position = self.base + offset
        self.file.write(piece)
        self.position += len(piece)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.own and self.file is not None:
            self.file.close()


class _Source:
    """Bytes or a binary file, read at offsets; one that cannot seek is read in order."""

    def __init__(self, source, name):
        self.name = name
        self.file = self.view = None
        self.position = 0
        self.own = False
        if isinstance(source, (str, os.PathLike)):
            self.file, self.own = open(source, "rb"), True
        elif hasattr(source, "read"):
            _check_binary(source, name)
            self.file = source
            self.base = source.tell() if _can_seek(source) else None
        else:
            self.view = bytes_of(source, name, "a path, a binary file or a bytes-like object")
        if self.own:
            self.base = 0

    def read(self, offset, size):
        if self.view is not None:
            piece = self.view[offset : offset + size]
            if len(piece) < size:
                raise VerificationError(f"{self.name}: ends at byte {len(self.view)}, {offset + size} needed")
            return piece
        if offset != self.position:
            if self.base is None:
                raise ValueError(f"{self.name}: a file that can seek is needed")
            self.file.seek(self.base + offset)
            self.position = offset
        pieces, missing = [], size
        while missing:
            piece = self.file.read(missing)
            if piece is None:
                raise BlockingIOError(f"{self.name}: the file has no data now: I/O must be blocking")
            if len(piece) > missing:
                raise OSError(f"{self.name}: read({missing}) returned {len(piece)} bytes")
            if not piece:
                raise VerificationError(f"{self.name}: ends at byte {self.position}, {offset + size} needed")
            pieces.append(piece)
            missing -= len(piece)
            self.position += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def finish(self, size):
        """All there is must have been read."""
        if self.view is not None:
            if len(self.view) != size:
                raise VerificationError(f"{self.name}: {len(self.view)} bytes given, {size} needed")
        else:
            if self.position != size:
                self.read(size, 0)
                self.file.seek(self.base + size)
            if self.file.read(1):
                raise VerificationError(f"{self.name}: trailing data after byte {size}")

    def close(self):
        if self.own:
            self.file.close()
        elif self.view is not None:
            self.view.release()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _decoder(root, start, length, group, outboard, key, context):
    if root is None:  # the walker would take it for a walk that verifies nothing
        raise TypeError("root: 32 bytes are needed, not NoneType")
    return _hashcore._bao(False, root, start, length, group, outboard, key, context)


def encoded_size(length, *, group=0, outboard=False):
    """Bytes of the encoding of length bytes of data."""
    return _hashcore._bao_size(length, group, bool(outboard))


def _encode(source, length, write_at, group, outboard, key, context):
    walker = _hashcore._bao(True, None, 0, length, group, outboard, key, context)
    while True:
        kind, size, encoded_at, data_at = walker.next()
        if kind == _END:
            return walker.step(None)
        if kind == _LEAF:
            piece = source.read(data_at, size)
            walker.step(piece)
            if not outboard:
                write_at(encoded_at, piece)
        else:
            write_at(encoded_at, walker.step(None))


def encode(data, *, group=0, outboard=False, key=None, derive_key_context=None):
    """Encode bytes-like data; return (encoding, root). For files there is encode_file()."""
    with bytes_of(data, "data") as view, _Source(view, "data") as source:
        length = len(source.view)
        out = bytearray(encoded_size(length, group=group, outboard=outboard))

        def write_at(offset, piece):
            out[offset : offset + len(piece)] = piece

        root = _encode(source, length, write_at, group, bool(outboard), key, derive_key_context)
    return bytes(out), root


def encode_file(source, target, *, group=0, outboard=False, key=None, derive_key_context=None):
    """Encode a file (a path, or a seekable binary file from its position) to a path or seekable binary file; return
    the root. Parents are written after their data, before it in the file. All arguments are checked before the target is
    touched; one that is the same file as the source is a ValueError.
    """
    with _Source(source, "source") as data, _Sink(target, True, data) as out:
        if data.file is None or data.base is None:
            raise TypeError("source: a path or a seekable binary file is needed")
        length = data.file.seek(0, io.SEEK_END) - data.base
        data.file.seek(data.base)
        root = _encode(data, length, lambda at, piece: out.write(piece, at), group, bool(outboard), key, derive_key_context)
        out.write(b"", encoded_size(length, group=group, outboard=outboard))
        return root


def _verified(walker, encoded, data, in_order=False):
    """Walk to the end; yield (offset of data, bytes) of each leaf once it is verified. in_order: a slice's bytes."""
    at = 0
    while True:
        kind, size, encoded_at, data_at = walker.next()
        if kind == _END:
            return
        if kind == _LEAF and data is not None:
            piece = data.read(data_at, size)
        else:
            piece = encoded.read(at if in_order else encoded_at, size)
            at += size
        walker.step(piece)
        if kind == _LEAF:
            yield data_at, piece


def decode_file(encoded, target, root, *, data=None, group=0, key=None, derive_key_context=None):
    """Verify an encoding (a path, bytes or binary file) and write its data to a path or binary file; return its length.

    data: the data itself, when encoded is an outboard. What is written is verified, also when an error follows. All
    arguments are checked, and the first leaf is, before the target is touched; one that is the same file as encoded or data
    is a ValueError.
    """
    outboard = data is not None
    with _Source(encoded, "encoded") as source, _Source(data if outboard else b"", "data") as beside:
        with _Sink(target, False, source, beside) as out:
            walker = _decoder(root, 0, None, group, outboard, key, derive_key_context)
            length = 0
            for _, piece in _verified(walker, source, beside if outboard else None):
                out.write(piece)
                length += len(piece)
            source.finish(encoded_size(length, group=group, outboard=outboard))
            if outboard:
                beside.finish(length)
            return length


def decode(encoded, root, *, data=None, group=0, key=None, derive_key_context=None):
    """The verified data of an encoding, as bytes. data: the data itself, when encoded is an outboard."""
    out = io.BytesIO()
    decode_file(encoded, out, root, data=data, group=group, key=key, derive_key_context=derive_key_context)
    return out.getvalue()


def extract_slice(encoded, start, length, *, data=None, group=0):
    """Cut from an encoding what verifies data[start:start + length], without verifying it; return bytes.

    As the Bao specification has it, a length of 0 counts as 1, and a slice past the end holds the last leaf.
    """
    pieces = []
    with _Source(encoded, "encoded") as source, _Source(b"" if data is None else data, "data") as beside:
        walker = _hashcore._bao(False, None, start, length, group, data is not None, None, None)
        while True:
            kind, size, encoded_at, data_at = walker.next()
            if kind == _END:
                return b"".join(pieces)
            if kind == _LEAF and data is not None:
                piece = bytes(beside.read(data_at, size))
            else:
                piece = bytes(source.read(encoded_at, size))
            walker.step(piece)
            pieces.append(piece)


def decode_slice(slice, root, start, length, *, group=0, key=None, derive_key_context=None):
    """The verified bytes data[start:start + length] of a slice made with the same start and length."""
    out, used = [], 0
    start, length = operator.index(start), operator.index(length)
    with _Source(slice, "slice") as source:
        walker = _decoder(root, start, length, group, False, key, derive_key_context)
        while True:
            kind, size, _, data_at = walker.next()
            if kind == _END:
                break
            piece = source.read(used, size)
            used += size
            walker.step(piece)
            if kind == _LEAF:
                first = max(start - data_at, 0)
                out.append(bytes(piece[first : max(start + length - data_at, first)]))
        source.finish(used)
    return b"".join(out)


class Reader(io.RawIOBase):
    """The data of an encoding as a raw stream whose every byte is verified before it is handed out.

    encoded: a path, bytes or a binary file; one that cannot seek can only be read in order. data: the data itself,
    when encoded is an outboard. Files that were given stay open.
    """

    def __init__(self, encoded, root, *, data=None, group=0, key=None, derive_key_context=None):
        super().__init__()
        self._encoded = self._data = None  # for close(), should the next lines fail
        self._encoded = _Source(encoded, "encoded")
        self._data = None if data is None else _Source(data, "data")
        self._how = (root, group, data is not None, key, derive_key_context)
        self._position = 0
        self._steps = None  # of a walk whose next byte is at _at
        self._at = 0
        self._rest = memoryview(b"")
        self._length = None
        self._walk(0)

    def _walk(self, start):
        root, group, outboard, key, context = self._how
        walker = _decoder(root, min(start, _MOST), None, group, outboard, key, context)
        self._steps = _verified(walker, self._encoded, self._data)
        self._rest = memoryview(b"")
        self._at = start

    def readable(self):
        """True."""
        self._checkClosed()
        return True

    def seekable(self):
        """Whether what it reads can seek."""
        self._checkClosed()
        return all(s is None or s.view is not None or s.base is not None for s in (self._encoded, self._data))

    def readinto(self, buffer, /):
        """Fill the buffer in part or in full with verified bytes; 0 at the end."""
        self._checkClosed()
        if self._at != self._position:
            self._walk(self._position)
        while not self._rest:
            try:
                at, piece = next(self._steps)
            except StopIteration:
                return 0
            except BaseException:
                self._at = None  # what follows a failed step is another walk, which fails again
                raise
            self._rest = memoryview(piece)[max(self._at - at, 0) :]
        with room_of(buffer) as to:
            n = min(len(to), len(self._rest))
            to[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        self._at += n
        self._position += n
        return n

    def length(self):
        """Bytes of data, verified: it takes the last leaf, since the header alone proves nothing."""
        self._checkClosed()
        if self._length is None:
            self._walk(_MOST)
            self._length = 0
            for at, piece in self._steps:
                self._length = at + len(piece)
            self._at = None
        return self._length

    def seek(self, offset, whence=io.SEEK_SET, /):
        """Go to an offset from the start, the position or the end; return the new position."""
        self._checkClosed()
        if whence not in (io.SEEK_SET, io.SEEK_CUR, io.SEEK_END):
            raise ValueError(f"whence: {whence!r} given, 0 to 2 allowed")
        base = 0 if whence == io.SEEK_SET else self._position if whence == io.SEEK_CUR else self.length()
        to = base + operator.index(offset)
        if not 0 <= to <= _MOST:
            raise ValueError(f"offset: position {to} given, 0 to {_MOST} allowed")
        self._position = to
        return to

    def tell(self):
        """The position."""
        self._checkClosed()
        return self._position

    def close(self):
        """Close it, and the files that it opened itself."""
        if not self.closed:
            self._steps = None
            self._rest = memoryview(b"")
            for source in (self._encoded, self._data):
                if source is not None:
                    source.close()
        super().close()
