"""Moments of one copy of the world, and places that are pointed out."""

from __future__ import annotations

from PIL import ImageChops

import mobilesim_py as ms
from mobilesim_py.view.pictures.moment import Mark, take_copy
from mobilesim_py.view.pictures.snapshot import Painter, svg_of


def test_of_one_copy_of_the_world_only_what_lives_there_is_taken() -> None:
    simulation = ms.Simulation("office.map", copies=2)
    simulation.add_robot("p3dx", "here", copy=0)
    simulation.add_robot("p3dx", "there", copy=1)
    moment = take_copy(simulation, 1)
    assert [robot.name for robot in moment.robots] == ["there"]
    assert not moment.robots[0].scans, "nobody has asked for its laser yet"
    simulation.sense()
    assert take_copy(simulation, 1).robots[0].scans


def test_a_mark_is_drawn_where_it_is() -> None:
    simulation = ms.Simulation("office.map")
    plain, marked = take_copy(simulation, 0), take_copy(simulation, 0, (Mark((9.0, 6.0), "#d33682"),))
    box = ImageChops.difference(Painter().draw(plain, 400), Painter().draw(marked, 400)).getbbox()
    assert box is not None
    middle = (0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3]))
    assert 190.0 < middle[0] < 210.0
    assert len(svg_of(marked)) > len(svg_of(plain))
