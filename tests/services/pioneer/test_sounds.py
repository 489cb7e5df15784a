"""Tones and stored sounds."""

from __future__ import annotations

from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.packet import encode

from .conftest import Make, tell


def test_tones_are_named_in_the_log_and_kept_for_whoever_looks_on(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(bytes.fromhex("fafb090f2b043240324553ca"))
    assert bench.logged("beeps E4 1.0 s, A4 1.0 s") == 1
    equipment = modem.session.equipment
    assert equipment.sounds == 1
    assert equipment.tones[1] == (1.0, 440.0)
    modem.send(encode(Command.SAY, bytes((0x2B, 4, 10, 0, 10, 200))))
    assert equipment.tones == [(0.2, 0.0), (0.2, 73 * 32.0)]


def test_nothing_is_heard_while_muted_or_of_nothing(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SOUNDTOG, 0)
    tell(modem, Command.SOUND, 3)
    modem.send(encode(Command.SAY, bytes((0x2B, 2, 10, 60))))
    tell(modem, Command.SOUNDTOG, 1)
    modem.send(encode(Command.SAY), encode(Command.SAY, b"\x2b"))
    assert modem.session.equipment.sounds == 0
    tell(modem, Command.SOUND, 1)
    assert bench.logged("plays sound 1 (hello)") == 1


def test_a_list_of_all_sounds_comes_one_packet_with_each_sip(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.PLAYLIST, 0)
    bench.step(8)
    told = [(packet.data[0], packet.data[2:18].rstrip(b"\0")) for packet in modem.take(0xD0)]
    assert told[:2] == [(5, b"hello"), (2, b"ready")]
    assert len(told) == 5
    tell(modem, Command.PLAYLIST, 3)
    tell(modem, Command.PLAYLIST, 99)
    bench.step(2)
    assert modem.take(0xD0) == []
