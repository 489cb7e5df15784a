"""Labs as worlds for any robot, and maps as labs."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.errors import MapError
from mobilesim_py.formats.format import load_world
from mobilesim_py.formats.lab import LabFileError, default_lab
from mobilesim_py.formats.lab.world import lab_from_map, world_of
from mobilesim_py.geometry import Pose
from mobilesim_py.services.ciberrato import Choices, Game, load_setup
from mobilesim_py.testing import Stand

MAPS = Path(__file__).parents[3] / "maps"
LAB = """<Lab Name="small" Height="6" Width="8">
  <Beacon X="7" Y="5" Height="3"/> <Target X="7" Y="5" Radius="1"/>
  <Wall Height="2.5"><Corner X="4" Y="0"/><Corner X="4.2" Y="0"/><Corner X="4.2" Y="4"/><Corner X="4" Y="4"/></Wall>
  <Wall Height="0"><Corner X="1" Y="1"/><Corner X="2" Y="1"/><Corner X="2" Y="1.2"/><Corner X="1" Y="1.2"/></Wall>
</Lab>"""


@pytest.fixture
def lab_file(tmp_path: Path) -> Path:
    path = tmp_path / "small_lab.xml"
    path.write_text(LAB)
    (tmp_path / "small_grid.xml").write_text('<Grid><Position X="2" Y="3" Dir="90"/></Grid>')
    return path


def test_one_unit_is_one_metre_and_walls_keep_their_heights(lab_file: Path) -> None:
    world = load_world(lab_file)
    assert (world.bounds.width, world.bounds.height) == (8.0, 6.0)
    (wall,) = world.obstacles
    assert (wall.height, wall.geometry.bounds) == (2.5, (4.0, 0.0, 4.2, 4.0))
    assert len(world.segments) == 4 + 4


def test_a_line_on_the_ground_is_in_nobodys_way(lab_file: Path) -> None:
    world = load_world(lab_file)
    assert sorted(thing.kind for thing in world.objects) == ["Beacon", "Line", "Target"]
    assert world.nearest(1.5, 1.1) is not None
    assert world.fits((((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)),), Pose(1.5, 1.1, 0.0))


def test_the_grid_beside_a_lab_says_where_robots_start(lab_file: Path) -> None:
    (home,) = load_world(lab_file).homes
    assert (home.x, home.y, home.heading) == pytest.approx((2.0, 3.0, 1.5707963))


def test_a_pioneer_drives_in_a_lab_and_stops_at_its_wall(lab_file: Path) -> None:
    stand = Stand("-m", str(lab_file), "-r", "p3dx:a", "--no-noise", "--start", "2,3,0")
    (robot,) = stand.simulation.robots
    robot.drive(0.5)
    for _ in range(200):
        stand.simulation.step()
        robot.drive(0.5)
    assert robot.stalled
    assert 3.5 < robot.pose.x < 4.0


def test_a_wrong_lab_is_told_with_file_line_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_text('<Lab>\n<Target X="a" Y="1"/>\n</Lab>')
    with pytest.raises(MapError, match=r'bad\.xml:2: X="a" of <Target> is not a number; write it like'):
        load_world(path)


def test_the_default_lab_is_a_world() -> None:
    world = world_of(default_lab())
    assert world.has_map
    assert len(world.obstacles) == len([wall for wall in default_lab().walls if wall.height > 0])


def test_a_map_with_a_home_and_a_goal_is_a_lab() -> None:
    lab, grid = lab_from_map(MAPS / "triangle.map")
    game = Game(load_setup(Choices(lab=str(MAPS / "triangle.map"))))
    assert len(grid.places) == len(game.grid.places) >= 1
    assert game.lab.targets == lab.targets != ()
    place = grid.places[0]
    assert 0.0 < place.x < lab.width
    assert game.paths.distance((place.x, place.y), lab.targets[0].x, lab.targets[0].y) < 100.0


def test_a_map_of_a_thousand_points_is_no_lab() -> None:
    with pytest.raises(LabFileError, match="use a map of long lines instead of points"):
        lab_from_map(MAPS / "lab.map")


@pytest.mark.parametrize(
    ("cairns", "said"),
    [
        ('Cairn: Goal 500 500 0 "" ICON "g"\n', "names no start"),
        ('Cairn: RobotHome 500 500 0 "" ICON "h"\n', "names no target"),
    ],
)
def test_a_map_without_a_start_or_a_target_is_no_lab(cairns: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bare.map"
    path.write_text(f"2D-Map\n{cairns}LINES\n0 0 4000 0\n0 0 0 4000\nDATA\n")
    with pytest.raises(LabFileError, match=said):
        lab_from_map(path)
