"""What takes long to make is made in a thread; who is cancelled meanwhile leaves nothing behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

Thing = TypeVar("Thing")


async def made(make: Callable[[], Thing], end: Callable[[Thing], object]) -> Thing:
    """Return what `make` makes; if nobody waits for it any more, `end` ends it as soon as it is there."""
    lock = threading.Lock()
    kept: list[Thing] = []
    abandoned = threading.Event()

    def work() -> Thing:
        thing = make()
        with lock:
            if not abandoned.is_set():
                kept.append(thing)
                return thing
        end(thing)
        return thing

    try:
        return await asyncio.to_thread(work)
    except asyncio.CancelledError:
        with lock:
            abandoned.set()
        for thing in kept:
            threading.Thread(target=end, args=(thing,)).start()
        raise
