"""Stage worlds: walls, robots and boxes in place, and warnings for the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mobilesim_py.catalogue.worldfile import Worldfile
from mobilesim_py.errors import ExitCode, WorldfileError
from mobilesim_py.formats.format import load_world
from mobilesim_py.formats.stage.world import StageWorld, load_stage_world
from mobilesim_py.geometry import Pose
from mobilesim_py.world.obstacles import WALL_HEIGHT, Stops

Load = Callable[[str], StageWorld]

ROOM = """
define room model ( size [4 2 0.5] boundary 0 gui_nose 0 )
define cart position (
  size [0.44 0.38 0.22] origin [-0.04 0 0 0] drive "diff" mass 23
  velocity_bounds [-0.5 0.5 0 0 0 0 -90 90]
  ranger ( sensor ( pose [0.1 0.1 0 90] range [0 5] fov 15 samples 1 ) )
)
"""


@pytest.fixture
def world(tmp_path: Path) -> Load:
    """Load the world of a text; `walls.png` lies beside it: 4 x 2 pixels with a dark left column."""
    picture = Image.new("L", (4, 2), 255)
    for place in ((0, 0), (0, 1), (3, 1)):
        picture.putpixel(place, 0)
    picture.save(tmp_path / "walls.png")

    def load(text: str) -> StageWorld:
        path = tmp_path / "test.world"
        path.write_text(text)
        return load_stage_world(path)

    return load


def box_of(world: StageWorld) -> tuple[float, ...]:
    points = world.obstacles.ends.reshape(-1, 2)
    return (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())


def test_dark_pixels_are_stretched_to_the_size(world: Load) -> None:
    assert box_of(world(ROOM + 'room ( bitmap "walls.png" )')) == (-2, -1, 2, 1)


def test_walls_stand_at_the_pose(world: Load) -> None:
    loaded = world(ROOM + 'room ( bitmap "walls.png" pose [10 20 0 90] )')
    assert box_of(loaded) == pytest.approx((9, 18, 11, 22))


def test_a_wall_may_have_a_boundary(world: Load) -> None:
    without = world(ROOM + 'room ( bitmap "walls.png" )')
    assert len(world(ROOM + 'room ( bitmap "walls.png" boundary 1 )').obstacles) == len(without.obstacles) + 4


def test_polygons_are_walls(world: Load) -> None:
    loaded = world(
        "model ( size [2 2] polygons 1 polygon[0].points 3\n"
        "polygon[0].point[0] [0 0] polygon[0].point[1] [1 0] polygon[0].point[2] [1 1] )"
    )
    assert loaded.obstacles.ends.tolist() == [[-1, -1, 1, -1], [1, -1, 1, 1], [1, 1, -1, -1]]


def test_blocks_are_walls(world: Load) -> None:
    loaded = world("model ( size [2 2 1] block ( points 3 point[0] [0 0] point[1] [1 0] point[2] [1 1] z [0 1] ) )")
    assert len(loaded.obstacles) == 3


def test_a_model_without_a_form_is_a_rectangle(world: Load) -> None:
    assert box_of(world("model ( size [2 1] pose [5 5 0] )")) == (4, 4.5, 6, 5.5)


def test_models_within_models_stand_where_both_put_them(world: Load) -> None:
    loaded = world("model ( pose [10 0 0 90] model ( pose [1 0 0 0] size [0.2 0.2] ) )")
    assert box_of(loaded) == pytest.approx((9.9, 0.9, 10.1, 1.1))


def test_what_a_wall_stops(world: Load) -> None:
    loaded = world("model ( ranger_return -1 ) model ( laser_return 0 ) model ( laser_return 5 )")
    assert loaded.obstacles.stops[::4].tolist() == [Stops.ROBOTS, Stops.ROBOTS | Stops.SONAR, Stops.ALL]
    assert loaded.obstacles.reflectance[8] == 5


def test_a_stage_world_is_a_world_with_a_map(world: Load) -> None:
    loaded = world(ROOM + 'room ( bitmap "walls.png" ) box ( name "crate" size [1 1] pose [3 3 0 0] gui_move 1 )').world
    assert loaded.has_map
    assert (loaded.bounds.min_x, loaded.bounds.max_y) == (-2.0, 1.0)
    assert loaded.path.endswith("test.world")
    assert not loaded.fits([((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1))], Pose(-2.0, 0.0))


def test_walls_are_as_high_as_their_size_says(world: Load) -> None:
    loaded = world("model ( size [2 1 0.7] ) model ( size [2 1] )")
    assert loaded.obstacles.height[::4].tolist() == pytest.approx([0.7, WALL_HEIGHT])


def test_a_stage_world_is_loaded_by_its_ending(world: Load, tmp_path: Path) -> None:
    world("wheelie ( ) model ( size [2 1] )")
    loaded = load_world(tmp_path / "test.world")
    assert (loaded.name, len(loaded.segments)) == ("test", 4)
    assert [problem.text for problem in loaded.problems] == ["'wheelie' (wheelie) is not supported and is left out"]


def test_a_wall_that_stops_no_robot_is_named(world: Load) -> None:
    loaded = world("\nmodel ( obstacle_return 0 )")
    assert loaded.obstacles.stops.tolist() == [Stops.SONAR | Stops.LASER] * 4
    assert loaded.warnings[0].endswith("test.world:2: 'model' has obstacle_return 0: robots drive through it")


def test_robots_have_names_models_and_poses(world: Load) -> None:
    loaded = world(ROOM + 'cart ( name "r0" pose [1 2 0 90] )')
    (robot,) = loaded.robots
    assert (robot.name, robot.model.name, robot.model.drive.max_speed.forward) == ("r0", "cart", 0.5)
    assert (robot.pose.x, robot.pose.y, robot.pose.heading) == (1, 2, pytest.approx(math.pi / 2))
    assert len(robot.model.sonar.transducers) == 1
    assert loaded.warnings == ()


def test_robots_without_names_get_different_ones(world: Load) -> None:
    assert [robot.name for robot in world(ROOM + "cart ( ) cart ( )").robots] == ["cart", "cart_002"]


def test_equal_robots_share_their_model(world: Load) -> None:
    first, second = world(ROOM + "cart ( ) cart ( pose [1 1 0 0] )").robots
    assert first.model is second.model


def test_a_robot_may_be_changed_where_it_is_placed(world: Load) -> None:
    first, second = world(ROOM + 'cart ( ) cart ( color "blue" laser ( ) )').robots
    assert (first.model.lasers, len(second.model.lasers), second.model.body.colour) == ((), 1, "blue")


def test_a_world_may_include_our_models(world: Load) -> None:
    loaded = world('include "PioneerRobotModels.world.inc"\np3dx ( name "a" pose [1 2 90] ) box ( pose [3 4 0] )')
    assert loaded.robots[0].model.pioneer.subclass == "p3dx"
    assert [(box.model.name, box.pose.x) for box in loaded.boxes] == [("box", 3)]
    assert len(loaded.obstacles) == 0


def test_what_can_be_moved_is_a_box(world: Load) -> None:
    loaded = world('model ( name "crate" gui_move 1 size [0.5 0.5 1] )')
    assert [box.name for box in loaded.boxes] == ["crate"]
    assert loaded.boxes[0].model.is_box


def test_settings_of_window_clock_and_grid_are_tolerated(world: Load) -> None:
    loaded = world('name "w" resolution 0.02 interval_sim 100 speedup 2 quit_time 10 window ( size [1 2] scale 3 )')
    assert (loaded.name, loaded.warnings) == ("w", ())


def test_unknown_properties_are_named_with_their_place(world: Load) -> None:
    loaded = world(ROOM + 'strange 1\ncart (\n  ctrl "wander"\n)')
    messages = [warning.partition("test.world:")[2] for warning in loaded.warnings]
    assert messages == ["8: unknown setting 'strange' is ignored", "10: unknown property 'ctrl' of 'cart' is ignored"]


def test_unknown_things_are_named_with_their_place(world: Load) -> None:
    loaded = world(ROOM + "puck ( )\ncart ( blobfinder ( ) )")
    assert "test.world:8: 'puck' (puck) is not supported and is left out" in loaded.warnings[0]
    assert "test.world:9: 'blobfinder' (blobfinder) on a robot is not supported" in loaded.warnings[1]


def test_units_hold_for_the_world(world: Load) -> None:
    assert box_of(world('unit_length "cm"\nmodel ( size [200 100] )')) == (-1, -0.5, 1, 0.5)


def test_a_missing_picture_is_named_with_its_place(world: Load) -> None:
    with pytest.raises(WorldfileError, match=r"test.world:2: bitmap: there is no picture 'no.png'") as caught:
        world('\nmodel ( bitmap "no.png" )')
    assert caught.value.exit_code == ExitCode.WORLDFILE


def test_a_world_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WorldfileError, match="cannot be read"):
        load_stage_world(tmp_path / "no.world")


PARTS = st.sampled_from(
    (
        *("model", "position", "laser", "ranger", "sensor", "block", "window", "(", ")", "pose [1 2 3]", "size [1 1]"),
        *("points 1", "point[0] [0 0]", "scount 1", "spose[0] [1 1 1]", "size [0 0]", "boundary 1", "gui_move 1"),
    )
)


@given(st.lists(PARTS, max_size=30).map(" ".join))
def test_any_world_is_loaded_or_an_error(text: str) -> None:
    from mobilesim_py.formats.stage.world import _Reader

    worldfile = Worldfile()
    mistake: WorldfileError | None = None
    loaded: StageWorld | None = None
    try:
        worldfile.load_text(text, "any.world")
        loaded = _Reader(worldfile, Path("any.world")).read()
    except WorldfileError as error:
        mistake = error
    assert mistake is not None or (loaded is not None and bool(np.isfinite(loaded.obstacles.ends).all()))
