"""What stands in a recording: topics, their JSON schemas (Foxglove's own where there are any), and how messages are written.

/wire       mobilesim.Bytes            every packet both ways
/clients    mobilesim.Client           clients that come and go
/tf         foxglove.FrameTransforms   where robots and boxes truly are
/odometry   mobilesim.Robots           what robots believe, their speeds, and what they are driven by
/NAME/scan  foxglove.LaserScan         scans of a robot's lasers
/map        foxglove.SceneUpdate       walls
/log        foxglove.Log               the log
"""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.log import Level, LogLine
from mobilesim_py.world.obstacles import Stops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mobilesim_py.core.devices.laser import LaserUnit
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.geometry import Pose
    from mobilesim_py.world.world import World

MAP_FRAME = "map"
NANOSECONDS = 1_000_000_000
MOST_WALLS = 20_000
"""Of a map with more walls only so many are written."""
MOST_FRAMES = 4096
"""How many scanners are remembered."""
_FARTHEST = 65.535
"""What is farther is written as this [m]."""
_LINE_LIST = 2
_LOG_LEVELS = {Level.INFO: 2, Level.WARNING: 3, Level.ERROR: 4}


@dataclass(frozen=True)
class Topic:
    """A topic and the type of its messages."""

    name: str
    schema: str


WIRE = Topic("/wire", "mobilesim.Bytes")
CLIENTS = Topic("/clients", "mobilesim.Client")
TRANSFORMS = Topic("/tf", "foxglove.FrameTransforms")
ODOMETRY = Topic("/odometry", "mobilesim.Robots")
MAP = Topic("/map", "foxglove.SceneUpdate")
LOG = Topic("/log", "foxglove.Log")


def scan_topic(robot: str, number: int) -> Topic:
    """Return the topic of a robot's laser, of which the first is number 0."""
    return Topic(f"/{robot}/scan{number + 1 if number else ''}", "foxglove.LaserScan")


# Schemas


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_NUMBER, _WHOLE, _TEXT, _FLAG = ({"type": name} for name in ("number", "integer", "string", "boolean"))
_TIME = _object(sec=_WHOLE, nsec=_WHOLE)
_VECTOR = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER)
_TURN = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER, w=_NUMBER)
_POSE = _object(position=_VECTOR, orientation=_TURN)
_COLOUR = _object(r=_NUMBER, g=_NUMBER, b=_NUMBER, a=_NUMBER)
_LINES = _object(
    type=_WHOLE,
    pose=_POSE,
    thickness=_NUMBER,
    scale_invariant=_FLAG,
    points=_list(_VECTOR),
    color=_COLOUR,
    colors=_list(_COLOUR),
    indices=_list(_WHOLE),
)
_ENTITY = _object(
    timestamp=_TIME,
    frame_id=_TEXT,
    id=_TEXT,
    lifetime=_TIME,
    frame_locked=_FLAG,
    metadata=_list(_object()),
    lines=_list(_LINES),
)
_BYTES = {"type": "string", "contentEncoding": "base64"}

SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "mobilesim.Bytes": _object(client=_WHOLE, incoming=_FLAG, data=_BYTES),
    "mobilesim.Client": _object(client=_WHOLE, door=_TEXT, peer=_TEXT, came=_FLAG, reason=_TEXT),
    "mobilesim.Robots": _object(
        robots=_list(
            _object(
                name=_TEXT,
                x=_NUMBER,
                y=_NUMBER,
                heading=_NUMBER,
                forward=_NUMBER,
                rotation=_NUMBER,
                stalled=_FLAG,
                model=_TEXT,
            )
        )
    ),
    "foxglove.FrameTransforms": _object(
        transforms=_list(
            _object(timestamp=_TIME, parent_frame_id=_TEXT, child_frame_id=_TEXT, translation=_VECTOR, rotation=_TURN)
        )
    ),
    "foxglove.LaserScan": _object(
        timestamp=_TIME,
        frame_id=_TEXT,
        pose=_POSE,
        start_angle=_NUMBER,
        end_angle=_NUMBER,
        ranges=_list(_NUMBER),
        intensities=_list(_NUMBER),
    ),
    "foxglove.SceneUpdate": _object(
        deletions=_list(_object(timestamp=_TIME, type=_WHOLE, id=_TEXT)), entities=_list(_ENTITY)
    ),
    "foxglove.Log": _object(timestamp=_TIME, level=_WHOLE, message=_TEXT, name=_TEXT, file=_TEXT, line=_WHOLE),
}


def schema_text(name: str) -> bytes:
    """Return the JSON schema of a type."""
    return json.dumps({"title": name, **SCHEMAS[name]}).encode()


# Messages


def _text(value: str) -> str:
    return json.dumps(value)


def _time(nanoseconds: int) -> str:
    return f'{{"sec":{nanoseconds // NANOSECONDS},"nsec":{nanoseconds % NANOSECONDS}}}'


def _turn(heading: float) -> str:
    return f'{{"x":0,"y":0,"z":{math.sin(0.5 * heading):.17g},"w":{math.cos(0.5 * heading):.17g}}}'


def wire_prefix(client: int, incoming: bool) -> bytes:
    """Return what stands before the bytes of a client in every message."""
    return f'{{"client":{client},"incoming":{"true" if incoming else "false"},"data":"'.encode()


def wire_message(prefix: bytes, data: bytes) -> bytes:
    """Write bytes that crossed a door."""
    return prefix + b64encode(data) + b'"}'


def client_message(client: int, door: str, peer: str, came: bool, reason: str) -> bytes:
    """Write that a client came or left."""
    return json.dumps({"client": client, "door": door, "peer": peer, "came": came, "reason": reason}).encode()


def transforms_message(simulation: Simulation, nanoseconds: int) -> bytes:
    """Write where everything truly is."""
    head = f'{{"timestamp":{_time(nanoseconds)},"parent_frame_id":"{MAP_FRAME}","child_frame_id":'
    parts = []
    for thing in simulation.things:
        pose = thing.pose
        parts.append(
            f'{head}{_text(thing.name)},"translation":{{"x":{pose.x!r},"y":{pose.y!r},"z":0}},"rotation":{_turn(pose.heading)}}}'
        )
    return f'{{"transforms":[{",".join(parts)}]}}'.encode()


def odometry_message(simulation: Simulation) -> bytes:
    """Write what robots believe of themselves."""
    parts = []
    for robot in simulation.robots:
        odometry, (forward, _, rotation) = robot.odometry, robot.velocity
        parts.append(
            f'{{"name":{_text(robot.name)},"model":{_text(robot.model.name)},"x":{odometry.x!r},"y":{odometry.y!r},'
            f'"heading":{odometry.heading!r},"forward":{forward!r},"rotation":{rotation!r},'
            f'"stalled":{"true" if robot.stalled else "false"}}}'
        )
    return f'{{"robots":[{",".join(parts)}]}}'.encode()


def _millimetres() -> list[str]:
    return [f"{number / 1000:g}" for number in range(65536)]


class ScanWriter:
    """Writes scans, to the millimetre: formatting numbers anew would cost more than sensing them."""

    def __init__(self) -> None:
        self._words = _millimetres()
        self._frames: dict[tuple[str, float, float, int, Pose], str] = {}
        """What stands between the time and the ranges, which seldom changes."""
        self._owners: dict[LaserUnit, tuple[str, int]] = {}
        """Whose lasers these are, and which of theirs."""
        self._changes = -1

    def write(self, simulation: Simulation, nanoseconds: int) -> Iterator[tuple[str, int, bytes]]:
        """Write the scans of all lasers that are on, each with its robot's name and its number there, from 0."""
        if simulation.changes != self._changes:
            self._changes = simulation.changes
            self._owners = {unit: (robot.name, n) for robot in simulation.robots for n, unit in enumerate(robot.lasers)}
        table = simulation.devices[LASER.name]
        readings, words, stamp = table.readings, self._words, _time(nanoseconds)
        if not len(readings.units):
            return
        whole = (np.minimum(readings.ranges, _FARTHEST) * 1000.0 + 0.5).astype(np.uint16)
        for row, column in enumerate(readings.units.tolist()):
            laser: LaserUnit = table.units[column]
            robot, number = self._owners[laser]
            count = laser.count
            frame = self._frame(robot, laser, count)
            written = ",".join([words[value] for value in whole[row, :count].tolist()])
            yield robot, number, f'{{"timestamp":{stamp},{frame}{written}],"intensities":[]}}'.encode()

    def _frame(self, robot: str, laser: LaserUnit, count: int) -> str:
        key = robot, laser.start, laser.increment, count, laser.model.pose
        frame = self._frames.get(key)
        if frame is None:
            if len(self._frames) >= MOST_FRAMES:
                self._frames.clear()
            frame = self._frames[key] = _frame(*key)
        return frame


def _frame(robot: str, start: float, increment: float, count: int, pose: Pose) -> str:
    end = start + increment * max(0, count - 1)
    return f'"frame_id":{_text(robot)},"pose":{_pose(pose)},"start_angle":{start!r},"end_angle":{end!r},"ranges":['


def _pose(pose: Pose) -> str:
    return f'{{"position":{{"x":{pose.x:g},"y":{pose.y:g},"z":0}},"orientation":{_turn(pose.heading)}}}'


def map_message(world: World, nanoseconds: int) -> bytes:
    """Write the walls of a world as lines to look at."""
    segments = world.segments
    solid = segments.ends[(segments.stops & int(Stops.ROBOTS)) != 0][:MOST_WALLS]
    points = [{"x": x, "y": y, "z": 0} for x, y in solid.reshape(-1, 2).tolist()]
    stamp = {"sec": nanoseconds // NANOSECONDS, "nsec": nanoseconds % NANOSECONDS}
    upright = {"position": {"x": 0, "y": 0, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}
    lines = {
        "type": _LINE_LIST,
        "pose": upright,
        "thickness": 2,
        "scale_invariant": True,
        "points": points,
        "color": {"r": 0.35, "g": 0.4, "b": 0.45, "a": 1.0},
        "colors": [],
        "indices": [],
    }
    entity = {
        "timestamp": stamp,
        "frame_id": MAP_FRAME,
        "id": "walls",
        "lifetime": {"sec": 0, "nsec": 0},
        "frame_locked": False,
        "metadata": [{"key": "name", "value": world.name}],
        "lines": [lines],
    }
    return json.dumps({"deletions": [], "entities": [entity]}).encode()


def log_message(line: LogLine, nanoseconds: int) -> bytes:
    """Write a line of the log."""
    stamp = {"sec": nanoseconds // NANOSECONDS, "nsec": nanoseconds % NANOSECONDS}
    level = _LOG_LEVELS[line.level]
    name = line.robot or "MobileSim"
    return json.dumps(
        {"timestamp": stamp, "level": level, "message": line.text, "name": name, "file": "", "line": 0}
    ).encode()
