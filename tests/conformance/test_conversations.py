"""Whole conversations played again: what SIPs, scans and answers go through is what the recording went through."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.protocols.arcos.connection import Identity
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.packet import Packet
from mobilesim_py.protocols.arcos.sip import WireSip, unpack_sip

from .differences import DIFFERENCES, changed_values
from .recording import CONFIG, LASER, LASER_EXTENDED, MAP_CHANGED, SIMINFO, SIMSTAT, SIPS, load
from .replay import Replay, changes

RECORDINGS = (
    *("abort_253", "abort_255", "bad_checksum", "bad_length_0", "bad_length_1", "bad_length_2", "bad_length_3"),
    *("bad_length_201", "bad_length_206", "bad_length_207", "battery_battest", "burst_unaligned", "digout"),
    *("enable_disable", "estop", "garbage_bytes", "laser_arg_variants", "laser_fovs_room", "laser_old_commands"),
    *("lateral_seekur", "many_packets_burst", "map_change", "map_change_factory", "map_change_strlen"),
    *("map_objects_reflectors", "messages", "multi_robots", "multi_robots_name_order", "no_open", "no_sync_idle"),
    *("reconnect_after_close", "reconnect_after_tcp_close", "reconnect_settings_persist", "robot_robot_collision"),
    *("second_connection_busy", "set_pose_odometry", "seto", "sim_exit_0", "sim_exit_126", "sim_exit_255", "sim_exit_300"),
    *("sim_exit_5", "sim_exit_negative", "sim_reset", "siminfo", "simstat", "simstat_nogeo", "simstat_nomap"),
    *("sonar_onoff", "sonar_peoplebot", "srisim_compat", "sync_other_command", "sync_out_of_order"),
    *("unnamed_robot", "unnamed_robots_three", "unsupported_commands", "unsupported_commands_quiet", "watchdog_timeout"),
)
FIELDS = (
    *("battery", "flags", "faults", "temperature", "state_of_charge", "battery_voltage", "digital_out", "digital_in"),
    *("charge_state", "gripper", "control", "compass", "analog", "analog_port"),
)


@cache
def played(name: str, maps: Path) -> Replay:
    return Replay(load(name), maps)


def _sips(packets: Iterable[Packet]) -> list[WireSip]:
    return [unpack_sip(packet) for packet in packets if packet.id in SIPS and packet.data]


def _syncs(packets: Iterable[Packet]) -> list[Any]:
    """Answers to SYNCs, without the robot's name."""
    answers: list[Any] = []
    for packet in packets:
        if packet.id == 2:
            identity = Identity.decode(packet.data)
            answers.append((2, identity.robot_class, identity.subclass))
        elif packet.id < 2 or packet.id == 11:
            answers.append(packet.id)
    return answers


def _field(name: str) -> Callable[[list[Packet]], Any]:
    return lambda packets: changes(getattr(sip, name) for sip in _sips(packets))


def _laser(packets: list[Packet]) -> Any:
    return changes((p.id, unpack_laser(p).total) for p in packets if p.id in (LASER, LASER_EXTENDED))


def _laser_layout(packets: list[Packet]) -> Any:
    """How scans are cut into packets."""
    parts = [(p.id, unpack_laser(p)) for p in packets if p.id in (LASER, LASER_EXTENDED)]
    return {(number, part.total, part.first, len(part.ranges)) for number, part in parts}


def _count(number: int) -> Callable[[list[Packet]], Any]:
    return lambda packets: sum(packet.id == number for packet in packets)


QUANTITIES: dict[str, Callable[[list[Packet]], Any]] = {
    **{name: _field(name) for name in FIELDS},
    "sonar": lambda packets: changes(len(sip.sonar) for sip in _sips(packets)),
    "laser": _laser,
    "laser layout": _laser_layout,
    "syncs": _syncs,
    "configs": _count(CONFIG),
    "siminfos": _count(SIMINFO),
    "map changes": lambda packets: [packet.data for packet in packets if packet.id == MAP_CHANGED],
    "ids": lambda packets: {0x32 if packet.id in SIPS else packet.id for packet in packets},
}
"""What is compared of the packets that a client got."""


def streams(name: str) -> bool:
    """Tell whether a client asks for SIMSTAT with every SIP, so that their number means nothing."""
    return any(line.kind == "tx" and line.number == 237 and line.data[5:6] == b"\2" for line in load(name).lines)


def compare(name: str, maps: Path) -> dict[str, tuple[Any, Any]]:
    """The quantities that differ, each with the recorded values and ours."""
    recording, replay = load(name), played(name, maps)
    different: dict[str, tuple[Any, Any]] = {}

    def note(what: str, recorded: Any, ours: Any) -> None:
        if recorded != ours:
            different[what] = recorded, ours

    for client, ours in replay.clients.items():
        theirs, mine = recording.packets(client), ours.packets()
        for quantity, of in QUANTITIES.items():
            note(f"{client}.{quantity}", of(theirs), of(mine))
        if not streams(name):
            note(f"{client}.simstats", _count(SIMSTAT)(theirs), _count(SIMSTAT)(mine))
        ends = [line.text for line in recording.of(client, "ev")]
        if "client closes socket" not in ends:
            ended = any(text.startswith(("server closed", "recv error")) for text in ends)
            exits = replay.stand.program.exit_code is not None
            note(f"{client}.ended", ended or exits, ours.closed or exits)
    refused = [line.client for line in recording.lines if line.kind == "ev" and line.text.startswith("connect failed")]
    note("-.refused", refused, replay.refused)
    code = next((int(line.text.split()[-1]) for line in recording.of("-", "ev") if "exit code" in line.text), None)
    note("-.exit", code, replay.stand.program.exit_code)
    return different


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_conversation_goes_as_recorded_wherever_nothing_is_meant_to_differ(name: str, maps: Path) -> None:
    changed = changed_values(name)
    assert {what: both for what, both in compare(name, maps).items() if what not in changed} == {}


@pytest.mark.parametrize("name", [name for name in RECORDINGS if changed_values(name)])
def test_every_value_that_is_let_off_differs(name: str, maps: Path) -> None:
    different = compare(name, maps)
    assert [what for what in changed_values(name) if what not in different] == []


def test_config_follows_what_was_set_as_recorded(maps: Path) -> None:
    replay = Replay(load("setv_seta"), maps)
    theirs = unpack_config(replay.recording.packets("A", CONFIG)[-1])
    ours = unpack_config(replay["A"].packets(CONFIG)[-1])
    for name in ("rotation_speed_max", "speed_max", "rotation_acceleration", "rotation_deceleration", "acceleration"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.deceleration == theirs.deceleration == 600


def test_the_table_names_only_conversations_that_are_played() -> None:
    assert {name for difference in DIFFERENCES for name in difference.values} <= set(RECORDINGS)
