"""Every error path in a loop: neither memory nor references grow."""
import array
import gc
import io
import os
import sys

import pytest

import hashcore
from hashcore import bao

BUFFER = bytearray(100)


class NoBuffer:
    pass


def failing():
    yield b"x" * 100
    raise KeyError


def refuse(*_):
    raise KeyError


PATHS = {
    "constructor": lambda: hashcore.blake2b(BUFFER, key=bytes(65), salt=b"s", person=b"p"),
    "constructor: option type": lambda: hashcore.blake2b(b"", key=b"k", salt="text"),
    "constructor: number": lambda: hashcore.blake2b(fanout=2**70),
    "constructor: data": lambda: hashcore.blake3("text", key=bytes(32)),
    "constructor: keyword": lambda: hashcore.sha256(b"", nonsense=BUFFER),
    "constructor: twice": lambda: hashcore.sha256(b"", data=BUFFER),
    "constructor: mac": lambda: hashcore.hmac_sha256(),
    "new": lambda: hashcore.new("no such", BUFFER),
    "new: surrogate": lambda: hashcore.new("\udc80"),
    "update": lambda: hashcore.sha256().update(BUFFER, BUFFER, "text"),
    "update: many": lambda: hashcore.sha256().update(*[BUFFER] * 10, NoBuffer()),
    "digest": lambda: hashcore.sha256().digest(1),
    "digest: length": lambda: hashcore.blake3().digest(-1),
    "digest: seek": lambda: hashcore.blake3().digest(100, seek=2**64 - 1),
    "digest: memory": lambda: hashcore.blake3().digest(2**62),
    "hexdigest": lambda: hashcore.blake3().hexdigest("1"),
    "one-shot": lambda: hashcore.digest("blake2b", BUFFER, key=BUFFER, digest_size=65),
    "one-shot: parts": lambda: hashcore.hexdigest("sha256", *[BUFFER] * 9, 1),
    "batch: item": lambda: hashcore.digest_many("sha256", [BUFFER] * 9 + [1]),
    "batch: generator": lambda: hashcore.digest_many("sha256", failing()),
    "batch: offsets": lambda: hashcore.digest_many("sha256", BUFFER, offsets=array.array("i", [0, 200])),
    "batch: format": lambda: hashcore.digest_many("sha256", BUFFER, offsets=array.array("d", [0, 200])),
    "batch: out": lambda: hashcore.digest_many("sha256", [BUFFER] * 9, out=bytearray(1)),
    "batch: option": lambda: hashcore.digest_many("blake3", [BUFFER], key=BUFFER, prefix=BUFFER),
    "xor": lambda: hashcore.xor(BUFFER, BUFFER[1:]),
    "xor_into": lambda: hashcore.xor_into(BUFFER, bytes(200), BUFFER * 2),
    "xor_mask": lambda: hashcore.xor_mask(BUFFER, BUFFER, out=bytearray(3)),
    "restore": lambda: hashcore.restore("blake3", BUFFER),
    "export": lambda: hashcore.blake3().export("go"),
    "pickle": lambda: hashcore.blake3(key=bytes(32)).__reduce__(),
    "reader": lambda: hashcore.sha256().reader(),
    "subtree": lambda: hashcore.subtree(BUFFER * 20, 1, key=bytes(32)),
    "root": lambda: hashcore.root(BUFFER),
    "parent": lambda: hashcore.parent(BUFFER, BUFFER),
    "file": lambda: hashcore.file_digest("/no/such/file", ["sha256", "blake3"]),
    "file: directory": lambda: hashcore.sha256().update_file("/"),
    "file: progress": lambda: hashcore.file_digest(__file__, "blake3", progress=refuse),
    "file: object": lambda: hashcore.file_digest(io.StringIO("text"), "sha256"),
    "file: options": lambda: hashcore.file_digest(__file__, "blake3", key=BUFFER),
    "bao": lambda: bao.decode(BUFFER, bytes(32)),
    "bao: root": lambda: bao.decode(BUFFER, BUFFER),
    "bao: slice": lambda: bao.decode_slice(bao.encode(BUFFER)[0], bytes(32), 0, 1),
    "GIL_MINSIZE": lambda: with_wrong_minimum(),
}


def with_wrong_minimum():
    hashcore.GIL_MINSIZE = "x"
    try:
        hashcore.sha256().update(bytes(1000), BUFFER)
    finally:
        hashcore.GIL_MINSIZE = 16384


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.parametrize("path", PATHS)
def test_error_paths(path):
    call = PATHS[path]
    watched = [b"", None, "sha256", "key", *hashcore._hashcore.__dict__.values(), BUFFER]
    blocks = []

    def loop(n):
        for _ in range(n):
            try:
                call()
            except (TypeError, ValueError, OverflowError, MemoryError, OSError, KeyError):
                continue
            raise AssertionError(f"{path}: no error")

    loop(50)
    for _ in range(4):
        loop(100)
        gc.collect()
        blocks.append((sys.getallocatedblocks(), [sys.getrefcount(o) for o in watched]))
    assert blocks[-1][0] - blocks[1][0] < 50, blocks
    # immortal objects never change; no other may grow by one a call
    assert all(b - a < 100 for a, b in zip(blocks[1][1], blocks[-1][1]))
    BUFFER.append(0)  # no export is left
    BUFFER.pop()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_memory_of_good_calls():
    data = bytes(3000)
    h = hashcore.blake3(data)

    def loop():
        for _ in range(200):
            hashcore.blake3(data, key=bytes(32)).copy().update(data, data, data, data, data, data).hexdigest(1000)
            hashcore.digest_many("sha256", [bytearray(data)] * 20, as_list=True)
            hashcore.digest("blake2b", *[memoryview(data)] * 9, key=b"k")
            h.reader().read(10000)
            hashcore.restore("blake3", h.export())
            hashcore.xor(data, bytearray(data), data, data, data, data)
            bao.decode(*bao.encode(data))

    loop()
    loop()
    before = resident()
    for _ in range(5):
        loop()
    assert resident() - before < 2 << 20
