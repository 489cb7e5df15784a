"""GPS receivers: places, fixes, and how far off a bad day puts them."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import pytest

from mobilesim_py.catalogue.outdoor import GpsModel
from mobilesim_py.core.devices.gps import GPS
from mobilesim_py.core.reality import Reality
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.ground import Area
from mobilesim_py.world.world import Bounds, World
from tests.core.conftest import make_model

Make = Callable[..., Simulation]


def test_a_receiver_knows_where_it_is_and_how_fast(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(devices=(GpsModel(),)), "r", Pose(3.0, -4.0, 0.0))
    assert len(simulation.readings(GPS).x) == 0, "off at first"
    robot.units(GPS)[0].on = True
    robot.drive(0.5)
    simulation.step(50)
    told = simulation.readings(GPS)
    assert (told.x[0], told.y[0], told.speed[0], told.fixed[0]) == pytest.approx((robot.pose.x, -4.0, 0.5, 1.0))


def test_areas_without_reception_have_no_fix() -> None:
    area = Area(((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)), values={"gps": 0.0})
    simulation = Simulation(World("test", Bounds(-9, -9, 9, 9), areas=(area,)))
    robot = simulation.add_robot(make_model(devices=(GpsModel(),)), "r", Pose(1.0, 1.0, 0.0))
    robot.units(GPS)[0].on = True
    assert simulation.readings(GPS).fixed[0] == 0.0
    robot.place(3.0, 1.0, 0.0)
    assert simulation.readings(GPS).fixed[0] == 1.0


def test_on_a_bad_day_places_drift_within_their_limit_and_fixes_are_lost(simulate: Make) -> None:
    simulation = simulate(dt=1.0)
    robot = simulation.add_robot(make_model(devices=(GpsModel(),)), "r")
    robot.reality = Reality(gps_offset=2.0, gps_loss=0.3)
    robot.units(GPS)[0].on = True
    places, fixes = [], 0.0
    for _ in range(1000):
        simulation.step()
        told = simulation.readings(GPS)
        places.append((float(told.x[0]), float(told.y[0])))
        fixes += told.fixed[0]
    assert 0.5 < max(math.hypot(*place) for place in places) <= 2.000001
    assert max(math.dist(a, b) for a, b in pairwise(places)) < 0.1, "slowly"
    assert fixes == pytest.approx(700, abs=150)
