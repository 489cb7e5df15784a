"""A second service, as small as one can be: lines of text on a TCP and a UDP door.

A client sends `forward 0.3` (m/s) or anything else as a sign of life; every 50 ms of simulated time it is told
`0.05 1.234` (time and the robot's x). The robot is an amigo; who comes by UDP only watches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mobilesim_py.app.service_table import SERVICES, ServiceRow
from mobilesim_py.core.engines.engine import Engine
from mobilesim_py.core.robot import Robot
from mobilesim_py.net.datagrams import DatagramPort
from mobilesim_py.net.door import Door
from mobilesim_py.net.link import Link
from mobilesim_py.net.ports import RobotPort
from mobilesim_py.services.service import Booking, ClientFacts, Stage, WorldChange


class ToySession:
    """One client's lines."""

    synchronised = True
    link: Link

    def __init__(self, service: ToyService, peer: str, door: Door, robot: Robot | None) -> None:
        self.service, self.peer, self.door, self.robot = service, peer, door, robot
        self.sent = self.received = self.left_out = 0
        self.was_heard = True

    def attach(self, link: Link) -> None:
        self.link = link
        self.service.sessions.append(self)

    def receive(self, data: bytes) -> None:
        for line in data.decode("ascii", "replace").splitlines():
            self.received += 1
            word, _, value = line.partition(" ")
            if word == "forward" and self.robot is not None:
                self.robot.drive(float(value))
        self.was_heard = True
        self.service.stage.wake()

    def say(self, text: str) -> None:
        self.was_heard = False
        sent = self.link.write(f"{text}\n".encode())
        self.sent, self.left_out = self.sent + sent, self.left_out + (not sent)

    def lost(self, reason: str) -> None:
        if self in self.service.sessions:
            self.service.sessions.remove(self)
        self.service.stage.wake()


class ToyService:
    """All clients that speak in lines."""

    name, period = "toy", 0.05

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.sessions: list[ToySession] = []
        self.doors: list[Door] = []
        self.told_of: list[WorldChange] = []

    def open(self, bookings: Sequence[Booking]) -> None:
        for booking in bookings:
            if booking.robot is not None:
                self.admit(booking.robot)
        watching: Door = DatagramPort("127.0.0.1", 0, lambda peer: ToySession(self, peer, watching, None), self.stage.log)
        self.doors.append(self.stage.doors.open(watching))

    def admit(self, robot: Robot, port: int = 0) -> None:
        door: Door = RobotPort(
            "127.0.0.1",
            port,
            lambda peer: ToySession(self, peer, door, robot),
            self.stage.log,
            robot=robot.name,
            interface="Toy",
        )
        self.doors.append(self.stage.doors.open(door))

    def dismiss(self, robot: Robot) -> None:
        for door in [door for door in self.doors if door.robot == robot.name]:
            self.stage.doors.close(door)

    def tell(self, now: float) -> None:
        for session in list(self.sessions):
            session.say(f"{now:.2f} {session.robot.pose.x:.3f}" if session.robot else f"{now:.2f}")

    def is_busy(self) -> bool:
        return bool(self.sessions)

    def awaits(self) -> bool:
        return not all(session.was_heard for session in self.sessions)

    def backlog(self) -> int:
        return max((session.link.pending for session in self.sessions), default=0)

    def clients(self) -> Sequence[ClientFacts]:
        return [
            ClientFacts(self.name, s, s.peer, s.robot, s.door, s.sent, s.received, s.left_out, s.link.pending)
            for s in self.sessions
        ]

    def held(self) -> Sequence[Robot]:
        return [session.robot for session in self.sessions if session.robot is not None]

    def door_of(self, robot: Robot) -> Door | None:
        return next((door for door in self.doors if door.robot == robot.name), None)

    def factories(self) -> Sequence[tuple[str, Door]]:
        return ()

    def world_changed(self, change: WorldChange) -> None:
        self.told_of.append(change)

    def use_engine(self, engine: Engine) -> None:
        pass

    def close(self) -> None:
        for door in self.doors:
            self.stage.doors.close(door)


def _make(stage: Stage, options: Any) -> ToyService:
    return ToyService(stage)


TOY = ServiceRow("toy", _make, serves=lambda model: model.name == "amigo", step=0.05)
ROWS = (TOY, *SERVICES)
