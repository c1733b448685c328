"""The examples give the values that the systems they are of give, and run as programs."""
import importlib.util
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "python"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


merkle_trie, filecoin_address = load("merkle_trie"), load("filecoin_address")

# merkledb's hashing_test.go: empty, a value, a key, 1, 2 and 16 children; its view_test.go: 1, 10, ..., 100,000 keys.
NODES = {
    "sha256": [
        "709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c",
        "fe318e84f0535833fb3bf7a3714a52642fbd0d17279bfc22b1baec0e3e7b0194",
        "fc6587cf678733b4adb458b03b52be5d6068210749a6b18b5e11587e16e776bb",
        "47e3823b19d4b133d4eb9eacf19976d39923c434c6db6f95131635bcf8a002d8",
        "4783fbc68d966ca56c8ff812ba83e4be5e361743b89b78df6e6ad38335730c1c",
        "0a52eda52af8012286851a9107e3ead3a0ab2e1abf36a28f3f63b09e043be8c1",
    ],
    "blake3": [
        "91525ff00a3755a8df93c626b59f6e36cf021d85ebccecdedc38f3f1890a15fc",
        "0fbd2ece1cb1b8dd1b23d8af59db6afd384856a4e32ea1869ea4873b32c2911d",
        "600649ba68220402d041c7274d89521475f6368a5b4cafc76875d2e6357de053",
        "ee3bf8506b1473755a0b76bc7a79e457d49cfb70e9f0d32d285135bbf9bf0d41",
        "2f2bf6c16613d66515ddb3a2359a25c0fd8caa3ed2343a35941c9c7923784d42",
        "4a6dfbb952d5ccb46bc19bdcde46c3f19c0d4c1804fe3dbb5921e4513d85479c",
    ],
}
ROOTS = {
    "sha256": [
        "9841ed7d0b2a2ebb35b09ee859099b437d99086a6ed720a54fd8b868b47e3dca",
        "b6465f2f0d2276e2973d1d56e87e29b9d676f91bde534bac7b075fb8f3a1a728",
        "2b990486ebedb4f2bd4eba924dcf6ee59112fd69edef170f75b2249eac811c12",
        "bcaee17f6ee69de51c88f8a23af2a51605f5ab56fa0388488323cadf3db924f7",
        "7b2a56b4546c727ba3c90859caa62812f36f6c9b907d7827b2005eb2cf760275",
        "a12334bda30987fa635490db8ec891003d78f21568dd5033832f5cb14447d067",
    ],
    "blake3": [
        "f41f6ff562fda1813d44886aca543f81029d1070f788e12e6c38dd7c7977e90e",
        "db371132a7299685cc16c716319058f4f9e3fde503e5bf8b344e8c9ba914d08b",
        "250236a1a28ac49072a0d3b52b62892bae4c05b44d2f1351e2d6224efacd8d1d",
        "fed8464d12b6362ca442537fa1111f917648b8b974de1ff597f162a67a52809c",
        "a1d66bd23e920b7ace40a83d4fde8c3de3a4d9ac443a83fdc8f0d17f0b7fc3a1",
        "fc5d71ff9c047b39744515f23ea7c607dd4b4b8f457cbd1158cd02751273a947",
    ],
}
# Protocol, data and address of go-address's address_test.go.
ADDRESSES = [
    (1, "049402fac37e6432a416a3a0ca5426b5185ab3b24f6134efa25ce487c82d2e4e13bf452511e0d2245421f8613bc10d72fa21"
        "6666a96c3bc13920d3ff233fd0bc05",
     "f15ihq5ibzwki2b4ep2f46avlkrqzhpqgtga7pdrq"),
    (1, "047687b910379bf28cbe3aea674b12000c6b7dba46ffc05f6c94fe2a22bbcc2602ff7f5c76f21ca55d36959152b0e1e88791"
        "7c393576eef093f61ebd3ad06f7fda",
     "f12fiakbhe2gwd5cnmrenekasyn6v5tnaxaqizq6a"),
    (1, "04defdd01001efb86e01ded5ce34f847a73a14819ee641bcb60bb92993596f05dc2d605f2985f8d125812dac4163a396349b"
        "23c11cc2ff359de54be287ea62319b",
     "f1wbxhu3ypkuo6eyp6hjx6davuelxaxrvwb2kuwva"),
    (1, "0403ed12c814b6b10d2ee09d95b4688db2d180d0a9a37a6b6a7db63d29811ee9730479d8ef9139e91249cabd393291cfe5d2"
        "77ba76de45e3e085a37681bf3645d2",
     "f1xtwapqc6nh4si2hcwpr3656iotzmlwumogqbuaa"),
    (1, "04f796819a8e271631af7c189797b545d60225936147e6010e6562b3ce9efe8b10144161a91ed0b4ec890800253fa6fc20ac"
        "90fbf1fbf27130a4ecc3e403b70576",
     "f1xcbgdhkgkwht3hrrnui3jdopeejsoatkzmoltqy"),
    (1, "0442832bf87cce9ea345b90350de7d3495859ca449059c5e88dde74285dffb9ec01ebabc5fc86268cfeaeba7ae05bfb8d68e"
        "b75a5268782cf86fc8702bef8a1fe0",
     "f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy"),
    (2, "76128190cdf068d1418044acc03e0b6781970d60",
     "f24vg6ut43yw2h2jqydgbg2xq7x6f4kub3bg6as6i"),
    (2, "2cafb8e2e06bba98ea657c5cf5f42023aa23e88e",
     "f25nml2cfbljvn4goqtclhifepvfnicv6g7mfmmvq"),
    (2, "022c9e0ea29d8f40c56abec35c8d587da0a64c18",
     "f2nuqrg7vuysaue2pistjjnt3fadsdzvyuatqtfei"),
    (2, "dfec030e204f0f59d80f1d5ee91dfd066d7f63bd",
     "f24dd4ox4c2vpf5vk5wkadgyyn6qtuvgcpxxon64a"),
    (2, "3d3a89e8ddab547832716c6d468c3560c9f47fd8",
     "f2gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr23y"),
    (3, "ad58df696e2d4e91ea86c881e938ba4ea81b395e12797b84b9cf314b9546705e839c7a99d606b247ddb4f9ac7a3414dd",
     "f3vvmn62lofvhjd2ugzca6sof2j2ubwok6cj4xxbfzz4yuxfkgobpihhd2thlanmsh3w2ptld2gqkn2jvlss4a"),
    (3, "b3294f0a2e29e0c66ebc235d2fedca5697bf784af605c75af608e6a63d5cd38ea85ca8989e0efde9188b382f9372460d",
     "f3wmuu6crofhqmm3v4enos73okk2l366ck6yc4owxwbdtkmpk42ohkqxfitcpa57pjdcftql4tojda2poeruwa"),
    (3, "96a1a3e4ea7a14d49985e661b22401d44fed402d1d0925b243c923589c0fbc7e32cd04e29ed78d15d37d3aaa3fe6da33",
     "f3s2q2hzhkpiknjgmf4zq3ejab2rh62qbndueslmsdzervrhapxr7dftie4kpnpdiv2n6tvkr743ndhrsw6d3a"),
    (3, "86b454258c589475f7d16f5aac018a79f6c1169d20fc33921dd8b5ce1cac6c348f90a3603624f6aeb91b64518c2e8095",
     "f3q22fijmmlckhl56rn5nkyamkph3mcfu5ed6dheq53c244hfmnq2i7efdma3cj5voxenwiummf2ajlsbxc65a"),
    (3, "a7726b038022f75a384617585360cee629070a2d9d28712965e5f26ecc40858382803724ed34f2720336f09db631f074",
     "f3u5zgwa4ael3vuocgc5mfgygo4yuqocrntuuhcklf4xzg5tcaqwbyfabxetwtj4tsam3pbhnwghyhijr5mixa"),
]


@pytest.mark.parametrize("algorithm", NODES)
def test_merkle_nodes(algorithm):
    def leaf(index, low, value):
        return index, merkle_trie.Node(bytes([index, low]), value)

    families = [[], [leaf(15, 15, b"value1")], [leaf(14, 13, b"value2"), leaf(15, 15, b"value1")],
                [leaf(i, 0, b"some value") for i in range(16)]]
    for family in families:
        merkle_trie.identify(algorithm, [child for _, child in family])
    empty, *parents = (merkle_trie.Node(children=dict(family)) for family in families)
    key = merkle_trie.Node(bytes.fromhex("00000001000200030004000500060007"))
    nodes = [empty, merkle_trie.Node(value=b"value1"), key, *parents]
    merkle_trie.identify(algorithm, nodes)
    assert [node.id.hex() for node in nodes] == NODES[algorithm]


@pytest.mark.parametrize("algorithm", ROOTS)
def test_merkle_roots(algorithm):
    for i, expected in enumerate(ROOTS[algorithm]):
        top, nodes = merkle_trie.root(algorithm, merkle_trie.benchmark_entries(10**i))
        assert top.hex() == expected
        assert nodes[0] == 10**i and nodes[-1] == 1


def test_merkle_other_keys():
    """A key that begins another has its node on the way; short values stand for themselves."""
    entries = {b"a": b"1", b"ab": b"2" * 31, b"b": b"3" * 32}
    top, nodes = merkle_trie.root("sha256", entries)
    assert nodes == [2, 1, 1] and top == merkle_trie.root("sha256", dict(reversed(entries.items())))[0]
    assert top != merkle_trie.root("sha256", {**entries, b"a": b"2"})[0]


@pytest.mark.parametrize("protocol, data, address", ADDRESSES)
def test_filecoin_addresses(protocol, data, address):
    assert filecoin_address.encode(protocol, bytes.fromhex(data)) == address
    network, decoded, payload = filecoin_address.decode(address)
    assert (network, decoded, len(payload)) == ("f", protocol, filecoin_address.SIZES[protocol])
    for i, digit in enumerate(address):
        for wrong in (address[:i], address[:i] + ("c" if digit == "b" else "b") + address[i + 1:]):
            with pytest.raises(ValueError):
                filecoin_address.decode(wrong)


def test_filecoin_wrong_data():
    for protocol, size in ((1, 64), (3, 47)):
        with pytest.raises(ValueError, match="bytes of data"):
            filecoin_address.encode(protocol, bytes(size))


@pytest.mark.parametrize("program, words", [
    (["merkle_trie.py", "10", "blake3"], ROOTS["blake3"][1]),
    (["filecoin_address.py"], "protocol 3, payload 0101"),
    (["filecoin_address.py", ADDRESSES[0][2]], "protocol 1, payload ea0f0ea0"),
])
def test_programs(program, words):
    command = [sys.executable, FOLDER / program[0], *program[1:]]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert words in run.stdout
