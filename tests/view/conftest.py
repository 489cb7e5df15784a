"""A program without ports or clock, and a web site of it on a private port."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from mobilesim_py.app.program import Program
from mobilesim_py.view.page.guard import Guard


def step(program: Program, count: int = 1) -> None:
    """Let simulated time pass."""
    for _ in range(count):
        program.clock.step()


class Visitor:
    """Asks a web site for things."""

    def __init__(self, session: Any, base: str) -> None:
        self.session = session
        self.base = base

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, Any]:
        """Status and content of an answer."""
        if body is not None:
            more["json"] = body
        async with self.session.request(method, self.base + path, **more) as answer:
            is_json = answer.content_type == "application/json"
            return answer.status, await (answer.json() if is_json else answer.read())


@contextlib.asynccontextmanager
async def visiting(program: Program, guard: Guard | None = None) -> AsyncIterator[tuple[Visitor, Any]]:
    """A site of the program, and a visitor."""
    import aiohttp

    from mobilesim_py.view.page.site import Site

    listening = socket.create_server(("127.0.0.1", 0))
    listening.setblocking(False)
    site = Site(program, guard or Guard(), listening)
    await site.start()
    try:
        async with aiohttp.ClientSession() as session:
            yield Visitor(session, f"http://127.0.0.1:{listening.getsockname()[1]}"), site
    finally:
        program.close()
        await site.close()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run an asynchronous test with a deadline."""
    asyncio.run(asyncio.wait_for(test(), 30.0))


async def until(condition: Callable[[], Any]) -> None:
    """Wait until something holds."""
    for _ in range(10_000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it never happened")


def free_port() -> int:
    """Find a TCP port that nobody uses."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
