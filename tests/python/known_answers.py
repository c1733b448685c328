"""The known answers of tests/vectors: their reader, and a runner of every record through every way in.

As a program it prints the kernels in use and the closing line: HASHCORE_CPU chooses the level.
"""
import glob
import hashlib
import os
import random

import hashcore

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors")
NUMBERS = {
    "digest_size", "fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size", "last_node", "seek", "offset",
}
PLAIN = {"op", "alg", "output_sha256"}
OPTIONS = (
    "digest_size", "key", "salt", "person", "derive_key_context", "fanout", "depth", "leaf_size", "node_offset",
    "node_depth", "inner_size", "last_node",
)
_PATTERN = bytes(range(251)) * 4200


def value_of(name, text):
    if name in PLAIN:
        return text
    if name in NUMBERS:
        return None if text == "unknown" else int(text)
    if text.startswith("mod251 "):
        n = int(text[7:])
        return _PATTERN[:n] if n <= len(_PATTERN) else (bytes(range(251)) * (n // 251 + 1))[:n]
    if text.startswith("zero "):
        return bytes(int(text[5:]))
    return bytes.fromhex(text)


def records():
    for path in sorted(glob.glob(os.path.join(VECTORS, "*.txt"))):
        record, line = {}, 0
        with open(path, encoding="ascii", newline="\n") as file:
            for number, text in enumerate([*file, "\n"], 1):
                text = text.rstrip("\n")
                if text.startswith("#"):
                    continue
                if text:
                    name, _, value = text.partition(" = ")
                    if not record:
                        line = number
                    record[name] = value_of(name, value)
                elif record:
                    yield f"{os.path.basename(path)}:{line}", record
                    record = {}


def run_digest(where, r, rng):
    alg, data, want = r["alg"], r["input"], r["output"]
    options = {name: r[name] for name in OPTIONS if name in r}
    seek = r.get("seek", 0)
    xof = alg in ("blake2xb", "blake3")
    arguments = ((len(want),), {"seek": seek}) if xof else ((), {})

    def check(h, how):
        got = h.digest(*arguments[0], **arguments[1])
        assert got == want, f"{where}: {how}: {got.hex()} instead of {want.hex()}"

    # objects: at once; the digest changes nothing; hexadecimal
    h = hashcore.new(alg, data, **options)
    check(h, "whole")
    check(h, "digest twice")
    assert h.hexdigest(*arguments[0], **arguments[1]) == want.hex(), where
    # after reset
    h.update(b"something else")
    check(h.reset().update(data), "after reset")
    # in random pieces
    h = hashcore.new(alg, **options)
    at = 0
    while at < len(data):
        n = rng.choice((0, 1, rng.randrange(300), rng.randrange(1 + len(data))))
        h.update(data[at : at + n])
        at += n
    check(h, "random pieces")
    view = memoryview(data)
    if len(data) <= 300:
        h = hashcore.new(alg, **options)
        for byte in data:
            h.update(bytes((byte,)))
        check(h, "byte by byte")
        h = hashcore.new(alg, **options)
        for at in range(len(data) + 1):
            check(h.copy().update(view[at:]), f"copy at {at}")
            h.update(view[at : at + 1])
    # one-shots: whole, in parts, from a batch
    if alg == "blake3":
        options["digest_size"] = len(want)
        options["seek"] = seek
    elif options.get("digest_size", 64) is None or (xof and "seek" in r):
        return  # BLAKE2Xb of unknown length, or a part of its output: objects only
    assert hashcore.digest(alg, data, **options) == want, f"{where}: one-shot"
    assert hashcore.hexdigest(alg, bytearray(data), **options) == want.hex(), f"{where}: one-shot, hexadecimal"
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(6)))
    parts = [view[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)])]
    assert hashcore.digest(alg, *parts, **options) == want, f"{where}: parts"
    if not options.pop("seek", 0):
        many = hashcore.digest_many(alg, [data, b"", data], prefix=b"", **options)
        assert many[: len(want)] == many[2 * len(want) :] == want, f"{where}: batch"
        if data:
            cut = rng.randrange(len(data) + 1)
            got = hashcore.digest_many(alg, [data[cut:]], prefix=data[:cut], **options)
            assert got == want, f"{where}: batch with a prefix"


def same(where, r, got):
    if "output" in r:
        assert got == r["output"], where
    else:
        assert hashlib.sha256(got).hexdigest() == r["output_sha256"], where


def run_xor(where, r, _):
    sources = [r[name] for name in sorted(r) if len(name) == 1]
    same(where, r, hashcore.xor(*sources))
    out = bytearray(sources[0])
    assert hashcore.xor_into(out, out, *sources[1:]) == len(out)
    same(where, r, bytes(out))


def run_xor_mask(where, r, rng):
    data, key, offset = r["input"], r["key"], r["offset"]
    same(where, r, hashcore.xor_mask(data, key, offset))
    out = bytearray(data)
    assert hashcore.xor_mask(out, key, offset, out=out) is out
    same(where, r, bytes(out))
    cut = rng.randrange(len(data) + 1)
    if offset + cut < 2**64:
        same(where, r, hashcore.xor_mask(data[:cut], key, offset) + hashcore.xor_mask(data[cut:], key, offset + cut))


RUN = {"digest": run_digest, "xor": run_xor, "xor_mask": run_xor_mask}


def run_all(seed):
    """(run, skipped)"""
    rng = random.Random(seed)
    run = skipped = 0
    for where, record in records():
        runner = RUN.get(record.get("op", "digest"))
        if runner:
            runner(where, record, rng)
            run += 1
        else:
            skipped += 1
    return run, skipped


def closing_line(run, skipped):
    return f"tests/vectors: {run} records run, {skipped} skipped"


if __name__ == "__main__":
    cpu = hashcore.cpu()
    print("enabled:", cpu["enabled"])
    print("kernels:", *(f"{slot}={kernel}" for slot, kernel in sorted(cpu["kernels"].items())))
    print(closing_line(*run_all(os.environ.get("HASHCORE_SEED", "1"))))
