"""Laser packets: 0x60 and, with reflectance, 0x61. A scan is sent as packets of 32 readings, one after another."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .batch import CHECKSUM, FRAME, columns, cut, new_packets, seal, whole
from .layout import Field, FieldReader, structure
from .packet import Packet, encode

LASER = 0x60
LASER_EXTENDED = 0x61
READINGS_PER_PACKET = 32

_SPAN = (
    Field("total", "H", "readings in the scan"),
    Field("first", "H", "number of the first reading in this packet"),
    Field("count", "B", "readings in this packet, at most 32"),
)
FIELDS = (
    Field("x", "h", "odometry [mm]"),
    Field("y", "h", "odometry [mm]"),
    Field("heading", "h", "odometry [degrees]"),
    *_SPAN,
)
READING = (Field("range", "H", "[mm]"),)
EXTENDED_FIELDS = _SPAN
EXTENDED_READING = (
    Field("range", "H", "[mm]"),
    Field("reflectance", "B", "0 and 1 ordinary, more for reflectors"),
    Field("reserved_1", "B", "0"),
    Field("reserved_2", "B", "0"),
)
EXTENDED_TAIL = (
    Field("device", "B", "0"),
    Field("flags", "B", "bit 0 in the first packet after the robot was put elsewhere"),
)
_READING = structure(EXTENDED_READING)


@dataclass(frozen=True)
class Scan:
    """One robot's scan, in metres and radians."""

    ranges: NDArray[Any]
    reflectance: NDArray[Any] | int = 0
    """0 to 255 for each reading; only in extended packets."""
    extended: bool = True
    moved: bool = False
    """Whether the robot was put elsewhere (SIM_SET_POSE) since the last scan; only in extended packets."""
    x: float = 0.0
    """Odometry, only in plain packets."""
    y: float = 0.0
    heading: float = 0.0


@dataclass(frozen=True)
class ScanBatch:
    """Scans of N robots. Readings of all robots are one flat array, robot after robot."""

    ranges: NDArray[Any]
    """All readings [m]: `counts[0]` of the first robot, then `counts[1]` of the second, ..."""
    counts: NDArray[Any]
    """Readings in each robot's scan."""
    reflectance: NDArray[Any] | int = 0
    """Like `ranges`, 0 to 255; or one number for all."""
    extended: NDArray[Any] | bool = True
    """Per robot: packets 0x61 or 0x60."""
    moved: NDArray[Any] | bool = False
    x: NDArray[Any] | float = 0.0
    y: NDArray[Any] | float = 0.0
    heading: NDArray[Any] | float = 0.0


@dataclass(frozen=True)
class LaserPacket:
    """One packet of a scan in the wire's units."""

    total: int
    first: int
    ranges: tuple[int, ...]
    reflectance: tuple[int, ...] = ()
    device: int = 0
    flags: int = 0
    extended: bool = True
    x: int = 0
    y: int = 0
    heading: int = 0

    def encode(self) -> bytes:
        """Return the packet."""
        span = struct.pack("<HHB", self.total, self.first, len(self.ranges))
        if not self.extended:
            pose = struct.pack("<hhh", self.x, self.y, self.heading)
            return encode(LASER, pose + span + struct.pack(f"<{len(self.ranges)}H", *self.ranges))
        pairs = zip(self.ranges, self.reflectance, strict=True)
        readings = b"".join(_READING.pack(distance, value, 0, 0) for distance, value in pairs)
        return encode(LASER_EXTENDED, span + readings + bytes((self.device, self.flags)))


def unpack_laser(packet: Packet) -> LaserPacket:
    """Read a laser packet; what is missing at its end reads as zero."""
    reader = FieldReader(packet.data)
    extended = packet.id == LASER_EXTENDED
    x, y, heading = (0, 0, 0) if extended else (reader.read("h"), reader.read("h"), reader.read("h"))
    total, first, count = reader.read("H"), reader.read("H"), reader.read("B")
    size = _READING.size if extended else 2
    readings = reader.rest[: count * size].ljust(count * size, b"\0")
    if not extended:
        return LaserPacket(total, first, struct.unpack(f"<{count}H", readings), (), 0, 0, False, x, y, heading)
    rows = list(_READING.iter_unpack(readings))
    reader.rest = reader.rest[count * size :]
    ranges, reflectance = tuple(row[0] for row in rows), tuple(row[1] for row in rows)
    return LaserPacket(total, first, ranges, reflectance, reader.read("B"), reader.read("B"))


def pack_scan(scan: Scan) -> bytes:
    """Return all packets of one scan, one after another."""
    ranges = np.asarray(scan.ranges, np.float64)
    counts = np.array([ranges.size])
    batch = ScanBatch(ranges, counts, scan.reflectance, scan.extended, scan.moved, scan.x, scan.y, scan.heading)
    return pack_scans(batch)[0]


def pack_scans(batch: ScanBatch) -> list[bytes]:
    """Return, for each robot, all packets of its scan, one after another (empty where it has no readings)."""
    counts = np.asarray(batch.counts)
    starts = np.cumsum(counts) - counts
    extended = np.broadcast_to(batch.extended, counts.shape)
    ranges = whole(np.asarray(batch.ranges) * 1000.0, 0, 0xFFFF).astype(np.uint16)
    reflectance = np.broadcast_to(np.asarray(batch.reflectance, np.uint8), ranges.shape)
    pose = _plain_pose(batch, counts.shape)
    moved = np.broadcast_to(batch.moved, counts.shape)
    scans: list[bytes] = [b""] * len(counts)
    for is_extended, count in {(bool(e), int(n)) for e, n in zip(extended, counts, strict=True) if n}:
        robots = np.flatnonzero((counts == count) & (extended == is_extended))
        readings = starts[robots, None] + np.arange(count)
        template = _template(is_extended, count)
        rows = []
        for part in template:
            packets = np.empty((len(robots), len(part.packets)), part.packets.dtype)
            packets[:] = part.packets
            chosen = readings[:, part.first : part.first + packets["readings"].shape[-1] * len(part.packets)]
            shape = packets["readings"].shape
            packets["readings"]["range"] = ranges[chosen].reshape(shape)
            if is_extended:
                packets["readings"]["reflectance"] = reflectance[chosen].reshape(shape)
            else:
                for name, values in pose.items():
                    packets[name] = values[robots, None]
            rows.append(packets)
        if is_extended:
            rows[0]["flags"][:, 0] = moved[robots]
        data = np.concatenate([seal(packets).reshape(len(robots), -1) for packets in rows], axis=1)
        for robot, scan in zip(robots.tolist(), cut(data), strict=True):
            scans[robot] = scan
    return scans


@dataclass(frozen=True)
class _Part:
    """Packets of a scan that have the same number of readings: framed and numbered, readings still to be put in."""

    first: int
    packets: NDArray[Any]


@lru_cache(maxsize=128)
def _template(extended: bool, total: int) -> tuple[_Part, ...]:
    """Return the packets of a scan: the full ones, then the one with the rest."""
    full, rest = divmod(total, READINGS_PER_PACKET)
    parts = []
    for number, first, count in ((full, 0, READINGS_PER_PACKET), (1, full * READINGS_PER_PACKET, rest)):
        if number and count:
            packets = new_packets(number, _dtype(extended, count), LASER_EXTENDED if extended else LASER)
            packets["total"] = total
            packets["first"] = first + np.arange(number) * READINGS_PER_PACKET
            packets["count"] = count
            parts.append(_Part(first, packets))
    return tuple(parts)


def _dtype(extended: bool, count: int) -> np.dtype[Any]:
    fields = EXTENDED_FIELDS if extended else FIELDS
    reading = EXTENDED_READING if extended else READING
    readings: list[Any] = [("readings", columns(reading), (count,))]
    return np.dtype(FRAME + columns(fields) + readings + columns(EXTENDED_TAIL if extended else ()) + CHECKSUM)


def _plain_pose(batch: ScanBatch, shape: tuple[int, ...]) -> dict[str, NDArray[Any]]:
    """Return the odometry of plain packets [mm, mm, degrees]; positions wrap."""
    degrees = np.degrees(batch.heading)
    values = {
        "x": np.rint(np.asarray(batch.x) * 1000.0),
        "y": np.rint(np.asarray(batch.y) * 1000.0),
        "heading": np.rint(degrees - 360.0 * np.rint(degrees / 360.0)),
    }
    return {name: np.broadcast_to(v.astype(np.int64).astype(np.int16), shape) for name, v in values.items()}
