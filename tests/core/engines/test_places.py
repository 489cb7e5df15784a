"""Many bodies: an engine that finds them by place gives, to the last bit, what a look at every one of them gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mobilesim_py.catalogue.model import LaserModel
from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.fields import Body
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.boxes import Box
from tests.core.conftest import FOUR_SONAR, make_model
from tests.core.engines.test_engine import act, crowded_world

MANY = 70
BOX = ((-0.3, -0.2), (0.3, -0.2), (0.3, 0.2), (-0.3, 0.2))
ROUND = LaserModel("wide", field_of_view=math.tau, samples=120, range_max=9.0, reverse=True)
TWICE_ROUND = LaserModel("twice", field_of_view=2.0 * math.tau, samples=150)


def crowd(engine: Engine, seed: int, spread: float, line: bool) -> tuple[Simulation, list[np.ndarray]]:  # type: ignore[type-arg]
    """Let a crowd in two copies of a world act, teleport, turn into ghosts and leave; return it and what it sensed."""
    simulation = Simulation(crowded_world(seed), engine=engine, seed=seed, copies=2)
    rng = np.random.default_rng(seed)
    models = [
        make_model(devices=(FOUR_SONAR, LaserModel("laser")), laser_return=9),
        make_model(devices=(FOUR_SONAR, ROUND), laser_return=2),
        make_model(devices=(TWICE_ROUND,)),
    ]

    def anywhere() -> tuple[float, float, float]:
        x, y, heading = rng.uniform(-1.0, 1.0, 3).tolist()
        return x * spread, (0.0 if line else y * spread), heading * math.pi

    for k in range(MANY):
        robot = simulation.add_robot(models[k % 3], f"r{k}", Pose(*anywhere()), copy=k % 7 == 0)
        robot.sonar_on = True
        for laser in robot.lasers:
            laser.on = True
    for k in range(5):
        simulation.add_box(Box(f"b{k}", Pose(*anywhere()), BOX, reflectance=k), copy=k % 2)
    sensed = []
    for step in range(5):
        robots = simulation.robots
        for robot in robots[step % 3 :: 3]:
            act(robot, rng)
        chosen = [robots[int(k)] for k in rng.integers(0, len(robots), 4)]
        chosen[0].place(*anywhere())
        chosen[1].ghost = not chosen[1].ghost
        chosen[2].place(40.0 * float(rng.uniform()), -30.0, 0.0)
        simulation.remove(chosen[3])
        simulation.step()
        scans = simulation.readings(LASER)
        sensed += [scans.ranges, scans.reflectance, simulation.readings(SONAR).ranges]
    return simulation, sensed


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**31), spread=st.sampled_from([1.0, 3.0, 6.5, 60.0]), line=st.booleans())
def test_a_crowd_is_the_same_for_both_engines(compiled_engine: Engine, seed: int, spread: float, line: bool) -> None:
    plain, seen = crowd(NumpyEngine(), seed, spread, line)
    quick, same = crowd(compiled_engine, seed, spread, line)
    count = len(plain.things)
    for row in Body:
        assert np.array_equal(plain.bodies[row, :count], quick.bodies[row, :count]), row.name
    assert all(np.array_equal(a, b) for a, b in zip(seen, same, strict=True))


@pytest.mark.parametrize("where", [math.nan, math.inf, 1e12])
def test_a_body_that_is_nowhere_changes_nothing_for_the_others(compiled_engine: Engine, where: float) -> None:
    seen = []
    for x in (where, 500.0):
        simulation = Simulation(crowded_world(1), engine=compiled_engine, noise=False)
        for k in range(MANY):
            robot = simulation.add_robot(make_model(), f"r{k}", Pose(k % 10 - 5.0, k // 10 - 5.0, k))
            robot.lasers[0].on = robot.sonar_on = True
            robot.drive(0.3)
        simulation.robots[7].ghost = True
        simulation.bodies[Body.X, 7] = x
        simulation.step(3)
        scans, echoes = simulation.readings(LASER).ranges, simulation.readings(SONAR).ranges
        others = np.arange(MANY) != 7
        seen.append([simulation.bodies[:, :MANY][:, others], scans[others], echoes[others]])
    assert all(np.array_equal(a, b) for a, b in zip(*seen, strict=True))
