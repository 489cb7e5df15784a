"""Packets as rows of a structured array: framing and checksums of many at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.protocols.arcos.layout import Field
from mobilesim_py.protocols.arcos.packet import HEADER

NUMPY_CODES = {"b": "i1", "B": "u1", "h": "<i2", "H": "<u2", "i": "<i4", "I": "<u4"}
FRAME = [("header", "u1", (2,)), ("length", "u1"), ("id", "u1")]
CHECKSUM = [("checksum", ">u2")]
_BEFORE_BODY = 3
_AFTER_BODY = 2


def columns(fields: Sequence[Field]) -> list[tuple[str, str]]:
    """Return fields as columns of a structured array."""
    return [(field.name, NUMPY_CODES[field.code]) for field in fields]


def new_packets(count: int, dtype: np.dtype[Any], packet_id: int) -> NDArray[Any]:
    """Return `count` packets of zeros, framed."""
    packets = np.zeros(count, dtype)
    packets["header"] = tuple(HEADER)
    packets["length"] = dtype.itemsize - _BEFORE_BODY
    packets["id"] = packet_id
    return packets


def seal(packets: NDArray[Any]) -> NDArray[np.uint8]:
    """Fill in the checksums of contiguous packets of one length and return them as rows of bytes."""
    size = packets.dtype.itemsize
    rows = packets.view(np.uint8).reshape(-1, size)
    body = rows[:, _BEFORE_BODY:-_AFTER_BODY]
    # All sums stay below 2**24, so single precision is exact; a matrix product is the fastest way to sum.
    sums = (body.astype(np.float32) @ _word_weights(body.shape[1])).astype(np.int64) & 0xFFFF
    if body.shape[1] % 2:
        sums ^= body[:, -1]
    packets.reshape(-1)["checksum"] = sums
    return rows


def cut(rows: NDArray[np.uint8]) -> list[bytes]:
    """Return each row as bytes."""
    size = rows.shape[1]
    data = rows.tobytes()
    return [data[start : start + size] for start in range(0, len(data), size)]


@lru_cache(maxsize=256)
def _word_weights(length: int) -> NDArray[np.float32]:
    """Return weights that turn a sum of bytes into a sum of big-endian words; an odd last byte does not count."""
    weights = np.ones(length, np.float32)
    weights[::2] = 256.0
    if length % 2:
        weights[-1] = 0.0
    return weights
