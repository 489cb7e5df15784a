"""A session that echoes, a log that remembers, and clients, for the tests of ports and lines."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from mobilesim_py.app.log_sinks import ConsoleSink
from mobilesim_py.app.logs import Log
from mobilesim_py.net import budget
from mobilesim_py.net.budget import WORK
from mobilesim_py.net.link import Link


class EchoSession:
    """Sends back what it gets, with an exclamation mark; ends when it gets `close`."""

    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.synchronised = True
        self.link: Link | None = None
        self.heard = bytearray()
        self.lost_because: list[str] = []

    def attach(self, link: Link) -> None:
        assert self.link is None
        self.link = link

    def receive(self, data: bytes) -> None:
        assert not self.lost_because
        assert self.link is not None
        self.heard += data
        self.link.write(data + b"!")
        if data.endswith(b"close"):
            self.link.close()

    def lost(self, reason: str) -> None:
        self.lost_because.append(reason)


class BusySession(EchoSession):
    """Needs a whole turn for whatever it hears, and answers nothing."""

    def receive(self, data: bytes) -> None:
        self.heard += data
        end = time.thread_time() + WORK
        while time.thread_time() < end:
            pass


class Sessions(list[EchoSession]):
    """Makes sessions and keeps them."""

    def __init__(self, kind: type[EchoSession] = EchoSession) -> None:
        super().__init__()
        self.synchronised = True
        self.kind = kind

    def __call__(self, peer: str) -> EchoSession:
        session = self.kind(peer)
        session.synchronised = self.synchronised
        self.append(session)
        return session


async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Let the loop run until something holds."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, "it never came to that"
        await asyncio.sleep(0.002)


@pytest.fixture
def sessions() -> Sessions:
    return Sessions()


@pytest.fixture
def busy_sessions(monkeypatch: pytest.MonkeyPatch) -> Sessions:
    """Sessions that take much time, in a world whose turns end only when the test says so."""
    monkeypatch.setattr(budget, "LONGEST_TURN", 3600.0)
    return Sessions(BusySession)


@pytest.fixture
def log() -> Log:
    return Log(ConsoleSink(io.StringIO()), verbose=True)


@pytest.fixture
def eventually() -> Callable[..., Coroutine[Any, Any, None]]:
    return until


@pytest.fixture
def run() -> Callable[[Coroutine[Any, Any, None]], None]:
    """Run a coroutine with a deadline; it must leave no task behind."""

    def runner(coroutine: Coroutine[Any, Any, None]) -> None:
        async def bounded() -> None:
            await asyncio.wait_for(coroutine, 20.0)
            await asyncio.sleep(0.01)
            leftover = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            assert leftover == []

        asyncio.run(bounded())

    return runner
