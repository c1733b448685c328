"""Reader: the long output of BLAKE3 and BLAKE2Xb as a raw stream."""
import io
import operator

from . import _hashcore
from ._buffers import room_of

_END = 2**64 - 1


class Reader(io.RawIOBase):
    """Output of a hash object as it was when the reader was made: readable, seekable, without state in common.

    The size is 2**64 - 1 bytes for BLAKE3, its digest size for BLAKE2Xb (2**38 if unknown). Reads past the end are
    short, then empty. Only the 64-byte blocks that are asked for are computed. threads: for long reads.
    """

    def __init__(self, hash, *, threads=None):
        super().__init__()
        if not isinstance(hash, (_hashcore.blake3, _hashcore.blake2xb)):
            raise TypeError(f"hash: BLAKE3 or BLAKE2Xb is needed, not {getattr(hash, 'name', type(hash).__name__)}")
        self._hash = hash.copy()
        self._threads = threads
        self._size = _END if hash.name == "blake3" else hash.digest_size or 2**38
        self._position = 0
        hash.digest(0, threads=threads)  # refuses wrong threads now

    @property
    def size(self):
        """Bytes of the whole output."""
        return self._size

    def readable(self):
        """True."""
        self._checkClosed()
        return True

    def seekable(self):
        """True."""
        self._checkClosed()
        return True

    def _take(self, size):
        size = min(size, max(self._size - self._position, 0))
        piece = self._hash.digest(size, seek=self._position, threads=self._threads) if size else b""
        self._position += size
        return piece

    def read(self, size=-1, /):
        """At most size bytes; all that is left when size is None or negative."""
        self._checkClosed()
        size = -1 if size is None else operator.index(size)
        return self.readall() if size < 0 else self._take(size)

    def readinto(self, buffer, /):
        """Fill the buffer, or as much of it as there is output; return the number of bytes."""
        self._checkClosed()
        with room_of(buffer) as to:
            piece = self._take(len(to))
            to[: len(piece)] = piece
        return len(piece)

    def readall(self):
        """What is left. OverflowError when that does not fit memory: BLAKE3 has 2**64 - 1 bytes."""
        self._checkClosed()
        left = max(self._size - self._position, 0)
        if left > 1 << 40:
            raise OverflowError(f"size: {left} bytes of output are left; read(size) takes some of them")
        return self._take(left)

    def seek(self, offset, whence=io.SEEK_SET, /):
        """Go to an offset from the start, the position or the end; return the new position, 0 to 2**64 - 1."""
        self._checkClosed()
        if whence not in (io.SEEK_SET, io.SEEK_CUR, io.SEEK_END):
            raise ValueError(f"whence: {whence!r} given, 0 to 2 allowed")
        to = operator.index(offset) + (0, self._position, self._size)[whence]
        if not 0 <= to <= _END:
            raise ValueError(f"offset: position {to} given, 0 to {_END} allowed")
        self._position = to
        return to

    def tell(self):
        """The position."""
        self._checkClosed()
        return self._position

    def copy(self):
        """An independent reader at the same position."""
        self._checkClosed()
        new = Reader.__new__(Reader)
        new._hash, new._threads = self._hash, self._threads
        new._size, new._position = self._size, self._position
        return new

    __copy__ = copy
