"""Faults on the wire, as a client sees them: that they strike, that they end, and that they strike the same again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import tty
from collections.abc import Sequence
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.net import faults
from mobilesim_py.net.doors import Doors
from mobilesim_py.net.faults import CUT, FaultKind, WireFault, WireFaults, WireWay
from mobilesim_py.net.ports import RobotPort
from mobilesim_py.net.pseudo_terminal import PtyPort
from mobilesim_py.net.trace import Crossing, Handle, Passage
from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.testing import SIPS, ArcosClient, Stand


def stand_with(*words: str) -> tuple[Stand, ArcosClient]:
    stand = Stand("--nomap", "-r", "p3dx-sh", "--no-noise", *(word for fault in words for word in ("--fault", fault)))
    client = stand.open()
    client.received.clear()
    client.raw.clear()
    return stand, client


def sip_times(client: ArcosClient) -> list[float]:
    return [time for time, packet in client.received if packet.id in SIPS]


def test_what_is_dropped_never_comes_and_all_comes_when_it_is_over() -> None:
    stand, client = stand_with("drop,way=out,from=1,for=1")
    stand.run(3.0)
    times = sip_times(client)
    assert not [time for time in times if 0.99 < time < 1.99]
    assert len(times) == 20


def test_a_chance_drops_some() -> None:
    stand, client = stand_with("drop,p=0.5,way=out")
    stand.run(20.0)
    assert 60 < len(sip_times(client)) < 140


def test_a_command_that_is_dropped_is_not_obeyed() -> None:
    stand, client = stand_with("drop,way=in,from=1,for=1")
    stand.run(1.5)
    client.send(command(Command.VEL, 200))
    stand.run(1.0)
    assert client.robot.pose.x == 0.0
    client.send(command(Command.VEL, 200))
    stand.run(1.0)
    assert client.robot.pose.x > 0.05


def test_what_is_duplicated_comes_twice() -> None:
    stand, client = stand_with("duplicate,way=out,from=1,for=1")
    stand.run(3.0)
    times = sip_times(client)
    assert len([time for time in times if 0.99 < time < 1.99]) == 20
    assert len(times) == 40


def test_one_bit_of_what_is_corrupt_is_wrong_so_that_no_packet_comes() -> None:
    plain, honest = stand_with()
    stand, client = stand_with("corrupt,way=out,from=1,for=1")
    for one in (plain, stand):
        one.run(3.0)
    assert len(client.raw) == len(honest.raw)
    wrong = sum((a ^ b).bit_count() for a, b in zip(client.raw, honest.raw, strict=True))
    assert wrong == 10
    assert len(sip_times(client)) == 20


def test_what_is_split_comes_whole_a_step_later() -> None:
    stand, client = stand_with("split,way=out,from=1,for=1")
    stand.run(3.0)
    plain, honest = stand_with()
    plain.run(3.0)
    assert client.raw == honest.raw
    times = sip_times(client)
    assert 0.1 * 10 not in times
    assert [time for time in times if 1.05 < time < 2.05] == pytest.approx([*(1.1 + 0.1 * step for step in range(10)), 2.0])


def test_what_is_delayed_comes_so_much_later_in_its_order() -> None:
    stand, client = stand_with("delay,delay=0.5,way=out,from=1,for=1")
    stand.run(4.0)
    plain, honest = stand_with()
    plain.run(4.0)
    assert client.raw == honest.raw
    times = sip_times(client)
    assert not [time for time in times if 0.95 < time < 1.45]
    assert times == sorted(times)
    assert len([time for time in times if 2.35 < time < 2.45]) == 6  # what waited behind the last delayed one
    assert len([time for time in times if time > 2.45]) == 16


def test_a_delayed_command_is_obeyed_later() -> None:
    stand, client = stand_with("delay,delay=1,way=in")
    stand.run(3.0)
    client.send(command(Command.VEL, 200))
    stand.run(0.9)
    before = client.robot.pose.x
    stand.run(1.0)
    assert (before, client.robot.pose.x > 0.05) == (0.0, True)


def test_a_frozen_wire_lets_all_pass_when_it_thaws() -> None:
    stand, client = stand_with("freeze,from=1,for=1")
    client.send(command(Command.PULSE))
    stand.run(1.5)
    client.send(command(Command.VEL, 200))
    stand.run(0.3)
    assert client.robot.pose.x == 0.0
    assert max(sip_times(client)) < 0.95
    stand.run(1.2)
    assert client.robot.pose.x > 0.05
    assert len(sip_times(client)) == 30


def test_a_wire_that_is_cut_is_cut_once_and_the_next_client_comes_in() -> None:
    stand, client = stand_with("close,from=1")
    stand.run(0.9)
    assert not client.closed
    stand.run(0.2)
    assert client.closed
    again = stand.open()
    stand.run(2.0)
    assert not again.closed
    assert stand.logged(faults.CUT) == 1


def test_a_fault_of_one_robot_leaves_the_others_alone() -> None:
    stand = Stand("--nomap", "-r", "p3dx", "-r", "p3at", "--fault", "p3at:drop,way=out")
    clients = [stand.dial(robot) for robot in stand.robots]
    clients[0].synchronise()
    clients[1].synchronise()
    assert [bool(client.raw) for client in clients] == [True, False]


def test_its_beginning_and_its_end_are_in_the_log() -> None:
    stand, _ = stand_with("drop,way=out,from=1,for=0.5")
    stand.run(1.2)
    assert stand.logged("Fault on the wire at 1 s: drop out.") == 1
    assert stand.logged("is over") == 0
    stand.run(1.0)
    assert stand.logged("Fault on the wire is over at 1.5 s: drop out, struck 5.") == 1


def test_what_an_endless_fault_has_done_is_told_once_at_the_end() -> None:
    stand, _ = stand_with("drop,way=out,from=1")
    stand.run(2.0)
    stand.program.close()
    stand.program.close()
    assert stand.logged("Fault on the wire lasted until the end: drop out, struck 11.") == 1


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_strikes_the_same(seed: int) -> None:
    def raw(seed: int) -> bytes:
        words = ("--fault", "drop,p=0.3", "--fault", "corrupt,p=0.3", "--fault", "split,p=0.5")
        stand = Stand("--nomap", "-r", "p3dx-sh", "--no-noise", "--seed", str(seed), *words)
        client = stand.connect()
        stand.run(0.1)
        client.synchronise()
        for _ in range(20):
            client.send(command(Command.VEL, 200))
            stand.run(0.1)
        return bytes(client.raw)

    assert raw(seed) == raw(seed)
    assert raw(seed) != raw(seed + 10)


# Without a program


class Wire:
    def __init__(self) -> None:
        self.passed: list[bytes] = []
        self.reasons: list[str] = []

    def hear(self, data: bytes) -> None:
        self.passed.append(data)

    def send(self, data: bytes) -> None:
        self.passed.append(data)

    def cut(self, reason: str) -> None:
        self.reasons.append(reason)


def plague(*those: WireFault) -> tuple[WireFaults, Wire]:
    wire = Wire()
    found = WireFaults(those, 1, Stand("--nomap").log)
    found.passed(Passage(0.0, "door", "peer", 1, True, handle=wire))
    return found, wire


def crossing(data: bytes, client: int = 1) -> Crossing:
    return Crossing(0.0, "door", "peer", client, False, data)


def test_who_has_no_connection_does_not_suffer() -> None:
    found, _ = plague(WireFault(FaultKind.DROP))
    assert found.crossed(crossing(b"abc", client=2)) == b"abc"
    found.passed(Passage(0.0, "door", "peer", 1, False))
    assert found.crossed(crossing(b"abc")) == b"abc"


def test_what_is_held_back_for_ever_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MOST_HELD", 10)
    found, wire = plague(WireFault(FaultKind.FREEZE))
    assert found.crossed(crossing(bytes(10))) is None
    assert wire.reasons == []
    assert found.crossed(crossing(bytes(1))) is None
    assert wire.reasons == [faults.CUT]


@pytest.mark.parametrize(
    ("those", "data"),
    [([FaultKind.SPLIT], b"a"), ([FaultKind.CORRUPT], b"")],
)
def test_what_is_too_short_to_be_split_or_wrong_passes(those: Sequence[FaultKind], data: bytes) -> None:
    found, _ = plague(*(WireFault(kind, way=WireWay.OUT) for kind in those))
    assert (found.crossed(crossing(data)) or b"") == data


# Over a socket and a line


class Delay:
    """Holds back all bytes until it is told to let them pass."""

    def __init__(self, doors: Doors) -> None:
        self.handles: list[Handle] = []
        self.left: list[str] = []
        self.held: list[tuple[bool, bytes]] = []
        doors.install(self.crossed)
        doors.watch(self.passed)

    def crossed(self, crossing: Crossing) -> None:
        self.held.append((crossing.incoming, crossing.data))

    def passed(self, passage: Passage) -> None:
        if passage.handle is not None:
            self.handles.append(passage.handle)
        else:
            self.left.append(passage.reason)


def test_what_was_held_back_passes_a_tcp_port_and_its_connection_can_be_cut(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    async def story() -> None:
        doors = Doors()
        delay = Delay(doors)
        port = doors.open(RobotPort("127.0.0.1", 0, sessions, log))
        client = socket.create_connection(("127.0.0.1", port.port))
        client.setblocking(False)
        client.sendall(b"hello")
        await eventually(lambda: bool(delay.held))
        assert sessions[0].heard == b""
        (handle,) = delay.handles
        handle.hear(delay.held[0][1])
        assert sessions[0].heard == b"hello"
        assert delay.held[1:] == [(False, b"hello!")]
        handle.send(delay.held[1][1])
        loop = asyncio.get_running_loop()
        assert await loop.sock_recv(client, 100) == b"hello!"
        handle.cut(CUT)
        assert sessions[0].lost_because == [CUT]
        assert delay.left == [CUT]
        with contextlib.suppress(ConnectionResetError):
            assert await loop.sock_recv(client, 100) == b""
        handle.send(b"too late")
        handle.hear(b"too late")
        handle.cut(CUT)
        assert sessions[0].lost_because == [CUT]
        assert sessions[0].heard == b"hello"
        client.close()
        doors.close_all()

    run(story())


def test_what_was_held_back_passes_a_line_and_its_session_can_be_ended(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    async def story() -> None:
        doors = Doors()
        delay = Delay(doors)
        door = doors.open(PtyPort("", sessions, log))
        line = os.open(door.address, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(line)
        os.write(line, b"hello")
        await eventually(lambda: bool(delay.held))
        (handle,) = delay.handles
        handle.hear(b"hello")
        assert sessions[0].heard == b"hello"
        handle.send(b"hello!")
        os.set_blocking(line, False)
        got = bytearray()

        def read() -> bool:
            with contextlib.suppress(BlockingIOError):
                got.extend(os.read(line, 100))
            return bool(got)

        await eventually(read)
        assert got == b"hello!"
        handle.cut(CUT)
        assert delay.left == sessions[0].lost_because == [CUT]
        handle.send(b"too late")
        handle.hear(b"too late")
        assert sessions[0].heard == b"hello"
        os.close(line)
        doors.close_all()

    run(story())
