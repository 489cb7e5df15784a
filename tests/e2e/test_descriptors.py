"""A full table of descriptors: said at the start, survived later, and every port comes back when there is room."""

from __future__ import annotations

import contextlib
import socket
import time
from typing import Any

import pytest

pytestmark = pytest.mark.e2e
HOST = "127.0.0.1"


def hold(port: int, count: int) -> list[socket.socket]:
    """Connect so many clients that say nothing."""
    held = []
    for _ in range(count):
        held.append(socket.create_connection((HOST, port), timeout=5.0))
    return held


@pytest.mark.parametrize("descriptors", [24, 64])
def test_more_robots_than_descriptors_are_refused_with_a_sentence(descriptors: int, start: Any) -> None:
    robots = [word for _ in range(80) for word in ("-r", "p3dx")]
    simulator = start("--nomap", "--engine", "numpy", *robots, listening=False, descriptors=descriptors)
    assert simulator.wait() == 248
    assert "Traceback" not in simulator.said()
    assert "ulimit -n" in simulator.said()


def test_a_robots_port_comes_back_when_a_factory_s_clients_have_left_room(start: Any) -> None:
    simulator = start("--nomap", "--engine", "numpy", "-r", "p3dx", "-R", "p3dx", descriptors=40)
    simulator.wait_for_port(1)
    client = simulator.connect().handshake()
    client.sip()
    held = hold(simulator.port + 1, 60)  # more than there are descriptors: the rest waits in the queue
    simulator.wait_for_text("Too many open files")
    client.close()
    simulator.wait_for_text("p3dx: Client disconnected.")
    for connection in held:
        connection.close()
    deadline = time.monotonic() + 20.0
    while True:
        with contextlib.suppress(OSError, AssertionError):
            again = simulator.connect().handshake()
            again.sip()
            break
        assert time.monotonic() < deadline, simulator.said()
        time.sleep(0.1)
    assert simulator.process.poll() is None
