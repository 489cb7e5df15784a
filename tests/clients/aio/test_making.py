"""What is made in a thread for somebody who may be cancelled."""

from __future__ import annotations

import asyncio
import threading

import pytest

from mobilesim_py.clients.aio.making import made


def test_it_is_there_when_it_is_made() -> None:
    ended: list[int] = []
    assert asyncio.run(made(lambda: 5, ended.append)) == 5
    assert ended == []


def test_an_error_is_passed_on() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(made(lambda: 1 // 0, print))


def test_what_is_made_for_nobody_is_ended() -> None:
    going, begun, ended = threading.Event(), threading.Event(), threading.Event()

    def make() -> int:
        begun.set()
        going.wait(20.0)
        return 5

    async def run() -> None:
        work = asyncio.ensure_future(made(make, lambda thing: ended.set()))
        await asyncio.to_thread(begun.wait, 20.0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        going.set()

    asyncio.run(run())
    assert ended.wait(20.0)


def test_what_was_made_a_moment_before_is_ended_too() -> None:
    ended = threading.Event()

    async def run() -> None:
        work = asyncio.ensure_future(made(lambda: 5, lambda thing: ended.set()))
        await asyncio.sleep(0)
        # The event loop is held up until the thread is done: its result is there, and nobody has taken it yet.
        threading.Event().wait(0.2)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(run())
    assert ended.wait(20.0)
