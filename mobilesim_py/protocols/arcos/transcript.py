"""A conversation in words, sans I/O: `>` is what the client says, `<` what the robot says, `!` what is no packet.

    transcript.heard(incoming, data)   the lines that these bytes make; incoming: from the robot

Lines are in metres and degrees where the robot's units are known.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any

from mobilesim_py.protocols.arcos.command_rows import ArgumentKind, Command
from mobilesim_py.protocols.arcos.connection import Identity
from mobilesim_py.protocols.arcos.instruction import ControlOperation, Instruction, WirePose, decode
from mobilesim_py.protocols.arcos.laser import LaserPacket
from mobilesim_py.protocols.arcos.measured import Odometer, Units, read_sip
from mobilesim_py.protocols.arcos.packet import MAX_LENGTH_FROM_ROBOT, Packet, PacketReader
from mobilesim_py.protocols.arcos.received import read
from mobilesim_py.protocols.arcos.sip import SIP_MOVING, SIP_STOPPED

SYNCS = 3
FEW_FIELDS = 8
LONGEST = 400
"""Characters of a line; a CONFIG has more to say than anybody reads."""


class Transcript:
    """Follows both directions of one connection."""

    def __init__(self, units_of: Callable[[str], Units] = lambda subclass: Units()) -> None:
        """Take a function that knows the units of a model by its subclass, as SYNC2 tells it."""
        self._units_of = units_of
        self._units = Units()
        self._odometer = Odometer()
        self._readers = {False: PacketReader(), True: PacketReader(MAX_LENGTH_FROM_ROBOT)}
        self._is_open = False

    def heard(self, incoming: bool, data: bytes) -> list[str]:
        """Return the lines that bytes make; `incoming` is from the robot to its client."""
        reader = self._readers[incoming]
        say = self._robot if incoming else self._client
        mark = "<" if incoming else ">"
        lines = [f"{mark} {say(packet)}"[:LONGEST] for packet in reader.feed(data)]
        return [f"! {mark} {fault.detail}" for fault in reader.faults()] + lines

    def _client(self, packet: Packet) -> str:
        if packet.id < SYNCS and not self._is_open and not packet.data:
            return f"SYNC{packet.id}"
        instruction = decode(packet)
        if packet.id in (Command.OPEN, Command.CLOSE):
            self._is_open = packet.id == Command.OPEN
        name = instruction.name if instruction.name != "UNNAMED" else f"command {instruction.number}"
        return f"{name} {_ARGUMENTS[instruction.spec.argument](instruction)}".rstrip()

    def _robot(self, packet: Packet) -> str:
        if packet.id < SYNCS:
            if packet.id < SYNCS - 1:
                return f"SYNC{packet.id}"
            who = Identity.decode(packet.data)
            self._units, self._odometer = self._units_of(who.subclass), Odometer()
            return f"SYNC2 {who.name} {who.robot_class} {who.subclass}"
        if packet.id in (SIP_STOPPED, SIP_MOVING):
            return self._sip(packet)
        message = read(packet)
        if isinstance(message, Packet):
            return f"packet {message.id:#04x} {message.data.hex(' ')}".rstrip()
        if isinstance(message, LaserPacket):
            return _laser(message)
        return f"{type(message).__name__.removeprefix('Wire')} {_fields(message)}".rstrip()

    def _sip(self, packet: Packet) -> str:
        sip = read_sip(packet, self._units, self._odometer)
        words = [
            "SIP",
            f"x {sip.pose.x:.3f} y {sip.pose.y:.3f} heading {math.degrees(sip.pose.heading):.1f}",
            f"left {sip.left:.3f} right {sip.right:.3f}",
            f"battery {sip.battery:.1f}",
            *(["motors"] if sip.motors else []),
            *(["stalled"] if any(sip.stalled) else []),
            *(["emergency stop"] if sip.emergency_stop else []),
        ]
        if sip.front_bumpers or sip.rear_bumpers:
            words.append(f"bumpers {sip.front_bumpers:b} {sip.rear_bumpers:b}")
        if sip.sonar:
            words.append("sonar " + " ".join(f"{number}:{echo:.2f}" for number, echo in sip.sonar.items()))
        return ", ".join(words).replace("SIP,", "SIP", 1)


def _laser(packet: LaserPacket) -> str:
    last = packet.first + len(packet.ranges)
    nearest = f", nearest {min(packet.ranges) / 1000.0:.3f}" if packet.ranges else ""
    return f"laser {packet.device}: readings {packet.first} to {last} of {packet.total}{nearest}"


def _fields(message: Any) -> str:
    """Return the fields of a message; of one that has many, those that say something."""
    values = {field.name: getattr(message, field.name) for field in dataclasses.fields(message)}
    return " ".join(f"{name}={value}" for name, value in values.items() if value or len(values) <= FEW_FIELDS)


def _pose(pose: WirePose | None) -> str:
    return f"{pose.x} {pose.y} {pose.heading}" if pose is not None else "incomplete"


def _control(instruction: Instruction) -> str:
    control = instruction.control()
    known = control.operation in list(ControlOperation)
    name = ControlOperation(control.operation).name if known else str(control.operation)
    return f"{name} {control.file_name or control.text}"


def _integer(instruction: Instruction) -> str:
    return "" if instruction.value is None else str(instruction.value)


_ARGUMENTS: Mapping[ArgumentKind, Callable[[Instruction], str]] = {
    ArgumentKind.NONE: lambda instruction: "",
    ArgumentKind.INT: _integer,
    ArgumentKind.OPTIONAL_INT: _integer,
    ArgumentKind.TWO_BYTES: lambda instruction: "{} {}".format(*instruction.wheel_speeds()),
    ArgumentKind.STRING: lambda instruction: repr(instruction.text()),
    ArgumentKind.DATA: lambda instruction: instruction.data.hex(" "),
    ArgumentKind.ODOMETRY: lambda instruction: _pose(instruction.odometry()),
    ArgumentKind.POSE: lambda instruction: _pose(instruction.pose()),
    ArgumentKind.LASER: lambda instruction: f"{instruction.integer()} of laser {instruction.laser_index()}",
    ArgumentKind.CONTROL: _control,
    ArgumentKind.DEVICE: lambda instruction: f"{instruction.device().type} {instruction.device().index}",
}
