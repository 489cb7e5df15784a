"""A third kind of device, written here on `cast` and `nearest` alone: nothing but the table has to know of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mobilesim_py.catalogue.model import DeviceModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Drawing, Readings
from mobilesim_py.core.devices.kinds import DEVICES
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.fields import Body, Rows
from mobilesim_py.core.scene import IntArray, Rays, Scene, Wedges
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.obstacles import FloatArray, Stops
from tests.core.conftest import make_model, make_world, square

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable

Make = Callable[..., Simulation]


@dataclass(frozen=True)
class WhiskerModel(DeviceModel):
    """A hair that feels how far the next thing is, straight ahead and anywhere near."""

    heading: float = 0.0
    length: float = 2.0


class Whisker(Rows):
    """Rows of the matrix of whiskers."""

    BODY = auto()
    ON = auto()
    HEADING = auto()
    LENGTH = auto()


@dataclass(frozen=True)
class WhiskerReadings(Readings):
    """What whiskers feel."""

    ahead: FloatArray
    near: FloatArray


class WhiskerUnit(DeviceUnit[WhiskerModel]):
    """One whisker."""

    @property
    def felt(self) -> tuple[float, float] | None:
        """How far the next thing is ahead, and anywhere."""
        readings = self._table.readings
        row = readings.row_of(self.column)
        return None if row is None else (float(readings.ahead[row]), float(readings.near[row]))


class WhiskerKind(DeviceKind[WhiskerModel, WhiskerUnit, WhiskerReadings]):
    """Whiskers."""

    name = "whisker"
    model = WhiskerModel
    rows = Whisker
    unit = WhiskerUnit
    drawing = Drawing.MARKS

    def column(
        self, model: WhiskerModel, table: DeviceTable[WhiskerModel, WhiskerUnit, WhiskerReadings]
    ) -> Mapping[int, float]:
        return {Whisker.HEADING: model.heading, Whisker.LENGTH: model.length}

    def sense(
        self,
        scene: Scene,
        units: IntArray,
        table: DeviceTable[WhiskerModel, WhiskerUnit, WhiskerReadings],
        engine: Engine,
    ) -> WhiskerReadings:
        whiskers = table.matrix[:, units]
        carrier = whiskers[Whisker.BODY].astype(np.int64)
        x, y, heading = scene.bodies[[Body.X, Body.Y, Body.HEADING]][:, carrier]
        angle, reach = heading + whiskers[Whisker.HEADING], whiskers[Whisker.LENGTH]
        rays = Rays(x, y, np.cos(angle), np.sin(angle), reach, carrier)
        around = Wedges(x, y, angle, np.full(len(units), math.pi), reach, carrier)
        ahead = engine.cast(scene, rays, int(Stops.ROBOTS)).distance
        return WhiskerReadings(units, ahead, engine.nearest(scene, around, int(Stops.ROBOTS)))


WHISKER = WhiskerKind()


@pytest.fixture(autouse=True)
def in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DEVICES, WHISKER.name, WHISKER)


def test_a_new_kind_senses_in_both_engines(simulate: Make) -> None:
    simulation = simulate(*square(1.5))
    model = make_model(devices=(WhiskerModel(), WhiskerModel(math.pi / 2, 1.0)))
    robot = simulation.add_robot(model, "r", Pose(0.5, 0.0, 0.0))
    ahead, left = robot.units(WHISKER)
    ahead.on = left.on = True
    assert ahead.felt == pytest.approx((1.0, 1.0))
    assert left.felt == pytest.approx((1.0, 1.0)), "no farther than it is long"
    robot.place(-0.25, 0.0, 0.0)
    assert ahead.felt == pytest.approx((1.75, 1.25))


def test_a_new_kind_is_off_until_switched_on_and_after_a_reset(simulate: Make) -> None:
    simulation = simulate(*square(1.5))
    robot = simulation.add_robot(make_model(devices=(WhiskerModel(),)), "r")
    (whisker,) = robot.units(WHISKER)
    assert whisker.felt is None
    whisker.on = True
    assert whisker.felt is not None
    simulation.restore(robot)
    assert whisker.felt is None


def test_a_new_kind_sees_other_robots_and_leaves_with_its_own(simulate: Make) -> None:
    simulation = simulate()
    model = make_model(devices=(WhiskerModel(),))
    first = simulation.add_robot(model, "first", Pose(-5.0, 0.0, 0.0))
    second = simulation.add_robot(model, "second", Pose(0.0, 0.0, 0.0))
    simulation.add_robot(make_model(devices=()), "third", Pose(1.0, 0.0, 0.0))
    for robot in (first, second):
        robot.units(WHISKER)[0].on = True
    assert simulation.readings(WHISKER).ahead == pytest.approx([2.0, 0.75])
    simulation.remove(first)
    assert simulation.readings(WHISKER).ahead == pytest.approx([0.75])


def test_a_new_kind_has_its_period_and_delay(simulate: Make) -> None:
    simulation = simulate(*square(1.5))
    robot = simulation.add_robot(make_model(devices=(WhiskerModel(period=0.2, delay=0.1),)), "r")
    (whisker,) = robot.units(WHISKER)
    whisker.on = True
    felt = []
    for k in range(5):
        robot.place(-0.1 * k, 0.0, 0.0)
        simulation.step()
        felt.append(whisker.felt[0] if whisker.felt else None)
    assert felt[:2] == [None, None]
    assert felt[2:] == pytest.approx([1.6, 1.6, 1.8])


def test_both_engines_read_the_same_bits(compiled_engine: Engine) -> None:
    found = []
    for engine in (compiled_engine, NumpyEngine()):
        simulation = Simulation(make_world(*square(2.0)), engine=engine)
        rng = np.random.default_rng(5)
        for k in range(12):
            places = WhiskerModel(rng.uniform(-3.0, 3.0)), WhiskerModel(rng.uniform(-3.0, 3.0), 9.0)
            pose = Pose(*rng.uniform(-1.5, 1.5, 2), rng.uniform(-3.0, 3.0))
            for whisker in simulation.add_robot(make_model(devices=places), f"r{k}", pose).units(WHISKER):
                whisker.on = True
        simulation.step()
        found.append(simulation.readings(WHISKER))
    quick, plain = found
    assert np.array_equal(quick.ahead, plain.ahead)
    assert np.array_equal(quick.near, plain.near)
