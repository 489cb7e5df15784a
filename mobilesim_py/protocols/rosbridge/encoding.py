"""Frames of a WebSocket and the objects in them: JSON in text frames, CBOR in binary ones, PNG for long texts."""

from __future__ import annotations

import binascii
import io
import json
import math
import struct
import zlib
from base64 import b64decode, b64encode
from typing import Any

from mobilesim_py.protocols.ros import cbor
from mobilesim_py.protocols.ros.errors import WireError

Frame = str | bytes

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_frame(frame: Frame, limit: int) -> dict[str, Any]:
    """Return the object in a frame; raise WireError where there is none."""
    if len(frame) > limit:
        raise WireError(f"a frame of {len(frame)} bytes, where at most {limit} are allowed")
    try:
        plain = json.loads(frame) if isinstance(frame, str) else cbor.decode(frame)
    except (ValueError, RecursionError) as fault:
        raise WireError(f"not JSON: {str(fault)[:200]}") from None
    if not isinstance(plain, dict) or not isinstance(plain.get("op"), str):
        raise WireError("an operation is an object with an 'op'")
    return plain


def write_text(plain: Any) -> str:
    """Return an object as JSON; raise ValueError for NaN and infinities, which JSON has not."""
    return json.dumps(plain, separators=(",", ":"), allow_nan=False)


def png_of_text(text: str) -> str:
    """Return a text as pixels of a PNG in base64: three bytes a pixel, as square as can be, filled up with line ends."""
    data = text.encode()
    width = max(1, math.isqrt(len(data) // 3))
    height = max(1, -(-len(data) // (3 * width)))
    row = 3 * width
    data = data.ljust(row * height, b"\n")
    lines = b"".join(b"\0" + data[start : start + row] for start in range(0, len(data), row))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # eight bits, red green blue
    image = _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines)) + _chunk(b"IEND", b"")
    return b64encode(image).decode("ascii")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def text_of_png(encoded: str, limit: int) -> str:
    """Return the text in the pixels of a PNG; raise WireError for anything else, and for more than `limit` bytes."""
    from PIL import Image  # only clients of other servers need it

    try:
        data = b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise WireError("a png that is not base64") from None
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            if 3 * image.width * image.height > limit:
                raise WireError(f"a png of {image.width} x {image.height} pixels, where {limit} bytes are allowed")
            if image.mode != "RGB":
                raise WireError(f"a png with pixels of {image.mode}, not RGB")
            return str(image.tobytes(), "utf-8", "replace")
    except WireError:
        raise
    except Exception as fault:  # an image library has errors without number for a damaged image
        raise WireError(f"a png that cannot be read: {str(fault)[:100]}") from None
