"""The WebSocket: frames as they are acknowledged, news once, wishes obeyed, and nothing for those who do not read."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any

import pytest

from mobilesim_py.app.program import Program
from mobilesim_py.view.page.audience import Audience
from mobilesim_py.view.page.frames import FRAME_HEAD, Kind, Layer
from mobilesim_py.view.page.stream import IN_FLIGHT, LOG_LINES
from tests.view.conftest import run, step, until, visiting


class Looker:
    """A viewer that keeps what it is told."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket

    async def next(self, kind: str, acknowledge: bool = True) -> Any:
        """The next message of a kind; frames before it are acknowledged."""
        while True:
            data = (await self.socket.receive(timeout=10.0)).data
            assert data is not None, "the stream ended"
            if isinstance(data, str):
                message = json.loads(data)
                if message["type"] == kind:
                    return message
                continue
            number, frame = struct.unpack_from("<II", data)
            if number != Kind.FRAME:
                if kind == Kind(number).name.lower():
                    return data
                continue
            if acknowledge:
                await self.socket.send_bytes(struct.pack("<I", frame))
            if kind == "frame":
                return data

    async def say(self, **wish: Any) -> None:
        await self.socket.send_str(json.dumps(wish))


async def look(visitor: Any) -> Looker:
    return Looker(await visitor.session.ws_connect(visitor.base + "/api/stream"))


def test_a_viewer_is_told_of_map_models_and_robots_first(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            looker = await look(visitor)
            facts = await looker.next("map")
            walls = await looker.next("walls")
            assert facts["map"]["name"] == "office.map"
            assert struct.unpack_from("<III", walls)[1:] == (facts["map"]["number"], len(program.simulation.world.segments))
            assert {model["name"] for model in (await looker.next("models"))["models"]} == {"p3dx", "amigo"}
            roster = await looker.next("roster")
            assert [robot["name"] for robot in roster["robots"]] == ["alpha", "beta"]
            frame = await looker.next("frame")
            assert FRAME_HEAD.unpack_from(frame)[4] == 2

    run(test)


def test_only_the_layers_that_are_shown_are_sent(program: Program) -> None:
    alpha = program.simulation.robots[0]
    alpha.lasers[0].on = True

    async def test() -> None:
        async with visiting(program) as (visitor, _):
            looker = await look(visitor)
            assert FRAME_HEAD.unpack_from(await looker.next("frame"))[3] == 0
            assert len(alpha.lasers[0].ranges)
            await looker.say(show=["laser", "odometry", "nonsense", 3])
            while not (layers := FRAME_HEAD.unpack_from(await looker.next("frame"))[3]):
                pass
            assert layers == Layer.LASER | Layer.ODOMETRY

    run(test)


def test_a_viewer_that_acknowledges_nothing_gets_three_frames_and_then_the_newest(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, site):
            looker = await look(visitor)
            site.api.audience._clock = _Ever()
            numbers = []
            for _ in range(IN_FLIGHT):
                step(program)
                numbers.append(FRAME_HEAD.unpack_from(await looker.next("frame", acknowledge=False))[1])
            assert numbers == [1, 2, 3]
            step(program, 50)
            await asyncio.sleep(0)
            (stream,) = site.api.streams
            assert (stream._sent, stream._frame) == (3, None)
            await looker.socket.send_bytes(struct.pack("<I", 3))
            _, number, time, *_ = FRAME_HEAD.unpack_from(await looker.next("frame"))
            assert (number, time) == (4, pytest.approx(program.simulation.time))

    run(test)


def test_a_viewer_that_never_reads_costs_a_bounded_amount_of_memory(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, site):
            await look(visitor)
            await until(lambda: site.api.streams)
            (stream,) = site.api.streams
            for number in range(4 * LOG_LINES):
                program.log.info(f"line {number} " + "x" * 200)
                step(program)
                site.api.audience.tell_status()
            assert len(stream._lines) <= LOG_LINES
            assert len(stream._words) <= 4
            assert stream._sent <= IN_FLIGHT

    run(test)


def test_acknowledgements_of_frames_never_sent_are_ignored(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, site):
            looker = await look(visitor)
            await looker.next("frame", acknowledge=False)
            for data in (b"", b"123", struct.pack("<I", 4_000_000_000), b"12345678"):
                await looker.socket.send_bytes(data)
            await looker.say(select=None)
            await looker.next("frame", acknowledge=False)
            (stream,) = site.api.streams
            assert stream._seen == 0

    run(test)


def test_wishes_are_obeyed_and_nonsense_is_answered(program: Program) -> None:
    alpha = program.simulation.robots[0]

    async def test() -> None:
        async with visiting(program) as (visitor, _):
            looker = await look(visitor)
            await looker.say(place={"id": alpha.serial, "x": 4.0, "y": 6.0, "heading": 1.0})
            while program.simulation.robots[0].pose.x != 4.0:
                await looker.next("frame")
            await looker.say(drive={"id": alpha.serial, "forward": 0.5})
            for text in ("{", "[]", '{"place":{"id":"alpha"}}', '{"drive":{"id":999}}', "[" * 9000):
                await looker.socket.send_str(text)
                assert (await looker.next("refused"))["text"]
            program.simulation.step(3)
            assert alpha.velocity[0] > 0

    run(test)


def test_the_selected_robot_is_told_of_in_full(program: Program) -> None:
    alpha = program.simulation.robots[0]
    alpha.sonar_on = True
    program.simulation.sense()

    async def test() -> None:
        async with visiting(program) as (visitor, _):
            looker = await look(visitor)
            await looker.say(select=alpha.serial)
            thing = (await looker.next("selected"))["thing"]
            assert (thing["name"], thing["client"]) == ("alpha", None)
            assert len(thing["readings"]["sonar"]["ranges"]) == 16

    run(test)


def test_another_map_and_another_robot_are_news(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            looker = await look(visitor)
            first = await looker.next("walls")
            await looker.next("roster")
            await visitor.ask("PUT", "/api/map", {"name": "maze.map"})
            assert (await looker.next("map"))["map"]["name"] == "maze.map"
            assert await looker.next("walls") != first
            await visitor.ask("POST", "/api/boxes", {})
            assert len((await looker.next("roster"))["boxes"]) == 1

    run(test)


def test_log_lines_follow(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            looker = await look(visitor)
            assert (await looker.next("log"))["lines"]
            program.log.warning("Look out!", "alpha")
            (line,) = (await looker.next("log"))["lines"]
            assert (line["level"], line["robot"], line["text"]) == ("warning", "alpha", "Look out!")

    run(test)


def test_when_nobody_looks_nothing_is_done(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, site):
            looker = await look(visitor)
            await looker.next("frame")
            assert len(program.after_step) == 1
            await looker.socket.close()
            await until(lambda: not site.api.streams)
            assert program.after_step == []
            assert site.api.audience._timer is None

    run(test)


def test_frames_are_packed_at_most_thirty_times_a_second_however_fast_steps_come(program: Program) -> None:
    async def test() -> None:
        now = 0.0
        audience = Audience(program, lambda: now)
        taken: list[Any] = []
        watcher = _Watcher(taken)
        audience.join(watcher)
        taken.clear()
        for _ in range(1000):
            now += 0.001
            step(program)
        audience.close()
        assert 25 <= len(taken) <= 35

    run(test)


def test_the_last_of_quick_steps_is_shown_in_the_end(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            looker = await look(visitor)
            await looker.next("frame")
            step(program, 7)
            while FRAME_HEAD.unpack_from(await looker.next("frame"))[2] != pytest.approx(program.simulation.time):
                pass

    run(test)


class _Ever:
    """A clock that goes on a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 1e6

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


class _Watcher:
    """A watcher that is always ready and asks for everything."""

    layers = Layer.LASER | Layer.ODOMETRY
    is_ready = True

    def __init__(self, taken: list[Any]) -> None:
        self.take_frame = taken.append

    def say(self, kind: str, text: str) -> None:
        """Not of interest here."""

    def log(self, line: Any) -> None:
        """Not of interest here."""

    def news(self) -> None:
        """Not of interest here."""
