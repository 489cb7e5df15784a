"""The services of simulation_interfaces do what their names say."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from mobilesim_py.services.ros.simulation_services import (
    FAILED,
    INCORRECT_STATE,
    NOT_FOUND,
    OK,
    PAUSED,
    PLAYING,
    UNSUPPORTED,
)
from tests.services.ros.carrying import stand_with_ros


def code(answer: dict[str, dict[str, int]]) -> int:
    return answer["result"]["result"]


def test_entities_come_are_moved_and_go() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx:anna")
    assert shelf.call("/get_entities")["entities"] == ["anna"]
    added = shelf.call(
        "/spawn_entity",
        name="box1",
        entity_resource={"uri": "box"},
        initial_pose={"pose": {"position": {"x": 3.0, "y": 1.0}, "orientation": {"w": 1.0}}},
    )
    assert (code(added), added["entity_name"]) == (OK, "box1")
    state = {"pose": {"position": {"x": 5.0}, "orientation": {"w": 1.0}}}
    assert code(shelf.call("/set_entity_state", entity="anna", state=state, set_pose=True)) == OK
    found = shelf.call("/get_entities_states")
    places = {name: one["pose"]["position"]["x"] for name, one in zip(found["entities"], found["states"], strict=True)}
    assert places == {"anna": 5.0, "box1": 3.0}
    assert shelf.call("/get_entities", filters={"categories": [{"category": 1}]})["entities"] == ["anna"]
    assert shelf.call("/get_entity_info", entity="box1")["info"]["description"] == "box"
    assert len(shelf.call("/get_entity_bounds", entity="anna")["bounds"]["points"]) >= 4
    assert code(shelf.call("/delete_entity", entity="box1")) == OK
    assert [thing.name for thing in stand.simulation.things] == ["anna"]


@pytest.mark.parametrize(
    "service", ["get_entity_state", "get_entity_info", "get_entity_bounds", "set_entity_state", "delete_entity"]
)
def test_who_is_not_there_is_not_found(service: str) -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    assert code(shelf.call(f"/{service}", entity="nobody")) == NOT_FOUND


def test_what_cannot_be_added_is_refused_with_a_reason() -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx:anna")
    for uri, name, expected in (("", "", 104), ("/etc/passwd", "", 104), ("nonsense", "", FAILED), ("p3dx", "anna", 101)):
        answer = shelf.call("/spawn_entity", name=name, entity_resource={"uri": uri})
        assert code(answer) == expected
        assert answer["result"]["error_message"]
    several = shelf.call("/spawn_entities", spawn_requests=[{"entity_resource": {"uri": "p3dx"}}, {}])
    assert code(several) == 150
    assert [code(one) for one in several["results"]] == [OK, 104]


def test_time_is_paused_stepped_and_let_go_but_nobody_ends_the_simulator() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    clock = stand.program.clock
    assert code(shelf.call("/step_simulation", steps=3)) == INCORRECT_STATE
    assert code(shelf.call("/set_simulation_state", state={"state": PAUSED})) == OK
    assert shelf.call("/get_simulation_state")["state"]["state"] == PAUSED
    assert code(shelf.call("/step_simulation", steps=3)) == OK
    assert clock.steps_wanted == 3
    assert code(shelf.call("/step_simulation", steps=0)) == FAILED
    assert code(shelf.call("/set_simulation_state", state={"state": 3})) == UNSUPPORTED
    assert stand.program.exit_code is None
    assert code(shelf.call("/set_simulation_state", state={"state": PLAYING})) == OK
    assert code(shelf.call("/set_simulation_state", state={"state": PLAYING})) == 101


def test_a_world_is_loaded_and_left() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    shelf.subscribe("/map")
    stand.step()
    assert code(shelf.call("/load_world", world_resource={"uri": "office.map"})) == OK
    stand.step()
    assert stand.simulation.world.has_map
    assert len(shelf.messages("/map")) == 2
    assert shelf.messages("/map")[1]["data"].any()
    assert code(shelf.call("/get_current_world")) == OK
    assert code(shelf.call("/load_world", world_resource={"uri": "nowhere.map"})) == FAILED
    assert code(shelf.call("/unload_world")) == OK
    assert not stand.simulation.world.has_map


def test_features_models_and_homes_are_told() -> None:
    _, shelf, _ = stand_with_ros("-r", "p3dx", "office.map")
    assert 10 in shelf.call("/get_simulator_features")["features"]["features"]
    models = [row["entity_resource"]["uri"] for row in shelf.call("/get_spawnables")["spawnables"]]
    assert {"p3dx", "box"} <= set(models)
    assert shelf.call("/get_named_poses")["poses"]
    for service in ("set_entity_info", "get_named_pose_bounds"):
        assert code(shelf.call(f"/{service}")) == UNSUPPORTED


def test_a_reset_puts_all_robots_back() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    (robot,) = stand.robots
    robot.drive(0.5)
    stand.run(2.0)
    assert code(shelf.call("/reset_simulation")) == OK
    assert (robot.pose.x, robot.odometry.x, robot.velocity[0]) == (robot.start.x, 0.0, 0.0)
    assert code(shelf.call("/reset_simulation", scope=1)) == UNSUPPORTED


def test_a_reset_removes_what_was_spawned() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    shelf.call("/spawn_entity", name="guest", entity_resource={"uri": "p3dx"})
    assert [robot.name for robot in stand.robots] == ["p3dx", "guest"]
    assert code(shelf.call("/reset_simulation", scope=2)) == OK
    assert len(stand.robots) == 2
    assert code(shelf.call("/reset_simulation", scope=4)) == OK
    assert [robot.name for robot in stand.robots] == ["p3dx"]


def test_the_maps_that_can_be_loaded_are_named() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    worlds = shelf.call("/get_available_worlds")["worlds"]
    resource = next(world["world_resource"] for world in worlds if world["name"] == "office.map")
    assert code(shelf.call("/load_world", world_resource=resource)) == OK
    assert stand.simulation.world.has_map


def test_maps_are_loaded_from_the_folders_of_clients_only(tmp_path: Path) -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", "--map-dir", str(tmp_path))
    told = shelf.call("/load_world", world_resource={"uri": "office.map"})
    assert code(told) == FAILED
    assert "--map-dir" in told["result"]["error_message"]


def test_nothing_is_put_where_there_is_no_place() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx:a")
    box = shelf.call("/spawn_entity", entity_resource={"uri": "box"})["entity_name"]
    for x in (math.nan, math.inf, 1e300):
        nowhere = {"pose": {"position": {"x": x}}}
        for name in ("a", box):
            assert code(shelf.call("/set_entity_state", entity=name, set_pose=True, state=nowhere)) == 101
        spawned = shelf.call("/spawn_entity", entity_resource={"uri": "box"}, initial_pose=nowhere)
        assert code(spawned) == 109
    assert all(math.isfinite(thing.pose.x) for thing in stand.simulation.things)
    assert len(stand.simulation.things) == 2
