"""What sensors see of other bodies and of reflectors, in a crowd too: the nearest, whatever stands behind it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.catalogue.model import LaserModel, ReturnRule, SonarModel
from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.engines.numpy import outlines
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.world import Bounds, World
from tests.core.conftest import make_model, make_world, square

AROUND = LaserModel("around", field_of_view=math.tau, samples=360, range_max=20.0)
FORWARD = LaserModel("forward", angle_noise=0.0, range_noise=0.0, rules=(ReturnRule(value=1, detect=33),))


def crowd(engine: Engine, robots: int = 80) -> Simulation:
    """Robots of two kinds shoulder to shoulder, at random headings, all of them sensing."""
    simulation = Simulation(make_world(*square(15.0)), engine=engine, seed=4)
    rng = np.random.default_rng(4)
    ring = SonarModel(tuple(Pose(0.15 * math.cos(a), 0.15 * math.sin(a), a) for a in np.linspace(-3, 3, 12)), rays=3)
    kinds = (make_model(devices=(ring, AROUND)), make_model(devices=(ring, LaserModel("laser")), laser_return=9))
    for k in range(robots):
        pose = Pose(0.6 * (k % 9) + rng.uniform(-0.02, 0.02), 0.6 * (k // 9), float(rng.uniform(-3, 3)))
        robot = simulation.add_robot(kinds[k % 2], f"r{k}", pose)
        robot.sonar_on = True
        for laser in robot.lasers:
            laser.on = True
    simulation.step()
    return simulation


def assert_same(one: Simulation, other: Simulation) -> None:
    assert np.array_equal(one.readings(LASER).ranges, other.readings(LASER).ranges)
    assert np.array_equal(one.readings(LASER).reflectance, other.readings(LASER).reflectance)
    assert np.array_equal(one.readings(SONAR).ranges, other.readings(SONAR).ranges)


def test_in_a_crowd_both_engines_see_the_same(compiled_engine: Engine) -> None:
    assert_same(crowd(compiled_engine), crowd(NumpyEngine()))


def test_to_look_at_the_nearest_first_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = crowd(NumpyEngine())
    expected.sense()
    for order in ((), (1, 2, 3)):
        monkeypatch.setattr(outlines, "NEAREST", order)
        monkeypatch.setattr(outlines, "FEW_NEIGHBOURS", 0)
        assert_same(crowd(NumpyEngine()), expected)


def test_neighbours_come_nearest_first_and_each_once() -> None:
    rng = np.random.default_rng(0)
    owner, distance = np.sort(rng.integers(0, 5, 200)), rng.random(200)
    portions = list(outlines._nearest_first(owner, distance))
    assert sorted(np.concatenate(portions).tolist()) == list(range(200))
    for k in range(5):
        each = [np.sort(distance[some[owner[some] == k]]) for some in portions]
        assert np.all(np.diff(np.concatenate(each)) >= 0.0)
        assert len(each[0]) == outlines.NEAREST[0]


def test_few_neighbours_are_looked_at_all_at_once() -> None:
    (portion,) = outlines._nearest_first(np.repeat(np.arange(3), 4), np.arange(12.0))
    assert portion.tolist() == list(range(12))


def test_a_body_around_the_laser_is_seen_from_inside(engine: Engine) -> None:
    simulation = Simulation(make_world(*square(5.0)), engine=engine, seed=1, noise=False)
    within = simulation.add_robot(make_model(), "within")
    hull = tuple((1.0 * math.cos(a), 1.0 * math.sin(a)) for a in np.linspace(0, math.tau, 40, endpoint=False))
    simulation.add_robot(make_model(outline=(hull,), footprint=(), devices=()), "hull", Pose(0.1, 0.0, 0.0))
    within.lasers[0].on = True
    assert within.lasers[0].ranges[90] == pytest.approx(1.1, abs=0.01)


@pytest.mark.parametrize("turns", [1, 2])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("aside", [-0.1, -0.001, 0.0, 0.001, 0.1])
def test_a_body_across_the_seam_of_a_scan_all_around_is_seen_by_its_first_and_last_beams(
    engine: Engine, aside: float, reverse: bool, turns: int
) -> None:
    simulation = Simulation(make_world(), engine=engine, noise=False)
    robot = simulation.add_robot(make_model(devices=(AROUND,)), "r")
    simulation.add_robot(make_model(), "other", Pose(2.0 if turns == 2 else -2.0, aside, 0.0))
    laser = robot.lasers[0]
    half = math.pi * turns * (-1 if reverse else 1)
    laser.configure(-half, half, math.radians(1))
    laser.on = True
    # Flanks 0.2 m to either side at 1.8 m: six beams on each side of the seam, less what the body is aside.
    assert (laser.ranges[:3] < 2.0).all()
    assert (laser.ranges[-3:] < 2.0).all()
    assert (laser.ranges < 2.0).sum() == pytest.approx(turns * 12, abs=turns * 2)


def test_of_a_wall_and_a_reflector_on_it_the_reflector_is_reported(engine: Engine) -> None:
    segments = Segments.join(Segments.build([[2, -5, 2, 5]]), Segments.build([[2, -0.5, 2, 0.5]], reflectance=32))
    simulation = Simulation(World("w", Bounds(-9, -9, 9, 9), segments), engine=engine)
    robot = simulation.add_robot(make_model(devices=(FORWARD,)), "r")
    robot.lasers[0].on = True
    scan = robot.lasers[0]
    assert scan.reflectance[90] == 33
    assert scan.reflectance[90 - 45] == 1
    assert scan.ranges[90] == 2.0
