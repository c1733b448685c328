"""BLAKE2b, BLAKE2Xb, BLAKE3, SHA-256/224, HMAC and XOR over one C core, with hashlib's interface and more.

The constructors sha224, sha256, blake2b, blake2xb, blake3, hmac_sha224 and hmac_sha256 give objects like hashlib's.
"""
from . import _hashcore
from ._hashcore import (
    VerificationError,
    __version__,
    blake2b,
    blake2xb,
    blake3,
    cpu,
    digest,
    hexdigest,
    hmac_sha224,
    hmac_sha256,
    new,
    sha224,
    sha256,
    xor,
    xor_into,
    xor_mask,
)

#: Names that new() takes and that are attributes of the module; the two HMACs need a key and are not among them.
algorithms_guaranteed = frozenset({"sha224", "sha256", "blake2b", "blake2xb", "blake3"})
algorithms_available = set(algorithms_guaranteed)

#: For threads=: as many as the size and the processor warrant.
AUTO: int = blake3.AUTO

#: Calls on more bytes than this release the GIL. Set it to suit; below 512 bytes it is never released.
GIL_MINSIZE: int = 16384

__all__ = [
    "AUTO",
    "VerificationError",
    "algorithms_available",
    "algorithms_guaranteed",
    "blake2b",
    "blake2xb",
    "blake3",
    "cpu",
    "digest",
    "hexdigest",
    "hmac_sha224",
    "hmac_sha256",
    "new",
    "sha224",
    "sha256",
    "xor",
    "xor_into",
    "xor_mask",
]

_hashcore._bind(globals())
