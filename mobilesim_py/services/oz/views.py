"""What an Oz's cameras see, as pictures for browsers: half the size, painted once for each moment that somebody looks."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.core.cameras.colour import half_colour
from mobilesim_py.services.oz.pictures import camera_of, prepare_pictures, take_pictures
from mobilesim_py.services.panelled import Picture

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.services.oz.oz import Oz
    from mobilesim_py.world.obstacles import ByteArray

_QUALITY = 80
_REST = 8.0
"""Nothing is painted for so many times the time that painting took: without a compiler it takes long."""
_PARTS = {"left": slice(0, 1), "right": slice(1, 2), "pair": slice(0, 2)}
_BLANK = np.full((240, 376, 3), 90, np.uint8)


class Views:
    """The pictures that were asked for last."""

    def __init__(self, simulation: Simulation, real: Callable[[], float]) -> None:
        """Look at a simulation; `real` is real time [s]."""
        self._simulation = simulation
        self._real = real
        self._rests_until = 0.0
        self._drawing: dict[str, threading.Thread] = {}
        """By soil."""
        self._taken: tuple[int, int, tuple[ByteArray, ByteArray]] | None = None
        """The robot's number, the tick, and both pictures in colour."""

    def picture(self, robots: Iterable[Oz], name: str) -> Picture | None:
        """Return a picture by its name: `left`, `right` or `pair`, a dash and the robot's number; None without one."""
        part, _, number = name.partition("-")
        oz = next((oz for oz in robots if str(oz.robot.serial) == number), None)
        if part not in _PARTS or oz is None or camera_of(oz.robot) is None:
            return None
        both = self._both(oz)
        if both is None:
            return None
        return Picture(_jpeg(np.concatenate(both[_PARTS[part]], axis=1)), "image/jpeg")

    def _is_ready(self) -> bool:
        """Tell whether what pictures are made of is drawn; it is begun when somebody looks first."""
        soil = self._simulation.world.soil
        if soil not in self._drawing:
            self._drawing[soil] = prepare_pictures(soil)
        return not self._drawing[soil].is_alive()

    def _both(self, oz: Oz) -> tuple[ByteArray, ByteArray] | None:
        key = (oz.robot.serial, self._simulation.tick)
        if not self._is_ready():
            return _BLANK, _BLANK
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
