"""The outline with which a robot meets things, and whether it would meet them at a pose."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mobilesim_py.geometry import FloatArray, Polygon, Pose, radius_of


class Footprint:
    """Convex outlines about the robot's middle, kept apart from what is around by a margin."""

    def __init__(self, outlines: Sequence[Polygon]) -> None:
        """Take outlines in the robot's own frame; of one that is not convex its hull counts."""
        self.radius = radius_of(outlines)
        """Of the circle about the robot's middle that holds them [m]: it can turn on the spot where that has room."""
        self._sides = [_sides_of(outline) for outline in outlines if len(outline) > 2]

    def meets(self, pose: Pose, edges: FloatArray, margin: float = 0.0) -> bool:
        """Tell whether segments (N x 4 [m]) come nearer than the margin [m] to the outlines at a pose."""
        if not len(edges):
            return False
        cos, sin = math.cos(pose.heading), math.sin(pose.heading)
        x, y = edges[:, 0::2] - pose.x, edges[:, 1::2] - pose.y
        ends = np.stack([cos * x + sin * y, cos * y - sin * x])  # axis, segment, end
        return any(_cross(ends, normals, bounds + margin) for normals, bounds in self._sides)


def _sides_of(outline: Polygon) -> tuple[FloatArray, FloatArray]:
    """Return the half planes whose meet is the hull of an outline: outward normals, and how far out each side is [m]."""
    corners = np.array(_hull(outline))
    along = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.hypot(along[:, 0], along[:, 1])[:, None]
    return normals, np.einsum("ij,ij->i", normals, corners)


def _hull(outline: Polygon) -> list[tuple[float, float]]:
    """Return the convex hull, counter-clockwise (Andrew's monotone chain)."""
    places = sorted(set(outline))
    half: list[list[tuple[float, float]]] = []
    for order in (places, places[::-1]):
        chain: list[tuple[float, float]] = []
        for place in order:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], place) <= 0.0:
                chain.pop()
            chain.append(place)
        half.append(chain[:-1])
    return half[0] + half[1]


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(ends: FloatArray, normals: FloatArray, bounds: FloatArray) -> bool:
    """Tell whether any segment has a part on the inner side of all half planes (Cyrus and Beck)."""
    out = np.einsum("ka,ane->kne", normals, ends) - bounds[:, None, None]  # side, segment, end; positive: outside
    first, last = out[..., 0], out[..., 1]
    run = first - last
    share = first / np.where(run == 0.0, 1.0, run)
    entry = np.where(first > 0.0, np.where(last > 0.0, np.inf, share), 0.0).max(axis=0)
    leave = np.where(last > 0.0, np.where(first > 0.0, -np.inf, share), 1.0).min(axis=0)
    return bool((entry <= leave).any())
