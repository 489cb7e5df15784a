"""--lockstep: the world waits for its clients, and with the same seed and the same bytes every byte sent is the same."""

from __future__ import annotations

import struct
import time
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.packet import PacketReader, encode

pytestmark = pytest.mark.e2e

MAP = "office.map"
SIPS = (0x32, 0x33)
SIM_STAT = 0x62
CONFIG = 0x20
TICKS = 60
ONCE, ALWAYS = 1, 2


class Talker:
    """A client that keeps every byte it is sent."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.received = b""
        self._reader = PacketReader()
        self._waiting: list[int] = []

    def say(self, *words: bytes) -> None:
        """Send everything at once, so that it arrives at once."""
        self.client.send(b"".join(words))

    def hear(self, *ids: int) -> None:
        """Receive until a packet of one of these ids has come."""
        while True:
            while self._waiting:
                if self._waiting.pop(0) in ids:
                    return
            data = self.client.socket.recv(65536)
            assert data, "the simulator closed the connection"
            self.received += data
            self._waiting += [packet.id for packet in self._reader.feed(data)]

    def join(self) -> None:
        """Shake hands and open, and return when that has been noticed."""
        for number, sync in enumerate(SYNCS):
            self.say(sync)
            self.hear(number)
        self.say(OPEN, command(Command.SIM_STAT, ONCE))
        self.hear(SIM_STAT)


def laser_command(number: int, value: int) -> bytes:
    return encode(number, struct.pack("<BHB", 0x1B if value < 0 else 0x3B, abs(value), 0))


LASER = b"".join(
    laser_command(number, value)
    for number, value in (
        (Command.SIM_LRF_SET_FOV_START, -90),
        (Command.SIM_LRF_SET_FOV_END, 90),
        (Command.SIM_LRF_SET_RES, 100),
        (Command.SIM_LRF_ENABLE, 2),
    )
)


def wishes(robot: int, tick: int) -> bytes:
    """What the client of a robot sends in a tick: always something, now and then something else."""
    pulse = command(Command.PULSE)
    if tick == 0:
        return pulse + LASER + command(Command.SIM_STAT, ALWAYS)
    if tick % 10 == 3:
        return command(Command.VEL, 150 + 40 * robot) + command(Command.ROTATE, (-1) ** robot * (5 + tick))
    if tick % 10 == 8:
        return command(Command.MOVE, 200 - 300 * robot) + command(Command.DHEAD, 30)
    return pulse


def run(start: Any, *words: str, seed: int = 7, dt: int = 100) -> list[bytes]:
    """Two robots that move and sense for a while; every byte that each of their clients got."""
    simulator = start(
        *("-m", MAP, "-r", "p3dx-sh", "-r", "p3at-sh", "--lockstep", "--lockstep-timeout", "0"),
        *("--seed", str(seed), "--update-interval", str(dt), *words),
    )
    simulator.wait_for_port(1)
    first, second = (Talker(simulator.connect(number)) for number in range(2))
    first.join()
    first.hear(*SIPS)
    # From here on the world waits for the first client, so the second joins between the same two steps every time.
    second.join()
    # Who has just come has spoken, so the first client's next word alone lets the world step: take that step before the
    # words that are compared, or it would race with the second client's.
    first.say(command(Command.PULSE))
    for talker in (first, second):
        talker.hear(*SIPS)
    for tick in range(TICKS):
        for robot, talker in enumerate((first, second)):
            talker.say(wishes(robot, tick))
        for talker in (first, second):
            talker.hear(*SIPS)
    # What is sent after the last SIP of a tick (its scan) may still be on its way: ask for something behind it.
    for talker in (first, second):
        talker.say(command(Command.CONFIG))
        talker.hear(CONFIG)
    simulator.end()
    return [up_to_config(talker.received) for talker in (first, second)]


def up_to_config(received: bytes) -> bytes:
    """Without what came behind CONFIG: the last client's question lets the world step once more, and that may be seen or not."""
    packets = PacketReader().feed(received)
    end = max(number for number, packet in enumerate(packets) if packet.id == CONFIG)
    return b"".join(encode(packet.id, packet.data) for packet in packets[: end + 1])


@pytest.mark.parametrize("engines", [("numpy", "numpy"), ("compiled", "compiled"), ("numpy", "compiled")], ids="-".join)
def test_the_same_seed_and_the_same_words_give_the_same_bytes(engines: tuple[str, str], start: Any) -> None:
    if "compiled" in engines:
        pytest.importorskip("numba", reason="Numba does not exist for this Python")
    streams, others = (run(start, "--engine", engine) for engine in engines)
    assert [len(stream) for stream in streams] == [len(stream) for stream in others]
    for stream, other in zip(streams, others, strict=True):
        assert stream == other


def test_the_run_that_is_compared_has_scans_and_motion_in_it(start: Any) -> None:
    first, second = run(start, "--engine", "numpy")
    packets = PacketReader().feed(second)
    scans = [packet.data for packet in packets if packet.id == 0x61]
    sips = [packet.data for packet in packets if packet.id in SIPS]
    assert len(scans) == 6 * TICKS
    assert len(set(scans)) > 5 * TICKS
    assert len({sip[:6] for sip in sips}) > TICKS // 2
    assert first != second


def test_another_seed_gives_other_bytes(start: Any) -> None:
    assert run(start, "--engine", "numpy", seed=7) != run(start, "--engine", "numpy", seed=8)


def test_short_steps_repeat_too(start: Any) -> None:
    assert run(start, "--engine", "numpy", dt=20) == run(start, "--engine", "numpy", dt=20)


def test_a_client_that_says_nothing_is_waited_for(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--lockstep", "--lockstep-timeout", "0")
    talker = Talker(simulator.connect())
    talker.join()
    talker.hear(*SIPS)
    talker.client.socket.settimeout(1.0)
    with pytest.raises(TimeoutError):
        talker.hear(*SIPS)


def test_a_silent_client_is_waited_for_only_so_long(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--lockstep", "--lockstep-timeout", "0.3")
    talker = Talker(simulator.connect())
    talker.join()
    talker.hear(*SIPS)
    began = time.monotonic()
    for _ in range(3):
        talker.hear(*SIPS)
    assert time.monotonic() - began >= 0.8


def test_every_client_must_have_spoken(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "-r", "p3dx", "--lockstep", "--lockstep-timeout", "0")
    simulator.wait_for_port(1)
    eager, lazy = (Talker(simulator.connect(number)) for number in range(2))
    eager.join()
    eager.hear(*SIPS)
    lazy.join()
    eager.say(command(Command.PULSE))
    eager.hear(*SIPS)  # Joining counted as the other's word.
    eager.say(command(Command.PULSE))
    eager.client.socket.settimeout(0.7)
    with pytest.raises(TimeoutError):
        eager.hear(*SIPS)
    lazy.say(command(Command.PULSE))
    eager.client.socket.settimeout(15.0)
    eager.hear(*SIPS)


def test_a_client_that_leaves_is_not_waited_for(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "-r", "p3dx", "--lockstep", "--lockstep-timeout", "0")
    simulator.wait_for_port(1)
    staying, leaving = (Talker(simulator.connect(number)) for number in range(2))
    staying.join()
    staying.hear(*SIPS)
    leaving.join()
    staying.say(command(Command.PULSE))
    staying.hear(*SIPS)  # Joining counted as the other's word.
    leaving.client.close()
    for _ in range(5):
        staying.say(command(Command.PULSE))
        staying.hear(*SIPS)


def test_lockstep_runs_many_times_faster_than_real_time(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--lockstep", "--lockstep-timeout", "0")
    talker = Talker(simulator.connect())
    talker.join()
    talker.hear(*SIPS)
    began = time.monotonic()
    for _ in range(300):
        talker.say(command(Command.PULSE))
        talker.hear(*SIPS)
    assert time.monotonic() - began < 15.0, "thirty simulated seconds"
