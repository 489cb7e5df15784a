"""Socket routing: a feature of an Oz that another program stands in for, at the other end of a line that we open.

What that program says of the feature goes to the robot's clients in place of what is simulated; what clients tell the
feature goes to that program instead of to the robot. While there is no line, the simulated robot serves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobilesim_py.protocols.naio import Connection, End, Kind, Packet, PacketReceived, encode
from mobilesim_py.services.oz.features import BY_NAME, Feature

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mobilesim_py.net.dialling import Dialler
    from mobilesim_py.net.link import Link
    from mobilesim_py.services.oz.oz import Oz
    from mobilesim_py.services.oz.service import OzService

RETRY_SECONDS = 2.0
"""How long to wait before a line is tried again [real s]."""
CONNECTED = "{feature} comes from {place} now (--naio-route)."
GONE = "{feature} is simulated: no line to {place} ({reason}). Trying again."


class Route:
    """The way to the program that stands in for one feature; a session of a line that we open."""

    synchronised = True

    def __init__(self, service: OzService, oz: Oz, feature: Feature, host: str, port: int) -> None:
        self.feature = feature
        self._service = service
        self._oz = oz
        self._host = host
        self._port = port
        self._link: Link | None = None
        self._connection = Connection(End.CLIENT, service.dialect)
        self._dialler: Dialler | None = None
        self._was_told = False

    @property
    def is_open(self) -> bool:
        """Whether the other program is there."""
        return self._link is not None

    def dial(self, dialler: Dialler) -> None:
        """Open the line, and again whenever it is lost, until `close`."""
        self._dialler = dialler
        dialler.dial(self._host, self._port, self)

    def close(self) -> None:
        """Leave the other program alone."""
        self._dialler = None
        if self._link is not None:
            self._link.close()

    def pass_on(self, packet: Packet) -> None:
        """Tell the other program what a client said."""
        if self._link is not None:
            self._link.write(encode(packet, self._service.dialect))

    # The line

    def attach(self, link: Link) -> None:
        """Take the line."""
        self._link = link
        self._connection = Connection(End.CLIENT, self._service.dialect)
        self._was_told = False
        self._tell(CONNECTED.format(feature=self.feature.name, place=self._place))

    def receive(self, data: bytes) -> None:
        """Pass what the other program says of its feature on to the robot's clients."""
        self._connection.receive_data(data)
        for event in self._connection.events():
            if isinstance(event, PacketReceived) and event.packet.kind in self.feature.told:
                for session in tuple(self._oz.sessions):
                    if session.role.told is None or event.packet.kind in session.role.told:
                        session.send(event.packet)

    def lost(self, reason: str) -> None:
        """Simulate the feature, and try again later."""
        self._link = None
        if self._dialler is None:
            return
        if not self._was_told:
            self._was_told = True
            why = reason.removeprefix(f"{self._place}: ").rstrip(".")
            self._tell(GONE.format(feature=self.feature.name, place=self._place, reason=why))
        self._service.stage.clock.later(RETRY_SECONDS, self._try_again)

    def _try_again(self) -> None:
        if self._dialler is not None:
            self._dialler.dial(self._host, self._port, self)

    @property
    def _place(self) -> str:
        return f"{self._host}:{self._port}"

    def _tell(self, text: str) -> None:
        self._service.log.info(text[0].upper() + text[1:], self._oz.robot.name)


def routes_of(service: OzService, oz: Oz, wishes: Iterable[tuple[str, str, int]]) -> tuple[Route, ...]:
    """Return the routes that the options ask for: of a feature that is named twice the last."""
    places = {feature: (host, port) for feature, host, port in wishes}
    return tuple(Route(service, oz, BY_NAME[feature], *place) for feature, place in places.items())


def told_elsewhere(routes: Iterable[Route]) -> frozenset[Kind]:
    """Return the kinds of packets that other programs send now."""
    return frozenset().union(*(route.feature.told for route in routes if route.is_open))
