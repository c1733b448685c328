"""Every error path in a loop: neither memory nor references grow."""
import array
import functools
import gc
import io
import os
import sys

import pytest

import hashcore
from hashcore import bao
from test_batches import Arrow

BUFFER = bytearray(100)
STRIDED = memoryview(bytes(200))[::2]
RELEASED = memoryview(bytes(200))
RELEASED.release()
ENCODED, ROOT = bao.encode(bytes(3000))


class NoBuffer:
    pass


class Raising:
    def __buffer__(self, flags):  # asked from Python 3.12 on; before that it is no buffer
        raise KeyError("no buffer")


class Wrong:
    """A file."""

    def __init__(self, result):
        self.result = result

    def readinto(self, buffer):
        return self.result

    def read(self, size):
        return self.result


@functools.cache
def arrow(*values, swapped=False):
    """Made once: the blocks that pyarrow has for making arrays go up and down by dozens."""
    array = pytest.importorskip("pyarrow").array(values)
    return Arrow(array.__arrow_c_array__()[::-1]) if swapped else array


def overlapping(call):
    with memoryview(bytearray(100)) as view:
        call(view[:64], view[16:])


def closed(reader):
    reader.close()
    reader.read(1)


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
    "file: NUL": lambda: hashcore.file_digest("a\0b", ["sha256", "blake3"]),
    "file: NUL in bytes": lambda: hashcore.sha256().update_file(b"a\0b"),
    "file: surrogate": lambda: hashcore.sha256().update_file("\ud800"),
    "file: names": lambda: hashcore.file_digest(__file__, ["sha256"] * 17),
    "file: readinto": lambda: hashcore.file_digest(Wrong(1 << 30), ["sha256", "blake3"]),
    "file: readinto's type": lambda: hashcore.file_digest(Wrong(BUFFER), ["sha256", "blake3"]),
    "file: threads of a stream": lambda: hashcore.file_digest(Wrong(0), "blake3", threads=-5),
    "arrow: None": lambda: hashcore.digest_many("sha256", Arrow(None)),
    "arrow: no capsules": lambda: hashcore.digest_many("sha256", Arrow((BUFFER, BUFFER))),
    "arrow: raises": lambda: hashcore.digest_many("sha256", Arrow(KeyError())),
    "arrow: swapped": lambda: hashcore.digest_many("sha256", arrow(b"a", swapped=True)),
    "arrow: nulls": lambda: hashcore.digest_many("sha256", arrow(b"a", None)),
    "arrow: type": lambda: hashcore.digest_many("sha256", arrow(1, 2)),
    "arrow: out": lambda: hashcore.digest_many("sha256", arrow(b"a", b"b"), out=BUFFER[:9]),
    "batch: negative offset": lambda: hashcore.digest_many("sha256", BUFFER, offsets=array.array("q", [0, -1])),
    "batch: overlap": lambda: overlapping(lambda a, b: hashcore.digest_many("sha256", a, item_size=32, out=b)),
    "batch: overlap of an item": lambda: overlapping(lambda a, b: hashcore.digest_many("sha256", [a] * 20, out=b)),
    "xor_mask: overlap": lambda: overlapping(lambda a, b: hashcore.xor_mask(a, b"key", out=b)),
    "xor_into: overlap": lambda: overlapping(lambda a, b: hashcore.xor_into(b, a)),
    "xor: source": lambda: hashcore.xor(BUFFER, BUFFER, "text"),
    "strided": lambda: hashcore.sha256().update(BUFFER, STRIDED),
    "strided: one-shot": lambda: hashcore.digest("blake3", BUFFER, STRIDED, key=bytes(32)),
    "strided: item": lambda: hashcore.digest_many("sha256", [BUFFER, STRIDED]),
    "strided: offsets": lambda: hashcore.digest_many("sha256", BUFFER, offsets=memoryview(array.array("i", [0] * 8))[::2]),
    "strided: key": lambda: hashcore.blake2b(BUFFER, key=STRIDED),
    "strided: out": lambda: hashcore.xor_mask(BUFFER, b"key", out=memoryview(bytearray(200))[::2]),
    "strided: parent": lambda: hashcore.parent(BUFFER[:32], STRIDED[:32]),
    "strided: root": lambda: hashcore.root([BUFFER[:32], STRIDED[:32]]),
    "strided: bao": lambda: bao.encode(STRIDED),
    "released": lambda: hashcore.sha256().update(BUFFER, RELEASED),
    "released: item": lambda: hashcore.digest_many("sha256", [BUFFER] * 9 + [RELEASED]),
    "released: out": lambda: hashcore.digest_many("sha256", [BUFFER], out=RELEASED),
    "released: parent": lambda: hashcore.parent(RELEASED, RELEASED),
    "released: bao": lambda: bao.encode(RELEASED),
    "raising": lambda: hashcore.sha256().update(BUFFER, Raising()),
    "raising: one-shot": lambda: hashcore.hexdigest("blake2b", *[BUFFER] * 9, Raising(), key=b"k"),
    "raising: item": lambda: hashcore.digest_many("sha256", [BUFFER] * 9 + [Raising()]),
    "raising: option": lambda: hashcore.blake2b(BUFFER, key=BUFFER[:9], salt=Raising()),
    "raising: out": lambda: hashcore.digest_many("sha256", [BUFFER], out=Raising()),
    "raising: xor": lambda: hashcore.xor(BUFFER, Raising()),
    "raising: parent": lambda: hashcore.parent(BUFFER[:32], Raising()),
    "raising: bao": lambda: bao.decode(Raising(), bytes(32)),
    "reader: threads": lambda: hashcore.blake3(BUFFER).reader(threads="2"),
    "reader: whence": lambda: hashcore.blake3(BUFFER).reader().seek(0, 7),
    "reader: offset": lambda: hashcore.blake3(BUFFER).reader().seek(-1),
    "reader: size": lambda: hashcore.blake3(BUFFER).reader().read("1"),
    "reader: too much": lambda: hashcore.blake3(BUFFER).reader().read(),
    "reader: buffer": lambda: hashcore.blake3(BUFFER).reader().readinto(STRIDED),
    "reader: closed": lambda: closed(hashcore.blake3(BUFFER).reader()),
    "bao": lambda: bao.decode(BUFFER, bytes(32)),
    "bao: root": lambda: bao.decode(BUFFER, BUFFER),
    "bao: target": lambda: bao.encode_file(__file__, 5),
    "bao: target that is the source": lambda: bao.encode_file(__file__, __file__),
    "bao: decode_file": lambda: bao.decode_file(ENCODED, io.BytesIO(), bytes(32)),
    "bao: read": lambda: bao.decode(Wrong(bytes(99)), bytes(32)),
    "bao.Reader: root": lambda: bao.Reader(ENCODED, BUFFER),
    "bao.Reader: group": lambda: bao.Reader(ENCODED, ROOT, group=11),
    "bao.Reader: no file": lambda: bao.Reader("/no/such/file", ROOT),
    "bao.Reader: no data": lambda: bao.Reader(__file__, ROOT, data="/no/such/file"),
    "bao.Reader: read": lambda: bao.Reader(ENCODED, bytes(32)).read(1),
    "bao.Reader: length": lambda: bao.Reader(ENCODED[:-1], ROOT).length(),
    "bao.Reader: seek": lambda: bao.Reader(ENCODED, ROOT).seek(-1),
    "bao.Reader: buffer": lambda: bao.Reader(ENCODED, ROOT).readinto(STRIDED),
    "bao.Reader: closed": lambda: closed(bao.Reader(ENCODED, ROOT)),
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


def descriptors():
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


@pytest.mark.parametrize("path", PATHS)
def test_error_paths(path):
    call = PATHS[path]
    watched = [b"", None, "sha256", "key", *hashcore._hashcore.__dict__.values(), BUFFER]
    blocks = []

    def loop(n):
        for _ in range(n):
            try:
                call()
            except (TypeError, ValueError, OverflowError, MemoryError, OSError, KeyError, BufferError):
                continue
            raise AssertionError(f"{path}: no error")

    loop(50)
    before = descriptors()
    for _ in range(4):
        loop(100)
        gc.collect()
        blocks.append((sys.getallocatedblocks(), [sys.getrefcount(o) for o in watched]))
    assert blocks[-1][0] - blocks[1][0] < 50, blocks
    assert descriptors() == before
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
