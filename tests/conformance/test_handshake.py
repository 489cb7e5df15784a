"""Every model introduces itself as the original does: the answers to SYNCs byte for byte, then CONFIG, SIMSTAT, SIMINFO."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import CLOSE, OPEN, SYNCS, command, control
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import FIELDS, Config, unpack_config
from mobilesim_py.protocols.arcos.connection import Identity
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.protocols.arcos.simulator import unpack_siminfo, unpack_simstat
from mobilesim_py.protocols.arcos.sip import unpack_sip

from .differences import DIFFERENCES, is_let_off
from .recording import CONFIG, LASER, LASER_EXTENDED, SIMINFO, SIMSTAT, SIPS, Recording, load, names
from .stand import Client, Stand

NAME = "MobileSim"
HANDSHAKES = [name for name in names("handshake_*") if load(name).packets("A", 2)]
"""Of a few models the original has no recording: it crashed when a client came."""
LONGER_NAME = len("MobileSim") - len("AMRISim")
OTHER_SONAR = {"amigo-sh-tim3xx": 8, "peoplebot": 32, "peoplebot-sh": 32}
"""Sonar readings of models where the parameter files of the clients have another number than the original."""
SECOND_LASER = ("mt400", "patrolbot", "research")
"""Families that have a second laser in the parameter files of the clients."""


@cache
def introduced(name: str, maps: Path) -> Client:
    """Our robot after the same conversation."""
    stand = Stand(load(name).options, maps)
    client = stand.connect()
    client.send(*SYNCS)
    client.send(OPEN)
    stand.step(6)
    client.send(command(Command.CONFIG, 1), command(Command.SIM_STAT, 1), control(ControlOperation.SIM_INFO))
    for mode in (2, 1, 0):
        client.send(command(Command.SIM_LRF_ENABLE, mode))
        stand.step(3)
    client.send(command(Command.VEL, 200))
    stand.step(10)
    client.send(CLOSE)
    return client


def test_all_recorded_models_are_compared() -> None:
    assert len(HANDSHAKES) == 54


@pytest.mark.parametrize("name", HANDSHAKES)
def test_the_answers_to_syncs_are_the_recorded_bytes_but_for_the_name(name: str, maps: Path) -> None:
    recorded = load(name).packets("A")[:3]
    assert [packet.id for packet in recorded] == [0, 1, 2]
    identity = dataclasses.replace(Identity.decode(recorded[2].data), name=NAME)
    expected = encode(0) + encode(1) + encode(2, identity.encode())
    assert introduced(name, maps).raw[: len(expected)] == expected


def test_nothing_is_sent_before_open(maps: Path) -> None:
    stand = Stand(load("handshake_p3dx").options, maps)
    client = stand.connect()
    client.send(*SYNCS)
    stand.step(20)
    assert [packet.id for packet in client.packets()] == [0, 1, 2]


def config_of(packets: list[Any]) -> Config:
    return unpack_config(packets[0])


def config_differences(name: str, maps: Path) -> set[str]:
    """The fields of CONFIG that differ from the recorded ones."""
    theirs = unpack_config(load(name).packets("A", CONFIG)[0])
    mine = unpack_config(introduced(name, maps).packets(CONFIG)[0])
    return {f"config.{field.name}" for field in FIELDS if getattr(theirs, field.name) != getattr(mine, field.name)}


@pytest.mark.parametrize("name", HANDSHAKES)
def test_config_has_the_recorded_layout_and_values(name: str, maps: Path) -> None:
    (recorded,) = load(name).packets("A", CONFIG)
    (ours,) = introduced(name, maps).packets(CONFIG)
    assert len(ours.data) == len(recorded.data) + LONGER_NAME
    assert {field for field in config_differences(name, maps) if not is_let_off(field)} == set()


@pytest.mark.parametrize("name", HANDSHAKES)
def test_config_never_tells_a_limit_of_zero_for_driving(name: str, maps: Path) -> None:
    config = config_of(introduced(name, maps).packets(CONFIG))
    limits = (config.speed_top, config.rotation_speed_top, config.speed_max, config.rotation_speed_max)
    assert all(0 < limit <= 9999 for limit in limits)


@pytest.mark.parametrize("name", HANDSHAKES)
def test_config_tells_which_sonar_arrays_the_model_has(name: str, maps: Path) -> None:
    client = introduced(name, maps)
    config, model = config_of(client.packets(CONFIG)), client.robot.model
    assert (config.front_sonar, config.rear_sonar) == (model.pioneer.front_sonar, model.pioneer.rear_sonar)
    has_any = config.front_sonar + config.rear_sonar > 0
    assert has_any == (len(model.sonar.transducers) > 0)


def first_sip(recording: Recording) -> Any:
    return recording.sips("A")[0][1]


@pytest.mark.parametrize("name", HANDSHAKES)
def test_a_sip_at_rest_has_the_recorded_fields(name: str, maps: Path) -> None:
    recorded, ours = first_sip(load(name)), introduced(name, maps).sips[0]
    readings = OTHER_SONAR.get(load(name).model, len(recorded.sonar))
    assert [index for index, _ in ours.sonar] == list(range(readings))
    for field in dataclasses.fields(recorded):
        if field.name != "sonar":
            assert getattr(ours, field.name) == getattr(recorded, field.name), field.name


def simstat_differences(name: str, maps: Path) -> set[str]:
    """The fields of SIMSTAT that differ from the recorded ones; its flags one by one."""
    theirs = unpack_simstat(load(name).packets("A", SIMSTAT)[0])
    mine = unpack_simstat(introduced(name, maps).packets(SIMSTAT)[0])
    different = {
        f"simstat.{field.name}"
        for field in dataclasses.fields(theirs)
        if field.name not in ("flags", "last_interval") and getattr(theirs, field.name) != getattr(mine, field.name)
    }
    if abs(theirs.last_interval - mine.last_interval) > 5:
        different.add("simstat.last_interval")
    return different | {f"simstat.flag {bit}" for bit in range(32) if (theirs.flags ^ mine.flags) >> bit & 1}


@pytest.mark.parametrize("name", HANDSHAKES)
def test_simstat_has_the_recorded_layout_and_values(name: str, maps: Path) -> None:
    (theirs,) = load(name).packets("A", SIMSTAT)
    (ours,) = introduced(name, maps).packets(SIMSTAT)
    assert len(ours.data) == len(theirs.data)
    assert {field for field in simstat_differences(name, maps) if not is_let_off(field)} == set()


def test_every_field_that_is_let_off_differs_for_some_model(maps: Path) -> None:
    different: set[str] = set()
    for name in HANDSHAKES:
        different |= config_differences(name, maps) | simstat_differences(name, maps)
    assert {field for difference in DIFFERENCES for field in difference.fields} - different == set()


@pytest.mark.parametrize("name", HANDSHAKES)
def test_siminfo_lists_as_many_devices_of_the_same_types(name: str, maps: Path) -> None:
    (theirs,) = load(name).packets("A", SIMINFO)
    (ours,) = introduced(name, maps).packets(SIMINFO)
    recorded, mine = unpack_siminfo(theirs), unpack_siminfo(ours)
    assert mine.name == NAME
    assert (mine.interactive, mine.restarted) == (recorded.interactive, recorded.restarted)
    kinds = ["sonar" if device.type in ("pioneerSonar", "ranger") else "laser" for device in recorded.devices]
    model = load(name).model
    if model == "amigo-sh-tim3xx":
        kinds = ["sonar", *kinds]
    if model.startswith(SECOND_LASER):
        kinds = [*kinds, "laser"]
    assert [device.type for device in mine.devices] == kinds
    assert all(device.name.startswith("robot1.") for device in mine.devices)
    assert len({(device.type, device.index) for device in mine.devices}) == len(mine.devices)


@pytest.mark.parametrize("name", [name for name in HANDSHAKES if load(name).packets("A", LASER_EXTENDED)])
@pytest.mark.parametrize("kind", [LASER, LASER_EXTENDED])
def test_laser_packets_have_the_recorded_layout(name: str, kind: int, maps: Path) -> None:
    recorded, ours = load(name).packets("A", kind), introduced(name, maps).packets(kind)
    totals = {packet.data[6:8] if kind == LASER else packet.data[0:2] for packet in recorded}
    mine = {packet.data[6:8] if kind == LASER else packet.data[0:2] for packet in ours}
    assert len(mine) == 1
    (theirs,) = totals
    # The original counts n = FOV / increment and leaves the last one out where the numbers do not fit.
    assert abs(int.from_bytes(mine.pop(), "little") - int.from_bytes(theirs, "little")) <= 1
    full = {len(packet.data) for packet in recorded if len(packet.data) == max(len(p.data) for p in recorded)}
    assert {len(packet.data) for packet in ours if len(packet.data) == max(len(p.data) for p in ours)} == full


@pytest.mark.parametrize("name", HANDSHAKES)
def test_a_moving_robot_says_so_by_the_id_and_a_standing_one_too(name: str, maps: Path) -> None:
    sips = introduced(name, maps).packets(*SIPS)
    moving = [packet.id == 0x33 for packet in sips]
    assert moving == [(unpack_sip(packet).left_speed, unpack_sip(packet).right_speed) != (0, 0) for packet in sips]
    assert not moving[0]
    assert moving[-1]


@pytest.mark.parametrize("name", HANDSHAKES)
def test_close_ends_the_session(name: str, maps: Path) -> None:
    assert introduced(name, maps).closed
