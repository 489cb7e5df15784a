"""The ground: areas with values (slip, friction, gps ...) for drives and sensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

from mobilesim_py.geometry import FloatArray, Polygon, contains, shape_of

if TYPE_CHECKING:
    import shapely

GPS = "gps"
"""Name of the value that is 0 where GPS has no valid fix."""
GOOD_GPS, BAD_GPS = 1.0, 0.0


@dataclass(frozen=True, eq=False)
class Area:
    """A part of the ground and its values."""

    outline: Polygon
    kind: str = "area"
    name: str = ""
    values: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def geometry(self) -> shapely.Geometry:
        """The area as a prepared geometry, because it is queried often."""
        import shapely

        shape = shape_of([self.outline])
        shapely.prepare(shape)
        return shape


def patch_of(rectangle: tuple[float, float, float, float], values: Mapping[str, float]) -> Area:
    """Return a rectangle of ground by two opposite corners, x1 y1 x2 y2 [m], that has these values."""
    x1, y1, x2, y2 = rectangle
    return Area(((x1, y1), (x2, y1), (x2, y2), (x1, y2)), "patch", values=values)


@overload
def value_at(areas: Iterable[Area], name: str, x: float, y: float, otherwise: float = 0.0) -> float: ...
@overload
def value_at(areas: Iterable[Area], name: str, x: FloatArray, y: FloatArray, otherwise: float = 0.0) -> FloatArray: ...


def value_at(
    areas: Iterable[Area], name: str, x: float | FloatArray, y: float | FloatArray, otherwise: float = 0.0
) -> float | FloatArray:
    """Return the value of this name at a place, or at many: that of the last area there which has it, or `otherwise`."""
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        found = np.full(np.shape(x), otherwise)
        for area in areas:
            if name in area.values:
                found[contains(area.geometry, x, y)] = area.values[name]
        return found
    value = otherwise
    for area in areas:
        if name in area.values and contains(area.geometry, float(x), float(y)):
            value = area.values[name]
    return value
