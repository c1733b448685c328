"""Bao: encodings against a plain recursion over the tree, slices, hostile input."""
import io
import os
import random

import pytest

import hashcore
from hashcore import bao

MODES = [{}, {"key": b"k" * 32}, {"derive_key_context": "context"}]
SIZES = (0, 1, 1023, 1024, 1025, 2048, 2049, 3072, 4096, 5000, 8193, 16385, 40_000)
DATA = random.Random(11).randbytes(max(SIZES))


def plain_encode(data, group, mode, outboard):
    """As the Bao specification describes it: length, then the tree in pre-order."""
    leaf = 1024 << group

    def value(at, n):
        return hashcore.subtree(data[at : at + n], at // 1024, **mode)

    def walk(at, n):
        if n <= leaf:
            return b"" if outboard else data[at : at + n]
        left = hashcore.left_len(n)
        return tree_value(at, left) + tree_value(at + left, n - left) + walk(at, left) + walk(at + left, n - left)

    def tree_value(at, n):
        if n <= leaf:
            return value(at, n)
        left = hashcore.left_len(n)
        return hashcore.parent(tree_value(at, left), tree_value(at + left, n - left), **mode)

    return len(data).to_bytes(8, "little") + walk(0, len(data))


@pytest.mark.parametrize("group", [0, 1, 4, 10])
@pytest.mark.parametrize("mode", MODES)
def test_encodings(group, mode):
    for n in SIZES:
        data = DATA[:n]
        for outboard in (False, True):
            encoded, root = bao.encode(data, group=group, outboard=outboard, **mode)
            assert root == hashcore.digest("blake3", data, **mode)
            assert encoded == plain_encode(data, group, mode, outboard)
            assert len(encoded) == bao.encoded_size(n, group=group, outboard=outboard)
            beside = {"data": data} if outboard else {}
            assert bao.decode(encoded, root, group=group, **beside, **mode) == data
            with pytest.raises(hashcore.VerificationError):
                bao.decode(encoded, bytes(32), group=group, **beside, **mode)
            with pytest.raises(hashcore.VerificationError):
                bao.decode(encoded, root, group=group, **beside, key=b"another key, and a wrong one too")


def test_files(tmp_path):
    source, target, back = tmp_path / "source", tmp_path / "target", tmp_path / "back"
    source.write_bytes(DATA)
    for group in (0, 4):
        root = bao.encode_file(source, target, group=group)
        assert (target.read_bytes(), root) == bao.encode(DATA, group=group)
        assert bao.decode_file(target, back, root, group=group) == len(DATA) and back.read_bytes() == DATA
        root = bao.encode_file(source, target, group=group, outboard=True)
        assert bao.decode(target, root, data=source, group=group) == DATA
        assert bao.decode_file(target, io.BytesIO(), root, data=source, group=group) == len(DATA)
    with open(source, "rb") as f:  # from its position, and to a position
        f.seek(5)
        out = io.BytesIO(b"head")
        out.seek(4)
        root = bao.encode_file(f, out)
    assert out.getvalue() == b"head" + bao.encode(DATA[5:])[0] and root == hashcore.digest("blake3", DATA[5:])
    out.seek(4)
    assert bao.decode(out, root) == DATA[5:]


@pytest.mark.parametrize("group", [0, 2])
def test_slices(group):
    rng = random.Random(12)
    for n in SIZES:
        data = DATA[:n]
        encoded, root = bao.encode(data, group=group)
        outboard, _ = bao.encode(data, group=group, outboard=True)
        cases = [(0, 0), (0, n), (n, 0), (n, 5), (n + 1, 1), (2**63, 5), (0, 2**63), (max(n - 1, 0), 1), (0, 1)]
        cases += [(rng.randrange(n + 1), rng.randrange(n + 2000)) for _ in range(15)]
        for start, length in cases:
            cut = bao.extract_slice(encoded, start, length, group=group)
            assert cut == bao.extract_slice(outboard, start, length, data=data, group=group)
            assert bao.decode_slice(cut, root, start, length, group=group) == data[start : start + length]
            for bad in (cut[:-1], cut + b"x", b""):
                with pytest.raises(ValueError):
                    bao.decode_slice(bad, root, start, length, group=group)
            with pytest.raises(hashcore.VerificationError):
                bao.decode_slice(cut, bytes(32), start, length, group=group)


@pytest.mark.parametrize("outboard", [False, True])
def test_readers(outboard, tmp_path):
    rng = random.Random(13)
    for n in SIZES:
        data = DATA[:n]
        encoded, root = bao.encode(data, outboard=outboard)
        path = tmp_path / "encoded"
        path.write_bytes(encoded)
        beside = {"data": data} if outboard else {}
        for source in (encoded, path, io.BytesIO(encoded)):
            r = bao.Reader(source, root, **beside)
            assert r.readable() and r.seekable() and r.read() == data and r.read(5) == b"" and r.length() == n
            for _ in range(20):
                at, want = rng.randrange(n + 10), rng.randrange(3000)
                assert r.seek(at) == at and io.BufferedReader(_Open(r)).read(want) == data[at : at + want]
            assert r.seek(-min(n, 7), 2) == n - min(n, 7) and r.read() == data[n - min(n, 7) :]
            for bad in (-1, 2**64):
                with pytest.raises(ValueError):
                    r.seek(bad)
            r.close()
            with pytest.raises(ValueError, match="closed"):
                r.read(1)


class _Open(io.RawIOBase):
    """Keeps what it wraps open."""

    def __init__(self, raw):
        self.raw = raw

    def readable(self):
        return True

    def readinto(self, buffer):
        return self.raw.readinto(buffer)


def test_a_stream_that_cannot_seek():
    encoded, root = bao.encode(DATA)

    class Stream(io.BytesIO):
        def seekable(self):
            return False

        def seek(self, *_):
            raise io.UnsupportedOperation

        def read(self, size=-1):
            return super().read(min(size, 100))  # short reads, as sockets give

    r = bao.Reader(Stream(encoded), root)
    assert not r.seekable() and r.read() == DATA
    assert bao.decode(Stream(encoded), root) == DATA


@pytest.mark.parametrize("n", [0, 1, 1024, 1025, 2049, 3000])
def test_every_flip_and_truncation(n):
    """Of an encoding, its outboard and the data beside it."""
    data = DATA[:n]
    encoded, root = bao.encode(data)
    outboard, _ = bao.encode(data, outboard=True)

    def refused(call):
        with pytest.raises(ValueError):  # VerificationError, or a length that cannot be
            call()

    for at in range(len(encoded)):
        refused(lambda: bao.decode(encoded[:at], root))
        for bit in (1 << at % 8,) if at >= 72 else range(1, 256, 37):
            bad = bytearray(encoded)
            bad[at] ^= bit
            refused(lambda: bao.decode(bad, root))
    refused(lambda: bao.decode(encoded + b"\0", root))
    for at in range(len(outboard)):
        refused(lambda: bao.decode(outboard[:at], root, data=data))
        bad = bytearray(outboard)
        bad[at] ^= 1 << at % 8
        refused(lambda: bao.decode(bad, root, data=data))
    refused(lambda: bao.decode(outboard, root, data=data + b"x"))
    if n:
        refused(lambda: bao.decode(outboard, root, data=data[:-1]))
        for at in range(0, n, 13):
            bad = bytearray(data)
            bad[at] ^= 4
            refused(lambda: bao.decode(outboard, root, data=bad))


def test_only_verified_bytes_are_handed_out():
    encoded, root = bao.encode(DATA[:8192])
    bad = bytearray(encoded)
    bad[-1] ^= 1  # in the last chunk
    r = bao.Reader(bytes(bad), root)
    got = bytearray()
    with pytest.raises(hashcore.VerificationError):
        while True:
            got += r.read(1000)
    assert got == DATA[:7168]
    with pytest.raises(hashcore.VerificationError):
        r.read(1)
    with pytest.raises(hashcore.VerificationError):
        r.length()
    r.seek(100)
    assert r.read(100) == DATA[100:200]  # what is right can still be read
    out = io.BytesIO()
    with pytest.raises(hashcore.VerificationError):
        bao.decode_file(bytes(bad), out, root)
    assert out.getvalue() == DATA[:7168]


def test_lies_about_the_length():
    root = hashcore.digest("blake3", b"abc")
    for length in (2, 4, 2**63, 2**64 - 1):
        bad = length.to_bytes(8, "little") + b"abc"
        with pytest.raises(ValueError):
            bao.decode(bad, root)
        r = bao.Reader(bad, root)
        with pytest.raises(ValueError):
            r.length()
        with pytest.raises(ValueError):
            r.read()


def test_random_mutations():
    rng = random.Random(14)
    cases = [(bao.encode(DATA[:n]), DATA[:n]) for n in (1025, 2500, 5000)]
    for _ in range(5000):
        (encoded, root), data = rng.choice(cases)
        bad = bytearray(encoded)
        for _ in range(rng.randrange(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        start, length = rng.randrange(6000), rng.randrange(6000)
        try:
            cut = bao.extract_slice(bad, start, length)
            assert bao.decode_slice(cut, root, start, length) == data[start : start + length]
        except ValueError:
            pass


@pytest.mark.parametrize("call, kind", [
    (lambda: bao.encode("text"), TypeError), (lambda: bao.encode(None), TypeError),
    (lambda: bao.encode(b"", group=11), ValueError), (lambda: bao.encode(b"", group=-1), ValueError),
    (lambda: bao.encode(b"", group="1"), TypeError), (lambda: bao.encode(b"", key=b"short"), ValueError),
    (lambda: bao.decode(b"", b"short"), ValueError), (lambda: bao.decode(b"", "x" * 32), TypeError),
    (lambda: bao.decode(bao.encode(b"x")[0], None), TypeError), (lambda: bao.Reader(bao.encode(b"x")[0], None), TypeError),
    (lambda: bao.decode_slice(bao.encode(b"x")[0], None, 0, 1), TypeError), (lambda: bao.decode(5, bytes(32)), TypeError),
    (lambda: bao.encoded_size(-1), ValueError), (lambda: bao.encoded_size(2**64 - 1), ValueError),
    (lambda: bao.encoded_size("1"), TypeError), (lambda: bao.extract_slice(b"", 0, 1), ValueError),
    (lambda: bao.extract_slice(bytes(8), -1, 1), ValueError), (lambda: bao.extract_slice(bytes(8), 0, 2**64), OverflowError),
    (lambda: bao.decode_slice(bytes(8), bytes(32), 0.5, 1), TypeError), (lambda: bao.encode_file(b"data", io.BytesIO()), TypeError),
    (lambda: bao.Reader(b"", b"short"), ValueError), (lambda: bao.decode("/no/such/file", bytes(32)), FileNotFoundError),
])
def test_bad_arguments(call, kind):
    with pytest.raises(kind):
        call()


STRIDED = memoryview(bytes(64))[::2]


@pytest.mark.parametrize("call, kind, text", [
    (lambda: bao.encode(__file__), TypeError, "data: a bytes-like object is needed, not str"),
    (lambda: bao.encode(io.BytesIO(b"x")), TypeError, "data: a bytes-like object is needed, not BytesIO"),
    (lambda: bao.encode(STRIDED), BufferError, "data: a contiguous buffer is needed"),
    (lambda: bao.decode(STRIDED, bytes(32)), BufferError, "encoded: a contiguous buffer is needed"),
    (lambda: bao.decode(None, bytes(32)), TypeError, "encoded: a path, a binary file or a bytes-like object is needed, not NoneType"),
    (lambda: bao.decode(io.StringIO(), bytes(32)), TypeError, "encoded: a file in binary mode is needed, not StringIO"),
    (lambda: bao.extract_slice(bytes(8), 0, 1, data=STRIDED), BufferError, "data: a contiguous buffer is needed"),
    (lambda: bao.encode_file(__file__, None), TypeError, "target: a path or a binary file is needed, not NoneType"),
    (lambda: bao.encode_file(__file__, 5), TypeError, "target: a path or a binary file is needed, not int"),
    (lambda: bao.encode_file(__file__, io.StringIO()), TypeError, "target: a file in binary mode is needed, not StringIO"),
    (lambda: bao.encode_file(__file__, OnlyWrite()), TypeError, "target: a path or a seekable binary file is needed"),
    (lambda: bao.encode_file(None, io.BytesIO()), TypeError, "source: a path, a binary file or a bytes-like object is needed, not NoneType"),
    (lambda: bao.encode_file(io.StringIO("text"), io.BytesIO()), TypeError, "source: a file in binary mode is needed, not StringIO"),
    (lambda: bao.decode_file(bytes(8), None, bytes(32)), TypeError, "target: a path or a binary file is needed, not NoneType"),
    (lambda: bao.decode_file(bytes(8), 5, bytes(32)), TypeError, "target: a path or a binary file is needed, not int"),
    (lambda: bao.decode(Reads(b"x" * 9), bytes(32)), OSError, "encoded: read.8. returned 9 bytes"),
    (lambda: bao.decode(Reads(None), bytes(32)), BlockingIOError, "encoded: the file has no data now"),
])
def test_errors_name_the_argument(call, kind, text):
    with pytest.raises(kind, match=f"^{text}"):
        call()


class Reads:
    """Always returns the same."""

    def __init__(self, result):
        self.result = result

    def read(self, size):
        return self.result


class OnlyWrite:
    def write(self, piece):
        raise AssertionError("nothing may be written")


def test_what_only_reads_and_writes():
    """No other method is needed to decode in order."""
    encoded, root = bao.encode(b"x")
    got = []
    reads, writes = Reads(b""), OnlyWrite()
    reads.read, writes.write = io.BytesIO(encoded).read, got.append
    assert bao.decode_file(reads, writes, root) == 1 and got == [b"x"]


WRONG = [
    ({"group": 11}, ValueError), ({"group": -1}, ValueError), ({"group": "1"}, TypeError), ({"key": b"short"}, ValueError),
    ({"key": "text"}, TypeError), ({"key": bytes(32), "derive_key_context": "c"}, ValueError), ({"derive_key_context": 5}, TypeError),
]


@pytest.mark.parametrize("how, kind", WRONG)
def test_a_target_is_untouched_until_all_is_checked(how, kind, tmp_path):
    source, target, new = tmp_path / "source", tmp_path / "target", tmp_path / "new"
    source.write_bytes(DATA)
    target.write_bytes(b"precious")
    encoded, root = bao.encode(DATA)
    memory = io.BytesIO(b"precious")
    for to in (target, str(target), memory, new):
        for call in (lambda: bao.encode_file(source, to, **how), lambda: bao.decode_file(encoded, to, root, **how)):
            with pytest.raises(kind):
                call()
    for bad in (None, b"short", "x" * 32):
        with pytest.raises((TypeError, ValueError)):
            bao.decode_file(encoded, target, bad)
    for bad in (bytes(32), root[::-1]):
        for to in (target, new):
            with pytest.raises(hashcore.VerificationError):
                bao.decode_file(encoded, to, bad)
    for bad in (None, 5, b"bytes", tmp_path / "missing"):
        with pytest.raises((TypeError, FileNotFoundError)):
            bao.encode_file(bad, target)
    assert target.read_bytes() == memory.getvalue() == b"precious" and not new.exists()
    assert bao.decode_file(bao.encode(b"")[0], new, bao.encode(b"")[1]) == 0 and new.read_bytes() == b""


def test_a_target_that_is_a_source(tmp_path):
    """By whatever name: nothing is written."""
    source, link, hard = tmp_path / "source", tmp_path / "link", tmp_path / "hard"
    encoded, root = bao.encode(DATA)
    outboard = bao.encode(DATA, outboard=True)[0]
    link.symlink_to(source)
    source.write_bytes(encoded)
    os.link(source, hard)
    with open(source, "r+b") as opened:
        for one in (source, str(source), link, opened):
            for two in (source, str(source), link, hard, opened):
                opened.seek(0)
                with pytest.raises(ValueError, match="^target: the same file as source$"):
                    bao.encode_file(one, two)
                with pytest.raises(ValueError, match="^target: the same file as encoded$"):
                    bao.decode_file(one, two, root)
                assert source.read_bytes() == encoded
        source.write_bytes(DATA)
        for two in (source, link, hard, opened):
            opened.seek(0)
            with pytest.raises(ValueError, match="^target: the same file as data$"):
                bao.decode_file(outboard, two, root, data=source)
            assert source.read_bytes() == DATA
    memory = io.BytesIO(encoded)
    for call in (lambda: bao.encode_file(memory, memory), lambda: bao.decode_file(memory, memory, root)):
        with pytest.raises(ValueError, match="^target: the same file as"):
            call()
    assert memory.getvalue() == encoded
    other = tmp_path / "other"  # equal bytes are not the same file
    other.write_bytes(DATA)
    assert bao.encode_file(source, other) == root and other.read_bytes() == encoded
