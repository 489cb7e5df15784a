"""TCP ports: one client at a time for a robot, any number for a factory."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import struct
from types import SimpleNamespace
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.errors import ExitCode, PortError
from mobilesim_py.net import ports
from mobilesim_py.net.limits import by_messages
from mobilesim_py.net.ports import FactoryPort, RobotPort, port_of

HOST = "127.0.0.1"


def reset(writer: asyncio.StreamWriter) -> None:
    """Leave with a TCP reset instead of a goodbye."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def is_refused(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((HOST, port)) == 111


def test_a_client_is_heard_and_answered(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        reader, writer = await asyncio.open_connection(HOST, port.port)
        writer.write(b"hello")
        assert await reader.readexactly(6) == b"hello!"
        assert sessions[0].peer == "localhost (127.0.0.1)"
        writer.close()
        port.close()

    run(story())


def test_a_second_client_is_refused_while_one_is_on(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        reader, writer = await asyncio.open_connection(HOST, port.port)
        writer.write(b"x")
        await reader.readexactly(2)
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(HOST, port.port)
        writer.close()
        port.close()

    run(story())


def test_a_client_that_waits_in_the_queue_is_reset(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        first, second = socket.socket(), socket.socket()
        first.connect((HOST, port.port))  # the loop has no chance to accept in between
        second.connect((HOST, port.port))
        first.sendall(b"x")
        first.settimeout(2.0)
        assert await asyncio.to_thread(first.recv, 2) == b"x!"
        second.settimeout(2.0)
        with pytest.raises(ConnectionResetError):
            await asyncio.to_thread(second.recv, 1)
        assert len(sessions) == 1
        first.close()
        second.close()
        port.close()

    run(story())


@pytest.mark.parametrize("leaving", ["CLOSE command", "end of stream", "reset"])
def test_the_port_is_free_again_at_once(leaving: str, sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        for _ in range(10):
            reader, writer = await asyncio.open_connection(HOST, port.port)
            writer.write(b"x")
            await reader.readexactly(2)
            if leaving == "CLOSE command":
                writer.write(b"close")
                assert await reader.read() == b"close!"  # everything pending, then the end
            elif leaving == "end of stream":
                writer.write_eof()
                assert await reader.read() == b""
            else:
                reset(writer)
                await eventually(lambda: port.is_listening)
            writer.close()
        assert len(sessions) == 10
        assert all(len(session.lost_because) == 1 for session in sessions)
        assert port.links == set()
        port.close()

    run(story())


def test_the_session_learns_why_the_client_went(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        reader, writer = await asyncio.open_connection(HOST, port.port)
        writer.write(b"close")
        await reader.read()
        writer.close()
        _, writer = await asyncio.open_connection(HOST, port.port)
        await eventually(lambda: len(sessions) == 2)
        writer.close()
        await eventually(lambda: bool(sessions[1].lost_because))
        _, writer = await asyncio.open_connection(HOST, port.port)
        await eventually(lambda: len(sessions) == 3)
        reset(writer)
        await eventually(lambda: bool(sessions[2].lost_because))
        assert [session.lost_because for session in sessions] == [
            ["Closing connection."],
            ["Client disconnected."],
            ["Error reading client data. Ending session."],
        ]
        port.close()

    run(story())


def test_a_taken_port_is_an_error_that_names_the_holder(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        first, second = RobotPort(HOST, 0, sessions, log), None
        first.open()
        second = FactoryPort(HOST, first.port, sessions, log)
        with pytest.raises(PortError, match=rf"it is in use by process {os.getpid()} \(.*python.*\)") as caught:
            second.open()
        assert caught.value.exit_code == ExitCode.PORT
        first.close()

    run(story())


@pytest.mark.parametrize(
    ("host", "port", "said"),
    [
        ("203.0.113.9", 0, "this machine has no such address"),
        ("no.such.host.invalid", 0, "this machine has no such address"),
        (HOST, 70000, "they end at 65535"),
    ],
)
def test_a_port_that_cannot_be_opened(host: str, port: int, said: str, sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        with pytest.raises(PortError, match=said):
            RobotPort(host, port, sessions, log).open()

    run(story())


def test_a_port_taken_by_another_while_a_client_was_on_is_waited_for(
    sessions: Any, log: Log, run: Any, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mobilesim_py.net.ports.REOPEN_SECONDS", 0.02)

    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        _, writer = await asyncio.open_connection(HOST, port.port)
        await eventually(lambda: not port.is_listening)
        thief = socket.socket()
        thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        thief.bind((HOST, port.port))
        thief.listen()
        writer.close()
        await eventually(lambda: any("Trying again" in line.text for line in log.recent()))
        assert not port.is_listening
        thief.close()
        await eventually(lambda: port.is_listening)
        port.close()

    run(story())


@pytest.mark.parametrize("said", [b"", b"hello", b"close"])
@pytest.mark.parametrize("leaving", ["closed", "reset"])
def test_a_client_that_left_before_it_was_accepted_is_in_nobodys_way(
    said: bytes, leaving: str, sessions: Any, log: Log, run: Any
) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        hasty, patient = socket.socket(), socket.socket()
        hasty.connect((HOST, port.port))  # the loop has no chance to accept before the second has queued up
        hasty.sendall(said)
        if leaving == "reset":
            hasty.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        hasty.close()
        patient.connect((HOST, port.port))
        patient.sendall(b"x")
        patient.settimeout(5.0)
        assert await asyncio.to_thread(patient.recv, 2) == b"x!"
        assert sessions[-1].lost_because == []
        assert len(sessions) == (2 if said else 1)
        assert all(session.heard == said and len(session.lost_because) == 1 for session in sessions[:-1])
        patient.close()
        port.close()

    run(story())


def test_a_client_that_only_sends_still_gets_its_answer(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        client = socket.create_connection((HOST, port.port))
        client.sendall(b"hello")
        client.shutdown(socket.SHUT_WR)
        client.settimeout(5.0)
        answer = b""
        while data := await asyncio.to_thread(client.recv, 100):
            answer += data
        assert answer == b"hello!"
        client.close()
        port.close()

    run(story())


def test_closing_a_port_ends_its_client_cleanly(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        reader, writer = await asyncio.open_connection(HOST, port.port)
        writer.write(b"x")
        await reader.readexactly(2)
        sessions[0].link.write(b"last words")
        port.close()
        assert await reader.read() == b"last words"
        assert sessions[0].lost_because == ["Closing connection."]
        assert is_refused(port.port)
        writer.close()

    run(story())


def test_the_log_tells_what_people_wait_for(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = RobotPort("", 0, sessions, log, robot="robot1")
        port.open()
        reader, writer = await asyncio.open_connection(HOST, port.port)
        writer.write(b"x")
        await reader.readexactly(2)
        writer.close()
        port.close()
        lines = [f"{line.robot}: {line.text}" for line in log.recent()]
        assert lines[0].startswith(f"robot1: Pioneer port opened. Listening on TCP port {port.port}... [")
        assert lines[1:] == [
            f"robot1: Pioneer interface ready for a client to connect on TCP port {port.port}.",
            "robot1: Client connected from localhost (127.0.0.1)",
        ]

    run(story())


def test_a_factory_serves_many_clients_and_forgets_them(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = FactoryPort(HOST, 0, sessions, log)
        port.open()

        async def client(number: int) -> None:
            reader, writer = await asyncio.open_connection(HOST, port.port)
            writer.write(b"%03d" % number)
            assert await reader.readexactly(4) == b"%03d!" % number
            if number % 3 == 0:
                reset(writer)
            elif number % 3 == 1:
                writer.close()
            else:
                writer.write(b"close")
                assert await reader.read() == b"close!"
                writer.close()

        await asyncio.gather(*(client(number) for number in range(200)))
        await eventually(lambda: port.links == set())
        assert len(sessions) == 200
        assert all(len(session.lost_because) == 1 for session in sessions)
        port.close()

    run(story())


def test_sockets_do_not_pile_up(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = FactoryPort(HOST, 0, sessions, log)
        port.open()
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(50):
            reader, writer = await asyncio.open_connection(HOST, port.port)
            writer.write(b"close")
            await reader.read()
            writer.close()
            await writer.wait_closed()
        await eventually(lambda: len(os.listdir("/proc/self/fd")) == before)
        port.close()

    run(story())


def test_an_ipv6_address_works(sessions: Any, log: Log, run: Any) -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")

    async def story() -> None:
        port = RobotPort("::1", 0, sessions, log)
        port.open()
        reader, writer = await asyncio.open_connection("::1", port.port)
        writer.write(b"x")
        assert await reader.readexactly(2) == b"x!"
        assert sessions[0].peer == "localhost (::1)"
        writer.close()
        port.close()

    run(story())


def test_a_picture_larger_than_the_limit_of_a_stream_leaves_whole_through_a_door_for_pictures(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    picture = bytes(range(256)) * 2820  # 722 kB: two pictures of an Oz's cameras

    async def story() -> None:
        port = RobotPort("127.0.0.1", 0, sessions, log, limit=by_messages(2))
        port.open()
        reader, writer = await asyncio.open_connection("127.0.0.1", port.port)
        await eventually(lambda: bool(sessions and sessions[0].link))
        link = sessions[0].link
        taken = [link.write(picture) for _ in range(100)]
        assert link.pending <= 2 * len(picture)
        assert link.dropped == taken.count(False) > 90
        for _ in range(taken.count(True)):
            assert await reader.readexactly(len(picture)) == picture
        assert link.write(picture), "the reader has caught up"
        assert await reader.readexactly(len(picture)) == picture
        writer.close()
        await eventually(lambda: bool(sessions[0].lost_because))
        port.close()

    run(story())


def test_a_port_without_a_descriptor_for_it_ends_its_session_and_listens_when_there_is_one(
    sessions: Any, log: Log, run: Any, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*arguments: Any) -> socket.socket:
        raise OSError(errno.EMFILE, "Too many open files")

    async def story() -> None:
        monkeypatch.setattr(ports, "REOPEN_SECONDS", 0.01)
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        reader, writer = await asyncio.open_connection(HOST, port.port)
        writer.write(b"x")
        await reader.readexactly(2)
        with monkeypatch.context() as full:
            full.setattr(ports.socket, "socket", none_left)
            writer.close()
            await eventually(lambda: sessions[0].lost_because)
            await asyncio.sleep(0.05)
            assert not port.is_listening
        await eventually(lambda: port.is_listening)
        reader, writer = await asyncio.open_connection(HOST, port.port)
        writer.write(b"y")
        assert await reader.readexactly(2) == b"y!"
        writer.close()
        port.close()

    run(story())


def test_a_port_that_cannot_accept_keeps_its_socket_and_accepts_later(
    sessions: Any, log: Log, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        monkeypatch.setattr(ports, "REOPEN_SECONDS", 0.05)
        port = RobotPort(HOST, 0, sessions, log)
        port.open()
        listener = port._socket
        full = SimpleNamespace(accept=_cannot_accept, fileno=listener.fileno)
        port._socket = full  # type: ignore[assignment]
        client = asyncio.create_task(asyncio.open_connection(HOST, port.port))
        await asyncio.sleep(0.02)
        port._socket = listener
        assert not sessions
        reader, writer = await client
        writer.write(b"x")
        assert await reader.readexactly(2) == b"x!"
        writer.close()
        port.close()

    run(story())


def _cannot_accept() -> None:
    raise OSError(errno.EMFILE, "Too many open files")


def test_a_socket_whose_number_nobody_tells_is_closed_and_told_of() -> None:
    listener = socket.socket()
    listener.close()
    with pytest.raises(PortError, match="does not tell its number"):
        port_of(listener)
