"""Places, poses and outlines: the words that every room shares, in metres and radians."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]
Polygon = tuple[Point, ...]


@dataclass(frozen=True)
class Pose:
    """A place and a heading [m, m, rad]."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0


@dataclass(frozen=True)
class AxisTriple:
    """One number for each axis of motion: forward, lateral [m or m/s ...] and rotation [rad ...]."""

    forward: float = 0.0
    lateral: float = 0.0
    rotation: float = 0.0
