"""CBOR (RFC 8949) as rosbridge uses it: maps, lists, texts, numbers, byte strings, and typed arrays of numbers (RFC 8746).

Writing gives the shortest form of integers and doubles for all other numbers. Reading takes everything of definite
length, and
reserves no memory for what was only announced.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros.values import NumberArray

DEEPEST = 32  # levels; no message of ROS nests a third of that

TAGS: Mapping[str, int] = {                 # little-endian arrays by their NumPy type
    "u2": 69, "u4": 70, "u8": 71, "i1": 72, "i2": 77, "i4": 78, "i8": 79, "f4": 85, "f8": 86,
}  # fmt: skip
_ARRAY_OF_TAG = {tag: np.dtype(f"<{kind}") for kind, tag in TAGS.items()} | {64: np.dtype("u1")}

_UNSIGNED, _NEGATIVE, _BYTES, _TEXT, _LIST, _MAP, _TAG, _SIMPLE = (major << 5 for major in range(8))
_HEAD = {size: struct.Struct(f">B{code}") for size, code in ((1, "B"), (2, "H"), (4, "I"), (8, "Q"))}
_FLOATS = {25: struct.Struct(">e"), 26: struct.Struct(">f"), 27: struct.Struct(">d")}
_SIMPLES = {20: False, 21: True, 22: None, 23: None}
FALSE, TRUE, NULL = (bytes([_SIMPLE | number]) for number in (20, 21, 22))
_DOUBLE = struct.Struct(">Bd")


def head(major: int, number: int) -> bytes:
    """Return the first bytes of an item: its major type and its number in the shortest form."""
    if number < 24:
        return bytes((major | number,))
    if number < 0x100:
        return bytes((major | 24, number))
    for info, size in ((25, 2), (26, 4), (27, 8)):
        if number < 1 << 8 * size:
            return _HEAD[size].pack(major | info, number)
    raise OverflowError(f"{number} does not fit into 64 bits")


def write_int(number: int) -> bytes:
    """Return an integer."""
    return head(_UNSIGNED, number) if number >= 0 else head(_NEGATIVE, -1 - number)


def write_text(text: str) -> bytes:
    """Return a text."""
    encoded = text.encode()
    return head(_TEXT, len(encoded)) + encoded


def write_bytes(data: bytes) -> bytes:
    """Return a byte string."""
    return head(_BYTES, len(data)) + data


def write_float(number: float) -> bytes:
    """Return a double."""
    return _DOUBLE.pack(_SIMPLE | 27, number)


def write_truth(value: object) -> bytes:
    """Return true or false."""
    return TRUE if value else FALSE


def write_array(array: NumberArray) -> bytes:
    """Return an array of numbers: bytes plain, truths as a list, all else little endian under the tag of its type."""
    if array.dtype.kind == "b":
        return head(_LIST, array.size) + b"".join(map(write_truth, array.tolist()))
    if array.dtype == np.uint8:
        return write_bytes(array.tobytes())
    kind = array.dtype.str[1:]
    if kind not in TAGS:
        raise TypeError(f"CBOR has no array of {array.dtype}")
    return encode_tag(TAGS[kind]) + write_bytes(array.astype(f"<{kind}", copy=False).tobytes())


def encode_tag(tag: int) -> bytes:
    """Return the head that puts a tag on the next item."""
    return head(_TAG, tag)


def list_head(length: int) -> bytes:
    """Return the beginning of a list of `length` items."""
    return head(_LIST, length)


def map_head(length: int) -> bytes:
    """Return the beginning of a map of `length` pairs."""
    return head(_MAP, length)


def _write_list(items: list[Any]) -> bytes:
    return list_head(len(items)) + b"".join(map(encode, items))


def _write_map(pairs: Mapping[str, Any]) -> bytes:
    return map_head(len(pairs)) + b"".join(write_text(key) + encode(value) for key, value in pairs.items())


_WRITERS: Mapping[type, Callable[[Any], bytes]] = {
    type(None): lambda _: NULL, bool: write_truth, int: write_int, float: write_float, str: write_text, bytes: write_bytes,
    list: _write_list, tuple: _write_list, dict: _write_map, np.ndarray: write_array,
}  # fmt: skip


def encode(value: Any) -> bytes:
    """Return the CBOR of plain values, NumPy arrays among them."""
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise TypeError(f"CBOR cannot hold a {type(value).__name__}")
    return writer(value)


def decode(data: bytes) -> Any:
    """Return the one value that `data` holds; raise WireError when it holds anything else."""
    try:
        value, end = _read(data, 0, 0)
    except (IndexError, struct.error):
        raise WireError(f"CBOR: the {len(data)} bytes end too early") from None
    if end != len(data):
        raise WireError(f"CBOR: {len(data) - end} bytes too many")
    return value


def _read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if depth > DEEPEST:
        raise WireError(f"CBOR: more than {DEEPEST} levels")
    first = data[at]
    major, info = first & 0xE0, first & 0x1F
    if major == _SIMPLE:
        return _read_simple(data, at + 1, info)
    number, at = _read_number(data, at, info)
    if major == _UNSIGNED:
        return number, at
    if major == _NEGATIVE:
        return -1 - number, at
    if major == _TAG:
        value, at = _read(data, at, depth + 1)
        return _tagged(number, value), at
    if number > len(data) - at:  # each byte, item and pair takes at least one byte
        raise WireError(f"CBOR: {number} bytes or items are announced where {len(data) - at} bytes are left")
    if major == _BYTES:
        return data[at : at + number], at + number
    if major == _TEXT:
        return str(data[at : at + number], "utf-8", "replace"), at + number
    if major == _LIST:
        items = []
        for _ in range(number):
            item, at = _read(data, at, depth + 1)
            items.append(item)
        return items, at
    pairs: dict[str, Any] = {}
    for _ in range(number):
        key, at = _read(data, at, depth + 1)
        if not isinstance(key, str):
            raise WireError("CBOR: a key that is no text")
        pairs[key], at = _read(data, at, depth + 1)
    return pairs, at


def _read_number(data: bytes, at: int, info: int) -> tuple[int, int]:
    if info < 24:
        return info, at + 1
    if info > 27:
        raise WireError("CBOR: an item of no definite length")
    size = 1 << (info - 24)
    number: int = _HEAD[size].unpack_from(data, at)[1]
    return number, at + 1 + size


def _read_simple(data: bytes, at: int, info: int) -> tuple[Any, int]:
    if info in _SIMPLES:
        return _SIMPLES[info], at
    if info not in _FLOATS:
        raise WireError(f"CBOR: unknown simple value {info}")
    plan = _FLOATS[info]
    return plan.unpack_from(data, at)[0], at + plan.size


def _tagged(tag: int, value: Any) -> Any:
    """Return an array of numbers for the tags of those; other tags say nothing that we need."""
    dtype = _ARRAY_OF_TAG.get(tag)
    if dtype is None:
        return value
    if not isinstance(value, bytes) or len(value) % dtype.itemsize:
        raise WireError(f"CBOR: tag {tag} without an array of {dtype}")
    return np.frombuffer(value, dtype)
