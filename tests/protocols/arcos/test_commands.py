"""The table of commands is complete and means what the manual says."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.arcos.commands import DEFAULT_TABLE, TABLE, ArgumentKind, Command, Support, command_table


def numbered(text: str) -> dict[int, str]:
    """Read pairs of a number and a name."""
    words = text.split()
    return dict(zip(map(int, words[::2]), words[1::2], strict=True))


# The manual's tables, by number.
MANUAL_SUPPORTED = numbered("""
    0 PULSE  1 OPEN  2 CLOSE  4 ENABLE  28 SONAR  18 CONFIG  29 STOP  11 VEL  9 ROTATE
    21 RVEL  32 VEL2  12 HEAD  7 SETO  13 DHEAD  6 SETV  10 SETRV  5 SETA  23 SETRA
    8 MOVE  110 LATVEL  113 LATACCEL  250 BATTEST  55 ESTOP  42 TTY2  60 TTY4
    253 RESET  255 MAINTENANCE
""")
MANUAL_SIMULATOR = numbered("""
    224 SIM_SET_POSE  225 SIM_RESET  230 SIM_LRF_ENABLE  231 SIM_LRF_SET_FOV_START
    232 SIM_LRF_SET_FOV_END  233 SIM_LRF_SET_RES  236 SIM_CTRL  237 SIM_STAT  238 SIM_MESSAGE
    239 SIM_EXIT
""")
MANUAL_UNSUPPORTED = numbered("3 POLLING  63 OLD_LOADWORLD  64 OLD_STEP  14 DROTATE")
MANUAL_UNSUPPORTED_BUT_OURS = numbered("""
    19 ENCODER  15 SAY  17 JOYINFO  33 GRIPPER  35 ADSEL  36 GRIPPERVAL
    37 GRIPPERPACREQUEST  40 IOREQUEST  41 PTUPOS  43 GETAUX  45 TCM2  47 JOYDRIVE  50 HOSTBAUD
    51 AUX1BAUD  52 AUX2BAUD  58 GYRO  65 CALCOMP  66 TTY3  67 GETAUX2  90 SOUND  91 PLAYLIST
    92 SOUNDTOG  22 DCHEAD  34 KICK
""")
MANUAL_LASER_COMPAT = numbered("""
    35 OLD_LRF_ENABLE  36 OLD_LRF_PARMSTART  37 OLD_LRF_PARMEND  38 OLD_LRF_PARMINC
""")
MANUAL_SRISIM = numbered("""
    61 OLD_LOADPARAM  62 OLD_END_SIM  63 OLD_LOADWORLD  64 OLD_STEP  66 OLD_SETORIGINX  67 OLD_SETORIGINY  68 OLD_SETORIGINTH  69 OLD_RESET_TO_ORIGIN
""")
ALSO_SUPPORTED = {30: "DIGOUT", 57: "QSTOP", 59: "MESSAGE", 251: "DIGTEMPTEST", 252: "SPOOFANALOGTEMP"}


def test_the_table_has_all_numbers_in_order() -> None:
    assert list(TABLE) == list(range(256))
    assert all(spec.number == number for number, spec in TABLE.items())


@pytest.mark.parametrize(("number", "name"), (MANUAL_SUPPORTED | MANUAL_SIMULATOR | ALSO_SUPPORTED).items())
def test_a_command_that_the_manual_supports_is_supported(number: int, name: str) -> None:
    assert (DEFAULT_TABLE[number].name, DEFAULT_TABLE[number].status) == (name, Support.SUPPORTED)


@pytest.mark.parametrize(("number", "name"), MANUAL_UNSUPPORTED.items())
def test_a_command_that_the_manual_does_not_support_is_ignored_under_its_name(number: int, name: str) -> None:
    spec = command_table(laser_compat=False, srisim_compat=False)[number]
    assert (spec.name, spec.is_supported) == (name, False)


@pytest.mark.parametrize(("number", "name"), MANUAL_UNSUPPORTED_BUT_OURS.items())
def test_a_device_that_the_original_did_not_have_obeys_its_commands(number: int, name: str) -> None:
    spec = command_table(laser_compat=False)[number]
    assert (spec.name, spec.is_supported) == (name, True)


@pytest.mark.parametrize(("number", "name"), MANUAL_LASER_COMPAT.items())
def test_old_laser_commands_work_unless_turned_off(number: int, name: str) -> None:
    assert (DEFAULT_TABLE[number].name, DEFAULT_TABLE[number].is_supported) == (name, True)
    assert command_table(laser_compat=False)[number].name != name


@pytest.mark.parametrize(("number", "name"), MANUAL_SRISIM.items())
def test_srisim_commands_work_only_when_turned_on(number: int, name: str) -> None:
    assert (DEFAULT_TABLE[number].name, DEFAULT_TABLE[number].is_supported) != (name, True)
    spec = command_table(srisim_compat=True)[number]
    assert (spec.name, spec.is_supported) == (name, True)


def test_battery_requests_do_not_end_the_simulator() -> None:
    assert DEFAULT_TABLE[62].name == "BATTERYINFO"


def test_every_name_of_a_number_is_in_the_table() -> None:
    named = {spec.name for spec in TABLE.values()} | {s.otherwise.name for s in TABLE.values() if s.otherwise}
    only_aliases = {"SETLATV"}
    assert set(Command.__members__) - only_aliases == named - {"UNNAMED"}


def test_every_effect_is_a_sentence() -> None:
    assert [spec.name for spec in TABLE.values() if not spec.effect.endswith(".")] == []


def test_unnamed_numbers_are_ignored() -> None:
    assert (TABLE[200].name, TABLE[200].status) == ("UNNAMED", Support.UNSUPPORTED)
    assert TABLE[200].argument is ArgumentKind.DATA
