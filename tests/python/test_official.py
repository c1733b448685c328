"""The authors' own vectors, from a folder that HASHCORE_OFFICIAL names; their files are not part of the project."""
import json
import os

import pytest

import hashcore
from hashcore import bao

FOLDER = os.environ.get("HASHCORE_OFFICIAL", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="HASHCORE_OFFICIAL names no folder")


def load(*name):
    path = os.path.join(FOLDER, *name)
    if not os.path.exists(path):
        pytest.skip(f"no {os.path.join(*name)}")
    with open(path) as f:
        return json.load(f)


def pattern(n):
    return (bytes(range(251)) * (n // 251 + 1))[:n]


def words(n):
    """Input of the Bao vectors: 32-bit little-endian integers from 1 on."""
    return b"".join(i.to_bytes(4, "little") for i in range(1, n // 4 + 2))[:n]


def flipped(data, at):
    bad = bytearray(data)
    bad[at] ^= 1
    return bytes(bad)


def test_blake3():
    d = load("blake3", "official_test_vectors.json")
    key, context = d["key"].encode(), d["context_string"]
    for case in d["cases"]:
        data = pattern(case["input_len"])
        for field, mode in (("hash", {}), ("keyed_hash", {"key": key}), ("derive_key", {"derive_key_context": context})):
            want = bytes.fromhex(case[field])
            assert hashcore.digest("blake3", data, digest_size=len(want), **mode) == want
            assert hashcore.blake3(data, **mode).reader().read(len(want)) == want


def test_bao():
    d = load("bao", "bao_test_vectors.json")
    for case in d["hash"]:
        assert hashcore.hexdigest("blake3", words(case["input_len"])) == case["bao_hash"]
    for case in d["encode"]:
        data = words(case["input_len"])
        encoded, root = bao.encode(data)
        assert (len(encoded), root.hex(), hashcore.hexdigest("blake3", encoded)) == (
            case["output_len"], case["bao_hash"], case["encoded_blake3"])
        assert bao.decode(encoded, root) == data
        for at in case["corruptions"]:
            with pytest.raises(ValueError):
                bao.decode(flipped(encoded, at), root)
    for case in d["outboard"]:
        data = words(case["input_len"])
        outboard, root = bao.encode(data, outboard=True)
        assert (len(outboard), hashcore.hexdigest("blake3", outboard)) == (case["output_len"], case["encoded_blake3"])
        assert bao.decode(outboard, root, data=data) == data
        for at in case["outboard_corruptions"]:
            with pytest.raises(ValueError):
                bao.decode(flipped(outboard, at), root, data=data)
        for at in case["input_corruptions"]:
            with pytest.raises(ValueError):
                bao.decode(outboard, root, data=flipped(data, at))
    for case in d["slice"]:
        data = words(case["input_len"])
        encoded, root = bao.encode(data)
        for s in case["slices"]:
            cut = bao.extract_slice(encoded, s["start"], s["len"])
            assert (len(cut), hashcore.hexdigest("blake3", cut)) == (s["output_len"], s["output_blake3"])
            assert bao.decode_slice(cut, root, s["start"], s["len"]) == data[s["start"] : s["start"] + s["len"]]
            for at in s["corruptions"]:
                with pytest.raises(ValueError):
                    bao.decode_slice(flipped(cut, at), root, s["start"], s["len"])
    for case in d["seek"]:
        data = words(case["input_len"])
        reader = bao.Reader(*bao.encode(data))
        for at in case["seek_offsets"]:
            reader.seek(at)
            assert reader.read() == data[at:]


def test_go_states():
    d = load("state", "gostate_kat.json")
    checked = 0
    for case in d["states"]:
        name = case["alg"]
        if name not in ("sha224", "sha256", "blake2b"):
            continue
        options = {"digest_size": case["size"]} if name == "blake2b" else {}
        h = hashcore.new(name, pattern(case["in_len"]), **options)
        state = bytes.fromhex(case["state"])
        assert h.export("go") == state and h.hexdigest() == case["digest"]
        after = pattern(case["in_len"] + case["next_len"])[case["in_len"] :]
        assert hashcore.restore(name, state).update(after).hexdigest() == case["digest_after_next"]
        checked += 1
    assert checked


def test_blake2b():
    for case in load("blake2", "blake2-kat-b.json"):
        data, key, want = (bytes.fromhex(case[name]) for name in ("in", "key", "out"))
        if case["hash"] == "blake2b":
            assert hashcore.digest("blake2b", data, key=key) == want
        elif case["hash"] == "blake2xb":
            assert hashcore.digest("blake2xb", data, key=key, digest_size=len(want)) == want
