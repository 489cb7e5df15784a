"""Distances to walls: the arrays say what the exact formulas say, everywhere."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.formats.lab import StartPlace, default_lab
from mobilesim_py.services.ciberrato import Robot
from mobilesim_py.services.ciberrato.exact import ray_distance
from mobilesim_py.services.ciberrato.obstacles import exact_obstacle_distance, obstacle_distances
from mobilesim_py.services.ciberrato.walls import Walls

from .playing import lab_of

ANGLES = (0.0, math.pi / 3, -math.pi / 3, math.pi)
MAZE = Walls(default_lab())
HALL = Walls(lab_of(40.0, 40.0, {1: "--+--+  ", 0: "  |"}))


def robot_at(x, y, heading):
    return Robot(1, "n", StartPlace(x, y, heading), ANGLES)


def agree(walls, robots):
    for robot, distances in zip(robots, obstacle_distances(robots, walls), strict=True):
        for number, distance in enumerate(distances):
            if distance is not None:
                assert distance == pytest.approx(exact_obstacle_distance(robot, number, walls), abs=1e-9)


PLACES = st.tuples(st.floats(0.5, 27.5), st.floats(0.5, 13.5), st.floats(-math.pi, math.pi))


@settings(max_examples=60, deadline=None)
@given(st.lists(PLACES, min_size=1, max_size=5))
def test_the_arrays_agree_with_the_exact_formulas_in_a_maze(places):
    agree(MAZE, [robot_at(*place) for place in places])


@settings(max_examples=50, deadline=None)
@given(st.tuples(st.floats(0.5, 39.5), st.floats(0.5, 39.5), st.floats(-math.pi, math.pi)))
def test_they_agree_where_walls_are_far(place):
    agree(HALL, [robot_at(*place)])


def test_a_ray_along_a_wall_is_left_to_the_exact_formulas():
    robot = robot_at(20.0, 1.9, math.pi / 2)
    walls = Walls(lab_of(40.0, 40.0, {1: "--+--+--+--+  "}))
    robot.angles = (0.0, math.pi / 2, -math.pi / 2, math.pi)
    assert obstacle_distances([robot], walls)[0][1] is None
    assert ray_distance(19.5, 1.9, math.pi, walls.solid.polygons) == pytest.approx(19.5 - 8.0)


def test_grazed_corners_are_doubtful_and_others_are_not():
    walls = Walls(lab_of(8.0, 8.0, {0: "  |"}))
    ahead_of_corner = robot_at(4.0, 2.0, math.pi)
    assert obstacle_distances([ahead_of_corner], walls)[0][0] is None
    assert exact_obstacle_distance(ahead_of_corner, 0, walls) == pytest.approx(4.0 - 0.5 - 2.1)
    clear = robot_at(4.0, 1.3, math.pi)
    assert obstacle_distances([clear], walls)[0][0] is not None
