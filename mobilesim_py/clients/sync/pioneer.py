"""`Pioneer`: drive a robot over its wire, ours or a real one.

    with Pioneer("localhost:8101") as robot:
        robot.motors()
        robot.move(1.0)
        robot.wait_until_still()
        print(robot.sip.pose)

A thread listens, keeps the session alive and calls callbacks; everything else happens in the caller's thread.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

from mobilesim_py.clients.conversation import Conversation
from mobilesim_py.clients.orders import Orders
from mobilesim_py.clients.route import Route, open_route
from mobilesim_py.errors import LostError, MobileSimError, NoAnswerError
from mobilesim_py.protocols.arcos.client_connection import (
    BAUDS,
    KEEP_ALIVE_SECONDS,
    SILENCE_SECONDS,
    BaudWanted,
    ClientConnection,
    ClientEvent,
    Connected,
    Lost,
    PacketReceived,
)
from mobilesim_py.protocols.arcos.config import Config
from mobilesim_py.protocols.arcos.connection import Identity
from mobilesim_py.protocols.arcos.measured import LaserScan, Sip, Units
from mobilesim_py.protocols.arcos.named_command import named_command
from mobilesim_py.protocols.arcos.simulator import SimInfo, WireSimStat

LINE_PAUSE = 0.07
RETRY_SECONDS = 0.5
IDLE_SECONDS = 1.0
MOST_WAITING = 1000
"""Objects that an iteration may lag behind; older ones are dropped."""
STILL_SIPS = 5
"""A robot that has moved, and then stood still for so many SIPs, has arrived."""
REST_SECONDS = 1.0
"""A robot that has not moved for so long will not begin to."""
MessageT = TypeVar("MessageT")


class Pioneer(Orders):
    """A client of one robot."""

    def __init__(
        self,
        address: str = "localhost:8101",
        *,
        baud: int = 9600,
        units: Units | None = None,
        reconnect: bool = False,
        lockstep: bool = False,
        keep_alive: float = KEEP_ALIVE_SECONDS,
        silence: float = SILENCE_SECONDS,
        trace: Callable[[bool, bytes], object] | None = None,
    ) -> None:
        """Connect to `HOST:PORT`, a serial device, a pseudo-terminal or an url of pyserial; NoAnswerError if none answers.

        On a line, other speeds than `baud` are tried, too. With `reconnect` a session that was lost is begun again until
        `close`. With `lockstep` every SIP is answered when the callbacks have seen it. `trace` is called with the direction
        (True: from the robot) and the bytes of everything that crosses.
        """
        self.address = address
        self.conversation = Conversation(units)
        self._baud = baud
        self._reconnect = reconnect
        self._lockstep = lockstep
        self._timing = {"keep_alive": keep_alive, "silence": silence}
        self._trace = trace or (lambda incoming, data: None)
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._closing = False
        self._error: Exception | None = None
        self._sessions = 0
        self._sips = 0
        self._route: Route
        self._connection: ClientConnection
        self._dial()
        self._listener = threading.Thread(target=self._listen, name=f"pioneer {address}", daemon=True)
        self._listener.start()
        try:
            with self._news:
                while not self._sessions and self._error is None:
                    self._news.wait()
        except BaseException:  # Ctrl-C: nobody would close it.
            self.close()
            raise
        if not self._sessions:
            self.close()
            raise NoAnswerError(f"Cannot connect to {address}: {self._error}.") from None

    # What is known

    @property
    def identity(self) -> Identity:
        """Its name, class and subclass."""
        return self.conversation.identity

    @property
    def config(self) -> Config | None:
        """Its CONFIG, if it knows any."""
        return self.conversation.config

    @property
    def units(self) -> Units:
        """The units of its wire."""
        return self.conversation.units

    @property
    def sip(self) -> Sip:
        """The newest SIP; waits for the first."""
        return self.conversation.sip or self.next(Sip)

    @property
    def scan(self) -> LaserScan:
        """The newest scan; waits for the first."""
        return self.conversation.scan or self.next(LaserScan)

    @property
    def sonar(self) -> dict[int, float]:
        """The newest echo of each transducer [m]."""
        return dict(self.conversation.sonar)

    @property
    def sim_stat(self) -> WireSimStat | None:
        """The newest SIMSTAT."""
        return self.conversation.sim_stat

    @property
    def sim_info(self) -> SimInfo | None:
        """The newest SIMINFO."""
        return self.conversation.sim_info

    @property
    def is_simulated(self) -> bool:
        """Whether the robot says that it is a simulated one, as ARIA finds it out."""
        serial = self.config.serial_number if self.config is not None else ""
        return self.identity.name.lower() == "mobilesim" or serial.upper() == "SIM"

    @property
    def is_connected(self) -> bool:
        """Whether commands are obeyed now."""
        return self._connection.is_open

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self._closing or self._error is not None

    def check(self) -> None:
        """Raise LostError if the session is over for good."""
        if self._error is not None:
            raise LostError(f"The robot at {self.address} is gone: {self._error}.")
        if self._closing:
            raise LostError(f"The connection to {self.address} was closed here.")

    # What is told

    def command(self, name: str | int, *arguments: Any) -> None:
        """Send a command by its name, with arguments in the units of the wire; LostError if the robot is gone."""
        self.send(named_command(name, *arguments))

    def send(self, packets: bytes) -> None:
        """Send whole packets as they are; LostError if the robot is gone."""
        with self._lock:
            self.check()
            if not self._connection.send(packets, time.monotonic()):
                raise LostError(f"There is no session with {self.address} at present.")
            self._flush()

    def expect_scans(self, start: float, increment: float) -> None:
        """Remember what angles scans will have [rad]."""
        self.conversation.laser_span = (start, increment)

    # What comes

    def on(self, kind: type[MessageT], callback: Callable[[MessageT], object]) -> Callable[[], None]:
        """Call a function, in the thread that listens, with every object of a kind; return what ends that.

        Kinds are `Sip`, `LaserScan`, `Config`, `Connected`, `Lost`, `Packet`, ...; `object` is all of them.
        """
        with self._lock:
            return self.conversation.subscribe(kind, callback)

    def listen(self, kind: type[MessageT], timeout: float | None = None) -> Iterator[MessageT]:
        """Iterate over the objects of a kind that come from now on, until the end or a silence of so many seconds."""
        waiting: queue.Queue[Any] = queue.Queue(MOST_WAITING)

        def keep(message: object) -> None:
            if waiting.full():
                with contextlib.suppress(queue.Empty):
                    waiting.get_nowait()
            waiting.put_nowait(message)

        endings = [self.on(kind, keep), self.on(End, keep)]
        return _iterate(waiting, timeout, endings, lambda: self.is_over)

    def __iter__(self) -> Iterator[object]:
        """Iterate over everything that comes from now on."""
        return self.listen(object)

    def next(self, kind: type[MessageT] = Sip, timeout: float = 10.0) -> MessageT:  # type: ignore[assignment]
        """Return the next object of a kind; TimeoutError after so many seconds, LostError if the robot is gone."""
        return self._await(kind, timeout, lambda: None)

    def ask(self, kind: type[MessageT], name: str | int, *arguments: Any, timeout: float = 10.0) -> MessageT:
        """Send a command, and return the object of a kind that answers it: `robot.ask(SimInfo, "SIM_CTRL", 6)`.

        Like all that waits, not from a callback: the answer would be heard in the same thread.
        """
        return self._await(kind, timeout, lambda: self.command(name, *arguments))

    def wait_until(self, condition: Callable[[Sip], bool], timeout: float = 60.0) -> Sip:
        """Return the first SIP from now on that fulfils a condition; TimeoutError after so many seconds."""
        deadline = time.monotonic() + timeout
        for sip in self.listen(Sip, timeout):
            if condition(sip):
                return sip
            if time.monotonic() > deadline:
                break
        self.check()
        raise TimeoutError(f"{self.address} has not come to that within {timeout:g} s.")

    def wait_until_still(self, timeout: float = 60.0) -> Sip:
        """Return when the robot has moved and stands still again, or rests; TimeoutError after so many seconds."""
        return self.wait_until(StandsStill(), timeout)

    # The end

    def close(self) -> None:
        """Stop the robot, end the session and hang up."""
        with self._lock:
            already, self._closing = self._closing, True
            if not already:
                self._connection.close()
                self._flush()
            self._route.wake()
            self._news.notify_all()
        if threading.current_thread() is not self._listener:
            self._listener.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # Inside

    def _await(self, kind: type[MessageT], timeout: float, begin: Callable[[], None]) -> MessageT:
        """Listen first, then begin something, and return what comes of it."""
        waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        endings = [self.on(kind, waiting.put), self.on(End, waiting.put)]
        try:
            begin()
            message = None if self.is_over and waiting.empty() else waiting.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"No {kind.__name__} came from {self.address} within {timeout:g} s.") from None
        finally:
            for end in endings:
                end()
        if isinstance(message, kind):
            return message
        self.check()
        raise LostError(f"The robot at {self.address} is gone.")

    def _dial(self) -> None:
        """Open the way, and begin a session."""
        route = open_route(self.address, self._baud)
        bauds = (self._baud, *(baud for baud in BAUDS if baud != self._baud)) if route.is_line else ()
        pause = LINE_PAUSE if route.is_line else 0.0
        with self._lock:
            self._route = route
            self.conversation.start_over()
            self._connection = ClientConnection(time.monotonic(), bauds=bauds, pause=pause, **self._timing)
            self._flush()

    def _flush(self) -> None:
        data = self._connection.data_to_send()
        if data:
            self._trace(False, data)
            try:
                self._route.write(data)
            except OSError:
                self._connection.hung_up()

    def _listen(self) -> None:
        try:
            while True:
                self._hold_session()
                self._route.close()
                if self._closing or not self._reconnect or not self._sessions or not self._redial():
                    break
        except Exception as error:  # of a callback: whoever asks next is told
            self._error = error
            self._route.close()
        finally:
            with self._news:
                self.conversation.tell(End())
                self._news.notify_all()

    def _hold_session(self) -> None:
        connection, route = self._connection, self._route
        while True:
            deadline = connection.deadline
            wait = IDLE_SECONDS if deadline is None else max(0.0, deadline - time.monotonic())
            data = route.read(min(wait, IDLE_SECONDS))
            with self._lock:
                now = time.monotonic()
                if data is None:
                    connection.hung_up()
                else:
                    if data:
                        self._trace(True, data)
                    connection.receive_data(data, now)
                    connection.pass_time(now)
                events = connection.events()
            for event in events:
                self._take(event)
            with self._lock:
                if self._lockstep:
                    connection.answer_sip(time.monotonic())
                self._flush()
                if connection.is_closed:
                    for event in connection.events():
                        self._take(event)
                    return

    def _take(self, event: ClientEvent) -> None:
        messages: list[object] = [event]
        with self._news:
            if isinstance(event, PacketReceived):
                messages = [event.packet, *(m for m in self.conversation.understand(event.packet) if m is not event.packet)]
            elif isinstance(event, BaudWanted):
                self._route.set_baud(event.baud)
            elif isinstance(event, Connected):
                self.conversation.begin(event)
                self._sessions += 1
                self._news.notify_all()
            elif isinstance(event, Lost) and not self._closing and not (self._reconnect and self._sessions):
                self._error = NoAnswerError(event.reason.value)
                self._news.notify_all()
        for message in messages:
            self.conversation.tell(message)

    def _redial(self) -> bool:
        """Try until the robot is there again; return False when it is not wanted any more."""
        while not self._closing:
            with self._news:
                self._news.wait_for(lambda: self._closing, RETRY_SECONDS)
            with contextlib.suppress(MobileSimError):
                if not self._closing:
                    self._dial()
                    return True
        return False


class End:
    """Tells iterations that nothing more comes."""


class StandsStill:
    """Whether a robot has moved and stands still again for some SIPs; or has not moved at all for a while.

    What a robot was told just now may be on its way to it, while it says many times that it stands: a simulator may be
    much faster than real time.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._moved = False
        self._count = 0

    def __call__(self, sip: Sip) -> bool:
        """Take one more SIP."""
        self._moved = self._moved or not sip.is_still
        self._count = self._count + 1 if sip.is_still else 0
        return self._count >= STILL_SIPS and (self._moved or self._clock() >= self._began + REST_SECONDS)


def _iterate(
    waiting: queue.Queue[Any], timeout: float | None, endings: list[Callable[[], None]], is_over: Callable[[], bool]
) -> Iterator[Any]:
    try:
        while not (is_over() and waiting.empty()):
            try:
                message = waiting.get(timeout=timeout)
            except queue.Empty:
                return
            if isinstance(message, End):
                return
            yield message
    finally:
        for end in endings:
            end()


__all__ = ["Conversation", "End", "Pioneer", "StandsStill"]
