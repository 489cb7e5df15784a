"""GPS receivers of robots that say NMEA sentences: at a TCP port of their own, or at a serial port of the robot."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

from mobilesim_py.core.devices.draws import uniforms
from mobilesim_py.core.engines.formulas import GPS_NOISE
from mobilesim_py.net.link import Link
from mobilesim_py.net.ports import FactoryPort
from mobilesim_py.protocols.peripherals.nmea import Fix, sentences
from mobilesim_py.protocols.peripherals.peripheral import Mute

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.net.door import Door
    from mobilesim_py.services.service import Stage

PERIOD = 0.2
"""Simulated time between two fixes [s]."""
NOISE = 0.5
"""Standard deviation of each coordinate [m]."""
_EVEN = math.sqrt(3.0)
INTERFACE = "GPS"


def fix_of(simulation: Simulation, robot: Robot) -> Fix:
    """Return what a receiver on a robot knows now; in a map that does not say where on earth it lies it has no fix."""
    pose, (forward, left), world = robot.pose, robot.model.pioneer.gps, simulation.world
    sine, cosine = math.sin(pose.heading), math.cos(pose.heading)
    x, y = pose.x + forward * cosine - left * sine, pose.y + forward * sine + left * cosine
    is_good = world.georeference is not None and not world.is_gps_bad(x, y)
    if simulation.noise:
        number = int(simulation.time / PERIOD + 1e-6)
        off = NOISE * _EVEN * uniforms(simulation.seed, robot.serial, GPS_NOISE, number, 2)
        x, y = x + float(off[0]), y + float(off[1])
    latitude, longitude, altitude = world.georeference.at(x, y) if world.georeference is not None else (0.0, 0.0, 0.0)
    speed = math.hypot(*robot.velocity[:2])
    course = 90.0 - math.degrees(pose.heading)
    return Fix(latitude, longitude, altitude, speed, course, simulation.time, is_good, robot.model.pioneer.gps_dop)


class Receiver(Mute):
    """A receiver at a serial port."""

    def __init__(self, simulation: Simulation, robot: Robot) -> None:
        self._simulation, self._robot = simulation, robot
        self._due = 0.0

    def speak(self, now: float) -> bytes:
        """Say a fix if one is due; what nobody has listened to is not said later."""
        if now < self._due - 1e-9:
            return b""
        self._due = now + PERIOD
        return sentences(fix_of(self._simulation, self._robot))


class Listener:
    """A client that reads what a receiver says."""

    synchronised = True

    def __init__(self, listeners: list[Listener]) -> None:
        self.link: Link | None = None
        self._listeners = listeners

    def attach(self, link: Link) -> None:
        """Take the link."""
        self.link = link
        self._listeners.append(self)

    def receive(self, data: bytes) -> None:
        """Ignore what it says: receivers are asked for nothing."""

    def lost(self, reason: str) -> None:
        """Note that it is gone."""
        if self in self._listeners:
            self._listeners.remove(self)


class GpsPorts:
    """The TCP ports of receivers, one for each robot from a first number on."""

    def __init__(self, stage: Stage, first: int | None, address: str) -> None:
        """No port is opened without a first number; with 0 the system chooses."""
        self._stage, self._next, self._address = stage, first, address
        self._ports: dict[Robot, tuple[Door, list[Listener]]] = {}
        self._due = 0.0

    def open(self, robot: Robot) -> None:
        """Open a robot's port."""
        if self._next is None:
            return
        listeners: list[Listener] = []
        make = functools.partial(_listener, listeners)
        port = FactoryPort(
            self._address or "127.0.0.1", self._next, make, self._stage.log, robot=robot.name, interface=INTERFACE
        )
        self._ports[robot] = (self._stage.doors.open(port), listeners)
        self._stage.log.info(f"GPS sentences are said at TCP port {port.port}.", robot.name)
        self._next += 1 if self._next else 0

    def close(self, robot: Robot) -> None:
        """Close a robot's port."""
        found = self._ports.pop(robot, None)
        if found is not None:
            self._stage.doors.close(found[0])

    def tell(self, now: float) -> None:
        """Say the fixes that are due."""
        if not self._ports or now < self._due - 1e-9:
            return
        self._due = now + PERIOD
        for robot, (_, listeners) in self._ports.items():
            if listeners:
                said = sentences(fix_of(self._stage.simulation, robot))
                for listener in list(listeners):
                    if listener.link is not None:
                        listener.link.write(said)

    @property
    def is_heard(self) -> bool:
        """Whether anybody listens."""
        return any(listeners for _, listeners in self._ports.values())


def _listener(listeners: list[Listener], peer: str) -> Listener:
    return Listener(listeners)
