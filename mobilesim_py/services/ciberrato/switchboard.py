"""Datagrams in, datagrams out: the game behind one public door and a door of its own for each client, still without sockets.

Door 0 takes registrations. Who is accepted, or refused, is answered from a new door, numbered from 1 on; whoever binds
this to UDP opens a socket when a datagram leaves by a door for the first time, hands in what arrives there with the door's
number, and closes the doors in `closed`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mobilesim_py.formats.lab import grid_text, lab_text, parameters_text
from mobilesim_py.protocols.ciber import (
    REFUSED,
    RESTART,
    Command,
    Order,
    PanelRequest,
    Registration,
    ViewRequest,
    datagram,
    decode_actions,
    decode_command,
    decode_registration,
    encode_measures,
    encode_reply,
    encode_view,
)
from mobilesim_py.services.ciberrato.game import Game
from mobilesim_py.services.ciberrato.robot import Robot, State
from mobilesim_py.services.ciberrato.states import RunState

Peer = TypeVar("Peer")

PUBLIC_DOOR = 0
WAITING_LIMIT = 64
"""Datagrams that may wait at a door until the next cycle; more are lost, as in a socket whose buffer is full."""
BYTES_LIMIT = 1024
"""What is kept of a datagram; no kind may be longer."""
DATAGRAM_LIMIT = 65507
"""What UDP can carry."""
SILENT_CYCLES = 3
"""An agent that has not answered for so many running cycles is not waited for until it is heard again."""
WATCHERS_LIMIT = 32
"""Viewers and panels at the same time; more are refused."""


@dataclass(frozen=True, slots=True)
class Outgoing(Generic[Peer]):
    """A datagram to send from a door to a peer."""

    door: int
    peer: Peer
    data: bytes


@dataclass(slots=True)
class Client(Generic[Peer]):
    """Who is behind a door: the agent of a robot (its number, else 0), a viewer or a panel."""

    door: int
    peer: Peer
    robot: int = 0
    watches: bool = False
    waiting: deque[bytes] = field(default_factory=deque)
    silent: int = 0
    """Running cycles since its last word."""


class Switchboard(Generic[Peer]):
    """Takes datagrams with their peers, and gives those of a cycle; a peer is what tells clients' addresses apart."""

    def __init__(self, game: Game, log: Callable[[str], None] | None = None) -> None:
        """Serve a game; entries of its log go to `log`."""
        self.game = game
        self._log = log
        self._clients: dict[int, Client[Peer]] = {}
        self._arrivals: deque[tuple[Peer, bytes]] = deque()
        self._out: list[Outgoing[Peer]] = []
        self._last_door = PUBLIC_DOOR
        self.closed: list[int] = []
        """Doors that nobody uses any more; whoever closes them empties this."""
        beacons = len(game.lab.beacons)
        self._reply = encode_reply(
            parameters_text(game.parameters, beacons), parameters_text(game.parameters, beacons, files=False)
        )
        self._lab, self._grid = datagram(lab_text(game.lab)), datagram(grid_text(game.grid))
        self.warnings: list[str] = []
        """What clients will miss, for the person at the terminal."""
        if len(self._lab) > DATAGRAM_LIMIT:
            self.warnings.append(
                f"the lab has {len(game.lab.walls)} walls and its message does not fit into a datagram, "
                "so viewers will not see it; leave some walls out or join them"
            )

    def receive(self, data: bytes, peer: Peer, door: int = PUBLIC_DOOR) -> None:
        """Take a datagram that arrived at a door; at a client's door only its own peer is heard."""
        if door == PUBLIC_DOOR:
            if len(self._arrivals) < WAITING_LIMIT:
                self._arrivals.append((peer, data[:BYTES_LIMIT]))
            return
        client = self._clients.get(door)
        if client is not None and client.peer == peer and len(client.waiting) < WAITING_LIMIT:
            client.waiting.append(data[:BYTES_LIMIT])

    @property
    def clients(self) -> list[Client[Peer]]:
        """Return who is there, in the order in which they came."""
        return list(self._clients.values())

    @property
    def is_busy(self) -> bool:
        """Return whether anybody is there, or wants to be."""
        return bool(self._clients or self._arrivals)

    @property
    def is_running(self) -> bool:
        """Return whether time passes in the game."""
        return self.game.state is RunState.RUNNING

    def leave(self, door: int) -> None:
        """Forget a viewer or a panel that is gone; the place of a robot stays taken, as its agent may come back to it."""
        client = self._clients.get(door)
        if client is not None and not client.robot:
            del self._clients[door]
            self.closed.append(door)

    def awaits(self) -> bool:
        """Return whether some robot that takes part has not answered its last measures yet, which lockstep waits for."""
        if self.game.state is not RunState.RUNNING:
            return False
        robots = self.game.robots
        for client in self._clients.values():
            robot = robots[client.robot - 1] if client.robot else None
            if robot is None or client.waiting or client.silent >= SILENT_CYCLES:
                continue
            if robot.state not in (State.FINISHED, State.REMOVED):
                return True
        return False

    def cycle(self) -> list[Outgoing[Peer]]:
        """Play one cycle and return what is to be sent, in order."""
        game = self.game
        game.begin_cycle()
        self._hear_robots()
        if self._log is not None and game.state is RunState.RUNNING:
            self._log(game.log_entry())
        self._register()
        self._obey()
        game.advance()
        self._tell_robots()
        self._tell_viewers()
        last = game.settle()
        if self._log is not None and last is not None:
            self._log(last)
        out, self._out = self._out, []
        return out

    def _hear_robots(self) -> None:
        running = self.is_running
        for client in self._clients.values():
            client.silent = client.silent + 1 if running and not client.waiting else 0
            while client.robot and client.waiting:
                actions = decode_actions(client.waiting.popleft())
                if actions is None:
                    break
                self.game.act(client.robot, actions)

    def _register(self) -> None:
        while self._arrivals:
            peer, data = self._arrivals.popleft()
            request = decode_registration(data)
            if request is not None:
                self._admit(peer, request)

    def _admit(self, peer: Peer, request: Registration) -> None:
        self._last_door += 1
        door = self._last_door
        client = Client(door, peer)
        if isinstance(request, ViewRequest | PanelRequest):
            accepted = sum(not other.robot for other in self._clients.values()) < WATCHERS_LIMIT
            client.watches = isinstance(request, ViewRequest)
            if accepted and client.watches:
                self.game.look()
        else:
            client.robot = self.game.register(request) or 0
            accepted = client.robot > 0
        self._out.append(Outgoing(door, peer, self._reply if accepted else REFUSED))
        if accepted:
            self._clients[door] = client
        else:
            self.closed.append(door)

    def _obey(self) -> None:
        for client in list(self._clients.values()):
            while not client.robot and client.waiting:
                command = decode_command(client.waiting.popleft())
                if command is None:
                    break
                if command.order is Order.RESET:
                    self.reset()
                    return
                self._order(client, command)

    def _order(self, client: Client[Peer], command: Command) -> None:
        game = self.game
        match command.order:
            case Order.LAB if not self.warnings:
                self._out.append(Outgoing(client.door, client.peer, self._lab))
            case Order.GRID:
                self._out.append(Outgoing(client.door, client.peer, self._grid))
            case Order.START:
                game.start()
            case Order.STOP:
                game.stop()
            case Order.REMOVE:
                game.remove(command.robot)
            case _:
                pass

    def reset(self) -> None:
        """Tell the viewers, forget all clients and begin again; what goes out is in the next result of `cycle`."""
        for client in self._clients.values():
            if client.watches:
                self._out.append(Outgoing(client.door, client.peer, RESTART))
        self.closed += self._clients
        self._clients.clear()
        self.game.reset()

    def _tell_robots(self) -> None:
        game = self.game
        robots: list[Robot | None] = game.robots
        for client in sorted((client for client in self._clients.values() if client.robot), key=lambda client: client.robot):
            robot = robots[client.robot - 1]
            if robot is not None and robot.state is not State.REMOVED:
                self._out.append(Outgoing(client.door, client.peer, encode_measures(game.measures(robot))))

    def _tell_viewers(self) -> None:
        viewers = [client for client in self._clients.values() if client.watches]
        if not viewers:
            return
        for robot in self.game.present:
            message = encode_view(self.game.view(robot))
            self._out += [Outgoing(viewer.door, viewer.peer, message) for viewer in viewers]
