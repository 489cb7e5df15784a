"""A UDP port: one session for each peer, and no peer can hurt another."""

from __future__ import annotations

import asyncio
import errno
import socket
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.errors import PortError
from mobilesim_py.net.datagrams import DatagramPort, bound_socket
from mobilesim_py.net.hearing import MOST_EACH


def client_of(port: DatagramPort) -> socket.socket:
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.connect(("127.0.0.1", port.port))
    client.settimeout(5.0)
    return client


def test_every_peer_has_a_session_and_gets_its_own_answers(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = DatagramPort("127.0.0.1", 0, sessions, log)
        port.open()
        with client_of(port) as one, client_of(port) as two:
            one.send(b"one")
            two.send(b"two")
            one.send(b"more")
            await eventually(lambda: len(sessions) == 2 and bytes(sessions[0].heard) == b"onemore")
            assert [one.recv(100), one.recv(100), two.recv(100)] == [b"one!", b"more!", b"two!"]
            assert sessions[0].peer == f"localhost (127.0.0.1) port {one.getsockname()[1]}"
        port.close()
        assert [session.lost_because for session in sessions] == [["Closing connection."]] * 2

    run(story())


def test_a_session_that_closes_is_begun_anew_by_the_next_datagram(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    async def story() -> None:
        port = DatagramPort("127.0.0.1", 0, sessions, log)
        port.open()
        with client_of(port) as client:
            client.send(b"close")
            await eventually(lambda: bool(sessions and sessions[0].lost_because))
            client.send(b"again")
            await eventually(lambda: len(sessions) == 2)
            assert not sessions[0].link.write(b"too late")
        port.close()

    run(story())


def test_who_is_silent_for_long_is_forgotten(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = DatagramPort("127.0.0.1", 0, sessions, log, silent_seconds=0.1)
        port.open()
        with client_of(port) as client:
            client.send(b"x")
            await eventually(lambda: bool(sessions and sessions[0].lost_because))
            assert "Nothing heard" in sessions[0].lost_because[0]
        port.close()

    run(story())


def test_only_so_many_peers_are_let_in_and_those_who_are_in_notice_nothing(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    async def story() -> None:
        port = DatagramPort("127.0.0.1", 0, sessions, log, most_peers=2)
        port.open()
        clients = [client_of(port) for _ in range(3)]
        for client in clients:
            client.send(b"hello")
        await eventually(lambda: any("not let in" in line.text for line in log.recent()))
        clients[0].send(b"still here")
        await eventually(lambda: bytes(sessions[0].heard) == b"hellostill here")
        assert len(sessions) == 2
        for client in clients:
            client.close()
        port.close()

    run(story())


def test_a_flood_of_one_peer_is_thrown_away_and_the_other_is_heard(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    async def story() -> None:
        port = DatagramPort("127.0.0.1", 0, sessions, log)
        port.open()
        with client_of(port) as loud, client_of(port) as quiet:
            for _ in range(10 * MOST_EACH):
                loud.send(b"x")
            quiet.send(b"hear me")
            await eventually(lambda: len(sessions) == 2)
            assert bytes(sessions[1].heard) == b"hear me"
            await asyncio.sleep(0.01)
            assert len(sessions[0].heard) == MOST_EACH
            assert any("floods" in line.text for line in log.recent())
        port.close()

    run(story())


def test_a_datagram_that_is_too_long_is_left_out_and_counted(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        port = DatagramPort("127.0.0.1", 0, sessions, log)
        port.open()
        with client_of(port) as client:
            client.send(b"x")
            await eventually(lambda: bool(sessions))
            assert not sessions[0].link.write(bytes(70_000))
            assert sessions[0].link.dropped == 1
        port.close()

    run(story())


def test_a_peer_that_does_not_read_costs_no_memory_and_delays_nobody(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    async def story() -> None:
        port = DatagramPort("127.0.0.1", 0, sessions, log)
        port.open()
        with client_of(port) as deaf, client_of(port) as other:
            deaf.send(b"x")
            other.send(b"y")
            await eventually(lambda: len(sessions) == 2)
            for _ in range(5000):
                sessions[0].link.write(bytes(1000))
            assert sessions[0].link.pending == 0
            assert sessions[1].link.write(b"for you")
            assert [other.recv(100), other.recv(100)] == [b"y!", b"for you"]
        port.close()

    run(story())


def test_a_port_that_is_taken_is_an_error_with_its_number(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        first = DatagramPort("127.0.0.1", 0, sessions, log)
        first.open()
        with pytest.raises(PortError, match=f"UDP port {first.port}"):
            DatagramPort("127.0.0.1", first.port, sessions, log).open()
        first.close()

    run(story())


def test_without_a_descriptor_it_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: Any) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("mobilesim_py.net.datagrams.socket.socket", exhausted)
    with pytest.raises(PortError, match="Too many open files"):
        bound_socket("127.0.0.1", 0)
