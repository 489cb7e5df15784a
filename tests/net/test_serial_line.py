"""A robot on a serial line, played by a pseudo-terminal and by pySerial's urls."""

from __future__ import annotations

import asyncio
import os
import socket
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.errors import ExitCode, PortError
from mobilesim_py.net.budget import SLICE
from mobilesim_py.net.serial_line import SerialPort


class Cable:
    """The far end of a serial device that can be unplugged: a pseudo-terminal behind a link."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.plug_in()

    def plug_in(self) -> None:
        self.far, near = os.openpty()
        tty.setraw(near)
        self.link.symlink_to(os.ttyname(near))
        os.close(near)

    def unplug(self) -> None:
        self.link.unlink()
        os.close(self.far)

    async def exchange(self, data: bytes) -> bytes:
        os.write(self.far, data)
        return await asyncio.to_thread(os.read, self.far, 4096)


@pytest.fixture
def cable(tmp_path: Path) -> Cable:
    return Cable(tmp_path / "ttyUSB0")


def test_a_client_is_heard_and_answered(cable: Cable, sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = SerialPort(str(cable.link), 9600, sessions, log, robot="robot1")
        port.open()
        assert await cable.exchange(b"\x00\xff\x11\x13hello") == b"\x00\xff\x11\x13hello!"
        assert sessions[0].peer == str(cable.link)
        port.close()
        assert sessions[0].lost_because == ["Closing connection."]

    run(story())


def test_after_close_the_next_byte_begins_a_session(
    cable: Cable, sessions: Any, log: Log, run: Any, eventually: Callable[..., Any]
) -> None:
    async def story() -> None:
        port = SerialPort(str(cable.link), 9600, sessions, log)
        port.open()
        os.write(cable.far, b"close")
        await eventually(lambda: bool(sessions) and bool(sessions[-1].lost_because))
        count = len(sessions)
        os.write(cable.far, b"x")
        await eventually(lambda: len(sessions) > count)
        assert sessions[-1].lost_because == []
        port.close()

    run(story())


def test_unplugging_is_survived(
    cable: Cable, sessions: Any, log: Log, run: Any, eventually: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mobilesim_py.net.serial_line.REOPEN_SECONDS", 0.02)

    async def story() -> None:
        port = SerialPort(str(cable.link), 9600, sessions, log)
        port.open()
        assert await cable.exchange(b"one") == b"one!"
        cable.unplug()
        await eventually(lambda: bool(sessions[0].lost_because))
        assert any("Lost serial line" in line.text for line in log.recent())
        assert not port.is_open
        cable.plug_in()
        await eventually(lambda: port.is_open)
        assert await cable.exchange(b"two") == b"two!"
        assert len(sessions) == 2
        port.close()

    run(story())


def test_a_line_that_is_not_there_at_the_start_is_an_error(sessions: Any, log: Log, run: Any, tmp_path: Path) -> None:
    async def story() -> None:
        with pytest.raises(PortError, match="Could not open serial line") as caught:
            SerialPort(str(tmp_path / "ttyUSB7"), 9600, sessions, log).open()
        assert caught.value.exit_code == ExitCode.PORT

    run(story())


def test_an_unknown_kind_of_url_is_an_error(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        with pytest.raises(PortError, match="carrier-pigeon"):
            SerialPort("carrier-pigeon://loft", 9600, sessions, log).open()

    run(story())


def test_a_slow_line_drops_what_it_cannot_carry(
    cable: Cable, sessions: Any, log: Log, run: Any, eventually: Callable[..., Any]
) -> None:
    async def story() -> None:
        port = SerialPort(str(cable.link), 9600, sessions, log)
        port.open()
        assert await cable.exchange(b"x") == b"x!"
        link = sessions[0].link
        taken = [link.write(bytes(500)) for _ in range(200)]
        assert link.dropped == taken.count(False) > 0
        port.close()

    run(story())


def test_a_socket_url_works(sessions: Any, log: Log, run: Any, eventually: Callable[..., Any]) -> None:
    async def story() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = SerialPort(f"socket://127.0.0.1:{server.getsockname()[1]}", 9600, sessions, log)
            port.open()
            far, _ = server.accept()
            far.settimeout(5.0)
            far.sendall(b"hello")
            await eventually(lambda: bool(sessions) and sessions[0].heard == b"hello")
            data = b""
            while not data.endswith(b"o!"):
                data += await asyncio.to_thread(far.recv, 100)
            assert data.replace(b"!", b"") == b"hello"
            port.close()
            far.close()

    run(story())


def test_who_floods_it_is_heard_a_little_in_each_turn_and_wholly_in_the_end(
    cable: Cable, busy_sessions: Any, log: Log, run: Any, eventually: Callable[..., Any]
) -> None:
    async def story() -> None:
        port = SerialPort(str(cable.link), 115200, busy_sessions, log)
        port.open()
        said = bytes(range(256)) * 8
        os.write(cable.far, said)
        await eventually(lambda: bool(busy_sessions and busy_sessions[0].heard))
        while len(busy_sessions[0].heard) < len(said):
            heard = len(busy_sessions[0].heard)
            assert heard % SLICE == 0 or heard < SLICE, "a little at a time"
            port.turns.next()
            await eventually(lambda heard=heard: len(busy_sessions[0].heard) > heard)
        assert bytes(busy_sessions[0].heard) == said
        assert len(busy_sessions) == 1
        port.close()
        port.turns.next()

    run(story())
