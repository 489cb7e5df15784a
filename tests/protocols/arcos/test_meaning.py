"""Numbers with two meanings: what came before and the kind of the argument decide."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.arcos.commands import command_table
from mobilesim_py.protocols.arcos.instruction import decode
from mobilesim_py.protocols.arcos.meaning import Meanings
from mobilesim_py.protocols.arcos.packet import Packet

TABLE = command_table()
SRISIM = command_table(srisim_compat=True)


def number(value: int) -> bytes:
    return bytes((0x1B if value < 0 else 0x3B,)) + abs(value).to_bytes(2, "little")


def settled(meanings: Meanings, *words: str, laser_is_on: bool = False, srisim: bool = False) -> list[str]:
    """Settle `NUMBER VALUE` after `NUMBER VALUE`; the names that they get."""
    names = []
    for word in words:
        command, _, value = word.partition(" ")
        data = b"\x2b\x01x" if value == "text" else number(int(value)) if value else b""
        instruction = decode(Packet(int(command), data), SRISIM if srisim else TABLE)
        names.append(meanings.settle(instruction, laser_is_on=laser_is_on).name)
    return names


LASER = ["OLD_LRF_PARMSTART", "OLD_LRF_PARMEND", "OLD_LRF_PARMINC", "OLD_LRF_ENABLE"]


@pytest.mark.parametrize("end", [90, 0, 1, 2])
def test_the_four_commands_of_a_laser_in_a_row_are_the_lasers(end: int) -> None:
    assert settled(Meanings(), "36 -90", f"37 {end}", "38 100", "35 2") == LASER


def test_35_is_adsel_before_anything_has_set_the_laser_up() -> None:
    assert settled(Meanings(), "35 1", "35 5", "35 0") == ["ADSEL"] * 3


def test_35_is_adsel_for_ports_that_no_laser_has_modes_for() -> None:
    assert settled(Meanings(), "36 -90", "37 90", "35 1", "35 3") == [*LASER[:2], "OLD_LRF_ENABLE", "ADSEL"]


def test_35_is_the_lasers_while_it_is_on() -> None:
    assert settled(Meanings(), "35 0", laser_is_on=True) == ["OLD_LRF_ENABLE"]


def test_35_is_the_lasers_alone_for_clients_of_srisim() -> None:
    assert settled(Meanings(laser_alone=True), "35 1", "35 4") == ["OLD_LRF_ENABLE", "ADSEL"]


def test_35_is_adsel_on_a_robot_without_a_laser() -> None:
    assert settled(Meanings(has_laser=False), "36 -90", "35 1") == ["OLD_LRF_PARMSTART", "ADSEL"]


@pytest.mark.parametrize("announced", [16, 17])
def test_36_is_the_grippers_directly_after_it_was_announced(announced: int) -> None:
    names = settled(Meanings(), f"33 {announced}", "36 20", "36 20", laser_is_on=True)
    assert names == ["GRIPPER", "GRIPPERVAL", "OLD_LRF_PARMSTART"]


def test_a_pulse_between_does_not_count() -> None:
    assert settled(Meanings(), "33 16", "0", "36 20")[-1] == "GRIPPERVAL"


def test_36_is_the_lasers_after_any_other_gripper_command() -> None:
    assert settled(Meanings(), "33 1", "36 20")[-1] == "OLD_LRF_PARMSTART"
    assert settled(Meanings(), "33 16", "11 100", "36 20")[-1] == "OLD_LRF_PARMSTART"


@pytest.mark.parametrize("value", [0, 1, 2])
def test_37_is_the_grippers_unless_36_comes_directly_before(value: int) -> None:
    assert settled(Meanings(), f"37 {value}") == ["GRIPPERPACREQUEST"]
    assert settled(Meanings(), "36 -90", "38 100", f"37 {value}")[-1] == "GRIPPERPACREQUEST"


@pytest.mark.parametrize("value", [3, 90, -1, -2])
def test_37_with_a_greater_angle_is_the_lasers(value: int) -> None:
    assert settled(Meanings(), f"37 {value}") == ["OLD_LRF_PARMEND"]


def test_38_is_the_gyros_until_a_laser_was_set_up() -> None:
    assert settled(Meanings(), "38 100", "37 90", "38 100") == ["GYROCALCW", "OLD_LRF_PARMEND", "OLD_LRF_PARMINC"]


def test_the_laser_commands_of_the_simulator_decide_nothing() -> None:
    assert settled(Meanings(), "230 1", "35 1") == ["SIM_LRF_ENABLE", "ADSEL"]


def test_61_and_66_are_told_apart_by_their_argument() -> None:
    assert settled(Meanings(), "61 5", "61 text", srisim=True) == ["GETAUX3", "OLD_LOADPARAM"]
    assert settled(Meanings(), "66 5", "66 text", srisim=True) == ["OLD_SETORIGINX", "TTY3"]
    assert settled(Meanings(), "61 5", "66 text", "67 3", "68 1") == ["GETAUX3", "TTY3", "GETAUX2", "CHARGE"]


def test_67_and_68_are_srisims_when_asked_for() -> None:
    assert settled(Meanings(), "67 3", "68 1", srisim=True) == ["OLD_SETORIGINY", "OLD_SETORIGINTH"]


def test_a_request_for_the_battery_does_not_end_a_simulator_that_serves_srisim_clients() -> None:
    assert settled(Meanings(), "62 1", "62", srisim=True) == ["BATTERYINFO", "OLD_END_SIM"]
