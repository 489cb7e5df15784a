"""A second protocol beside ARCOS, with a period, a TCP and a UDP door of its own: no room but its own knows of it."""

from __future__ import annotations

import asyncio
import io
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Log
from mobilesim_py.app.program import Program
from mobilesim_py.app.runner import Runner
from mobilesim_py.net.door import Door
from mobilesim_py.net.trace import Crossing
from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.packet import PacketReader
from mobilesim_py.services.service import WorldChangeKind
from mobilesim_py.testing import NullModem, Stand
from mobilesim_py.view.terminal.dashboard import Dashboard
from tests.services.toy import ROWS, ToyService
from tests.view.conftest import run, visiting

WORDS = ("--nomap", "-r", "p3dx:pioneer", "-r", "amigo:toy", "--no-noise")
SIPS = (0x32, 0x33)


class Both:
    """A stand with an ARCOS client, a toy client by TCP, and one that watches by UDP."""

    def __init__(self, *words: str) -> None:
        self.stand = Stand(*WORDS, *words, services=ROWS)
        self.service = next(service for service in self.stand.program.services if isinstance(service, ToyService))
        self.port, self.watching = self.service.doors
        self.pioneer = self.stand.open()
        self.toy = self.stand.doors.connect(self.port, NullModem)
        self.watcher = self.stand.doors.connect(self.watching, NullModem)

    def speak(self) -> None:
        self.pioneer.send(command(Command.PULSE))
        self.toy.send(b"here\n")
        self.watcher.send(b"here\n")


def lines(modem: NullModem) -> list[str]:
    return modem.raw.decode().splitlines()


def test_each_is_told_in_its_own_period_and_the_step_fits_both() -> None:
    both = Both()
    both.stand.run(1.0)
    assert both.stand.simulation.dt == 0.05
    assert len(both.pioneer.sips) == 10
    assert [line.split()[0] for line in lines(both.toy)] == [f"{0.05 * n:.2f}" for n in range(1, 21)]
    assert lines(both.watcher)[0] == "0.05"


def test_without_a_robot_of_its_own_the_service_is_not_there() -> None:
    stand = Stand("--nomap", "-r", "p3dx", services=ROWS)
    assert [service.name for service in stand.program.services] == ["ARCOS"]
    assert stand.simulation.dt == 0.1


def test_each_drives_its_own_robot() -> None:
    both = Both()
    both.toy.send(b"forward 0.2\n")
    both.pioneer.send(command(Command.VEL, -200))
    both.stand.run(2.0)
    pioneer, toy = both.stand.robots
    assert pioneer.velocity[0] == pytest.approx(-0.2)
    assert toy.velocity[0] == pytest.approx(0.2)
    assert float(lines(both.toy)[-1].split()[1]) == pytest.approx(toy.pose.x, abs=0.001)


def test_the_pioneer_keeps_the_first_port_and_the_toy_has_its_own() -> None:
    both = Both()
    assert both.pioneer.robot.name == "pioneer"
    assert both.stand.logged("Toy interface ready") == 0, "a null door opens nothing"
    with pytest.raises(ConnectionRefusedError):
        both.stand.connect(1)


# Time


def test_lockstep_waits_for_the_word_of_every_client_of_every_service() -> None:
    both = Both("--lockstep", "--lockstep-timeout", "0")
    clock = both.stand.program.clock
    assert clock.wait() == 0.0
    both.stand.step()
    speakers: list[NullModem] = [both.toy, both.watcher]
    for modem in speakers:
        assert clock.wait() > 0.0
        modem.send(b"here\n")
    assert clock.wait() == 0.0, "ARCOS was told nothing yet"
    both.stand.step()
    for modem in speakers:
        modem.send(b"here\n")
    assert clock.wait() > 0.0
    both.pioneer.send(command(Command.PULSE))
    assert clock.wait() == 0.0


def test_in_lockstep_who_leaves_is_not_waited_for() -> None:
    both = Both("--lockstep", "--lockstep-timeout", "0")
    both.stand.step(2)
    both.pioneer.send(command(Command.PULSE))
    both.toy.send(b"here\n")
    assert both.stand.program.clock.wait() > 0.0
    both.watcher.hang_up()
    assert both.stand.program.clock.wait() == 0.0


def test_lockstep_bytes_of_both_services_repeat() -> None:
    def story() -> list[bytes]:
        both = Both("--lockstep")
        for tick in range(40):
            both.speak()
            both.toy.send(b"forward 0.1\n" if tick % 2 else b"forward 0.3\n")
            both.stand.now += 0.01 * tick
            both.stand.step()
        return [bytes(modem.raw) for modem in (both.pioneer, both.toy, both.watcher)]

    assert story() == story()


def test_at_full_speed_a_toy_client_that_does_not_read_is_waited_for() -> None:
    both = Both("--speed", "max")
    assert both.stand.program.clock.wait() == 0.0
    both.toy.pending = 1 << 20
    assert both.stand.program.clock.wait() > 0.0


# The world


def test_both_are_told_of_another_map() -> None:
    both = Both()
    both.stand.program.worlds.load("office.map", by_user=True)
    assert [change.kind for change in both.service.told_of] == [WorldChangeKind.LOADED]
    assert len(both.pioneer.packets(0x66)) == 1


def test_a_toy_robot_can_be_added_and_removed_while_it_runs() -> None:
    both = Both()
    added: Any = both.stand.program.add_running("amigo", "second")
    door = both.service.door_of(added)
    assert door is not None
    client = both.stand.doors.connect(door, NullModem)
    both.stand.step()
    assert client.raw
    both.stand.program.remove(added)
    assert client.closed
    assert [robot.name for robot in both.stand.robots] == ["pioneer", "toy"]


# The trace


def test_one_trace_sees_both_services_at_all_doors() -> None:
    seen: list[Crossing] = []

    def note(crossing: Crossing) -> bytes:
        seen.append(crossing)
        return crossing.data

    both = Both()
    with both.stand.traced(note):
        both.toy.send(b"forward 0.1\n")
        both.stand.step(2)
    doors = {crossing.door for crossing in seen}
    assert doors == {"TCP port 8101", both.port.address, both.watching.address}
    told = [crossing for crossing in seen if crossing.door == both.watching.address]
    assert [(crossing.incoming, crossing.data) for crossing in told] == [(False, b"0.05\n"), (False, b"0.10\n")]
    assert [crossing.time for crossing in told] == pytest.approx([0.05, 0.1])
    both.stand.step()
    assert seen[-1].time == pytest.approx(0.1), "a trace that is removed sees nothing more"


def test_a_trace_can_lose_what_one_service_says_and_leave_the_other_alone() -> None:
    both = Both()
    with both.stand.traced(lambda crossing: None if crossing.door == both.port.address else crossing.data):
        both.toy.send(b"forward 0.5\n")
        both.stand.run(1.0)
    assert both.toy.raw == b""
    assert both.stand.robots[1].velocity[0] == 0.0
    assert len(both.pioneer.sips) == 10


# What people look at


def test_page_and_api_show_the_clients_of_both() -> None:
    both = Both()
    both.stand.step(20)
    program = both.stand.program

    async def test() -> None:
        async with visiting(program) as (visitor, _):
            _, health = await visitor.ask("GET", "/api/health")
            assert health["ports"] == sorted(door.port for door in both.stand.doors)
            assert (health["clients"], health["services"]) == (3, ["toy", "ARCOS"])
            _, state = await visitor.ask("GET", "/api/state")
            robots = {robot["name"]: robot for robot in state["robots"]}
            assert {name: robot["service"] for name, robot in robots.items()} == {"pioneer": "ARCOS", "toy": "toy"}
            assert robots["toy"]["port"] == both.port.port
            assert robots["toy"]["client"] == both.toy.peer
            _, answer = await visitor.ask("GET", "/api/clients")
            facts = {client["door"]: client for client in answer["clients"]}
            assert facts[both.watching.address]["robot"] is None
            assert facts[both.watching.address]["packets_sent"] == 20
            assert facts["TCP port 8101"]["packets_sent"] == 3 + 10
            status, _ = await visitor.ask("POST", "/api/robots/toy/drive", {"forward": 0.1})
            assert status == 409, "its client drives it"
            _, metrics = await visitor.ask("GET", "/metrics")
            assert 'mobilesim_packets_sent_total{robot="toy"} 20' in metrics.decode()
            assert 'mobilesim_packets_sent_total{service="toy",client="localhost (127.0.0.1)"} 20' in metrics.decode()

    run(test)


def test_the_dashboard_shows_the_clients_of_both() -> None:
    both = Both()
    console = Console(file=io.StringIO(), width=160, height=30, color_system=None)
    console.print(Dashboard(both.stand.program, console).picture())
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert text.count("localhost (127.0.0.1)") == 2
    assert str(both.port.port) in text
    assert "clients 3" in text


# On real sockets


class Visitor:
    """The three clients, on sockets of their own."""

    def __init__(self, program: Program, doors: list[Door]) -> None:
        self.reader = PacketReader()
        self.sips = 0
        self.text = b""
        ports = [door.port for door in doors]
        self.pioneer = socket.create_connection(("127.0.0.1", next(d.port for d in program.doors if d not in doors) or 0))
        self.toy = socket.create_connection(("127.0.0.1", ports[0] or 0))
        self.watcher = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.watcher.connect(("127.0.0.1", ports[1] or 0))
        self.watched: list[bytes] = []
        for client in (self.pioneer, self.toy, self.watcher):
            client.setblocking(False)
        self.pioneer.send(b"".join(SYNCS) + OPEN)
        self.watcher.send(b"here\n")

    def listen(self) -> None:
        for client, take in ((self.pioneer, self._sip), (self.toy, self._line), (self.watcher, self.watched.append)):
            while True:
                try:
                    data = client.recv(65536)
                except BlockingIOError:
                    break
                take(data)

    def _sip(self, data: bytes) -> None:
        self.sips += sum(packet.id in SIPS for packet in self.reader.feed(data))

    def _line(self, data: bytes) -> None:
        self.text += data

    def close(self) -> None:
        for client in (self.pioneer, self.toy, self.watcher):
            client.close()


def play(test: Callable[[Program, Visitor], Any], *words: str) -> None:
    """Run a program with its loop, doors and clock, and three clients."""

    async def story() -> None:
        options = parse([*WORDS, *words, "--engine", "numpy", "--no-network-discovery"], interactive=False)
        options = replace(options, port=0, bind_to_address="127.0.0.1")
        loop = asyncio.get_running_loop()
        runner = Runner(Log())
        program = await runner.build(lambda: Program(options, Log(), now=loop.time, services=ROWS))
        assert program is not None
        await runner.start()
        running = asyncio.create_task(runner.run())
        service = next(service for service in program.services if isinstance(service, ToyService))
        visitor = Visitor(program, service.doors)
        try:
            await test(program, visitor)
        finally:
            visitor.close()
            program.exit(0)
            await running
            await runner.stop()

    asyncio.run(asyncio.wait_for(story(), 30.0))


@pytest.mark.parametrize("speed", ["20", "max"])
def test_both_run_at_any_speed_on_real_sockets(speed: str) -> None:
    async def test(program: Program, visitor: Visitor) -> None:
        while program.simulation.time < 10.0 or not visitor.sips:
            visitor.listen()
            await asyncio.sleep(0.001)
        first = float(visitor.text.split()[0])
        for _ in range(5):
            await asyncio.sleep(0.01)
            visitor.listen()
        told = visitor.text.decode().splitlines()
        assert len(told) == pytest.approx((float(told[-1].split()[0]) - first) / 0.05 + 1, abs=0.1)
        assert visitor.sips == pytest.approx(len(told) / 2, rel=0.2)
        assert len(visitor.watched) > 100
        assert program.clock.ratio > 1.0

    play(test, "--speed", speed)


def test_lockstep_waits_for_toys_on_real_sockets() -> None:
    async def test(program: Program, visitor: Visitor) -> None:
        async def speak(*clients: socket.socket) -> None:
            for client in clients:
                client.send(command(Command.PULSE) if client is visitor.pioneer else b"here\n")
            visitor.listen()
            await asyncio.sleep(0.001)

        while program.simulation.tick < 40:
            await speak(visitor.pioneer, visitor.toy, visitor.watcher)
        for _ in range(10):
            await speak(visitor.pioneer, visitor.watcher)
        stands = program.simulation.tick
        for _ in range(30):
            await speak(visitor.pioneer, visitor.watcher)
        assert program.simulation.tick == stands, "one client says nothing"
        while program.simulation.tick < stands + 5:
            await speak(visitor.pioneer, visitor.toy, visitor.watcher)

    play(test, "--lockstep", "--lockstep-timeout", "0")


def test_a_watcher_that_floods_does_not_keep_the_others_from_their_lines() -> None:
    async def test(program: Program, visitor: Visitor) -> None:
        while program.simulation.time < 3.0:
            for _ in range(50):
                visitor.watcher.send(b"noise\n")
            visitor.listen()
            await asyncio.sleep(0.001)
        assert visitor.sips >= 20
        assert len(visitor.text.splitlines()) >= 40

    play(test, "--speed", "20")
