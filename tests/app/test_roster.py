"""Who is in the world, under which name, and where."""

from __future__ import annotations

import numpy as np
import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.app.roster import Roster
from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.core.robot import BoxBody, Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.start import StartRule
from mobilesim_py.world.world import empty_world


@pytest.fixture
def simulation() -> Simulation:
    return Simulation(empty_world())


def roster_of(simulation: Simulation, start: str | None = None) -> Roster:
    return Roster(simulation, StartRule.parse(start), seed=1)


def test_a_robot_is_added_where_it_shall_be_or_where_there_is_room(simulation: Simulation, catalogue: Catalogue) -> None:
    roster, model = roster_of(simulation), catalogue.find("p3dx")
    placed = roster.add(model, "placed", Pose(3.0, 4.0, 1.0))
    first, second = (roster.add(model, name) for name in ("first", "second"))
    assert isinstance(placed, Robot)
    assert placed.pose == Pose(3.0, 4.0, 1.0)
    assert first.pose == Pose()
    assert np.hypot(second.pose.x - first.pose.x, second.pose.y - first.pose.y) > 0.5


def test_a_model_that_is_a_box_becomes_a_box(simulation: Simulation, catalogue: Catalogue) -> None:
    assert isinstance(roster_of(simulation).add(catalogue.find("box"), "crate"), BoxBody)


def test_names_are_unique(simulation: Simulation, catalogue: Catalogue) -> None:
    roster, model = roster_of(simulation), catalogue.find("p3dx")
    names = []
    for _ in range(3):
        names.append(roster.unique_name("r"))
        roster.add(model, names[-1])
    assert names == ["r", "r-2", "r-3"]


def test_what_is_gone_already_is_not_removed_twice(simulation: Simulation, catalogue: Catalogue) -> None:
    roster = roster_of(simulation)
    robot = roster.add(catalogue.find("p3dx"), "r")
    roster.remove(robot)
    roster.remove(robot)
    assert simulation.things == []


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (None, "map's default starting place"),
        ("1000,2000,90", "1000.000000, 2000.000000, 90.000000"),
        ("outside", "outside edge of map"),
        ("random", "random positions"),
    ],
)
def test_the_log_says_where_robots_start(start: str | None, said: str, simulation: Simulation) -> None:
    log = Log()
    roster_of(simulation, start).tell_start(log)
    assert said in log.recent(1)[0].text
