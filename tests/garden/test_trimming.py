"""Where to stand for trimming."""

from __future__ import annotations

import math

import shapely

from mobilesim_py.formats.garden.garden_file import parse_garden
from mobilesim_py.garden.ground_plan import GroundPlan
from mobilesim_py.garden.occupancy import Occupancy
from mobilesim_py.garden.trimming import ARM, STANDOFF, Body, TrimmingPosition, find_position
from mobilesim_py.geometry import rectangle
from mobilesim_py.navigation.search import PlainSearcher

BODY = Body(0.7, 0.5)
GARDEN = """
terrain:
  - {{label: Ground-Grass, corners: [[0, 0], [8, 0], [8, 6], [0, 6]]}}
{more}
objects:
  - {{id: 1, label: Hedge-Box, at: [4, 3], size: [3, 0.6, 1], turn: 30}}
  - {{id: 2, label: Obstacle-Fence, at: [7, 3], size: [0.1, 6, 1]}}
  - {{id: 3, label: Rose-Generic, shape: cylinder, at: [7.6, 3], size: [0.4, 0.4, 1]}}
"""


def position(number: int, garden: str = GARDEN.format(more="")) -> TrimmingPosition | str:
    sketch, _ = parse_garden(garden, "g", "g")
    ground = GroundPlan(Occupancy(1.0, 1.0), sketch).snapshot()
    costmap = ground.cells().costmap(0.48, ((1.0, 1.0),))
    return find_position(ground, costmap, (1.0, 1.0), sketch.by_id[number].outline, BODY, PlainSearcher())


def test_it_stands_before_the_nearest_side_of_a_hedge_and_faces_it() -> None:
    found = position(1)
    assert isinstance(found, TrimmingPosition)
    hedge = parse_garden(GARDEN.format(more=""), "g", "g")[0].by_id[1].outline
    front = shapely.Polygon([(found.end.x + x * math.cos(found.end.heading) - y * math.sin(found.end.heading),
                              found.end.y + x * math.sin(found.end.heading) + y * math.cos(found.end.heading))
                             for x, y in rectangle(0.7, 0.5)])  # fmt: skip
    gap = front.distance(shapely.Polygon(hedge))
    assert STANDOFF - 0.06 < gap < STANDOFF + 0.06
    bearing = math.atan2(found.aim[1] - found.end.y, found.aim[0] - found.end.x)
    assert abs(math.remainder(bearing - found.end.heading, math.tau)) < 0.01
    # The side that is nearer to where it comes from.
    assert (found.end.x - 4.0) * -math.sin(math.radians(30)) + (found.end.y - 3.0) * math.cos(math.radians(30)) < 0.0


def test_in_a_bed_it_is_trimmed_from_the_edge_if_the_arm_is_long_enough() -> None:
    bed = "  - {label: Ground-Dirt, corners: [[8, 0], [11, 0], [11, 6], [8, 6]]}"
    rose = "  - {id: 4, label: Rose-Generic, shape: cylinder, at: [%s, 3], size: [0.4, 0.4, 1]}\n"
    near = GARDEN.format(more=bed).replace("[7, 3], size: [0.1, 6, 1]", "[7, 5.9], size: [0.1, 0.1, 1]") + rose % 8.8
    found = position(4, near)
    assert isinstance(found, TrimmingPosition)
    assert STANDOFF + 0.1 < found.gap - BODY.front <= ARM
    assert found.end.x + BODY.front <= 8.06
    assert "more than 1 m away" in str(position(4, near.replace("[8.8, 3]", "[9.3, 3]")))
    assert "no room in front of it" in str(position(4, near.replace("[8.8, 3]", "[9.9, 3]")))


def test_what_is_behind_a_fence_is_refused_with_a_reason() -> None:
    assert "something else is in between" in str(position(3))
