"""What hangs on serial ports and has to do with others: a receiver, a TCP peer, a program at a pseudo-terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobilesim_py.net.dialling import Dialler
from mobilesim_py.net.door import Door
from mobilesim_py.services.pioneer.gps import Receiver
from mobilesim_py.services.pioneer.serial_ports import Remote, RemoteEnd, SerialPorts

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.services.service import Stage

GPS, TCP, PTY = "gps", "tcp", "pty"
AGAIN_SECONDS = 2.0
"""Real time after which a peer that is not there is dialled again [s]."""


def attach(stage: Stage, robot: Robot, ports: SerialPorts) -> list[Door]:
    """Let what the ports' kinds say hang on them; return the doors that were opened for that."""
    doors: list[Door] = []
    for number, port in ports.ports.items():
        kind, _, where = port.kind.partition(":")
        if kind == GPS:
            ports.attach(number, Receiver(stage.simulation, robot))
        elif kind in (TCP, PTY):
            name = f"AUX{number}"
            remote = Remote(lambda text, name=name: stage.log.info(f"{name}: {text}", robot.name))  # type: ignore[misc]
            ports.attach(number, remote)
            doors.append(
                _Peer(stage, remote, name, where).door if kind == TCP else _terminal(stage, remote, name, where, robot)
            )
    return doors


def _terminal(stage: Stage, remote: Remote, name: str, link: str, robot: Robot) -> Door:
    from mobilesim_py.net.pseudo_terminal import PtyPort

    return stage.doors.open(
        PtyPort(link, lambda peer: RemoteEnd(remote), stage.log, robot=robot.name, interface=name, listens_first=True)
    )


class _Peer:
    """A TCP peer that is dialled until it is there, and again when it has gone."""

    def __init__(self, stage: Stage, remote: Remote, name: str, where: str) -> None:
        self._stage, self._remote = stage, remote
        host, _, port = where.rpartition(":")
        self._host, self._port = host, int(port)
        self.door = stage.doors.open(Dialler(stage.log, interface=name))
        self._dial()

    def _dial(self) -> None:
        if self.door in list(self._stage.doors):
            self.door.dial(self._host, self._port, _PeerEnd(self._remote, self._lost))

    def _lost(self) -> None:
        self._stage.clock.later(AGAIN_SECONDS, self._dial)


class _PeerEnd(RemoteEnd):
    """The session of such a peer."""

    def __init__(self, remote: Remote, lost: Callable[[], None]) -> None:
        super().__init__(remote)
        self._tell = lost

    def lost(self, reason: str) -> None:
        """Note that it is gone, and have it dialled again."""
        super().lost(reason)
        self._tell()
