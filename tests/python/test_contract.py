"""hashlib's contract: what its users may rely on holds for hashcore's objects, the two run side by side."""
import array
import copy
import hashlib
import hmac
import inspect
import io
import itertools
import os
import random
import sys

import pytest

import hashcore

SHARED = ("sha224", "sha256", "blake2b")
ALL = (*SHARED, "blake3", "blake2xb")
LENGTH = {"blake2xb": (20,)}  # of an output whose length is not known


def digest(h):
    return h.digest(*LENGTH.get(h.name, ()))


def pair(name, *args, **options):
    return getattr(hashcore, name)(*args, **options), getattr(hashlib, name)(*args, **options)


def outcome(call):
    """(type of the exception or None, value)"""
    try:
        return None, call()
    except Exception as error:
        return type(error), None


# ---- Names and attributes


def test_the_algorithms_are_named():
    assert hashcore.algorithms_guaranteed == set(ALL)
    assert hashcore.algorithms_available >= hashcore.algorithms_guaranteed
    for name in hashcore.algorithms_available:
        assert digest(hashcore.new(name)) == digest(getattr(hashcore, name)())


@pytest.mark.parametrize("name", SHARED)
def test_attributes_are_hashlibs(name):
    ours, theirs = pair(name)
    for attribute in ("name", "digest_size", "block_size"):
        assert getattr(ours, attribute) == getattr(theirs, attribute)
    if name == "blake2b":
        for attribute in ("MAX_DIGEST_SIZE", "MAX_KEY_SIZE", "SALT_SIZE", "PERSON_SIZE"):
            assert getattr(hashcore.blake2b, attribute) == getattr(hashlib.blake2b, attribute)
        assert hashcore.blake2b(digest_size=9).name == "blake2b" and hashcore.blake2b(digest_size=9).digest_size == 9


def test_attributes_of_the_others():
    assert (hashcore.blake3().name, hashcore.blake3().digest_size, hashcore.blake3().block_size) == ("blake3", 32, 64)
    assert hashcore.blake3.AUTO == hashcore.AUTO == -1 and hashcore.blake3.key_size == 32
    assert hashcore.blake2xb().digest_size is None and hashcore.blake2xb(digest_size=1000).digest_size == 1000
    h = hashcore.hmac_sha256(b"key")
    assert (h.name, h.digest_size, h.block_size) == ("hmac-sha256", 32, 64)


@pytest.mark.parametrize("alias, name", [
    ("SHA256", "sha256"), ("sha-256", "sha256"), ("SHA2-256", "sha256"), ("SHA-224", "sha224"), ("BLAKE2b", "blake2b"),
    ("blake2b512", "blake2b"), ("BLAKE3", "blake3"), ("HMAC-SHA256", "hmac-sha256"),
])
def test_aliases(alias, name):
    key = {"key": b"k"} if "hmac" in name else {}
    assert hashcore.new(alias, b"x", **key).digest() == hashcore.digest(name, b"x", **key)
    assert hashcore.new("".join(list(alias)), b"x", **key).name == name


@pytest.mark.parametrize("name", ["md5", "", "sha256 ", "sha\0256", "sha256" * 50, "\ud800", "é"])
def test_unknown_names(name):
    for call in (hashcore.new, hashcore.digest, hashcore.hexdigest):
        with pytest.raises(ValueError, match="unsupported hash type"):
            call(name)
    with pytest.raises(ValueError, match="unsupported hash type"):
        hashcore.digest_many(name, [])


@pytest.mark.parametrize("name", [None, 1, b"sha256", ["sha256"], 2.5, object()])
def test_names_are_strings(name):
    with pytest.raises(TypeError, match="name must be a string"):
        hashcore.new(name)
    with pytest.raises(TypeError, match="name must be a string"):
        hashcore.digest(name, b"")


def test_a_type_is_as_good_as_its_name():
    for name in ALL:
        assert digest(hashcore.new(getattr(hashcore, name), b"x")) == digest(hashcore.new(name, b"x"))
    assert hashcore.digest(hashcore.sha256, b"x") == hashcore.digest("sha256", b"x")


# ---- Types and their instances


@pytest.mark.parametrize("name", [*ALL, "hmac_sha224", "hmac_sha256"])
def test_types_are_immutable_and_final(name):
    kind = getattr(hashcore, name)
    with pytest.raises(TypeError, match="immutable type"):
        kind.anything = 1
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (kind,), {})
    h = kind(b"key")
    for attribute in ("name", "digest_size", "block_size", "anything"):
        with pytest.raises(AttributeError):
            setattr(h, attribute, 1)
    with pytest.raises(TypeError):
        object.__new__(kind)
    assert kind.__module__ == "hashcore" and kind.__name__ == name
    assert digest(kind.__new__(kind, b"key")) == digest(h)
    assert h == h and h != h.copy() and hash(h) == hash(h)  # identity, as hashlib's


def test_helpers_cannot_be_made():
    kind = type(hashcore._hashcore._bao(True, None, 0, 0, 0, False, None, None))
    with pytest.raises(TypeError):
        kind()


def test_signatures():
    for name in SHARED:
        parameters = inspect.signature(getattr(hashcore, name)).parameters
        assert list(parameters)[0] == "data" and "usedforsecurity" in parameters
    theirs = set(inspect.signature(hashlib.blake2b).parameters) - {"string"}
    assert theirs <= set(inspect.signature(hashcore.blake2b).parameters)
    assert {"key", "derive_key_context", "max_threads"} <= set(inspect.signature(hashcore.blake3).parameters)
    assert list(inspect.signature(hashcore.hmac_sha256).parameters)[:2] == ["key", "data"]
    for name in hashcore.__all__:
        value = getattr(hashcore, name)
        if callable(value) and name != "VerificationError":
            assert value.__doc__ and inspect.signature(value) is not None, name
    for name in dir(hashcore.blake3):
        if not name.startswith("_") and callable(getattr(hashcore.blake3, name)):
            assert getattr(hashcore.blake3, name).__doc__, name


@pytest.mark.parametrize("name", ALL)
def test_data_by_position_and_name(name):
    kind = getattr(hashcore, name)
    want = digest(kind().update(b"abc"))
    assert want == digest(kind(b"abc")) == digest(kind(data=b"abc")) == digest(kind(data=b"abc", usedforsecurity=False))
    assert want == digest(hashcore.new(name, b"abc")) == digest(hashcore.new(name, data=b"abc"))
    for wrong in (lambda: kind(b"a", b"b"), lambda: kind(b"a", data=b"b"), lambda: kind(string=b"a"), lambda: kind(nonsense=1),
                  lambda: kind(**{"da" + "ta": b"", "x" * 3: 1})):
        with pytest.raises(TypeError):
            wrong()


# ---- What is taken as data


@pytest.mark.parametrize("name", ALL)
def test_strings_and_non_buffers(name):
    h = getattr(hashcore, name)(b"before")
    want = digest(h)
    for bad in ("text", ""):
        for call in (getattr(hashcore, name), h.update, lambda d: hashcore.new(name, d),
                     lambda d: hashcore.digest(name, d, **({"digest_size": 9} if name == "blake2xb" else {}))):
            with pytest.raises(TypeError, match="^Strings must be encoded before hashing$"):
                call(bad)
    for bad in (None, 1, 1.5, [1, 2], {1}, object(), range(3)):
        for call in (getattr(hashcore, name), h.update, lambda d: h.update(b"good", d)):
            with pytest.raises(TypeError, match="^object supporting the buffer API required$"):
                call(bad)
    assert digest(h) == want


@pytest.mark.parametrize("name", SHARED)
def test_any_contiguous_buffer(name):
    raw = bytes(range(64))
    buffers = [
        raw, bytearray(raw), memoryview(raw), array.array("b", raw), array.array("I", raw), array.array("d", raw),
        memoryview(raw).cast("c"), memoryview(raw).cast("B", (8, 8)), memoryview(raw).cast("i"), memoryview(raw)[5:40],
        memoryview(raw[:8]).cast("q", ()), memoryview(array.array("b", [-1, 2])), io.BytesIO(raw).getbuffer(), b"",
        type("Bytes", (bytes,), {})(raw),
    ]
    for data in buffers:
        ours, theirs = pair(name, data)
        assert ours.digest() == theirs.digest() == hashcore.digest(name, data) == hashcore.digest_many(name, [data])


def test_strided_buffers_are_errors():
    for data in (memoryview(bytes(10))[::2], memoryview(bytes(10))[::-1]):
        for call in (hashcore.sha256, hashlib.sha256, hashcore.sha256().update, lambda d: hashcore.digest("blake3", d)):
            with pytest.raises(BufferError):
                call(data)


def test_numpy():
    numpy = pytest.importorskip("numpy")
    for data in (numpy.arange(12), numpy.arange(12).reshape(3, 4), numpy.array(5), numpy.zeros(3, "M8[s]"), numpy.float64(2)):
        assert hashcore.sha256(data).digest() == hashlib.sha256(data).digest()
    for data in (numpy.arange(12)[::2], numpy.asfortranarray(numpy.arange(12).reshape(3, 4))):
        assert outcome(lambda: hashcore.sha256(data))[0] is outcome(lambda: hashlib.sha256(data))[0] is not None


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ came with Python 3.12")
def test_python_buffers():
    class Good:
        def __buffer__(self, flags):
            return memoryview(b"abc")

    class Bad:
        def __buffer__(self, flags):
            raise ZeroDivisionError("no buffer")

    assert hashcore.sha256(Good()).digest() == hashcore.digest("sha256", b"abc") == hashcore.digest("sha256", Good())
    h = hashcore.sha256(b"x")
    for call in (hashcore.sha256, h.update, lambda d: hashcore.digest("sha256", b"x", d), lambda d: hashcore.xor(b"abc", d),
                 lambda d: hashcore.digest_many("sha256", [b"", d]), lambda d: hashcore.blake2b(key=d)):
        with pytest.raises(ZeroDivisionError):
            call(Bad())
    assert h.digest() == hashcore.digest("sha256", b"x")


# ---- The life of an object


@pytest.mark.parametrize("name", ALL)
def test_update_copy_reset(name):
    kind = getattr(hashcore, name)
    h = kind(b"ab")
    assert h.update(b"c") is h and h.update() is h and h.update(b"d", b"", bytearray(b"e")) is h
    assert digest(h) == digest(kind(b"abcde")) == digest(h)
    c, d, e = h.copy(), copy.copy(h), copy.deepcopy(h)
    h.update(b"more")
    for other in (c, d, e):
        assert digest(other) == digest(kind(b"abcde"))
        other.update(b"more")
        assert digest(other) == digest(h)
    assert h.reset() is h and digest(h) == digest(kind())
    with pytest.raises(TypeError):
        h.update(data=b"x")
    for method in ("copy", "reset"):
        with pytest.raises(TypeError):
            getattr(h, method)(1)


@pytest.mark.parametrize("name", [*SHARED, "hmac_sha224", "hmac_sha256"])
def test_digest_takes_no_arguments(name):
    """The message as an argument of digest would be ignored silently elsewhere: the same tag for every message."""
    h = getattr(hashcore, name)(b"x")
    for method in (h.digest, h.hexdigest):
        for args, kwargs in ((b"msg",), {}), ((5,), {}), ((), {"length": 32}), ((), {"seek": 0}), ((), {"threads": 2}):
            with pytest.raises(TypeError, match="takes no arguments"):
                method(*args, **kwargs)
    assert type(h.digest()) is bytes and type(h.hexdigest()) is str and h.hexdigest() == h.digest().hex()


def test_output_arguments_of_blake3():
    h = hashcore.blake3(b"x")
    long = h.digest(1000)
    assert h.digest() == long[:32] and h.digest(0) == b"" and h.digest(length=5) == long[:5]
    assert h.digest(64, seek=100) == long[100:164] and h.digest(seek=7) == long[7:39]
    assert h.hexdigest(10, seek=3) == long[3:13].hex() and h.digest(None) == h.digest()
    for args, kwargs, kind in (
        ((-1,), {}, ValueError), ((2**64,), {}, OverflowError), ((1.5,), {}, TypeError), ((b"msg",), {}, TypeError),
        ((1, 2), {}, TypeError), ((), {"seek": -1}, ValueError), ((), {"seek": 2**64}, OverflowError),
        ((2,), {"seek": 2**64 - 1}, ValueError), (("1",), {}, TypeError), ((), {"size": 3}, TypeError),
    ):
        with pytest.raises(kind):
            h.digest(*args, **kwargs)
    assert len(h.digest(1, seek=2**64 - 2)) == 1


@pytest.mark.parametrize("size", [100, None])
def test_output_arguments_of_blake2xb(size):
    """Of a known length, and of an unknown one, whose digest() needs a length."""
    h = hashcore.blake2xb(b"x", digest_size=size)
    long = h.digest(100)
    assert h.digest(0) == b"" and h.digest(length=5) == long[:5] and h.digest(10, seek=7) == long[7:17]
    assert h.hexdigest(9, seek=80, threads=2) == long[80:89].hex()
    bad = [
        ((-1,), {}, ValueError, "length: -1 given"), ((2**64,), {}, OverflowError, "length"), (("5",), {}, TypeError, "length: an int"),
        ((b"msg",), {}, TypeError, "length: an int"), ((1, 2), {}, TypeError, "positional"), ((5,), {"seek": -1}, ValueError, "seek: -1"),
        ((5,), {"threads": -2}, ValueError, "threads .AUTO: -1.: -2 given"), ((5,), {"size": 3}, TypeError, "unexpected keyword"),
    ]
    if size:
        assert h.digest() == h.digest(None) == long and h.digest(seek=90) == long[90:] and h.digest(seek=100) == b""
        bad += [((101,), {}, ValueError, "given"), ((1,), {"seek": 100}, ValueError, "given"), ((), {"seek": 101}, ValueError, "seek: 101 given")]
    else:
        bad += [((), {}, ValueError, "length: needed"), ((None,), {}, ValueError, "length: needed"), ((2,), {"seek": 2**38 - 1}, ValueError, "seek|length")]
    for args, kwargs, kind, text in bad:
        for method in (h.digest, h.hexdigest):
            with pytest.raises(kind, match=text):
                method(*args, **kwargs)
    assert h.digest(100) == long


@pytest.mark.parametrize("name", SHARED)
def test_large_updates_equal_small_ones(name):
    """Around sizes at which the GIL may be released."""
    rng = random.Random(name)
    for size in (2047, 2048, 2049, hashcore.GIL_MINSIZE - 1, hashcore.GIL_MINSIZE, hashcore.GIL_MINSIZE + 1, 10**5):
        data = rng.randbytes(size)
        ours, theirs = pair(name)
        for piece in (data, b"small", data[:100], data):
            ours.update(piece)
            theirs.update(piece)
        assert ours.hexdigest() == theirs.hexdigest()


# ---- BLAKE2b's parameters


def blake2b_outcome(module, options):
    return outcome(lambda: module.blake2b(b"data", **options).digest())


@pytest.mark.parametrize("option, values", {
    "digest_size": [-1, 0, 1, 64, 65, 2**31, 2**64, None, "1", 1.0, True],
    "key": [b"", b"k", b"k" * 64, b"k" * 65, bytearray(b"k"), None, "k", 1],
    "salt": [b"", b"s", b"s" * 16, b"s" * 17, memoryview(b"salt"), None, "s", 1],
    "person": [b"", b"p", b"p" * 16, b"p" * 17, None, "p", 1],
    "fanout": [-1, 0, 1, 255, 256, 2**31, None, "1", 1.0, True],
    "depth": [-1, 0, 1, 255, 256, 2**31, None, "1"],
    "leaf_size": [-1, 0, 1, 2**32 - 1, 2**32, 2**64, None, "1"],
    "node_offset": [-1, 0, 1, 2**32, 2**64 - 1, 2**64, None, "1"],
    "node_depth": [-1, 0, 255, 256, 2**31, None, "1"],
    "inner_size": [-1, 0, 64, 65, 2**31, None, "1"],
    "last_node": [True, False, 0, 1, "yes", None, []],
}.items())
def test_blake2b_options_are_hashlibs(option, values):
    for value in values:
        ours, theirs = blake2b_outcome(hashcore, {option: value}), blake2b_outcome(hashlib, {option: value})
        if ours != theirs:  # where BLAKE2b has no such tree, or a key of None is no key
            assert (option, value) == ("key", None) or theirs[0] is not None, (option, value, theirs)
            if (option, value) != ("key", None):
                assert ours[0] in (theirs[0], ValueError, OverflowError), (option, value, ours, theirs)


def test_blake2b_on_a_grid():
    rng = random.Random(5)
    for _ in range(300):
        options = {
            "digest_size": rng.randint(1, 64), "key": rng.randbytes(rng.randint(0, 64)), "salt": rng.randbytes(rng.randint(0, 16)),
            "person": rng.randbytes(rng.randint(0, 16)), "fanout": rng.randint(0, 255), "depth": rng.randint(1, 255),
            "leaf_size": rng.randrange(2**32), "node_offset": rng.randrange(2**64), "node_depth": rng.randint(0, 255),
            "inner_size": rng.randint(0, 64), "last_node": rng.random() < 0.5,
        }
        options = {name: value for name, value in options.items() if rng.random() < 0.6}
        data = rng.randbytes(rng.choice((0, 1, 127, 128, 129, 500)))
        want = hashlib.blake2b(data, **options).digest()
        h = hashcore.blake2b(data, **options)
        assert h.digest() == want == hashcore.digest("blake2b", data, **options)
        assert h.reset().update(data).digest() == want == hashcore.digest_many("blake2b", [data], **options)


def test_options_that_an_algorithm_has_not():
    for name, option in itertools.product(("sha224", "sha256"), ("key", "digest_size", "salt", "max_threads")):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            hashcore.new(name, **{option: b"1"})
    for option in ("salt", "person", "fanout", "digest_size"):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            hashcore.blake3(**{option: 1})
    for option in ("fanout", "last_node", "derive_key_context"):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            hashcore.blake2xb(**{option: 1})


@pytest.mark.parametrize("call, text", [
    (lambda: hashcore.blake2b(key=bytes(65)), "key: 65 bytes given, 0 to 64 allowed"),
    (lambda: hashcore.blake2b(salt=bytes(17)), "salt: 17 bytes given, 0 to 16 allowed"),
    (lambda: hashcore.blake2b(digest_size=65), "digest_size: 65 bytes given, 1 to 64 allowed"),
    (lambda: hashcore.blake3(key=bytes(31)), "key: 31 bytes given, 32 needed"),
    (lambda: hashcore.digest("blake3", key=b""), "key: 0 bytes given, 32 needed"),
    (lambda: hashcore.blake2xb(digest_size=0), "digest_size: 0 bytes given, 1 to 4294967294 allowed"),
    (lambda: hashcore.blake3(b"", max_threads=-2), "^max_threads .AUTO: -1.: -2 given, 0 to 2147483647 allowed"),
    (lambda: hashcore.digest("blake3", threads=-5), "^threads .AUTO: -1.: -5 given"),
    (lambda: hashcore.blake3(key=bytes(32), derive_key_context="c"), "derive_key_context: not "),
])
def test_errors_name_argument_and_limit(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("call, text", [
    (lambda: hashcore.blake2b(digest_size=None), "^digest_size: an int is needed, not NoneType$"),
    (lambda: hashcore.digest("blake2b", digest_size=None), "^digest_size: an int is needed, not NoneType$"),
    (lambda: hashcore.digest("blake3", digest_size=None), "^digest_size: an int is needed, not NoneType$"),
    (lambda: hashcore.blake3(max_threads="2"), "^max_threads .AUTO: -1.: an int is needed, not str$"),
    (lambda: hashcore.xor(b"a", "b"), r"^sources\[1\]: Strings must be encoded"), (lambda: hashcore.xor("a"), r"^sources\[0\]: Strings"),
    (lambda: hashcore.xor(b"a", bytearray(1), None), r"^sources\[2\]: object supporting the buffer API required$"),
    (lambda: hashcore.xor_into(bytearray(1), b"a", "b"), r"^sources\[1\]: Strings"),
])
def test_errors_name_argument_and_type(call, text):
    with pytest.raises(TypeError, match=text):
        call()


def test_docstrings_name_the_errors():
    for function in (hashcore.digest, hashcore.hexdigest, hashcore.digest_many, hashcore.xor_mask):
        for error in ("TypeError", "BufferError", "ValueError", "OverflowError"):
            assert f"{error}:" in function.__doc__ or f"{error}, " in function.__doc__, (function, error)
    assert "RuntimeError:" in hashcore.digest_many.__doc__
    for kind in (hashcore.sha256, hashcore.blake3):
        assert "TypeError:" in kind.update.__doc__ and "BufferError:" in kind.update.__doc__
        assert "TypeError:" in kind.digest.__doc__ and "ValueError, " in kind.digest.__doc__ and "errors" in kind.hexdigest.__doc__


# ---- HMAC, and the standard library's users of hash objects


@pytest.mark.parametrize("size", [0, 1, 31, 32, 63, 64, 65, 131, 200, 1000])
def test_hmac(size):
    key, data = bytes(range(size % 256)) * (size // 256 + 1), b"message" * 30
    for name in ("sha224", "sha256"):
        want = hmac.digest(key, data, name)
        kind = getattr(hashcore, f"hmac_{name}")
        h = kind(key, data)
        assert h.digest() == want == kind(key).update(data).digest() == h.copy().digest() == kind(data=data, key=key).digest()
        assert h.reset().update(data).digest() == want
        assert hashcore.new(f"hmac-{name}", data, key=key).digest() == want == hashcore.digest(f"hmac-{name}", data, key=key)
        assert hashcore.digest_many(f"hmac-{name}", [data, b""], key=key) == want + hmac.digest(key, b"", name)
        # the standard library's HMAC over ours
        assert hmac.new(key, data, digestmod=getattr(hashcore, name)).digest() == want
    with pytest.raises(TypeError, match="key"):
        hashcore.hmac_sha256()
    with pytest.raises(TypeError, match="key"):
        hashcore.hmac_sha256("text")
    with pytest.raises(TypeError, match="key"):
        hashcore.new("hmac-sha256", b"data")


@pytest.mark.parametrize("name", ["sha224", "sha256", "blake2b", "blake3"])
def test_hmac_new_takes_every_type(name):
    kind = getattr(hashcore, name)
    h = hmac.new(b"key", b"data", digestmod=kind)
    assert h.name == f"hmac-{name}" and h.digest_size == kind().digest_size and h.block_size == kind().block_size
    if name in SHARED:
        assert h.digest() == hmac.new(b"key", b"data", name).digest()
    assert h.copy().hexdigest() == h.hexdigest()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="hashlib.file_digest came with Python 3.11")
@pytest.mark.parametrize("name", ["sha256", "blake2b", "blake3"])
def test_hashlib_file_digest(name, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(os.urandom(300000))
    with open(path, "rb") as file:
        got = hashlib.file_digest(file, getattr(hashcore, name)).digest()
    assert got == hashcore.digest(name, path.read_bytes())
    assert hashlib.file_digest(io.BytesIO(b"abc"), getattr(hashcore, name)).digest() == hashcore.digest(name, b"abc")


# ---- One-shots


@pytest.mark.parametrize("name", SHARED)
def test_parts_are_one_message(name):
    data = bytes(range(256)) * 10
    want = hashlib.new(name, data).digest()
    for cuts in ([], [0], [1], [100, 100, 2000], list(range(0, 2560, 7)), [2560]):
        parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)])]
        assert hashcore.digest(name, *parts) == want
        assert hashcore.digest(name, *map(memoryview, parts)) == want
        assert hashcore.hexdigest(name, *map(bytearray, parts)) == want.hex()
    assert hashcore.digest(name) == hashlib.new(name).digest()


def test_one_shot_arguments():
    for call in (hashcore.digest, hashcore.hexdigest):
        with pytest.raises(TypeError, match="argument"):
            call()
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            call("sha256", b"", data=b"")
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            call("sha256", b"", seek=1)
        with pytest.raises(ValueError, match="digest_size"):
            call("blake2xb", b"")
        with pytest.raises(ValueError, match="digest_size"):
            call("blake2xb", b"", digest_size=None)
    long = hashcore.blake3(b"x").digest(500)
    assert hashcore.digest("blake3", b"x", digest_size=100, seek=50) == long[50:150]
    assert hashcore.digest("blake3", b"x", threads=hashcore.AUTO) == hashcore.digest("blake3", b"x", threads=2) == long[:32]
    assert hashcore.digest("blake2xb", b"x", digest_size=77) == hashcore.blake2xb(b"x", digest_size=77).digest()


@pytest.mark.parametrize("name, options", [
    ("blake2xb", {"digest_size": 10, "seek": 5}), ("blake2xb", {"digest_size": 10, "seek": 0}), ("blake2xb", {"digest_size": 10, "threads": 2}),
    ("blake2xb", {}), ("blake2xb", {"digest_size": None}), ("blake2xb", {"digest_size": 0}), ("blake2xb", {"digest_size": 10, "key": bytes(65)}),
    ("BLAKE2Xb", {"digest_size": 10, "seek": 2**64}), ("blake2xb", {"digest_size": 10, "seek": -1}), ("blake2xb", {"digest_size": 9, "key": b"k"}),
    ("blake3", {"digest_size": 10, "seek": 5}), ("BLAKE3", {"seek": 5, "threads": -1}), ("blake3", {"digest_size": 0}), ("blake3", {"key": b""}),
    ("blake3", {"digest_size": 2, "seek": 2**64 - 2}), ("blake3", {"digest_size": None}), ("blake3", {"derive_key_context": "c", "threads": 2}),
    ("blake3", {"max_threads": 2}), ("blake3", {"threads": "2"}), ("blake3", {"key": bytes(32), "usedforsecurity": False}),
    ("blake2b", {"digest_size": 10}), ("blake2b", {"digest_size": 65}), ("blake2b", {"digest_size": None}), ("blake2b", {"seek": 0}),
    ("sha256", {"threads": 2}), ("sha256", {"seek": 1}), ("sha256", {"key": b"k"}), ("sha256", {"threads": -2}), ("hmac-sha256", {}),
    ("hmac-sha256", {"key": b"k", "threads": 2}), ("md5", {}), (hashcore.blake2xb, {"digest_size": 10, "seek": 5}), (hashcore.blake3, {"seek": 5}),
])
def test_one_rule_for_every_length(name, options):
    """Above 16 MiB a one-shot goes by way of an object: it takes and refuses what the short way does, in the same words."""
    def said(call, data):
        try:
            return len(call(name, data, data[:3], **options))
        except Exception as error:
            return type(error), str(error)

    for call in (hashcore.digest, hashcore.hexdigest):
        short = said(call, b"short")
        assert said(call, LONG) == short
        if not isinstance(short, int):
            continue
        how = {k: v for k, v in options.items() if k != "threads"}
        output = {"length": how.pop("digest_size", None), "seek": how.pop("seek", 0)}
        if str(name).lower() == "blake2xb" or name == "blake2b":
            how["digest_size"] = output["length"]
        h = hashcore.new(name, LONG, **how).update(LONG[:3])
        want = h.digest(**output) if h.name in ("blake3", "blake2xb") else h.digest()
        assert call(name, LONG, LONG[:3], **options) == (want if call is hashcore.digest else want.hex())


LONG = bytes(range(256)) * (1 << 16) + b"tail"


# ---- XOR


def test_xor():
    a, b, c = os.urandom(100), os.urandom(100), os.urandom(100)
    want = bytes(x ^ y for x, y in zip(a, b))
    assert hashcore.xor(a, b) == want and type(hashcore.xor(a, b)) is bytes
    assert hashcore.xor(a, bytearray(b), memoryview(c)) == bytes(x ^ y for x, y in zip(want, c))
    assert hashcore.xor(a) == a and hashcore.xor(b"", b"") == b""
    for bad in ((b"abc", b"ab"), (b"", b"x"), (a, b, c[1:])):
        with pytest.raises(ValueError, match="bytes given"):
            hashcore.xor(*bad)
    for bad in ((), ("a", "b"), (None, b"")):
        with pytest.raises(TypeError):
            hashcore.xor(*bad)


def test_xor_into():
    a, b = os.urandom(20), os.urandom(20)
    for size in (20, 25):
        dst = bytearray(b"\xee" * size)
        assert hashcore.xor_into(dst, a, b[:15]) == 15
        assert dst == hashcore.xor(a[:15], b[:15]) + b"\xee" * (size - 15)
    dst = bytearray(b"\xee" * 10)
    with pytest.raises(ValueError, match="dst"):
        hashcore.xor_into(dst, a, b)
    assert dst == b"\xee" * 10
    buffer = bytearray(range(40))
    view = memoryview(buffer)
    assert hashcore.xor_into(view[:20], view[:20], b) == 20  # in place
    before = bytes(buffer)
    with pytest.raises(ValueError, match="overlap"):
        hashcore.xor_into(view[1:21], view[:20], b)
    assert buffer == before
    for bad in ((b"bytes", a), (memoryview(b"x"), a)):
        with pytest.raises((TypeError, BufferError)):
            hashcore.xor_into(*bad)
    for bad in (("s", a), (None, a), (bytearray(3), "abc"), (bytearray(3),), ()):
        with pytest.raises(TypeError):
            hashcore.xor_into(*bad)


def test_xor_mask():
    data, key = os.urandom(50), b"key!"
    want = bytes(x ^ key[i % 4] for i, x in enumerate(data))
    assert hashcore.xor_mask(data, key) == want and hashcore.xor_mask(data[3:], key, 3) == want[3:]
    assert hashcore.xor_mask(data[3:], key, offset=3) == want[3:] and hashcore.xor_mask(data=data, key=key) == want
    buffer = bytearray(data)
    assert hashcore.xor_mask(buffer, key, out=buffer) is buffer and buffer == want
    with pytest.raises(ValueError, match="key"):
        hashcore.xor_mask(data, b"")
    with pytest.raises(ValueError, match="out: 49 bytes given, 50 needed"):
        hashcore.xor_mask(data, key, out=bytearray(49))
    with pytest.raises(ValueError, match="overlap"):
        hashcore.xor_mask(memoryview(buffer)[:40], key, out=memoryview(buffer)[1:])
    for offset, kind in ((-1, ValueError), (2**64, OverflowError), (1.0, TypeError), ("1", TypeError)):
        with pytest.raises(kind):
            hashcore.xor_mask(data, key, offset)
    for bad in ((), (data,), ("text", key), (data, "key"), (data, key, 0, 1)):
        with pytest.raises(TypeError):
            hashcore.xor_mask(*bad)


def test_cpu():
    cpu = hashcore.cpu()
    assert set(cpu) == {"detected", "enabled", "kernels"}
    assert {"sha256.blocks", "blake2b.blocks", "blake3.many", "xor.two"} <= set(cpu["kernels"])
