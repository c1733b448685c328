"""The shared library through ctypes, for scripts/conformance: every answer is computed in several ways at once."""
import ctypes
import glob
import os
import shutil
import subprocess
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
UNKNOWN = (1 << 64) - 1
GIVEN = {"digest_size": 1, "key": 2, "salt": 4, "person": 8, "context": 16}
TREE = ("fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size", "last_node")
XOF = 2


class Slice(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("len", c_size_t)]


class Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("os_error", c_int), ("argument", c_char_p), ("value", c_uint64), ("min", c_uint64),
                ("max", c_uint64), ("index", c_uint64), ("reserved", c_uint64 * 2)]


class Options(ctypes.Structure):
    _fields_ = ([("size", c_uint32), ("given", c_uint32), ("digest_size", c_uint64), ("key", Slice), ("salt", Slice),
                 ("person", Slice), ("context", Slice)] + [(name, c_uint64) for name in TREE])


class Batch(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("items", POINTER(Slice)), ("data", Slice), ("prefix", Slice),
                ("offsets", c_void_p), ("item_size", c_size_t), ("offset_bits", c_uint)]


class Alg(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("flags", c_uint32), ("state_size", c_uint32), ("block_size", c_uint32),
                ("digest_size", c_uint32), ("digest_min", c_uint64), ("digest_max", c_uint64), ("key_min", c_uint64),
                ("key_max", c_uint64),
                ("init", ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Options), POINTER(Error))),
                ("reset", ctypes.CFUNCTYPE(None, c_void_p)),
                ("copy", ctypes.CFUNCTYPE(None, c_void_p, c_void_p)),
                ("update", ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_size_t)),
                ("update_threads", ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_size_t, c_uint)),
                ("state_digest_size", ctypes.CFUNCTYPE(c_uint64, c_void_p)),
                ("final", ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_uint64, POINTER(Error)))]


def slice_of(data):
    return Slice(ctypes.cast(c_char_p(data), c_void_p), len(data))


def build(folder):
    """The shared library from core/src/*.c with cc: the path of what was built."""
    compiler = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        raise SystemExit("conformance: no C compiler: apt-get install gcc, or name a library with --lib")
    path = os.path.join(folder, "libhashcore.so")
    sources = sorted(glob.glob(os.path.join(ROOT, "core", "src", "*.c")))
    subprocess.run([compiler, "-O2", "-fPIC", "-shared", "-DHC_BUILD", "-DHC_SHARED", "-fvisibility=hidden",
                    "-I" + os.path.join(ROOT, "core", "include"), *sources, "-o", path, "-lpthread"], check=True)
    return path


class State:
    """A state object of one algorithm."""

    def __init__(self, lib, alg, **options):
        self.lib, self.alg = lib, lib.alg(alg)
        self.memory = (c_uint64 * (self.alg.state_size // 8 + 1))()
        err = Error()
        if self.alg.init(self.memory, byref(lib.options(**options)), byref(err)):
            raise ValueError(lib.error_text(err))

    def update(self, data):
        self.alg.update(self.memory, data, len(data))
        return self

    def digest(self, length=None, seek=0):
        length = self.alg.state_digest_size(self.memory) if length is None else length
        out, err = ctypes.create_string_buffer(length), Error()
        if self.alg.final(self.memory, out, length, seek, byref(err)):
            raise ValueError(self.lib.error_text(err))
        return out.raw

    def image(self, go):
        out, size, err = ctypes.create_string_buffer(2048), c_size_t(2048), Error()
        if self.lib.c.hc_export(byref(self.alg), self.memory, out, byref(size), int(go), byref(err)):
            raise ValueError(self.lib.error_text(err))
        return out.raw[:size.value]

    def load(self, image):
        err = Error()
        if self.lib.c.hc_import(byref(self.alg), self.memory, image, c_size_t(len(image)), byref(err)):
            raise ValueError(self.lib.error_text(err))
        return self


class Library:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.c = ctypes.CDLL(self.path)
        self.c.hc_alg_find.restype = POINTER(Alg)
        self.c.hc_error_text.restype = c_size_t

    def fresh(self):
        """The library again, without this class's ideas of its functions."""
        return ctypes.CDLL(self.path)

    def alg(self, name):
        found = self.c.hc_alg_find(name.encode())
        if not found:
            raise ValueError("no algorithm " + name)
        return found.contents

    def error_text(self, err):
        out = ctypes.create_string_buffer(200)
        self.c.hc_error_text(byref(err), out, c_size_t(200))
        return out.value.decode()

    def options(self, digest_size=None, tree=None, **values):
        o = Options(size=ctypes.sizeof(Options))
        if digest_size is not None:
            o.given |= GIVEN["digest_size"]
            o.digest_size = digest_size
        for name, value in values.items():
            if value is not None:
                o.given |= GIVEN[name]
                setattr(o, name, slice_of(value))
        if tree is not None:
            o.given |= 32
            for name, value in zip(TREE, tree):
                setattr(o, name, int(value))
        return o

    def one_shot(self, alg, parts, length=None, seek=0, threads=0, **options):
        """hc_digest over several parts."""
        a, err = self.alg(alg), Error()
        if length is None:
            length = options.get("digest_size") or a.digest_size
        out = ctypes.create_string_buffer(length)
        slices = (Slice * max(len(parts), 1))(*[slice_of(p) for p in parts])
        if self.c.hc_digest(byref(a), out, c_size_t(length), c_uint64(seek), byref(self.options(**options)), slices,
                            c_size_t(len(parts)), c_uint(threads), byref(err)):
            raise ValueError(self.error_text(err))
        return out.raw

    def digest(self, alg, data, length=None, seek=0, **options):
        """One answer, or ValueError when a one-shot, parts on threads and a state fed in pieces do not agree."""
        third = len(data) // 3
        answers = {
            "one-shot": self.one_shot(alg, [data], length, seek, **options),
            "parts": self.one_shot(alg, [data[:third], b"", data[third:]], length, seek, threads=3, **options),
            "state": State(self, alg, **options).update(data[:third]).update(data[third:]).digest(length, seek)}
        if len(set(answers.values())) != 1:
            raise ValueError("ways to compute %s differ: %s" % (alg, {k: v.hex() for k, v in answers.items()}))
        return answers["one-shot"]

    def many(self, alg, items, length=None, **options):
        a, err = self.alg(alg), Error()
        length = length or options.get("digest_size") or a.digest_size
        out = ctypes.create_string_buffer(length * len(items))
        slices = (Slice * max(len(items), 1))(*[slice_of(i) for i in items])
        batch = Batch(count=len(items), items=slices)
        if self.c.hc_digest_many(byref(a), out, c_size_t(length), byref(self.options(**options)), byref(batch),
                                 c_uint(0), byref(err)):
            raise ValueError(self.error_text(err))
        raw = out.raw
        return [raw[i:i + length] for i in range(0, len(raw), length)]

    def xor_mask(self, data, key, offset=0):
        out, err = ctypes.create_string_buffer(len(data)), Error()
        if self.c.hc_xor_mask(out, key, c_size_t(len(key)), c_uint64(offset), data, c_size_t(len(data)), byref(err)):
            raise ValueError(self.error_text(err))
        return out.raw


__all__ = ["Library", "State", "build", "UNKNOWN"]
