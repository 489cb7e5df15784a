"""Lasers in a place where the ranges are known."""

from __future__ import annotations

import math

import numpy as np

from mobilesim_py.protocols.lasers.scanner import Beams, Scan


class Ramp:
    """Beam after beam 10 mm farther, from 1 m on; the last one meets nothing, and the first a reflector."""

    def __init__(self, time: float = 1.0) -> None:
        self.asked: list[Beams] = []
        self.time = time

    def __call__(self, beams: Beams) -> Scan:
        self.asked.append(beams)
        ranges = 1.0 + 0.01 * np.arange(beams.count, dtype=np.float64)
        reflectance = np.ones(beams.count, np.uint8)
        if beams.count:
            ranges[-1], reflectance[-1], reflectance[0] = math.inf, 0, 33
        return Scan(ranges, reflectance, self.time, 7)
