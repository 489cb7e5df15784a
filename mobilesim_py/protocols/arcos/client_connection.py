"""A client's end of one session, sans I/O: the handshake as ARIA does it, keep-alive, silence, the end.

    connection.receive_data(bytes, now)   bytes that came in
    connection.pass_time(now)             time has passed; due at `deadline` at the latest
    connection.events()                   what happened, once
    connection.send(bytes)                whole packets to go out; False where the robot would not obey yet
    connection.data_to_send()             bytes that are due to go out, once
    connection.close()                    say goodbye

`now` is any clock that runs evenly [s]. A new connection to a robot is a new `ClientConnection`.

The handshake: SYNC0, SYNC1, SYNC2 are said one after the other, each when the robot has answered the one before. A robot
that still has a session answers with SIPs: it is told CLOSE, and what it says for a moment is not listened to. A silent one
is asked again, on a serial line at another speed. Then OPEN, and CONFIG until it comes or the robot seems to know none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mobilesim_py.protocols.arcos.client import CLOSE, OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.config import CONFIG, Config, unpack_config
from mobilesim_py.protocols.arcos.connection import MODEM_SWITCH, BadPacket, Identity
from mobilesim_py.protocols.arcos.packet import MAX_LENGTH_FROM_ROBOT, Packet, PacketReader
from mobilesim_py.protocols.arcos.sip import SIP_STOPPED

BAUDS = (9600, 38400, 115200, 19200, 57600)
"""In the order in which robots are likely to have them."""
ANSWER_SECONDS = 1.0
SILENT_TRIES = 6
"""A robot that has never answered is asked so often."""
MOST_SILENT_TRIES = 11
MOST_TRIES = 50
TRIES_BEFORE_OPEN = 4
"""After so many silent tries OPEN is said, too: it dislodges a robot that waits for nothing else."""
DRAIN_SECONDS = 0.2
RESTART_SECONDS = 0.07
CONFIG_SECONDS = 0.2
CONFIG_PATIENCE = 1.0
KEEP_ALIVE_SECONDS = 0.5
SILENCE_SECONDS = 8.0
PARTIAL_SECONDS = 0.1
"""A packet that pauses for longer is none."""
RESETS = (0xFE, 0xFF)
"""Packets of a controller that has started anew."""
ASK_CONFIG = command(Command.CONFIG, 1)
PULSE = command(Command.PULSE)
GOODBYE = command(Command.ENABLE, 0) + CLOSE


class ClientPhase(Enum):
    """How far a session is."""

    SYNCING = "syncing"
    DRAINING = "draining"
    """What the robot says is not listened to, until the handshake begins again."""
    CONFIGURING = "configuring"
    CONNECTED = "connected"
    CLOSED = "closed"


class LossReason(Enum):
    """Why a session ended, as a sentence."""

    NO_ROBOT = "no robot answered"
    NO_HANDSHAKE = "something answered, but not as a robot does"
    SILENT = f"the robot has been silent for {SILENCE_SECONDS:g} s"
    RESET = "the robot's controller was reset"
    HUNG_UP = "the connection was closed at the other end"


@dataclass(frozen=True)
class Connected:
    """The session is open: commands are obeyed."""

    identity: Identity
    config: Config | None
    """None of a robot that does not know CONFIG."""


@dataclass(frozen=True)
class PacketReceived:
    """A packet of an open session."""

    packet: Packet


@dataclass(frozen=True)
class BaudWanted:
    """The line shall have another speed before anything else is written to it."""

    baud: int


@dataclass(frozen=True)
class Lost:
    """The session is over, and was not ended here."""

    reason: LossReason


ClientEvent = Connected | PacketReceived | BaudWanted | Lost | BadPacket


class ClientConnection:
    """The client's end of one session."""

    def __init__(
        self,
        now: float,
        *,
        bauds: tuple[int, ...] = (),
        pause: float = 0.0,
        keep_alive: float = KEEP_ALIVE_SECONDS,
        silence: float = SILENCE_SECONDS,
    ) -> None:
        """Begin a session.

        `bauds` are the speeds to try on a serial line, whose first one it has already. `pause` is waited between answer and
        next word [s], which robots on lines want. Nothing said for `keep_alive` [s] makes a PULSE, nothing heard for
        `silence` [s] ends the session; 0 switches either off.
        """
        self.phase = ClientPhase.SYNCING
        self.identity = Identity("", "", "")
        self.config: Config | None = None
        self.reader = PacketReader(MAX_LENGTH_FROM_ROBOT)
        self._bauds = bauds
        self._pause = pause
        self._keep_alive = keep_alive
        self._silence = silence
        self._events: list[ClientEvent] = []
        self._outgoing: list[bytes] = [MODEM_SWITCH] if bauds else []
        self._step = 0
        self._tries = 0
        self._silent_tries = 0
        self._due = now
        """When the next step of the handshake is."""
        self._says = True
        """Whether that step is to say something; otherwise it is to have waited in vain."""
        self._opened = 0.0
        self._heard = now
        self._said = now
        self._owes_answer = False
        """Whether a SIP came after the last word."""
        self.pass_time(now)

    # What the shell asks

    @property
    def is_open(self) -> bool:
        """Whether commands are obeyed."""
        return self.phase in (ClientPhase.CONFIGURING, ClientPhase.CONNECTED)

    @property
    def is_closed(self) -> bool:
        """Whether the session is over."""
        return self.phase is ClientPhase.CLOSED

    @property
    def deadline(self) -> float | None:
        """When `pass_time` is due; None if never."""
        times = [self._heard + PARTIAL_SECONDS] if self.reader.pending else []
        if self.phase is ClientPhase.CONNECTED:
            times += [self._said + self._keep_alive] if self._keep_alive else []
            times += [self._heard + self._silence] if self._silence else []
        elif self.phase is not ClientPhase.CLOSED:
            times.append(self._due)
        return min(times, default=None)

    def events(self) -> list[ClientEvent]:
        """Return what happened since the last call."""
        events, self._events = self._events, []
        return events

    def data_to_send(self) -> bytes:
        """Return the bytes that shall go out since the last call."""
        data = b"".join(self._outgoing)
        self._outgoing.clear()
        return data

    # What the shell tells

    def receive_data(self, data: bytes, now: float) -> None:
        """Take bytes as they came from the robot."""
        if data:
            self._heard = now
            self._take(self.reader.feed(data), now)

    def send(self, packets: bytes, now: float) -> bool:
        """Send whole packets; return False when the robot would not obey them now."""
        if not self.is_open:
            return False
        self._say(packets, now)
        return True

    def answer_sip(self, now: float) -> None:
        """Say PULSE if a SIP has come and nothing was said since: a world in lockstep waits for that."""
        if self.is_open and self._owes_answer:
            self._say(PULSE, now)

    def pass_time(self, now: float) -> None:
        """Do what is due."""
        if self.reader.pending and now >= self._heard + PARTIAL_SECONDS:
            self._take(self.reader.give_up_partial(), now)
        if self.phase is ClientPhase.CONNECTED:
            if self._silence and now >= self._heard + self._silence:
                self._lose(LossReason.SILENT)
            elif self._keep_alive and now >= self._said + self._keep_alive:
                self._say(PULSE, now)
        elif self.phase is not ClientPhase.CLOSED and now >= self._due:
            self._step_on(now)

    def close(self) -> None:
        """Stop the robot and end the session; the bytes still to be sent should go out."""
        if self.is_open:
            self._outgoing.append(GOODBYE)
        self.phase = ClientPhase.CLOSED

    def hung_up(self) -> None:
        """Note that the other end has closed the connection, or that it broke."""
        self._lose(LossReason.HUNG_UP)

    # The handshake

    def _step_on(self, now: float) -> None:
        if self.phase is ClientPhase.CONFIGURING:
            if now >= self._opened + CONFIG_PATIENCE:
                self._connect()
            else:
                self._say(ASK_CONFIG, now)
                self._due = min(now + CONFIG_SECONDS, self._opened + CONFIG_PATIENCE)
        elif self.phase is ClientPhase.DRAINING:
            self._begin(now)
        elif self._says:
            self._speak(now)
        else:
            self._note_silence(now)

    def _begin(self, now: float) -> None:
        self.phase = ClientPhase.SYNCING
        self._step = 0
        self._speak(now)

    def _speak(self, now: float) -> None:
        """Say what comes next."""
        self._says = False
        if self._step == len(SYNCS):
            self._say(OPEN, now)
            self.phase = ClientPhase.CONFIGURING
            self._opened = self._due = now
            self._step_on(now)
            return
        self._tries += self._step == 0
        if self._tries > MOST_TRIES:
            self._lose(LossReason.NO_HANDSHAKE)
            return
        self._say(SYNCS[self._step], now)
        self._due = now + ANSWER_SECONDS

    def _note_silence(self, now: float) -> None:
        self._silent_tries += 1
        never_answered = self._silent_tries >= self._tries
        if self._silent_tries >= (SILENT_TRIES if never_answered else MOST_SILENT_TRIES):
            self._lose(LossReason.NO_ROBOT if never_answered else LossReason.NO_HANDSHAKE)
            return
        if self._bauds:
            self._events.append(BaudWanted(self._bauds[self._silent_tries % len(self._bauds)]))
        if self._silent_tries >= TRIES_BEFORE_OPEN:
            self._say(OPEN, now)
        self._begin(now)

    def _take(self, packets: list[Packet], now: float) -> None:
        self._events += [BadPacket(fault.kind, fault.count, fault.detail) for fault in self.reader.faults()]
        for packet in packets:
            if self.phase is ClientPhase.SYNCING:
                self._follow(packet, now)
            elif self.phase is ClientPhase.DRAINING:
                if packet.id == SIP_STOPPED:
                    self._say(CLOSE, now)
            elif self.is_open:
                self._deliver(packet)

    def _follow(self, packet: Packet, now: float) -> None:
        """Go on with the handshake, or begin it again when the answer does not fit."""
        if self._says:
            return  # An answer to nothing: the next word is still to be said.
        if packet.id != self._step:
            old_session = packet.id == SIP_STOPPED
            if old_session:
                self._say(CLOSE, now)
            self.phase = ClientPhase.DRAINING
            self._due = now + (DRAIN_SECONDS if old_session else RESTART_SECONDS)
            return
        if packet.id == len(SYNCS) - 1:
            self.identity = Identity.decode(packet.data)
        self._step += 1
        self._says = True
        self._due = now + self._pause
        if not self._pause:
            self._speak(now)

    def _deliver(self, packet: Packet) -> None:
        if packet.id in RESETS:
            self._lose(LossReason.RESET)
            return
        if packet.id == CONFIG:
            self.config = unpack_config(packet)
            if self.phase is ClientPhase.CONFIGURING:
                self._connect()
        self._events.append(PacketReceived(packet))
        self._owes_answer |= packet.id >> 4 == SIP_STOPPED >> 4

    # Inside

    def _connect(self) -> None:
        self.phase = ClientPhase.CONNECTED
        self._events.append(Connected(self.identity, self.config))

    def _lose(self, reason: LossReason) -> None:
        if not self.is_closed:
            self.phase = ClientPhase.CLOSED
            self._events.append(Lost(reason))

    def _say(self, packets: bytes, now: float) -> None:
        self._outgoing.append(packets)
        self._said = now
        self._owes_answer = False
