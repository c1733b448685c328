"""What a file is: paths, descriptors, file objects from their position; the reading itself is the core's."""
import io
import operator
import os
import time

from . import _hashcore

_PIECE = 1 << 20
_NAMES_MAX = 16  # in one read


def absorb_file(hashes, file, threads, progress):
    """Let all of a tuple of hash objects absorb the file; after an error they are as before."""
    if isinstance(file, (str, bytes, os.PathLike)):
        _hashcore._update_files(hashes, os.fspath(file), None, threads, progress)
    elif isinstance(file, int):
        _hashcore._update_files(hashes, file, None, threads, progress)
    elif type(file) in (io.FileIO, io.BufferedReader, io.BufferedRandom) and _is_plain(file):
        if isinstance(file, io.BufferedRandom):
            file.flush()
        start = file.tell()
        done = _hashcore._update_files(hashes, file.fileno(), start, threads, progress)
        file.seek(start + done)
    elif hasattr(file, "readinto") or hasattr(file, "read"):
        _hashcore.blake3().digest(0, threads=threads)  # refuses wrong threads, though a stream needs none
        if progress is not None and not callable(progress):
            raise TypeError(f"progress: a callable is needed, not {type(progress).__name__}")
        _absorb_stream(hashes, file, progress)
    else:
        raise TypeError(f"file: a path, a descriptor or a file in binary mode is needed, not {type(file).__name__}")


def _is_plain(file):
    """Whether the descriptor holds what the object reads: a regular file opened for reading."""
    if not file.readable():
        raise ValueError(f"{file!r} is not open for reading")
    return file.seekable()


def _filled(n, size):
    """n, when it is what readinto() may return for a buffer of size bytes; else OSError, as in io."""
    if n is None:
        raise BlockingIOError("the file has no data now: I/O must be blocking")
    try:
        if 0 <= operator.index(n) <= size:
            return operator.index(n)
    except TypeError:
        pass
    raise OSError(f"file: readinto() returned {n!r}, 0 to {size} allowed")


def _absorb_stream(hashes, file, progress):
    """Anything with readinto() or read(), in pieces."""
    before = [h._export(False) for h in hashes]
    buffer = bytearray(_PIECE) if hasattr(file, "readinto") else None
    view = memoryview(buffer) if buffer is not None else None
    done = told = 0
    next_time = time.monotonic() + 0.1
    try:
        while True:
            if view is not None:
                piece = view[: _filled(file.readinto(buffer), _PIECE)]
            else:
                piece = file.read(_PIECE)
                if piece is None:
                    _filled(None, _PIECE)
            for h in hashes:
                h.update(piece)  # an empty one too: it may be a str
            if not len(piece):
                break
            done += len(piece)
            if progress is not None and (done - told >= 64 << 20 or time.monotonic() >= next_time):
                progress(done, None)
                told, next_time = done, time.monotonic() + 0.1
        if progress is not None:
            progress(done, None)
    except BaseException:
        for h, old in zip(hashes, before):
            h._import(old)
        raise


def file_digest(file, name, /, *, threads=None, progress=None, **options):
    """Hash a file; return the hash object, or for a tuple or list of names a tuple of them, made in one read.

    file: a path (read from its start), a descriptor or a file object in binary mode (from its position, which then
    stands after the last byte read). name: as new() takes it, or a type such as hashcore.sha256, or 1 to 16 of them;
    options: its own. threads: 0 and 1 this one alone, AUTO by size. progress(done, total) is called on this thread now
    and then, in bytes; total is None when not known; an exception in it cancels and propagates.
    OSError with errno for what the system refuses, a directory among it; OSError for a readinto() that returns what it
    cannot have read; TypeError and ValueError for wrong arguments, whatever the file is.
    """
    several = isinstance(name, (tuple, list))
    if several and not 1 <= len(name) <= _NAMES_MAX:
        raise ValueError(f"name: {len(name)} names given, 1 to {_NAMES_MAX} allowed")
    hashes = tuple(_hashcore.new(one, **options) for one in (name if several else (name,)))
    absorb_file(hashes, file, threads, progress)
    return hashes if several else hashes[0]
