"""What a client knows of the robot it talks to: the newest of everything, and who wants to be told."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.pioneer import Conversion
from mobilesim_py.errors import MobileSimError
from mobilesim_py.protocols.arcos.client_connection import Connected
from mobilesim_py.protocols.arcos.config import Config
from mobilesim_py.protocols.arcos.connection import Identity
from mobilesim_py.protocols.arcos.laser import LaserPacket
from mobilesim_py.protocols.arcos.measured import LaserScan, Odometer, ScanAssembler, Sip, Units, read_sip
from mobilesim_py.protocols.arcos.packet import Packet
from mobilesim_py.protocols.arcos.received import read
from mobilesim_py.protocols.arcos.simulator import SimInfo, WireSimStat
from mobilesim_py.protocols.arcos.sip import SIP_MOVING, SIP_STOPPED

Callback = Callable[[Any], object]


class Conversation:
    """Turns packets into typed objects, and keeps the newest of them."""

    def __init__(self, units: Units | None = None) -> None:
        """Read with these units; else with those of the model that the robot says it is."""
        self.identity = Identity("", "", "")
        self.config: Config | None = None
        self.sip: Sip | None = None
        self.scan: LaserScan | None = None
        self.sim_stat: WireSimStat | None = None
        self.sim_info: SimInfo | None = None
        self.sonar: dict[int, float] = {}
        """The newest echo of each transducer [m]."""
        self.laser_span: tuple[float, float] | None = None
        """First angle and increment of the scans that were asked for [rad]."""
        self._given_units = units
        self.units = units or Units()
        self._odometer = Odometer()
        self._scans = ScanAssembler()
        self._callbacks: list[tuple[type, Callback]] = []

    def begin(self, connected: Connected) -> None:
        """Note who the robot is."""
        self.identity = connected.identity
        self.config = connected.config
        if self._given_units is None:
            self.units = units_of(connected.identity.subclass)

    def start_over(self) -> None:
        """Forget what a new session does not go on with."""
        self._odometer, self._scans = Odometer(), ScanAssembler()

    def understand(self, packet: Packet) -> list[object]:
        """Return what a packet says: one object, or two when it completes a scan."""
        if packet.id in (SIP_STOPPED, SIP_MOVING):
            self.sip = read_sip(packet, self.units, self._odometer)
            self.sonar.update(self.sip.sonar)
            return [self.sip]
        message = read(packet)
        if isinstance(message, Config):
            self.config = message
        elif isinstance(message, WireSimStat):
            self.sim_stat = message
        elif isinstance(message, SimInfo):
            self.sim_info = message
        elif isinstance(message, LaserPacket) and (scan := self._scans.take(message)):
            start, increment = self.laser_span or (None, None)
            self.scan = LaserScan(scan.ranges, scan.reflectance, scan.device, start, increment)
            return [message, self.scan]
        return [message]

    # Who wants to be told

    def subscribe(self, kind: type, callback: Callback) -> Callable[[], None]:
        """Let a function be called with every object of a kind; return what ends that."""
        row = (kind, callback)
        self._callbacks.append(row)
        return lambda: self._callbacks.remove(row) if row in self._callbacks else None

    def tell(self, message: object) -> None:
        """Call who wants to be told of an object."""
        for kind, callback in tuple(self._callbacks):
            if isinstance(message, kind):
                callback(message)


def units_of(subclass: str) -> Units:
    """Return the units of a model by the name under which ARIA looks up its parameters; the usual ones if it is unknown."""
    try:
        conversion = Catalogue.load().find(subclass.lower()).pioneer.conversion
    except MobileSimError:
        return Units()
    return as_units(conversion)


def as_units(conversion: Conversion) -> Units:
    """Return a catalogue's conversion factors as units of the protocol.

    Files round the unit of angle; what is nearly a part of a turn that is a power of two is that part.
    """
    parts = 2 ** round(math.log2(math.tau / conversion.angle))
    exact = math.tau / parts
    angle = exact if abs(exact / conversion.angle - 1.0) < 0.01 else conversion.angle
    return Units(
        conversion.distance, conversion.velocity, conversion.range, angle, conversion.difference, conversion.vel2_divisor
    )
