"""Clients that have left before they are accepted."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.net.ports import RobotPort

HOST = "127.0.0.1"


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
