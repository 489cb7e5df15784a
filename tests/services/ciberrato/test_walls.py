"""Questions to the walls of a lab."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.formats.lab import default_lab
from mobilesim_py.services.ciberrato.exact import wall_distance
from mobilesim_py.services.ciberrato.walls import Walls

from .playing import lab_of

MAZE = Walls(default_lab())


@settings(max_examples=100, deadline=None)
@given(st.floats(0.6, 27.4), st.floats(0.6, 13.4))
def test_what_a_disc_touches_is_what_is_nearer_than_its_radius(x, y):
    nearest = min(wall_distance(x, y, wall.corners) for wall in MAZE.walls)
    assert MAZE.touches(x, y, 0.5) is (nearest < 0.5)


def test_a_disc_touches_the_border_but_no_line():
    hall = Walls(lab_of(40.0, 40.0, {1: "--+--+  "}, wall_height=0.0))
    assert hall.touches(0.4, 20.0, 0.5)
    assert hall.touches(20.0, 39.6, 0.5)
    assert not hall.touches(0.5, 20.0, 0.5)
    assert not hall.touches(2.0, 2.0, 0.5)
    assert hall.inside(2.0, 2.0)
    assert not hall.inside(20.0, 2.0)


def test_walls_are_asked_by_their_height():
    walls = Walls(lab_of(8.0, 8.0, {1: "--+  "}, wall_height=3.0))
    assert len(walls.at_least(3.0).polygons) == 2
    assert len(walls.at_least(3.5).polygons) == 1
    assert walls.at_least(3.5) is walls.at_least(3.5)


def test_cells_are_reachable_where_no_wall_stands_between():
    walls = Walls(lab_of(8.0, 8.0, {1: "--+  "}))
    assert not walls.reachable(1.0, 1.0, 1.0, 3.0)
    assert walls.reachable(3.0, 1.0, 3.0, 3.0)
    assert not walls.reachable(1.0, 1.0, -1.0, 1.0)
