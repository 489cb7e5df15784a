"""Sonar rings: where the rays of each transducer point, and what numbers without one say."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.catalogue.model import SonarModel
from mobilesim_py.core.devices.sonar import SonarRings
from mobilesim_py.core.engines.engine import Engine
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from tests.core.conftest import make_model, make_world, square


def directions(cone: float, rays: int, heading: float = 0.3) -> list[float]:
    """Return the directions of one transducer's rays against its own [rad]."""
    rings = SonarRings()
    rings.add(SonarModel((Pose(0.1, 0.2, heading),), 0.1, 5.0, cone, rays))
    return [float(angle) - heading for angle in rings.table.rays[:, 2]]


@pytest.mark.parametrize("rays", [2, 6, 31])
def test_rays_are_evenly_spread_over_the_whole_cone(rays: int) -> None:
    cone = math.radians(30.0)
    spacing = cone / (rays - 1)
    assert directions(cone, rays) == pytest.approx([-cone / 2 + spacing * k for k in range(rays)])


@pytest.mark.parametrize("heading", [0.0, 0.3, -2.7])
def test_a_single_ray_points_exactly_where_its_transducer_does(heading: float) -> None:
    assert directions(math.radians(30.0), 1, heading) == [0.0]


def test_a_ring_without_a_transducer_is_none() -> None:
    assert SonarRings().add(SonarModel()) == -1


def test_numbers_of_a_ring_without_a_transducer_have_the_greatest_range(engine: Engine) -> None:
    ahead = (Pose(0.0, 0.0, 0.0),) * 3
    simulation = Simulation(make_world(*square(2.0)), engine=engine, noise=False)
    gappy = simulation.add_robot(make_model(devices=(SonarModel(ahead, absent=(1,)),)), "gappy", Pose(0.0, 1.0))
    whole = simulation.add_robot(make_model(devices=(SonarModel(ahead),)), "whole", Pose(0.0, -1.0))
    gappy.sonar_on = whole.sonar_on = True
    assert gappy.sonar.tolist() == [2.0, 5.0, 2.0]
    assert whole.sonar.tolist() == [2.0, 2.0, 2.0]
