"""The known answers of tests/vectors against the C ABI: cffi loads the shared library and calls what hashcore.h declares.

HASHCORE_LIB names the library; else it is built from core/src with cc. Runs under pytest and alone.
"""
import glob
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile

try:
    import cffi
except ImportError:
    cffi = None

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
VECTORS = os.path.join(ROOT, "tests", "vectors")
OPS = ("digest", "xor", "xor_mask")
TREE = ("fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size", "last_node")
BYTES = (("key", "key", 2), ("salt", "salt", 4), ("person", "person", 8), ("derive_key_context", "context", 16))


def declarations():
    """hashcore.h as cffi takes it: without preprocessor lines but with the values they define."""
    with open(os.path.join(ROOT, "core", "include", "hashcore.h"), encoding="ascii") as f:
        text = f.read().replace("\\\n", " ")
    lines, values = [], {}
    for line in text.split("\n"):
        words = line.split(None, 2)
        if words[:1] == ["#define"] and len(words) == 3 and words[2].split("/*")[0].strip().isdigit():
            values[words[1]] = words[2].split("/*")[0].strip()
        if not line.startswith("#") and 'extern "C"' not in line:
            lines.append(line.replace("HC_API ", ""))
    text = "\n".join(lines).rstrip().rstrip("}")  # the end of extern "C"
    for name, value in values.items():
        text = text.replace("[%s]" % name, "[%s]" % value)
    return text


def build(folder):
    compiler = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        return None
    path = os.path.join(folder, "libhashcore.so")
    subprocess.run([compiler, "-O2", "-fPIC", "-shared", "-DHC_BUILD", "-DHC_SHARED", "-fvisibility=hidden",
                    "-I" + os.path.join(ROOT, "core", "include"),
                    *sorted(glob.glob(os.path.join(ROOT, "core", "src", "*.c"))), "-o", path, "-lpthread"], check=True)
    return path


def records():
    """(where, {name: value}) for every record of every file."""
    for path in sorted(glob.glob(os.path.join(VECTORS, "*.txt"))):
        record, start = {}, 0
        with open(path, encoding="ascii", newline="\n") as f:
            for number, line in enumerate(list(f) + ["\n"], 1):
                line = line.rstrip("\n")
                if line.startswith("#"):
                    continue
                if line:
                    name, value = line.split(" = ", 1)
                    start = start if record else number
                    record[name] = value
                elif record:
                    yield "%s:%d" % (os.path.basename(path), start), record
                    record = {}


def expand(value):
    kind, _, count = value.partition(" ")
    if kind == "mod251":
        return (bytes(range(251)) * (int(count) // 251 + 1))[:int(count)]
    return bytes(int(count)) if kind == "zero" else bytes.fromhex(value)


class Abi:
    def __init__(self, path):
        self.ffi = cffi.FFI()
        self.ffi.cdef(declarations())
        self.lib = self.ffi.dlopen(path)
        self.err = self.ffi.new("hc_error *")
        self.random = random.Random(251)

    def slices(self, pieces):
        """An array of hc_slice and what keeps its bytes alive."""
        held = [self.ffi.from_buffer("char[]", piece) for piece in pieces]
        return self.ffi.new("hc_slice[]", [(h, len(h)) for h in held] or 1), held

    def check(self, code):
        if code:
            out = self.ffi.new("char[200]")
            self.lib.hc_error_text(self.err, out, 200)
            raise ValueError(self.ffi.string(out).decode())

    def options(self, record):
        o, held = self.ffi.new("hc_options *"), []
        o.size = self.ffi.sizeof("hc_options")
        size = record.get("digest_size")
        if size:
            o.given |= 1
            o.digest_size = (1 << 64) - 1 if size == "unknown" else int(size)
        for name, member, bit in BYTES:
            if name in record:
                one, keep = self.slices([expand(record[name])])
                setattr(o, member, one[0])
                o.given |= bit
                held += [one, keep]
        for name in TREE:
            if name in record:
                setattr(o, name, int(record[name]))
                o.given |= 32
        return o, held

    def pieces(self, data):
        cuts = sorted(self.random.randrange(len(data) + 1) for _ in range(self.random.randrange(6)))
        return [data[a:b] for a, b in zip([0] + cuts, cuts + [len(data)])]

    def digests(self, record):
        """(way, answer) for each way to compute it."""
        alg = self.lib.hc_alg_find(record["alg"].encode())
        data, length, seek = expand(record["input"]), len(record["output"]) // 2, int(record.get("seek", 0))
        options, held = self.options(record)
        out = self.ffi.new("uint8_t[]", length)
        for way, parts in (("whole", [data]), ("parts", self.pieces(data))):
            array, keep = self.slices(parts)
            self.check(self.lib.hc_digest(alg, out, length, seek, options, array, len(parts), 0, self.err))
            yield way, bytes(out)
        if not seek:
            batch = self.ffi.new("hc_batch *", {"count": 2})
            array, keep = self.slices([data, data])
            batch.items = array
            both = self.ffi.new("uint8_t[]", 2 * length)
            self.check(self.lib.hc_digest_many(alg, both, length, options, batch, 0, self.err))
            yield "batch", bytes(both)[:length]
            yield "batch", bytes(both)[length:]
        state, copy = self.ffi.new("hc_state *"), self.ffi.new("hc_state *")

        def final(s):
            self.check(alg.final(s, out, length, seek, self.err))
            return bytes(out)

        self.check(alg.init(state, options, self.err))
        for piece in self.pieces(data):
            alg.update(state, self.ffi.from_buffer("char[]", piece), len(piece))
        yield "pieces", final(state)
        yield "again", final(state)
        alg.reset(state)
        if len(data) <= 300:
            for at in range(len(data)):
                alg.update(state, data[at:at + 1], 1)
            yield "bytes", final(state)
            alg.reset(state)
        for at in range(len(data) + 1 if len(data) <= 40 else 1):
            alg.copy(copy, state)
            alg.update(copy, data[at:], len(data) - at)
            yield "copy", final(copy)
            alg.update(state, data[at:at + 1], len(data[at:at + 1]))
        del held, keep

    def xors(self, record):
        sources = [expand(record[name]) for name in sorted(record) if len(name) == 1]
        array, keep = self.slices(sources)
        out, n = self.ffi.new("uint8_t[]", len(sources[0]) + 1), self.ffi.new("size_t *")
        self.check(self.lib.hc_xor_many(n, out, len(sources[0]), array, len(sources), self.err))
        yield "hc_xor_many", bytes(out)[:n[0]]
        if len(sources) == 2:
            self.lib.hc_xor(out, keep[0], keep[1], len(sources[0]))
            yield "hc_xor", bytes(out)[:-1]

    def masks(self, record):
        data, key = expand(record["input"]), expand(record["key"])
        out = self.ffi.new("uint8_t[]", len(data) + 1)
        self.check(self.lib.hc_xor_mask(out, key, len(key), int(record["offset"]), self.ffi.from_buffer("char[]", data),
                                        len(data), self.err))
        yield "hc_xor_mask", bytes(out)[:-1]


def run(abi):
    """(ran, skipped, what went wrong)"""
    ran = skipped = 0
    wrong = []
    ways = dict(zip(OPS, (abi.digests, abi.xors, abi.masks)))
    for where, record in records():
        op = record.get("op", "digest")
        if op not in ways:
            skipped += 1
            continue
        ran += 1
        try:
            for way, answer in ways[op](record):
                good = (answer.hex() == record["output"] if "output" in record
                        else hashlib.sha256(answer).hexdigest() == record["output_sha256"])
                if not good:
                    wrong.append("%s: %s gives %s" % (where, way, answer[:64].hex()))
        except ValueError as err:
            wrong.append("%s: %s" % (where, err))
    return ran, skipped, wrong


def library(folder):
    return os.environ.get("HASHCORE_LIB") or build(folder)


def test_known_answers():
    import conftest
    import pytest
    if cffi is None:
        pytest.skip("cffi is not installed")
    with tempfile.TemporaryDirectory() as folder:
        path = library(folder)
        if path is None:
            pytest.skip("no C compiler and no HASHCORE_LIB")
        ran, skipped, wrong = run(Abi(path))
    conftest.LINES.append("tests/vectors: %d records run, %d skipped" % (ran, skipped))
    assert not wrong, "\n".join(wrong[:20])
    assert ran


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = library(folder) if cffi else None
        if path is None:
            print("test_c_abi: 0 passed, 0 failed, 1 skipped (no cffi, or no compiler and no HASHCORE_LIB)")
            return 0
        ran, skipped, wrong = run(Abi(path))
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    print("tests/vectors: %d records run, %d skipped" % (ran, skipped))
    failed = len({line.split(": ")[0] for line in wrong})
    print("test_c_abi: %d passed, %d failed, %d skipped" % (ran - failed, failed, skipped))
    return 1 if wrong or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
