"""digest_many in all its forms against one digest at a time."""
import array
import hashlib
import os
import random
import sys
import threading

import pytest

import hashcore

CASES = [
    ("sha224", {}), ("sha256", {}), ("hmac-sha256", {"key": b"key"}), ("hmac-sha224", {"key": b"k" * 100}), ("blake2b", {}),
    ("blake2b", {"digest_size": 20, "key": b"key", "salt": b"salt", "person": b"person", "fanout": 2, "node_depth": 1}),
    ("blake3", {}), ("blake3", {"key": b"k" * 32}), ("blake3", {"derive_key_context": "context", "digest_size": 100}),
    ("blake2xb", {"digest_size": 150}),
]
IDS = [f"{name}-{len(options)}" for name, options in CASES]


def one_by_one(name, messages, options, prefix=b""):
    return b"".join(hashcore.digest(name, prefix, m, **options) for m in messages)


def a_new_thread():
    """The id of a task that is started now."""
    seen = []
    thread = threading.Thread(target=lambda: seen.append(threading.get_native_id()))
    thread.start()
    thread.join()
    return seen[0]


def lengths(rng):
    return [rng.choice((0, 1, 31, 55, 56, 64, 65, 127, 128, 129, 1000, 1024, 1025, rng.randrange(5000))) for _ in range(150)]


@pytest.mark.parametrize("name, options", CASES, ids=IDS)
def test_every_form(name, options):
    rng = random.Random(name)
    messages = [rng.randbytes(n) for n in [*lengths(rng), 70000]]
    want = one_by_one(name, messages, options)
    size = len(want) // len(messages)
    many = lambda data, **more: hashcore.digest_many(name, data, **options, **more)  # noqa: E731
    assert many(messages) == want and many(tuple(messages)) == want and many(iter(messages)) == want
    assert many(m for m in map(memoryview, messages)) == want and many([bytearray(m) for m in messages]) == want
    assert many(messages, threads=2) == want == many(messages, threads=hashcore.AUTO)
    assert many(messages, as_list=True) == [want[i : i + size] for i in range(0, len(want), size)]
    out = bytearray(len(want) + 5)
    assert many(messages, out=out) is out and out == want + bytes(5)
    prefix = rng.randbytes(77)
    assert many(messages, prefix=prefix) == one_by_one(name, messages, options, prefix)
    # one buffer and offsets
    joined, ends = b"".join(messages), [0]
    for m in messages:
        ends.append(ends[-1] + len(m))
    for kind in "iIqQlL":
        assert many(joined, offsets=array.array(kind, ends)) == want
    assert many(bytearray(joined), offsets=array.array("q", ends), prefix=prefix) == one_by_one(name, messages, options, prefix)
    unaligned = memoryview(b"x" + array.array("q", ends).tobytes())[1:].cast("q")
    assert many(memoryview(joined), offsets=unaligned) == want
    assert many(joined, offsets=array.array("i", [3, 10])) == hashcore.digest(name, joined[3:10], **options)
    # items of one size
    for n in (1, 7, 64, 100):
        data = joined[: 60 * n]
        items = [data[i : i + n] for i in range(0, len(data), n)]
        assert many(data, item_size=n) == one_by_one(name, items, options)
        assert many(data, item_size=n, prefix=b"p", threads=2) == one_by_one(name, items, options, b"p")


def test_nothing_to_do():
    for data, how in (([], {}), ((), {}), (b"", {"item_size": 5}), (b"abc", {"offsets": array.array("i", [1])}), (iter(()), {})):
        assert hashcore.digest_many("sha256", data, **how) == b""
        assert hashcore.digest_many("blake3", data, as_list=True, **how) == []


def test_a_level_of_a_hash_tree_in_place():
    leaves = os.urandom(64 * 32)
    buffer = bytearray(leaves)
    assert hashcore.digest_many("sha256", buffer, item_size=64, out=buffer) is buffer
    want = b"".join(hashlib.sha256(leaves[i : i + 64]).digest() for i in range(0, len(leaves), 64))
    assert buffer[: len(want)] == want


def test_100000_messages():
    data = os.urandom(100_000 * 64)
    got = hashcore.digest_many("sha256", data, item_size=64)
    for i in (0, 1, 99_999, 31_415):
        assert got[32 * i : 32 * i + 32] == hashlib.sha256(data[64 * i : 64 * i + 64]).digest()
    assert got == hashcore.digest_many("sha256", [data[i : i + 64] for i in range(0, len(data), 64)], threads=2)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="no /proc")
def test_small_batches_start_no_thread():
    """A task's id is one more than that of the task started before it, here or elsewhere: there is a try where none was."""
    def started(call):
        before = a_new_thread()
        call()
        return a_new_thread() - before - 1

    small, large = bytes(64 * 500), bytes(64 * 100_000)
    many = lambda data, threads: lambda: hashcore.digest_many("sha256", data, item_size=64, threads=threads)  # noqa: E731
    for call in (many(small, 2), many(small, 8), many(small, hashcore.AUTO), many(large, 1)):
        assert any(started(call) == 0 for _ in range(50))
    assert all(started(many(large, 2)) != 0 for _ in range(5))


# ---- Bad input


@pytest.mark.parametrize("data, how, kind, text", [
    ("text", {}, TypeError, "Strings must be encoded before hashing"),
    (b"buffer", {}, TypeError, "item_size= or offsets="),
    (bytearray(3), {}, TypeError, "item_size= or offsets="),
    (None, {}, TypeError, "iterable"), (5, {}, TypeError, "iterable"),
    ([b"", "text"], {}, TypeError, r"items\[1\]: Strings must be encoded before hashing"),
    ([b"", b"", None], {}, TypeError, r"items\[2\]: object supporting the buffer API required"),
    (b"abc", {"item_size": 2}, ValueError, "data: 3 bytes given, a multiple of item_size"),
    (b"abc", {"item_size": 0}, ValueError, "item_size"), (b"abc", {"item_size": -1}, ValueError, "item_size"),
    (b"abc", {"item_size": 2**64}, OverflowError, "item_size"), (b"abc", {"item_size": 1.0}, TypeError, "item_size"),
    (b"abc", {"item_size": "1"}, TypeError, "item_size"), ("abc", {"item_size": 1}, TypeError, "data: Strings"),
    ([b"abc"], {"item_size": 3}, TypeError, "data: object supporting"),
    (b"abc", {"item_size": 1, "offsets": array.array("i", [0])}, TypeError, "item_size: not allowed together"),
    (b"abc", {"offsets": [0, 1]}, TypeError, "offsets: a buffer"), (b"abc", {"offsets": b"\0\0\0\0"}, TypeError, "offsets: native"),
    (b"abc", {"offsets": array.array("d", [0, 1])}, TypeError, "offsets: native"),
    (b"abc", {"offsets": array.array("h", [0, 1])}, TypeError, "offsets: native"),
    (b"abc", {"offsets": array.array("i")}, ValueError, "offsets: 0 given"),
    (b"abc", {"offsets": array.array("i", [0, 2, 1])}, ValueError, r"offsets\[2\]"),
    (b"abc", {"offsets": array.array("q", [0, 4])}, ValueError, r"offsets\[1\]"),
    (b"abc", {"offsets": array.array("q", [0, -1])}, ValueError, r"offsets\[1\]: -1 given, 0 to 3 allowed"),
    (b"abc", {"offsets": array.array("i", [0, 1, -7])}, ValueError, r"offsets\[2\]: -7 given, 1 to 3 allowed"),
    (b"abc", {"offsets": array.array("i", [-(2**31), 0])}, ValueError, r"offsets\[0\]: -2147483648 given, 0 to 3 allowed"),
    (b"abc", {"offsets": array.array("Q", [0, 2**64 - 1])}, ValueError, r"offsets\[1\]: 18446744073709551615 given"),
    (b"abc", {"offsets": array.array("I", [0, 2**32 - 1])}, ValueError, r"offsets\[1\]: 4294967295 given, 0 to 3 allowed"),
    (b"abc", {"offsets": memoryview(array.array("i", [0, 1, 2, 3]))[::2]}, BufferError, "contiguous"),
    ([b""], {"threads": -2}, ValueError, "threads"), ([b""], {"threads": "2"}, TypeError, "threads"),
    ([b""], {"threads": 1.5}, TypeError, "threads"), ([b""], {"threads": 2**40}, ValueError, "threads"),
    ([b""], {"prefix": "text"}, TypeError, "prefix: Strings"), ([b""], {"prefix": 1}, TypeError, "prefix"),
    ([b""], {"out": bytearray(31)}, ValueError, "out: 31 bytes given, 32 needed"), ([b""], {"out": bytes(32)}, BufferError, "writable"),
    ([b""], {"out": "text"}, TypeError, "out"), ([b""], {"out": [0] * 32}, TypeError, "out"),
    ([b""], {"out": bytearray(32), "as_list": True}, ValueError, "out: not allowed together"),
    ([b""], {"nonsense": 1}, TypeError, "unexpected keyword"), ([b""], {"key": b""}, TypeError, "unexpected keyword"),
    ([b""], {"seek": 1}, TypeError, "unexpected keyword"),
])
def test_bad_input(data, how, kind, text):
    out = how.get("out")
    before = bytes(out) if isinstance(out, bytearray) else None
    with pytest.raises(kind, match=text):
        hashcore.digest_many("sha256", data, **how)
    assert before is None or out == before


def test_bad_arguments():
    for args in ((), ("sha256",), ("sha256", [], [])):
        with pytest.raises(TypeError):
            hashcore.digest_many(*args)
    for options, kind in (({"digest_size": 65}, ValueError), ({"key": bytes(65)}, ValueError), ({"digest_size": 2**40}, OverflowError)):
        with pytest.raises(kind):
            hashcore.digest_many("blake2b", [b""], **options)
    with pytest.raises((ValueError, TypeError), match="key"):
        hashcore.digest_many("hmac-sha256", [b""])
    with pytest.raises((MemoryError, OverflowError, ValueError)):
        hashcore.digest_many("blake3", [b""] * 1000, digest_size=2**60)


def test_overlapping_output_is_refused():
    buffer = bytearray(os.urandom(64 * 10))
    before = bytes(buffer)
    view = memoryview(buffer)
    with pytest.raises(ValueError, match="overlap"):
        hashcore.digest_many("sha256", view[:320], item_size=32, out=view[16:])
    with pytest.raises(ValueError, match="overlap"):
        hashcore.digest_many("sha256", view[:320], item_size=16, out=buffer)  # items shorter than digests
    with pytest.raises(ValueError, match="overlap"):
        hashcore.digest_many("sha256", [view[100:200]], out=view[90:])
    assert buffer == before


def test_iterables_that_fail():
    def failing():
        yield b"a"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        hashcore.digest_many("sha256", failing())

    class Sequence:
        def __len__(self):
            return 3

        def __getitem__(self, i):
            raise KeyError(i)

    with pytest.raises(KeyError):
        hashcore.digest_many("sha256", Sequence())


@pytest.mark.parametrize("count, how", [(1000, {}), (3000, {"threads": 2}), (3000, {})], ids=["short", "threads", "by-runs"])
def test_lists_that_change_meanwhile(count, how):
    """Another thread empties and refills the list: it is hashed as it was at one moment; one that is copied by runs may be an error."""
    items = [array.array("B", b"abc") for _ in range(count)]

    class Shrinking(bytearray):
        pass

    items[500] = Shrinking(b"abc")
    want = hashlib.sha256(b"abc").digest() * count
    stop = threading.Event()

    def shrink():
        while not stop.is_set():
            kept = items[:]
            items.clear()
            items.extend(kept)

    thread = threading.Thread(target=shrink)
    thread.start()
    try:
        for _ in range(50):
            try:
                got = hashcore.digest_many("sha256", items, **how)
            except RuntimeError as e:
                assert count > 1024 and not how and str(e) == "data: the list changed its size meanwhile"
                continue
            assert got in (b"", want)
    finally:
        stop.set()
        thread.join()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ came with Python 3.12")
@pytest.mark.parametrize("count, how, fails", [
    (1024, {}, False), (1025, {}, True), (1025, {"threads": 2}, False), (1025, {"out": bytearray(32 * 1025)}, False),
])
def test_an_item_that_empties_its_list(count, how, fails):
    class Emptying(bytes):
        def __buffer__(self, flags):
            items.clear()
            return memoryview(b"abc")

    items = [Emptying()] + [b"abc"] * (count - 1)
    if fails:
        with pytest.raises(RuntimeError, match="data: the list changed its size meanwhile"):
            hashcore.digest_many("sha256", items, **how)
    else:
        assert hashcore.digest_many("sha256", items, **how) == hashlib.sha256(b"abc").digest() * count
    assert not items


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ came with Python 3.12")
def test_an_output_that_empties_the_list():
    class Emptying(bytearray):
        def __buffer__(self, flags):
            items.clear()
            return super().__buffer__(flags)

    items = [b"abc"] * 10
    assert hashcore.digest_many("sha256", items, out=Emptying(320)) == hashlib.sha256(b"abc").digest() * 10 and not items


# ---- Arrow


def test_arrow():
    pa = pytest.importorskip("pyarrow")
    rng = random.Random(3)
    messages = [rng.randbytes(rng.randrange(100)) for _ in range(70)]
    for name, options in CASES:
        want = one_by_one(name, messages, options)
        for kind in (pa.binary(), pa.large_binary()):
            assert hashcore.digest_many(name, pa.array(messages, type=kind), **options) == want
            sliced = pa.array([b"before", *messages, b"after"], type=kind)[1:-1]
            assert hashcore.digest_many(name, sliced, **options) == want
    texts = ["a", "", "é" * 50]
    for kind in (pa.string(), pa.large_string()):
        assert hashcore.digest_many("sha256", pa.array(texts, type=kind)) == one_by_one("sha256", [t.encode() for t in texts], {})
    fixed = [os.urandom(16) for _ in range(40)]
    assert hashcore.digest_many("blake3", pa.array([b"x" * 16, *fixed], type=pa.binary(16))[1:]) == one_by_one("blake3", fixed, {})
    assert hashcore.digest_many("sha256", pa.array([b"", b""], type=pa.binary(0))) == hashcore.digest("sha256") * 2
    for kind in (pa.binary(), pa.binary(5), pa.large_string()):
        assert hashcore.digest_many("sha256", pa.array([], type=kind)) == b""
    for bad in (pa.array([b"a", None]), pa.array([None, b"ab"], type=pa.binary(2))):
        with pytest.raises(ValueError, match="nulls"):
            hashcore.digest_many("sha256", bad)
    assert hashcore.digest_many("sha256", pa.array([b"a", None])[:1]) == hashcore.digest("sha256", b"a")
    for bad in (pa.array([1, 2]), pa.array([[b"a"]]), pa.array([b"a", b"a"]).dictionary_encode()):
        with pytest.raises(TypeError, match="Arrow"):
            hashcore.digest_many("sha256", bad)


class Arrow:
    """Gives what it was given, or raises it."""

    def __init__(self, result):
        self.result = result

    def __arrow_c_array__(self, requested_schema=None):
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def test_arrow_methods_that_fail():
    import datetime  # which has a capsule of another name

    with pytest.raises(ZeroDivisionError):
        hashcore.digest_many("sha256", Arrow(ZeroDivisionError()))
    for wrong in (None, (), (1, 2), (1, 2, 3), [1, 2], "ab", (datetime.datetime_CAPI,) * 2):
        with pytest.raises(TypeError, match="^data: __arrow_c_array__.. returned .*, a schema's and an array's capsule are needed$"):
            hashcore.digest_many("sha256", Arrow(wrong))
    pa = pytest.importorskip("pyarrow")
    schema, content = pa.array([b"a"]).__arrow_c_array__()
    with pytest.raises(TypeError, match="^data: __arrow_c_array__"):
        hashcore.digest_many("sha256", Arrow((content, schema)))
    assert hashcore.digest_many("sha256", Arrow((schema, content))) == hashcore.digest("sha256", b"a")


def test_polars():
    """A Series has streams of chunks only: it is an iterable of its values; to_arrow() makes it one array."""
    polars = pytest.importorskip("polars")
    messages = [os.urandom(n) for n in range(70)]
    want = hashcore.digest_many("sha256", messages)
    series = polars.Series(messages)
    chunked = polars.concat([series[:30], series[30:]], rechunk=False)
    for data in (series, chunked):
        assert hashcore.digest_many("sha256", data) == want == hashcore.digest_many("sha256", data.to_arrow())
    texts = polars.Series(["a", "", "\xe9" * 50])
    assert hashcore.digest_many("sha256", texts.to_arrow()) == hashcore.digest_many("sha256", [t.encode() for t in texts])
    with pytest.raises(TypeError, match="items.0.: Strings must be encoded"):
        hashcore.digest_many("sha256", texts)
    with pytest.raises(ValueError, match="nulls"):
        hashcore.digest_many("sha256", polars.Series([b"a", None]).to_arrow())
