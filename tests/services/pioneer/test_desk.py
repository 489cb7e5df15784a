"""Devices as people see and set them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.services.equipped import device_facts, equipped_with
from mobilesim_py.services.panelled import OrderError

from .conftest import Make, Stand, last_sip, tell


def facts(bench: Stand) -> dict[str, Any]:
    found = device_facts(bench.program, bench.robots[0])
    assert found is not None
    assert json.loads(json.dumps(found)) == found
    return found


def wish(bench: Stand, **wishes: Any) -> None:
    service = equipped_with(bench.program, bench.robots[0])
    assert service is not None
    service.set_devices(bench.robots[0], wishes)


def test_a_robot_with_everything_tells_everything(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-equipped", "--no-noise")
    told = facts(bench)
    assert [name for name, value in told.items() if value is None] == ["infrared"]
    assert told["compass"] == {"north": 90.0, "calibrated": False, "mode": 1}
    assert told["gripper"]["beams"] == {"outer": False, "inner": False}
    assert told["aux"][0]["camera"] == {"pan": 0.0, "tilt": 0.0, "zoom": 0, "zoom_most": 1960, "on": True}
    assert told["bumpers"] == {"front": [False] * 5, "rear": [False] * 5}


def test_a_plain_robot_tells_what_it_has(stand: Make) -> None:
    told = facts(stand("--nomap", "-r", "pion1x"))
    assert {name for name, value in told.items() if value is None} >= {"encoders", "bumpers", "gripper", "compass", "gyro"}
    assert facts(stand("--nomap", "-r", "peoplebot-sh"))["infrared"] == [False] * 4


def test_an_oz_has_none_of_these(stand: Make) -> None:
    bench = stand("--nomap", "-r", "oz")
    assert device_facts(bench.program, bench.robots[0]) is None
    assert equipped_with(bench.program, bench.robots[0]) is None


def test_inputs_reach_the_client_and_stay_for_the_next_one(stand: Make) -> None:
    bench = stand()
    wish(bench, digital_in=0x0F, analog={"2": 5.0})
    modem = bench.connect()
    tell(modem, Command.ADSEL, 2)
    sip = last_sip(bench, modem)
    assert (sip.digital_in, sip.analog) == (0x0F, 255)
    modem.hang_up()
    modem = bench.connect()
    assert last_sip(bench, modem).digital_in == 0x0F
    assert facts(bench)["analog"][2] == 5.0


def test_the_gripper_and_the_contacts_obey(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh-gripper")
    for order, moves in (("close", True), ("halt", False), ("up", True), ("open", True), ("down", True), ("release", True)):
        wish(bench, gripper=order)
        assert facts(bench)["gripper"]["moving"] is moves
    wish(bench, charge_contacts=True)
    assert facts(bench)["charging"] == {"state": "not charging", "contacts_out": True}


@pytest.mark.parametrize(
    "wrong",
    [
        *({"digital_in": 256}, {"digital_in": True}, {"analog": 3}, {"analog": {"8": 1.0}}, {"analog": {"1": 5.1}}),
        *({"gyro_failed": 1}, {"gripper": "open"}, {"charge_contacts": "yes"}, {"laser": 1}),
    ],
)
def test_a_wrong_wish_is_refused_and_nothing_is_set(stand: Make, wrong: dict[str, Any]) -> None:
    bench = stand()
    with pytest.raises(OrderError):
        wish(bench, **({"digital_in": 7} | wrong))
    assert facts(bench)["digital_in"] == 255


def test_a_gripper_knows_its_orders_only(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh-gripper")
    with pytest.raises(OrderError, match="one of open, close"):
        wish(bench, gripper="shake")
