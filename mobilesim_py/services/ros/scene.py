"""The world as bodies to look at (visualization_msgs/MarkerArray): walls, boxes and robots, for RViz and Foxglove."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

from mobilesim_py.geometry import Point, Polygon, Pose
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import Subject
from mobilesim_py.services.ros.sensing import BASE, MAP, pose_message
from mobilesim_py.world.obstacles import Stops

ROBOT_HEIGHT = 0.25
WALL_HEIGHT = 0.3
"""Walls are drawn so high [m], lest they hide what is behind them."""
MOST_WALLS = 20_000
"""Of a map with more walls none are drawn: such a map is seen on `/map`."""
ROBOTS, BOXES, WALLS = "robots", "boxes", "walls"
_TRIANGLES, _DELETE_ALL = 11, 3
_COLOURS = (
    (0.82, 0.2, 0.17),
    (0.12, 0.44, 0.84),
    (0.18, 0.55, 0.24),
    (0.77, 0.42, 0.0),
    (0.54, 0.25, 1.0),
    (0.0, 0.51, 0.56),
)
_BOX_COLOUR, _WALL_COLOUR = (0.6, 0.55, 0.4), (0.35, 0.4, 0.45)


def _point(x: float, y: float, z: float) -> Message:
    return {"x": x, "y": y, "z": z}


def _wall(a: Point, b: Point, height: float) -> list[Message]:
    """Return two triangles that stand on a line."""
    low, high = (_point(*a, 0.0), _point(*b, 0.0)), (_point(*a, height), _point(*b, height))
    return [low[0], low[1], high[1], low[0], high[1], high[0]]


def prism(outline: Polygon, height: float) -> list[Message]:
    """Return the triangles of a body with this outline: its sides, and its top as a fan."""
    found = [point for a, b in zip(outline, outline[1:] + outline[:1], strict=True) for point in _wall(a, b, height)]
    for a, b in pairwise(outline[1:]):
        found += [_point(*outline[0], height), _point(*a, height), _point(*b, height)]
    return found


def _marker(
    header: Message, kind: str, number: int, pose: Pose, colour: Sequence[float], points: list[Message], alpha: float = 1.0
) -> Message:
    red, green, blue = colour
    return {
        "header": header,
        "ns": kind,
        "id": number,
        "type": _TRIANGLES,
        "action": 0,
        "pose": pose_message(pose),
        "scale": {"x": 1.0, "y": 1.0, "z": 1.0},
        "color": {"r": red, "g": green, "b": blue, "a": alpha},
        "lifetime": Time(),
        "frame_locked": True,
        "points": points,
        "colors": [],
        **_NO_MORE,
    }


_NO_PICTURE: Message = {"header": {"seq": 0, "stamp": Time(), "frame_id": ""}, "format": "", "data": b""}
_NO_MORE: Message = {
    "texture_resource": "",
    "texture": _NO_PICTURE,
    "uv_coordinates": [],
    "text": "",
    "mesh_resource": "",
    "mesh_file": {"filename": "", "data": b""},
    "mesh_use_embedded_materials": False,
}


def bodies(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make visualization_msgs/MarkerArray of everything; what was there before is forgotten."""
    in_map = moment.header(MAP)
    markers = [_marker(in_map, "", 0, Pose(), _WALL_COLOUR, []) | {"action": _DELETE_ALL}]
    segments = moment.simulation.world.segments
    solid = segments.ends[(segments.stops & int(Stops.ROBOTS)) != 0]
    if 0 < len(solid) <= MOST_WALLS:
        points = [point for ax, ay, bx, by in solid.tolist() for point in _wall((ax, ay), (bx, by), WALL_HEIGHT)]
        markers.append(_marker(in_map, WALLS, 0, Pose(), _WALL_COLOUR, points, 0.7))
    for box in moment.simulation.boxes:
        points = prism(box.box.outline, box.box.height)
        markers.append(_marker(in_map, BOXES, box.serial, box.pose, _BOX_COLOUR, points))
    for one in moment.subjects:
        points = [point for outline in one.body.model.body.outline for point in prism(outline, ROBOT_HEIGHT)]
        colour = _COLOURS[(one.body.serial - 1) % len(_COLOURS)]
        markers.append(_marker(moment.header(one.frame(BASE)), ROBOTS, one.body.serial, Pose(), colour, points))
    return ({"markers": markers},)


def version(moment: Moment, subject: Subject) -> Hashable:
    """Tell when bodies have to be drawn anew: another world, others in it, a box that was pushed."""
    simulation = moment.simulation
    return simulation.world, simulation.changes, tuple(box.pose for box in simulation.boxes)
