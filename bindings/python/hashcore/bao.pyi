from _typeshed import ReadableBuffer, WriteableBuffer
from io import RawIOBase
from os import PathLike
from typing import IO
from typing_extensions import TypeAlias

_Encoded: TypeAlias = str | PathLike[str] | ReadableBuffer | IO[bytes]
_Target: TypeAlias = str | PathLike[str] | IO[bytes]
_Context: TypeAlias = str | ReadableBuffer | None

__all__ = ["Reader", "decode", "decode_file", "decode_slice", "encode", "encode_file", "encoded_size", "extract_slice"]

def encoded_size(length: int, *, group: int = 0, outboard: bool = False) -> int: ...
def encode(
    data: ReadableBuffer,
    *,
    group: int = 0,
    outboard: bool = False,
    key: ReadableBuffer | None = None,
    derive_key_context: _Context = None,
) -> tuple[bytes, bytes]: ...
def encode_file(
    source: str | PathLike[str] | IO[bytes],
    target: _Target,
    *,
    group: int = 0,
    outboard: bool = False,
    key: ReadableBuffer | None = None,
    derive_key_context: _Context = None,
) -> bytes: ...
def decode(
    encoded: _Encoded,
    root: ReadableBuffer,
    *,
    data: _Encoded | None = None,
    group: int = 0,
    key: ReadableBuffer | None = None,
    derive_key_context: _Context = None,
) -> bytes: ...
def decode_file(
    encoded: _Encoded,
    target: _Target,
    root: ReadableBuffer,
    *,
    data: _Encoded | None = None,
    group: int = 0,
    key: ReadableBuffer | None = None,
    derive_key_context: _Context = None,
) -> int: ...
def extract_slice(
    encoded: _Encoded, start: int, length: int, *, data: _Encoded | None = None, group: int = 0
) -> bytes: ...
def decode_slice(
    slice: _Encoded,
    root: ReadableBuffer,
    start: int,
    length: int,
    *,
    group: int = 0,
    key: ReadableBuffer | None = None,
    derive_key_context: _Context = None,
) -> bytes: ...

class Reader(RawIOBase):
    def __init__(
        self,
        encoded: _Encoded,
        root: ReadableBuffer,
        *,
        data: _Encoded | None = None,
        group: int = 0,
        key: ReadableBuffer | None = None,
        derive_key_context: _Context = None,
    ) -> None: ...
    def readinto(self, buffer: WriteableBuffer, /) -> int: ...
    def length(self) -> int: ...
