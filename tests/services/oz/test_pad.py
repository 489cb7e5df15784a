"""The pad of an Oz: its packets, its reach, and driving where there is no client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from mobilesim_py.protocols.naio import Dialect
from mobilesim_py.protocols.naio.hardware_packets import HaDs4Remote
from mobilesim_py.protocols.naio.manual_packets import ManualRemote
from mobilesim_py.services.oz.pad import LET_GO_SECONDS, Pad
from mobilesim_py.services.panelled import OrderError
from mobilesim_py.testing import NaioClient
from tests.services.oz.conftest import Farm

MakeFarm = Callable[..., Farm]


def hold(stand: Farm, **held: int) -> None:
    stand.service.order("pad", {"robot": stand.oz.robot.serial, **held})


def test_what_is_held_goes_out_twenty_times_in_a_second_while_the_pad_is_on(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    stand.drive(client, 0, 0, 0.5)
    assert not client.packets(HaDs4Remote)
    for _ in range(25):
        hold(stand, left_x=-5, left_y=100, right_y=-127, buttons=0x80, l2=255)
        stand.drive(client, 0, 0, 0.02)
    packets = client.packets(HaDs4Remote)
    assert len(packets) == 10
    assert packets[-1] == HaDs4Remote(battery=100, left_x=-5, left_y=100, right_y=-127, buttons=0x80, l2=255)


def test_a_pad_that_nobody_speaks_of_is_let_go(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    hold(stand, left_y=100)
    stand.drive(client, 0, 0, 0.2)
    stand.drive(client, 0, 0, LET_GO_SECONDS + 0.2)
    assert [packet.left_y for packet in client.packets(HaDs4Remote)][:: len(client.packets(HaDs4Remote)) - 1] == [100, 0]


def test_a_pad_out_of_reach_is_not_heard(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--reality", "remote_range=1")
    client = stand.call()
    stand.oz.robot.place(5.0, 0.0, 0.0)
    hold(stand, left_y=100)
    stand.drive(client, 0, 0, 0.5)
    assert not client.packets(HaDs4Remote)
    assert stand.service.facts()["robots"][0]["in_reach"] is False


def test_without_a_client_the_left_stick_drives(farm: MakeFarm) -> None:
    stand = farm()
    for _ in range(50):
        hold(stand, left_y=127, left_x=0)
        stand.run(0.02)
    assert stand.oz.robot.pose.x > 0.2
    stand.run(LET_GO_SECONDS + 0.5)
    x = stand.oz.robot.pose.x
    stand.run(0.5)
    assert stand.oz.robot.pose.x == pytest.approx(x, abs=1e-3), "it stands: the pad was let go"


def test_with_a_client_the_client_drives(farm: MakeFarm) -> None:
    stand = farm()
    client: NaioClient = stand.call()
    hold(stand, left_y=127)
    stand.drive(client, 0, 0, 0.5)
    assert stand.oz.robot.pose.x == pytest.approx(0.0, abs=1e-6)


def test_the_stick_turns_to_the_side_that_it_points_to() -> None:
    pad = Pad()
    pad.take({"left_x": 60, "left_y": 100}, 0.0)
    assert pad.powers() == (127, 40)


def test_the_manual_dialect_has_no_battery() -> None:
    pad = Pad()
    pad.take({"left_x": 1}, 0.0)
    assert pad.packet(Dialect.MANUAL) == ManualRemote(left_x=1)
    pad.held = replace(pad.held, left_x=2)
    assert pad.packet(Dialect.SIMULATOZ) == HaDs4Remote(battery=100, left_x=2)


@pytest.mark.parametrize("wish", [{"left_x": 128}, {"left_y": "up"}, {"buttons": -1}, {"l2": True}, {"on": 1}])
def test_what_no_pad_can_hold_is_refused(wish: dict[str, object]) -> None:
    pad = Pad()
    with pytest.raises(OrderError):
        pad.take(wish, 0.0)
    assert not pad.on


def test_a_pad_that_is_switched_off_holds_nothing() -> None:
    pad = Pad()
    pad.take({"left_x": 1}, 0.0)
    pad.take({"on": False, "left_x": 1}, 0.0)
    assert (pad.on, pad.held.left_x) == (False, 0)
