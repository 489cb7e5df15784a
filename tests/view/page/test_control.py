"""What viewers may do, and what they are refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mobilesim_py.app.program import Program
from mobilesim_py.testing import Stand
from mobilesim_py.view.page import control as control_module
from mobilesim_py.view.page.control import Control, RefusedError
from tests.view.conftest import run, until


@pytest.fixture
def changes() -> list[int]:
    return []


@pytest.fixture
def control(program: Program, changes: list[int]) -> Control:
    return Control(program, lambda: changes.append(1))


def refused(action: Any, *arguments: Any, **more: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        action(*arguments, **more)
    return caught.value


def test_things_are_found_by_name_and_by_number(control: Control) -> None:
    alpha = control.robot("alpha")
    assert control.robot(alpha.serial) is control.robot(str(alpha.serial)) is control.thing("alpha") is alpha
    assert refused(control.robot, "nobody").status == 404
    assert refused(control.box, "alpha").status == 404
    assert refused(control.thing, 999).status == 404


def test_placing_changes_the_true_pose_only(control: Control, changes: list[int]) -> None:
    alpha = control.robot("alpha")
    alpha.set_odometry(0.5, 0.5, 0.5)
    control.place(alpha, {"x": 2.0, "heading": 4.0})
    assert (alpha.pose.x, alpha.pose.heading) == pytest.approx((2.0, 4.0 - math.tau))
    assert alpha.odometry.x == 0.5
    assert changes


@pytest.mark.parametrize("value", [math.inf, math.nan, "1", None, True, 1e300, [1]])
def test_a_pose_that_is_none_is_refused(control: Control, value: Any) -> None:
    alpha = control.robot("alpha")
    before = alpha.pose
    assert refused(control.place, alpha, {"x": value}).status == 400
    assert alpha.pose == before


def test_while_paused_what_is_moved_senses_anew(control: Control, program: Program) -> None:
    alpha = control.robot("alpha")
    alpha.lasers[0].on = True
    program.clock.pause()
    control.place(alpha, {"x": 5.0})
    assert program.simulation.has_sensed


def test_battery_and_charge_are_what_the_model_has(control: Control) -> None:
    alpha = control.robot("alpha")
    control.adjust(alpha, {"battery": 11.5, "ghost": True, "motors": False})
    assert alpha.battery is not None
    assert (alpha.battery.volts, alpha.ghost, alpha.motors) == (11.5, True, False)
    assert refused(control.adjust, alpha, {"charge": 50}).status == 409
    assert refused(control.adjust, alpha, {"battery": -1}).status == 400
    assert refused(control.adjust, alpha, {"ghost": "yes"}).status == 400
    assert refused(control.adjust, alpha, {"pose": 3}).status == 400


def test_reset_brings_a_robot_back_to_its_start(control: Control) -> None:
    alpha = control.robot("alpha")
    control.place(alpha, {"x": 9.0, "y": 1.0})
    alpha.set_odometry(1.0, 1.0, 1.0)
    control.reset(alpha)
    assert alpha.pose == alpha.start
    assert alpha.odometry.x == 0.0


def test_boxes_are_added_and_removed(control: Control, program: Program) -> None:
    box = control.add({"model": "box", "pose": {"x": 5.0, "y": 3.0}}, box=True)
    assert program.simulation.boxes == [box]
    control.remove(box)
    assert program.simulation.boxes == []


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"model": "box"}, 400),
        ({"model": "no-such-model"}, 409),
        ({"model": "../../etc/passwd.p"}, 400),
        ({"model": 5}, 400),
        ({"name": "x" * 81}, 400),
        ({"port": 70000}, 400),
        ({"port": True}, 400),
        ({"pose": "here"}, 400),
    ],
)
def test_a_robot_that_cannot_be_is_refused(control: Control, program: Program, wish: dict[str, Any], status: int) -> None:
    assert refused(control.add, wish, box=False).status == status
    assert len(program.simulation.robots) == 2


def test_there_is_an_end_to_adding(control: Control, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_module, "MOST_THINGS", 2)
    assert refused(control.add, {"model": "box"}, box=True).status == 409


def test_time_is_paused_stepped_and_scaled(control: Control, program: Program) -> None:
    assert refused(control.step, {}).status == 409
    control.pause({})
    assert program.clock.paused
    control.step({"count": 3})
    assert program.clock.steps_wanted == 3
    control.pause({"paused": False})
    control.speed({"speed": 2.5})
    assert program.clock.speed == 2.5
    control.speed({"speed": "max"})
    assert program.clock.speed == math.inf
    for speed in (0, -1, "fast", math.nan, None):
        assert refused(control.speed, {"speed": speed}).status == 400
    for count in (0, 1.5, True, 10**9):
        assert refused(control.step, {"count": count}).status == 400


def test_a_robot_driven_by_hand_stops_when_nothing_more_is_heard(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_module, "DRIVE_SECONDS", 0.01)

    async def test() -> None:
        control = Control(program, lambda: None)
        alpha = control.robot("alpha")
        control.drive(alpha, {"forward": 0.5, "rotation": -0.25})
        program.simulation.step(5)
        assert alpha.velocity[0] > 0.05
        await until(lambda: not control._driving)
        program.simulation.step(20)
        assert alpha.velocity == (0.0, 0.0, 0.0)

    run(test)


def test_a_robot_that_a_client_holds_is_not_driven_by_hand() -> None:
    stand = Stand("-m", "office.map", "-r", "p3dx:alpha", "-r", "p3dx:beta")
    control = Control(stand.program, lambda: None)
    stand.dial(control.robot("alpha"))
    assert refused(control.drive, control.robot("alpha"), {"forward": 1}).status == 409
    control.drive(control.robot("beta"), {})


@pytest.fixture
def navigating() -> Control:
    return Control(Stand("--nomap", "--navigate", "-r", "p3dx:alpha").program, lambda: None)


def test_a_robot_is_sent_to_a_goal_and_told_to_stop(navigating: Control) -> None:
    alpha = navigating.robot("alpha")
    assert navigating.goal(alpha)["enabled"] is True
    navigating.send(alpha, {"x": 2.0, "y": 1.0, "heading": 0.5})
    assert navigating.goal(alpha)["goal"] == {"x": 2.0, "y": 1.0, "heading": 0.5}
    navigating.give_up(alpha)
    assert navigating.goal(alpha)["goal"] is None
    assert navigating.goal(alpha)["last"]["outcome"] == "cancelled"


@pytest.mark.parametrize(
    "wish",
    [{}, {"x": 1.0}, {"x": "1", "y": 1}, {"x": math.nan, "y": 1}, {"x": 1e300, "y": 1}, {"x": 1, "y": 1, "slack": "x"}],
)
def test_a_goal_that_is_none_is_refused(navigating: Control, wish: dict[str, Any]) -> None:
    alpha = navigating.robot("alpha")
    assert refused(navigating.send, alpha, wish).status == 400
    assert navigating.goal(alpha)["goal"] is None


def test_without_navigation_nobody_is_sent_anywhere(control: Control) -> None:
    alpha = control.robot("alpha")
    assert control.goal(alpha)["enabled"] is False
    assert "--navigate" in refused(control.send, alpha, {"x": 1, "y": 1}).text
    assert refused(control.give_up, alpha).status == 409


def test_driving_by_hand_ends_a_goal(navigating: Control) -> None:
    async def test() -> None:
        alpha = navigating.robot("alpha")
        navigating.send(alpha, {"x": 2.0, "y": 1.0})
        navigating.drive(alpha, {})
        assert navigating.goal(alpha)["goal"] is not None
        navigating.drive(alpha, {"forward": 0.2})
        assert navigating.goal(alpha)["last"]["why"] == "it is driven by hand"
        navigating.close()

    run(test)


def test_a_robot_with_a_client_is_not_sent_anywhere() -> None:
    stand = Stand("--nomap", "--navigate")
    stand.open()
    control = Control(stand.program, lambda: None)
    assert refused(control.send, stand.robots[0], {"x": 1.0, "y": 1.0}).status == 409


def test_nothing_new_stands_on_another_or_in_a_wall_unless_it_is_forced(control: Control, program: Program) -> None:
    alpha = control.robot("alpha")
    taken = {"x": alpha.pose.x + 0.1, "y": alpha.pose.y, "heading": 0.0}
    before = list(program.simulation.things)
    for model, is_box in (("p3dx", False), ("box", True)):
        answer = refused(control.add, {"model": model, "pose": taken}, box=is_box)
        assert (answer.status, "alpha stands at" in answer.text) == (409, True)
        assert refused(control.add, {"model": model, "pose": {"x": 0.0, "y": 6.0}}, box=is_box).status == 409
    assert list(program.simulation.things) == before
    forced = control.add({"model": "box", "pose": taken, "force": True}, box=True)
    assert forced.pose.x == pytest.approx(taken["x"])
    beside = control.add({"model": "box", "pose": {"x": alpha.pose.x + 3.0, "y": alpha.pose.y}}, box=True)
    assert beside.pose.x == pytest.approx(alpha.pose.x + 3.0)
