#!/usr/bin/env python3
"""Write tests/vectors/*.txt: known answers on which independent implementations agree.

Every answer comes from a plain transcription of its specification in this file and from at least one other
implementation: hashlib and hmac (OpenSSL's SHA-2, the reference BLAKE2b), PyCryptodome, the blake3 package,
golang.org/x/crypto (BLAKE2Xb) and libb2 (BLAKE2Xb). A record on which two of them differ stops the script.
The format is described in tests/vectors/README.md. The output is the same on every run.
"""
import argparse
import ctypes
import ctypes.util
import functools
import hashlib
import hmac
import importlib.util
import itertools
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "tests", "vectors")
XCRYPTO = "golang.org/x/crypto/blake2b@v0.59.0"
M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


# ---- SHA-256 and SHA-224: FIPS 180-4 ------------------------------------------------------------------

def primes(n):
    return list(itertools.islice((p for p in itertools.count(2) if all(p % q for q in range(2, int(p ** .5) + 1))), n))


def root_fraction(p, degree, bits):
    """The first bits of the fractional part of p's square or cube root, by integer search."""
    scaled, low, high = p << (degree * bits), 0, 1 << (bits + 8)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle ** degree <= scaled else (low, middle)
    return low & ((1 << bits) - 1)


SHA256_K = [root_fraction(p, 3, 32) for p in primes(64)]                      # section 4.2.2
SHA256_H = [root_fraction(p, 2, 32) for p in primes(8)]                       # section 5.3.3
SHA224_H = [root_fraction(p, 2, 64) & M32 for p in primes(16)[8:]]            # section 5.3.2


def ror32(x, n):
    return (x >> n | x << (32 - n)) & M32


@functools.lru_cache(maxsize=200000)
def sha256_block(h, block):                                                   # section 6.2.2
    w = list(struct.unpack(">16I", block))
    for t in range(16, 64):
        s0 = ror32(w[t - 15], 7) ^ ror32(w[t - 15], 18) ^ w[t - 15] >> 3
        s1 = ror32(w[t - 2], 17) ^ ror32(w[t - 2], 19) ^ w[t - 2] >> 10
        w.append((s1 + w[t - 7] + s0 + w[t - 16]) & M32)
    a, b, c, d, e, f, g, hh = h
    for t in range(64):
        t1 = hh + (ror32(e, 6) ^ ror32(e, 11) ^ ror32(e, 25)) + (e & f ^ ~e & g) + SHA256_K[t] + w[t]
        t2 = (ror32(a, 2) ^ ror32(a, 13) ^ ror32(a, 22)) + (a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, hh = (t1 + t2) & M32, a, b, c, (d + t1) & M32, e, f, g
    return tuple((x + y) & M32 for x, y in zip(h, (a, b, c, d, e, f, g, hh)))


def sha2_fips(alg, data):
    padded = data + b"\x80" + bytes(-(len(data) + 9) % 64) + struct.pack(">Q", 8 * len(data))
    h = tuple(SHA224_H if alg == "sha224" else SHA256_H)
    for i in range(0, len(padded), 64):
        h = sha256_block(h, padded[i:i + 64])
    return struct.pack(">8I", *h)[:28 if alg == "sha224" else 32]


def hmac_rfc2104(alg, key, data):
    if len(key) > 64:
        key = sha2_fips(alg, key)
    key = key + bytes(64 - len(key))
    inner = sha2_fips(alg, bytes(k ^ 0x36 for k in key) + data)
    return sha2_fips(alg, bytes(k ^ 0x5C for k in key) + inner)


# ---- BLAKE2b: RFC 7693, parameter block: BLAKE2 paper, section 2.8 ---------------------------------------

BLAKE2B_IV = [root_fraction(p, 2, 64) for p in primes(8)]
SIGMA = [[int(digit, 16) for digit in row] for row in (
    "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
    "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0")]
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
TREE = ("fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size", "last_node")
SEQUENTIAL = (1, 1, 0, 0, 0, 0, 0)


def ror64(x, n):
    return (x >> n | x << (64 - n)) & M64


@functools.lru_cache(maxsize=200000)
def blake2b_block(h, block, counter, last, last_node):                        # section 3.2
    m = struct.unpack("<16Q", block)
    v = list(h) + BLAKE2B_IV
    v[12] ^= counter & M64
    v[13] ^= counter >> 64
    v[14] ^= M64 * last
    v[15] ^= M64 * (last and last_node)
    for r in range(12):
        words = iter(SIGMA[r % 10])
        for a, b, c, d in COLUMNS + DIAGONALS:
            v[a] = (v[a] + v[b] + m[next(words)]) & M64
            v[d] = ror64(v[d] ^ v[a], 32)
            v[c] = (v[c] + v[d]) & M64
            v[b] = ror64(v[b] ^ v[c], 24)
            v[a] = (v[a] + v[b] + m[next(words)]) & M64
            v[d] = ror64(v[d] ^ v[a], 16)
            v[c] = (v[c] + v[d]) & M64
            v[b] = ror64(v[b] ^ v[c], 63)
    return tuple(h[i] ^ v[i] ^ v[i + 8] for i in range(8))


def blake2b_rfc7693(data, digest_size=64, key=b"", salt=b"", person=b"", tree=SEQUENTIAL, key_length=None):
    fanout, depth, leaf_size, node_offset, node_depth, inner_size, last_node = tree
    block0 = struct.pack("<BBBBIQBB14x16s16s", digest_size, len(key) if key_length is None else key_length, fanout,
                         depth, leaf_size, node_offset, node_depth, inner_size, salt, person)
    h = tuple(x ^ y for x, y in zip(BLAKE2B_IV, struct.unpack("<8Q", block0)))
    data = (key + bytes(128 - len(key)) if key else b"") + data
    last_at = max(len(data) - 1, 0) // 128 * 128
    for i in range(0, last_at, 128):
        h = blake2b_block(h, data[i:i + 128], i + 128, 0, 0)
    h = blake2b_block(h, data[last_at:].ljust(128, b"\0"), len(data), 1, last_node)
    return struct.pack("<8Q", *h)[:digest_size]


# ---- BLAKE2Xb: the BLAKE2X paper, section 2 ---------------------------------------------------------------

def blake2xb_paper(data, digest_size, key=b"", salt=b"", person=b"", seek=0, want=None, blake2b=blake2b_rfc7693):
    """Bytes seek .. seek + want - 1 of the output; digest_size None: its length is not fixed (written 2^32 - 1)."""
    length = M32 if digest_size is None else digest_size
    end = digest_size if want is None else seek + want
    h0 = blake2b(data, 64, key, salt, person, (1, 1, 0, length << 32, 0, 0, 0))
    out = b""
    for i in range(seek // 64, -(-end // 64)):
        size = 64 if digest_size is None else min(64, digest_size - 64 * i)
        out += blake2b(h0, size, b"", salt, person, (0, 0, 64, i | length << 32, 0, 64, 0))
    return out[seek % 64:][:end - seek]


# ---- BLAKE3: the BLAKE3 paper, section 2 ------------------------------------------------------------------

BLAKE3_IV = SHA256_H
BLAKE3_PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
CHUNK_START, CHUNK_END, PARENT, ROOT, KEYED, CONTEXT, MATERIAL = (1 << i for i in range(7))


def blake3_compress(cv, block, counter, length, flags):                       # section 2.2
    m = struct.unpack("<16I", block)
    v = list(cv) + list(BLAKE3_IV[:4]) + [counter & M32, counter >> 32, length, flags]
    for r in range(7):
        words = iter(m)
        for a, b, c, d in COLUMNS + DIAGONALS:
            v[a] = (v[a] + v[b] + next(words)) & M32
            v[d] = ror32(v[d] ^ v[a], 16)
            v[c] = (v[c] + v[d]) & M32
            v[b] = ror32(v[b] ^ v[c], 12)
            v[a] = (v[a] + v[b] + next(words)) & M32
            v[d] = ror32(v[d] ^ v[a], 8)
            v[c] = (v[c] + v[d]) & M32
            v[b] = ror32(v[b] ^ v[c], 7)
        m = [m[i] for i in BLAKE3_PERMUTATION]
    return [v[i] ^ v[i + 8] for i in range(8)] + [v[i + 8] ^ cv[i] for i in range(8)]


@functools.lru_cache(maxsize=100000)
def blake3_chunk(key, chunk, counter, flags):                                 # section 2.4
    """The last compression of a chunk: its inputs, so that it can be the root."""
    cv = key
    blocks = [chunk[i:i + 64] for i in range(0, len(chunk), 64)] or [b""]
    for i, block in enumerate(blocks):
        f = flags | CHUNK_START * (i == 0) | CHUNK_END * (i == len(blocks) - 1)
        last = (cv, block.ljust(64, b"\0"), counter, len(block), f)
        cv = tuple(blake3_compress(*last)[:8])
    return last, cv


def blake3_tree(key, data, first, flags):                                     # section 2.1
    if len(data) <= 1024:
        return blake3_chunk(key, data, first, flags)
    left = 1024
    while left * 2 < len(data):
        left *= 2
    cvs = (blake3_tree(key, data[:left], first, flags)[1]
           + blake3_tree(key, data[left:], first + left // 1024, flags)[1])
    last = (key, struct.pack("<16I", *cvs), 0, 64, flags | PARENT)
    return last, tuple(blake3_compress(*last)[:8])


@functools.lru_cache(maxsize=100000)
def blake3_output_block(cv, block, counter, length, flags):
    return struct.pack("<16I", *blake3_compress(cv, block, counter, length, flags))


@functools.lru_cache(maxsize=64)
def blake3_root(data, key, context):                                          # section 2.3
    flags, words = 0, tuple(BLAKE3_IV)
    if key is not None:
        flags, words = KEYED, struct.unpack("<8I", key)
    if context is not None:
        root = blake3_tree(words, context, 0, CONTEXT)[0]
        flags, words = MATERIAL, struct.unpack("<8I", blake3_output_block(*root[:4], root[4] | ROOT)[:32])
    return blake3_tree(words, data, 0, flags)[0]


def blake3_paper(data, want=32, key=None, context=None, seek=0):              # section 2.6
    cv, block, _, length, flags = blake3_root(data, key, context)
    out = b"".join(blake3_output_block(cv, block, i, length, flags | ROOT)
                   for i in range(seek // 64, -(-(seek + want) // 64)))
    return out[seek % 64:][:want]


# ---- The others ---------------------------------------------------------------------------------------------

class Libb2:
    """The BLAKE2 authors' C code as a system library: BLAKE2b with a free parameter block."""

    def __init__(self):
        name = ctypes.util.find_library("b2")
        self.lib = ctypes.CDLL(name) if name else None

    def __bool__(self):
        return self.lib is not None

    def blake2b(self, data, digest_size=64, key=b"", salt=b"", person=b"", tree=SEQUENTIAL):
        fanout, depth, leaf_size, node_offset, node_depth, inner_size, last_node = tree
        if last_node:
            raise ValueError("libb2 has no call for last_node")
        block = struct.pack("<BBBBIQBB14x16s16s", digest_size, len(key), fanout, depth, leaf_size, node_offset,
                            node_depth, inner_size, salt, person)
        state, out = ctypes.create_string_buffer(1024), ctypes.create_string_buffer(64)
        if self.lib.blake2b_init_param(state, block):
            raise RuntimeError("libb2 refuses the parameters")
        data = (key + bytes(128 - len(key)) if key else b"") + data
        self.lib.blake2b_update(state, data, ctypes.c_size_t(len(data)))
        if self.lib.blake2b_final(state, out, ctypes.c_size_t(digest_size)):
            raise RuntimeError("libb2 refuses the digest size")
        return out.raw[:digest_size]


LIBB2 = Libb2()

GO_PROGRAM = """
package main

import (
    "bufio"
    "encoding/hex"
    "fmt"
    "io"
    "os"

    "golang.org/x/crypto/blake2b"
)

func fail(err error) {
    if err != nil {
        fmt.Fprintln(os.Stderr, err)
        os.Exit(1)
    }
}

func main() {
    in := bufio.NewScanner(os.Stdin)
    in.Buffer(nil, 1<<24)
    out := bufio.NewWriter(os.Stdout)
    for in.Scan() {
        var size uint32
        var seek, want int64
        var key, data string
        _, err := fmt.Sscanf(in.Text(), "%d %d %d k%s d%s", &size, &seek, &want, &key, &data)
        fail(err)
        k, err := hex.DecodeString(key[1:])
        fail(err)
        d, err := hex.DecodeString(data[1:])
        fail(err)
        x, err := blake2b.NewXOF(size, k)
        fail(err)
        x.Write(d)
        _, err = io.CopyN(io.Discard, x, seek)
        fail(err)
        b := make([]byte, want)
        _, err = io.ReadFull(x, b)
        fail(err)
        fmt.Fprintln(out, hex.EncodeToString(b))
    }
    fail(out.Flush())
}
"""


def go_blake2xb(requests):
    """Outputs of x/crypto's blake2b.NewXOF for (digest_size or None, seek, want, key, data), or None without go."""
    if not shutil.which("go"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "main.go"), "w") as f:
            f.write(GO_PROGRAM)
        for command in (["go", "mod", "init", "vectors"], ["go", "get", XCRYPTO]):
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        text = "".join("%d %d %d kx%s dx%s\n" % (size or 0, seek, want, key.hex(), data.hex())
                       for size, seek, want, key, data in requests)
        done = subprocess.run(["go", "run", "."], cwd=folder, check=True, input=text.encode(), stdout=subprocess.PIPE)
    return [bytes.fromhex(line) for line in done.stdout.decode().split("\n")[:len(requests)]]


# ---- Values and records ---------------------------------------------------------------------------------------

MOD251 = bytes(range(251)) * (3 * 1024 * 1024 // 251 + 1)


class Pattern(str):
    """`mod251 N` or `zero N`."""


def mod251(n):
    return Pattern("mod251 %d" % n)


def zero(n):
    return Pattern("zero %d" % n)


def expand(value):
    if isinstance(value, Pattern):
        kind, n = value.split()
        return MOD251[:int(n)] if kind == "mod251" else bytes(int(n))
    return value


def text(value):
    return (value.hex() or "zero 0") if isinstance(value, bytes) else str(value)


def mismatch(record, answers):
    shown = "\n".join("  %s: %s" % (name, value.hex()) for name, value in answers.items())
    sys.exit("gen_vectors: implementations differ on\n%s\n%s" % (write_record(record), shown))


def agreed(record, answers):
    if len(answers) < 2:
        sys.exit("gen_vectors: only %s answers\n%s" % (", ".join(answers), write_record(record)))
    if len(set(answers.values())) != 1:
        mismatch(record, answers)
    return next(iter(answers.values()))


def write_record(record):
    return "".join("%s = %s\n" % (name, text(value)) for name, value in record.items())


def tree_of(record):
    return tuple(record.get(name, default) for name, default in zip(TREE, SEQUENTIAL))


def answer_sha2(record):
    from Crypto.Hash import SHA224, SHA256
    alg, data = record["alg"], expand(record["input"])
    return {"hashlib": hashlib.new(alg, data).digest(),
            "pycryptodome": {"sha224": SHA224, "sha256": SHA256}[alg].new(data).digest(),
            "FIPS 180-4": sha2_fips(alg, data)}


def answer_hmac(record):
    from Crypto.Hash import HMAC, SHA224, SHA256
    alg, key, data = record["alg"][5:], expand(record["key"]), expand(record["input"])
    return {"hmac": hmac.new(key, data, alg).digest(),
            "pycryptodome": HMAC.new(key, data, {"sha224": SHA224, "sha256": SHA256}[alg]).digest(),
            "RFC 2104": hmac_rfc2104(alg, key, data)}


def answer_blake2b(record):
    from Crypto.Hash import BLAKE2b
    data, size = expand(record["input"]), record.get("digest_size", 64)
    extra = {name: expand(record.get(name, b"")) for name in ("key", "salt", "person")}
    tree = tree_of(record)
    answers = {"hashlib": hashlib.blake2b(data, digest_size=size, **extra, **dict(zip(TREE[:6], tree)),
                                          last_node=bool(tree[6])).digest(),
               "RFC 7693": blake2b_rfc7693(data, size, **extra, tree=tree)}
    if not extra["salt"] and not extra["person"] and tree == SEQUENTIAL:
        answers["pycryptodome"] = BLAKE2b.new(data=data, digest_bytes=size, key=extra["key"]).digest()
    return answers


def answer_blake3(record):
    import blake3
    data, key, context = expand(record["input"]), record.get("key"), record.get("derive_key_context")
    key, context = expand(key), expand(context)
    seek, want = record.get("seek", 0), record.pop("want", 32)
    h = blake3.blake3(data, key=key, derive_key_context=None if context is None else context.decode())
    return {"blake3": h.digest(length=want, seek=seek), "paper": blake3_paper(data, want, key, context, seek)}


def answer_blake2xb(record):
    data, size = expand(record["input"]), record["digest_size"]
    size = None if size == "unknown" else size
    extra = {name: expand(record.get(name, b"")) for name in ("key", "salt", "person")}
    seek = record.get("seek", 0)
    want = record.pop("want", None)
    want = size - seek if want is None else want
    answers = {"paper": blake2xb_paper(data, size, **extra, seek=seek, want=want)}
    if LIBB2:
        answers["libb2"] = blake2xb_paper(data, size, **extra, seek=seek, want=want, blake2b=LIBB2.blake2b)
    go = record.pop("go", None)
    if go is not None:
        answers["x/crypto"] = go
    return answers


def answer_xor(record):
    from Crypto.Util.strxor import strxor
    if record["op"] == "xor_mask":
        data, key = expand(record["input"]), expand(record["key"])
        at = record["offset"] % len(key)
        stream = (key * (len(data) // len(key) + 2))[at:at + len(data)]
        by_byte = bytes(x ^ key[(record["offset"] + i) % len(key)] for i, x in enumerate(data))
        return {"strxor": strxor(data, stream) if data else b"", "bytes": by_byte}
    sources = [expand(value) for name, value in record.items() if len(name) == 1]
    folded, number = sources[0], 0
    for source in sources:
        number ^= int.from_bytes(source, "big")
    for source in sources[1:]:
        folded = strxor(folded, source) if folded else b""
    return {"strxor": folded, "integers": number.to_bytes(len(sources[0]), "big")}


# ---- Which records --------------------------------------------------------------------------------------------

def around(points, lowest=301):
    return sorted({p + d for p in points for d in (-1, 0, 1) if p + d >= lowest})


def lengths(block):
    """Every length to 300; block boundaries to 4 KiB; chunks to 32 KiB; powers of two of chunks to 1 MiB."""
    points = list(range(block, 4096 + 1, block)) + [1024 * i for i in range(1, 33)] + [1 << i for i in range(16, 21)]
    return list(range(301)) + around(points)


def sha2_records(rnd):
    for alg in ("sha256", "sha224"):
        for n in lengths(64):
            yield {"alg": alg, "input": mod251(n)}
        for n in list(range(1, 132)) + [183, 184, 191, 192, 255, 256, 300]:
            yield {"alg": alg, "input": rnd.randbytes(n)}


def hmac_records(rnd):
    for alg in ("hmac-sha256", "hmac-sha224"):
        for n in range(201):
            yield {"alg": alg, "key": rnd.randbytes(n), "input": mod251(rnd.randrange(300))}
        for n in (0, 1, 31, 32, 33, 63, 64, 65, 128, 200):
            for m in (0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129):
                yield {"alg": alg, "key": mod251(n), "input": mod251(m)}
        for m in lengths(64):
            if m <= 300 or m % 64 == 0:
                yield {"alg": alg, "key": mod251(32), "input": mod251(m)}
        for n in (1000, 4096, 65537):
            yield {"alg": alg, "key": mod251(n), "input": rnd.randbytes(40)}


def blake2b_tree(rnd):
    def number(bits):
        return rnd.choice((0, 1, (1 << bits) - 1, 1 << (bits - 1), rnd.getrandbits(bits), rnd.getrandbits(bits)))
    return {"fanout": number(8), "depth": max(1, number(8)), "leaf_size": number(32), "node_offset": number(64),
            "node_depth": number(8), "inner_size": rnd.randrange(65), "last_node": rnd.randrange(2)}


def blake2b_records(rnd):
    for n in lengths(128):
        yield {"alg": "blake2b", "input": mod251(n)}
    for n in range(1, 65):
        for m in (0, rnd.randrange(1, 128), rnd.randrange(128, 300)):
            yield {"alg": "blake2b", "digest_size": n, "input": mod251(m)}
    for n in range(65):
        for m in (0, rnd.randrange(1, 129), 128, rnd.randrange(129, 400)):
            yield {"alg": "blake2b", "key": rnd.randbytes(n), "input": mod251(m)}
    for n in range(301):
        yield {"alg": "blake2b", "digest_size": 1 + n % 64, "key": mod251(1 + n % 63), "input": mod251(n)}
    for n in range(17):
        for name in ("salt", "person"):
            yield {"alg": "blake2b", name: rnd.randbytes(n), "input": mod251(rnd.randrange(300))}
        for m in range(17):
            yield {"alg": "blake2b", "digest_size": rnd.randrange(1, 65), "salt": rnd.randbytes(n),
                   "person": rnd.randbytes(m), "input": rnd.randbytes(rnd.randrange(140))}
    for m in (301, 1024, 4095, 4096, 4097, 65536):
        yield {"alg": "blake2b", "digest_size": 48, "key": rnd.randbytes(32), "salt": rnd.randbytes(16),
               "person": rnd.randbytes(16), "input": mod251(m)}
    for last_node in (0, 1):
        for m in (0, 1, 127, 128, 129, 256, 257):
            yield {"alg": "blake2b", "input": mod251(m), **dict(zip(TREE, SEQUENTIAL[:6] + (last_node,)))}
    for _ in range(700):
        record = {"alg": "blake2b"}
        if rnd.random() < .8:
            record["digest_size"] = rnd.randrange(1, 65)
        for name, most in (("key", 64), ("salt", 16), ("person", 16)):
            if rnd.random() < .5:
                record[name] = rnd.randbytes(rnd.choice((0, most, rnd.randrange(most + 1))))
        record["input"] = rnd.choice((mod251, rnd.randbytes, zero))(rnd.randrange(260))
        record.update(blake2b_tree(rnd))
        yield record


def blake2xb_requests(rnd):
    for n in range(1, 301):
        yield {"digest_size": n, "input": mod251(n % 257)}
    for n in range(0, 65):
        yield {"digest_size": rnd.randrange(1, 200), "key": rnd.randbytes(n), "input": mod251(rnd.randrange(300))}
    for n in range(301):
        yield {"digest_size": 65 + n % 64, "input": mod251(n), **({"key": mod251(1 + n % 64)} if n % 2 else {})}
    for n in (512, 1000, 1024, 4095, 4096):
        yield {"digest_size": n, "key": mod251(32), "input": mod251(n)}
    for n in (100, 65536, 100000, (1 << 32) - 2):
        for seek in sorted({0, 1, 63, 64, 65, n // 2, n - 40, n - 1} & set(range(min(n, 200000)))):
            yield {"digest_size": n, "input": mod251(64), "seek": seek, "want": min(40, n - seek)}
    for n in range(129):
        yield {"digest_size": "unknown", "input": mod251(2 * n), "seek": rnd.randrange(3001),
               "want": rnd.randrange(1, 100)}
    for n in (1, 32, 64, 65, 128, 300, 1024):
        yield {"digest_size": "unknown", "input": mod251(n), "want": n}
        yield {"digest_size": "unknown", "key": mod251(64), "input": mod251(n), "want": n, "seek": 64 * n}


def blake2xb_far(rnd):
    """Out of reach for a reader that cannot seek, and parameters that x/crypto has not: paper and libb2."""
    top = (1 << 32) - 2
    for seek in (1 << 31, top - 130, top - 63, top - 64, top - 1):
        yield {"digest_size": top, "input": mod251(64), "seek": seek, "want": min(80, top - seek)}
    for seek in ((1 << 32) - 70, 1 << 32, (1 << 37) + 5, (1 << 38) - 65, (1 << 38) - 64, (1 << 38) - 1):
        yield {"digest_size": "unknown", "key": mod251(16), "input": mod251(200), "seek": seek,
               "want": min(100, (1 << 38) - seek)}
    for n in range(17):
        yield {"digest_size": rnd.randrange(1, 200), "salt": rnd.randbytes(n), "person": rnd.randbytes(16 - n),
               "input": mod251(rnd.randrange(300))}
    yield {"digest_size": "unknown", "key": mod251(64), "salt": rnd.randbytes(16), "person": rnd.randbytes(16),
           "input": mod251(300), "want": 130}


def blake2xb_records(rnd):
    records = list(blake2xb_requests(rnd))
    requests = []
    for r in records:
        size = None if r["digest_size"] == "unknown" else r["digest_size"]
        seek = r.get("seek", 0)
        requests.append((size, seek, r.get("want", (size or 0) - seek), expand(r.get("key", b"")), expand(r["input"])))
    for r, output in itertools.zip_longest(records, go_blake2xb(requests) or []):
        yield {"alg": "blake2xb", **r, **({} if output is None else {"go": output})}
    if LIBB2:
        for r in blake2xb_far(rnd):
            yield {"alg": "blake2xb", **r}


CONTEXT_STRING = b"hashcore 2026-11-30 tests/vectors derive_key_context"


def blake3_records(rnd):
    key = rnd.randbytes(32)
    modes = ({}, {"key": key}, {"derive_key_context": CONTEXT_STRING})
    for n in lengths(64):
        for mode in modes:
            yield {"alg": "blake3", **mode, "input": mod251(n)}
    for n in list(range(1, 130)) + [1023, 1024, 1025, 2049]:
        yield {"alg": "blake3", **modes[n % 3], "input": rnd.randbytes(n)}
    for n in list(range(301)) + [1023, 1024, 1025, 2048, 3000]:
        yield {"alg": "blake3", "derive_key_context": b"".join(b"%d " % i for i in range(n))[:n],
               "input": mod251(rnd.randrange(100))}
    for n in range(1, 64):
        yield {"alg": "blake3", "key": rnd.randbytes(32), "input": mod251(n * 7)}
    for n in list(range(1, 301)) + [511, 512, 513, 1023, 1024, 1025, 2048, 3000]:
        yield {"alg": "blake3", **modes[n % 3], "input": mod251(n * 5 % 2100), "want": n}
    for seek in range(3001):
        yield {"alg": "blake3", "input": mod251((0, 1, 64, 65, 1024, 1025, 5000)[seek % 7]), "seek": seek,
               "want": 1 + seek * 7 % 33}
    end = (1 << 64) - 1
    for mode in modes:
        for n in (0, 64, 1024, 1025, 10000):
            for middle in (1 << 32, 1 << 38, 1 << 63):
                for d in (-65, -64, -63, -1, 0, 1, 63, 64, 65):
                    yield {"alg": "blake3", **mode, "input": mod251(n), "seek": middle + d, "want": 70}
            for d in (1, 2, 62, 63, 64, 65, 66, 126, 127, 128, 129):
                yield {"alg": "blake3", **mode, "input": mod251(n), "seek": end - d, "want": d}
        for seek, want in ((0, 3000), ((1 << 38) - 1500, 3000), (end - 3000, 3000)):
            yield {"alg": "blake3", **mode, "input": mod251(1000), "seek": seek, "want": want}


def xor_records(rnd):
    for n in range(301):
        yield {"op": "xor", "a": rnd.randbytes(n), "b": mod251(n)}
    for n in (512, 1000, 1023, 1024, 1025, 2048, 4095, 4096, 4097, 65535, 65536, 65537, 1048577):
        yield {"op": "xor", "a": mod251(n), "b": zero(n)}
        if n < 5000:
            yield {"op": "xor", "a": rnd.randbytes(n), "b": mod251(n)}
    for count in range(1, 18):
        for n in (0, 1, 15, 16, 31, 32, 33, 63, 64, 65, 100):
            yield {"op": "xor", **{"abcdefghijklmnopqrst"[i]: rnd.randbytes(n) for i in range(count)}}
    for n in (1000, 4096, 65537):
        yield {"op": "xor", "a": mod251(n), "b": zero(n), "c": mod251(n), "d": mod251(n)}
    for n in list(range(1, 71)) + [100, 127, 128, 129, 255, 256, 257, 300]:
        for offset in sorted({0, 1, n - 1, n, n + 1, rnd.randrange(3 * n)}):
            yield {"op": "xor_mask", "input": mod251(rnd.randrange(301)), "key": rnd.randbytes(n), "offset": offset}
    for n in range(301):
        yield {"op": "xor_mask", "input": mod251(n), "key": rnd.randbytes(4), "offset": n % 9}
    for n in (1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64):
        for offset in ((1 << 32) - 1, 1 << 32, (1 << 63) + 3, M64 - 1, M64):
            yield {"op": "xor_mask", "input": mod251(100), "key": rnd.randbytes(n), "offset": offset}
        for length in (1000, 4097, 65537):
            yield {"op": "xor_mask", "input": mod251(length), "key": rnd.randbytes(n), "offset": rnd.randrange(200)}


FILES = (
    ("sha2.txt", sha2_records, answer_sha2,
     "SHA-256 and SHA-224. Agreed by OpenSSL (hashlib), PyCryptodome and a transcription of FIPS 180-4."),
    ("hmac.txt", hmac_records, answer_hmac,
     "HMAC with SHA-256 and SHA-224. Agreed by Python's hmac (OpenSSL), PyCryptodome and a transcription of RFC 2104."),
    ("blake2b.txt", blake2b_records, answer_blake2b,
     "BLAKE2b. Agreed by hashlib, a transcription of RFC 7693 and, without salt, person and tree, PyCryptodome."),
    ("blake2xb.txt", blake2xb_records, answer_blake2xb,
     "BLAKE2Xb. Agreed by a transcription of the BLAKE2X paper, libb2's BLAKE2b arranged by that paper and, but for\n"
     "# the last records (far offsets, salt and person), the Go module %s, run once." % XCRYPTO),
    ("blake3.txt", blake3_records, answer_blake3,
     "BLAKE3. Agreed by the blake3 package (the authors' Rust code) and a transcription of the BLAKE3 paper."),
    ("xor.txt", xor_records, answer_xor,
     "XOR. Agreed by PyCryptodome's strxor and plain Python."),
)


def make(name, records, answer, about, progress):
    out, count = [], 0
    for record in records(random.Random("hashcore " + name)):
        answers = answer(record)
        output = agreed(record, answers)
        if "op" in record and len(output) > 300:
            record["output_sha256"] = hashlib.sha256(output).digest()
        else:
            record["output"] = output
        lines = write_record(record)
        out.append(lines if output else lines.replace("output = zero 0\n", "output = \n"))
        count += 1
        if progress and count % 100 == 0:
            print("\r%s: %d" % (name, count), end="", file=sys.stderr, flush=True)
    if progress:
        print("\r%s: %d records" % (name, count), file=sys.stderr)
    head = "# %s\n# Written by scripts/gen_vectors.py; the format is described in README.md here. %d records.\n\n"
    return head % (about, count) + "\n".join(out)


def lacking(names):
    wanted = [package for package, module in (("blake3", "blake3"), ("pycryptodome", "Crypto"))
              if not importlib.util.find_spec(module)]
    lines = ["%s -m pip install %s" % (sys.executable, " ".join(wanted))] if wanted else []
    if "blake2xb.txt" in names:
        if not LIBB2:
            lines.append("apt-get install libb2-1")
        if not shutil.which("go"):
            lines.append("apt-get install golang-go")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="which ones (default: all): "
                        + " ".join(f[0] for f in FILES))
    parser.add_argument("--check", action="store_true", help="compare with what is there instead of writing")
    parser.add_argument("--folder", default=FOLDER, help="default: tests/vectors")
    args = parser.parse_args()
    names = args.files or [f[0] for f in FILES]
    unknown = set(names) - {f[0] for f in FILES}
    if unknown:
        parser.error("unknown file: " + " ".join(sorted(unknown)))
    lines = lacking(names)
    if lines:
        print("gen_vectors: this is lacking:\n  " + "\n  ".join(lines), file=sys.stderr)
        return 2
    differing = 0
    for name, records, answer, about in FILES:
        if name not in names:
            continue
        content = make(name, records, answer, about, sys.stderr.isatty()).encode("ascii")
        path = os.path.join(args.folder, name)
        if args.check:
            with open(path, "rb") as f:
                same = f.read() == content
            differing += not same
            print("%s: %s" % (name, "the same" if same else "DIFFERS"), flush=True)
        else:
            with open(path, "wb") as f:
                f.write(content)
            print("%s: %d bytes" % (name, len(content)), flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
