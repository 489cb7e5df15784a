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
world's, `most` is the range without a hit. A frame without the bit of a sensor's layer says nothing new of it.

The walls:

    u32 kind = 2      u32 map number    u32 M            f32 x1 y1 x2 y2 [M]    u8 stops[M]    u8 reflectance[M]

What stands in a field, and later only which of it lies flat:

    u32 kind = 3      u32 map number    u32 P            f32 x[P] y[P] radius[P]    u8 kind[P] (`PlantKind`)    u8 is flat[P]
    u32 kind = 4      u32 map number    u32 P            u8 is flat[P]
"""

from __future__ import annotations

import struct
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.devices.laser import LASER, Laser, LaserReadings
from mobilesim_py.core.devices.sonar import SONAR, Sonar, SonarReadings
from mobilesim_py.core.fields import Body
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.plants import Plants

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

FRAME_HEAD = struct.Struct("<IIdIIIIII")
WALLS_HEAD = struct.Struct("<III")
LONGEST_RANGE = 0xFFFF
_POSE = [Body.X, Body.Y, Body.HEADING]
_ODOMETRY = [Body.ODOMETRY_X, Body.ODOMETRY_Y, Body.ODOMETRY_HEADING]
_VELOCITY = [Body.FORWARD, Body.LATERAL, Body.ROTATION]


class Kind(IntEnum):
    """First word of a binary message."""

    FRAME = 1
    WALLS = 2
    PLANTS = 3
    FLAT = 4


class Layer(IntFlag):
    """What a viewer may ask for beside the true poses."""

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
    """Everything that moves, not yet numbered; `held` are the ids that have clients."""
    count = len(simulation.things)
    bodies = simulation.bodies[:, :count]
    ids = bodies[Body.SERIAL].astype("<u4")
    scans, pings = simulation.known_readings(LASER), simulation.known_readings(SONAR)
    if scans is None:
        layers &= ~Layer.LASER
    if pings is None:
        layers &= ~Layer.SONAR
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
    if layers & Layer.LASER and scans is not None:
        lasers, ranges = len(scans.units), _add_scans(simulation, bodies, ids, scans, parts, tail)
    if layers & Layer.SONAR and pings is not None:
        sonars, echoes = len(pings.units), _add_echoes(simulation, ids, pings, parts, tail)
    head = FRAME_HEAD.pack(Kind.FRAME, 0, simulation.time, layers, count, lasers, ranges, sonars, echoes)
    return b"".join([head, *parts, *tail])


def number_frame(frame: bytes, number: int) -> bytes:
    """The frame as one viewer gets it, with its number in it."""
    return b"".join([frame[:4], struct.pack("<I", number & 0xFFFFFFFF), frame[8:]])


def pack_walls(segments: Segments, number: int) -> bytes:
    """All that stands still and can be hit."""
    head = WALLS_HEAD.pack(Kind.WALLS, number, len(segments))
    return b"".join([head, segments.ends.astype("<f4").tobytes(), segments.stops.tobytes(), segments.reflectance.tobytes()])


def pack_plants(plants: Plants, number: int) -> bytes:
    """What stands in a field, and how each of them lies."""
    head = WALLS_HEAD.pack(Kind.PLANTS, number, len(plants))
    places = [column.astype("<f4").tobytes() for column in (plants.x, plants.y, plants.radius)]
    return b"".join([head, *places, plants.kind.tobytes(), plants.is_flat.tobytes()])


def pack_flat(plants: Plants, number: int) -> bytes:
    """Which plants lie flat."""
    return WALLS_HEAD.pack(Kind.FLAT, number, len(plants)) + plants.is_flat.tobytes()


def _add_scans(
    simulation: Simulation,
    bodies: npt.NDArray[np.float64],
    ids: npt.NDArray[np.uint32],
    readings: LaserReadings,
    parts: list[bytes],
    tail: list[bytes],
) -> int:
    """Lasers that are on, and their ranges; how many ranges."""
    units = readings.units
    unit = simulation.table(LASER).matrix[:, units]
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
    simulation: Simulation, ids: npt.NDArray[np.uint32], readings: SonarReadings, parts: list[bytes], tail: list[bytes]
) -> int:
    """Sonars that are on, and their echoes; how many echoes."""
    table = simulation.table(SONAR)
    carrier = table.matrix[Sonar.BODY, readings.units].astype(np.int64)
    counts = np.array([len(table.units[unit].model.transducers) for unit in readings.units.tolist()], dtype=np.int64)
    parts += [ids[carrier].tobytes(), counts.astype("<u4").tobytes()]
    tail.append(_millimetres(readings.ranges, counts))
    return int(counts.sum())


def _millimetres(ranges: npt.NDArray[np.float64], counts: npt.NDArray[np.int64]) -> bytes:
    """The first `counts` of each row as u16."""
    if not len(counts):
        return b""
    inside = np.arange(ranges.shape[1]) < counts[:, None]
    flat = np.clip(ranges[inside] * 1000.0 + 0.5, 0.0, LONGEST_RANGE)
    return np.nan_to_num(flat, nan=LONGEST_RANGE).astype("<u2").tobytes()
