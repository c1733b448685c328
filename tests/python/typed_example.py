"""Typed uses of the package, for mypy --strict and pyright; it runs too."""
import hashlib
import hmac
import io
from array import array

import hashcore
from hashcore import bao


def chain(data: bytes) -> str:
    text: str = hashcore.sha256().update(data).update(data, bytearray(data), memoryview(data)).hexdigest()
    return text


def protocols(data: bytes) -> tuple[bytes, str]:
    tag = hmac.new(b"key", data, digestmod=hashcore.blake3).digest()
    tag += hmac.new(b"key", data, digestmod=hashcore.sha256).digest()
    h = hmac.new(b"key", digestmod=hashcore.blake2b)
    h.update(data)
    return tag, h.hexdigest()


def objects(data: bytes) -> int:
    b = hashcore.blake2b(data, digest_size=20, key=b"k", last_node=True)
    x = hashcore.blake3(data, key=bytes(32), max_threads=hashcore.AUTO)
    size: int = b.digest_size + x.digest_size + hashcore.blake2b.SALT_SIZE + hashcore.blake3.AUTO
    unknown: int | None = hashcore.blake2xb(data).digest_size
    long: bytes = x.digest(100, seek=5)
    copy: hashcore.blake3 = x.copy().reset()
    same: hashcore.sha256 = hashcore.new("sha256", data)
    also: hashcore.sha256 = hashcore.restore(hashcore.sha256, same.export())
    with x.reader() as reader:
        reader.seek(2**40)
        piece: bytes = reader.read(10)
    return size + (unknown or 0) + len(long) + len(copy.digest()) + len(also.digest()) + len(piece)


def batches(data: bytes) -> int:
    one: bytes = hashcore.digest_many("sha256", [data, data])
    out: bytearray = hashcore.digest_many("sha256", data, item_size=1, out=bytearray(32 * len(data)))
    many: list[bytes] = hashcore.digest_many("blake3", data, offsets=array("q", [0, 1]), as_list=True)
    return len(one) + len(out) + len(many)


def files(path: str) -> bytes:
    def progress(done: int, total: int | None) -> None:
        print(done, total)

    h = hashcore.file_digest(path, hashcore.sha256, progress=progress)
    several = hashcore.file_digest(io.BytesIO(b"data"), ("sha256", "blake3"))
    digest: bytes = h.digest()
    return digest + b"".join(one.digest() for one in several)


def others(data: bytes) -> bytes:
    encoded, root = bao.encode(data)
    mask: bytes = hashcore.xor_mask(data, b"key")
    buffer: bytearray = hashcore.xor_mask(data, b"key", out=bytearray(len(data)))
    count: int = hashcore.xor_into(buffer, data, mask)
    kernels: dict[str, str] = hashcore.cpu()["kernels"]
    return bao.decode(encoded, root)[: count + len(kernels)] + hashcore.root([hashcore.subtree(bytes(1024)), hashcore.subtree(b"x", 1)])


if __name__ == "__main__":
    print(chain(b"x"), protocols(b"x"), objects(b"x"), batches(b"x"), files(__file__), others(b"x"), hashlib.sha256().name)
