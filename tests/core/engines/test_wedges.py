"""The nearest thing in a wedge is found exactly, the same in both engines."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.scene import Rays, Wedges
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.obstacles import Stops
from tests.core.conftest import make_model, make_world
from tests.core.engines.test_engine import crowded_world


def wedge(heading: float, half: float, reach: float = 10.0, carrier: int = -1) -> Wedges:
    """One wedge at the origin."""
    numbers = (np.array([value]) for value in (0.0, 0.0, heading, half, reach))
    return Wedges(*numbers, np.array([carrier]))


@pytest.mark.parametrize(
    ("heading", "half", "distance"),
    [
        (0.0, 0.1, 2.0),
        (math.pi / 4, math.radians(15), 2.0 / math.cos(math.radians(30))),
        (math.pi, 0.5, 10.0),
        (math.pi, math.pi, 2.0),
        (math.radians(80), math.radians(20), 10.0),
    ],
)
def test_the_nearest_place_of_a_wall_that_lies_inside_counts(
    engine: Engine, heading: float, half: float, distance: float
) -> None:
    simulation = Simulation(make_world((2.0, -3.0, 2.0, 3.0)), engine=engine)
    assert engine.nearest(simulation.scene, wedge(heading, half), Stops.SONAR) == pytest.approx([distance])


def test_bodies_are_sensed_but_not_the_carrier(engine: Engine) -> None:
    simulation = Simulation(make_world(), engine=engine)
    carrier = simulation.add_robot(make_model(), "c")
    simulation.add_robot(make_model(), "other", Pose(1.0, 0.0, 0.0))
    found = engine.nearest(simulation.scene, wedge(0.0, 0.3, carrier=carrier.column), Stops.SONAR)
    assert found == pytest.approx([0.75])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**31), robots=st.integers(0, 20))
def test_both_engines_find_the_same_and_no_ray_in_the_wedge_is_shorter(
    compiled_engine: Engine, seed: int, robots: int
) -> None:
    simulation = Simulation(crowded_world(seed), seed=seed)
    rng = np.random.default_rng(seed)
    for k in range(robots):
        simulation.add_robot(make_model(), f"r{k}", Pose(*(float(v) for v in rng.uniform(-6, 6, 3))))
    count = 40
    wedges = Wedges(
        *rng.uniform(-9, 9, (2, count)),
        rng.uniform(-4, 4, count),
        rng.uniform(0, math.pi, count),
        rng.uniform(0, 6, count),
        rng.integers(-1, robots + 1, count),
    )
    scene, mask = simulation.scene, int(Stops.LASER)
    plain = NumpyEngine().nearest(scene, wedges, mask)
    assert np.array_equal(plain, compiled_engine.nearest(scene, wedges, mask))
    for share in np.linspace(-1, 1, 21):
        angle = wedges.heading + share * wedges.half
        fan = Rays(wedges.x, wedges.y, np.cos(angle), np.sin(angle), wedges.reach, wedges.carrier)
        assert (NumpyEngine().cast(scene, fan, mask).distance >= plain - 1e-7).all()
