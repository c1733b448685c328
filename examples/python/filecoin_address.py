"""Filecoin addresses: encode a public key or an actor, decode and check an address.

    python examples/python/filecoin_address.py ADDRESS...

Protocols 1 (secp256k1) and 2 (actor) carry BLAKE2b-160 of their data, protocol 3 (BLS) the 48-byte key itself. The
checksum is BLAKE2b-32 of the protocol byte and the payload.
"""
import base64
import binascii
import re
import sys

import hashcore

SIZES = {1: 20, 2: 20, 3: 48}


def checksum(protocol, payload):
    return hashcore.digest("blake2b", bytes([protocol]), payload, digest_size=4)  # parts: nothing is joined


def encode(protocol, data, network="f"):
    """Address of a public key (protocol 1: 65 bytes, 3: 48) or of an actor's data (2)."""
    if len(data) != {1: 65, 3: 48}.get(protocol, len(data)):
        raise ValueError(f"protocol {protocol}: {len(data)} bytes of data")
    payload = data if protocol == 3 else hashcore.digest("blake2b", data, digest_size=SIZES[protocol])
    text = base64.b32encode(payload + checksum(protocol, payload)).decode().lower().rstrip("=")
    return f"{network}{protocol}{text}"


def decode(address):
    """(network, protocol, payload) of an address; ValueError says what is wrong with it."""
    match = re.fullmatch("([ft])([123])([a-z2-7]+)", address)
    if not match:
        raise ValueError("no address of protocol 1, 2 or 3")
    network, protocol, text = match[1], int(match[2]), match[3]
    try:
        data = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except binascii.Error:
        raise ValueError("no base32") from None
    payload, given = data[:-4], data[-4:]
    if len(payload) != SIZES[protocol]:
        raise ValueError(f"protocol {protocol}: {len(payload)} bytes of payload")
    if given != checksum(protocol, payload):
        raise ValueError("wrong checksum")
    if base64.b32encode(data).decode().lower().rstrip("=") != text:
        raise ValueError("bits are left over")
    return network, protocol, payload


def main(addresses):
    bad = 0
    for address in addresses or [encode(1, b"\4" * 65), encode(2, b"an actor"), encode(3, b"\1" * 48)]:
        try:
            _, protocol, payload = decode(address)
            print(f"{address}: protocol {protocol}, payload {payload.hex()}")
        except ValueError as err:
            print(f"{address}: {err}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
