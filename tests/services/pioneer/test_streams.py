"""Packets that clients ask for: once, with every SIP, in their order, and no more in the next session."""

from __future__ import annotations

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command

from .conftest import Make, tell

STREAMS = {
    Command.ENCODER: 0x90,
    Command.IOREQUEST: 0xF0,
    Command.GRIPPERPACREQUEST: 0xE0,
    Command.BATTERYINFO: 0xFA,
    Command.JOYINFO: 0xF8,
}


def test_a_client_that_asks_for_nothing_gets_nothing(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-equipped")
    modem = bench.connect()
    bench.step(5)
    assert {packet.id for packet in modem.take()} == {0x32}


def test_one_is_one_packet_with_the_next_sip_and_two_one_with_every_sip(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    for command, number in STREAMS.items():
        tell(modem, command, 1)
        assert modem.take() == []
        bench.step(3)
        assert [packet.id for packet in modem.take(number)] == [number]
        tell(modem, command, 2)
        bench.step(3)
        assert [packet.id for packet in modem.take(number)] == [number] * 3
        tell(modem, command, 0)
        bench.step(2)
        assert modem.take(number) == []


def test_gyro_and_joystick_come_before_the_sip_and_all_others_between_it_and_the_scan(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-equipped")
    modem = bench.connect()
    tell(modem, Command.SIM_LRF_ENABLE, 1)
    for command in (*STREAMS, Command.GYRO):
        tell(modem, command, 2)
    tell(modem, Command.TCM2, 3)
    bench.step(2)
    modem.take()
    bench.step()
    ids = [packet.id for packet in modem.take()]
    assert ids == [0x98, 0xF8, 0x32, 0x90, 0xF0, 0xE0, 0xFA, *[0x60] * 6]


def test_the_next_session_has_no_streams(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.ENCODER, 2)
    modem.send(client.CLOSE)
    modem = bench.connect()
    bench.step(2)
    assert modem.take(0x90) == []


def test_packets_are_counted(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    before = modem.session.packets_sent
    tell(modem, Command.ENCODER, 2)
    bench.step()
    assert modem.session.packets_sent - before == 2
