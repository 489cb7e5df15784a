"""Programs of the user's at serial ports, over real sockets and terminals."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mobilesim_py.app.logs import Log
from mobilesim_py.net.doors import Doors
from mobilesim_py.services.pioneer.attaching import attach
from mobilesim_py.services.pioneer.serial_ports import SerialPorts


async def until(condition: Any) -> None:
    async with asyncio.timeout(10.0):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def test_a_tcp_peer_and_a_terminal_hear_the_robot_and_answer(tmp_path: Path) -> None:
    async def story() -> None:
        heard: list[bytes] = []

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.append(await reader.readexactly(4))
            writer.write(b"pong")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        link = tmp_path / "terminal"
        ports = SerialPorts({1: f"pty:{link}", 2: f"tcp:127.0.0.1:{port}", 3: "gps"})
        again: list[Any] = []
        clock = SimpleNamespace(later=lambda seconds, call: again.append(call))
        stage: Any = SimpleNamespace(log=Log(), doors=Doors(), clock=clock, simulation=None)
        doors = attach(stage, SimpleNamespace(name="robot"), ports)  # type: ignore[arg-type]
        assert len(doors) == 2

        def said(number: int, text: bytes) -> bool:
            for one in (1, 2):
                ports.ports[one].keep(ports.ports[one].peripheral.speak(0.0))
            return bytes(ports.ports[number].heard) == text

        await until(lambda: stage.log.recent() and "other end" in stage.log.recent()[-1].text)
        ports.write(2, b"ping", 0.0)
        await until(lambda: said(2, b"pong"))
        await until(lambda: again)
        assert heard == [b"ping"]

        terminal = os.open(link, os.O_RDWR | os.O_NOCTTY)
        await until(lambda: sum("AUX1" in line.text and "other end" in line.text for line in stage.log.recent()))
        ports.write(1, b"abc", 0.0)
        await until(lambda: True)
        assert os.read(terminal, 3) == b"abc"
        os.write(terminal, b"xyz")
        await until(lambda: said(1, b"xyz"))
        os.close(terminal)
        stage.doors.close_all()
        # A door that is closed dials no more.
        again.pop()()
        server.close()

    asyncio.run(story())
