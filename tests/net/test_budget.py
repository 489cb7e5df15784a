"""A client that floods its port waits for the next turn; others do not wait for it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.net.budget import SLICE, WORK, Budget, Turns
from mobilesim_py.net.ports import FactoryPort

HOST = "127.0.0.1"


def work_for(seconds: float) -> None:
    """Use processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_what_costs_little_is_obeyed_whole_and_in_one_piece() -> None:
    heard: list[bytes] = []
    assert Budget(Turns()).spend(b"x" * SLICE, heard.append, lambda: True) == b""
    assert heard == [b"x" * SLICE]


def test_what_costs_much_is_obeyed_in_several_turns_without_losing_a_byte() -> None:
    turns, heard = Turns(), bytearray()
    budget = Budget(turns)

    def obey(data: bytes) -> None:
        heard.extend(data)
        work_for(WORK)

    said = bytes(range(256)) * 4
    rest = budget.spend(said, obey, lambda: True)
    assert (bytes(heard), budget.is_spent) == (said[:SLICE], True)
    assert budget.spend(rest, obey, lambda: True) == rest, "nothing more in this turn"
    while rest:
        turns.next()
        assert not budget.is_spent
        rest = budget.spend(rest, obey, lambda: True)
    assert bytes(heard) == said


def test_where_runs_must_repeat_bytes_are_counted_and_not_time() -> None:
    turns, heard = Turns(), bytearray()
    turns.repeats = True
    rest = Budget(turns).spend(bytes(100_000), heard.extend, lambda: True)
    assert len(heard) == 16384
    assert len(rest) == 100_000 - 16384


def test_nothing_is_obeyed_of_a_session_that_has_ended() -> None:
    heard: list[bytes] = []
    assert len(Budget(Turns()).spend(bytes(1000), heard.append, lambda: not heard)) == 1000 - SLICE
    assert len(heard) == 1


class SlowSession:
    """Takes a millisecond for every ten bytes."""

    synchronised = True

    def __init__(self, peer: str) -> None:
        self.heard = bytearray()

    def attach(self, link: Any) -> None:
        self.link = link

    def receive(self, data: bytes) -> None:
        self.heard += data
        work_for(len(data) / 10_000)

    def lost(self, reason: str) -> None:
        self.link = None


@pytest.mark.parametrize("steps", [True, False])
def test_a_flooder_gets_its_share_of_each_turn_and_nothing_is_lost(steps: bool, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        sessions: list[SlowSession] = []

        def make(peer: str) -> SlowSession:
            sessions.append(SlowSession(peer))
            return sessions[-1]

        port = FactoryPort(HOST, 0, make, log)
        port.open()
        _, writer = await asyncio.open_connection(HOST, port.port)
        said = bytes(range(256)) * 8
        writer.write(said)
        await eventually(lambda: bool(sessions and sessions[0].heard))
        await asyncio.sleep(0.02)
        assert len(sessions[0].heard) <= 2 * SLICE, "the rest waits for its turn"
        while len(sessions[0].heard) < len(said):
            heard = len(sessions[0].heard)
            if steps:
                port.turns.next()
            await eventually(lambda heard=heard: len(sessions[0].heard) > heard)
        assert bytes(sessions[0].heard) == said
        writer.close()
        await eventually(lambda: not port.links)
        port.close()
        port.turns.next()

    run(story())
