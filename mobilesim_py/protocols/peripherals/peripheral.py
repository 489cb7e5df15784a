"""The interface of everything that hangs on a serial port of a robot."""

from __future__ import annotations

from typing import Protocol

from mobilesim_py.protocols.peripherals.mount import Mount

MOST_BYTES = 256
"""Bytes of an unfinished command that are kept."""


class Peripheral(Protocol):
    """Something at the other end of a serial line. Times are seconds of the simulation."""

    @property
    def mount(self) -> Mount | None:
        """The camera's mount, if it is one."""

    def receive(self, data: bytes, now: float) -> bytes:
        """Take bytes from the robot; return what it answers at once."""

    def speak(self, now: float) -> bytes:
        """Return what it says on its own until now."""

    def reset(self) -> None:
        """Switch it off and on."""


class Mute:
    """What takes every byte and says nothing: a base for others."""

    mount: Mount | None = None

    def receive(self, data: bytes, now: float) -> bytes:
        """Take bytes."""
        return b""

    def speak(self, now: float) -> bytes:
        """Say nothing."""
        return b""

    def reset(self) -> None:
        """Do nothing."""


class Loop(Mute):
    """A plug that sends back what comes."""

    def receive(self, data: bytes, now: float) -> bytes:
        """Return the same bytes."""
        return data
