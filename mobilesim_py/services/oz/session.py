"""One client of an Oz: its bytes become packets, its packets wishes; what it is sent is bounded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mobilesim_py import messages
from mobilesim_py.net.link import Link
from mobilesim_py.protocols.naio import Connection, End, Kind, Packet, PacketReceived, StreamFault, encode
from mobilesim_py.services.oz.commands import HANDLERS

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.log import Log
    from mobilesim_py.net.door import Door
    from mobilesim_py.services.oz.oz import Oz
    from mobilesim_py.services.oz.service import OzService

BUSY = "Client from {peer} is refused: one client at a time on this port."


@dataclass(frozen=True)
class Role:
    """What a port is for."""

    name: str
    drives: bool = False
    """Whether its client drives the robot, is waited for in lockstep, and hung up on when it is silent."""
    told: frozenset[Kind] | None = None
    """Kinds of packets that go out; None: all but pictures."""
    obeyed: frozenset[Kind] | None = None
    """Kinds of packets that are listened to; None: all."""


MAIN = Role("main", drives=True)
IMAGE = Role("image", told=frozenset())


class OzSession:
    """The session of one client on one port of an Oz."""

    synchronised = True

    def __init__(self, service: OzService, oz: Oz, role: Role, door: Door | None, *, persistent: bool = False) -> None:
        self.service = service
        self.oz = oz
        self.role = role
        self.door = door
        self.persistent = persistent
        """Whether the line stays when its client goes, as a serial one does."""
        self.log: Log = service.log
        self.robot: Robot = oz.robot
        self.connection = Connection(End.ROBOT, service.dialect)
        self.peer = ""
        self.link: Link | None = None
        self.was_heard = True
        """Whether it has sent anything since its last lidar packet."""
        self.silence = 0.0
        """Real time since its last packet, but for that in which we were busy ourselves [s]."""
        self.packets_sent = self.packets_received = self.packets_left_out = 0
        self._named: set[str] = set()
        """What the log has been told of it once."""

    # Called by the link

    def attach(self, link: Link) -> None:
        """Take the link to the client, or hang up on it when the port has one already."""
        self.peer = link.peer
        if self.service.is_taken(self):
            self.log.info(BUSY.format(peer=link.peer), self.robot.name)
            link.close()
            return
        self.link = link
        self.service.came(self)

    def receive(self, data: bytes) -> None:
        """Take bytes from the client and obey what they say at once."""
        if self.link is None:
            return
        self.connection.receive_data(data)
        for event in self.connection.events():
            match event:
                case PacketReceived(packet):
                    self._obey(packet)
                case StreamFault(fault):
                    self.log.warning(f"{fault.detail}.", self.robot.name)
        self.service.heard(self)

    def lost(self, reason: str) -> None:
        """Note that the client is gone."""
        if self.link is None:
            return
        self.link = None
        if reason and reason != messages.CLIENT_DISCONNECTED:
            self.log.info(reason, self.robot.name)
        self.log.info(messages.CLIENT_DISCONNECTED, self.robot.name)
        self.service.went(self)

    # Called by the service

    @property
    def pending(self) -> int:
        """Bytes that the client has not taken yet."""
        return self.link.pending if self.link is not None else 0

    def hang_up(self, why: str = "") -> None:
        """End the session from our side."""
        if self.link is not None:
            if why:
                self.log.info(why, self.robot.name)
            self.link.close()

    def write(self, data: bytes, count: int = 1) -> bool:
        """Send so many packets in one write; False if the client has not read what it was sent before."""
        if self.link is None:
            return False
        if self.link.write(data):
            self.packets_sent += count
            return True
        self.leave_out(count)
        return False

    def leave_out(self, count: int = 1) -> None:
        """Note that so many packets were not sent, because the client does not read."""
        self.packets_left_out += count
        text = messages.SLOW_CLIENT.format(count=self.packets_left_out)
        self.log.occasionally("slow client", text, self.robot.name)

    def send(self, packet: Packet) -> bool:
        """Send a packet."""
        return self.write(encode(packet, self.connection.dialect))

    def tell_once(self, key: str, text: str) -> None:
        """Log something the first time that it happens in this session."""
        if key not in self._named:
            self._named.add(key)
            self.log.info(text, self.robot.name)

    def _obey(self, packet: Packet) -> None:
        self.packets_received += 1
        self.silence = 0.0
        if self.service.options.log_packets_received:
            self.log.record(f"< {packet}", self.robot.name)
        obeyed = self.role.obeyed
        if obeyed is not None and packet.kind not in obeyed:
            name = type(packet).__name__
            self.tell_once(f"not here {name}", f"{name} is ignored: it does not belong to the {self.role.name} port.")
            return
        for route in self.oz.routes:
            if route.is_open and packet.kind in route.feature.obeyed:
                route.pass_on(packet)
                return
        handler = HANDLERS.get(type(packet))
        if handler is None:
            name = type(packet).__name__
            self.tell_once(f"from the robot {name}", f"{name} is ignored: only the robot sends it.")
        else:
            handler(self, packet)
