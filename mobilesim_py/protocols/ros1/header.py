"""Connection headers of TCPROS: `key=value` fields, each with its length in front, all with the whole length in front."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from mobilesim_py.protocols.ros.errors import WireError

LONGEST_HEADER = 1 << 18  # bytes; the longest definition of ours takes a twentieth of that
_LENGTH = struct.Struct("<I")


def framed(body: bytes) -> bytes:
    """Return `body` with its length in front: how headers, messages, requests and responses travel."""
    return _LENGTH.pack(len(body)) + body


def encode_header(fields: Mapping[str, str]) -> bytes:
    """Return a header with its length in front."""
    return framed(b"".join(framed(f"{key}={value}".encode()) for key, value in fields.items()))


def decode_header(body: bytes) -> dict[str, str]:
    """Return the fields of a header, given without its whole length."""
    fields: dict[str, str] = {}
    at = 0
    while at < len(body):
        if len(body) - at < _LENGTH.size:
            raise WireError("a connection header that ends in the length of a field")
        (length,) = _LENGTH.unpack_from(body, at)
        at += _LENGTH.size
        if length > len(body) - at:
            raise WireError(f"a connection header with a field of {length} bytes where {len(body) - at} are left")
        key, equals, value = str(body[at : at + length], "utf-8", "replace").partition("=")
        if not equals:
            raise WireError(f"a connection header with the field '{key[:100]}', which has no value")
        fields[key] = value
        at += length
    return fields
