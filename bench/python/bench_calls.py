#!/usr/bin/env python3
"""What a call costs in Python beside its peers, timed alternately in one process (CPU time of its one thread); prints ratios, writes JSON.

    python bench/python/bench_calls.py [--only TEXT] [--seconds S] [--json FILE] [--list]

The first row of a test is hashcore's; the others must give the same output. A ratio is the peer's time over ours: the
median over rounds of the quotient of neighbours, and the quotient of minima. Of the peers hashlib is always there, the
packages blake3, stringzilla, xxhash and cryptography are used when they are installed.
"""
import argparse
import hashlib
import hmac
import importlib.metadata
import json
import platform
import statistics
import sys
import time

import hashcore


def version_of(package):
    if package == "hashcore":
        return hashcore.__version__
    if package == "hashlib":
        return platform.python_version()
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


try:
    import blake3
except ImportError:
    blake3 = None
try:
    import stringzilla
except ImportError:
    stringzilla = None

TESTS = []


def add(algorithm, operation, size, rows, count=1, threads=1, floor=None, slot=None):
    """rows: (library, function that does it once); floor: the least ratio that the project promises."""
    TESTS.append(dict(algorithm=algorithm, operation=operation, size=size, rows=[r for r in rows if r], count=count, threads=threads,
                      floor=floor, slot=slot or f"{algorithm}.blocks"))


def peer(there, library, function):
    return (library, function) if there else None


def calls():
    d = bytes(range(64))
    digest, hexdigest, new = hashcore.digest, hashcore.hexdigest, hashcore.new
    add("sha256", "one-shot digest", 64, [("hashcore", lambda: digest("sha256", d)), ("hashlib", lambda: hashlib.sha256(d).digest())], floor=3.0)
    add("sha256", "one-shot digest, StringZilla", 64, [
        ("hashcore", lambda: digest("sha256", d)), peer(stringzilla, "stringzilla", lambda: stringzilla.sha256(d)),
    ], floor=1.2)
    add("blake2b", "one-shot digest", 64, [("hashcore", lambda: digest("blake2b", d)), ("hashlib", lambda: hashlib.blake2b(d).digest())], floor=2.0)
    add("blake2b", "one-shot digest of 32 bytes", 64, [
        ("hashcore", lambda: digest("blake2b", d, digest_size=32)), ("hashlib", lambda: hashlib.blake2b(d, digest_size=32).digest()),
    ])
    add("blake3", "one-shot digest", 64, [
        ("hashcore", lambda: digest("blake3", d)), peer(blake3, "blake3", lambda: blake3.blake3(d).digest()),
    ], floor=4.0, slot="blake3.block")
    for name, floor in (("sha256", 1.8), ("blake2b", None)):
        ours, theirs = getattr(hashcore, name), getattr(hashlib, name)
        add(name, "object hexdigest", 64, [("hashcore", lambda o=ours: o(d).hexdigest()), ("hashlib", lambda t=theirs: t(d).hexdigest())], floor=floor)
    add("blake3", "object hexdigest", 64, [
        ("hashcore", lambda: hashcore.blake3(d).hexdigest()), peer(blake3, "blake3", lambda: blake3.blake3(d).hexdigest()),
    ], slot="blake3.block")
    add("sha256", "one-shot hexdigest", 64, [("hashcore", lambda: hexdigest("sha256", d)), ("hashlib", lambda: hashlib.sha256(d).hexdigest())])
    add("sha256", "new by name", 64, [("hashcore", lambda: new("sha256", d).digest()), ("hashlib", lambda: hashlib.new("sha256", d).digest())])
    add("hmac-sha256", "one-shot digest", 64, [
        ("hashcore", lambda: digest("hmac-sha256", d, key=d)), ("hashlib", lambda: hmac.digest(d, d, "sha256")),
    ], slot="sha256.blocks")

    def many_updates(make):
        h = make()
        update = h.update
        piece = b"0123456789abcdef"

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

    for name in ("sha256", "blake2b"):
        add(name, "update of 16 B", 16, [("hashcore", many_updates(getattr(hashcore, name))), ("hashlib", many_updates(getattr(hashlib, name)))],
            count=8, floor=1.5)
    add("sha256", "update of 16 B, before and after a big one", 16, [
        ("hashcore after 1 MiB", many_updates(lambda: hashcore.sha256(bytes(1 << 20)).update(bytes(1 << 20)))),
        ("hashcore", many_updates(hashcore.sha256)),
    ], count=8, floor=1 / 1.2)


def batches():
    n = 100_000
    data = bytes(i * 7 % 251 for i in range(n * 64))
    items = [data[i : i + 64] for i in range(0, len(data), 64)]
    join = b"".join
    many = hashcore.digest_many
    for name, floor, theirs in (("sha256", 10, hashlib.sha256), ("blake2b", 8, hashlib.blake2b), ("blake3", 20, blake3 and blake3.blake3)):
        library = "blake3" if name == "blake3" else "hashlib"
        add(name, "digest_many into one bytes object, list comprehension", 64, [
            ("hashcore", lambda a=name: many(a, data, item_size=64)), ("hashcore, list", lambda a=name: many(a, items)),
            peer(theirs, library, lambda t=theirs: join([t(m).digest() for m in items])),
        ], count=n, floor=floor, slot=f"{name}.many")
    key = b"k" * 32
    if stringzilla and hasattr(stringzilla, "hmac_sha256") and hasattr(stringzilla, "Strs"):
        strs = stringzilla.Strs(items[:10000])

        def theirs():
            out = stringzilla.hmac_sha256(key, strs)
            return bytes(out) if not isinstance(out, (list, tuple)) else join(out)

        try:
            theirs()
        except Exception:  # another version's interface
            theirs = lambda: join([stringzilla.hmac_sha256(key, m) for m in items[:10000]])  # noqa: E731
        add("hmac-sha256", "digest_many, StringZilla", 64, [("hashcore", lambda: many("hmac-sha256", items[:10000], key=key)), ("stringzilla", theirs)],
            count=10000, floor=1.0, slot="sha256.many")
    add("hmac-sha256", "digest_many, hmac.digest", 64, [
        ("hashcore", lambda: many("hmac-sha256", items[:10000], key=key)),
        ("hashlib", lambda: join([hmac.digest(key, m, "sha256") for m in items[:10000]])),
    ], count=10000, slot="sha256.many")


def big():
    d = bytes(1 << 20)
    for name in ("sha256", "blake2b"):
        add(name, "one-shot digest", 1 << 20, [
            ("hashcore", lambda a=name: hashcore.digest(a, d)), ("hashlib", lambda a=name: getattr(hashlib, a)(d).digest()),
        ])
    add("blake3", "one-shot digest", 1 << 20, [
        ("hashcore", lambda: hashcore.digest("blake3", d)), peer(blake3, "blake3", lambda: blake3.blake3(d).digest()),
    ], slot="blake3.many")
    a, b = bytes(d), bytearray(d)
    add("xor", "xor of two, int", 1 << 16, [
        ("hashcore", lambda: hashcore.xor(a[: 1 << 16], b[: 1 << 16])),
        ("int", lambda: (int.from_bytes(a[: 1 << 16], "little") ^ int.from_bytes(b[: 1 << 16], "little")).to_bytes(1 << 16, "little")),
    ], slot="xor.two")


def sample(function, times):
    clock = time.thread_time_ns  # of this thread: other programs' turns do not count
    loop = range(times)
    start = clock()
    for _ in loop:
        function()
    return (clock() - start) / times


def run(test, seconds):
    rows = test["rows"]
    outputs = [f() for _, f in rows]
    for (library, _), output in zip(rows, outputs):
        if output != outputs[0]:
            sys.exit(f"{test['operation']}: {library} differs from hashcore")
    empty = min(sample(lambda: None, 2000) for _ in range(30))
    times = [max(1, min(5000, int(300_000 / max(1, sample(f, 3))))) for _, f in rows]
    samples = [[] for _ in rows]
    until = time.perf_counter() + seconds * len(rows)
    while time.perf_counter() < until or len(samples[0]) < 7:
        for k, (_, f) in enumerate(rows):
            samples[k].append((sample(f, times[k]) - empty) / test["count"])
    return outputs, samples


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="tests whose name holds this text")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each row")
    parser.add_argument("--json", help="write the results there")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    calls(), batches(), big()
    cpu = hashcore.cpu()
    results = []
    for test in TESTS:
        name = f"{test['algorithm']} {test['operation']}, {test['size']} B"
        if options.only not in name or len(test["rows"]) < 2:
            continue
        if options.list:
            print(name)
            continue
        outputs, samples = run(test, options.seconds)
        for k, (library, _) in enumerate(test["rows"]):
            ordered = sorted(samples[k])
            ratio = statistics.median(b / a for a, b in zip(samples[0], samples[k]))
            minima = ordered[0] / min(samples[0])
            line = f"{name if k == 0 else '':64}{library:22}{ordered[0]:11.1f} ns"
            if k:
                line += f"  ratio {ratio:6.2f} (minima {minima:.2f})"
                if test["floor"] and not library.startswith("hashcore,"):
                    line += f"  at least {test['floor']:.2f}: {'yes' if max(ratio, minima) >= test['floor'] else 'NO'}"
            print(line, flush=True)
            output = outputs[k] if isinstance(outputs[k], (bytes, str)) else b""
            text = output if isinstance(output, str) else output.hex() if len(output) <= 64 else hashlib.sha256(output).hexdigest()
            results.append({
                "language": "Python", "library": library, "version": version_of(library.split(",")[0].split(" ")[0]),
                "kernel": cpu["kernels"].get(test["slot"], "") if k == 0 else "", "algorithm": test["algorithm"],
                "operation": test["operation"], "size": test["size"], "count": test["count"], "threads": test["threads"], "alignment": 0,
                "ns_min": round(ordered[0], 2), "ns_median": round(statistics.median(ordered), 2),
                "ns_p95": round(ordered[int(len(ordered) * 0.95)], 2),
                "bytes_per_second": round(test["size"] * 1e9 / ordered[0]) if ordered[0] > 0 else 0, "digest": text,
            })
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump({"schema": 1, "compiler": f"CPython {platform.python_version()}, {platform.python_compiler()}", "cpu": cpu["enabled"],
                       "results": results}, f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    main()
