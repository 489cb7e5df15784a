"""Garden robots in a program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.services.panelled import OrderError
from tests.services.garden.conftest import GardenStand

Make = Callable[..., GardenStand]


def test_the_robot_starts_where_the_sketch_has_it(stand: GardenStand) -> None:
    pose = stand.vehicle.robot.pose
    assert (pose.x, pose.y) == (2.0, 2.0)


def test_two_robots_have_goals_of_their_own_and_keep_apart(make_stand: Make) -> None:
    stand = make_stand("-r", "trimbot:second")
    first, second = stand.service.vehicles
    stand.order("go", robot=first.serial, x=5.0, y=5.0)
    stand.order("go", robot=second.serial, x=2.0, y=5.0)
    vehicles = list(stand.service.vehicles.values())
    for _ in range(1200):
        stand.step()
        assert first.contact is None
        assert second.contact is None
        if all(vehicle.gardener.endings for vehicle in vehicles):
            break
    assert [vehicle.gardener.ended[-1].outcome for vehicle in vehicles] == ["reached", "reached"]


def test_nobody_else_drives_it_while_it_has_a_goal(stand: GardenStand) -> None:
    assert stand.service.held() == []
    stand.order("go", x=5.0, y=5.0)
    stand.until(lambda: stand.gardener.is_busy)
    assert stand.service.held() == [stand.vehicle.robot]
    assert stand.service.is_busy()


def test_another_world_is_begun_anew(stand: GardenStand) -> None:
    stand.order("trim", objects=[7])
    stand.until_ended()
    assert stand.gardener.trimmed == {7}
    stand.order("go", x=5.0, y=5.0)
    stand.program.worlds.load("garden.xml", by_user=True)
    stand.step()
    assert stand.gardener.trimmed == set()
    assert not stand.gardener.is_busy
    assert stand.vehicle.plan.sketch is stand.simulation.world.sketch
    assert stand.vehicle.plan.sketch is not None
    assert stand.vehicle.plan.sketch.name == "garden"


def test_a_map_that_is_no_garden_serves_without_a_sketch(make_stand: Make) -> None:
    stand = make_stand(garden="office.map")
    assert stand.logged("The map is no garden") == 1
    pose = stand.vehicle.robot.pose
    stand.order("go", x=pose.x + 1.0, y=pose.y)
    stand.until_ended()
    assert stand.gardener.ended[-1].outcome == "reached"


def test_a_robot_that_leaves_is_forgotten(stand: GardenStand) -> None:
    stand.order("go", x=5.0, y=5.0)
    stand.run(2.0)
    stand.program.remove(stand.vehicle.robot)
    stand.run(1.0)
    assert stand.service.vehicles == {}
    with pytest.raises(OrderError, match="no garden robot"):
        stand.order("go", x=5.0, y=5.0)


def test_in_lockstep_the_same_orders_give_the_same_way(make_stand: Make) -> None:
    poses = []
    for _ in range(2):
        stand = make_stand("--lockstep", "--slam-noise", "0.02,1")
        stand.order("go", x=6.0, y=6.0)
        stand.run(8.0)
        poses.append((stand.vehicle.robot.pose, stand.vehicle.pose))
    assert poses[0] == poses[1]


def test_when_the_program_ends_it_comes_to_rest(stand: GardenStand) -> None:
    stand.order("go", x=12.0, y=5.0)
    stand.until(lambda: stand.speed > 0.3)
    stand.service.close()
    stand.simulation.step(5)
    assert stand.speed < 0.002
