"""Packets of many robots at once have the bytes of the protocol's own encoder."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.protocols.naio import Dialect, encode
from mobilesim_py.protocols.naio.hardware_packets import RAYS, HaLidar, HaOdo
from mobilesim_py.protocols.naio.lidar import wire_distances
from mobilesim_py.protocols.naio.units import accelero_packet, gyro_packet
from mobilesim_py.services.oz.report import FEEL_BYTES, SEEING, TURN_BYTES, Packer, odo_bytes

DIALECTS = pytest.mark.parametrize("dialect", list(Dialect), ids=lambda dialect: dialect.value)


@DIALECTS
def test_rates_and_forces_are_those_of_the_protocol(dialect: Dialect) -> None:
    random = np.random.default_rng(1)
    rates, forces = random.normal(0.0, 1.0, (40, 3)), random.normal(0.0, 10.0, (40, 3))
    rates[0], forces[1] = 1e6, -1e6
    data = Packer(dialect).feel(rates, forces)
    for row in range(40):
        turning = [math.degrees(rate) for rate in rates[row]]
        expected = encode(gyro_packet((turning[0], turning[1], turning[2]), dialect), dialect)
        x, y, z = forces[row].tolist()
        expected += encode(accelero_packet((x, y, z), dialect), dialect)
        assert data[row * FEEL_BYTES : (row + 1) * FEEL_BYTES] == expected


@DIALECTS
def test_turns_of_the_lidar_are_those_of_the_protocol(dialect: Dialect) -> None:
    random = np.random.default_rng(2)
    ranges = random.uniform(0.0, 4.0, (5, SEEING))
    ranges[0, :7] = 3.5
    data = Packer(dialect).turn(ranges, 3.5)
    for row in range(5):
        whole = np.zeros(RAYS)
        whole[45:226] = np.where(ranges[row] < 3.5, ranges[row], np.inf)[::-1]
        expected = encode(HaLidar(wire_distances(whole, dialect)), dialect)
        assert data[row * TURN_BYTES : (row + 1) * TURN_BYTES] == expected


@DIALECTS
def test_ticks_are_those_of_the_protocol(dialect: Dialect) -> None:
    for bits in range(16):
        counts = [bits >> k & 1 for k in range(4)]
        front_left, front_right, rear_left, rear_right = counts
        expected = encode(HaOdo(front_right, rear_right, rear_left, front_left), dialect)
        assert odo_bytes(np.array(counts) + 6.0, dialect) == expected
        assert odo_bytes(np.array(counts) - 6.0, dialect) == expected, "backwards as well"
