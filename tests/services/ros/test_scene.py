"""Bodies to look at: walls, boxes and robots as triangles, made anew when something changes."""

from __future__ import annotations

import pytest

from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.services.ros import scene
from mobilesim_py.services.ros.scene import prism
from mobilesim_py.world.boxes import Box
from tests.services.ros.carrying import stand_with_ros


def test_a_body_has_sides_and_a_top() -> None:
    points = prism(rectangle(2.0, 1.0), 0.5)
    assert len(points) == 3 * (2 * 4 + 2)
    assert {point["z"] for point in points} == {0.0, 0.5}
    assert max(point["x"] for point in points) == 1.0


def test_walls_boxes_and_robots_are_there_each_in_its_frame() -> None:
    stand, shelf, _ = stand_with_ros("-m", "triangle.map", "-r", "p3dx:one", "-r", "p3at:two")
    stand.simulation.add_box(Box("crate", Pose(2, 0), rectangle(0.4, 0.4)))
    shelf.subscribe("/scene")
    stand.step()
    (message,) = shelf.messages("/scene")
    first, *markers = message["markers"]
    assert first["action"] == 3
    kinds = [(marker["ns"], marker["header"]["frame_id"]) for marker in markers]
    assert kinds == [("walls", "map"), ("boxes", "map"), ("robots", "one/base_link"), ("robots", "two/base_link")]
    assert all(len(marker["points"]) % 3 == 0 and marker["points"] for marker in markers)


def test_it_is_told_again_when_a_box_is_moved_and_not_else() -> None:
    stand, shelf, _ = stand_with_ros("--nomap")
    box = stand.simulation.add_box(Box("crate", Pose(2, 0), rectangle(0.4, 0.4)))
    shelf.subscribe("/scene")
    stand.run(1.0)
    assert len(shelf.messages("/scene")) == 1
    box.place(3.0, 0.0, 0.0)
    stand.run(1.0)
    assert len(shelf.messages("/scene")) == 2


def test_walls_of_a_map_that_has_too_many_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene, "MOST_WALLS", 2)
    stand, shelf, _ = stand_with_ros("-m", "triangle.map")
    shelf.subscribe("/scene")
    stand.step()
    assert "walls" not in [marker["ns"] for marker in shelf.messages("/scene")[0]["markers"]]
