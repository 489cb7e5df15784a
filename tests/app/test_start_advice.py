"""What the log says of a `--start` that is probably a mistake."""

from __future__ import annotations

import pytest

from mobilesim_py.app.start_advice import advice_on_start
from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.testing import Stand
from mobilesim_py.world.clearance import is_in_wall
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.start import StartRule
from mobilesim_py.world.world import Bounds, World, empty_world

ROOM = World("room", Bounds(0, 0, 10, 8), Segments.build([[0, 0, 10, 0], [10, 0, 10, 8], [10, 8, 0, 8], [0, 8, 0, 0]]))


def advice(start: str | None, catalogue: Catalogue, world: World = ROOM) -> str:
    return advice_on_start(world, StartRule.parse(start), catalogue.find("p3dx").body.footprint)


@pytest.mark.parametrize("start", [None, "2000,3000,90", "random", "outside", "500,500,0"])
def test_nothing_is_said_of_a_good_start(start: str | None, catalogue: Catalogue) -> None:
    assert advice(start, catalogue) == ""


def test_where_there_are_no_walls_any_start_will_do(catalogue: Catalogue) -> None:
    assert advice("2,3,0", catalogue, empty_world()) == ""


@pytest.mark.parametrize(("start", "meant"), [("2,3,90", "2000,3000,90"), ("2.5,0.5,0", "2500,500,0")])
def test_metres_are_told_in_millimetres(start: str, meant: str, catalogue: Catalogue) -> None:
    assert advice(start, catalogue) == f"--start is in millimetres. If these were metres, use --start {meant}."


def test_a_start_outside_the_map_gets_its_bounds_and_a_place_inside(catalogue: Catalogue) -> None:
    text = advice("12000,4000,0", catalogue)
    assert "outside the map, whose x goes from 0 to 10000 and y from 0 to 8000 mm" in text
    assert_is_good(text, catalogue)


def test_a_start_in_a_wall_gets_the_nearest_free_place(catalogue: Catalogue) -> None:
    text = advice("5000,100,45", catalogue)
    assert "in a wall, where the robot cannot move" in text
    assert_is_good(text, catalogue)


def assert_is_good(text: str, catalogue: Catalogue) -> None:
    """Take the place that a text advises, and see that nothing is wrong with it."""
    start = text.rpartition("--start ")[2].rstrip(".")
    assert advice(start, catalogue) == ""
    assert not is_in_wall(ROOM, catalogue.find("p3dx").body.footprint, StartRule.parse(start).pose)


def test_the_log_says_it_and_the_robot_starts_there_all_the_same() -> None:
    stand = Stand("-m", "office.map", "-r", "p3dx", "--start", "0,6000,0")
    assert any("--start is in a wall" in line.text for line in stand.program.log.recent(50))
    assert stand.robots[0].pose.x == 0.0
