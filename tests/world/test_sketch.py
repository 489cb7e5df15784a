"""Sketches of gardens: labels by name, outlines, what is in the way."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.geometry import Pose
from mobilesim_py.world.sketch import Sketch, SketchFace, SketchObject, SketchShape, is_drivable, kind_of

CORNERS = ((0.0, 0.0, -1.5), (8.0, 0.0, -1.5), (8.0, 6.0, -1.5), (0.0, 6.0, -1.5))
TREE = SketchObject(1, "Obstacle-Tree", SketchShape.ELLIPSOID, 4.0, 3.0, -0.2, (3.0, 3.0, 3.0))
TRUNK = SketchObject(2, "Obstacle-Trunk", SketchShape.CUBOID, 4.0, 3.0, -1.4, (0.2, 0.4, 1.5), math.pi / 2.0)
ROBOT = SketchObject(3, "Robot-Vehicle", SketchShape.CUBOID, 1.0, 1.0, -1.5, (0.7, 0.5, 0.3), 1.0)
GARDEN = Sketch("garden", CORNERS, (SketchFace("Ground-Grass", (0, 1, 2, 3)),), (TREE, TRUNK, ROBOT))


@pytest.mark.parametrize(
    ("label", "kind", "carries"),
    [
        ("Ground-Grass", "ground", True),
        ("Ground-Pavement", "ground", True),
        ("Grass", "ground", True),
        ("Ground-Dirt", "ground", False),
        ("Dirt", "ground", False),
        ("Boxwood", "hedge", False),
        ("RoseStem", "rose", False),
        ("Topiary-Cone", "topiary", False),
        ("Unknown", "unknown", False),
    ],
)
def test_labels_are_told_by_name_in_old_files_and_new_ones(label: str, kind: str, carries: bool) -> None:
    assert (kind_of(label), is_drivable(label)) == (kind, carries)


def test_a_crown_above_the_vehicle_is_not_in_the_way_and_neither_is_a_robot() -> None:
    assert [thing.label for thing in GARDEN.objects if GARDEN.is_in_the_way(thing)] == ["Obstacle-Trunk"]


def test_a_turned_cuboid_covers_what_its_turned_sides_cover() -> None:
    xs, ys = zip(*TRUNK.outline, strict=True)
    assert (max(xs) - min(xs), max(ys) - min(ys)) == pytest.approx((0.4, 0.2))


def test_the_vehicle_in_the_sketch_is_where_it_starts() -> None:
    assert GARDEN.start == Pose(1.0, 1.0, 1.0)


def test_a_moved_sketch_is_turned_about_the_origin_and_then_shifted() -> None:
    moved = GARDEN.moved(Pose(10.0, 0.0, math.pi / 2.0))
    assert moved.vertices[1] == pytest.approx((10.0, 8.0, -1.5))
    assert (moved.objects[2].x, moved.objects[2].y) == pytest.approx((9.0, 1.0))
    assert moved.objects[2].turn == pytest.approx(1.0 + math.pi / 2.0)
