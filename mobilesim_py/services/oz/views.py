"""What an Oz's cameras see, as pictures for browsers: half the size, painted once for each moment that somebody looks."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
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
_REST = 8.0
"""Nothing is painted for so many times the time that painting took: without a compiler it takes long."""
_PARTS = {"left": slice(0, 1), "right": slice(1, 2), "pair": slice(0, 2)}


class Views:
    """The pictures that were asked for last."""

    def __init__(self, simulation: Simulation, real: Callable[[], float]) -> None:
        """Look at a simulation; `real` is real time [s]."""
        self._simulation = simulation
        self._real = real
        self._rests_until = 0.0
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
        began = self._real()
        if self._taken is not None and self._taken[0] == key[0] and (self._taken[1] == key[1] or began < self._rests_until):
            return self._taken[2]
        mosaics = take_pictures(oz.robot)
        if mosaics is None:
            return None
        both = (half_colour(mosaics[0]), half_colour(mosaics[1]))
        self._taken = (*key, both)
        now = self._real()
        self._rests_until = now + _REST * (now - began)
        return both


def _jpeg(colours: ByteArray) -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(colours).save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()
