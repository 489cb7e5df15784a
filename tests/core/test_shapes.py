"""Rings of sonar, as the engines ping them."""

from __future__ import annotations

from mobilesim_py.catalogue.model import SonarModel
from mobilesim_py.core.engines.engine import Engine
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from tests.core.conftest import make_model, make_world, square


def test_numbers_of_a_ring_without_a_transducer_have_the_greatest_range(engine: Engine) -> None:
    ahead = (Pose(0.0, 0.0, 0.0),) * 3
    simulation = Simulation(make_world(*square(2.0)), engine=engine, noise=False)
    gappy = simulation.add_robot(make_model(sonar=SonarModel(ahead, absent=(1,))), "gappy", Pose(0.0, 1.0))
    whole = simulation.add_robot(make_model(sonar=SonarModel(ahead)), "whole", Pose(0.0, -1.0))
    gappy.sonar_on = whole.sonar_on = True
    assert gappy.sonar.tolist() == [2.0, 5.0, 2.0]
    assert whole.sonar.tolist() == [2.0, 2.0, 2.0]
