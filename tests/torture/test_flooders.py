"""Ten clients that send without end, each to a robot of its own, do not take the time of an eleventh."""

from __future__ import annotations

import itertools
import random
import socket
import statistics
import threading
import time
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command, control, text_command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from tests.e2e.conftest import is_listening

pytestmark = pytest.mark.e2e
FLOODERS = 10
SECONDS = 1.5
CHUNK = 256 * 1024

FLOODS: dict[str, bytes] = {
    "CONFIG": command(Command.CONFIG),
    "PULSE": command(Command.PULSE),
    "headers of packets that never come": b"\xfa\xfb\xcf",
    "messages for the log": text_command(Command.SIM_MESSAGE, "x" * 100),
    "state into the log": control(ControlOperation.LOG_STATE, "y"),
    "map requests": control(ControlOperation.LOAD_MAP, "no-such.map"),
    "garbage": random.Random(1).randbytes(4096),
}
"""What a flooder repeats, by name."""


class Flooder(threading.Thread):
    """Sends as much as the simulator takes, and reads what it is sent."""

    def __init__(self, port: int, data: bytes) -> None:
        super().__init__(daemon=True)
        self.sent = 0
        self._data = data * (CHUNK // len(data))
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=5.0)
        self._socket.sendall(b"".join(SYNCS) + OPEN)
        self._socket.setblocking(False)
        self._over = threading.Event()

    def run(self) -> None:
        """Flood."""
        offset = 0
        while not self._over.wait(0.005):
            try:
                self._socket.recv(1 << 20)
            except BlockingIOError:
                pass
            except OSError:
                return
            try:
                sent = self._socket.send(self._data[offset:])
                self.sent += sent
                offset = (offset + sent) % len(self._data)
            except BlockingIOError:
                continue
            except OSError:
                return

    def stop(self) -> None:
        """End it."""
        self._over.set()
        self.join()
        self._socket.close()


def intervals(client: Any, seconds: float) -> list[float]:
    """Return the times between the SIPs of so many seconds."""
    client.sip()
    times = [time.monotonic()]
    while times[-1] - times[0] < seconds:
        client.sip()
        times.append(time.monotonic())
    return [later - earlier for earlier, later in itertools.pairwise(times)]


def test_a_good_client_is_told_in_time_while_others_flood(start: Any) -> None:
    robots = [word for number in range(FLOODERS + 1) for word in ("-r", f"p3dx:r{number}")]
    simulator = start("--nomap", "--log-file", "sim.log", *robots, count=FLOODERS + 1)
    simulator.wait_for_port(FLOODERS)
    client = simulator.connect().handshake()
    quiet = intervals(client, SECONDS)
    for kind, data in FLOODS.items():
        flooders = [Flooder(simulator.port + 1 + number, data) for number in range(FLOODERS)]
        for flooder in flooders:
            flooder.start()
        disturbed = intervals(client, SECONDS)
        for flooder in flooders:
            flooder.stop()
        print(f"{kind}: quiet {max(quiet) * 1000:.0f} ms, disturbed {max(disturbed) * 1000:.0f} ms at most")
        assert all(flooder.sent > 10_000 for flooder in flooders), f"nobody was heard: {kind}"
        # Unlimited, one flooder alone stops everybody for seconds. The margin is for a machine that is busy with other things.
        assert statistics.median(disturbed) < statistics.median(quiet) + 0.1, kind
        assert sorted(disturbed)[-2] < max(quiet) + 1.0, kind
        while not all(is_listening(simulator.port + 1 + number) for number in range(FLOODERS)):
            client.sip()
    assert (simulator.folder / "sim.log").stat().st_size < 1_000_000
    assert simulator.process.poll() is None
