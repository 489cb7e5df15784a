"""Either end of a NAIO01 line, sans I/O: received bytes become events, packets that are sent become bytes.

The four verbs:

    connection.receive_data(bytes)      bytes that came in
    connection.events()                 what they meant, once
    connection.send(packet)             a packet to go out
    connection.data_to_send()           bytes that shall go out, once

There is no handshake: both ends send from the first byte on. A new line is a new `Connection`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from .faults import Fault, FaultKind, FaultLog
from .framing import MAX_CLIENT_PAYLOAD, MAX_SENT_PAYLOAD, Frame, FrameReader, encode_frame
from .kinds import Dialect
from .layout import Packet
from .table import TABLES, Row, row_of
from .wire import PayloadError


class End(Enum):
    """Which end of the line a connection is; the value is the largest payload that it takes from the other end.

    A client must take colour pictures, which are larger than what any client has reason to send.
    """

    ROBOT = MAX_CLIENT_PAYLOAD
    CLIENT = MAX_SENT_PAYLOAD


@dataclass(frozen=True)
class PacketReceived:
    """A packet came in."""

    packet: Packet


@dataclass(frozen=True)
class StreamFault:
    """Something was wrong with what came in: the first time on this line, later ones are only counted."""

    fault: Fault


Event = PacketReceived | StreamFault


def encode(packet: Packet, dialect: Dialect = Dialect.SIMULATOZ) -> bytes:
    """Return a packet as it goes over the wire; raise `ValueError` for what cannot be sent."""
    row = row_of(type(packet), dialect)
    return encode_frame(row.id, row.layout.pack(packet))


def decode(packet_id: int, payload: bytes, dialect: Dialect = Dialect.SIMULATOZ) -> Packet:
    """Return the packet of a payload, whatever stands behind what its kind needs.

    Raise `PayloadError` where something is missing and `KeyError` for an unknown id.
    """
    row = TABLES[dialect][packet_id]
    return row.layout.unpack(row.packet, payload)


class Connection:
    """One end of one line."""

    def __init__(self, end: End, dialect: Dialect = Dialect.SIMULATOZ) -> None:
        """Begin a line."""
        self.end = end
        self.dialect = dialect
        self._faults = FaultLog()
        self._rows = TABLES[dialect]
        largest = {row.id: row.layout.largest for row in self._rows.values()}
        self._reader = FrameReader(largest, end.value, self._faults)
        self._events: list[Event] = []
        self._outgoing: list[bytes] = []

    @property
    def pending(self) -> int:
        """Bytes kept of a packet that is not complete."""
        return self._reader.pending

    @property
    def fault_counts(self) -> Counter[FaultKind]:
        """How many faults of each kind there were so far; of garbage, how many bytes."""
        return self._faults.counts

    def receive_data(self, data: bytes) -> None:
        """Take bytes as they came from the other end."""
        for frame in self._reader.feed(data):
            self._understand(frame)
        self._events += [StreamFault(fault) for fault in self._faults.take()]

    def events(self) -> list[Event]:
        """Return what happened since the last call; of what came in at once, packets first."""
        events, self._events = self._events, []
        return events

    def send(self, packet: Packet) -> None:
        """Send a packet; raise `ValueError`, and send nothing, for one that does not fit on the wire."""
        self._outgoing.append(encode(packet, self.dialect))

    def data_to_send(self) -> bytes:
        """Return the bytes that shall go out since the last call."""
        data = b"".join(self._outgoing)
        self._outgoing.clear()
        return data

    def _understand(self, frame: Frame) -> None:
        row = self._rows[frame.id]
        if len(frame.payload) < row.layout.smallest:
            self._note_bad_payload(row, f"{len(frame.payload)} bytes where at least {row.layout.smallest} belong")
            return
        try:
            self._events.append(PacketReceived(row.layout.unpack(row.packet, frame.payload)))
        except PayloadError as error:
            self._note_bad_payload(row, str(error))

    def _note_bad_payload(self, row: Row, reason: str) -> None:
        if self._faults.count(FaultKind.BAD_PAYLOAD, packet_id=row.id):
            detail = f"{row.name} (id 0x{row.id:02X}) is ignored: {reason}"
            self._faults.tell(Fault(FaultKind.BAD_PAYLOAD, detail, row.id))
