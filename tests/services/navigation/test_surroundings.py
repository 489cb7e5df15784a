"""What is around a robot: walls that stay, boxes, others that stand and others that pass."""

from __future__ import annotations

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.formats.format import load_world
from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.resources import maps_dir
from mobilesim_py.services.navigation.surroundings import NEAR, Surroundings
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Stops
from mobilesim_py.world.world import empty_world


class Place:
    def __init__(self) -> None:
        self.simulation = Simulation(empty_world(), seed=1)
        self.on_their_way: set[Robot] = set()
        self.around = Surroundings(self.simulation, lambda robot: robot in self.on_their_way)
        self.me = self.add("me", 0.0)

    def add(self, name: str, x: float) -> Robot:
        return self.simulation.add_robot(Catalogue.load().find("p3dx"), name, Pose(x, 0.0))


def test_boxes_and_robots_that_stand_stay_and_robots_that_move_pass() -> None:
    place = Place()
    you = place.add("you", 1.0)
    place.simulation.add_box(Box("crate", Pose(2, 0), rectangle(0.4, 0.4)))
    place.simulation.add_box(Box("mirage", Pose(2, 2), rectangle(0.4, 0.4), stops=Stops.LASER))
    scenery = place.around.ground(place.me)
    assert (len(scenery.things), len(scenery.passing)) == (2, 0)
    you.drive(0.3)
    place.simulation.step()
    scenery = place.around.ground(place.me)
    assert (len(scenery.things), len(scenery.passing)) == (1, 1)
    you.halt()
    you.place(1.0, 0.0, 0.0)
    names = [[other.thing.name for other in place.around.near(place.me, reach)] for reach in (3.0, 1.0, 0.2)]
    assert names == [["you", "crate"], ["you"], []]
    (you,) = place.around.near(place.me, 1.0)
    assert [len(edges) for edges in you.edges] == [8]


def test_a_robot_on_its_way_far_off_is_not_planned_around() -> None:
    place = Place()
    far, near = place.add("far", NEAR + 0.5), place.add("near", NEAR - 0.5)
    assert len(place.around.ground(place.me).things) == 2
    place.on_their_way |= {far, near}
    assert len(place.around.ground(place.me).passing) == 1


def test_ghosts_are_not_there() -> None:
    place = Place()
    place.add("you", 1.0).ghost = True
    assert not place.around.ground(place.me).passing
    assert place.around.near(place.me, 9.0) == []


def test_what_moves_is_seen_where_it_is() -> None:
    place = Place()
    you = place.add("you", 1.0)
    assert place.around.near(place.me, 1.0)[0].pose.x == 1.0
    assert place.around.near(place.me, 1.0)[0] is place.around.near(place.me, 1.0)[0]
    you.place(0.8, 0.0, 0.0)
    assert place.around.near(place.me, 1.0)[0].pose.x == 0.8
    you.ghost = True
    assert place.around.near(place.me, 1.0) == []
    place.simulation.remove(you)
    place.add("other", 0.5)
    assert [other.thing.name for other in place.around.near(place.me, 1.0)] == ["other"]


def test_walls_are_remembered_until_they_change() -> None:
    world = load_world(maps_dir() / "leeks.field")
    simulation = Simulation(world, seed=1)
    around = Surroundings(simulation, lambda robot: False)
    walls = around.walls()
    assert around.walls() is walls
    simulation.replace_world(empty_world())
    assert around.walls() is not walls
    assert not len(around.walls().segments)


def test_who_drives_is_expected_to_go_on() -> None:
    place = Place()
    you = place.add("you", 1.0)
    (seen,) = place.around.near(place.me, 1.0)
    assert not seen.moves
    assert seen.middle_after(2.0) == (1.0, 0.0)
    you.drive(0.4)
    for _ in range(30):
        place.simulation.step()
    place.simulation.add_box(Box("crate", Pose(0.5, 0.5), rectangle(0.2, 0.2)))
    seen, crate = place.around.near(place.me, 2.0)
    assert seen.moves
    assert seen.middle_after(1.0)[0] == you.pose.x + you.velocity[0]
    assert not crate.moves
    assert crate.middle_after(1.0) == (0.5, 0.5)
