"""Scans and echoes of the recordings, each with the pose at which it was taken and the angles of its beams."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.packet import Packet
from mobilesim_py.protocols.arcos.sip import unpack_sip

from .recording import LASER, LASER_EXTENDED, SIPS, Recording, read_packets, set_pose_of

SETTLED = 0.3
"""So long after SIM_SET_POSE the original has read the command [s]."""
FOV_START, FOV_END = 231, 232


@dataclass(frozen=True)
class RecordedScan:
    """One scan of the original."""

    pose: tuple[int, int, int]
    """True pose [mm, mm, degrees]."""
    ranges: npt.NDArray[np.float64]
    """[m]."""
    reflectance: tuple[int, ...]
    field_of_view: float
    """[degrees]; negative when the readings run clockwise."""

    @property
    def increment(self) -> float:
        """Angle between readings as the original casts them [rad]: n of them share the field of view."""
        return math.radians(self.field_of_view) / len(self.ranges)

    @property
    def start(self) -> float:
        """Angle of the first reading [rad]."""
        return -math.radians(self.field_of_view) / 2.0


@dataclass(frozen=True)
class RecordedEchoes:
    """One full round of sonar readings of the original."""

    pose: tuple[int, int, int]
    ranges: npt.NDArray[np.float64]
    """[m], by transducer."""


def scans(recording: Recording, field_of_view: float) -> Iterator[RecordedScan]:
    """The last whole scan at every pose and setting of the laser; `field_of_view` is the model's [degrees]."""
    pose, since = None, 0.0
    parts: list[Packet] = []
    last: RecordedScan | None = None
    ends = [-field_of_view / 2.0, field_of_view / 2.0]
    for line in recording.lines:
        if line.kind == "tx":
            put = set_pose_of(line)
            if put is not None or line.number in (FOV_START, FOV_END, 233):
                if last is not None:
                    yield last
                last, parts, since = None, [], line.time
                pose = put or pose
            if line.number in (FOV_START, FOV_END):
                angle = int.from_bytes(line.data[5:7], "little") * (-1 if line.data[4] == 0x1B else 1)
                ends[line.number - FOV_START] = float(angle)
        elif line.kind == "rx" and line.number in (LASER, LASER_EXTENDED):
            (packet,) = read_packets(line.data)
            if unpack_laser(packet).first == 0:
                parts = []
            parts.append(packet)
            whole = _whole(parts)
            if whole is not None and pose is not None and line.time - since > SETTLED:
                last = RecordedScan(pose, *whole, ends[1] - ends[0])
    if last is not None:
        yield last


def _whole(parts: list[Packet]) -> tuple[npt.NDArray[np.float64], tuple[int, ...]] | None:
    """The readings of a scan's packets, once all are there."""
    packets = [unpack_laser(part) for part in parts]
    ranges = [distance for packet in packets for distance in packet.ranges]
    if packets[0].first != 0 or len(ranges) != packets[0].total:
        return None
    return np.array(ranges) / 1000.0, tuple(value for packet in packets for value in packet.reflectance)


def echoes(recording: Recording) -> Iterator[RecordedEchoes]:
    """The last sonar readings at every pose."""
    pose, since = None, 0.0
    last: RecordedEchoes | None = None
    for line in recording.lines:
        put = set_pose_of(line)
        if put is not None:
            if last is not None:
                yield last
            last, pose, since = None, put, line.time
        elif line.kind == "rx" and line.number in SIPS and pose is not None and line.time - since > SETTLED:
            sip = unpack_sip(read_packets(line.data)[0])
            last = RecordedEchoes(pose, np.array([distance for _, distance in sip.sonar]) / 1000.0)
    if last is not None:
        yield last
