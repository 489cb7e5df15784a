"""Robots and boxes keep their places in another map; who does not fit there is named."""

from __future__ import annotations

from dataclasses import replace

from mobilesim_py.app.misfits import MOST, misfits
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.world import empty_world
from tests.core.conftest import make_world


def box_at(x: float, y: float) -> Box:
    return Box("crate", Pose(x, y, 0.0), rectangle(0.4, 0.4))


def test_boxes_that_were_added_stay_and_those_of_the_map_go_with_it() -> None:
    simulation = Simulation(replace(make_world(), boxes=(box_at(1.0, 1.0),)))
    mine = simulation.add_box(box_at(2.0, 2.0))
    simulation.replace_world(replace(make_world(), boxes=(box_at(3.0, 3.0), box_at(4.0, 4.0))))
    assert mine in simulation.boxes
    assert sorted(round(box.pose.x) for box in simulation.boxes) == [2, 3, 4]
    simulation.replace_world(empty_world())
    assert simulation.boxes == [mine]
    assert (mine.pose.x, mine.pose.y) == (2.0, 2.0)


def test_who_stands_in_a_wall_or_outside_is_told_where_there_is_room() -> None:
    simulation = Simulation(make_world((0.0, -9.0, 0.0, 9.0)))
    for x in (0.1, 3.0, 4000.0):
        simulation.add_box(box_at(x, 0.0))
    in_wall, outside = misfits(simulation)
    assert "stands in a wall of the new map. The nearest free place is x=" in in_wall
    assert "stands outside of the new map." in outside
    for _ in range(MOST + 3):
        simulation.add_box(box_at(0.0, 0.0))
    assert misfits(simulation)[-1] == "... and 5 more do not fit into it either."
    simulation.replace_world(empty_world())
    assert misfits(simulation) == []
