"""A robot on a pseudo-terminal: clients open and close it as they like."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.errors import ExitCode, PortError
from mobilesim_py.net.budget import SLICE
from mobilesim_py.net.limits import PENDING_LIMIT
from mobilesim_py.net.pseudo_terminal import PtyPort


class Client:
    """Somebody who has the terminal open, and touches none of its settings."""

    def __init__(self, path: str) -> None:
        self.descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
        os.set_blocking(self.descriptor, False)

    def send(self, data: bytes) -> None:
        os.write(self.descriptor, data)

    async def read(self, count: int, seconds: float = 5.0) -> bytes:
        deadline = time.monotonic() + seconds
        data = b""
        while len(data) < count and time.monotonic() < deadline:
            try:
                data += os.read(self.descriptor, 65536)
            except BlockingIOError:
                await asyncio.sleep(0.002)
        return data

    def close(self) -> None:
        os.close(self.descriptor)


def test_a_client_is_heard_and_answered_byte_for_byte(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = PtyPort("", sessions, log)
        port.open()
        client = Client(port.path)
        everything = bytes(range(256))
        client.send(everything)
        assert await client.read(257) == everything + b"!"
        client.close()
        port.close()

    run(story())


def test_nothing_begins_before_the_first_byte(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = PtyPort("", sessions, log)
        port.open()
        client = Client(port.path)
        await asyncio.sleep(0.15)
        assert sessions == []
        client.close()
        port.close()

    run(story())


def test_a_client_that_listens_first_has_its_session_when_it_opens_the_terminal(
    sessions: Any, log: Log, run: Any, eventually: Callable[..., Any]
) -> None:
    async def story() -> None:
        port = PtyPort("", sessions, log, listens_first=True)
        port.open()
        client = Client(port.path)
        await eventually(lambda: len(sessions) == 1)
        assert port.send(b"who is there?")
        assert await client.read(13) == b"who is there?"
        client.close()
        port.close()

    run(story())


def test_whoever_opens_it_next_gets_a_fresh_session(
    sessions: Any, log: Log, run: Any, eventually: Callable[..., Any]
) -> None:
    async def story() -> None:
        port = PtyPort("", sessions, log)
        port.open()
        for number in range(5):
            client = Client(port.path)
            client.send(b"%d" % number)
            assert await client.read(2) == b"%d!" % number
            sessions[number].link.write(b"nobody reads this")
            client.close()
            await eventually(lambda number=number: bool(sessions[number].lost_because))
            await asyncio.sleep(0.06)
        assert [session.lost_because for session in sessions] == [["Client disconnected."]] * 5
        port.close()

    run(story())


def test_after_close_the_same_client_may_begin_again(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = PtyPort("", sessions, log)
        port.open()
        client = Client(port.path)
        client.send(b"close")
        assert await client.read(6) == b"close!"
        client.send(b"again")
        assert await client.read(6) == b"again!"
        assert [session.lost_because for session in sessions] == [["Closing connection."], []]
        client.close()
        port.close()

    run(story())


def test_while_nobody_has_it_open_it_costs_next_to_nothing(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = PtyPort("", sessions, log)
        port.open()
        client = Client(port.path)
        client.send(b"x")
        await client.read(2)
        client.close()
        await asyncio.sleep(0.05)
        before = time.process_time()
        await asyncio.sleep(0.5)
        assert time.process_time() - before < 0.1
        port.close()

    run(story())


def test_who_does_not_read_loses_whole_writes(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = PtyPort("", sessions, log)
        port.open()
        client = Client(port.path)
        client.send(b"x")
        assert await client.read(2) == b"x!"
        link = sessions[0].link
        taken = [link.write(bytes([number % 256]) * 1000) for number in range(400)]
        assert link.dropped == taken.count(False) > 0
        assert taken.count(True) * 1000 <= PENDING_LIMIT + 65536
        expected = b"".join(bytes([n % 256]) * 1000 for n, ok in enumerate(taken) if ok)
        assert await client.read(len(expected)) == expected
        client.close()
        port.close()

    run(story())


def test_the_path_is_announced(sessions: Any, log: Log, run: Any, tmp_path: Path) -> None:
    async def story() -> None:
        link = tmp_path / "robot"
        port = PtyPort(str(link), sessions, log, robot="robot1")
        port.open()
        line = log.recent()[-1]
        assert line.text == (f"Pioneer interface ready for a client to connect on {port.path} (linked as {link}).")
        assert line.robot == "robot1"
        port.close()

    run(story())


def test_a_link_leads_there_and_is_removed(sessions: Any, log: Log, run: Any, tmp_path: Path) -> None:
    async def story() -> None:
        link = tmp_path / "robot"
        link.symlink_to("/dev/pts/left-over")  # from a simulator that was killed
        port = PtyPort(str(link), sessions, log)
        port.open()
        client = Client(str(link))
        client.send(b"x")
        assert await client.read(2) == b"x!"
        assert sessions[0].peer == str(link)
        client.close()
        port.close()
        assert not link.is_symlink()

    run(story())


def test_a_link_that_is_anothers_by_now_is_left_alone(sessions: Any, log: Log, run: Any, tmp_path: Path) -> None:
    async def story() -> None:
        first, second = (PtyPort(str(tmp_path / "robot"), sessions, log) for _ in range(2))
        first.open()
        second.open()
        first.close()
        assert os.readlink(tmp_path / "robot") == second.path
        second.close()

    run(story())


@pytest.mark.parametrize("place", ["a file", "no such directory"])
def test_a_link_that_cannot_be_made(place: str, sessions: Any, log: Log, run: Any, tmp_path: Path) -> None:
    link = tmp_path / "robot" if place == "a file" else tmp_path / "missing" / "robot"
    if place == "a file":
        link.write_text("precious")

    async def story() -> None:
        with pytest.raises(PortError, match="Could not link") as caught:
            PtyPort(str(link), sessions, log).open()
        assert caught.value.exit_code == ExitCode.PORT

    run(story())
    assert place != "a file" or link.read_text() == "precious"


def test_closing_hangs_up(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        port = PtyPort("", sessions, log)
        port.open()
        client = Client(port.path)
        client.send(b"x")
        await client.read(2)
        port.close()
        assert sessions[0].lost_because == ["Closing connection."]
        assert not sessions[0].link.write(b"too late")
        assert os.read(client.descriptor, 100) == b""
        client.close()

    run(story())


def test_who_floods_it_is_heard_a_little_in_each_turn_and_wholly_in_the_end(
    busy_sessions: Any, log: Log, run: Any, eventually: Callable[..., Any]
) -> None:
    async def story() -> None:
        port = PtyPort("", busy_sessions, log)
        port.open()
        client = Client(port.path)
        said = bytes(range(256)) * 8
        client.send(said)
        await eventually(lambda: bool(busy_sessions and busy_sessions[0].heard))
        assert len(busy_sessions[0].heard) == SLICE, "the rest waits for its turn"
        while len(busy_sessions[0].heard) < len(said):
            heard = len(busy_sessions[0].heard)
            port.turns.next()
            await eventually(lambda heard=heard: len(busy_sessions[0].heard) > heard)
        assert bytes(busy_sessions[0].heard) == said
        client.close()
        port.turns.next()
        await eventually(lambda: busy_sessions[0].lost_because == ["Client disconnected."])
        port.close()

    run(story())


def test_what_a_client_wanted_that_has_left_the_line_is_not_heard_by_the_next_session(
    busy_sessions: Any, log: Log, run: Any, eventually: Callable[..., Any]
) -> None:
    async def story() -> None:
        port = PtyPort("", busy_sessions, log)
        port.open()
        client = Client(port.path)
        client.send(bytes(4 * SLICE))
        await eventually(lambda: bool(busy_sessions and busy_sessions[0].heard))
        port.close()
        port.turns.next()
        await asyncio.sleep(0)
        assert len(busy_sessions) == 1
        assert len(busy_sessions[0].heard) == SLICE
        client.close()

    run(story())
