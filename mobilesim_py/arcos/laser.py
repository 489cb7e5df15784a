"""Laser packets: 0x60 and, with reflectance, 0x61. A scan is sent as packets of 32 readings, one after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LASER = 0x60
LASER_EXTENDED = 0x61
READINGS_PER_PACKET = 32


@dataclass(frozen=True)
class Scan:
    """One robot's scan, in metres and radians."""

    ranges: NDArray[Any]
    reflectance: NDArray[Any] | int = 0
    """0 to 255 for each reading; only in extended packets."""
    extended: bool = True
    moved: bool = False
    """Whether the robot was put elsewhere (SIM_SET_POSE) since the last scan; only in extended packets."""
    x: float = 0.0
    """Odometry, only in plain packets."""
    y: float = 0.0
    heading: float = 0.0


@dataclass(frozen=True)
class ScanBatch:
    """Scans of N robots. Readings of all robots are one flat array, robot after robot."""

    ranges: NDArray[Any]
    """All readings [m]: `counts[0]` of the first robot, then `counts[1]` of the second, ..."""
    counts: NDArray[Any]
    """Readings in each robot's scan."""
    reflectance: NDArray[Any] | int = 0
    """Like `ranges`, 0 to 255; or one number for all."""
    extended: NDArray[Any] | bool = True
    """Per robot: packets 0x61 or 0x60."""
    moved: NDArray[Any] | bool = False
    x: NDArray[Any] | float = 0.0
    y: NDArray[Any] | float = 0.0
    heading: NDArray[Any] | float = 0.0


def pack_scan(scan: Scan) -> bytes:
    """Return all packets of one scan, one after another."""
    raise NotImplementedError


def pack_scans(batch: ScanBatch) -> list[bytes]:
    """Return, for each robot, all packets of its scan, one after another (empty where it has no readings)."""
    raise NotImplementedError
