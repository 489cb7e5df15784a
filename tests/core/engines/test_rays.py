"""Any rays meet walls and bodies, and say what they met, the same in both engines."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.scene import NOTHING, WALL, Rays
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Segments, Stops
from mobilesim_py.world.world import Bounds, World
from tests.core.conftest import make_model, make_world, square
from tests.core.engines.test_engine import crowded_world


def rays(*each: tuple[float, float, float], reach: float = 10.0, carrier: int = -1) -> Rays:
    """Rays by place and angle."""
    x, y, angle = np.array(each).T
    count = len(each)
    return Rays(x, y, np.cos(angle), np.sin(angle), np.full(count, reach), np.full(count, carrier))


def test_a_ray_says_how_far_it_went_and_what_it_met(engine: Engine) -> None:
    simulation = Simulation(make_world(*square(3.0)), engine=engine)
    robot = simulation.add_robot(make_model(laser_return=5), "r", Pose(1.0, 0.0, 0.0))
    hits = engine.cast(simulation.scene, rays((0, 0, 0), (0, 0, math.pi / 2), (0, 0, 1.0), reach=3.5), Stops.LASER)
    assert hits.distance == pytest.approx([0.75, 3.0, 3.5])
    assert hits.body.tolist() == [robot.column, WALL, NOTHING]
    assert hits.reflectance.tolist() == [5, 1, 0]
    assert hits.slant == pytest.approx([1.0, 0.0, 0.0])


def test_rays_do_not_see_their_carrier_nor_ghosts_nor_what_lets_them_pass(engine: Engine) -> None:
    simulation = Simulation(make_world(), engine=engine)
    carrier = simulation.add_robot(make_model(), "c")
    simulation.add_robot(make_model(), "g", Pose(1.0, 0.0, 0.0)).ghost = True
    simulation.add_box(Box("b", Pose(2.0, 0.0, 0.0), ((-0.1, -1), (0.1, -1), (0.1, 1), (-0.1, 1)), stops=Stops.SONAR))
    fan = rays((0, 0, 0), carrier=carrier.column)
    assert engine.cast(simulation.scene, fan, Stops.LASER).body.tolist() == [NOTHING]
    assert engine.cast(simulation.scene, fan, Stops.SONAR).distance == pytest.approx([1.9])


def test_a_reflector_on_a_wall_is_what_was_met(engine: Engine) -> None:
    segments = Segments.join(Segments.build([[2, -5, 2, 5]]), Segments.build([[2, -0.5, 2, 0.5]], reflectance=32))
    simulation = Simulation(World("w", Bounds(-9, -9, 9, 9), segments), engine=engine)
    hits = engine.cast(simulation.scene, rays((0, 0, 0), (0, 0, 0.2), (0, 0, 0.5)), Stops.LASER)
    assert hits.reflectance.tolist() == [32, 32, 1]
    assert hits.slant == pytest.approx([1.0, math.cos(0.2), 0.0])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**31), robots=st.integers(0, 30))
def test_both_engines_meet_the_same(compiled_engine: Engine, seed: int, robots: int) -> None:
    simulation = Simulation(crowded_world(seed), seed=seed)
    rng = np.random.default_rng(seed)
    for k in range(robots):
        pose = Pose(*(float(v) for v in rng.uniform(-6, 6, 3)))
        simulation.add_robot(make_model(laser_return=1 + k % 3), f"r{k}", pose)
    fan = Rays(
        *rng.uniform(-7, 7, (2, 300)), *(np.zeros(300),) * 2, rng.uniform(0, 12, 300), rng.integers(-1, robots + 1, 300)
    )
    angle = rng.uniform(-7, 7, 300)
    fan = fan._replace(cosine=np.cos(angle), sine=np.sin(angle))
    plain = NumpyEngine().cast(simulation.scene, fan, int(Stops.LASER))
    quick = compiled_engine.cast(simulation.scene, fan, int(Stops.LASER))
    for a, b in zip(plain, quick, strict=True):
        assert np.array_equal(a, b)
