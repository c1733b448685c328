from _typeshed import ReadableBuffer, StrOrBytesPath, WriteableBuffer
from collections.abc import Callable, Iterable
from io import RawIOBase
from typing import Any, ClassVar, Final, Literal, Protocol, TypedDict, TypeVar, final, overload, type_check_only
from typing_extensions import Self, TypeAlias

from . import bao as bao

__version__: Final[str]

AUTO: Final = -1
GIL_MINSIZE: int
algorithms_guaranteed: Final[frozenset[str]]
algorithms_available: set[str]

@type_check_only
class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...

@type_check_only
class _ReadableInto(Protocol):
    def readinto(self, buffer: bytearray, /) -> int | None: ...

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

_File: TypeAlias = StrOrBytesPath | int | _Readable | _ReadableInto
_Progress: TypeAlias = Callable[[int, int | None], object]

class VerificationError(ValueError): ...

@type_check_only
class _Hash:
    @property
    def name(self) -> str: ...
    @property
    def block_size(self) -> int: ...
    # Any: users chain it, and typeshed's protocol of hash objects wants None.
    def update(self, /, *data: ReadableBuffer) -> Any: ...
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any) -> Self: ...
    def reset(self) -> Self: ...
    def update_file(self, file: _File, /, *, threads: int | None = None, progress: _Progress | None = None) -> Self: ...
    def update_mmap(self, file: _File, /, *, threads: int | None = None, progress: _Progress | None = None) -> Self: ...
    def reader(self, *, threads: int | None = None) -> Reader: ...
    def export(self, format: Literal["native", "go"] = "native") -> bytes: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@type_check_only
class _FixedHash(_Hash):
    @property
    def digest_size(self) -> int: ...
    # There are no arguments: these hashes have one digest.
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...

@final
class sha224(_FixedHash):
    def __new__(cls, data: ReadableBuffer = b"", *, usedforsecurity: bool = True) -> Self: ...

@final
class sha256(_FixedHash):
    def __new__(cls, data: ReadableBuffer = b"", *, usedforsecurity: bool = True) -> Self: ...

@final
class hmac_sha224(_FixedHash):
    def __new__(cls, key: ReadableBuffer, data: ReadableBuffer = b"", *, usedforsecurity: bool = True) -> Self: ...

@final
class hmac_sha256(_FixedHash):
    def __new__(cls, key: ReadableBuffer, data: ReadableBuffer = b"", *, usedforsecurity: bool = True) -> Self: ...

@final
class blake2b(_FixedHash):
    MAX_DIGEST_SIZE: ClassVar[int]
    MAX_KEY_SIZE: ClassVar[int]
    PERSON_SIZE: ClassVar[int]
    SALT_SIZE: ClassVar[int]
    def __new__(
        cls,
        data: ReadableBuffer = b"",
        *,
        digest_size: int = 64,
        key: ReadableBuffer = b"",
        salt: ReadableBuffer = b"",
        person: ReadableBuffer = b"",
        fanout: int = 1,
        depth: int = 1,
        leaf_size: int = 0,
        node_offset: int = 0,
        node_depth: int = 0,
        inner_size: int = 0,
        last_node: bool = False,
        usedforsecurity: bool = True,
    ) -> Self: ...

@final
class blake2xb(_Hash):
    def __new__(
        cls,
        data: ReadableBuffer = b"",
        *,
        digest_size: int | None = None,
        key: ReadableBuffer = b"",
        salt: ReadableBuffer = b"",
        person: ReadableBuffer = b"",
        usedforsecurity: bool = True,
    ) -> Self: ...
    @property
    def digest_size(self) -> int | None: ...
    def digest(self, length: int | None = None, *, seek: int = 0, threads: int | None = None) -> bytes: ...
    def hexdigest(self, length: int | None = None, *, seek: int = 0, threads: int | None = None) -> str: ...

@final
class blake3(_Hash):
    AUTO: ClassVar[int]
    key_size: ClassVar[int]
    def __new__(
        cls,
        data: ReadableBuffer = b"",
        *,
        key: ReadableBuffer | None = None,
        derive_key_context: str | ReadableBuffer | None = None,
        max_threads: int = 1,
        usedforsecurity: bool = True,
    ) -> Self: ...
    @property
    def digest_size(self) -> int: ...
    def digest(self, length: int | None = None, *, seek: int = 0, threads: int | None = None) -> bytes: ...
    def hexdigest(self, length: int | None = None, *, seek: int = 0, threads: int | None = None) -> str: ...

_Any: TypeAlias = sha224 | sha256 | hmac_sha224 | hmac_sha256 | blake2b | blake2xb | blake3
_H = TypeVar("_H", sha224, sha256, hmac_sha224, hmac_sha256, blake2b, blake2xb, blake3)
_Name: TypeAlias = str | type[_Any]

@overload
def new(name: Literal["sha224"], /, data: ReadableBuffer = b"", *, usedforsecurity: bool = True) -> sha224: ...
@overload
def new(name: Literal["sha256"], /, data: ReadableBuffer = b"", *, usedforsecurity: bool = True) -> sha256: ...
@overload
def new(name: Literal["blake2b"], /, data: ReadableBuffer = b"", **options: Any) -> blake2b: ...
@overload
def new(name: Literal["blake2xb"], /, data: ReadableBuffer = b"", **options: Any) -> blake2xb: ...
@overload
def new(name: Literal["blake3"], /, data: ReadableBuffer = b"", **options: Any) -> blake3: ...
@overload
def new(name: type[_H], /, data: ReadableBuffer = b"", **options: Any) -> _H: ...
@overload
def new(name: str, /, data: ReadableBuffer = b"", **options: Any) -> Any: ...
@overload
def restore(name: type[_H], image: ReadableBuffer, /) -> _H: ...
@overload
def restore(name: str, image: ReadableBuffer, /) -> Any: ...
def digest(name: _Name, /, *parts: ReadableBuffer, **options: Any) -> bytes: ...
def hexdigest(name: _Name, /, *parts: ReadableBuffer, **options: Any) -> str: ...

_Out = TypeVar("_Out", bound=WriteableBuffer)
_Messages: TypeAlias = Iterable[ReadableBuffer] | ReadableBuffer | _ArrowArray

@overload
def digest_many(
    name: _Name,
    data: _Messages,
    /,
    *,
    item_size: int | None = None,
    offsets: ReadableBuffer | None = None,
    prefix: ReadableBuffer | None = None,
    out: None = None,
    as_list: Literal[False] = False,
    threads: int = 0,
    **options: Any,
) -> bytes: ...
@overload
def digest_many(
    name: _Name,
    data: _Messages,
    /,
    *,
    item_size: int | None = None,
    offsets: ReadableBuffer | None = None,
    prefix: ReadableBuffer | None = None,
    out: _Out,
    as_list: Literal[False] = False,
    threads: int = 0,
    **options: Any,
) -> _Out: ...
@overload
def digest_many(
    name: _Name,
    data: _Messages,
    /,
    *,
    item_size: int | None = None,
    offsets: ReadableBuffer | None = None,
    prefix: ReadableBuffer | None = None,
    out: None = None,
    as_list: Literal[True],
    threads: int = 0,
    **options: Any,
) -> list[bytes]: ...
@overload
def file_digest(
    file: _File, name: type[_H], /, *, threads: int | None = None, progress: _Progress | None = None, **options: Any
) -> _H: ...
@overload
def file_digest(
    file: _File, name: str, /, *, threads: int | None = None, progress: _Progress | None = None, **options: Any
) -> Any: ...
@overload
def file_digest(
    file: _File,
    name: tuple[_Name, ...] | list[str],
    /,
    *,
    threads: int | None = None,
    progress: _Progress | None = None,
    **options: Any,
) -> tuple[Any, ...]: ...
def xor(a: ReadableBuffer, /, *more: ReadableBuffer) -> bytes: ...
def xor_into(dst: WriteableBuffer, /, *sources: ReadableBuffer) -> int: ...
@overload
def xor_mask(data: ReadableBuffer, key: ReadableBuffer, offset: int = 0, *, out: None = None) -> bytes: ...
@overload
def xor_mask(data: ReadableBuffer, key: ReadableBuffer, offset: int = 0, *, out: _Out) -> _Out: ...
def subtree(
    data: ReadableBuffer,
    first_chunk: int = 0,
    *,
    key: ReadableBuffer | None = None,
    derive_key_context: str | ReadableBuffer | None = None,
    threads: int = 0,
) -> bytes: ...
def parent(
    left: ReadableBuffer,
    right: ReadableBuffer,
    /,
    *,
    key: ReadableBuffer | None = None,
    derive_key_context: str | ReadableBuffer | None = None,
) -> bytes: ...
def root(
    values: ReadableBuffer | list[bytes] | tuple[bytes, ...],
    /,
    *,
    digest_size: int = 32,
    seek: int = 0,
    key: ReadableBuffer | None = None,
    derive_key_context: str | ReadableBuffer | None = None,
) -> bytes: ...
def left_len(length: int, /) -> int: ...
def subtree_max(first_chunk: int, /) -> int: ...

class Reader(RawIOBase):
    def __init__(self, hash: blake2xb | blake3, *, threads: int | None = None) -> None: ...
    @property
    def size(self) -> int: ...
    def read(self, size: int | None = -1, /) -> bytes: ...
    def readall(self) -> bytes: ...
    def readinto(self, buffer: WriteableBuffer, /) -> int: ...
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...

@type_check_only
class _Cpu(TypedDict):
    detected: str
    enabled: str
    kernels: dict[str, str]

def cpu() -> _Cpu: ...

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
