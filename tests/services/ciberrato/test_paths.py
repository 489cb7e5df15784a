"""The shortest way of a disc, against an independent search on the polygons of the free space."""

from __future__ import annotations

import heapq
import itertools
import math

import pytest
import shapely

from mobilesim_py.formats.lab import Lab, Wall, default_lab
from mobilesim_py.services.ciberrato import DiscPaths
from mobilesim_py.services.ciberrato.walls import Walls

from .playing import lab_of


def searched(lab: Lab, start, end) -> float:
    """Return the shortest way over the corners of the walls grown by the radius, whose arcs are polygons of short sides."""
    blocked = shapely.union_all(
        [shapely.Polygon(wall.corners).buffer(0.4995, quad_segs=8) for wall in lab.walls if wall.height > 0]
    )
    free = shapely.box(0.4995, 0.4995, lab.width - 0.4995, lab.height - 0.4995).difference(blocked)
    shapely.prepare(free)
    points = [start, end, *(tuple(point) for point in shapely.get_coordinates(free))]
    pairs = list(itertools.combinations(range(len(points)), 2))
    segments = shapely.linestrings([[points[i], points[j]] for i, j in pairs])
    seen = shapely.covers(free.buffer(1e-7), segments)
    links: dict[int, list[tuple[int, float]]] = {}
    for (i, j), clear in zip(pairs, seen, strict=True):
        if clear:
            links.setdefault(i, []).append((j, math.dist(points[i], points[j])))
            links.setdefault(j, []).append((i, math.dist(points[i], points[j])))
    queue, done = [(0.0, 0)], set()
    while queue:
        length, node = heapq.heappop(queue)
        if node == 1:
            return length
        if node not in done:
            done.add(node)
            for to, piece in links.get(node, ()):
                heapq.heappush(queue, (length + piece, to))
    return math.inf


BLOCK = Lab("block", 12.0, 8.0, walls=(Wall(((4.0, 2.0), (8.0, 2.0), (8.0, 5.0), (4.0, 5.0))),))
BEND = lab_of(12.0, 8.0, {0: "     |", 2: "     |", 4: "           |", 6: "           |"})
NOTCH = Lab("notch", 12.0, 8.0, walls=(Wall(((4.0, 0.0), (8.0, 0.0), (8.0, 5.0), (6.0, 3.0), (4.0, 5.0))),))


@pytest.mark.parametrize("lab", [BLOCK, BEND, NOTCH], ids=lambda lab: lab.name)
@pytest.mark.parametrize("end", [(11.0, 1.0), (11.0, 6.5), (7.0, 7.0), (9.3, 2.2)])
def test_the_way_is_the_shortest_there_is(lab, end):
    found = DiscPaths(Walls(lab)).distance((1.0, 1.0), *end)
    assert found == pytest.approx(searched(lab, (1.0, 1.0), end), rel=4e-3)


def test_a_straight_way_is_straight():
    paths = DiscPaths(Walls(default_lab()))
    assert paths.distance((9.0, 3.0), 11.0, 3.0) == 2.0
    assert paths.distance((9.0, 3.0), 9.0, 3.0) == 0.0


def test_the_way_around_one_corner_is_two_tangents_and_an_arc():
    lab = Lab("one", 12.0, 12.0, walls=(Wall(((0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0))),))
    found = DiscPaths(Walls(lab)).distance((6.5, 1.0), 1.0, 6.5)
    assert found == pytest.approx(5.0 + 5.0 + 0.5 * math.pi / 2, abs=1e-9)


def test_a_place_that_a_robot_cannot_come_to_is_infinitely_far():
    shut = lab_of(8.0, 4.0, {0: "     |", 2: "     |"})
    assert DiscPaths(Walls(shut)).distance((1.0, 1.0), 7.0, 1.0) == math.inf
    narrow = Lab("narrow", 8.0, 4.0, walls=(Wall(((4.0, 0.0), (4.2, 0.0), (4.2, 3.1), (4.0, 3.1))),))
    assert DiscPaths(Walls(narrow)).distance((1.0, 1.0), 7.0, 1.0) == math.inf
    wide = Lab("wide", 8.0, 4.0, walls=(Wall(((4.0, 0.0), (4.2, 0.0), (4.2, 2.9), (4.0, 2.9))),))
    assert DiscPaths(Walls(wide)).distance((1.0, 1.0), 7.0, 1.0) < 9.0


def test_what_was_prepared_is_the_same():
    prepared, asked = DiscPaths(Walls(BEND)), DiscPaths(Walls(BEND))
    prepared.prepare([(1.0, 1.0), (3.0, 7.0)])
    assert prepared.distance((1.0, 1.0), 11.0, 7.0) == asked.distance((1.0, 1.0), 11.0, 7.0)


def test_a_room_without_corners_has_only_straight_ways():
    assert DiscPaths(Walls(lab_of(8.0, 8.0))).distance((1.0, 1.0), 0.1, 1.0) == math.inf


def test_a_place_nearer_to_a_corner_than_a_robot_fits_is_infinitely_far():
    assert DiscPaths(Walls(BLOCK)).distance((1.0, 1.0), 8.2, 5.2) == math.inf


def test_a_robot_that_touches_a_corner_finds_its_way():
    paths = DiscPaths(Walls(BLOCK))
    for angle in (0.1, 0.4, 0.7, 1.0, 1.3):
        x, y = 8.0 + 0.5 * math.cos(angle), 5.0 + 0.5 * math.sin(angle)
        assert paths.distance((1.0, 7.0), x, y) < 9.0


def test_lines_on_the_ground_are_in_nobodys_way():
    lines = lab_of(12.0, 8.0, {0: "     |", 2: "     |"}, wall_height=0.0).walls
    both = Lab("both", 12.0, 8.0, walls=BLOCK.walls + lines)
    assert DiscPaths(Walls(both)).distance((1.0, 1.0), 11.0, 6.5) == DiscPaths(Walls(BLOCK)).distance((1.0, 1.0), 11.0, 6.5)


def test_two_starts_do_not_disturb_each_other():
    together, alone = DiscPaths(Walls(BEND)), DiscPaths(Walls(BEND))
    first = together.distance((1.0, 1.0), 11.0, 7.0)
    second = together.distance((3.0, 7.0), 11.0, 7.0)
    assert together.distance((1.0, 1.0), 11.0, 7.0) == first
    assert alone.distance((3.0, 7.0), 11.0, 7.0) == second


def test_the_way_is_as_long_back_as_forth():
    paths = DiscPaths(Walls(default_lab()))
    assert paths.distance((9.0, 3.0), 25.0, 7.0) == pytest.approx(paths.distance((25.0, 7.0), 9.0, 3.0))


def test_clockwise_walls_have_corners_too():
    walls = tuple(Wall(tuple(reversed(wall.corners)), wall.height) for wall in BLOCK.walls)
    turned = Lab("turned", 12.0, 8.0, walls=walls)
    assert DiscPaths(Walls(turned)).distance((1.0, 1.0), 11.0, 6.5) == DiscPaths(Walls(BLOCK)).distance(
        (1.0, 1.0), 11.0, 6.5
    )
