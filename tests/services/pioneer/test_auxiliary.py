"""Serial ports: cameras at AUX1, a loop, a receiver, wishes for bytes that are not there yet."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.packet import encode

from .conftest import Make, NullModem, tell

WHERE = "ff30300063ef"


def tty(modem: NullModem, command: Command, text: str) -> None:
    """Send bytes as ARIA does: counted, with a NUL behind that does not count."""
    data = bytes.fromhex(text)
    modem.send(encode(command, bytes((0x2B, len(data))) + data + b"\0"))


def heard(modem: NullModem, number: int = 0xB0) -> list[str]:
    return [packet.data.hex() for packet in modem.take(number)]


def test_arias_way_to_ask_a_camera_where_it_looks(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(bytes.fromhex("fafb132a2b0eff303000623831393037463445ef4647"))
    bench.run(3.0)
    tell(modem, Command.GETAUX, 0)
    tell(modem, Command.GETAUX, 6)
    modem.send(bytes.fromhex("fafb0b2a2b06ff30300063ef6152"))
    assert heard(modem) == ["fe3030303038"]
    tell(modem, Command.GETAUX, 8)
    assert heard(modem) == ["31393037463445ef"]


def test_an_answer_that_is_shorter_than_asked_for_is_waited_for(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.GETAUX, 12)
    tty(modem, Command.TTY2, "ff303000a031ef")
    bench.step(3)
    assert heard(modem) == []
    tty(modem, Command.TTY2, "ff3030009030ef")
    assert heard(modem) == ["fe30303030ef" * 2]


def test_getaux_0_forgets_what_is_there_and_what_was_wanted(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tty(modem, Command.TTY2, WHERE)
    tell(modem, Command.GETAUX, 0)
    tell(modem, Command.GETAUX, 6)
    assert heard(modem) == []
    tell(modem, Command.GETAUX, 0)
    tty(modem, Command.TTY2, WHERE)
    assert heard(modem) == []


def test_every_port_has_its_own_packet(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--aux2", "loop", "--aux3", "p3dx-sh=loop")
    modem = bench.connect()
    for ask, send, number in ((Command.GETAUX2, Command.TTY3, 0xB8), (Command.GETAUX3, Command.TTY4, 0xC8)):
        tell(modem, ask, 3)
        tty(modem, send, "010203")
        assert heard(modem, number) == ["010203"]


def test_a_port_is_for_the_robot_that_was_named(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--aux1", "somebody=loop")
    modem = bench.connect()
    assert modem.session.equipment.ports.ports[1].kind == "vcc4"


def test_bytes_that_nobody_fetches_are_bounded(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--aux1", "loop")
    modem = bench.connect()
    for k in range(20):
        modem.send(client.text_command(Command.TTY2, f"{k:03d}" + "x" * 150))
    assert len(modem.session.equipment.ports.ports[1].heard) == 1024


def test_a_receiver_at_a_port_says_where_the_robot_is(stand: Make, room_map: object) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "--aux1", "gps", "--no-noise")
    modem = bench.connect()
    tell(modem, Command.GETAUX, 20)
    bench.step()
    (first,) = heard(modem)
    assert bytes.fromhex(first).startswith(b"$GPRMC,131415.")
    tell(modem, Command.GETAUX, 200)
    bench.run(1.0)
    assert len(heard(modem)) == 1


def test_a_session_that_ends_leaves_no_wish_and_a_camera_that_looks_ahead(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tty(modem, Command.TTY2, "ff303000623831393037463445ef")
    bench.run(2.0)
    mount = modem.session.equipment.ports.mounts[1]
    assert mount.pan.at(bench.time) == pytest.approx(45.0, abs=0.1)
    tell(modem, Command.GETAUX, 100)
    modem.send(client.CLOSE)
    modem = bench.connect()
    assert (mount.pan.at(bench.time), modem.session.equipment.ports.waits) == (0.0, False)
