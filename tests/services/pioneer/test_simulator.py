"""Commands to the simulator itself: its state, its maps, its end."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.app.worlds import attempt
from mobilesim_py.errors import ExitCode
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.protocols.arcos.simulator import MapChanged, unpack_map_changed, unpack_simstat

from .conftest import Stand, tell

Make = Callable[..., Stand]
SIPS = (0x32, 0x33)


def test_simstat_once_streaming_and_off(stand: Make, room_map: Path) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "--no-noise")
    modem = bench.connect()
    for value in (1, None):
        modem.send(client.command(Command.SIM_STAT, value))
        stat = unpack_simstat(modem.take(0x62)[0])
        assert (stat.x, stat.y, stat.heading, stat.flags & 3) == (1000, 500, 90, 3)
        assert stat.latitude == pytest.approx(428000000, abs=100)
    tell(modem, Command.SIM_STAT, 2)
    bench.step(2)
    assert [packet.id for packet in modem.take()] == [0x62, 0x32, 0x62, 0x32]
    tell(modem, Command.SIM_STAT, 0)
    bench.step(2)
    assert modem.take(0x62) == []


def test_srisim_commands_work_only_when_asked_for(stand: Make) -> None:
    plain = stand()
    modem = plain.connect()
    tell(modem, Command.OLD_SETORIGINX, 1000)
    assert plain.robots[0].pose.x == 0.0
    tell(modem, Command.OLD_END_SIM)
    assert plain.program.exit_code is None
    compatible = stand("--nomap", "-r", "p3dx-sh", "--srisim-compat")
    modem = compatible.connect()
    for command, value in ((Command.OLD_SETORIGINX, 1000), (Command.OLD_SETORIGINY, -500), (Command.OLD_SETORIGINTH, 90)):
        tell(modem, command, value)
    pose = compatible.robots[0].pose
    assert (pose.x, pose.y, math.degrees(pose.heading)) == pytest.approx((1.0, -0.5, 90.0))
    modem.send(client.command(Command.OLD_END_SIM))
    assert compatible.program.exit_code == 0


@pytest.mark.parametrize(("value", "code"), [(0, 0), (5, 5), (300, 44), (-3, 3)])
def test_sim_exit_ends_with_the_clients_code(stand: Make, value: int, code: int) -> None:
    bench = stand()
    tell(bench.connect(), Command.SIM_EXIT, value)
    assert bench.program.exit_code == code


@pytest.mark.parametrize("number", [Command.RESET, Command.MAINTENANCE])
def test_maintenance_commands_crash_the_program(stand: Make, number: Command) -> None:
    bench = stand()
    bench.connect().send(client.command(number))
    assert bench.program.exit_code == ExitCode.CRASH


def test_every_client_is_told_of_a_new_map_and_of_one_that_has_not_changed(stand: Make, room_map: Path) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh:a", "-r", "p3dx-sh:b", "--map-dir", str(room_map.parent))
    clients = [bench.connect(robot) for robot in bench.robots]
    place = bench.robots[0].pose
    for loaded in (True, False):
        clients[0].send(client.control(client.ControlOperation.LOAD_MAP, str(room_map)))
        for modem in clients:
            change = unpack_map_changed(modem.take(0x66)[0])
            assert (change.file_name, change.loaded, change.by_user) == (str(room_map), loaded, False)
    assert bench.simulation.world.has_map
    assert bench.robots[0].pose == place


def test_a_map_that_cannot_be_loaded_leaves_the_old_one_and_its_asker_is_told(
    stand: Make, room_map: Path, tmp_path: Path
) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "-r", "p3dx-sh")
    modem, other = (bench.connect(robot) for robot in bench.robots)
    world = bench.simulation.world
    (tmp_path / "bad.map").write_text("no map\n")
    for name in ("missing.map", str(tmp_path / "bad.map")):
        modem.send(client.control(client.ControlOperation.LOAD_MAP, name))
        answers = [unpack_map_changed(packet) for packet in modem.take(0x66)]
        assert answers == [MapChanged(str(room_map), loaded=False)], "the asker is told the map in force"
        assert other.take(0x66) == []
        assert any("Error loading map" in line and name in line for line in bench.lines())
    assert bench.simulation.world is world


def test_a_map_master_keeps_others_from_changing_the_map(stand: Make, room_map: Path) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--map-dir", str(room_map.parent))
    modem = bench.connect()
    modem.send(client.control(client.ControlOperation.MASTER_LOAD_MAP, str(room_map)))
    other = room_map.with_name("other.map")
    other.write_text(room_map.read_text().replace("5000", "6000"))
    modem.take()
    modem.send(client.control(client.ControlOperation.LOAD_MAP, str(other)))
    assert modem.take(0x66) == []
    modem.send(client.control(client.ControlOperation.CLEAR_MASTER_MAP))
    modem.send(client.control(client.ControlOperation.LOAD_MAP, str(other)))
    assert len(modem.take(0x66)) == 1


def test_messages_of_clients_are_logged_and_cannot_forge_lines(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--verbose")
    modem = bench.connect()
    modem.send(client.text_command(Command.SIM_MESSAGE, "hello\nWed Jan  1 forged"))
    assert any(line.startswith("hello") and "\n" not in line for line in bench.lines())


def test_the_state_log_says_where_the_robot_is(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(encode(Command.SIM_CTRL, b"\x2b\x05\x00why not\0"))
    assert any("why not" in line for line in bench.lines())
    assert any("true pose" in line for line in bench.lines())


def test_one_write_holds_simstat_sip_and_scan_in_this_order(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SIM_STAT, 2)
    tell(modem, Command.SIM_LRF_ENABLE, 2)
    writes: list[bytes] = []
    modem.write = lambda data: writes.append(data) is None  # type: ignore[method-assign]
    bench.step()
    assert len(writes) == 1
    ids = [packet.id for packet in modem.reader.feed(writes[0])]
    assert ids == [0x62, 0x32] + [0x61] * 6


def test_a_burst_of_map_requests_ends_with_its_client(tmp_path: Path) -> None:
    stand = Stand("--nomap", "-r", "p3dx", "-r", "p3dx", maps=tmp_path)
    waiting: list[Callable[[], None]] = []
    stand.program.worlds.run_beside = lambda work, done: waiting.append(lambda: done(*attempt(work)))
    flooder = stand.connect()
    for number in range(1000):
        flooder.send(client.control(client.ControlOperation.LOAD_MAP, f"map{number}.map"))
    flooder.hang_up()
    waiting.pop(0)()
    assert waiting == []
    assert not stand.program.worlds.is_loading
