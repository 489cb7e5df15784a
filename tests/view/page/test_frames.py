"""The binary messages say what is so, as the layout promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.app.program import Program
from mobilesim_py.view.page import frames
from mobilesim_py.view.page.frames import FRAME_HEAD, Kind, Layer, State
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.plants import PlantKind, Plants

NOBODY = np.zeros(0, np.uint32)


class Decoded:
    """A frame read by the documented layout, independently of what packs it."""

    def __init__(self, data: bytes) -> None:
        head = FRAME_HEAD.unpack_from(data)
        self.kind, self.number, self.time, self.layers, n, lasers, ranges, sonars, echoes = head
        self._data, self._offset = data, FRAME_HEAD.size
        self.ids = self._take("<u4", n)
        self.pose = self._take("<f4", 3 * n).reshape(3, n)
        self.state = self._take("<u4", n)
        self.odometry = self._take("<f4", 3 * n).reshape(3, n) if self.layers & Layer.ODOMETRY else None
        self.velocity = self._take("<f4", 3 * n).reshape(3, n) if self.layers & Layer.VELOCITY else None
        if self.layers & Layer.LASER:
            self.laser_ids = self._take("<u4", lasers)
            self.lasers = self._take("<f4", 5 * lasers).reshape(5, lasers)
            self.laser_counts = self._take("<u4", lasers)
        if self.layers & Layer.SONAR:
            self.sonar_ids = self._take("<u4", sonars)
            self.sonar_counts = self._take("<u4", sonars)
        self.ranges = self._take("<u2", ranges)
        self.echoes = self._take("<u2", echoes)
        self.rest = len(data) - self._offset

    def _take(self, kind: str, count: int) -> np.ndarray:
        array = np.frombuffer(self._data, kind, count, self._offset)
        self._offset += array.nbytes
        return array


def test_a_frame_has_every_robot_where_it_is(program: Program) -> None:
    alpha, beta = program.simulation.robots
    alpha.place(1.5, 2.5, 0.5)
    frame = Decoded(frames.pack_frame(program.simulation, Layer(0), NOBODY))
    assert (frame.kind, frame.rest, frame.ids.tolist()) == (Kind.FRAME, 0, [alpha.serial, beta.serial])
    assert frame.pose[:, 0].tolist() == pytest.approx([1.5, 2.5, 0.5])
    assert frame.odometry is None


def test_layers_add_odometry_and_velocity(program: Program) -> None:
    alpha, _ = program.simulation.robots
    alpha.set_odometry(0.25, -0.5, 1.0)
    alpha.drive(0.3)
    program.simulation.step(3)
    frame = Decoded(frames.pack_frame(program.simulation, Layer.ODOMETRY | Layer.VELOCITY, NOBODY))
    assert frame.rest == 0
    assert frame.odometry is not None
    assert frame.velocity is not None
    assert frame.odometry[2, 0] == pytest.approx(1.0)
    assert frame.velocity[0, 0] == pytest.approx(alpha.velocity[0])


def test_state_bits_tell_ghosts_and_held_robots(program: Program) -> None:
    alpha, beta = program.simulation.robots
    alpha.ghost = True
    held = np.array([beta.serial], np.uint32)
    frame = Decoded(frames.pack_frame(program.simulation, Layer(0), held))
    assert [State(int(bits)) for bits in frame.state] == [State.GHOST | State.MOTORS, State.HELD | State.MOTORS]


def test_sensors_are_told_only_when_somebody_has_sensed(program: Program) -> None:
    alpha, _ = program.simulation.robots
    alpha.lasers[0].on = True
    alpha.sonar_on = True
    wanted = Layer.LASER | Layer.SONAR
    assert Decoded(frames.pack_frame(program.simulation, wanted, NOBODY)).layers == 0
    assert not program.simulation.has_sensed
    scan, echoes = alpha.lasers[0].ranges, alpha.sonar
    frame = Decoded(frames.pack_frame(program.simulation, wanted, NOBODY))
    assert (frame.layers, frame.rest) == (wanted, 0)
    assert frame.laser_ids.tolist() == frame.sonar_ids.tolist() == [alpha.serial]
    assert frame.ranges / 1000.0 == pytest.approx(scan, abs=0.0006)
    assert frame.echoes / 1000.0 == pytest.approx(echoes, abs=0.0006)


def test_a_scan_begins_where_the_laser_looks(program: Program) -> None:
    alpha, _ = program.simulation.robots
    alpha.place(2.0, 3.0, math.pi / 2)
    laser = alpha.lasers[0]
    laser.on = True
    assert len(laser.ranges) == 181
    frame = Decoded(frames.pack_frame(program.simulation, Layer.LASER, NOBODY))
    x, y, first, increment, most = frame.lasers[:, 0].tolist()
    assert (x, y) == pytest.approx((2.0 - laser.model.pose.y, 3.0 + laser.model.pose.x))
    assert (first, increment, most) == pytest.approx((0.0, math.radians(1.0), laser.model.range_max), abs=1e-5)


def test_numbering_changes_nothing_else(program: Program) -> None:
    packed = frames.pack_frame(program.simulation, Layer(0), NOBODY)
    numbered = frames.number_frame(packed, 7)
    assert Decoded(numbered).number == 7
    assert numbered[:4] + numbered[8:] == packed[:4] + packed[8:]


@given(st.lists(st.tuples(*[st.floats(-1e4, 1e4, width=32)] * 4), max_size=20))
def test_walls_come_back_as_they_were(ends: list[tuple[float, float, float, float]]) -> None:
    data = frames.pack_walls(Segments.build(np.array(ends).reshape(-1, 4), 5, 32), 3)
    kind, number, count = frames.WALLS_HEAD.unpack_from(data)
    assert (kind, number, count) == (Kind.WALLS, 3, len(ends))
    assert np.frombuffer(data, "<f4", 4 * count, 12).tolist() == [value for row in ends for value in row]
    assert data[12 + 16 * count :] == bytes([5]) * count + bytes([32]) * count


def test_plants_come_back_as_they_were_and_which_lie_flat() -> None:
    plants = Plants.build([1.0, 2.5], [0.5, -0.5], [PlantKind.LEEK, PlantKind.STAKE]).trampled(np.array([0]))
    data = frames.pack_plants(plants, 3)
    assert frames.WALLS_HEAD.unpack_from(data) == (Kind.PLANTS, 3, 2)
    assert np.frombuffer(data, "<f4", 6, 12).tolist() == pytest.approx([1.0, 2.5, 0.5, -0.5, 0.02, 0.0125])
    assert list(data[36:]) == [PlantKind.LEEK, PlantKind.STAKE, 1, 0]
    assert frames.pack_flat(plants, 3) == frames.WALLS_HEAD.pack(Kind.FLAT, 3, 2) + b"\1\0"
