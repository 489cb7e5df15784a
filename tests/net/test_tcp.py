"""Noticing that a peer is gone, though nothing says so."""

from __future__ import annotations

import asyncio
import ctypes
import socket
import struct
import sys
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.net.ports import RobotPort

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into Linux's sockets")
SO_ATTACH_FILTER = 26


def unplug(connection: socket.socket) -> None:
    """Let nothing reach a socket any more, and so nothing be acknowledged, as if its cable was pulled."""
    program = struct.pack("HBBI", 0x06, 0, 0, 0)  # one instruction of the packet filter: keep no byte
    buffer = ctypes.create_string_buffer(program)
    connection.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", 1, ctypes.addressof(buffer)))


def test_a_peer_whose_cable_was_pulled_is_noticed(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = RobotPort("127.0.0.1", 0, sessions, log, vanished_seconds=0.3)
        port.open()
        client = socket.create_connection(("127.0.0.1", port.port))
        client.sendall(b"x")
        await eventually(lambda: bool(sessions))
        await asyncio.sleep(0.05)
        unplug(client)
        sessions[0].link.write(b"into the void")
        await eventually(lambda: bool(sessions[0].lost_because))
        assert sessions[0].lost_because[0].startswith("Client has not acknowledged anything for")
        assert port.is_listening
        client.close()
        port.close()

    run(story())


def test_a_peer_that_does_not_read_is_not_taken_for_gone(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort("127.0.0.1", 0, sessions, log, vanished_seconds=0.2)
        port.open()
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port.port))
        client.sendall(b"x")
        await asyncio.sleep(0.05)
        for _ in range(30):
            sessions[0].link.write(bytes(20_000))
            await asyncio.sleep(0.04)
        assert sessions[0].lost_because == []
        client.close()
        port.close()

    run(story())


def test_a_silent_peer_is_asked_whether_it_is_there(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = RobotPort("127.0.0.1", 0, sessions, log)
        port.open()
        _, writer = await asyncio.open_connection("127.0.0.1", port.port)
        await eventually(lambda: bool(sessions))
        transport = sessions[0].link._transport
        accepted = transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 10
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
        writer.close()
        port.close()

    run(story())
