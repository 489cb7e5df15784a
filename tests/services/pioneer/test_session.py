"""One client's session: what its commands do, what it is sent, and how it ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config

from .conftest import Stand, last_sip, tell

Make = Callable[..., Stand]
SIPS = (0x32, 0x33)


STRAY = bytes.fromhex("fafbcf")
"""Noise that looks like the beginning of a long packet."""


def test_the_handshake_names_the_simulator_and_the_model(stand: Make) -> None:
    modem = stand().dial()
    modem.send(*client.SYNCS)
    replies = modem.take()
    assert [packet.id for packet in replies] == [0, 1, 2]
    assert replies[2].data == b"MobileSim\0Pioneer\0p3dx-sh\0"


def test_a_pause_ends_an_incomplete_packet_and_frees_what_it_hid(stand: Make) -> None:
    bench = stand()
    modem = bench.dial()
    modem.send(STRAY + client.SYNCS[0])
    assert modem.take() == []
    bench.wait(0.31)
    assert [packet.id for packet in modem.take()] == [0]
    modem.send(*client.SYNCS[1:], client.OPEN, STRAY)
    bench.wait(0.31)
    tell(modem, Command.CONFIG)
    assert [packet.id for packet in modem.take()] == [1, 2, 0x20]


def test_a_packet_may_come_in_pieces_without_a_long_pause(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    for byte in client.command(Command.CONFIG, 1):
        bench.wait(0.2)
        modem.send(bytes((byte,)))
    assert [packet.id for packet in modem.take()] == [0x20]
    assert len(bench.timers) == 1


def test_a_client_that_leaves_in_the_middle_of_a_packet_leaves_nothing_behind(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(STRAY)
    modem.close()
    bench.wait(1.0)
    assert bench.timers == []


def test_nothing_is_sent_before_open_and_a_sip_every_step_after(stand: Make) -> None:
    bench = stand()
    modem = bench.dial()
    modem.send(*client.SYNCS)
    modem.take()
    bench.step(3)
    assert modem.take() == []
    modem.send(client.OPEN)
    bench.step(3)
    assert [packet.id for packet in modem.take()] == [0x32] * 3


def test_sips_come_every_100_ms_of_simulated_time_whatever_the_step(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--update-interval", "25")
    modem = bench.connect()
    bench.step(40)
    assert len(modem.take(*SIPS)) == 10


def test_config_tells_the_models_limits_and_what_was_set(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(client.command(Command.CONFIG))
    config = unpack_config(modem.take(0x20)[0])
    assert (config.serial_number, config.name, config.firmware_version[:2]) == ("SIM", "MobileSim", "S.")
    assert (config.speed_top, config.speed_max) == (1000, 1000)
    for command, value in ((Command.SETV, 400), (Command.SETA, 250), (Command.SETA, -350), (Command.SETRV, 40)):
        tell(modem, command, value)
    tell(modem, Command.CONFIG, 1)
    config = unpack_config(modem.take(0x20)[0])
    assert (config.speed_max, config.acceleration, config.deceleration, config.rotation_speed_max) == (400, 250, 350, 40)


def test_the_condition_of_a_robot_is_as_new_in_the_next_session(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SPOOFANALOGTEMP, 40)
    modem.send(client.two_byte_command(Command.DIGOUT, 0x0F, 0x05))
    assert last_sip(bench, modem).temperature == 40
    modem.hang_up()
    sip = last_sip(bench, bench.connect())
    assert (sip.temperature, sip.digital_out) == (-127, 0xFF)


def test_the_watchdog_only_warns(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.VEL, 200)
    bench.step(40)
    assert sum("no action taken" in line for line in bench.lines()) == 1
    assert bench.robots[0].velocity[0] == pytest.approx(0.2)
    modem.send(client.SYNCS[0])
    assert any("watchdog warning reset" in line for line in bench.lines())


def test_the_watchdog_stops_the_robot_when_asked_to_until_the_next_command(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--watchdog-stop")
    modem = bench.connect()
    tell(modem, Command.VEL, 200)
    bench.step(40)
    assert bench.robots[0].velocity[0] == 0.0
    tell(modem, Command.VEL, 200)
    bench.step(10)
    assert bench.robots[0].velocity[0] > 0.0


def test_a_fast_simulation_does_not_bark_at_a_client_that_keeps_to_real_time(stand: Make) -> None:
    bench = stand()
    bench.connect()
    for _ in range(40):
        bench.now += 0.01
        bench.program.clock.step()
    assert not any("Watchdog" in line for line in bench.lines())


def test_every_session_starts_alike(stand: Make) -> None:
    bench = stand()
    first = bench.connect()
    for command, value in ((Command.SETA, 1000), (Command.SETV, 100), (Command.BATTEST, 90), (Command.ENABLE, 0)):
        tell(first, command, value)
    tell(first, Command.SIM_LRF_ENABLE, 2)
    first.send(client.control(client.ControlOperation.GHOST))
    first.send(client.CLOSE)
    assert first.closed
    second = bench.connect()
    sip = last_sip(bench, second)
    assert (sip.flags, sip.battery) == (0x1F, 130)
    tell(second, Command.VEL, 900)
    assert last_sip(bench, second).left_speed == 30
    assert not bench.robots[0].ghost
    assert second.take(0x60, 0x61) == []


def test_a_line_that_does_not_hang_up_takes_the_next_session(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--pty", "--no-noise")
    modem = bench.dial()
    modem.send(b"WMS2\r", *client.SYNCS, client.OPEN)
    tell(modem, Command.VEL, 300)
    bench.step(5)
    assert {packet.id for packet in modem.take(*SIPS)} == {0x32}, "0x33 would keep ARIA from closing an old session"
    modem.send(client.CLOSE)
    assert not modem.closed
    bench.step(3)
    assert modem.take() == []
    modem.send(*client.SYNCS, client.OPEN)
    bench.step()
    assert [packet.id for packet in modem.take()] == [0, 1, 2, 0x32]
    assert not any("no packet" in line for line in bench.lines())


def test_a_client_that_opens_a_line_at_once_after_another_gets_a_session_of_its_own(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--pty", "--no-noise")
    modem = bench.dial()
    modem.send(b"WMS2\r", *client.SYNCS, client.OPEN)
    tell(modem, Command.VEL, 300)
    bench.step(5)
    modem.take()
    modem.send(b"WMS2\r", *client.SYNCS, client.OPEN)
    bench.step(2)
    assert [packet.id for packet in modem.take()] == [0, 1, 2, 0x32, 0x32]
    assert bench.robots[0].velocity == (0.0, 0.0, 0.0), "a session begins like every other"
    assert bench.logged("A new client begins on this line") == 1


def test_a_packet_split_over_two_reads_with_more_behind_it_is_obeyed(stand: Make) -> None:
    modem = stand().connect()
    stat = client.command(Command.SIM_STAT, 1)
    modem.send(stat[:4])
    modem.send(stat[4:] + stat)
    assert len(modem.take(0x62)) == 2
