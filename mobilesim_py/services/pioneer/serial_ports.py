"""The serial ports AUX1 to AUX3 of a robot: what hangs on them, what it has said, and how much of it a client waits for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mobilesim_py.net.link import Link
from mobilesim_py.protocols.arcos.packet import MAX_DATA
from mobilesim_py.protocols.peripherals.canon import CanonCamera
from mobilesim_py.protocols.peripherals.mount import Mount
from mobilesim_py.protocols.peripherals.pan_tilt import DirectedPerceptionUnit, SmallUnit
from mobilesim_py.protocols.peripherals.peripheral import Loop, Mute, Peripheral
from mobilesim_py.protocols.peripherals.visca import ViscaCamera

PORTS = (1, 2, 3)
BUFFER = 1024
"""Bytes that a port keeps for its client; older ones are lost."""
SIMPLE: dict[str, Callable[[], Peripheral]] = {
    "vcc4": CanonCamera,
    "sony": ViscaCamera,
    "dpptu": DirectedPerceptionUnit,
    "amptu": SmallUnit,
    "loop": Loop,
    "none": Mute,
}
"""What can hang on a port, and needs nothing else to be made."""
USUAL = {1: "vcc4", 2: "none", 3: "none"}


class Remote(Mute):
    """A program of the user's at the other end: a TCP peer, or whoever opens a pseudo-terminal."""

    def __init__(self, note: Callable[[str], None]) -> None:
        """`note` is told when the other end comes and goes."""
        self._link: Link | None = None
        self._heard = bytearray()
        self._note = note
        self._was_told = False
        """Whether the log says that nobody is there."""

    def receive(self, data: bytes, now: float) -> bytes:
        """Take bytes of the robot to the other end, if anybody is there."""
        if self._link is not None:
            self._link.write(data)
        return b""

    def speak(self, now: float) -> bytes:
        """Return what the other end has sent."""
        heard, self._heard = bytes(self._heard), bytearray()
        return heard

    def hear(self, data: bytes) -> None:
        """Take bytes of the other end."""
        self._heard += data
        del self._heard[:-BUFFER]

    def joined(self, link: Link) -> None:
        """Note that the other end is there."""
        self._link, self._was_told = link, False
        self._note(f"{link.peer} is at the other end of the serial port.")

    def gone(self, reason: str) -> None:
        """Note that it is not."""
        if self._link is None and self._was_told:
            return
        self._link, self._was_told = None, True
        self._note(f"Nobody is at the other end of the serial port. ({reason})")


class RemoteEnd:
    """The session of what comes in from a remote end."""

    synchronised = True

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    def attach(self, link: Link) -> None:
        """Take the link."""
        self._remote.joined(link)

    def receive(self, data: bytes) -> None:
        """Take bytes."""
        self._remote.hear(data)

    def lost(self, reason: str) -> None:
        """Note that it is gone."""
        self._remote.gone(reason)


@dataclass
class SerialPort:
    """One port."""

    peripheral: Peripheral
    kind: str = "none"
    heard: bytearray = field(default_factory=bytearray)
    """What came from the peripheral, and no client has got yet."""
    wanted: int = 0
    """For how many bytes a client waits; 0: it does not."""

    def keep(self, data: bytes) -> None:
        """Keep what the peripheral says; the oldest bytes are lost where it is too much."""
        self.heard += data
        del self.heard[:-BUFFER]

    def due(self) -> bytes:
        """Return what the client waits for, once that is all there."""
        if not 0 < self.wanted <= len(self.heard):
            return b""
        data = bytes(self.heard[: self.wanted])
        del self.heard[: self.wanted]
        self.wanted = 0
        return data

    def flush(self) -> None:
        """Forget what was heard, and that anybody waits."""
        self.heard.clear()
        self.wanted = 0


class SerialPorts:
    """All serial ports of one robot, by their numbers."""

    def __init__(self, kinds: dict[int, str] | None = None) -> None:
        given = USUAL | (kinds or {})
        self.ports = {number: SerialPort(SIMPLE.get(given[number], Mute)(), given[number]) for number in PORTS}

    def attach(self, number: int, peripheral: Peripheral) -> None:
        """Let something hang on a port."""
        self.ports[number].peripheral = peripheral

    @property
    def speaks(self) -> bool:
        """Whether anything here may say something on its own."""
        return any(port.kind not in SIMPLE for port in self.ports.values())

    @property
    def waits(self) -> bool:
        """Whether a client waits for bytes."""
        return any(port.wanted for port in self.ports.values())

    @property
    def mounts(self) -> dict[int, Mount]:
        """The cameras, by the numbers of their ports."""
        found = {number: port.peripheral.mount for number, port in self.ports.items()}
        return {number: mount for number, mount in found.items() if mount is not None}

    def write(self, number: int, data: bytes, now: float) -> None:
        """Send bytes to what hangs on a port, and keep its answer."""
        port = self.ports[number]
        port.keep(port.peripheral.receive(data, now))

    def ask(self, number: int, count: int) -> None:
        """Wait for so many bytes; 0 forgets what is there, and that anybody waits."""
        if count <= 0:
            self.ports[number].flush()
        else:
            self.ports[number].wanted = min(count, MAX_DATA)

    def listen(self, now: float) -> None:
        """Keep what peripherals have said on their own."""
        for port in self.ports.values():
            port.keep(port.peripheral.speak(now))

    def due(self) -> list[tuple[int, bytes]]:
        """Return what clients have waited for, with the numbers of the ports."""
        return [(number, data) for number, port in self.ports.items() if (data := port.due())]

    def reset(self) -> None:
        """Forget what the last client waited for, and have cameras look straight ahead."""
        for port in self.ports.values():
            port.flush()
            port.peripheral.reset()
