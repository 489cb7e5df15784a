"""CiberRato in a running program: a public UDP port, a port of its own for each client, a cycle in every period.

What the datagrams mean is the board's business (`Switchboard` for a game, `LogPlayer` for a log); this binds its doors to
ports and its cycles to time. In lockstep a running game waits for the word of every agent; one that is not running goes
on in real time, lest agents that wait for the start are flooded with measures.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from mobilesim_py.errors import PortError
from mobilesim_py.net.mailbox import Address, Mailbox, describe
from mobilesim_py.services.ciberrato.desk import Desk
from mobilesim_py.services.ciberrato.shadows import Shadows
from mobilesim_py.services.ciberrato.switchboard import PUBLIC_DOOR, Client, Outgoing
from mobilesim_py.services.panelled import Facts, OrderError, Picture
from mobilesim_py.services.service import Booking, ClientFacts, Stage, WorldChange

if TYPE_CHECKING:
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.net.door import Door

DEFAULT_PORT = 6000
MOST_REQUESTS = 4
"""Datagrams of one sender that are taken at the public port in a cycle."""
IDLE_SECONDS = 0.05
"""Real time of a cycle in lockstep while nothing runs."""


class Board(Protocol):
    """What a service needs of whatever answers datagrams."""

    closed: list[int]

    @property
    def clients(self) -> Sequence[Client[Address]]:
        """Who is there."""

    @property
    def is_busy(self) -> bool:
        """Whether anybody is there, or wants to be."""

    @property
    def is_running(self) -> bool:
        """Whether its own time passes."""

    def receive(self, data: bytes, peer: Address, door: int = PUBLIC_DOOR) -> None:
        """Take a datagram that arrived at a door."""

    def awaits(self) -> bool:
        """Whether lockstep waits for somebody."""

    def cycle(self) -> list[Outgoing[Address]]:
        """Play a cycle; return what is to be sent."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Where clients come in, and how long a cycle is."""

    host: str = "127.0.0.1"
    """The address to listen on; empty for all."""
    port: int = DEFAULT_PORT
    period: float = 0.05
    """Simulated time of a cycle [s]."""


class CiberService:
    """All clients of a contest."""

    name = "CiberRato"
    panel = "ciber"

    def __init__(
        self,
        stage: Stage,
        board: Board,
        opening: Opening = Opening(),
        after_cycle: Callable[[], None] = lambda: None,
        *,
        desk: Desk,
        is_seen: bool = False,
    ) -> None:
        """Bind a board and its desk; `after_cycle` is called when everything of a cycle has been sent.

        A board that `is_seen` on a page or in a movie has its robots in the simulated world, too.
        """
        self.board = board
        self.period = opening.period
        self.public: Mailbox | None = None
        self._stage = stage
        self._opening = opening
        self._after_cycle = after_cycle
        self._boxes: dict[int, Mailbox] = {}
        self._requests: Counter[Address] = Counter()
        self._is_rested = True
        self._desk = desk
        self._shadows = Shadows(stage) if is_seen else None

    def open(self, bookings: Sequence[Booking]) -> None:
        """Open the public port; PortError if that is impossible."""
        where = self._opening
        self.public = Mailbox(where.host, where.port, self._requested, self._stage.log, interface=self.name)
        self._stage.doors.open(self.public)

    def admit(self, robot: Robot, port: int = 0) -> None:
        """Do nothing: robots of the contest come by registration."""

    def dismiss(self, robot: Robot) -> None:
        """Remove a robot from the game when somebody takes its body out of the world."""
        number = self._shadows.number_of(robot) if self._shadows is not None else None
        if number is not None:
            with contextlib.suppress(OrderError):
                self._desk.order("remove", {"robot": number})

    # Datagrams

    def _requested(self, data: bytes, address: Address) -> None:
        self._requests[address] += 1
        if self._requests[address] <= MOST_REQUESTS:
            self.board.receive(data, address)
            self._stage.wake()

    def _mailbox(self, number: int, address: Address) -> Mailbox | None:
        """Return the port that stands for a door, opened when it is first used; None if the system has none left."""
        box = self._boxes.get(number)
        if box is not None or self.public is None:
            return box

        def receive(data: bytes, sender: Address) -> None:
            self.board.receive(data, sender, number)
            if self._stage.clock.lockstep:
                self._stage.wake()

        box = Mailbox(self._opening.host, 0, receive, self._stage.log, interface=self.name, only_from=address)
        try:
            self._stage.doors.open(box)
        except PortError as error:
            self._stage.log.occasionally("no port", f"{self.name}: no port for {describe(address)}: {error}")
            return None
        self._boxes[number] = box
        return box

    def tell(self, now: float) -> None:
        """Play a cycle and send what comes of it."""
        self._requests.clear()
        known = set(self._boxes)
        for outgoing in self.board.cycle():
            box = self._boxes.get(outgoing.door) or self._mailbox(outgoing.door, outgoing.peer)
            if box is not None:
                box.send(outgoing.data, outgoing.peer)
        if len(self._boxes) != len(known):
            self._greet(self._boxes.keys() - known)
        if self.board.closed:
            self._hang_up()
        self._after_cycle()
        if self._shadows is not None:
            self._shadows.follow(self._desk.spots())
        if self._stage.clock.lockstep and not self.board.is_running:
            self._is_rested = False
            self._stage.clock.later(IDLE_SECONDS, self._rested)

    def _greet(self, doors: Set[int]) -> None:
        for client in self.board.clients:
            if client.door in doors:
                box = self._boxes[client.door]
                what = f"robot {client.robot}" if client.robot else "a viewer" if client.watches else "a panel"
                self._stage.log.info(f"{self.name}: {describe(client.peer)} is {what}, on {box.address}.")

    def _hang_up(self) -> None:
        for number in self.board.closed:
            box = self._boxes.pop(number, None)
            if box is not None:
                self._stage.doors.close(box)
        self.board.closed.clear()

    def _rested(self) -> None:
        self._is_rested = True
        self._stage.wake()

    # What the program asks

    def is_busy(self) -> bool:
        """Whether anybody is there who is told something."""
        return self.board.is_busy

    def awaits(self) -> bool:
        """Whether, in lockstep, the word of some agent is still missing, or an idle cycle is not over yet."""
        return self.board.awaits() if self.board.is_running else not self._is_rested

    def backlog(self) -> int:
        """Return 0: datagrams are with the system, or lost."""
        return 0

    def clients(self) -> Sequence[ClientFacts]:
        """Return who is there."""
        found = []
        for client in self.board.clients:
            box = self._boxes.get(client.door)
            counts = (box.sent, box.received, box.left_out) if box is not None else (0, 0, 0)
            body = self._shadows.body(client.robot) if self._shadows is not None and client.robot else None
            found.append(ClientFacts(self.name, (self.name, client.door), describe(client.peer), body, box, *counts))
        return found

    def held(self) -> Sequence[Robot]:
        """Return the bodies of all robots, which nobody drives by hand: their poses are the game's."""
        return self._shadows.bodies if self._shadows is not None else ()

    def door_of(self, robot: Robot) -> Door | None:
        """Return none."""
        return None

    def factories(self) -> Sequence[tuple[str, Door]]:
        """Return the public port, where robots are made."""
        return [(self.name, self.public)] if self.public is not None else []

    # The panel

    def facts(self) -> Facts:
        """Return what the referee's desk shows; `body` of a robot is its id on the page."""
        facts = self._desk.facts()
        if self._shadows is not None:
            for robot in facts["robots"]:
                body = self._shadows.body(robot["id"])
                robot["body"] = body.serial if body is not None else None
        return facts

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Give an order to the referee; OrderError says why it cannot be carried out."""
        self._desk.order(name, wish)
        self._stage.log.info(f"{self.name}: order {name}{f' {wish}' if wish else ''}.")
        self._stage.wake()

    def picture(self, name: str) -> Picture | None:
        """Return none: the page draws the robots."""
        return None

    def world_changed(self, change: WorldChange) -> None:
        """Do nothing: the maze of a contest stays."""

    def use_engine(self, engine: Engine) -> None:
        """Do nothing: the game has its own physics."""

    def close(self) -> None:
        """Close all ports."""
        for box in (*self._boxes.values(), *filter(None, [self.public])):
            self._stage.doors.close(box)
        self._boxes.clear()
