"""The pairs of pictures in `ApiStereo`: their sizes, making them, and reading them with bounded memory."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .api_packets import ApiStereo
from .values import ImageType

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class PictureForm:
    """The form of each picture of a pair."""

    width: int
    height: int
    channels: int

    @property
    def size(self) -> int:
        """Bytes of one picture."""
        return self.width * self.height * self.channels

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape as an array: rows, columns, and colours where there are any."""
        return (self.height, self.width) if self.channels == 1 else (self.height, self.width, self.channels)


RAW = PictureForm(752, 480, 1)
"""Bayer pattern GBRG."""
UNRECTIFIED = PictureForm(752, 480, 3)
RECTIFIED = PictureForm(376, 240, 3)

FORMS = {
    ImageType.RAW: RAW,
    ImageType.UNRECTIFIED: UNRECTIFIED,
    ImageType.RECTIFIED: RECTIFIED,
    ImageType.RAW_ZLIB: RAW,
    ImageType.UNRECTIFIED_ZLIB: UNRECTIFIED,
    ImageType.RECTIFIED_ZLIB: RECTIFIED,
}
COMPRESSED = {
    ImageType.RAW: ImageType.RAW_ZLIB,
    ImageType.UNRECTIFIED: ImageType.UNRECTIFIED_ZLIB,
    ImageType.RECTIFIED: ImageType.RECTIFIED_ZLIB,
}
"""What each type is called when it is compressed."""


class PictureError(ValueError):
    """A stereo packet whose pictures cannot be read."""


def stereo_packet(left: Picture, right: Picture, image_type: ImageType, level: int = 1) -> ApiStereo:
    """Return the packet of two pictures, compressed with zlib (speed `level`, 1 is the fastest) where the type says so."""
    form = FORMS[image_type]
    for side, picture in (("left", left), ("right", right)):
        if picture.shape != form.shape or picture.dtype != "uint8":
            raise PictureError(
                f"the {side} picture is {picture.dtype} {picture.shape}; {image_type.name} is uint8 {form.shape}"
            )
    data = left.tobytes() + right.tobytes()
    return ApiStereo(image_type, zlib.compress(data, level) if image_type in COMPRESSED.values() else data)


def picture_bytes(packet: ApiStereo) -> bytes:
    """Return both pictures of a packet, uncompressed: never more bytes than its type has."""
    image_type = _image_type(packet)
    size = 2 * FORMS[image_type].size
    data = packet.data
    if image_type in COMPRESSED.values():
        try:
            # One byte more than belongs there shows that there is too much, without unpacking all of it.
            data = zlib.decompressobj().decompress(data, size + 1)
        except zlib.error as error:
            raise PictureError(f"the pictures cannot be uncompressed: {error}") from None
    if len(data) != size:
        amount = "more" if len(data) > size else str(len(data))
        raise PictureError(f"two pictures of type {image_type.name} have {size} bytes, not {amount}")
    return data


def pictures(packet: ApiStereo) -> tuple[Picture, Picture]:
    """Return the left and the right picture of a packet: rows from the top."""
    import numpy as np

    both = np.frombuffer(picture_bytes(packet), dtype=np.uint8).reshape((2, *FORMS[_image_type(packet)].shape))
    return both[0], both[1]


def _image_type(packet: ApiStereo) -> ImageType:
    try:
        return ImageType(packet.image_type)
    except ValueError:
        raise PictureError(f"there is no type {packet.image_type} of pictures") from None
