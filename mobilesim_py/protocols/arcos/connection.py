"""One client's session, sans I/O: received bytes become events, what is sent becomes bytes.

The verbs:

    connection.receive_data(bytes)      bytes that came in
    connection.silence()                no bytes came for a while
    connection.events()                 what they meant, once
    connection.send(packets)            packets to go out; dropped where the client must not get any yet
    connection.data_to_send()           bytes that are due to go out, once

A new connection of a client is a new `Connection`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from mobilesim_py.protocols.arcos.commands import DEFAULT_TABLE, CommandSpec
from mobilesim_py.protocols.arcos.instruction import Instruction, decode
from mobilesim_py.protocols.arcos.layout import FieldReader, wire_string
from mobilesim_py.protocols.arcos.packet import FaultKind, Packet, PacketReader, encode
from mobilesim_py.protocols.arcos.state import MAX_HANDSHAKE_PACKETS, STEPS, Action, Phase, Signal, is_superseded, signal_of

MODEM_SWITCH = b"WMS2\r"
"""What ARIA tells a radio modem before its first SYNC on a serial line: no packet, but a new client begins."""


@dataclass(frozen=True)
class Identity:
    """What SYNC2 tells the client: the robot's name, class and subclass."""

    name: str = "MobileSim"
    robot_class: str = "Pioneer"
    subclass: str = "p3dx"

    def encode(self) -> bytes:
        """Return the three strings, each with its NUL."""
        return b"".join(wire_string(part) for part in (self.name, self.robot_class, self.subclass))

    @classmethod
    def decode(cls, data: bytes) -> Identity:
        """Read the data of an answer to SYNC2; what is missing at its end is empty."""
        reader = FieldReader(data)
        return cls(reader.read_text(), reader.read_text(), reader.read_text())


class CloseReason(Enum):
    """Why a session ended, as the log says it."""

    CLOSE_COMMAND = "Got CLOSE command, closing connection."
    NEW_CLIENT = "A new client begins on this line, the session of the last one is closed."
    HANDSHAKE_FAILED = f"Failed to handshake after {MAX_HANDSHAKE_PACKETS} iterations of trying! Closing connection."


@dataclass(frozen=True)
class Synchronised:
    """The handshake is done: commands are obeyed, and packets may be sent."""


@dataclass(frozen=True)
class Opened:
    """OPEN was received: SIPs shall be sent."""


@dataclass(frozen=True)
class Closed:
    """The session is over; the bytes still to be sent may go out, then the line is closed."""

    reason: CloseReason


@dataclass(frozen=True)
class InstructionReceived:
    """A command for the robot or the simulator."""

    instruction: Instruction


@dataclass(frozen=True)
class BadPacket:
    """Bytes that were skipped: `count` faults (or bytes of garbage) of a kind in the data just received."""

    kind: FaultKind
    count: int
    detail: str


@dataclass(frozen=True)
class HandshakeWarning:
    """Something unexpected in the handshake, as the log says it."""

    text: str


Event = Synchronised | Opened | Closed | InstructionReceived | BadPacket | HandshakeWarning


class Connection:
    """The robot's end of one session."""

    def __init__(
        self,
        identity: Identity,
        commands: Mapping[int, CommandSpec] = DEFAULT_TABLE,
        *,
        persistent: bool = False,
    ) -> None:
        """Begin a session; a `persistent` one is for a line that does not hang up: after CLOSE it starts over."""
        self.identity = identity
        self.phase = Phase.AWAITING_SYNC0
        self.reader = PacketReader()
        self._commands = commands
        self._persistent = persistent
        self._handshake_packets = 0
        self._held = b""
        """The end of what was received, if it may be the first half of MODEM_SWITCH."""
        self._events: list[Event] = []
        self._outgoing: list[bytes] = []

    @property
    def is_synchronised(self) -> bool:
        """Whether the handshake is done and the session not over."""
        return self.phase in (Phase.SYNCHRONISED, Phase.OPEN)

    @property
    def is_open(self) -> bool:
        """Whether SIPs shall be sent."""
        return self.phase is Phase.OPEN

    @property
    def is_closed(self) -> bool:
        """Whether the session is over for good."""
        return self.phase is Phase.CLOSED

    @property
    def is_mid_packet(self) -> bool:
        """Whether the last bytes may be the beginning of a packet; `silence` decides when nothing follows."""
        return self.reader.pending > 0

    def receive_data(self, data: bytes) -> None:
        """Take bytes as they came from the client."""
        if self._persistent:
            data = self._look_for_new_client(self._held + data)
        self._take(self.reader.feed(data))

    def silence(self) -> None:
        """Note that nothing came for longer than a packet may pause: an incomplete one is noise, but may hide others."""
        self._take(self.reader.give_up_partial())

    def events(self) -> list[Event]:
        """Return what happened since the last call."""
        events, self._events = self._events, []
        return events

    def send(self, outgoing: bytes | Packet) -> bool:
        """Send packets (whole, framed) or one packet; return False when the client must not get any now."""
        if not self.is_synchronised:
            return False
        self._outgoing.append(outgoing.encode() if isinstance(outgoing, Packet) else outgoing)
        return True

    def data_to_send(self) -> bytes:
        """Return the bytes that shall go out since the last call."""
        data = b"".join(self._outgoing)
        self._outgoing.clear()
        return data

    def _look_for_new_client(self, data: bytes) -> bytes:
        """Start over where MODEM_SWITCH stands between packets; return what is left to be read.

        A line does not tell that a client is gone and another has opened it.
        """
        self._held = b""
        while True:
            before, switch, after = data.partition(MODEM_SWITCH)
            if not switch:
                break
            self._take(self.reader.feed(before))
            if self.is_mid_packet:
                self._take(self.reader.feed(switch))
            elif self.is_synchronised:
                self._close(CloseReason.NEW_CLIENT)
            data = after
        half = next((n for n in range(len(MODEM_SWITCH) - 1, 0, -1) if data.endswith(MODEM_SWITCH[:n])), 0)
        if not half:
            return data
        self._take(self.reader.feed(data[:-half]))
        if self.is_mid_packet:
            return data[-half:]
        self._held = data[-half:]
        return b""

    def _take(self, packets: list[Packet]) -> None:
        self._events += [BadPacket(fault.kind, fault.count, fault.detail) for fault in self.reader.faults()]
        for number, packet in enumerate(packets):
            if self.phase.in_handshake and is_superseded(packet, itertools.islice(packets, number + 1, None)):
                continue
            self._handle(packet)

    def _handle(self, packet: Packet) -> None:
        if self.phase.in_handshake and self._handshake_is_hopeless():
            return
        signal = signal_of(packet)
        if self._persistent and self.phase is Phase.AWAITING_SYNC0 and signal is Signal.SYNC2:
            # On a line a client may begin with CLOSE, in case an old session is on; that looks the same.
            return
        step = STEPS[self.phase, signal]
        if step.action is Action.ANSWER:
            self._answer(packet, signal)
        elif step.action is Action.ECHO:
            self._warn_out_of_sequence(packet.id)
            self._outgoing.append(encode(packet.id))
        elif step.action is Action.OPEN:
            self._events.append(Opened())
        elif step.action is Action.DELIVER:
            self._events.append(InstructionReceived(decode(packet, self._commands)))
        elif step.action is Action.CLOSE:
            self._close(CloseReason.CLOSE_COMMAND)
            return
        self.phase = step.next

    def _answer(self, packet: Packet, signal: Signal) -> None:
        if self.phase.in_handshake and signal.value != self.phase.value:
            self._warn_out_of_sequence(packet.id)
        if signal is Signal.SYNC2:
            self._outgoing.append(encode(packet.id, self.identity.encode()))
            self._handshake_packets = 0
            if self.phase.in_handshake:
                self._events.append(Synchronised())
        else:
            self._outgoing.append(encode(packet.id))

    def _handshake_is_hopeless(self) -> bool:
        self._handshake_packets += 1
        if self._handshake_packets > MAX_HANDSHAKE_PACKETS:
            self._close(CloseReason.HANDSHAKE_FAILED)
            self._handshake_packets = 1  # On a line this packet may be the first of another handshake.
        return self.is_closed

    def _warn_out_of_sequence(self, number: int) -> None:
        text = f"Recieved out of sequence SYNC packet: got {number}, expecting {self.phase.value}. Will send {number}."
        self._events.append(HandshakeWarning(text))

    def _close(self, reason: CloseReason) -> None:
        self._events.append(Closed(reason))
        self._handshake_packets = 0
        self.phase = Phase.AWAITING_SYNC0 if self._persistent else Phase.CLOSED
