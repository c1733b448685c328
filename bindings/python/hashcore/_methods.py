"""Methods of the hash objects that are written in Python, and the restoring of states."""
from . import _hashcore
from ._files import absorb_file
from ._reader import Reader

# Of a native image: six bytes of header, then BLAKE3's flags or BLAKE2's parameter block, whose second byte is the
# length of the key.
_BODY = 6
_BLAKE3_SECRET = 1 << 4 | 1 << 5 | 1 << 6
_MACS = ("hmac-sha224", "hmac-sha256")


def _holds_key(name, image):
    if name in _MACS:
        return True
    if name.startswith("blake2"):
        return image[_BODY + 1] != 0
    return name == "blake3" and image[_BODY] & _BLAKE3_SECRET != 0


def update_file(self, file, /, *, threads=None, progress=None):
    """Absorb a file: a path from its start, a descriptor or binary file object from its position; return self.

    progress(done, total) is called on this thread now and then; total is None when not known. An exception in it
    cancels and propagates. After any error the object is as before.
    """
    absorb_file((self,), file, threads, progress)
    return self


def update_mmap(self, file, /, *, threads=None, progress=None):
    """Same as update_file(), which never maps files: one that shrinks meanwhile does no harm."""
    return self.update_file(file, threads=threads, progress=progress)


def reader(self, *, threads=None):
    """A readable, seekable raw stream of the output as it is now (BLAKE3 and BLAKE2Xb); see Reader."""
    return Reader(self, threads=threads)


def export(self, format="native"):
    """The state as bytes, for restore(). Of a keyed object it holds the key: treat it as such.

    format: "native" (versioned, the same on all machines), or "go" (what MarshalBinary of Go's crypto/sha256 and
    x/crypto/blake2b gives; unkeyed SHA-2 and BLAKE2b only).
    """
    if not isinstance(format, str):
        raise TypeError(f"format: a string is needed, not {type(format).__name__}")
    if format not in ("native", "go"):
        raise ValueError(f"format: {format!r} given, 'native' or 'go' allowed")
    return self._export(format == "go")


def __reduce__(self):
    """For pickle. TypeError for keyed objects: their export() gives bytes that hold the key, knowingly."""
    image = self._export(False)
    if _holds_key(self.name, image):
        raise TypeError(
            f"cannot pickle a keyed {self.name!r} object: use export(), whose bytes hold the key, and restore()"
        )
    return restore, (self.name, image)


def __copy__(self):
    """Same as copy()."""
    return self.copy()


def __deepcopy__(self, memo):
    """Same as copy()."""
    return self.copy()


METHODS = {f.__name__: f for f in (update_file, update_mmap, reader, export, __reduce__, __copy__, __deepcopy__)}


def long_digest(name, /, *parts, digest_size=None, seek=0, threads=0, **options):
    """What digest() does with much data, and with checked types: an object sees signals meanwhile."""
    if "key" not in options and digest_size is None:
        _hashcore.digest(name, **options)  # of a MAC without a key new() has other words
    if name is _hashcore.blake3 or (isinstance(name, str) and name.lower() == "blake3"):
        options["max_threads"] = threads
    elif digest_size is not None:
        options["digest_size"] = digest_size
    h = _hashcore.new(name, **options)
    if not isinstance(h, (_hashcore.blake3, _hashcore.blake2xb)):
        return h.update(*parts).digest()
    return h.update(*parts).digest(digest_size, seek=seek, threads=threads)


def split(digests, size):
    """A list of the digests that stand back to back."""
    return [digests[i : i + size] for i in range(0, len(digests), size)]


_DATA = "data: any contiguous bytes-like object, absorbed at once. The interface is that of hashlib's objects.\n"
_HMAC = _DATA + "key: bytes-like, of any length.\n"
DOCS = {
    "sha224": "SHA-224 (FIPS 180-4), 28 bytes.\n\n" + _DATA,
    "sha256": "SHA-256 (FIPS 180-4), 32 bytes.\n\n" + _DATA,
    "hmac_sha224": "HMAC-SHA-224 (RFC 2104), 28 bytes.\n\n" + _HMAC,
    "hmac_sha256": "HMAC-SHA-256 (RFC 2104), 32 bytes.\n\n" + _HMAC,
    "blake2b": f"""BLAKE2b (RFC 7693; salt, person and tree parameters: the BLAKE2 paper).

{_DATA}digest_size: 1 to 64 bytes; key: 0 to 64 bytes; salt and person: 0 to 16 bytes, zero padded; fanout, node_depth: 0
to 255; depth: 1 to 255; leaf_size: 0 to 2**32 - 1; node_offset: 0 to 2**64 - 1; inner_size: 0 to 64.
""",
    "blake2xb": f"""BLAKE2Xb (the BLAKE2X paper): output of 1 to 2**32 - 2 bytes, or of unknown length (None).

{_DATA}key: 0 to 64 bytes; salt and person: 0 to 16 bytes. With an unknown length digest() needs one; reader() reads on.
""",
    "blake3": f"""BLAKE3 (the BLAKE3 paper): 32 bytes, or with digest(length, seek=) any of 2**64 - 1.

{_DATA}key: 32 bytes. derive_key_context: str or bytes; data is then key material. max_threads: how many threads an
update may use; AUTO: as many as its size and the processor warrant.
""",
}


def restore(name, image, /):
    """The hash object whose state export() gave as image, or Go's MarshalBinary (SHA-2, BLAKE2b).

    Every field is checked: ValueError for anything malformed or of another algorithm.
    """
    try:
        h = _hashcore.new(name)
    except TypeError:  # a MAC, which wants a key
        h = _hashcore.new(name, key=b"")
    h._import(image)
    return h
