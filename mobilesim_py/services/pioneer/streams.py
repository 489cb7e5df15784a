"""Packets of devices that a client has asked for: once, or with every SIP, before or after it.

A module of a device registers what makes its packet; a session asks for it by the name of the command.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

Maker = Callable[["EmulatorSession"], bytes]
"""Makes the packets of a device that are due; none on a robot without it."""
MAKERS: dict[str, Maker] = {}
BEFORE = ("GYRO", "JOYINFO")
AFTER = ("ENCODER", "IOREQUEST", "GRIPPERPACREQUEST", "TCM2", "BATTERYINFO", "IMUREQUEST", "PLAYLIST", "AUX", "KICK")
ONCE, ALWAYS = 1, 2


def makes(name: str) -> Callable[[Maker], Maker]:
    """Register what makes the packets that a command asks for."""

    def register(maker: Maker) -> Maker:
        assert name in BEFORE or name in AFTER
        MAKERS[name] = maker
        return maker

    return register


class Streams:
    """What one client has asked for."""

    def __init__(self) -> None:
        self.wanted: dict[str, int] = {}
        """How often, by the names of the commands; empty for a client that has asked for nothing."""

    def ask(self, name: str, value: int) -> None:
        """Note what is wanted: 0 nothing more, 1 one packet, 2 or more one with every SIP."""
        if value <= 0:
            self.wanted.pop(name, None)
        else:
            self.wanted[name] = min(value, ALWAYS)

    def wants(self, name: str) -> bool:
        """Tell whether packets of a device are wanted."""
        return name in self.wanted

    def clear(self) -> None:
        """Want nothing."""
        self.wanted.clear()

    def around(self, session: EmulatorSession, sip: bytes, rest: bytes) -> bytes:
        """Return a SIP and the scans after it with the packets that belong before and between them."""
        before = b"".join(self._due(name, session) for name in BEFORE)
        after = b"".join(self._due(name, session) for name in AFTER)
        return before + sip + after + rest

    def _due(self, name: str, session: EmulatorSession) -> bytes:
        how = self.wanted.get(name)
        if how is None:
            return b""
        if how == ONCE:
            del self.wanted[name]
        return MAKERS[name](session)


@handles("ENCODER", "IOREQUEST", "GRIPPERPACREQUEST", "BATTERYINFO", "JOYINFO", "IMUREQUEST")
def ask(session: EmulatorSession, instruction: Instruction) -> None:
    """Begin or end a stream."""
    session.streams.ask(instruction.name, instruction.magnitude(ONCE))
