"""Readers of long output, BLAKE3 trees from pieces, and state images."""
import copy
import io
import multiprocessing
import os
import pickle
import random
import subprocess
import sys

import pytest

import hashcore

END = 2**64 - 1
MODES = [{}, {"key": b"k" * 32}, {"derive_key_context": "hashcore tests 2026 context"}]

# ---- Readers


@pytest.mark.parametrize("mode", MODES)
def test_reader_of_blake3(mode):
    h = hashcore.blake3(b"data", **mode)
    long = h.digest(20000)
    r = h.reader()
    assert isinstance(r, io.RawIOBase) and r.readable() and r.seekable() and not r.writable() and r.size == END
    assert r.read(10) == long[:10] and r.tell() == 10 and r.read(0) == b"" and r.read(1000) == long[10:1010]
    buffer = bytearray(500)
    assert r.readinto(buffer) == 500 and buffer == long[1010:1510]
    other = r.copy()
    assert r.read(3) == other.read(3) == copy.copy(r).seek(-3, 1) * b"" + long[1510:1513]
    h.update(b"more")  # the reader has its own state
    rng = random.Random(1)
    for offset in [*range(0, 3000, 7), *(rng.randrange(19000) for _ in range(100))]:
        assert r.seek(offset) == offset and r.read(130) == long[offset : offset + 130]
    for offset in (64, 65, 1024 + 64, 1023):  # pieces of 7 after a seek
        r.seek(offset)
        assert b"".join(r.read(7) for _ in range(30)) == long[offset : offset + 210]
    for far in (2**32, 2**38, 2**63, END - 1000):
        for offset in (far - 1, far, far + 65):
            r.seek(offset)
            assert r.read(100) == hashcore.digest("blake3", b"data", digest_size=100, seek=offset, **mode)
    assert io.BufferedReader(h.reader()).read(5000) == h.digest(5000)


def test_the_end_of_blake3():
    h = hashcore.blake3(b"x")
    r = h.reader()
    assert r.seek(-10, 2) == END - 10 and r.read(4) == h.digest(4, seek=END - 10)
    assert len(r.read(100)) == 6 and r.read(5) == b"" and r.tell() == END and r.read() == b"" and r.readinto(bytearray(4)) == 0
    r.seek(-3, 2)
    assert len(r.read()) == 3 and len(r.readall()) == 0
    r.seek(0)
    with pytest.raises(OverflowError):
        r.read()
    for bad in ((-1,), (2**64,), (1, 2), (-1, 0), (-2**70, 1)):
        with pytest.raises(ValueError):
            r.seek(*bad)
    with pytest.raises(ValueError):
        r.seek(0, 3)
    for bad in ("1", 1.5, None):
        with pytest.raises(TypeError):
            r.seek(bad)
    assert r.tell() == 0
    r.close()
    for call in (r.read, r.tell, lambda: r.seek(0), lambda: r.readinto(bytearray(1)), r.copy):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_buffers_that_readers_refuse():
    """They stay where they were."""
    h = hashcore.blake3(b"x")
    encoded, root = hashcore.bao.encode(b"x" * 100)
    for r, want in ((h.reader(), h.digest(9)), (hashcore.bao.Reader(encoded, root), b"x" * 9)):
        for bad, kind, text in ((memoryview(bytearray(9))[::2], BufferError, "^buffer: a contiguous buffer"), (bytes(9), TypeError, "^buffer: a writable"),
                                (None, TypeError, "^buffer: a writable buffer is needed, not NoneType"), ("text", TypeError, "^buffer")):
            with pytest.raises(kind, match=text):
                r.readinto(bad)
        to = memoryview(bytearray(12)).cast("B", (3, 4))
        assert r.tell() == r.readinto(bytearray()) == 0 and r.read(9) == want and r.readinto(to) == 12 and len(bytes(to)) == 12 and r.tell() == 21


def test_readers_of_blake2xb():
    h = hashcore.blake2xb(b"data", digest_size=1000)
    r = h.reader()
    assert r.size == 1000 and r.read() == h.digest() and r.read(5) == b""
    assert r.seek(990) == 990 and len(r.read(50)) == 10 and r.seek(5000) == 5000 and r.read(3) == b""
    assert h.digest(10, seek=500) == h.digest()[500:510] and h.digest(seek=900) == h.digest()[900:]
    with pytest.raises(ValueError):
        h.digest(1001)
    unknown = hashcore.blake2xb(b"data", key=b"k").reader()
    assert unknown.size == 2**38 and unknown.read(100)[50:] == hashcore.blake2xb(b"data", key=b"k").digest(50, seek=50)
    assert unknown.seek(-64, 2) == 2**38 - 64 and len(unknown.read(1000)) == 64


def test_readers_and_threads():
    h = hashcore.blake3(b"x")
    long = h.digest(3 << 20)
    for threads in (0, 1, 2, hashcore.AUTO):
        assert h.reader(threads=threads).read(3 << 20) == long == h.digest(3 << 20, threads=threads)
    for bad, kind in ((-2, ValueError), ("2", TypeError)):
        with pytest.raises(kind):
            h.reader(threads=bad)
    for bad in (hashcore.sha256(), hashcore.blake2b(), hashcore.hmac_sha256(b"")):
        with pytest.raises(TypeError):
            bad.reader()
    with pytest.raises(TypeError):
        hashcore.Reader(b"bytes")


@pytest.mark.parametrize("make", [
    lambda: hashcore.blake3(b"x"), lambda: hashcore.blake3(b"x" * 5000, key=b"k" * 32), lambda: hashcore.blake2xb(b"x"),
    lambda: hashcore.blake2xb(b"x", digest_size=5 << 20, key=b"k"),
], ids=["blake3", "blake3-keyed", "blake2xb", "blake2xb-keyed"])
def test_output_by_threads(make):
    """Equal to that of one thread, whatever part of it, and to pieces that no thread is started for."""
    h = make()
    size = 5 << 20
    want = h.digest(size, threads=1)
    for piece in range(0, size, 100_000):  # apart from threads, in parts
        assert h.digest(1000, seek=piece) == want[piece : piece + 1000]
    for threads in (0, 2, 3, hashcore.AUTO):
        assert h.digest(size, threads=threads) == want
        for at, n in ((1, size - 1), (63, 3 << 20), (64, (2 << 20) + 1), (65537, (1 << 20) + 63), (size - (1 << 20), 1 << 20)):
            assert h.digest(n, seek=at, threads=threads) == want[at : at + n]
    assert h.hexdigest(2 << 20, seek=5, threads=2) == want[5 : 5 + (2 << 20)].hex()


# ---- BLAKE3 trees


def value_of(data, first_chunk, mode):
    """A subtree's value from its two halves, down to chunks."""
    left = hashcore.left_len(len(data))
    if not left:
        return hashcore.subtree(data, first_chunk, **mode)
    return hashcore.parent(value_of(data[:left], first_chunk, mode), value_of(data[left:], first_chunk + left // 1024, mode), **mode)


@pytest.mark.parametrize("mode", MODES)
def test_digests_from_pieces(mode):
    rng = random.Random(2)
    data = rng.randbytes(100_000)
    for n in (1025, 2048, 2049, 3000, 65536, 70_001, 100_000):
        want = hashcore.digest("blake3", data[:n], digest_size=100, seek=5, **mode)
        for piece in (1024, 4096, 16384):
            values = [hashcore.subtree(data[at : min(at + piece, n)], at // 1024, **mode) for at in range(0, n, piece)]
            if len(values) > 1:
                assert hashcore.root(values, digest_size=100, seek=5, **mode) == want
                assert hashcore.root(b"".join(values), digest_size=100, seek=5, **mode) == want
        left = hashcore.left_len(n)
        halves = value_of(data[:left], 0, mode), value_of(data[left:n], left // 1024, mode)
        assert hashcore.root(halves, digest_size=100, seek=5, **mode) == want
        assert halves[0] == hashcore.subtree(data[:left], 0, threads=2, **mode)


def test_random_cuts():
    """Whatever subtrees are hashed as one piece, the digest is the plain one."""
    rng = random.Random(3)
    data = rng.randbytes(200_000)

    def value(at, n, whole):
        left = hashcore.left_len(n)
        if not left or (not whole and rng.random() < 0.4):
            return hashcore.subtree(data[at : at + n], at // 1024)
        halves = value(at, left, False), value(at + left, n - left, False)
        return hashcore.root(halves) if whole else hashcore.parent(*halves)

    for _ in range(100):
        n = rng.randrange(1025, len(data))
        assert value(0, n, True) == hashcore.digest("blake3", data[:n])


def piece_value(arguments):
    data, chunk = arguments
    return hashcore.subtree(data, chunk)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pieces_in_other_processes(method):
    data = os.urandom(1 << 20) + b"tail"
    piece = 1 << 18
    with multiprocessing.get_context(method).Pool(2) as pool:
        values = pool.map(piece_value, [(data[at : at + piece], at // 1024) for at in range(0, len(data), piece)])
    assert hashcore.root(values) == hashcore.digest("blake3", data)


def test_sizes_of_subtrees():
    assert [hashcore.left_len(n) for n in (0, 1, 1024, 1025, 2048, 2049, 4096, 5000)] == [0, 0, 0, 1024, 1024, 2048, 2048, 4096]
    assert [hashcore.subtree_max(n) for n in (1, 2, 3, 4, 12)] == [1024, 2048, 1024, 4096, 4096]
    assert hashcore.subtree_max(0) >= 2**63
    for call in (hashcore.left_len, hashcore.subtree_max):
        for bad, kind in ((-1, ValueError), (2**64, OverflowError), (1.0, TypeError), ("1", TypeError), (None, TypeError)):
            with pytest.raises(kind):
                call(bad)


@pytest.mark.parametrize("call, kind", [
    (lambda: hashcore.subtree(b""), ValueError), (lambda: hashcore.subtree(bytes(2048), 1), ValueError),
    (lambda: hashcore.subtree("text"), TypeError), (lambda: hashcore.subtree(None), TypeError),
    (lambda: hashcore.subtree(b"x", -1), ValueError), (lambda: hashcore.subtree(b"x", 2**64), OverflowError),
    (lambda: hashcore.subtree(b"x", key=b"short"), ValueError), (lambda: hashcore.subtree(b"x", key="text"), TypeError),
    (lambda: hashcore.subtree(b"x", key=bytes(32), derive_key_context="c"), ValueError),
    (lambda: hashcore.subtree(b"x", threads=-2), ValueError), (lambda: hashcore.parent(bytes(31), bytes(32)), ValueError),
    (lambda: hashcore.parent(bytes(32), bytes(33)), ValueError), (lambda: hashcore.parent(bytes(32)), TypeError),
    (lambda: hashcore.parent("x" * 32, bytes(32)), TypeError), (lambda: hashcore.root(b""), ValueError),
    (lambda: hashcore.root(bytes(32)), ValueError), (lambda: hashcore.root(bytes(65)), ValueError),
    (lambda: hashcore.root([]), ValueError), (lambda: hashcore.root(["x"]), TypeError), (lambda: hashcore.root(5), TypeError),
    (lambda: hashcore.root(bytes(64), digest_size=-1), ValueError), (lambda: hashcore.root(bytes(64), seek=2**64), OverflowError),
    (lambda: hashcore.root(bytes(64), digest_size=2, seek=END - 1), ValueError),
])
def test_bad_tree_arguments(call, kind):
    with pytest.raises(kind):
        call()


@pytest.mark.parametrize("call, kind, text", [
    (lambda: hashcore.parent("x" * 32, bytes(32)), TypeError, "left: a bytes-like object is needed, not str"),
    (lambda: hashcore.parent(bytes(32), None), TypeError, "right: a bytes-like object is needed, not NoneType"),
    (lambda: hashcore.parent(bytes(32), bytes(33)), ValueError, "right: 33 bytes given, 32 needed"),
    (lambda: hashcore.parent(memoryview(bytes(64))[::2], bytes(32)), BufferError, "left: a contiguous buffer is needed"),
    (lambda: hashcore.root(["x"]), TypeError, r"values\[0\]: a bytes-like object is needed, not str"),
    (lambda: hashcore.root((bytes(32), 5)), TypeError, r"values\[1\]: a bytes-like object is needed, not int"),
    (lambda: hashcore.root([bytes(32), memoryview(bytes(64))[::2]]), BufferError, r"values\[1\]: a contiguous buffer is needed"),
    (lambda: hashcore.root("x"), TypeError, "values: Strings must be encoded"),
])
def test_tree_errors_name_the_argument(call, kind, text):
    with pytest.raises(kind, match=f"^{text}"):
        call()


def test_any_contiguous_buffer_is_a_value():
    left, right = os.urandom(32), os.urandom(32)
    want = hashcore.parent(left, right)
    for kind in (bytearray, memoryview, lambda b: memoryview(b).cast("I"), lambda b: memoryview(b).cast("B", (4, 8))):
        assert hashcore.parent(kind(left), kind(right)) == want
    numpy = pytest.importorskip("numpy")
    assert hashcore.parent(numpy.frombuffer(left, ">u4"), right) == want
    assert hashcore.bao.encode(numpy.zeros((0, 3))) == hashcore.bao.encode(b"")


# ---- State images, pickle, copies

ALGORITHMS = [
    ("sha224", {}), ("sha256", {}), ("blake2b", {}), ("blake2b", {"digest_size": 20, "salt": b"salt", "person": b"p", "fanout": 3}),
    ("blake3", {}), ("blake2xb", {"digest_size": 100}),
]
KEYED = [
    ("hmac-sha224", {"key": b"key"}), ("hmac-sha256", {"key": b"k" * 100}), ("blake2b", {"key": b"key"}),
    ("blake2xb", {"digest_size": 100, "key": b"key"}), ("blake3", {"key": b"k" * 32}), ("blake3", {"derive_key_context": "context"}),
]
LENGTHS = (0, 1, 63, 64, 65, 127, 128, 129, 1000, 1024, 1025, 2048, 3000, 70_000)


@pytest.mark.parametrize("name, options", ALGORITHMS)
def test_pickle(name, options):
    data = bytes(range(256)) * 300
    for n in LENGTHS:
        h = hashcore.new(name, data[:n], **options)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            other = pickle.loads(pickle.dumps(h, protocol))
            assert type(other) is type(h) and other.digest() == h.digest() and other.digest_size == h.digest_size
            assert other.update(data).digest() == h.copy().update(data).digest()
            assert other.reset().digest() == hashcore.new(name, **options).digest()
        assert copy.copy(h).digest() == copy.deepcopy([h, h])[1].digest() == h.digest()


@pytest.mark.parametrize("name, options", KEYED)
def test_keyed_states(name, options):
    data = bytes(range(256)) * 300
    for n in LENGTHS:
        h = hashcore.new(name, data[:n], **options)
        with pytest.raises(TypeError, match="export"):
            pickle.dumps(h)
        assert copy.copy(h).digest() == copy.deepcopy(h).digest() == h.digest()
        other = hashcore.restore(name, h.export())
        assert other.digest() == h.digest() and other.update(data).digest() == h.update(data).digest()
        assert other.reset().update(data).digest() == hashcore.new(name, data, **options).digest()
        with pytest.raises(TypeError, match="export"):
            pickle.dumps(other)
        with pytest.raises(ValueError):
            h.export("go")


def test_go_images():
    """MarshalBinary of Go's crypto/sha256: magic, h, buffer, count; and of x/crypto/blake2b."""
    h = hashcore.sha256(b"abc")
    image = h.export("go")
    assert len(image) == 108 and image[:4] == b"sha\x03" and image[36:39] == b"abc" and image[-8:] == (3).to_bytes(8, "big")
    assert image[4:36].hex() == "6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19"
    assert hashcore.sha224(b"abc").export("go")[:4] == b"sha\x02"
    b = hashcore.blake2b(b"abc", digest_size=20).export("go")
    assert len(b) == 213 and b[:3] == b"b2b" and b[-1] == 3 and b[83] == 20 and b[84:87] == b"abc"
    for name in ("sha224", "sha256", "blake2b"):
        for n in LENGTHS:
            h = hashcore.new(name, bytes(n))
            assert hashcore.restore(name, h.export(format="go")).update(b"x").digest() == h.update(b"x").digest()
    for h in (hashcore.blake3(), hashcore.blake2xb(), hashcore.blake2b(key=b"k"), hashcore.blake2b(salt=b"s")):
        with pytest.raises(ValueError):
            h.export("go")


def test_what_restore_refuses():
    images = {name: hashcore.new(name, b"x" * 100).export() for name in ("sha224", "sha256", "blake2b", "blake3", "blake2xb")}
    for name in images:
        for other, image in images.items():
            if other != name:
                with pytest.raises(ValueError, match="image"):
                    hashcore.restore(name, image)
        for bad in (b"", b"x", images[name][:-1], images[name] + b"x", bytes(3000)):
            with pytest.raises(ValueError, match="image"):
                hashcore.restore(name, bad)
        for bit in range(0, 8 * len(images[name]), 3):
            bad = bytearray(images[name])
            bad[bit // 8] ^= 1 << bit % 8
            with pytest.raises(ValueError, match="image"):
                hashcore.restore(name, bad)
    for args, kind in ((("sha256", "text"), TypeError), (("sha256", None), TypeError), (("sha256",), TypeError), ((), TypeError),
                       (("md5", b""), ValueError), ((None, b""), TypeError)):
        with pytest.raises(kind):
            hashcore.restore(*args)
    for bad, kind in (("xml", ValueError), (None, TypeError), (b"go", TypeError)):
        with pytest.raises(kind):
            hashcore.sha256().export(bad)


def test_random_mutations_of_images():
    rng = random.Random(4)
    images = [(name, hashcore.new(name, rng.randbytes(rng.randrange(5000)), **options).export()) for name, options in ALGORITHMS + KEYED]
    for _ in range(20_000):
        name, image = rng.choice(images)
        bad = bytearray(image)
        for _ in range(rng.randrange(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        if rng.random() < 0.3:
            bad = bad[: rng.randrange(len(bad))]
        try:
            h = hashcore.restore(name, bad)
        except ValueError:
            continue
        assert bytes(bad) == image  # a mutation that changed nothing
        h.update(b"x" * 2000).copy().digest(*((10,) if name.startswith("blake2x") or name == "blake3" else ()))


def test_states_cross_dispatch_levels():
    """Made at one level, resumed at another."""
    data = random.Random(5).randbytes(5000)
    program = (
        "import hashcore, sys; name, image, rest = sys.argv[1:]; "
        "print(hashcore.restore(name, bytes.fromhex(image)).update(bytes.fromhex(rest)).digest().hex())"
    )
    for name in ("sha256", "blake2b", "blake3"):
        h = hashcore.new(name, data[:2500])
        done = subprocess.run([sys.executable, "-c", program, name, h.export().hex(), data[2500:].hex()],
                              env=dict(os.environ, HASHCORE_CPU="portable"), stdout=subprocess.PIPE, check=True)
        assert done.stdout.decode().strip() == hashcore.hexdigest(name, data)
