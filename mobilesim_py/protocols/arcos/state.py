"""The session's state machine. Everything that decides what a packet means by when it comes is in this file.

    SYNC0 ->  SYNC1 ->  SYNC2 ->   OPEN ->    CLOSE ->
           |         |         |          |          |
    AWAITING_SYNC0  _SYNC1    _SYNC2  SYNCHRONISED  OPEN  CLOSED

The numbers 0, 1 and 2 without an argument are SYNC0, SYNC1 and SYNC2 until the session is open; then they are PULSE,
OPEN and CLOSE. Only one of them changes its meaning earlier: OPEN comes without an argument from some clients, so that
after SYNC2 a lone 1 is OPEN. A lone 0 or 2 there is a client that did not get the answer and asks again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.packet import Packet

MAX_HANDSHAKE_PACKETS = 10


class Phase(Enum):
    """How far a session has come."""

    AWAITING_SYNC0 = 0
    AWAITING_SYNC1 = 1
    AWAITING_SYNC2 = 2
    SYNCHRONISED = 3
    """Commands are obeyed, but no SIPs are sent yet."""
    OPEN = 4
    CLOSED = 5

    @property
    def in_handshake(self) -> bool:
        """Whether nothing but answers to SYNCs may be sent."""
        return self.value < Phase.SYNCHRONISED.value


class Signal(Enum):
    """What a packet is, as far as the session's state is concerned."""

    SYNC0 = 0
    SYNC1 = 1
    SYNC2 = 2
    OPEN = 3
    """Number 1 with an argument."""
    CLOSE = 4
    """Number 2 with an argument."""
    COMMAND = 5


SYNCS = (Signal.SYNC0, Signal.SYNC1, Signal.SYNC2)


class Action(Enum):
    """What is done with a packet."""

    ANSWER = "answer the SYNC"
    ECHO = "send the number back, so that the client starts again"
    OPEN = "open the session"
    CLOSE = "close the session"
    DELIVER = "hand it on as a command"
    IGNORE = "nothing"


@dataclass(frozen=True)
class Step:
    """What a signal does in a phase."""

    action: Action
    next: Phase


def signal_of(packet: Packet) -> Signal:
    """Return what a packet means to the state machine."""
    if packet.id > Command.CLOSE:
        return Signal.COMMAND
    if not packet.data:
        return Signal(packet.id)
    return {Command.OPEN: Signal.OPEN, Command.CLOSE: Signal.CLOSE}.get(Command(packet.id), Signal.COMMAND)


def _table() -> dict[tuple[Phase, Signal], Step]:
    table: dict[tuple[Phase, Signal], Step] = {}
    for phase in (Phase.AWAITING_SYNC0, Phase.AWAITING_SYNC1, Phase.AWAITING_SYNC2):
        table |= {
            (phase, Signal.SYNC0): Step(Action.ANSWER, Phase.AWAITING_SYNC1),
            (phase, Signal.SYNC1): Step(Action.ANSWER, Phase.AWAITING_SYNC2),
            (phase, Signal.SYNC2): Step(Action.ANSWER, Phase.SYNCHRONISED),
            # ARIA sends these when it finds an earlier session still open, and then starts at SYNC0.
            (phase, Signal.OPEN): Step(Action.IGNORE, phase),
            (phase, Signal.CLOSE): Step(Action.IGNORE, Phase.AWAITING_SYNC0),
            (phase, Signal.COMMAND): Step(Action.ECHO, phase),
        }
    table |= {
        (Phase.SYNCHRONISED, Signal.SYNC0): Step(Action.ANSWER, Phase.AWAITING_SYNC1),
        (Phase.SYNCHRONISED, Signal.SYNC1): Step(Action.OPEN, Phase.OPEN),
        (Phase.SYNCHRONISED, Signal.SYNC2): Step(Action.ANSWER, Phase.SYNCHRONISED),
        (Phase.SYNCHRONISED, Signal.OPEN): Step(Action.OPEN, Phase.OPEN),
        (Phase.SYNCHRONISED, Signal.CLOSE): Step(Action.CLOSE, Phase.CLOSED),
        (Phase.SYNCHRONISED, Signal.COMMAND): Step(Action.DELIVER, Phase.SYNCHRONISED),
        (Phase.OPEN, Signal.SYNC0): Step(Action.DELIVER, Phase.OPEN),
        (Phase.OPEN, Signal.SYNC1): Step(Action.DELIVER, Phase.OPEN),
        (Phase.OPEN, Signal.SYNC2): Step(Action.CLOSE, Phase.CLOSED),
        (Phase.OPEN, Signal.OPEN): Step(Action.DELIVER, Phase.OPEN),
        (Phase.OPEN, Signal.CLOSE): Step(Action.CLOSE, Phase.CLOSED),
        (Phase.OPEN, Signal.COMMAND): Step(Action.DELIVER, Phase.OPEN),
    }
    return table | {(Phase.CLOSED, signal): Step(Action.IGNORE, Phase.CLOSED) for signal in Signal}


def is_superseded(packet: Packet, following: Iterable[Packet]) -> bool:
    """Return whether the client sent this packet of a handshake, got no answer in time, and asked again.

    ARIA takes the next packet that comes for the answer to its last SYNC, and starts over at SYNC0 when there is none for a
    second. If all that it sent meanwhile were answered, it would stay one answer behind until it gives up. `following`
    is what came with the packet in the same batch. OPEN and CLOSE, which ARIA sends between its tries, are passed over;
    but behind SYNC2 OPEN begins the session.
    """
    signal = signal_of(packet)
    for later in following:
        other = signal_of(later)
        if other in (Signal.OPEN, Signal.CLOSE) and signal is not Signal.SYNC2:
            continue
        return later == packet or (signal in SYNCS and other in SYNCS and other.value <= signal.value)
    return False


STEPS: dict[tuple[Phase, Signal], Step] = _table()
