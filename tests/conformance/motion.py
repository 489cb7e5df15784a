"""Motion, step by step beside a recording.

The original moves once and sends one SIP every 100 ms; so do we, which lets SIP k of ours stand beside SIP k of the
recording. What differs from run to run is only when the original read a command: 0.1 to 0.3 s after it was sent.
For each command that delay is found by trying: the one with which ours follows best until the next command.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import numpy as np

from mobilesim_py.core.fields import Body
from mobilesim_py.core.robot import Robot
from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.instruction import decode
from mobilesim_py.protocols.arcos.sip import WireSip

from .recording import Line, Recording, read_packets
from .stand import Client, Stand

LONGEST_DELAY = 3
"""SIPs between a command and its effect in the original, at most."""
TELLING = 15
"""So many SIPs after a command tell its delay."""
TOGETHER = 0.06
"""Commands closer to each other than this are read at once [s]."""
DISTANCE, ANGLE, SPEED = 25.0, 1.5, 30.0
"""What ours may differ by: mm, degrees, mm/s (and that much rotation of the wheels)."""


@dataclass(frozen=True)
class Movement:
    """What a SIP says of motion [mm, degrees, mm/s]."""

    x: float
    y: float
    heading: float
    left: float
    right: float
    lateral: float
    stalled: bool

    def apart(self, other: Movement) -> tuple[float, float, float]:
        """How far two are apart: distance, angle, speed."""
        turn = math.remainder(self.heading - other.heading, 360.0)
        speeds = (self.left - other.left, self.right - other.right, self.lateral - other.lateral)
        return math.hypot(self.x - other.x, self.y - other.y), abs(turn), max(map(abs, speeds))


def movement_of(sip: WireSip, distance: float, velocity: float) -> Movement:
    """What a client makes of a SIP, given the factors of its robot."""
    return Movement(
        sip.x * distance,
        sip.y * distance,
        sip.heading * 0.001534 * 180.0 / math.pi,
        sip.left_speed * velocity,
        sip.right_speed * velocity,
        float(sip.lateral_speed),
        sip.stall_and_bumpers != 0,
    )


@dataclass
class Stretch:
    """From one command (or some sent together) to the next: both movements, SIP by SIP."""

    commands: tuple[Line, ...]
    turn: int = 1
    """Which one it is of those with the same commands."""
    recorded: list[Movement] = field(default_factory=list)
    ours: list[Movement] = field(default_factory=list)
    delay: int = 0

    @property
    def commands_text(self) -> str:
        """The commands' bytes."""
        return " ".join(line.text for line in self.commands)

    @property
    def apart(self) -> tuple[float, float, float]:
        """The largest distance, angle and difference of speed."""
        pairs = [a.apart(b) for a, b in zip(self.recorded, self.ours, strict=True)]
        return (max(p[0] for p in pairs), max(p[1] for p in pairs), max(p[2] for p in pairs)) if pairs else (0.0,) * 3

    @property
    def agrees(self) -> bool:
        """Whether ours is close enough."""
        return all(a <= most for a, most in zip(self.apart, (DISTANCE, ANGLE, SPEED), strict=True))

    @property
    def badness(self) -> tuple[float, float]:
        """How much farther apart they are than is allowed, in units of that, and then how far apart at all."""
        shares = [
            share
            for a, b in zip(self.recorded, self.ours, strict=True)
            for share in np.divide(a.apart(b), (DISTANCE, ANGLE, SPEED)).tolist()
        ]
        return round(sum(max(0.0, share - 1.0) for share in shares), 3), round(sum(shares), 3)

    @property
    def label(self) -> str:
        """The commands in words, such as `SETA 0, VEL 500`, or `VEL 0 #2` when it comes again."""
        words = []
        for line in self.commands:
            for packet in read_packets(line.data):
                instruction = decode(packet)
                words.append(instruction.name if instruction.value is None else f"{instruction.name} {instruction.value}")
        return ", ".join(words) + (f" #{self.turn}" if self.turn > 1 else "")

    def __str__(self) -> str:
        away = "{:.0f} mm, {:.1f} deg, {:.0f} mm/s".format(*self.apart)
        return f"{self.label} (at {self.commands[0].time if self.commands else 0.0:.2f} s): {away} apart"


def stretches(recording: Recording, stand: Stand, changed: Collection[str] = (), who: str = "A") -> list[Stretch]:
    """Play a client's commands to ours, each as late as the original read it.

    Where a stretch is `changed` on purpose, ours goes on after it from where the recording is.
    """
    client = stand.connect()
    client.send(*SYNCS)
    client.send(OPEN, command(Command.SONAR, 0))  # Nobody looks at the echoes.
    factors = client.robot.model.pioneer.conversion
    seen = [(time, movement_of(sip, factors.distance, 1.0)) for time, sip in recording.sips(who)]
    groups = list(_groups([line for line in recording.of(who, "tx") if line.number > 2]))
    stand.step(sum(time <= groups[0][0].time for time, _ in seen))
    result: list[Stretch] = []
    for index, group in enumerate(groups):
        until = groups[index + 1][0].time if index + 1 < len(groups) else math.inf
        due = [movement for time, movement in seen if group[0].time < time <= until]
        stretch = _best(stand, client, group, due)
        stretch.turn += sum(one.commands_text == stretch.commands_text for one in result)
        result.append(stretch)
        if stretch.label in changed and due:
            _go_on_from(client.robot, due[-1])
    return result


def _go_on_from(robot: Robot, movement: Movement) -> None:
    """Let odometry and speeds be the recorded ones."""
    robot.set_odometry(movement.x / 1000.0, movement.y / 1000.0, math.radians(movement.heading))
    bodies = robot._simulation.bodies
    difference = 0.5 * (movement.right - movement.left) * robot.model.pioneer.conversion.difference
    bodies[Body.FORWARD, robot.column] = 0.5 * (movement.left + movement.right) / 1000.0
    bodies[Body.LATERAL, robot.column] = movement.lateral / 1000.0
    bodies[Body.ROTATION, robot.column] = difference


def _groups(commands: list[Line]) -> Iterator[list[Line]]:
    group: list[Line] = []
    for line in commands:
        if group and line.time - group[-1].time > TOGETHER:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _best(stand: Stand, client: Client, group: list[Line], due: list[Movement]) -> Stretch:
    """Try every delay from the state of now, then go the way of the best."""
    simulation = stand.program.simulation
    factors = client.robot.model.pioneer.conversion
    before = simulation.bodies.copy()

    def run(delay: int, due: list[Movement]) -> Stretch:
        # All that motion depends on is in this matrix; that time does not go back with it is of no account.
        simulation.bodies[:] = before
        simulation.forget_readings()
        stretch = Stretch(tuple(group), delay=delay)
        for index in range(max(len(due), delay + 1)):
            if index == delay:
                for line in group:
                    client.send(line.data)
            if index < len(due):
                stand.step()
                stretch.recorded.append(due[index])
                stretch.ours.append(movement_of(client.sip, factors.distance, factors.velocity))
        return stretch

    # The earliest of equals, so that what follows has time to happen.
    best = min(range(LONGEST_DELAY + 1), key=lambda delay: (*run(delay, due[:TELLING]).badness, delay))
    return run(best, due)
