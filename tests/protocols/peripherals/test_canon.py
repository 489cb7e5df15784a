"""The Canon camera: answers and motion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.peripherals.canon import CanonCamera

OK = "fe30303030ef"


def say(camera: CanonCamera, text: str, now: float = 0.0) -> str:
    return camera.receive(bytes.fromhex("ff303000" + text + "ef"), now).hex()


@pytest.mark.parametrize("command", ["a031", "9030", "5830", "50333230", "5030", "51323635", "5330", "a130", "8e30", "b733"])
def test_commands_are_answered_at_once(command: str) -> None:
    assert say(CanonCamera(), command) == OK


def test_it_goes_where_it_is_told_at_its_speed() -> None:
    camera = CanonCamera()
    say(camera, "50303530")  # 0x050: 9 degrees a second
    say(camera, "623831393037463445")
    assert camera.mount.pan.at(2.0) == pytest.approx(18.0)
    assert say(camera, "63", 10.0) == "fe30303030" + b"81907F4E".hex() + "ef"


def test_zoom_is_told_in_hexadecimal_digits() -> None:
    camera = CanonCamera()
    say(camera, "b330334538")
    assert say(camera, "b430", 5.0) == "fe30303030" + b"03E8".hex() + "ef"
    say(camera, "b330374138", 5.0)
    say(camera, "a230", 5.5)
    assert camera.mount.zoom.at(9.0) == pytest.approx(1300.0)


def test_limits_hold_and_can_be_made_narrower() -> None:
    camera = CanonCamera()
    say(camera, "62" + b"F000F000".hex())
    assert (camera.mount.pan.goal, camera.mount.tilt.goal) == (98.0, 88.0)
    say(camera, "6431" + b"7F4E8040".hex())
    say(camera, "62" + b"8000F000".hex())
    assert camera.mount.tilt.goal == pytest.approx(0x40 * 0.1125)


@pytest.mark.parametrize(("argument", "axis", "goal"), [(0x31, "pan", 98.0), (0x32, "pan", -98.0), (0x33, "tilt", 88.0)])
def test_it_moves_until_it_is_stopped(argument: int, axis: str, goal: float) -> None:
    camera = CanonCamera()
    say(camera, f"53{argument:02x}")
    assert getattr(camera.mount, axis).goal == goal
    say(camera, "5330", 0.5)
    assert abs(getattr(camera.mount, axis).at(9.0)) < 98.0


@pytest.mark.parametrize("command", ["62", "623132", "b378787878", "50"])
def test_a_wrong_number_is_a_wrong_parameter(command: str) -> None:
    assert say(CanonCamera(), command) == "fe30303530ef"


def test_commands_may_come_in_pieces_and_after_noise() -> None:
    camera = CanonCamera()
    assert camera.receive(bytes.fromhex("0011ff3030"), 0.0) == b""
    assert camera.receive(bytes.fromhex("0087ef"), 0.0) == b"\xfe0000VC-C4\xef"
    assert camera.receive(b"\xef\xef", 0.0) == b""


def test_power_and_a_reset() -> None:
    camera = CanonCamera()
    say(camera, "a030")
    assert not camera.mount.on
    camera.reset()
    assert camera.mount.on


@given(st.binary(max_size=600))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    CanonCamera().receive(b"\xff000" + data + b"\xef", 1.0)
