"""The size of pictures: default, minimum and maximum of the longer side in pixels."""

from __future__ import annotations

from typing import NamedTuple


class PictureSize(NamedTuple):
    """Limits of the longer side [pixels]."""

    default: int
    smallest: int
    largest: int


MAP_PICTURE = PictureSize(1400, 16, 10_000)
SNAPSHOT = PictureSize(1200, 64, 4096)
