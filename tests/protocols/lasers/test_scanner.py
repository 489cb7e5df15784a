"""What all protocols of lasers have in common."""

from __future__ import annotations

import math

import numpy as np

from mobilesim_py.protocols.lasers.scanner import Scan, millimetres


def test_what_is_nearer_or_farther_than_a_laser_measures_is_nothing() -> None:
    scan = Scan(np.array([0.01, 0.02, 1.2344, 5.6, 5.601, math.inf]), np.ones(6, np.uint8), 0.0, 0)
    assert millimetres(scan, 20, 5600).tolist() == [0, 20, 1234, 5600, 0, 0]
