"""An animated GIF, streamed frame by frame; each frame holds only the rectangle that changed.

Pillow compresses each picture as a GIF of its own; its colours and its data are moved into ours.
"""

from __future__ import annotations

import io
import struct
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

COLOURS = 128
_LOOP_FOR_EVER = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_TRAILER = b"\x3b"
_EXTENSION, _DESCRIPTOR = 0x21, 0x2C
_HAS_TABLE = 0x80


class GifWriter:
    """Writes pictures of one size, each with its duration."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._before: Image.Image | None = None

    def add(self, picture: Image.Image, seconds: float) -> None:
        """Append a picture."""
        from PIL import ImageChops

        box = (0, 0, *picture.size)
        if self._before is None:
            self._file.write(b"GIF89a" + struct.pack("<HHBBB", *picture.size, 0x70, 0, 0) + _LOOP_FOR_EVER)
        elif picture.size != self._before.size:
            picture = picture.resize(self._before.size)
            box = (0, 0, *picture.size)
        else:
            box = ImageChops.difference(picture, self._before).getbbox() or (0, 0, 1, 1)
        self._before = picture
        table, size_code, data = _compressed(picture.crop(box))
        hundredths = max(2, min(0xFFFF, round(100.0 * seconds)))
        self._file.write(b"\x21\xf9\x04" + struct.pack("<BHBB", 0x04, hundredths, 0, 0))
        place = struct.pack("<BHHHHB", _DESCRIPTOR, box[0], box[1], box[2] - box[0], box[3] - box[1], _HAS_TABLE | size_code)
        self._file.write(place + table + data)

    def end(self) -> None:
        """Write the end of the file."""
        if self._before is not None:
            self._file.write(_TRAILER)


def _compressed(picture: Image.Image) -> tuple[bytes, int, bytes]:
    """Return the colour table, the code of its size and the compressed data of a picture."""
    from PIL import Image

    flat = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    flat.save(buffer, "GIF", optimize=False, interlace=0)
    gif = buffer.getvalue()
    size_code = gif[10] & 7
    start = 13 + (3 << (size_code + 1))
    table, position = gif[13:start], start
    while gif[position] == _EXTENSION:
        position += 2
        while gif[position]:
            position += 1 + gif[position]
        position += 1
    return table, size_code, gif[position + 10 : -1]
