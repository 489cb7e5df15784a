"""Laser packets: 0x60 and, with reflectance, 0x61. A scan is sent as packets of 32 readings."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.protocols.arcos.batch import cut
from mobilesim_py.protocols.arcos.layout import Field, FieldReader, structure
from mobilesim_py.protocols.arcos.packet import Packet, encode
from mobilesim_py.protocols.arcos.quantities import whole

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
    Field("device", "B", "which of the robot's lasers, from 0"),
    Field("flags", "B", "bit 0 in the first packet after the robot was put elsewhere"),
)
_READING = structure(EXTENDED_READING)
_BEFORE_DATA = 4
"""Header, length and id."""
_SPAN_SIZE = structure(EXTENDED_FIELDS).size
_PLAIN_SIZE = structure(FIELDS).size


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
    device: int = 0
    """Which of the robot's lasers, from 0; only in extended packets."""


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
    device: NDArray[Any] | int = 0


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
    batch = ScanBatch(
        ranges,
        counts,
        scan.reflectance,
        scan.extended,
        scan.moved,
        scan.x,
        scan.y,
        scan.heading,
        scan.device,
    )
    return pack_scans(batch)[0]


def pack_scans(batch: ScanBatch) -> list[bytes]:
    """Return, for each robot, all packets of its scan, one after another (empty where it has no readings)."""
    counts = np.asarray(batch.counts)
    starts = np.cumsum(counts) - counts
    extended = np.broadcast_to(batch.extended, counts.shape)
    ranges = whole(np.asarray(batch.ranges) * 1000.0, 0, 0xFFFF).astype(np.uint16)
    reflectance = np.broadcast_to(np.asarray(batch.reflectance, np.uint8), ranges.shape)
    moved = np.broadcast_to(batch.moved, counts.shape)
    device = np.broadcast_to(batch.device, counts.shape)
    scans: list[bytes] = [b""] * len(counts)
    for is_extended, count in set(zip(extended.tolist(), counts.tolist(), strict=True)):
        if not count:
            continue
        robots = np.flatnonzero((counts == count) & (extended == is_extended))
        readings = starts[robots, None] + np.arange(count)
        template = _template(is_extended, count)
        rows = np.repeat(template.row[None], len(robots), axis=0)
        values = ranges[readings]
        rows[:, template.ranges] = values
        rows[:, template.ranges + 1] = values >> 8
        if is_extended:
            rows[:, template.ranges + 2] = reflectance[readings]
            rows[:, template.devices] = device[robots, None]
            rows[:, template.flags] = moved[robots]
        else:
            for place, words in zip(template.pose, _plain_pose(batch, counts.shape), strict=True):
                rows[:, place] = words[robots, None]
                rows[:, place + 1] = words[robots, None] >> 8
        template.put_checksums(rows)
        for robot, scan in zip(robots.tolist(), cut(rows), strict=True):
            scans[robot] = scan
    return scans


@dataclass(frozen=True)
class _Template:
    """The packets of a scan as one row of bytes, framed and numbered, and where in it the rest goes."""

    row: NDArray[np.uint8]
    ranges: NDArray[np.int64]
    """Where the low byte of each reading's range is; the high byte and the reflectance follow it."""
    pose: tuple[NDArray[np.int64], ...]
    """Where the low bytes of x, y and heading are, in plain packets."""
    devices: NDArray[np.int64]
    """Where the numbers of the laser are, in extended packets."""
    flags: int
    """Where the flags of the first packet are, in extended ones."""
    checksums: NDArray[np.int64]
    weights: NDArray[np.float32]
    """Bytes times this are the sums of words of each packet; they stay below 2**24, so single precision is exact."""
    odd: tuple[NDArray[np.int64], NDArray[np.int64]]
    """Which packets have a body of odd length, and where the last byte of each is, which is XORed in."""

    def put_checksums(self, rows: NDArray[np.uint8]) -> None:
        """Fill in the checksums of the packets in each row."""
        sums = (rows.astype(np.float32) @ self.weights).astype(np.int64)
        packets, last = self.odd
        sums[:, packets] ^= rows[:, last]
        rows[:, self.checksums] = sums >> 8 & 0xFF
        rows[:, self.checksums + 1] = sums & 0xFF


@lru_cache(maxsize=128)
def _template(extended: bool, total: int) -> _Template:
    """Return the packets of a scan with all ranges zero, and where to put them."""
    packets = [
        LaserPacket(total, first, (0,) * count, (0,) * count if extended else (), extended=extended).encode()
        for first in range(0, total, READINGS_PER_PACKET)
        if (count := min(READINGS_PER_PACKET, total - first))
    ]
    ends = np.cumsum([len(packet) for packet in packets])
    begins = ends - [len(packet) for packet in packets]
    size = _READING.size if extended else 2
    to_readings = _BEFORE_DATA + (_SPAN_SIZE if extended else _PLAIN_SIZE)
    reading = np.arange(total)
    ranges = begins[reading // READINGS_PER_PACKET] + to_readings + size * (reading % READINGS_PER_PACKET)
    row = np.frombuffer(b"".join(packets), np.uint8).copy()
    weights = np.zeros((len(row), len(packets)), np.float32)
    for number, (begin, end) in enumerate(zip(begins.tolist(), ends.tolist(), strict=True)):
        body = np.arange(begin + _BEFORE_DATA - 1, end - 2)
        pairs = len(body) // 2 * 2
        weights[body[:pairs], number] = np.where(np.arange(pairs) % 2, 1.0, 256.0)
    row[ends[:, None] - [2, 1]] = 0
    odd = np.flatnonzero((ends - begins) % 2 == 0)  # Header, length and checksum are five bytes.
    pose = () if extended else tuple(begins + _BEFORE_DATA + 2 * k for k in range(3))
    return _Template(row, ranges, pose, ends - 4, int(ends[0]) - 3, ends - 2, weights, (odd, ends[odd] - 3))


def _plain_pose(batch: ScanBatch, shape: tuple[int, ...]) -> tuple[NDArray[np.uint16], ...]:
    """Return the odometry of plain packets [mm, mm, degrees]; positions wrap."""
    degrees = np.degrees(batch.heading)
    values = (
        np.rint(np.asarray(batch.x) * 1000.0),
        np.rint(np.asarray(batch.y) * 1000.0),
        np.rint(degrees - 360.0 * np.rint(degrees / 360.0)),
    )
    return tuple(np.broadcast_to(value.astype(np.int64).astype(np.uint16), shape) for value in values)
