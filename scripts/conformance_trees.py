"""Long outputs, Bao, state images and counters near 2^64 against the official files: the part of `conformance` about trees.

Each check takes a Core and a file's content and returns (name, cases, list of those that do not match).
"""
import ctypes
import json
import os
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p

GIVEN_DIGEST_SIZE, GIVEN_KEY = 1, 2
UNKNOWN = UNTIL_END = 2**64 - 1
IMAGE_NATIVE, IMAGE_GO = 0, 1
END, HEADER, PARENT, LEAF = range(4)


class Slice(Structure):
    _fields_ = [("data", c_char_p), ("len", c_size_t)]


class Options(Structure):
    _fields_ = [("size", c_uint32), ("given", c_uint32), ("digest_size", c_uint64), ("key", Slice), ("salt", Slice),
                ("person", Slice), ("context", Slice), ("tree", c_uint64 * 7)]


class Step(Structure):
    _fields_ = [("kind", c_int), ("size", c_size_t), ("encoded_at", c_uint64), ("data_at", c_uint64)]


class Alg(Structure):
    _fields_ = [("name", c_char_p), ("flags", c_uint32), ("state_size", c_uint32), ("block_size", c_uint32),
                ("digest_size", c_uint32), ("limits", c_uint64 * 4),
                ("init", ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
                ("reset", ctypes.CFUNCTYPE(None, c_void_p)),
                ("copy", ctypes.CFUNCTYPE(None, c_void_p, c_void_p)),
                ("update", ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_size_t)),
                ("update_threads", ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_size_t, c_uint)),
                ("digest_size_of", ctypes.CFUNCTYPE(c_uint64, c_void_p)),
                ("final", ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_uint64, c_void_p))]


def pattern(n):
    return (bytes(range(251)) * (n // 251 + 1))[:n]


def words(n):
    """32-bit little-endian 1, 2, 3, ..., cut to n bytes: the input of Bao's own vectors."""
    return b"".join(i.to_bytes(4, "little") for i in range(1, n // 4 + 2))[:n]


class Core:
    """The few functions needed here, with bytes in and out; None or an exception says that the core refused."""

    def __init__(self, lib):
        self.lib = lib
        lib.hc_alg_find.restype = POINTER(Alg)
        lib.hc_bao_decode.argtypes = [c_void_p, c_char_p, c_void_p, c_uint, c_int, c_uint64, c_uint64, c_void_p]
        lib.hc_bao_encode.argtypes = [c_void_p, c_void_p, c_uint, c_int, c_uint64, c_void_p]
        lib.hc_bao_size.argtypes = [c_void_p, c_uint64, c_uint, c_int, c_void_p]
        for name in ("hc_bao_put", "hc_bao_get"):
            getattr(lib, name).argtypes = [c_void_p, c_char_p, c_size_t, c_void_p]
        lib.hc_xof_read.argtypes = [c_void_p, c_char_p, c_size_t, c_uint64, c_uint, c_void_p]
        lib.hc_export.argtypes = [c_void_p, c_void_p, c_char_p, c_void_p, c_int, c_void_p]
        lib.hc_import.argtypes = [c_void_p, c_void_p, c_char_p, c_size_t, c_void_p]

    def alg(self, name):
        return self.lib.hc_alg_find(name.encode())

    def state(self, name, data=b"", **options):
        alg, o = self.alg(name), Options(size=ctypes.sizeof(Options))
        if "digest_size" in options:
            o.given |= GIVEN_DIGEST_SIZE
            o.digest_size = options["digest_size"]
        if options.get("key"):
            o.given |= GIVEN_KEY
            o.key = Slice(options["key"], len(options["key"]))
        state = (c_uint64 * (alg.contents.state_size // 8))()
        if alg.contents.init(ctypes.addressof(state), ctypes.addressof(o), None):
            return None
        alg.contents.update(ctypes.addressof(state), data, len(data))
        return state

    def update(self, name, state, data):
        self.alg(name).contents.update(ctypes.addressof(state), data, len(data))

    def final(self, name, state, size=None, offset=0):
        alg = self.alg(name).contents
        out = ctypes.create_string_buffer(alg.digest_size_of(ctypes.addressof(state)) if size is None else size)
        code = alg.final(ctypes.addressof(state), ctypes.addressof(out), len(out), offset, None)
        return None if code else out.raw

    def read(self, name, state, size, offset, threads=0):
        xof, out = (c_uint64 * 24)(), ctypes.create_string_buffer(max(size, 1))
        if self.lib.hc_xof_open(byref(xof), self.alg(name), byref(state), None):
            return None
        return None if self.lib.hc_xof_read(byref(xof), out, size, offset, threads, None) else out.raw[:size]

    def export(self, name, state, form):
        room, out = c_size_t(2048), ctypes.create_string_buffer(2048)
        code = self.lib.hc_export(self.alg(name), byref(state), out, byref(room), form, None)
        return None if code else out.raw[:room.value]

    def load(self, name, image):
        state = (c_uint64 * (self.alg(name).contents.state_size // 8))()
        return None if self.lib.hc_import(self.alg(name), byref(state), image, len(image), None) else state

    def bao_size(self, size, group, outboard):
        out = c_uint64()
        return None if self.lib.hc_bao_size(byref(out), size, group, outboard, None) else out.value

    def encode(self, data, group=0, outboard=False):
        """(encoding, root), the encoding filled in wherever the walker says."""
        bao, step, out = (c_uint64 * 256)(), Step(), bytearray(self.bao_size(len(data), group, outboard))
        self.lib.hc_bao_encode(byref(bao), None, group, outboard, len(data), None)
        while True:
            self.lib.hc_bao_next(byref(bao), byref(step))
            if step.kind == LEAF:
                piece = data[step.data_at:step.data_at + step.size]
                if self.lib.hc_bao_put(byref(bao), piece, step.size, None):
                    raise ValueError("put")
                if not outboard:
                    out[step.encoded_at:step.encoded_at + step.size] = piece
                continue
            piece = ctypes.create_string_buffer(step.size)
            if self.lib.hc_bao_get(byref(bao), piece, step.size, None):
                raise ValueError("get")
            if step.kind == END:
                return bytes(out), piece.raw
            out[step.encoded_at:step.encoded_at + step.size] = piece.raw

    def decode(self, source, root, group=0, start=0, length=UNTIL_END, outboard=None):
        """(data of the slice, stream of what was read) or None. source(step) gives the bytes of a step."""
        bao, step, data, stream = (c_uint64 * 256)(), Step(), b"", b""
        self.lib.hc_bao_decode(byref(bao), root, None, group, outboard is not None, start, length, None)
        while True:
            self.lib.hc_bao_next(byref(bao), byref(step))
            if step.kind == END:
                return data, stream
            piece = source(step)
            if len(piece) != step.size or self.lib.hc_bao_put(byref(bao), piece, step.size, None):
                return None
            stream += piece
            if step.kind == LEAF:
                first = min(max(start, step.data_at), step.data_at + step.size)
                data += piece[first - step.data_at:max(0, min(step.size, start + length - step.data_at))]

    @staticmethod
    def at_offsets(encoded, data=None):
        def source(step):
            if step.kind == LEAF and data is not None:
                return data[step.data_at:step.data_at + step.size]
            return encoded[step.encoded_at:step.encoded_at + step.size]
        return source

    @staticmethod
    def in_sequence(stream):
        at = 0

        def source(step):
            nonlocal at
            piece = stream[at:at + step.size]
            at += step.size
            return piece
        return source


class Tally:
    def __init__(self, name):
        self.name, self.cases, self.wrong = name, 0, []

    def case(self, what, good):
        self.cases += 1
        if not good:
            self.wrong.append(what)

    def result(self):
        return self.name, self.cases, self.wrong


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def bao_vectors(core, cases, name):
    t, blake3 = Tally(name), lambda data: core.final("blake3", core.state("blake3", data)).hex()
    for c in cases["hash"]:
        t.case(("hash", c["input_len"]), core.encode(words(c["input_len"]))[1].hex() == c["bao_hash"])
    for kind in ("encode", "outboard"):
        for c in cases[kind]:
            data, outboard = words(c["input_len"]), kind == "outboard"
            encoded, root = core.encode(data, 0, outboard)
            beside = data if outboard else None
            good = (len(encoded), root.hex(), blake3(encoded)) == (c["output_len"], c["bao_hash"], c["encoded_blake3"])
            good &= (core.decode(core.at_offsets(encoded, beside), root, outboard=beside) or (None,))[0] == data
            for at in c.get("corruptions", c.get("outboard_corruptions")):
                good &= core.decode(core.at_offsets(flip(encoded, at), beside), root, outboard=beside) is None
            for at in c.get("input_corruptions", ()):
                good &= core.decode(core.at_offsets(encoded, flip(data, at)), root, outboard=data) is None
            t.case((kind, c["input_len"]), good)
    for c in cases["slice"]:
        data = words(c["input_len"])
        encoded, root = core.encode(data)
        outboard = core.encode(data, 0, True)[0]
        for s in c["slices"]:
            start, length = s["start"], s["len"]
            stream = core.decode(core.at_offsets(encoded), None, start=start, length=length)[1]
            good = (len(stream), blake3(stream)) == (s["output_len"], s["output_blake3"])
            beside = core.decode(core.at_offsets(outboard, data), None, start=start, length=length, outboard=data)
            good &= beside is not None and beside[1] == stream
            got = core.decode(core.in_sequence(stream), root, start=start, length=length)
            good &= got is not None and got[0] == data[start:start + length]
            for at in s["corruptions"]:
                good &= core.decode(core.in_sequence(flip(stream, at)), root, start=start, length=length) is None
            t.case(("slice", c["input_len"], start, length), good)
    for c in cases["seek"]:
        data = words(c["input_len"])
        encoded, root = core.encode(data)
        for at in c["seek_offsets"]:
            got = core.decode(core.at_offsets(encoded), root, start=at)
            t.case(("seek", c["input_len"], at), got is not None and got[0] == data[at:])
    return t.result()


GOLDEN_ROOT = bytes.fromhex("6654fbd1836b531b25e2782c9cc9b792c80abb36b024f59db5d5f6bd3187ddfe")


def bao_golden(core, combined, outboard=None):
    """The encoding of lukechampine.com/blake3's own vectors.json, or its outboard beside it."""
    t = Tally("golden.bao")
    decoded = core.decode(core.at_offsets(combined), GOLDEN_ROOT)
    t.case("decode", decoded is not None)
    if decoded is None:
        return t.result()
    data = decoded[0]
    if outboard is None:
        t.case("combined", core.encode(data) == (combined, GOLDEN_ROOT))
    else:
        t.case("outboard", core.encode(data, 0, True) == (outboard, GOLDEN_ROOT))
        beside = core.decode(core.at_offsets(outboard, data), GOLDEN_ROOT, outboard=data)
        t.case("beside", beside is not None and beside[0] == data)
    return t.result()


def group_roots(core, vectors):
    t = Tally("bao/abao_roots.json")
    for c in vectors["cases"]:
        data, good = words(c["input_len"]), True
        for outboard in (False, True):
            encoded, root = core.encode(data, vectors["group"], outboard)
            beside = data if outboard else None
            good &= root.hex() == c["root"]
            got = core.decode(core.at_offsets(encoded, beside), root, vectors["group"], outboard=beside)
            good &= got is not None and got[0] == data
        t.case(c["input_len"], good)
    return t.result()


def xof_seek(core, vectors):
    t = Tally("derived/blake3_xof_seek.json")
    for c in vectors["cases"]:
        key = (c["key"] or "").encode()
        state = core.state("blake3", pattern(c["input_len"]), key=key)
        at, size = int(c["seek"]), c["length"]
        got = core.read("blake3", state, size, at), core.final("blake3", state, size, at)
        t.case((c["input_len"], at), all(g is not None and g.hex() == c["out"] for g in got))
    return t.result()


def blake2xb_whole(core, state, out):
    """Everything at once and in odd pieces, by final and by the reader, and nothing past the end."""
    size = len(out)
    return (core.final("blake2xb", state, size) == out and core.read("blake2xb", state, size, 0, 2) == out and
            all(core.read("blake2xb", state, min(37, size - at), at) == out[at:at + 37] for at in range(0, size, 37)) and
            core.read("blake2xb", state, 1, size) is None)


def blake2xb_official(core, vectors):
    t = Tally("blake2/blake2-kat-b.json blake2xb")
    for c in vectors:
        if c["hash"] == "blake2xb":
            out, key = bytes.fromhex(c["out"]), bytes.fromhex(c["key"])
            state = core.state("blake2xb", bytes.fromhex(c["in"]), key=key, digest_size=len(out))
            t.case((len(out), bool(key)), blake2xb_whole(core, state, out))
    return t.result()


def blake2xb_go(core, vectors):
    t, key = Tally("blake2/xcrypto_blake2b.json BLAKE2Xb"), bytes.fromhex(vectors["key"])
    for out in map(bytes.fromhex, vectors["hashes2X"]):
        t.case(len(out), blake2xb_whole(core, core.state("blake2xb", bytes(range(256)), key=key, digest_size=len(out)), out))
    state = core.state("blake2xb", bytes(range(256)), key=key)
    t.case("unknown length", core.read("blake2xb", state, 64, 0).hex() == vectors["xof_unknown_length_first64"])
    t.case("too long", core.state("blake2xb", digest_size=2**32 - 1) is None)
    t.case("zero", core.state("blake2xb", digest_size=0) is None)
    t.case("256 GiB", core.read("blake2xb", state, 1, 2**38) is None and core.read("blake2xb", state, 1, 2**38 - 1))
    return t.result()


def go_states(core, vectors):
    t = Tally("state/gostate_kat.json")
    for c in vectors["states"]:
        name, image = c["alg"].replace("-", ""), bytes.fromhex(c["state"])
        options = {"digest_size": c["size"]} if name == "blake2b" else {}
        state = core.state(name, pattern(c["in_len"]), **options)
        good = core.export(name, state, IMAGE_GO) == image
        for form in (image, core.export(name, state, IMAGE_NATIVE)):
            again = core.load(name, form)
            good &= again is not None and core.final(name, again).hex() == c["digest"]
            if good:
                core.update(name, again, pattern(c["in_len"] + c["next_len"])[c["in_len"]:])
                good &= core.final(name, again).hex() == c["digest_after_next"]
        t.case((name, c["size"], c["in_len"]), good)
    for c in vectors["blake2xb"]:
        out = bytes.fromhex(c["out"])
        options = {"digest_size": c["size"]} if c["size"] else {}
        state = core.state("blake2xb", pattern(c["in_len"]), key=pattern(c["key_len"]), **options)
        again = core.load("blake2xb", core.export("blake2xb", state, IMAGE_NATIVE))
        t.case(("blake2xb", c["size"]), all(core.read("blake2xb", s, len(out), 0) == out for s in (state, again)))
    return t.result()


def go_sha256(core, vectors):
    t = Tally("state/go_sha256_golden_states.json")
    for name in ("sha256", "sha224"):
        for c in vectors[name]:
            data, image = bytes.fromhex(c["in"]), bytes.fromhex(c["half_state"])
            half = len(data) // 2
            state = core.load(name, image)
            good = state is not None and core.export(name, state, IMAGE_GO) == image
            good &= core.export(name, core.state(name, data[:half]), IMAGE_GO) == image
            if good:
                core.update(name, state, data[half:])
                good = core.final(name, state).hex() == c["out"]
            t.case((name, len(data)), good)
    return t.result()


def counter_carry(core, vectors):
    t = Tally("derived/blake2b_counter_carry.json")
    for c in vectors["cases"]:
        state, good = core.load("blake2b", bytes.fromhex(c["state"])), False
        if state is not None:
            good = core.export("blake2b", state, IMAGE_GO).hex() == c["state"]
            state = core.load("blake2b", core.export("blake2b", state, IMAGE_NATIVE))
            core.update("blake2b", state, pattern(c["append"]))
            good &= core.final("blake2b", state).hex() == c["out"]
        t.case((c["t0"], c["t1"], c["buffered"], c["append"]), good)
    return t.result()
