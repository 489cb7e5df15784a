"""What drawings are made of, that fields and maps share."""

from __future__ import annotations

from dataclasses import dataclass

from mobilesim_py.geometry import Polygon
from mobilesim_py.world.obstacles import FloatArray

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Area:
    """A filled polygon; `opacity` 0 to 1, with an outline when `edge` is given."""

    corners: Polygon
    colour: Colour
    opacity: float = 1.0
    edge: Colour | None = None
    hatched: bool = False


@dataclass(frozen=True, eq=False)
class Discs:
    """Round things of one colour, as there may be very many of them."""

    places: FloatArray
    """x, y and radius, N x 3 [m]."""
    colour: Colour
