#!/usr/bin/env python3
"""What a call costs in Python beside its peers, timed alternately in one process (CPU time of its one thread); ratios and a line a row.

    python bench/python/bench_calls.py [--peers-from FOLDER] [options of a harness, see --help]

The first row of a test is hashcore's; the others must give the same output, and a workload's output must be what the list says. Of the
peers hashlib is always there; the packages blake3, cryptography, pycryptodome, PyNaCl, stringzilla and numpy are used when they are
installed, or in FOLDER (pip install --target FOLDER).
"""
import functools
import hashlib
import hmac
import importlib
import importlib.metadata
import importlib.util
import mmap
import pathlib
import platform
import sys
import tempfile
import time
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
if "--peers-from" in sys.argv:
    sys.path.append(sys.argv.pop(sys.argv.index("--peers-from") + 1))
    sys.argv.remove("--peers-from")
import benchlib  # noqa: E402
import hashcore  # noqa: E402

PACKAGES = {"blake3": "blake3", "cryptography": "cryptography.hazmat.primitives.hashes", "pycryptodome": "Crypto.Util.strxor",
            "PyNaCl": "nacl.hash", "stringzilla": "stringzilla", "numpy": "numpy"}
VERSIONS = {"hashcore": hashcore.__version__, "hashlib": platform.python_version(), "int": platform.python_version()}
MISSING = []


def load(package, module):
    try:
        found = importlib.import_module(module)
        VERSIONS[package] = importlib.metadata.version(package)
        return found
    except (ImportError, importlib.metadata.PackageNotFoundError):
        MISSING.append(package)
        return None


blake3, cryptography, pycryptodome, pynacl, stringzilla, numpy = (load(*x) for x in PACKAGES.items())
TESTS = []


def add(algorithm, operation, size, rows, count=1, threads=1, alignment=0, slot=None, digest=None):
    """rows: [(library, function that does it once)], hashcore's first, None where a library is not there."""
    TESTS.append(dict(algorithm=algorithm, operation=operation, size=size, rows=[r for r in rows if r], count=count, threads=threads,
                      alignment=alignment, slot=slot or f"{algorithm}.blocks", digest=digest))


def slot_of(algorithm, size, many=False):
    if many:
        return "blake3.jobs" if algorithm == "blake3" else f"{algorithm}.many"
    return ("blake3.block" if size <= 64 else "blake3.many") if algorithm == "blake3" else f"{algorithm}.finish"


# ---- Peers: [(library, new object or None, one-shot of bytes)] ---------------------------------------------------------------
def peers(algorithm, size=None):
    if algorithm == "blake3":
        return [("blake3", blake3.blake3, lambda d: blake3.blake3(d).digest())] if blake3 else []
    if algorithm == "sha256":
        found = [("hashlib", hashlib.sha256, lambda d: hashlib.sha256(d).digest())]
    else:
        def new():
            return hashlib.blake2b(digest_size=size)

        found = [("hashlib", new, lambda d: hashlib.blake2b(d, digest_size=size).digest())]
    if cryptography and (algorithm == "sha256" or size == 64):
        kind = cryptography.SHA256() if algorithm == "sha256" else cryptography.BLAKE2b(64)

        def crypt(d):
            h = cryptography.Hash(kind)
            h.update(d)
            return h.finalize()

        found.append(("cryptography", None, crypt))
    if pycryptodome:
        from Crypto.Hash import BLAKE2b, SHA256

        if algorithm == "sha256":
            found.append(("pycryptodome", SHA256.new, lambda d: SHA256.new(d).digest()))
        else:
            found.append(("pycryptodome", None, lambda d: BLAKE2b.new(data=d, digest_bytes=size).digest()))
    if pynacl:
        from nacl.encoding import RawEncoder

        if algorithm == "sha256":
            found.append(("PyNaCl", None, lambda d: pynacl.sha256(d, encoder=RawEncoder)))
        else:
            found.append(("PyNaCl", None, lambda d: pynacl.blake2b(d, digest_size=size, encoder=RawEncoder)))
    if stringzilla and algorithm == "sha256":
        found.append(("stringzilla", None, lambda d: stringzilla.sha256(d)))  # one Python call, as all others have
    return found


def ours(algorithm, size):
    if algorithm == "blake2b" and size != 64:
        return lambda d: hashcore.digest("blake2b", d, digest_size=size)
    return lambda d: hashcore.digest(algorithm, d)


def one_shots(algorithm, operation, data, size, digest=None):
    functions = [("hashcore", ours(algorithm, size)), *((name, f) for name, _, f in peers(algorithm, size))]
    add(algorithm, operation, len(data), [(name, functools.partial(f, data)) for name, f in functions], slot=slot_of(algorithm, len(data)), digest=digest)


# ---- The workloads that all languages share ---------------------------------------------------------------------------------
def in_pieces(new, pieces):
    def run():
        h = new()
        for p in pieces:
            h.update(p)
        return h.digest()

    return run


def again(algorithm, library, new, pieces):
    """With an object that is there already."""
    kept = new()
    if hasattr(kept, "reset"):
        def run():
            kept.reset()
            for p in pieces:
                kept.update(p)
            return kept.digest()

        return run
    return in_pieces(kept.copy, pieces) if hasattr(kept, "copy") else None


def xor_rows(w):
    dst_only = w.kind == "xordst"
    memory = [mmap.mmap(-1, w.size + 4096) for _ in range(3)]  # begins at a page
    for m, by, start in zip(memory[1:], (251, 241), (0, 89)):
        off = 0 if dst_only else w.alignment
        m[off:off + w.size] = benchlib.pattern(w.size, by, start)
    dst, a, b = (memoryview(m)[o:o + w.size] for m, o in zip(memory, (w.alignment, *[0 if dst_only else w.alignment] * 2)))

    def result(f):
        def run():
            f()
            return dst

        return run

    rows = [("hashcore", result(lambda: hashcore.xor_into(dst, a, b)))]
    if numpy:
        n_dst, n_a, n_b = (numpy.frombuffer(x, dtype=numpy.uint8) for x in (dst, a, b))
        rows.append(("numpy", result(lambda: numpy.bitwise_xor(n_a, n_b, out=n_dst))))
    if pycryptodome:
        rows.append(("pycryptodome", result(lambda: pycryptodome.strxor(a, b, output=dst))))
    return rows


def trie_module(digest_many=None):
    """The example, over hashcore or over a function in its place."""
    spec = importlib.util.spec_from_file_location("merkle_trie", HERE.parent.parent / "examples/python/merkle_trie.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if digest_many:
        module.hashcore = types.SimpleNamespace(digest_many=digest_many)
    return module


def trie_rows(w):
    keys = int(w.operation.split("-")[1])
    entries = {}

    def row(module):
        def run():
            if not entries:
                entries.update(trie_module().benchmark_entries(keys))
            return module.root(w.algorithm, entries)[0]

        return run

    rows = [("hashcore", row(trie_module()))]
    for name, _, f in peers(w.algorithm, 32)[:1]:  # the fastest of them
        rows.append((name, row(trie_module(lambda _, items, as_list=True, f=f: [f(m) for m in items]))))
    return rows


def workload(w):
    new = getattr(hashcore, w.algorithm, None)
    if w.kind == "hash":
        return one_shots(w.algorithm, w.operation, w.data, w.output, w.digest)
    if w.kind in ("xor", "xordst"):
        rows = xor_rows(w)
    elif w.kind == "trie":
        rows = trie_rows(w)
    elif w.kind == "xof":
        mine = new(w.data)
        reader = mine.reader()

        def read():
            reader.seek(0)
            return reader.read(w.size)

        rows = [("hashcore", lambda: mine.digest(w.size)), ("hashcore, reader", read)]
        if blake3:
            kept = blake3.blake3(w.data)
            rows.append(("blake3", lambda: kept.digest(length=w.size)))
    else:
        pieces = w.parts or [memoryview(w.data)[i:i + 32768] for i in range(0, w.size, 32768)]
        objects = [("hashcore", new), *((name, create) for name, create, _ in peers(w.algorithm, 32) if create)]
        if w.kind == "reset":
            rows = [(name, again(w.algorithm, name, create, pieces)) for name, create in objects]
            rows = [r for r in rows if r[1]]
        elif w.kind == "parts":
            def in_parts(p):
                return hashcore.digest(w.algorithm, *p)

            rows = [("hashcore", lambda: in_parts(pieces))]
            rows += [(name, lambda f=f: f(b"".join(pieces))) for name, _, f in peers(w.algorithm, 32)]
        else:
            rows = [(name, in_pieces(create, pieces)) for name, create in objects]
    slot = "xor.two" if w.algorithm == "xor" else "blake3.xof" if w.kind == "xof" else slot_of(w.algorithm, w.size, w.kind == "trie")
    add(w.algorithm, w.operation, w.size, rows, alignment=w.alignment, slot=slot, digest=w.digest)


# ---- Python's own ----------------------------------------------------------------------------------------------------------
def calls():
    d = benchlib.pattern(64)
    for algorithm, size in (("sha256", 32), ("blake2b", 64), ("blake3", 32)):
        for data in (d, benchlib.pattern(1024), benchlib.pattern(1 << 20)):
            one_shots(algorithm, "one-shot digest", data, size)
        add(algorithm, "object hexdigest", 64, [(name, lambda f=f: f(d).hexdigest()) for name, f in (
            ("hashcore", getattr(hashcore, algorithm)), *((n, c) for n, c, _ in peers(algorithm, size)[:1] if c and algorithm != "blake2b"),
            *([("hashlib", hashlib.blake2b)] if algorithm == "blake2b" else []))], slot=slot_of(algorithm, 64))
    add("sha256", "one-shot hexdigest", 64, [("hashcore", lambda: hashcore.hexdigest("sha256", d)), ("hashlib", lambda: hashlib.sha256(d).hexdigest())])
    add("sha256", "new by name", 64, [
        ("hashcore", lambda: hashcore.new("sha256", d).digest()), ("hashlib", lambda: hashlib.new("sha256", d).digest())])
    add("hmac-sha256", "one-shot digest", 64, [
        ("hashcore", lambda: hashcore.digest("hmac-sha256", d, key=d)), ("hashlib", lambda: hmac.digest(d, d, "sha256")),
    ], slot="sha256.finish")
    for algorithm in ("sha256", "blake2b"):
        add(algorithm, "update of 16 B", 16, [
            (name, eight_updates(getattr(module, algorithm)())) for name, module in (("hashcore", hashcore), ("hashlib", hashlib))], count=8)
        fresh, used = (getattr(hashcore, algorithm)() for _ in range(2))
        used.update(bytes(1 << 26))
        add(algorithm, "update of 16 B after one of 64 MiB", 16, [("hashcore", eight_updates(used)), ("hashcore, new object", eight_updates(fresh))], count=8)


def eight_updates(h):
    update, piece = h.update, b"0123456789abcdef"

    def run():
        update(piece)
        update(piece)
        update(piece)
        update(piece)
        update(piece)
        update(piece)
        update(piece)
        update(piece)

    return run


def batches():
    n, join, many = 100_000, b"".join, hashcore.digest_many
    data = benchlib.pattern(n * 64)
    items = [data[i:i + 64] for i in range(0, len(data), 64)]
    for algorithm, size in (("sha256", 32), ("blake2b", 64), ("blake3", 32)):
        add(algorithm, "digest_many, list comprehension", 64, [
            ("hashcore", lambda a=algorithm: many(a, data, item_size=64)), ("hashcore, list of bytes", lambda a=algorithm: many(a, items)),
            *((name, lambda f=f: join([f(m) for m in items])) for name, _, f in peers(algorithm, size)[:1]),
        ], count=n, slot=slot_of(algorithm, 64, True))
    key = b"k" * 32
    add("hmac-sha256", "digest_many, list comprehension", 64, [
        ("hashcore", lambda: many("hmac-sha256", items[:10000], key=key)),
        ("hashlib", lambda: join([hmac.digest(key, m, "sha256") for m in items[:10000]])),
        ("stringzilla", lambda: join([stringzilla.hmac_sha256(key, m) for m in items[:10000]])) if hasattr(stringzilla, "hmac_sha256") else None,
    ], count=10000, slot="sha256.many")
    if hasattr(stringzilla, "hmac_sha256"):
        theirs, ours, tags = stringzilla.Strs(items[:10000]), bytearray(320000), bytearray(320000)
        add("hmac-sha256", "digest_many, batches of both", 64, [
            ("hashcore", lambda: many("hmac-sha256", items[:10000], key=key, out=ours) and bytes(ours)),
            ("stringzilla", lambda: stringzilla.hmac_sha256(key, theirs, out=tags) and bytes(tags)),
        ], count=10000, slot="sha256.many")


def big(folder):
    for size in (1 << 20, 64 << 20):
        path = folder / f"{size}"

        def there(path=path, size=size):
            if not path.exists():
                path.write_bytes(benchlib.pattern(size))
            return path

        def theirs(name, there=there):
            with open(there(), "rb") as f:
                return hashlib.file_digest(f, name).digest()

        for algorithm in ("sha256", "blake2b"):
            add(algorithm, "file_digest", size, [
                ("hashcore", lambda a=algorithm, t=there: hashcore.file_digest(t(), a).digest()),
                ("hashlib", lambda a=algorithm, t=theirs: t(a)) if hasattr(hashlib, "file_digest") else None,
            ], slot=f"{algorithm}.blocks")
        add("blake3", "file_digest", size, [
            ("hashcore", lambda t=there: hashcore.file_digest(t(), "blake3").digest()),
            ("blake3", lambda t=there: blake3.blake3().update_mmap(t()).digest()) if blake3 else None,
        ], slot="blake3.many")
        if size > 1 << 20:  # two threads
            add("blake3", "file_digest", size, [
                ("hashcore", lambda t=there: hashcore.file_digest(t(), "blake3", threads=2).digest()),
                ("blake3", lambda t=there: blake3.blake3(max_threads=2).update_mmap(t()).digest()) if blake3 else None,
            ], slot="blake3.many", threads=2)
            add("sha256", "file_digest", size, [
                ("hashcore", lambda t=there: hashcore.file_digest(t(), "sha256", threads=2).digest()),
                ("hashlib", lambda t=theirs: t("sha256")) if hasattr(hashlib, "file_digest") else None,
            ], slot="sha256.blocks", threads=2)
    a, b = benchlib.pattern(1 << 16), benchlib.pattern(1 << 16, 241, 89)
    add("xor", "xor, new object", 1 << 16, [
        ("hashcore", lambda: hashcore.xor(a, b)),
        ("int", lambda: (int.from_bytes(a, "little") ^ int.from_bytes(b, "little")).to_bytes(1 << 16, "little")),
        ("numpy", lambda: (numpy.frombuffer(a, "u1") ^ numpy.frombuffer(b, "u1")).tobytes()) if numpy else None,
    ], slot="xor.two")


# ---- Measuring --------------------------------------------------------------------------------------------------------------
def sample(function, times, clock=time.thread_time_ns):  # of this thread: other programs' turns do not count
    loop = range(times)
    start = clock()
    for _ in loop:
        function()
    return (clock() - start) / times


def run(test, seconds):
    rows = test["rows"]
    digests = []
    for library, f in rows:
        output = f()
        digests.append("" if output is None else output if isinstance(output, str) else benchlib.digest_text(output))
        if digests[-1] != (test["digest"] or digests[0]):
            benchlib.fail(test, library)
    clock = time.perf_counter_ns if test["threads"] > 1 else time.thread_time_ns
    empty = min(sample(lambda: None, 2000) for _ in range(30))
    once = [sample(f, 1, clock) for _, f in rows]
    times = [max(1, min(5000, int(300_000 / max(1, sample(f, 3, clock) if t < 1e7 else t)))) for (_, f), t in zip(rows, once)]
    samples = [[] for _ in rows]
    least = 3 if sum(once) > 1e8 else 7
    until = time.perf_counter() + seconds * len(rows)
    while time.perf_counter() < until or len(samples[0]) < least:
        for k, (_, f) in enumerate(rows):
            samples[k].append((sample(f, times[k], clock) - empty) / test["count"])
    return digests, samples


def main():
    options = benchlib.harness_options(__doc__, 0.5).parse_args()
    cpu = hashcore.cpu()
    with tempfile.TemporaryDirectory() as folder:
        for w in benchlib.workloads(options.workloads):
            workload(w)
        calls(), batches(), big(pathlib.Path(folder))
        harness = benchlib.Harness(options, {"runtime": f"CPython {platform.python_version()}, {platform.python_compiler()}", "cpu": cpu["enabled"],
                                             "missing": MISSING})
        for test in TESTS:
            test["rows"] = [r for r in test["rows"] if not options.peers or r[0].startswith("hashcore") or r[0] in options.peers]
        for test in harness.tests(TESTS):
            digests, samples = run(test, options.seconds)
            harness.rows(test, [
                ("Python", library, VERSIONS[library.split(",")[0]], cpu["kernels"].get(test["slot"], "") if k == 0 else "", samples[k], digests[k])
                for k, (library, _) in enumerate(test["rows"])])
            test["rows"].clear()  # with what they keep


if __name__ == "__main__":
    main()
