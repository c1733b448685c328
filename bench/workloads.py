#!/usr/bin/env python3
"""workloads.py - writes workloads.txt: what the systems that hashcore replaces do, one list for the harness of every language.

    bench/workloads.py [--check]

The digests come from hashlib and, for BLAKE3, from the PyPI package blake3, never from hashcore. --check says whether the file is
what would be written."""
import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """\
# workloads.txt - what the systems that hashcore replaces do, for the harness of every language (written by workloads.py).
#
# node ALGORITHM NAME PART,PART,...: the bytes of one of merkledb's benchmark nodes in hex, cut as merkledb writes them ("-": none).
# Other lines: kind algorithm operation input size count threads alignment output digest
#   input    "pattern": byte i is i mod 251; "node:NAME": the bytes of that node
#   kind     hash    one-shot of `size` bytes to `output` bytes
#            write   new object, updates of 32 KiB until `size`, digest
#            xof     `size` bytes of output, from their start, of a reader that is kept; its input is 64 bytes of the pattern
#            xor     dst = a ^ b, `size` bytes, all three `alignment` bytes off a multiple of 64; a the pattern, byte i of b is (i + 89) mod 241
#            xordst  the same with dst alone off
#            new     new object, an update a part, digest
#            reset   kept object: reset, an update a part, digest
#            parts   one-shot over the parts
#            trie    merkledb's trie of the operation's number of keys, built, encoded and hashed (examples/); size: bytes hashed in nodes
#   digest   of the output in hex; of more than 64 bytes their SHA-256
"""
XOR_SIZES = (8, 128, 2048, 32768)
TRIE_BYTES = {1: 37, 10: 704, 100: 7262, 1000: 76331, 10000: 739523, 100000: 7905619}


def blake3(data, length=32):
    import blake3 as package

    return package.blake3(data).digest(length=length)


def pattern(n, by=251, start=0):
    return (bytes(range(by)) * (n // by + 2))[start:start + n]


def hashed(algorithm, data, size):
    if algorithm == "blake2b":
        return hashlib.blake2b(data, digest_size=size).digest()
    return blake3(data, size) if algorithm == "blake3" else hashlib.sha256(data).digest()


def text_of(output):
    return output.hex() if len(output) <= 64 else hashlib.sha256(output).hexdigest()


# ---- merkledb ------------------------------------------------------------------------------------------------------
def uvarint(n):
    out = bytearray()
    while n >= 128:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes([*out, n])


def node(children, value, key, bits):
    """A node's bytes, cut as merkledb writes them: a piece a call of Write."""
    parts = [uvarint(len(children))]
    for index, child in children:
        parts += [uvarint(index), child]
    parts += [b"\0"] if value is None else [b"\1", uvarint(len(value)), value]
    return [*parts, uvarint(bits), key]


def nodes(algorithm):
    """The six nodes of merkledb's benchmark."""
    def ident(*args):
        return hashed(algorithm, b"".join(node(*args)), 32)

    def leaf(key, value):
        return ident([], value, bytes([key]), 8)

    return {
        "empty_node": node([], None, b"", 0),
        "has_value": node([], b"value1", b"", 0),
        "has_key": node([], None, bytes(range(8)), 64),
        "1_child": node([(15, leaf(0xff, b"value1"))], None, b"", 0),
        "2_children": node([(14, leaf(0xed, b"value2")), (15, leaf(0xff, b"value1"))], None, b"", 0),
        "16_children": node([(i, leaf(i << 4, b"some value")) for i in range(16)], None, b"", 0),
    }


def roots(algorithm):
    """{keys: root} by the example's trie over hashlib and the package blake3 (hashcore is not asked)."""
    import importlib.util
    import types

    sys.modules["hashcore"] = types.SimpleNamespace(
        digest_many=lambda name, items, as_list=True: [hashed(name, m, 32) for m in items])
    spec = importlib.util.spec_from_file_location("merkle_trie", HERE.parent / "examples/python/merkle_trie.py")
    trie = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(trie)
    found = {n: trie.root(algorithm, trie.benchmark_entries(n))[0].hex() for n in TRIE_BYTES}
    return found


# ---- The list ------------------------------------------------------------------------------------------------------
def lines():
    def line(kind, algorithm, operation, size, output, digest, inputs="pattern", threads=1, alignment=0):
        return f"{kind} {algorithm} {operation} {inputs} {size} 1 {threads} {alignment} {output} {digest}"

    for algorithm in ("sha256", "blake3"):
        for name, parts in nodes(algorithm).items():
            yield f"node {algorithm} {name} " + ",".join(p.hex() or "-" for p in parts)
    for operation, size, output in (("filecoin-payload", 65, 20), ("filecoin-checksum-21", 21, 21), ("filecoin-checksum", 21, 4)):
        yield line("hash", "blake2b", operation, size, output, hashed("blake2b", pattern(size), output).hex())
    for size in (64, 1024, 65536):
        yield line("hash", "blake3", "sum256", size, 32, blake3(pattern(size)).hex())
    yield line("write", "blake3", "write-32KiB", 1 << 20, 32, blake3(pattern(1 << 20)).hex())
    for size in (64, 1024, 65536, 1 << 20):
        yield line("xof", "blake3", "xof-read", size, size, text_of(blake3(pattern(64), size)))
    for kind, operation, sizes, alignments in (
        ("xor", "xorbytes-aligned", XOR_SIZES, (0,)), ("xordst", "xorbytes-unaligned-dst", XOR_SIZES, (1,)),
        ("xor", "xorbytes-alignment", XOR_SIZES[:3], range(8)),
    ):
        for size in sizes:
            output = bytes(a ^ b for a, b in zip(pattern(size), pattern(size, 241, 89)))
            for alignment in alignments:
                yield line(kind, "xor", operation, size, size, text_of(output), alignment=alignment)
    for algorithm in ("sha256", "blake3"):
        for name, parts in nodes(algorithm).items():
            data = b"".join(parts)
            for kind, how in (("new", "new-object"), ("reset", "reset"), ("hash", "one-shot"), ("parts", "parts")):
                yield line(kind, algorithm, f"hashnode-{name}-{how}", len(data), 32, hashed(algorithm, data, 32).hex(), f"node:{name}")
        for keys, root in roots(algorithm).items():
            yield line("trie", algorithm, f"trie-{keys}-keys", TRIE_BYTES[keys], 32, root)


def main():
    text = HEAD + "".join(f"{x}\n" for x in lines())
    path = HERE / "workloads.txt"
    if "--check" in sys.argv:
        sys.exit(0 if path.read_text() == text else f"{path} is not what {sys.argv[0]} writes")
    path.write_text(text)


if __name__ == "__main__":
    main()
