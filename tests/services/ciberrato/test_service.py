"""The contest on real UDP ports, stepped by hand."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from mobilesim_py.app.ciber import CiberProgram, program_options
from mobilesim_py.app.logs import Log
from mobilesim_py.app.options import Options
from mobilesim_py.net.mailbox import Address
from mobilesim_py.protocols.ciber import decode_measures, decode_reply
from mobilesim_py.services.ciberrato import Game, RunState, Switchboard
from mobilesim_py.services.ciberrato.desk import GameDesk
from mobilesim_py.services.ciberrato.referee import Referee
from mobilesim_py.services.ciberrato.service import MOST_REQUESTS, CiberService, Opening

from .playing import game_of, lab_of

HOST = "127.0.0.1"
DRIVE = b'<Actions LeftMotor="0.1" RightMotor="0.1"/>\0'
LAB = lab_of(20.0, 6.0)


class Ground:
    """A program with a game, its public port, and a clock that is turned by hand."""

    def __init__(self, *, lockstep: bool = False, game: Game | None = None, speed: float = 1.0) -> None:
        self.game = game or game_of(LAB, ((1.0, 1.0, 0.0), (1.0, 3.0, 0.0)))
        self.board: Switchboard[Address] = Switchboard(self.game)
        self.now = 0.0
        self.log = Log()
        self.timers: list[tuple[float, Callable[[], None]]] = []
        options = program_options(Options(lockstep=lockstep, speed=speed), 50)
        desk = GameDesk(self.game, Referee(self.game), self.board.reset)
        self.program = CiberProgram(options, self.log, lambda: self.now, self.board, Opening(HOST, 0), desk)
        self.program.clock.call_later = lambda seconds, call: self.timers.append((self.now + seconds, call))
        self.program.open()
        (service,) = self.program.services
        assert isinstance(service, CiberService)
        self.service = service
        self.sockets: list[socket.socket] = []

    def client(self) -> socket.socket:
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.bind((HOST, 0))
        made.setblocking(False)
        self.sockets.append(made)
        return made

    @property
    def public(self) -> Address:
        assert self.service.public is not None
        return HOST, self.service.public.port

    async def step(self, count: int = 1) -> None:
        for _ in range(count):
            await heard()
            self.program.clock.step()

    async def register(self, text: bytes = b'<Robot Name="r"/>\0') -> tuple[socket.socket, Address]:
        made = self.client()
        made.sendto(text, self.public)
        await self.step()
        data, door = made.recvfrom(65536)
        reply = decode_reply(data)
        assert reply is not None
        assert reply.ok
        return made, door

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        due = [call for when, call in self.timers if when <= self.now]
        self.timers = [(when, call) for when, call in self.timers if when > self.now]
        for call in due:
            call()

    def close(self) -> None:
        self.program.close()
        for made in self.sockets:
            made.close()


async def heard() -> None:
    """Let the loop read what the loopback has delivered already."""
    for _ in range(3):
        await asyncio.sleep(0)


def messages(made: socket.socket) -> list[bytes]:
    """Take all that has come."""
    found = []
    while True:
        try:
            found.append(made.recv(65536))
        except BlockingIOError:
            return found


def on(story: Callable[[Ground], Awaitable[None]], **how: Any) -> None:
    async def tell() -> None:
        ground = Ground(**how)
        try:
            await story(ground)
        finally:
            ground.close()

    asyncio.run(tell())


def test_a_robot_gets_a_port_of_its_own_and_measures_in_every_cycle() -> None:
    async def story(ground: Ground) -> None:
        robot, door = await ground.register()
        assert door != ground.public
        await ground.step(2)
        assert [decode_measures(data).time for data in messages(robot)] == [0, 0, 0]  # type: ignore[union-attr]
        assert ground.service.period == 0.05

    on(story)


def test_clients_have_different_ports_and_drive_their_own_robots() -> None:
    async def story(ground: Ground) -> None:
        (one, one_door), (two, two_door) = await ground.register(), await ground.register()
        assert one_door != two_door
        ground.game.start()
        await ground.step(2)
        two.sendto(DRIVE, two_door)
        one.sendto(DRIVE, two_door)  # not its own
        await ground.step(2)
        assert ground.game.robots[0].x == 1.0  # type: ignore[union-attr]
        assert ground.game.robots[1].x > 1.0  # type: ignore[union-attr]
        facts = ground.service.clients()
        assert [fact.service for fact in facts] == ["CiberRato", "CiberRato"]
        assert [fact.packets_received for fact in facts] == [0, 1]
        assert all(fact.packets_sent > 3 for fact in facts)
        assert f"port {one.getsockname()[1]}" in facts[0].peer

    on(story)


def test_a_viewer_starts_the_run_and_a_refused_client_leaves_no_door() -> None:
    async def story(ground: Ground) -> None:
        viewer, door = await ground.register(b"<View/>\0")
        await ground.register()
        viewer.sendto(b"<Start/>\0", door)
        await ground.step(2)
        assert ground.game.state is RunState.RUNNING
        doors = len(ground.program.doors)
        late = ground.client()
        late.sendto(b'<Robot Name="late"/>\0', ground.public)
        await ground.step()
        assert b"Refused" in messages(late)[0]
        assert len(ground.program.doors) == doors

    on(story)


def test_a_reset_closes_the_doors_of_all_clients() -> None:
    async def story(ground: Ground) -> None:
        viewer, door = await ground.register(b"<View/>\0")
        await ground.register()
        assert len(ground.program.doors) == 3
        viewer.sendto(b"<Reset/>\0", door)
        await ground.step()
        assert messages(viewer)[-1] == b"<Restart/>\0"
        assert len(ground.program.doors) == 1
        assert ground.service.clients() == []
        assert not ground.service.is_busy()

    on(story)


def test_lockstep_waits_for_the_word_of_a_running_robot() -> None:
    async def story(ground: Ground) -> None:
        robot, door = await ground.register()
        ground.game.start()
        await ground.step(2)
        assert ground.program.clock.wait() == 1.0
        robot.sendto(DRIVE, door)
        await heard()
        assert ground.program.clock.wait() == 0.0
        await ground.step()
        assert ground.program.clock.wait() == 1.0

    on(story, lockstep=True)


def test_a_silent_agent_is_waited_for_a_few_times_only() -> None:
    async def story(ground: Ground) -> None:
        robot, door = await ground.register()
        ground.game.start()
        await ground.step()
        for _ in range(3):
            assert ground.program.clock.wait() == 1.0
            await ground.step()
        assert ground.program.clock.wait() == 0.0
        robot.sendto(DRIVE, door)
        await ground.step()
        assert ground.program.clock.wait() == 1.0

    on(story, lockstep=True)


def test_in_lockstep_an_idle_game_goes_on_in_real_time() -> None:
    async def story(ground: Ground) -> None:
        await ground.register()
        assert ground.program.clock.wait() > 0.0
        ground.pass_time(0.02)
        assert ground.program.clock.wait() > 0.0
        ground.pass_time(0.04)
        assert ground.program.clock.wait() == 0.0

    on(story, lockstep=True)


def test_lockstep_lets_the_first_client_in_at_once() -> None:
    async def story(ground: Ground) -> None:
        assert ground.program.clock.wait() == 1.0
        woken: list[None] = []
        ground.program.clock.wake = lambda: woken.append(None)
        ground.client().sendto(b"<View/>\0", ground.public)
        await heard()
        assert woken
        assert ground.program.clock.wait() == 0.0

    on(story, lockstep=True)


def test_a_flood_from_elsewhere_changes_nothing() -> None:
    def run(flooded: bool) -> list[bytes]:
        told: list[bytes] = []

        async def story(ground: Ground) -> None:
            robot, door = await ground.register()
            ground.game.start()
            await ground.step()
            stranger = ground.client()
            for _ in range(20):
                robot.sendto(DRIVE, door)
                if flooded:
                    for junk in (DRIVE, b"<Actions", b"\xff" * 2000, b'<Robot Name="x"/>\0'):
                        for _ in range(25):
                            stranger.sendto(junk, door)
                            stranger.sendto(junk, ground.public)
                await ground.step()
            told.extend(messages(robot))
            assert ground.program.exit_code is None

        on(story)
        return told

    assert run(flooded=True) == run(flooded=False)


def test_while_a_stranger_floods_the_public_port_others_can_register() -> None:
    async def story(ground: Ground) -> None:
        stranger, robot = ground.client(), ground.client()
        for _ in range(10):
            for _ in range(30):
                stranger.sendto(b"<Nonsense/>\0", ground.public)
            await heard()
        robot.sendto(b'<Robot Name="r"/>\0', ground.public)
        await ground.step()
        assert b'Status="Ok"' in messages(robot)[0]
        assert MOST_REQUESTS < 30

    on(story)


def test_the_trace_sees_both_directions_of_every_port() -> None:
    async def story(ground: Ground) -> None:
        seen: list[tuple[bool, str]] = []
        ground.program.doors.install(
            lambda crossing: seen.append((crossing.incoming, crossing.door)) or crossing.data  # type: ignore[func-returns-value]
        )
        _, door = await ground.register()
        public, own = (f"UDP port {port} of address {HOST}" for port in (ground.public[1], door[1]))
        assert seen == [(True, public), (False, own), (False, own)]

    on(story)


def test_real_time_and_speed_are_those_of_the_program() -> None:
    async def story(ground: Ground) -> None:
        ground.program.clock.resume()
        assert abs(ground.program.clock.wait() - 0.005) < 1e-9
        ground.program.clock.pause()
        assert ground.program.clock.wait() == 0.1

    on(story, speed=10.0)


def test_the_log_tells_who_came() -> None:
    async def test() -> None:
        ground = Ground()
        await ground.register()
        _viewer, _ = await ground.register(b"<View/>\0")
        await ground.step(2)
        said = [line.text for line in ground.log.recent(10) if " is " in line.text]
        assert [text.split(" is ")[1].split(",")[0] for text in said] == ["robot 1", "a viewer"]
        ground.close()

    asyncio.run(test())
