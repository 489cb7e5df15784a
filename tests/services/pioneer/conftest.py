"""A program without sockets: clients on null modems, a clock that only moves when told to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py import testing
from mobilesim_py.core.robot import Robot
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.sip import WireSip, unpack_sip
from mobilesim_py.testing import ArcosClient as NullModem

__all__ = ["SIPS", "Make", "NullModem", "Stand", "last_sip", "tell"]

SIPS = (0x32, 0x33)


class Stand(testing.Stand):
    """A test stand whose clients have nothing in their ears when a test begins."""

    def connect(self, robot: Robot | None = None) -> NullModem:  # type: ignore[override]
        """Connect a client, and do the handshake."""
        modem = self.dial(robot).synchronise()
        modem.take()
        return modem


Make = Callable[..., Stand]
"""Makes a stand of options."""


def tell(modem: NullModem, command: Command, value: int | None = None) -> None:
    """Send a command."""
    modem.send(client.command(command, value))


def last_sip(bench: Stand, modem: NullModem, steps: int = 1) -> WireSip:
    """Step, and return the last SIP that comes."""
    modem.take()
    bench.step(steps)
    return unpack_sip(modem.take(*SIPS)[-1])


@pytest.fixture
def room_map(tmp_path: Path) -> Path:
    """A square room of ten metres with a home."""
    path = tmp_path / "room.map"
    path.write_text(
        "2D-Map\nLineMinPos: -5000 -5000\nLineMaxPos: 5000 5000\nNumLines: 4\n"
        'Cairn: RobotHome 1000 500 90 "" ICON "home"\nOriginLatLongAlt: 42.8 -71.5 70\n'
        "LINES\n-5000 -5000 5000 -5000\n5000 -5000 5000 5000\n5000 5000 -5000 5000\n-5000 5000 -5000 -5000\nDATA\n"
    )
    return path


@pytest.fixture
def stand() -> Callable[..., Stand]:
    """Make a program of options; without any, a p3dx-sh in the empty world."""

    def make(*words: str) -> Stand:
        return Stand(*(words or ("--nomap", "-r", "p3dx-sh", "--no-noise")))

    return make
