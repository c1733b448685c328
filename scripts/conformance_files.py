"""What scripts/conformance knows: for each official file how to tell it and what hashcore must answer to it.

Each check takes (lib, content) and yields one True or False a case, or a string: a case that hashcore does not offer,
and why.
"""
import base64
import hashlib
import os
import re
import struct

import conformance_trees
from conformance_lib import State, UNKNOWN
from gen_vectors import blake2b_rfc7693

MOD251 = bytes(range(251)) * 12600  # 3 MiB
COUNTING = bytes(range(256))
CONTEXT = "BLAKE3 2019-12-27 16:29:52 test vectors context"
unhex = bytes.fromhex


# ---- BLAKE3 ---------------------------------------------------------------------------------------------------

def blake3_vectors(lib, content):
    """The BLAKE3 team's three modes (also in the files of other libraries): whole output, and its first 32 bytes."""
    key, context = content["key"].encode(), content.get("context_string", CONTEXT).encode()
    for case in content["cases"]:
        data = MOD251[:case["input_len"]]
        for name, options in (("hash", {}), ("keyed_hash", {"key": key}), ("derive_key", {"context": context})):
            out = unhex(case[name])
            yield (lib.digest("blake3", data, len(out), **options) == out
                   and lib.digest("blake3", data, **options) == out[:32]
                   and lib.digest("blake3", data, len(out) - 33, 33, **options) == out[33:]
                   and lib.many("blake3", [data, data], **options) == [out[:32]] * 2)


def blake3_singles(lib, content):
    for case in content["cases"]:
        data = unhex(case["input_hex"])
        yield all(lib.digest("blake3", data).hex() == case["hash"] for _ in range(2))


def blake3_bands(lib, content):
    bands = re.findall(r"(\d+)\.\.(\d+)", content["rule"])
    inputs = [MOD251[:n] for first, last in bands for n in range(int(first), int(last) + 1)]
    one_by_one = hashlib.sha256(b"".join(lib.digest("blake3", data) for data in inputs)).hexdigest()
    batch = hashlib.sha256(b"".join(lib.many("blake3", inputs))).hexdigest()
    for _ in inputs:
        yield one_by_one == batch == content["value"]


# ---- BLAKE2 ---------------------------------------------------------------------------------------------------

def blake2bp(lib, data, key):
    """BLAKE2bp from BLAKE2b's tree parameters (BLAKE2 paper, section 2.10): four leaves, blocks dealt in turn."""
    leaves = []
    for i in range(4):
        share = b"".join(data[at:at + 128] for at in range(128 * i, len(data), 512))
        leaves.append(lib.digest("blake2b", share, digest_size=64, key=key, tree=(4, 2, 0, i, 0, 64, i == 3)))
    root = (4, 2, 0, 0, 1, 64, 1)
    if key:  # the root names a key length and absorbs no key: BLAKE2b's own rules forbid that, so it is not hashcore's
        return blake2b_rfc7693(b"".join(leaves), tree=root, key_length=len(key))
    return lib.digest("blake2b", b"".join(leaves), digest_size=64, tree=root)


def blake2_kat(lib, content):
    for case in content:
        data, key, out = unhex(case["in"]), unhex(case["key"]) or None, unhex(case["out"])
        if case["hash"] == "blake2b":
            yield lib.digest("blake2b", data, digest_size=len(out), key=key) == out
        elif case["hash"] == "blake2xb":
            core = conformance_trees.Core(lib.fresh())
            state = core.state("blake2xb", data, key=key or b"", digest_size=len(out))
            yield (lib.digest("blake2xb", data, len(out), digest_size=len(out), key=key) == out
                   and conformance_trees.blake2xb_whole(core, state, out))
        elif case["hash"] == "blake2bp":
            yield blake2bp(lib, data, key) == out
        else:
            yield "another BLAKE2: " + case["hash"]


def blake2_keyed_lines(lib, content):
    """input,key,output in hex (CPython's test data)."""
    for line in content.splitlines():
        if line.startswith("#") or line.count(",") != 2:
            continue
        data, key, out = (unhex(field) for field in line.split(","))
        yield lib.digest("blake2b", data, digest_size=len(out), key=key or None) == out


def xcrypto(lib, content):
    key = unhex(content["key"])
    for i, out in enumerate(content["hashes"]):
        yield lib.digest("blake2b", COUNTING[:i], key=key).hex() == out
    out = content["xof_unknown_length_first64"]
    yield lib.digest("blake2xb", COUNTING, len(out) // 2, digest_size=UNKNOWN, key=key).hex() == out
    yield from by_trees(conformance_trees.blake2xb_go)(lib, content)


def rfc7693_sequence(length, seed):
    a, b, out = 0xDEAD4BAD * seed & 0xFFFFFFFF, 1, bytearray()
    for _ in range(length):
        a, b = b, (a + b) & 0xFFFFFFFF
        out.append(b >> 24)
    return bytes(out)


def rfc7693(lib, content):
    yield lib.digest("blake2b", b"abc").hex() == content["abc_blake2b_512"]
    test = content["selftest"]
    outer = State(lib, "blake2b", digest_size=32)
    for size in test["md_len"]:
        key = rfc7693_sequence(size, size)
        for length in test["in_len"]:
            data = rfc7693_sequence(length, length)
            outer.update(lib.digest("blake2b", data, digest_size=size))
            outer.update(lib.digest("blake2b", data, digest_size=size, key=key))
    yield outer.digest().hex() == test["result"]


def refused(lib, **options):
    try:
        State(lib, "blake2b", **options)
    except ValueError:
        return True
    return False


def cpython(lib, content):
    yield lib.digest("blake2b", b"").hex() == content["empty"]
    yield lib.digest("blake2b", b"abc").hex() == content["abc"]
    for case in content.values():
        if not isinstance(case, dict) or "input_ascii" not in case:
            continue
        extra = {name: case[name + "_ascii"].encode() for name in ("key", "salt", "person") if name + "_ascii" in case}
        if "fanout" in case:
            extra["tree"] = [case[name] for name in ("fanout", "depth", "leaf_size", "node_offset", "node_depth",
                                                     "inner_size", "last_node")]
        yield lib.digest("blake2b", case["input_ascii"].encode(), digest_size=case["digest_size"],
                         **extra).hex() == case["out"]
    leaves = [lib.digest("blake2b", bytes(n), digest_size=64, tree=(2, 2, 4096, i, 0, 64, i))
              for i, n in enumerate((4096, 6000 - 4096))]
    yield lib.digest("blake2b", b"".join(leaves), digest_size=32,
                     tree=(2, 2, 4096, 0, 1, 64, 1)).hex() == content["docs_tree"]["out"]
    limits = content["limits"]
    yield all(refused(lib, **{name: bytes(limits[name + "_max"] + 1)})
              and not refused(lib, **{name: bytes(limits[name + "_max"])}) for name in ("key", "salt", "person"))
    yield refused(lib, digest_size=0) and refused(lib, digest_size=65)
    fits = [255, 255, limits["leaf_size_max"], limits["node_offset_max"], 255, 64, 1]
    yield not refused(lib, tree=fits) and all(
        refused(lib, tree=fits[:i] + [fits[i] + 1] + fits[i + 1:]) for i in (0, 1, 2, 4, 5))
    yield refused(lib, tree=[1, 0, 0, 0, 0, 0, 0])


def libsodium_generichash(lib, content):
    for name in ("keyed_64", "varlen", "varlen_triple_update", "salt_personal"):
        for case in content[name]:
            out = unhex(case["out"])
            extra = {field: unhex(case[old]) for field, old in (("salt", "salt"), ("person", "personal"))
                     if old in case}
            yield lib.digest("blake2b", unhex(case["in"]), digest_size=len(out), key=unhex(case["key"]) or None,
                             **extra) == out
    for _ in content.get("not_used", {}).get("generichash3_last_two", ()):
        yield "a digest longer than its parameter block says"


def go_blake2b_image(h, t, block, size=64):
    words = struct.pack(">8QQQB", *h, t & UNKNOWN, t >> 64, size)
    return b"b2b" + words + block.ljust(128, b"\0") + bytes([len(block)])


def eip152(lib, content):
    for case in content:
        raw = unhex(case["input"])
        rounds, last = struct.unpack(">I", raw[:4])[0], raw[212]
        h, t = struct.unpack("<8Q", raw[4:68]), int.from_bytes(raw[196:212], "little")
        if rounds != 12 or last != 1 or not 0 < t <= 128 or any(raw[68 + t:196]):
            yield "the bare compression F with %d rounds, final flag %d" % (rounds, last)
        else:
            state = State(lib, "blake2b").load(go_blake2b_image(h, 0, raw[68:68 + t]))
            yield state.digest().hex() == case["expected"]


# ---- SHA-2, HMAC, HKDF: the NIST style of file ---------------------------------------------------------------

def blocks(text):
    """Dictionaries of `Name = value` lines, a new one when a name comes again."""
    fields = {}
    for line in text.splitlines():
        found = re.match(r"\s*(\w+)\s*=\s*(.*?)\s*$", line)
        if not found or line.startswith("["):
            continue
        if found.group(1) in fields:
            yield fields
            fields = {}
        fields[found.group(1)] = found.group(2)
    if fields:
        yield fields


def nist_digest(alg):
    def check(lib, content):
        for case in blocks(content):
            data, out = unhex(case["Msg"])[:int(case["Len"]) // 8], unhex(case["MD"])
            yield lib.digest(alg, data) == out and lib.many(alg, [data] * 3) == [out] * 3
    return check


def rfc4231(lib, content):
    for case in blocks(content):
        out = unhex(case["MD"])  # one case is shortened to 128 bits
        alg = "hmac-sha224" if "SHA224" in content.upper().replace("-", "") else "hmac-sha256"
        yield lib.digest(alg, unhex(case["Msg"]), key=unhex(case["Key"]))[:len(out)] == out


def hkdf(lib, salt, ikm, info, length):
    """RFC 5869 over hashcore's HMAC: (PRK, OKM)."""
    prk = lib.digest("hmac-sha256", ikm, key=salt or bytes(32))
    okm = block = b""
    for i in range(1, -(-length // 32) + 1):
        block = lib.digest("hmac-sha256", block + info + bytes([i]), key=prk)
        okm += block
    return prk, okm[:length]


def hkdf_lines(lib, content):
    for case in blocks(content):
        if case.get("Hash", "SHA-256") not in ("SHA-256", "SHA256"):
            yield "HKDF with " + case["Hash"]
            continue
        prk, okm = hkdf(lib, unhex(case["salt"]), unhex(case["IKM"]), unhex(case["info"]), int(case["L"]))
        yield okm == unhex(case["OKM"]) and prk.hex() in (case.get("PRK", prk.hex()),)


def libsodium_hkdf(lib, content):
    info = bytes(range(111, 199))
    for length, out in enumerate(content["okm"]):
        prk, okm = hkdf(lib, unhex(content["salt"]), unhex(content["ikm"]), bytes([length]) + info[1:], length)
        yield prk.hex() == content["prk"] and okm.hex() == out


# ---- Trees, long output and states: conformance_trees.py ------------------------------------------------------------

def by_trees(function, *more):
    def check(lib, content):
        _, cases, wrong = function(conformance_trees.Core(lib.fresh()), content, *more)
        for what in wrong:
            print("    differs: %s" % (what,))
        yield from [True] * (cases - len(wrong)) + [False] * len(wrong)
    return check


def bao_outboard(lib, content):
    stem = os.path.splitext(content.path)[0]
    with open(stem + ".bao", "rb") as f:
        yield from by_trees(conformance_trees.bao_golden, bytes(content))(lib, f.read())


# ---- Values of several algorithms ---------------------------------------------------------------------------------

ALGORITHMS = {"sha256": "sha256", "sha224": "sha224", "blake2b64": "blake2b", "blake2b512": "blake2b",
              "blake3": "blake3"}


def large_lengths(lib, content):
    for case in content["cases"]:
        for name, alg in ALGORITHMS.items():
            if name in case:
                yield lib.digest(alg, MOD251[:case["len"]]).hex() == case[name]


def zeros(lib, alg, length):
    state, piece = State(lib, alg), bytes(1 << 24)
    for _ in range(length >> 24):
        state.update(piece)
    return state.update(piece[:length & ((1 << 24) - 1)]).digest().hex()


def issue_values(lib, content):
    for case in content["cases"]:
        size = re.match(r"(?:(\d+)\*)?(\d+) (MiB of zero|zero|bytes i mod 251|bytes ff)", case["input"])
        if case["input"] == "empty":
            key = case["key_ascii"].encode()
            yield lib.digest(case["alg"], b"", digest_size=case["digest_size"], key=key).hex() == case["out"]
        elif not size:
            yield "an input that this script cannot read: " + case["input"]
        else:
            n = int(size.group(1) or 1) * int(size.group(2)) * (1 << 20 if size.group(3).startswith("MiB") else 1)
            if size.group(3).endswith("zero"):
                yield zeros(lib, case["alg"], n) == case["out"]
            else:
                data = MOD251[:n] if "251" in case["input"] else b"\xff" * n
                yield lib.digest(case["alg"], data).hex() == case["out"]


def big_zeros(lib, content):
    """One pass an algorithm; finalizing leaves a state as it was."""
    cases = sorted(content.get("cases") or [{"len": 5 << 30, **content}], key=lambda case: case["len"])
    piece = bytes(1 << 24)
    for name, alg in ALGORITHMS.items():
        state, at = State(lib, alg), 0
        for case in cases:
            if name in case:
                while at < case["len"]:
                    step = min(len(piece), case["len"] - at)
                    state.update(piece if step == len(piece) else piece[:step])
                    at += step
                yield state.digest().hex() == case[name]


# ---- Applications ---------------------------------------------------------------------------------------------------

def uvarint(n):
    out = bytearray()
    while n >= 128:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def base32(data):
    return base64.b32encode(data).decode().lower().rstrip("=")


def filecoin_payload(lib, protocol, data):
    return lib.digest("blake2b", data, digest_size=20) if protocol in (1, 2) else data


def filecoin_checksum(lib, protocol, payload):
    return lib.digest("blake2b", bytes([protocol]) + payload, digest_size=4)


def filecoin(lib, content):
    for case in content["cases"]:
        payload = filecoin_payload(lib, case["protocol"], unhex(case["input"]))
        tail = str(case["protocol"]) + base32(payload + filecoin_checksum(lib, case["protocol"], payload))
        yield case["testnet"] == "t" + tail and case["mainnet"] == "f" + tail
    for case in content.get("delegated", ()):
        address = unhex(case["subaddress"])
        check = filecoin_checksum(lib, 4, uvarint(case["namespace"]) + address)
        yield case["mainnet"] == "f4%df%s" % (case["namespace"], base32(address + check))
    for text in content.get("bad_checksum", ()):
        raw = base64.b32decode(text[2:].upper() + "=" * (-len(text[2:]) % 8))
        yield filecoin_checksum(lib, int(text[1]), raw[:-4]) != raw[-4:]


def filecoin_kat(lib, content):
    for case in content:
        payload = filecoin_payload(lib, case["protocol"], unhex(case["input"]))
        check = filecoin_checksum(lib, case["protocol"], payload)
        yield (payload.hex() == case["payload"] and check.hex() == case["checksum"]
               and case["address"][1:] == str(case["protocol"]) + base32(payload + check))


def cb58(lib, data):
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    data += lib.digest("sha256", data)[-4:]
    n, text = int.from_bytes(data, "big"), ""
    while n:
        n, digit = divmod(n, 58)
        text = alphabet[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def merkle_node(key, bits, value, children):
    """A node of merkledb as its hash reads it; value: its digest when that is shorter; children: {index: id}."""
    out = uvarint(len(children)) + b"".join(uvarint(i) + children[i] for i in sorted(children))
    if value is None:
        out += b"\0"
    else:
        out += b"\1" + uvarint(len(value)) + value
    return out + uvarint(bits) + key


def merkledb(lib, content):
    def node_id(case, children):
        value = None if case["value"] is None else unhex(case["value"])
        if value and len(value) >= 32:
            value = lib.digest("sha256", value)
        return lib.digest("sha256", merkle_node(unhex(case["key"]), case["key_bits"], value, children))
    for case in content["cases"]:
        children = {child["index"]: node_id(child, {}) for child in case["children"]}
        yield cb58(lib, node_id(case, children)) == case["id"]


def trie_root(lib, alg, count):
    """Root id of merkledb's trie (16 children) of keys uvarint(i) with values SHA-256(key), by one batch a height."""
    keys = [uvarint(i) for i in range(count)]
    items = sorted(zip((key.hex() for key in keys), lib.many(alg, lib.many("sha256", keys))))
    heights = []

    def grow(first, last):
        low, high = items[first][0], items[last - 1][0]
        shared = 0
        while shared < min(len(low), len(high)) and low[shared] == high[shared]:
            shared += 1
        node = {"key": low[:shared], "value": None, "children": {}, "height": 0}
        at = first
        if low == low[:shared]:
            node["value"], at = items[first][1], first + 1
        while at < last:
            start, digit = at, items[at][0][shared]
            while at < last and items[at][0][shared] == digit:
                at += 1
            child = node["children"][int(digit, 16)] = grow(start, at)
            node["height"] = max(node["height"], child["height"] + 1)
        while len(heights) <= node["height"]:
            heights.append([])
        heights[node["height"]].append(node)
        return node

    root = grow(0, len(items))
    for level in heights:
        encoded = [merkle_node(unhex(n["key"] + "0" * (len(n["key"]) % 2)), 4 * len(n["key"]), n["value"],
                               {i: child["id"] for i, child in n["children"].items()}) for n in level]
        for node, node_id in zip(level, lib.many(alg, encoded)):
            node["id"] = node_id
    return root["id"]


def merkle_kat(lib, content):
    for case in content["node_cases"]:
        node_id = lib.digest(case["alg"], unhex(case["encoded"]))
        yield node_id.hex() == case["id"] and case.get("cb58") in (None, cb58(lib, node_id))
    for case in content["tries"]:
        root = trie_root(lib, case["alg"], case["keys"])
        yield root.hex() == case["root"] and case.get("cb58") in (None, cb58(lib, root))


def multihash(lib, content):
    for line in content.splitlines()[1:]:
        bits, data, out = line.split(",")
        size = int(bits) // 8
        yield bytes([0x12, size]) + lib.digest("sha256", data.encode())[:size] == unhex(out)


def rfc6455(lib, content):
    for case in content["cases"]:
        plain, key, masked = (unhex(case[name]) for name in ("plain", "key", "masked"))
        yield (lib.xor_mask(plain, key) == masked and lib.xor_mask(masked, key) == plain
               and lib.xor_mask(plain[3:], key, 3) == masked[3:])


# ---- Which file is which ---------------------------------------------------------------------------------------

def has(*names):
    return lambda path, content: isinstance(content, dict) and all(name in content for name in names)


def cases_have(*names):
    return lambda path, content: (isinstance(content, dict) and isinstance(content.get("cases"), list)
                                  and content["cases"] and all(name in content["cases"][0] for name in names))


def listed(*names):
    return lambda path, content: (isinstance(content, list) and content and isinstance(content[0], dict)
                                  and all(name in content[0] for name in names))


def text(pattern, name=""):
    return lambda path, content: (isinstance(content, str) and re.search(name, path.lower().replace("-", ""))
                                  and re.search(pattern, content))


def rule(words):
    return lambda path, content: isinstance(content, dict) and words in str(content.get("rule"))


def golden(ending):
    return lambda path, content: isinstance(content, bytes) and path.endswith("golden" + ending)


# (title, test(path, content), check, is it behind --big)
KNOWN = (
    ("BLAKE3 in three modes", cases_have("input_len", "hash", "keyed_hash", "derive_key"), blake3_vectors, False),
    ("BLAKE3 team's single values", cases_have("input_hex", "hash"), blake3_singles, False),
    ("BLAKE3 output at far offsets", cases_have("seek", "length", "out"), by_trees(conformance_trees.xof_seek), False),
    ("BLAKE3 below and above chunk groups", rule("concatenated 32-byte BLAKE3"), blake3_bands, False),
    ("BLAKE2 known-answer tests", listed("hash", "in", "key", "out"), blake2_kat, False),
    ("golang.org/x/crypto blake2b", has("hashes", "hashes2X"), xcrypto, False),
    ("RFC 7693", has("selftest", "abc_blake2b_512"), rfc7693, False),
    ("CPython's BLAKE2b", has("docs_tree", "all_parameters"), cpython, False),
    ("CPython's BLAKE2b test data", text(r"(?m)^[0-9a-f]*,[0-9a-f]{128},[0-9a-f]{128}$", "blake2b"),
     blake2_keyed_lines, False),
    ("libsodium generichash", has("keyed_64", "salt_personal"), libsodium_generichash, False),
    ("EIP-152", listed("input", "expected"), eip152, False),
    ("BLAKE2b counter carry", cases_have("t0", "t1", "state"), by_trees(conformance_trees.counter_carry), False),
    ("pyca BLAKE2b", text(r"(?m)^MD = [0-9a-f]{128}$", "blake2b"), nist_digest("blake2b"), False),
    ("RFC 4231 HMAC", text(r"(?m)^Key = [0-9a-f]+$", "rfc4231"), rfc4231, False),
    ("NIST CAVP SHA-256", text(r"\[L = 32\]", r"sha256(short|long)msg"), nist_digest("sha256"), False),
    ("NIST CAVP SHA-224", text(r"\[L = 28\]", r"sha224(short|long)msg"), nist_digest("sha224"), False),
    ("HKDF-SHA-256", text(r"(?m)^OKM\s*=", "hkdf"), hkdf_lines, False),
    ("libsodium HKDF-SHA-256", has("okm", "prk"), libsodium_hkdf, False),
    ("Go crypto/sha256 golden states", lambda path, c: isinstance(c, dict) and isinstance(c.get("sha256"), list)
     and "half_state" in c["sha256"][0], by_trees(conformance_trees.go_sha256), False),
    ("Go states and BLAKE2Xb", has("states", "blake2xb"), by_trees(conformance_trees.go_states), False),
    ("Bao", has("encode", "outboard", "slice"), by_trees(conformance_trees.bao_vectors, "Bao"), False),
    ("Bao with groups of chunks", has("group", "cases"), by_trees(conformance_trees.group_roots), False),
    ("Bao, lukechampine.com/blake3", golden(".bao"), by_trees(conformance_trees.bao_golden), False),
    ("Bao outboard, lukechampine.com/blake3", golden(".obao"), bao_outboard, False),
    ("long inputs", lambda path, c: cases_have("len", "sha256", "blake3")(path, c) and "mod 251" in str(c.get("rule")),
     large_lengths, False),
    ("values from bug reports", cases_have("source", "alg", "input"), issue_values, False),
    ("gigabytes of zeros", rule("zero bytes"), big_zeros, True),
    ("Filecoin addresses", cases_have("protocol", "testnet"), filecoin, False),
    ("Filecoin payloads and checksums", listed("protocol", "payload", "checksum"), filecoin_kat, False),
    ("merkledb node ids", lambda path, c: has("preimage_rule", "cases")(path, c), merkledb, False),
    ("merkledb nodes and tries", has("node_cases", "tries"), merkle_kat, False),
    ("multihash sha2-256", text(r"^bits,input,multihash"), multihash, False),
    ("RFC 6455 masking", cases_have("plain", "masked"), rfc6455, False),
)
