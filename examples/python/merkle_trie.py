"""The id of a Merkle radix trie (avalanchego's merkledb, branch factor 16), one batch a height.

    python examples/python/merkle_trie.py [number of keys] [sha256 | blake3]

A node's bytes are uvarint(children), for each child uvarint(index) and its id, then 0 or 1, uvarint(length) and the
value's digest, then uvarint(bits of the key) and the key. Its id is their hash. Nodes of one height depend on lower
ones only, so each height is a single call of digest_many.
"""
import itertools
import sys

import hashcore


def uvarint(n):
    out = bytearray()
    while n >= 128:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


class Node:
    """key: one nibble a byte, all that lead here. value: its digest or None. children: {index: Node}."""

    __slots__ = ("key", "value", "children", "id")

    def __init__(self, key=b"", value=None, children=None):
        self.key, self.value, self.children, self.id = key, value, children or {}, None

    def encode(self):
        parts = [uvarint(len(self.children))]
        for index, child in sorted(self.children.items()):
            parts += uvarint(index), child.id
        parts += (b"\0",) if self.value is None else (b"\1", uvarint(len(self.value)), self.value)
        padded = self.key.hex()[1::2] + "0" * (len(self.key) % 2)
        parts += uvarint(4 * len(self.key)), bytes.fromhex(padded)
        return b"".join(parts)


def identify(algorithm, nodes):
    """Give each its id, by one batch. Their children have theirs."""
    ids = hashcore.digest_many(algorithm, [node.encode() for node in nodes], as_list=True)
    for node, node.id in zip(nodes, ids):
        pass


def value_digests(algorithm, values):
    """Values shorter than 32 bytes stand for themselves, others for their hash."""
    digests = iter(hashcore.digest_many(algorithm, [v for v in values if len(v) >= 32], as_list=True))
    return [next(digests) if len(v) >= 32 else v for v in values]


def build(pairs, heights, depth=0):
    """(node, its height) over sorted pairs of key and digest that agree in `depth` nibbles; it joins its height's."""
    first, last = pairs[0][0], pairs[-1][0]
    n = depth
    while n < len(first) and n < len(last) and first[n] == last[n]:
        n += 1
    node, height = Node(first[:n]), 0
    if len(first) == n:
        node.value = pairs[0][1]
        pairs = pairs[1:]
    for index, below in itertools.groupby(pairs, lambda pair: pair[0][n]):
        node.children[index], child_height = build(list(below), heights, n + 1)
        height = max(height, child_height + 1)
    heights.setdefault(height, []).append(node)
    return node, height


def root(algorithm, entries):
    """(id of the trie of {key: value}, number of nodes of each height)"""
    digests = value_digests(algorithm, list(entries.values()))
    pairs = sorted((bytes.fromhex("0" + "0".join(key.hex())), digest) for key, digest in zip(entries, digests))
    heights = {}
    top, _ = build(pairs, heights)
    for height in sorted(heights):
        identify(algorithm, heights[height])
    return top.id, [len(heights[height]) for height in sorted(heights)]


def benchmark_entries(n):
    """What merkledb's own benchmark takes: key uvarint(i), value SHA-256(key)."""
    keys = [uvarint(i) for i in range(n)]
    return dict(zip(keys, hashcore.digest_many("sha256", keys, as_list=True)))


def main(keys="1000", algorithm="sha256"):
    top, nodes = root(algorithm, benchmark_entries(int(keys)))
    print(f"{keys} keys, {' + '.join(map(str, nodes))} nodes by height")
    print(f"{algorithm} root {top.hex()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
