"""Orders at the panel: goals, tuning, drawing; and what is refused with a sentence."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.resources import maps_dir
from mobilesim_py.services.panelled import OrderError
from mobilesim_py.world.sketch import Sketch, SketchShape
from tests.services.garden.conftest import GardenStand


def sketch_of(stand: GardenStand) -> Sketch:
    assert stand.service.board.sketch is not None
    return stand.service.board.sketch


def test_an_object_is_added_changed_and_removed_and_the_vehicle_drives_by_it(stand: GardenStand) -> None:
    stand.order("object", label="Topiary-Cone", shape="cone", x=6.0, y=5.0, length=1.0, width=1.0, height=2.0)
    drawn = sketch_of(stand).objects[-1]
    assert (drawn.id, drawn.shape, drawn.size) == (13, SketchShape.CONE, (1.0, 1.0, 2.0))
    assert stand.vehicle.plan.sketch is sketch_of(stand)
    stand.order("object", id=13, x=7.0, turn=90.0)
    changed = sketch_of(stand).by_id[13]
    assert (changed.x, changed.y, changed.label, changed.turn) == (7.0, 5.0, "Topiary-Cone", pytest.approx(math.pi / 2))
    stand.order("remove-object", id=13)
    assert 13 not in sketch_of(stand).by_id


def test_terrain_is_drawn_labelled_moved_and_removed(stand: GardenStand) -> None:
    before = sketch_of(stand)
    stand.order("face", label="Ground-Pavement", corners=[[14, 0], [16, 0], [14, 4.4]])
    drawn = sketch_of(stand)
    assert drawn.outline_of(drawn.faces[-1]) == ((14.0, 0.0), (16.0, 0.0), (14.0, 4.4))
    assert len(drawn.vertices) == len(before.vertices) + 1
    stand.order("face", face=len(drawn.faces) - 1, label="Ground-Swamp")
    assert sketch_of(stand).faces[-1].label == "Ground-Swamp"
    assert "Ground-Swamp" in sketch_of(stand).labels
    stand.order("vertex", vertex=len(drawn.vertices) - 1, x=17.0, y=1.0)
    assert sketch_of(stand).vertices[-1] == (17.0, 1.0, 0.0)
    stand.order("remove-face", face=len(drawn.faces) - 1)
    assert len(sketch_of(stand).faces) == len(before.faces)


def test_what_was_drawn_is_undone_step_by_step_and_reset_at_once(stand: GardenStand) -> None:
    first = sketch_of(stand)
    stand.order("remove-object", id=7)
    stand.order("remove-object", id=8)
    stand.order("undo")
    assert 8 in sketch_of(stand).by_id
    assert 7 not in sketch_of(stand).by_id
    stand.order("reset")
    assert sketch_of(stand) is first
    stand.order("undo")
    stand.order("undo")
    assert sketch_of(stand) is first
    with pytest.raises(OrderError, match="nothing to undo"):
        stand.order("undo")


def test_another_sketch_is_loaded_as_text_and_a_damaged_one_refused(stand: GardenStand) -> None:
    stand.order("load", text=(maps_dir() / "garden.xml").read_text())
    assert len(sketch_of(stand).objects) == 28
    with pytest.raises(OrderError, match="the sketch:2"):
        stand.order("load", text="terrain:\n  - 5\n")
    assert len(sketch_of(stand).objects) == 28


def test_a_displaced_sketch_is_registered_by_what_was_seen(stand: GardenStand) -> None:
    for goal in ((6.5, 4.0), (9.5, 4.0), (12.0, 5.0)):
        stand.order("go", x=goal[0], y=goal[1])
        stand.until_ended()
    there = sketch_of(stand).by_id[8]
    stand.order("shift", x=1.0, y=0.5, turn=20.0)
    assert math.hypot(sketch_of(stand).by_id[8].x - there.x, sketch_of(stand).by_id[8].y - there.y) > 0.5
    stand.order("register")
    back = sketch_of(stand).by_id[8]
    assert math.hypot(back.x - there.x, back.y - there.y) < 0.15
    assert stand.logged("The sketch is registered: turned by -") == 1
    registration = stand.service.facts()["registration"]
    assert registration["residual"] < 0.15


def test_a_registration_that_fails_is_told_in_the_log(stand: GardenStand) -> None:
    stand.service.board.draw(Sketch("empty"))
    stand.order("register")
    assert stand.logged("The sketch is not registered: There are only 0 objects in the sketch") == 1


def test_a_drawn_garden_becomes_the_world(stand: GardenStand) -> None:
    stand.order("object", label="Obstacle-Wall", x=7.0, y=5.0, length=0.2, width=3.0, height=1.0)
    stand.order("build")
    stand.step()
    assert any(obstacle.name == "Obstacle-Wall 13" for obstacle in stand.simulation.world.obstacles)


def test_faults_are_tuned_while_it_runs(stand: GardenStand) -> None:
    stand.order("tune", noise=0.05, delay=0.2, slip_left=0.1, trim_time=2.0)
    setup = stand.vehicle.setup
    assert (setup.quality.noise, setup.quality.delay, setup.slip, setup.manner.trim_time) == (0.05, 0.2, (0.1, 0.0), 2.0)
    assert stand.vehicle.odometry.encoders.slip == (0.1, 0.0)


@pytest.mark.parametrize(
    ("name", "wish", "words"),
    [
        ("dance", {}, "There is no order 'dance'"),
        ("go", {"x": 1.0}, "y must be a number"),
        ("go", {"x": "1", "y": 2}, "x must be a number"),
        ("go", {"x": float("nan"), "y": 2}, "x must be a number"),
        ("go", {"x": 1, "y": 2, "robot": 99}, "no garden robot 99"),
        ("trim", {"objects": []}, "a list of 1 to"),
        ("trim", {"objects": "7"}, "a list of 1 to"),
        ("trim", {"objects": [99]}, "no object 99"),
        ("trim", {"objects": [[7]]}, "no object"),
        ("cancel", {}, "no goal to cancel"),
        ("object", {"label": "Rose", "x": 1e9, "y": 0}, "x must be a number"),
        ("object", {"label": "", "x": 0, "y": 0}, "label must be a word"),
        ("object", {"id": 99, "x": 0}, "no object 99"),
        ("object", {"label": "Rose", "shape": "ball", "x": 0, "y": 0}, "shape must be one of"),
        ("remove-object", {"id": 99}, "no object 99"),
        ("face", {"label": "Ground-Grass", "corners": [[0, 0], [1, 1]]}, "3 to 200 places"),
        ("face", {"label": "Ground-Grass", "corners": [[0, 0], [1, 1], [2]]}, "must be a place"),
        ("face", {"label": "Ground-Grass", "face": 99}, "no face 99"),
        ("remove-face", {"face": -1}, "no face -1"),
        ("vertex", {"vertex": 999, "x": 0, "y": 0}, "no vertex 999"),
        ("load", {"text": 5}, "text must be"),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(stand: GardenStand, name: str, wish: dict[str, object], words: str) -> None:
    with pytest.raises(OrderError, match=words):
        stand.order(name, **wish)
