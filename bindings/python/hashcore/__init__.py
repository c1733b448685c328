"""BLAKE2b, BLAKE2Xb, BLAKE3, SHA-256/224, HMAC and XOR over one C core, with hashlib's interface and more.

The constructors sha224, sha256, blake2b, blake2xb, blake3, hmac_sha224 and hmac_sha256 give objects like hashlib's.
"""
from . import _hashcore, bao
from ._arrow import arrow_buffers as _arrow_buffers
from ._files import file_digest
from ._hashcore import (
    VerificationError,
    __version__,
    blake2b,
    blake2xb,
    blake3,
    cpu,
    digest,
    digest_many,
    hexdigest,
    hmac_sha224,
    hmac_sha256,
    left_len,
    new,
    sha224,
    sha256,
    subtree_max,
    xor,
    xor_into,
    xor_mask,
)
from ._methods import DOCS as _DOCS
from ._methods import METHODS as _METHODS
from ._methods import long_digest as _long_digest
from ._methods import restore
from ._methods import split as _split
from ._reader import Reader
from ._tree import parent, root, subtree

#: Names that new() takes and that are attributes of the module; the two HMACs need a key and are not among them.
algorithms_guaranteed = frozenset({"sha224", "sha256", "blake2b", "blake2xb", "blake3"})
algorithms_available = set(algorithms_guaranteed)

#: For threads=: as many as the size and the processor warrant.
AUTO = -1

#: Calls on more bytes than this release the GIL. Set it to suit; below 512 bytes it is never released.
GIL_MINSIZE = 16384

__all__ = [
    "AUTO",
    "Reader",
    "VerificationError",
    "algorithms_available",
    "algorithms_guaranteed",
    "bao",
    "blake2b",
    "blake2xb",
    "blake3",
    "cpu",
    "digest",
    "digest_many",
    "file_digest",
    "hexdigest",
    "hmac_sha224",
    "hmac_sha256",
    "left_len",
    "new",
    "parent",
    "restore",
    "root",
    "sha224",
    "sha256",
    "subtree",
    "subtree_max",
    "xor",
    "xor_into",
    "xor_mask",
]

_OWN = {
    "blake2b": {"MAX_DIGEST_SIZE": 64, "MAX_KEY_SIZE": 64, "SALT_SIZE": 16, "PERSON_SIZE": 16},
    "blake3": {"AUTO": AUTO, "key_size": 32},
}
_hashcore._bind(globals(), _METHODS, {globals()[name]: {"__doc__": doc, **_OWN.get(name, {})} for name, doc in _DOCS.items()})
