"""One client on a TCP connection: the limit of its backlog, the time for its handshake, and peers that are gone."""

from __future__ import annotations

import asyncio
import ctypes
import socket
import struct
import sys
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.net.limits import PENDING_LIMIT
from mobilesim_py.net.ports import RobotPort

HOST = "127.0.0.1"
SO_ATTACH_FILTER = 26
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into Linux's sockets")


def unplug(connection: socket.socket) -> None:
    """Let nothing reach a socket any more, and so nothing be acknowledged, as if its cable was pulled."""
    program = struct.pack("HBBI", 0x06, 0, 0, 0)  # one instruction of the packet filter: keep no byte
    buffer = ctypes.create_string_buffer(program)
    connection.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", 1, ctypes.addressof(buffer)))


@on_linux
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


@on_linux
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


@on_linux
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


def test_a_client_that_never_begins_must_give_up_the_port(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        sessions.synchronised = False
        port = RobotPort(HOST, 0, sessions, log, handshake_seconds=0.1)
        port.open()
        reader, writer = await asyncio.open_connection(HOST, port.port)
        assert await reader.read() == b""
        assert sessions[0].lost_because[0].startswith("Failed to handshake after 0 sec of trying!")
        writer.close()
        assert port.is_listening
        port.close()

    run(story())


def test_a_client_that_has_begun_may_be_silent(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log, handshake_seconds=0.02)
        port.open()
        reader, writer = await asyncio.open_connection(HOST, port.port)
        await asyncio.sleep(0.1)
        writer.write(b"x")
        assert await reader.readexactly(2) == b"x!"
        writer.close()
        port.close()

    run(story())


def test_who_does_not_read_loses_whole_writes_and_no_memory(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((HOST, port.port))
        client.sendall(b"x")
        await asyncio.sleep(0.05)
        link = sessions[0].link
        taken = [link.write(bytes([number % 256]) * 1000) for number in range(20_000)]
        assert link.dropped == taken.count(False) > 0
        assert link.pending <= PENDING_LIMIT
        client.settimeout(2.0)
        expected = b"x!" + b"".join(bytes([n % 256]) * 1000 for n, ok in enumerate(taken) if ok)
        got = bytearray()
        while len(got) < len(expected):
            got += await asyncio.to_thread(client.recv, 65536)
        assert got == expected
        assert link.write(b"again")
        client.close()
        port.close()

    run(story())


def test_a_closed_client_that_does_not_read_frees_the_port_at_once(
    sessions: Any, log: Log, run: Any, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mobilesim_py.net.tcp.FLUSH_SECONDS", 0.05)

    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((HOST, port.port))
        client.sendall(b"x")
        await asyncio.sleep(0.05)
        link = sessions[0].link
        while link.write(bytes(10_000)):
            pass
        link.close()
        assert port.is_listening
        assert not link.write(b"too late")
        await eventually(lambda: link.pending == 0)
        client.close()
        port.close()

    run(story())


def test_a_client_that_is_silent_beyond_the_limit_is_disconnected(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log, vanished_seconds=0.2)
        port.idle_seconds = 0.3
        port.open()
        _, writer = await asyncio.open_connection(HOST, port.port)
        loop = asyncio.get_running_loop()
        began = loop.time()
        while loop.time() - began < 0.6:
            writer.write(b"x")
            await asyncio.sleep(0.05)
        assert not sessions[0].lost_because, "it is not silent"
        await eventually(lambda: bool(sessions[0].lost_because))
        assert "--idle-limit" in sessions[0].lost_because[0]
        assert port.is_listening
        writer.close()
        port.close()

    run(story())
