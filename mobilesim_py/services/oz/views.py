"""What an Oz's cameras see, as pictures for browsers: half the size, painted once for each moment that somebody looks."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.core.cameras.colour import half_colour
from mobilesim_py.services.oz.pictures import take_pictures
from mobilesim_py.services.panelled import Picture

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.services.oz.oz import Oz
    from mobilesim_py.world.obstacles import ByteArray

_QUALITY = 80
_PARTS = {"left": slice(0, 1), "right": slice(1, 2), "pair": slice(0, 2)}


class Views:
    """The pictures that were asked for last."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._taken: tuple[int, int, tuple[ByteArray, ByteArray]] | None = None
        """The robot's number, the tick, and both pictures in colour."""

    def picture(self, robots: Iterable[Oz], name: str) -> Picture | None:
        """Return a picture by its name: `left`, `right` or `pair`, a dash and the robot's number; None without one."""
        part, _, number = name.partition("-")
        oz = next((oz for oz in robots if str(oz.robot.serial) == number), None)
        if part not in _PARTS or oz is None:
            return None
        both = self._both(oz)
        if both is None:
            return None
        return Picture(_jpeg(np.concatenate(both[_PARTS[part]], axis=1)), "image/jpeg")

    def _both(self, oz: Oz) -> tuple[ByteArray, ByteArray] | None:
        key = (oz.robot.serial, self._simulation.tick)
        if self._taken is not None and self._taken[:2] == key:
            return self._taken[2]
        mosaics = take_pictures(oz.robot)
        if mosaics is None:
            return None
        both = (half_colour(mosaics[0]), half_colour(mosaics[1]))
        self._taken = (*key, both)
        return both


def _jpeg(colours: ByteArray) -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(colours).save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()
