"""Binary messages of the stream: what moves (a frame, many a second) and the walls (once per map).

All numbers are little-endian. A frame:

    u32 kind = 1      u32 number        f64 simulated time [s]
    u32 layers        u32 N bodies      u32 L lasers     u32 R ranges     u32 S sonars     u32 E echoes
    u32 id[N]         f32 x[N] y[N] heading[N]           u32 state[N]
    layer ODOMETRY:   f32 x[N] y[N] heading[N]
    layer VELOCITY:   f32 forward[N] lateral[N] rotation[N]
    layer LASER:      u32 id[L]         f32 x[L] y[L] first[L] increment[L] most[L]        u32 count[L]
    layer SONAR:      u32 id[S]         u32 count[S]
    layer LASER:      u16 range[R]      layer SONAR: u16 echo[E]

Lengths are metres and angles radians, but ranges are millimetres. A laser's place and the angle of its first beam are the
world's, `most` is the range without a hit. A frame without the bit of a sensor's layer holds no new readings of it.

The walls:

    u32 kind = 2      u32 map number    u32 M            f32 x1 y1 x2 y2 [M]    u8 stops[M]    u8 reflectance[M]
"""

from __future__ import annotations

import struct
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.fields import Body, Laser
from mobilesim_py.core.robot import Robot
from mobilesim_py.world.obstacles import Segments

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

FRAME_HEAD = struct.Struct("<IIdIIIIII")
WALLS_HEAD = struct.Struct("<III")
LONGEST_RANGE = 0xFFFF
_POSE = [Body.X, Body.Y, Body.HEADING]
_ODOMETRY = [Body.ODOMETRY_X, Body.ODOMETRY_Y, Body.ODOMETRY_HEADING]
_VELOCITY = [Body.FORWARD, Body.LATERAL, Body.ROTATION]


class Sensed(Protocol):
    """All sensor readings of one tick: rows of matrices, and the bodies that they belong to."""

    units: npt.NDArray[np.int64]
    ranges: npt.NDArray[np.float64]
    robots: npt.NDArray[np.int64]
    echoes: npt.NDArray[np.float64]


class Kind(IntEnum):
    """The first word of a binary message."""

    FRAME = 1
    WALLS = 2


class Layer(IntFlag):
    """What a viewer may request besides the true poses."""

    LASER = 1
    SONAR = 2
    ODOMETRY = 4
    VELOCITY = 8


class State(IntFlag):
    """Bits of a body's state."""

    STALLED = 1
    GHOST = 2
    HELD = 4
    """A client is connected to it."""
    MOTORS = 8


def pack_frame(simulation: Simulation, layers: Layer, held: npt.NDArray[np.uint32]) -> bytes:
    """Pack everything that moves, without the frame's number; `held` are the ids that have clients."""
    count = len(simulation.things)
    bodies = simulation.bodies[:, :count]
    ids = bodies[Body.SERIAL].astype("<u4")
    readings = simulation.known_readings
    if readings is None:
        layers &= ~(Layer.LASER | Layer.SONAR)
    state = (
        (bodies[Body.STALLED] > 0.0) * int(State.STALLED)
        | (bodies[Body.GHOST] > 0.0) * int(State.GHOST)
        | (bodies[Body.MOTORS] > 0.0) * int(State.MOTORS)
        | np.isin(ids, held) * int(State.HELD)
    )
    parts = [ids.tobytes(), bodies[_POSE].astype("<f4").tobytes(), state.astype("<u4").tobytes()]
    if layers & Layer.ODOMETRY:
        parts.append(bodies[_ODOMETRY].astype("<f4").tobytes())
    if layers & Layer.VELOCITY:
        parts.append(bodies[_VELOCITY].astype("<f4").tobytes())
    lasers = ranges = sonars = echoes = 0
    tail: list[bytes] = []
    if layers & Layer.LASER and readings is not None:
        lasers, ranges = len(readings.units), _add_scans(simulation, bodies, ids, readings, parts, tail)
    if layers & Layer.SONAR and readings is not None:
        sonars, echoes = len(readings.robots), _add_echoes(simulation, ids, readings, parts, tail)
    head = FRAME_HEAD.pack(Kind.FRAME, 0, simulation.time, layers, count, lasers, ranges, sonars, echoes)
    return b"".join([head, *parts, *tail])


def number_frame(frame: bytes, number: int) -> bytes:
    """Return the frame as sent to one viewer, with its number in it."""
    return b"".join([frame[:4], struct.pack("<I", number & 0xFFFFFFFF), frame[8:]])


def pack_walls(segments: Segments, number: int) -> bytes:
    """Pack all static obstacles."""
    head = WALLS_HEAD.pack(Kind.WALLS, number, len(segments))
    return b"".join([head, segments.ends.astype("<f4").tobytes(), segments.stops.tobytes(), segments.reflectance.tobytes()])


def _add_scans(
    simulation: Simulation,
    bodies: npt.NDArray[np.float64],
    ids: npt.NDArray[np.uint32],
    readings: Sensed,
    parts: list[bytes],
    tail: list[bytes],
) -> int:
    """Add the lasers that are on and their ranges; return the number of ranges."""
    units = readings.units
    unit = simulation.lasers[:, units]
    carrier = unit[Laser.BODY].astype(np.int64)
    x, y, heading = bodies[_POSE][:, carrier]
    cos, sin = np.cos(heading), np.sin(heading)
    place = np.stack(
        [
            x + cos * unit[Laser.X] - sin * unit[Laser.Y],
            y + sin * unit[Laser.X] + cos * unit[Laser.Y],
            heading + unit[Laser.HEADING] + unit[Laser.START],
            unit[Laser.INCREMENT],
            unit[Laser.RANGE_MAX],
        ]
    )
    counts = unit[Laser.COUNT].astype(np.int64)
    parts += [ids[carrier].tobytes(), place.astype("<f4").tobytes(), counts.astype("<u4").tobytes()]
    tail.append(_millimetres(readings.ranges, counts))
    return int(counts.sum())


def _add_echoes(
    simulation: Simulation, ids: npt.NDArray[np.uint32], readings: Sensed, parts: list[bytes], tail: list[bytes]
) -> int:
    """Add the sonars that are on and their echoes; return the number of echoes."""
    columns = readings.robots
    counts = np.array([_transducers(simulation, column) for column in columns.tolist()], dtype=np.int64)
    parts += [ids[columns].tobytes(), counts.astype("<u4").tobytes()]
    tail.append(_millimetres(readings.echoes, counts))
    return int(counts.sum())


def _transducers(simulation: Simulation, column: int) -> int:
    thing = simulation.things[column]
    return len(thing.model.sonar.transducers) if isinstance(thing, Robot) else 0


def _millimetres(ranges: npt.NDArray[np.float64], counts: npt.NDArray[np.int64]) -> bytes:
    """Return the first `counts` of each row as u16 [mm]."""
    if not len(counts):
        return b""
    inside = np.arange(ranges.shape[1]) < counts[:, None]
    flat = np.clip(ranges[inside] * 1000.0 + 0.5, 0.0, LONGEST_RANGE)
    return np.nan_to_num(flat, nan=LONGEST_RANGE).astype("<u2").tobytes()
