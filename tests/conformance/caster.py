"""An independent ray caster: every ray against every segment, from a map read here anew. Slow and plain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
POINT_SIDE = 0.02
"""A map point is a square of this side [m]."""
CHUNK = 2_000_000
"""Rays times segments at a time."""


def read_segments(path: Path) -> Array:
    """All walls of a map: its lines, and four edges for each point, N x 4 [m]."""
    lines: list[list[float]] = []
    points: set[tuple[float, float]] = set()
    section = ""
    for text in path.read_text(encoding="latin-1").splitlines():
        words = text.split()
        if text.strip() in ("LINES", "DATA"):
            section = text.strip()
        elif section == "LINES" and len(words) == 4:
            lines.append([float(word) / 1000.0 for word in words])
        elif section == "DATA" and len(words) == 2:
            points.add((float(words[0]) / 1000.0, float(words[1]) / 1000.0))
    half = POINT_SIDE / 2.0
    for x, y in points:
        corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            lines.append([x1, y1, x2, y2])
    return np.array(lines)


def cast(segments: Array, x: float, y: float, angles: Array, reach: float) -> Array:
    """How far rays from a point go until they meet a segment [m]; `reach` when they meet none."""
    near = _within(segments, x, y, reach)
    x1, y1 = near[:, 0] - x, near[:, 1] - y
    along_x, along_y = near[:, 2] - near[:, 0], near[:, 3] - near[:, 1]
    best = np.full(len(angles), reach)
    step = max(1, CHUNK // max(1, len(near)))
    for first in range(0, len(angles), step):
        some = angles[first : first + step, None]
        dx, dy = np.cos(some), np.sin(some)
        across = dx * along_y - dy * along_x
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = (x1 * along_y - y1 * along_x) / across
            share = (x1 * dy - y1 * dx) / across
        hit = (np.abs(across) > 1e-12) & (distance >= 0.0) & (share >= -1e-9) & (share <= 1.0 + 1e-9)
        found = np.where(hit, distance, np.inf).min(axis=1, initial=np.inf)
        best[first : first + step] = np.minimum(reach, found)
    return best


def _within(segments: Array, x: float, y: float, reach: float) -> Array:
    """The segments whose bounding boxes are no farther than this."""
    low_x, high_x = np.minimum(segments[:, 0], segments[:, 2]), np.maximum(segments[:, 0], segments[:, 2])
    low_y, high_y = np.minimum(segments[:, 1], segments[:, 3]), np.maximum(segments[:, 1], segments[:, 3])
    inside = (low_x <= x + reach) & (high_x >= x - reach) & (low_y <= y + reach) & (high_y >= y - reach)
    return segments[inside]
