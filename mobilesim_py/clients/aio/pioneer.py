"""`Pioneer` for programs with an event loop: the same names as in `sync.pioneer`; what waits has to be awaited.

    async with Pioneer("localhost:8101") as robot:
        robot.motors()
        robot.move(1.0)
        await robot.wait_until_still()

The way to the robot is held by a thread, as pyserial's lines have to be; callbacks and iterations run in the event loop.
Orders only put bytes on their way, so they are not awaited.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Self, TypeVar

from mobilesim_py.clients.aio.making import made
from mobilesim_py.clients.orders import Orders
from mobilesim_py.clients.sync import pioneer as sync
from mobilesim_py.clients.sync.pioneer import MOST_WAITING, End, StandsStill
from mobilesim_py.errors import LostError
from mobilesim_py.protocols.arcos.config import Config
from mobilesim_py.protocols.arcos.connection import Identity
from mobilesim_py.protocols.arcos.measured import LaserScan, Sip, Units
from mobilesim_py.protocols.arcos.simulator import SimInfo, WireSimStat

MessageT = TypeVar("MessageT")


class Pioneer(Orders):
    """A client of one robot; `connect`, or `async with`, before anything else."""

    def __init__(self, address: str = "localhost:8101", **how: Any) -> None:
        """Take what `sync.pioneer.Pioneer` takes."""
        self.address = address
        self._how = how
        self._client: sync.Pioneer | None = None

    async def connect(self) -> Self:
        """Connect; NoAnswerError if no robot answers."""
        self._client = await made(lambda: sync.Pioneer(self.address, **self._how), sync.Pioneer.close)
        return self

    async def close(self) -> None:
        """Stop the robot, end the session and hang up."""
        if self._client is not None:
            await asyncio.to_thread(self._client.close)

    async def __aenter__(self) -> Self:
        return self if self._client is not None else await self.connect()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def client(self) -> sync.Pioneer:
        """The same client for code that may block."""
        if self._client is None:
            raise LostError(f"There is no session with {self.address} yet: `await robot.connect()`, or use `async with`.")
        return self._client

    # What is known

    @property
    def identity(self) -> Identity:
        """Its name, class and subclass."""
        return self.client.identity

    @property
    def config(self) -> Config | None:
        """Its CONFIG, if it knows any."""
        return self.client.config

    @property
    def units(self) -> Units:
        """The units of its wire."""
        return self.client.units

    @property
    def conversation(self) -> sync.Conversation:
        """The newest of everything."""
        return self.client.conversation

    @property
    def sip(self) -> Sip | None:
        """The newest SIP, if one has come; `await robot.next()` waits for the next."""
        return self.conversation.sip

    @property
    def scan(self) -> LaserScan | None:
        """The newest scan, if one has come."""
        return self.conversation.scan

    @property
    def sonar(self) -> dict[int, float]:
        """The newest echo of each transducer [m]."""
        return self.client.sonar

    @property
    def sim_stat(self) -> WireSimStat | None:
        """The newest SIMSTAT."""
        return self.client.sim_stat

    @property
    def sim_info(self) -> SimInfo | None:
        """The newest SIMINFO."""
        return self.client.sim_info

    @property
    def is_simulated(self) -> bool:
        """Whether the robot says that it is a simulated one."""
        return self.client.is_simulated

    @property
    def is_connected(self) -> bool:
        """Whether commands are obeyed now."""
        return self.client.is_connected

    # What is told

    def command(self, name: str | int, *arguments: Any) -> None:
        """Send a command by its name, with arguments in the units of the wire."""
        self.client.command(name, *arguments)

    def send(self, packets: bytes) -> None:
        """Send whole packets as they are."""
        self.client.send(packets)

    def expect_scans(self, start: float, increment: float) -> None:
        """Remember what angles scans will have [rad]."""
        self.client.expect_scans(start, increment)

    # What comes

    def on(self, kind: type[MessageT], callback: Callable[[MessageT], object]) -> Callable[[], None]:
        """Call a function, in the event loop, with every object of a kind; return what ends that."""
        loop = asyncio.get_running_loop()
        return self.client.on(kind, lambda message: loop.call_soon_threadsafe(callback, message))

    async def listen(self, kind: type[MessageT]) -> AsyncIterator[MessageT]:
        """Iterate over the objects of a kind that come from now on."""
        waiting: asyncio.Queue[Any] = asyncio.Queue(MOST_WAITING)

        def keep(message: object) -> None:
            if waiting.full():
                waiting.get_nowait()
            waiting.put_nowait(message)

        endings = [self.on(kind, keep), self.on(End, keep)]
        try:
            while not (self.client.is_over and waiting.empty()):
                message = await waiting.get()
                if isinstance(message, End):
                    return
                yield message
        finally:
            for end in endings:
                end()

    def __aiter__(self) -> AsyncIterator[object]:
        """Iterate over everything that comes from now on."""
        return self.listen(object)

    async def next(self, kind: type[MessageT] = Sip, timeout: float = 10.0) -> MessageT:  # type: ignore[assignment]  # noqa: ASYNC109
        """Return the next object of a kind; TimeoutError after so many seconds, LostError if the robot is gone."""
        return await self._await(kind, timeout, lambda: None)

    async def ask(
        self,
        kind: type[MessageT],
        name: str | int,
        *arguments: Any,
        timeout: float = 10.0,  # noqa: ASYNC109
    ) -> MessageT:
        """Send a command, and return the object of a kind that answers it."""
        return await self._await(kind, timeout, lambda: self.command(name, *arguments))

    async def _await(self, kind: type[MessageT], timeout: float, begin: Callable[[], None]) -> MessageT:  # noqa: ASYNC109
        """Listen first, then begin something, and return what comes of it."""
        found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        endings = [self.on(kind, lambda message: _settle(found, message)), self.on(End, lambda end: _settle(found, end))]
        try:
            begin()
            if self.client.is_over:
                _settle(found, End())
            async with asyncio.timeout(timeout):
                message = await found
        except TimeoutError:
            raise TimeoutError(f"No {kind.__name__} came from {self.address} within {timeout:g} s.") from None
        finally:
            for end in endings:
                end()
        if isinstance(message, kind):
            return message
        self.client.check()
        raise LostError(f"The robot at {self.address} is gone.")

    async def wait_until(self, condition: Callable[[Sip], bool], timeout: float = 60.0) -> Sip:  # noqa: ASYNC109
        """Return the first SIP from now on that fulfils a condition; TimeoutError after so many seconds."""
        async with asyncio.timeout(timeout):
            async for sip in self.listen(Sip):
                if condition(sip):
                    return sip
        self.client.check()
        raise LostError(f"The robot at {self.address} is gone.")

    async def wait_until_still(self, timeout: float = 60.0) -> Sip:  # noqa: ASYNC109
        """Return when the robot has moved and stands still again, or rests."""
        return await self.wait_until(StandsStill(), timeout)


def _settle(future: asyncio.Future[Any], message: object) -> None:
    if not future.done():
        future.set_result(message)
