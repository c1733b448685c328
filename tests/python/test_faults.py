"""Faults that befell users of other libraries, each tried on hashcore with the right result stated.

What a whole module tests elsewhere is not repeated here: digest(message) in test_contract, pickling in test_output, files that
are cut, pipes, sparse files and descriptors that fail in test_files, forks in test_concurrency.
"""
import _thread
import array
import hashlib
import hmac
import os
import random
import shutil
import subprocess
import sys

import pytest

import hashcore

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def test_topping_up_a_buffer_to_a_boundary():
    """A partly full buffer filled exactly to a chunk boundary, with empty updates between."""
    data = random.Random(1).randbytes(5000)
    for name in ("sha256", "blake2b", "blake3"):
        want = {n: hashcore.digest(name, data[:n]) for n in range(0, 5000, 61)}
        assert hashcore.new(name).update(data[:100]).update(data[100:1024]).digest() == hashcore.digest(name, data[:1024])
        for piece in (1, 63, 64, 65, 1023, 1024, 1025):
            for n in range(0, 5000, 61):
                h = hashcore.new(name)
                for at in range(0, n, piece):
                    h.update(data[at : min(at + piece, n)], b"")
                assert h.digest() == want[n], (name, piece, n)


def test_the_last_block_of_a_keyed_blake2b():
    """Messages of a multiple of the block; a key and nothing else."""
    for n in (0, 128, 256, 384):
        for key in (b"", b"abc", b"k" * 64):
            want = hashlib.blake2b(bytes(n), key=key).digest()
            assert hashcore.blake2b(bytes(n), key=key).digest() == want == hashcore.blake2b(key=key).update(bytes(n)).digest()
    assert hashcore.blake2b(b"", key=b"abc").hexdigest().startswith("91cc35fc51ce734e")


def test_reset_keeps_key_and_parameters():
    for make in (
        lambda: hashcore.blake2b(key=b"key", salt=b"salt", person=b"person", digest_size=20),
        lambda: hashcore.blake3(key=b"k" * 32), lambda: hashcore.blake3(derive_key_context="context"),
        lambda: hashcore.hmac_sha256(b"key"), lambda: hashcore.blake2xb(digest_size=100, key=b"key"),
    ):
        h = make().update(b"first")
        h.digest()
        assert h.reset().update(b"second").digest() == make().update(b"second").digest()


def test_short_salts_are_padded():
    assert hashcore.blake2b(b"x", salt=b"abc").digest() == hashcore.blake2b(b"x", salt=b"abc" + bytes(13)).digest()
    assert len({hashcore.blake2b(b"x", salt=s).digest() for s in (b"", b"a", b"b")}) == 3


@pytest.mark.parametrize("size", [0, 63, 64, 65, 131, 200])
def test_the_block_size_of_hmac(size):
    key = bytes(range(200))[:size]
    h = hashcore.hmac_sha256(key, b"Hi There")
    want = hmac.digest(key, b"Hi There", "sha256")
    assert h.block_size == 64 and h.digest() == want == h.copy().digest() == h.reset().update(b"Hi There").digest()


ZEROS = {
    2**29: {
        "sha256": "9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767",
        "blake3": "34f2f34bcc048af98242e010b4a661348276a784d9f9f99fcff70bf94fe8b9ba",
    },
    2**29 + 1: {
        "sha256": "7c40fe5ce847740d0f0d0cdde3949d6585804cdec3ae61a15b923165699c8137",
        "blake3": "33e017ed2cc4450d3dc1ed4a9ef471e6760973c45ec985b7ccc40ed301701daa",
    },
    5 * 2**30: {
        "sha256": "7f06c62352aebd8125b2a1841e2b9e1ffcbed602f381c3dcb3200200e383d1d5",
        "sha224": "0353fd2fc8d5c0dcfa5c49b61a5cb7ac70304302df956ac072985ef5",
        "blake2b": "12bca8ed46df6516bd78da33efa1137479a5a9027755458dc1d186f77306849f"
                   "deaf2af8ef129040b659376c7bd134b39c1c7d2c45abd0b7068a80de7f5dbf69",
    },
}


@pytest.mark.parametrize("size", [2**29, 2**29 + 1])
def test_more_than_2_to_the_32_bits(size):
    """By updates, by one-shots and in a batch with one huge job."""
    data = memoryview(bytes(2**29 + 1))[:size]
    for name, want in ZEROS[size].items():
        h = hashcore.new(name)
        for at in range(0, size, 1 << 20):
            h.update(data[at : at + (1 << 20)])
        assert h.hexdigest() == want == hashcore.hexdigest(name, data, **({"threads": 2} if name == "blake3" else {}))
        assert hashcore.digest_many(name, [b"", data, b"x"])[32:64].hex() == want


def test_more_than_4_gib(tmp_path):
    """By updates of 1 MiB, and by a file with two algorithms in one read."""
    size, zeros = 5 * 2**30, bytes(1 << 20)
    path = tmp_path / "sparse"
    with open(path, "wb") as f:
        f.truncate(size)
    for h in hashcore.file_digest(path, ("sha256", "blake2b"), threads=2):
        assert h.hexdigest() == ZEROS[size][h.name]
    h = hashcore.sha224()
    for _ in range(size >> 20):
        h.update(zeros)
    assert h.hexdigest() == ZEROS[size]["sha224"]


def test_seeking_in_output():
    h = hashcore.blake3(b"seek")
    long = h.digest(5000)
    for seek in (0, 1, 63, 64, 65, 127, 128, 1000, 1023, 1024, 1025, 1024 + 63, 1024 + 64, 1024 + 65, 2048 + 100, 4000):
        assert h.digest(130, seek=seek) == long[seek : seek + 130]


def test_a_destination_that_is_too_short():
    """Once a panic in production: n came from the sources, but dst was shorter."""
    dst = bytearray(b"\x55" * 10)
    with pytest.raises(ValueError, match="dst"):
        hashcore.xor_into(dst, bytes(20), bytes(20))
    assert dst == b"\x55" * 10 and hashcore.xor_into(bytearray(20), bytes(20), bytes(15)) == 15


def test_xor_at_every_alignment():
    rng = random.Random(2)
    a, b = bytearray(rng.randbytes(400)), bytearray(rng.randbytes(400))
    for n in (0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 300):
        for at in range(64):
            i, j = rng.randrange(64), rng.randrange(64)
            dst = bytearray(b"\xaa" * 400)
            assert hashcore.xor_into(memoryview(dst)[at : at + n], memoryview(a)[i : i + n], memoryview(b)[j : j + n]) == n
            want = (int.from_bytes(a[i : i + n], "big") ^ int.from_bytes(b[j : j + n], "big")).to_bytes(n, "big")
            assert dst == b"\xaa" * at + want + b"\xaa" * (400 - at - n)
            dst = bytearray(b"\xaa" * 400)
            hashcore.xor_mask(memoryview(a)[i : i + n], b"\1\2\3\4", j, out=memoryview(dst)[at : at + n])
            assert dst == b"\xaa" * at + bytes(a[i + k] ^ (1 + (j + k) % 4) for k in range(n)) + b"\xaa" * (400 - at - n)


def test_unequal_lengths():
    assert hashcore.xor(b"", b"") == b"" and hashcore.xor_into(bytearray(3), b"abc", b"ab") == 2
    for pair in ((b"abc", b"ab"), (b"", b"x")):
        with pytest.raises(ValueError, match="bytes given"):
            hashcore.xor(*pair)


def test_signed_and_wide_buffers():
    for data in (memoryview(array.array("b", [-1, 2])), array.array("I", [1, 2]), array.array("d", [0.5]), memoryview(b"abcd").cast("c"),
                 memoryview(b"abcd").cast("B", (2, 2)), memoryview(b"abcd").cast("i", ())):
        assert hashcore.blake3(data).digest() == hashcore.digest("blake3", bytes(data))
        assert hashcore.sha256(data).digest() == hashlib.sha256(data).digest()


def test_buffers_are_released():
    """After success and after every failure a bytearray can grow again."""
    data = bytearray(64)
    view = memoryview(data)
    good = [
        lambda: hashcore.sha256(view), lambda: hashcore.sha256().update(view, view), lambda: hashcore.digest("blake3", view, view),
        lambda: hashcore.xor(view, view), lambda: hashcore.xor_into(view, view), lambda: hashcore.xor_mask(view, b"key", out=view),
        lambda: hashcore.digest_many("sha256", [view] * 20), lambda: hashcore.digest_many("sha256", view, item_size=64, out=view),
        lambda: hashcore.blake2b(view, key=view[:9], salt=view[:9], person=view[:9]), lambda: hashcore.subtree(view),
        lambda: hashcore.digest_many("sha256", view, offsets=memoryview(bytes(64)).cast("q"), prefix=view), lambda: hashcore.hmac_sha256(view, view),
        lambda: hashcore.restore("sha256", hashcore.sha256().export()), lambda: hashcore.bao.encode(view),
        lambda: hashcore.blake3().reader().readinto(view),
    ]
    bad = [
        lambda: hashcore.blake2b(view, key=view[:9], salt=view), lambda: hashcore.blake3(view, key=view), lambda: hashcore.sha256(view, key=1),
        lambda: hashcore.digest("sha256", view, "text"), lambda: hashcore.sha256().update(view, None), lambda: hashcore.xor(view, view[1:]),
        lambda: hashcore.xor_into(view[1:], view), lambda: hashcore.xor_mask(view, b""), lambda: hashcore.digest_many("sha256", [view, 1]),
        lambda: hashcore.digest_many("sha256", view, item_size=7), lambda: hashcore.restore("sha256", view),
        lambda: hashcore.digest_many("sha256", [view] * 20 + [None]), lambda: hashcore.root(view[1:]), lambda: hashcore.parent(view, view),
        lambda: hashcore.digest_many("sha256", [b""], prefix=view, out=view[1:9]), lambda: hashcore.bao.decode(view, view[:32]),
    ]
    for call in good:
        call()
    for call in bad:
        with pytest.raises((TypeError, ValueError)):
            call()
    view.release()
    data.append(1)


@pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="there is no GIL to release")
def test_small_updates_after_a_big_one():
    """They keep the GIL, as before it: another thread that waits for it never runs meanwhile. The bench has the ratio."""
    old = sys.getswitchinterval()
    for name in ("sha256", "blake2b", "blake3"):
        h, seen = hashcore.new(name, bytes(1 << 20)).update(bytes(1 << 20)), []
        try:
            sys.setswitchinterval(1000)
            _thread.start_new_thread(lambda: seen.append(1), ())
            for _ in range(20000):
                h.update(b"0123456789abcdef")
            kept = not seen
            for _ in range(1000):  # the other thread may be slow to wake
                h.update(bytes(1 << 20))
                if seen:
                    break
        finally:
            sys.setswitchinterval(old)
        assert kept and seen, name


def test_nothing_at_all():
    for name in ("sha224", "sha256", "blake2b", "blake3"):
        want = hashcore.digest(name)
        for nothing in (b"", bytearray(), memoryview(b""), array.array("d")):
            assert hashcore.new(name, nothing).digest() == want == hashcore.new(name).update(nothing, nothing).digest()
            assert hashcore.digest(name, nothing, nothing) == want
    assert hashcore.hmac_sha256(b"").digest() == hmac.digest(b"", b"", "sha256")
    assert hashcore.xor_into(bytearray(), b"", b"") == 0 and hashcore.xor_mask(b"", b"k") == b""


CLASH = "".join(
    f"void {name}(void) {{ abort(); }}\n"
    for name in ("blake2b_init", "blake2b_update", "blake2b_final", "blake2b", "blake3_hasher_init", "blake3_hasher_update",
                 "blake3_hasher_finalize", "sha256_init", "sha256_update", "sha256_final", "SHA256_Update", "hc_alg_find",
                 "hc_sha256_update", "hc_digest", "hc_blake3_update", "is_long", "get_data", "construct")
)


@pytest.mark.skipif(not shutil.which("cc") or sys.platform != "linux", reason="needs a compiler and LD_PRELOAD")
def test_other_libraries_symbols(tmp_path):
    """Another library's functions of the same names are never called."""
    (tmp_path / "clash.c").write_text("#include <stdlib.h>\n" + CLASH)
    subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", tmp_path / "clash.so", tmp_path / "clash.c"], check=True)
    program = "import hashcore as h; print(*(h.hexdigest(n, b'abc') for n in ('sha256', 'blake2b', 'blake3')), h.sha256(b'abc').hexdigest())"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True,
                          env=dict(os.environ, LD_PRELOAD=str(tmp_path / "clash.so")))
    names = ("sha256", "blake2b", "blake3")
    assert done.stdout.split() == [*(hashcore.hexdigest(name, b"abc") for name in names), hashcore.hexdigest("sha256", b"abc")]


@pytest.mark.skipif(not shutil.which("nm") or sys.platform != "linux", reason="needs nm")
def test_only_the_entry_is_exported():
    out = subprocess.run(["nm", "-D", "--defined-only", hashcore._hashcore.__file__], stdout=subprocess.PIPE, text=True, check=True)
    names = [line.split()[-1] for line in out.stdout.splitlines() if line.split()[-2] in "TDBRVW"]
    assert [name for name in names if name not in ("_init", "_fini")] == ["PyInit__hashcore"]
