"""Gardens as worlds, and from one form to the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.catalogue.model import StereoCameraModel
from mobilesim_py.core.cameras.facets import NO_SOLIDS, facets_of
from mobilesim_py.core.cameras.optics import eyes_of
from mobilesim_py.errors import MapError
from mobilesim_py.formats.format import load_world
from mobilesim_py.formats.garden.world import DRIVABLE_VALUE, parse_sketch, read_sketch, save_sketch, scaled, world_of
from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.resources import maps_dir

GARDENS = ("lawn.garden", "garden.xml", "hedges.garden")


@pytest.mark.parametrize("name", GARDENS)
def test_a_shipped_garden_is_a_world_in_which_the_vehicle_has_room(name: str) -> None:
    world = load_world(maps_dir() / name)
    assert world.problems == ()
    assert world.sketch is not None
    (home,) = world.homes
    assert world.fits([rectangle(0.7, 0.5)], home, clearance=0.1)
    assert world.value_at(DRIVABLE_VALUE, home.x, home.y) == 1.0


def test_objects_are_obstacles_with_heights_and_the_ground_is_areas_with_labels() -> None:
    world = load_world(maps_dir() / "lawn.garden")
    heights = {obstacle.name: obstacle.height for obstacle in world.obstacles}
    assert heights["Topiary-Cone 9"] == 1.8
    assert not any("Robot" in name for name in heights)
    assert {area.kind for area in world.areas} == {"Ground-Grass", "Ground-Pavement", "Ground-Dirt"}
    assert world.value_at(DRIVABLE_VALUE, 11.0, 8.0) == 0.0  # in the bed
    assert [feature.name for feature in world.at(5.0, 2.2) if feature.kind == "Topiary-Ellipsoid"]


@pytest.mark.parametrize("name", GARDENS)
def test_a_garden_comes_back_from_the_other_form(name: str, tmp_path: Path) -> None:
    sketch, _ = read_sketch(maps_dir() / name)
    other = tmp_path / ("there.garden" if name.endswith(".xml") else "there.xml")
    save_sketch(sketch, other)
    there, problems = read_sketch(other)
    back = tmp_path / name
    save_sketch(there, back)
    assert problems == ()
    again, _ = read_sketch(back)
    assert (again.vertices, again.faces, again.objects) == (sketch.vertices, sketch.faces, sketch.objects)


def test_a_sketch_in_another_unit_is_told_and_can_be_scaled(tmp_path: Path) -> None:
    sketch, _ = read_sketch(maps_dir() / "lawn.garden")
    small = tmp_path / "small.xml"
    save_sketch(scaled(sketch, 0.1), small)
    _, problems = read_sketch(small)
    assert any("another unit than metres" in problem.text for problem in problems)
    large, problems = read_sketch(small, 10.0)
    assert problems == ()
    assert world_of(large).bounds.width == pytest.approx(14.0)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="cannot read the garden"):
        read_sketch(tmp_path / "none.garden")
    with pytest.raises(MapError, match="no text"):
        parse_sketch(b"\xff\xfe\x00a", "odd.garden", "odd")
    with pytest.raises(MapError, match="at most 4 MB"):
        parse_sketch(b" " * (5 * 2**20), "large.garden", "large")


def test_cameras_see_things_in_the_colours_of_their_labels() -> None:
    world = load_world(maps_dir() / "lawn.garden")
    eye, _ = eyes_of(StereoCameraModel(), Pose(9.8, 5.0, 1.57))
    seen = set(facets_of(world, eye, 4.0, NO_SOLIDS).colour.tolist())
    assert seen == {0xFF5C3CC8, 0xFF706860}  # a rose, and the fence behind it


def test_a_vehicle_that_was_drawn_into_a_fence_starts_beside_it() -> None:
    text = (maps_dir() / "lawn.garden").read_text().replace("at: [2, 2]", "at: [2, 0.3]")
    sketch, problems = parse_sketch(text.encode(), "lawn.garden", "lawn")
    world = world_of(sketch, "lawn.garden", problems)
    (home,) = world.homes
    assert world.fits([rectangle(1.1, 1.1)], home)
    assert abs(home.x - 2.0) < 0.5
    assert [str(problem) for problem in world.problems] == [
        f"the vehicle stands in an obstacle at (2.00, 0.30) m; it starts at ({home.x:g}, {home.y:g})"
    ]


def test_without_a_vehicle_the_start_is_near_the_middle() -> None:
    text = (maps_dir() / "lawn.garden").read_text().replace("Robot-Vehicle", "Robot-Arm")
    sketch, _ = parse_sketch(text.encode(), "lawn.garden", "lawn")
    (home,) = world_of(sketch).homes
    assert (home.x, home.y) == (7.0, 5.0)
