"""The lasers and sonar rings of a robot's section."""

from __future__ import annotations

import math

from mobilesim_py.catalogue.model import LaserModel, ReturnRule, SonarModel
from mobilesim_py.catalogue.section import Property, Section
from mobilesim_py.geometry import Pose, compose

MAX_SONAR = 255
"""The number of a transducer is a byte on the wire."""
MAX_SAMPLES = 20_000
MAX_RAYS = 181
"""Rays of one sonar transducer."""

_COMPARISONS = ("gt", "lt", "eq")
_CONDITIONS = ("outside_range", "inside_range", "outside_angle", "inside_angle")
_DRAWING_ONLY = (
    "color",
    "ssize",
    "enable_throwaway",
    "throwaway_thresh",
    "throwaway_prob",
    "ranger_return",
    "laser_return",
    "obstacle_return",
    "blobfinder_return",
    "fiducial_return",
    "laser_beam_height",
    "height",
    "height_offset",
    "size",
    "color_rgba",
    "unlisted",
)


def build_lasers(robot: Section) -> tuple[LaserModel, ...]:
    """Build all lasers among a robot's children, in the order of the file."""
    lasers: list[LaserModel] = []
    for child in robot.children:
        if child.kind == "laser":
            lasers.append(build_laser(child))
        elif child.kind == "ranger":
            beams = [sensor for sensor in child.children if sensor.kind == "sensor" and _samples(sensor) > 1]
            lasers.extend(_scanning_sensor(child, sensor) for sensor in beams)
    return tuple(lasers)


def build_laser(section: Section) -> LaserModel:
    """Build the laser of a resolved `laser` section."""
    for unused in _DRAWING_ONLY:
        section.get(unused)
    size = section.lengths("size")
    field_of_view = section.angle("fov", math.pi)
    if not 0 < field_of_view <= 2 * math.pi + 1e-9:
        raise section.error("fov: expected an angle greater than 0 and of at most a full turn")
    return LaserModel(
        name=section.name,
        pose=_pose(section),
        field_of_view=field_of_view,
        samples=_samples(section, 181),
        range_min=section.length("range_min", 0.0),
        range_max=section.length("range_max", 8.0),
        range_noise=abs(section.number("noise", 0.0)),
        angle_noise=abs(section.number("reading_angle_error", 0.0)),
        reverse=section.flag("reverse_scan"),
        size=(size[0], size[1]) if len(size) > 1 else (0.15, 0.15),
        rules=tuple(_rule(section, i) for i in range(section.integer("laser_return_rules", 0, 0, 1000))),
    )


def _samples(section: Section, default: int = 1) -> int:
    return section.integer("samples", default, 1, MAX_SAMPLES)


def _pose(section: Section) -> Pose:
    return Pose(*(section.place("pose") or (0.0, 0.0, 0.0)))


def _rule(section: Section, index: int) -> ReturnRule:
    """Read `laser_return_rule[i].model_gt 1`, `.condition "outside_range"`, `.range 30`, `.detect 1`, `.stop 1`."""
    key = f"laser_return_rule[{index}]"
    comparison, value = "eq", section.integer(f"{key}.model", -1)
    for word in _COMPARISONS:
        if section.has(f"{key}.model_{word}"):
            comparison, value = word, section.integer(f"{key}.model_{word}")
    condition = section.text(f"{key}.condition")
    if condition and condition not in _CONDITIONS:
        raise section.error(f"{key}.condition: expected one of {', '.join(_CONDITIONS)}, found '{condition}'")
    if condition.endswith("angle"):
        limit = math.radians(section.number(f"{key}.angle"))
    else:
        limit = section.number(f"{key}.range")
    detect = section.integer(f"{key}.detect", 1, -1, 255)
    return ReturnRule(value, comparison, condition, limit, max(detect, 0), section.flag(f"{key}.stop"))


def _scanning_sensor(ranger: Section, sensor: Section) -> LaserModel:
    """Read a `ranger ( sensor ( samples 180 ... ) )` of Stage 4: a laser by another name."""
    reach = sensor.lengths("range")
    size = sensor.lengths("size") or ranger.lengths("size")
    noise = sensor.numbers("noise")
    return LaserModel(
        name=ranger.name if ranger.name != "ranger" else sensor.name,
        pose=compose(_pose(ranger), _pose(sensor)),
        field_of_view=min(max(sensor.angle("fov", math.pi), 1e-3), 2 * math.pi),
        samples=_samples(sensor),
        range_min=reach[0] if len(reach) > 1 else 0.0,
        range_max=reach[-1] if reach else 8.0,
        range_noise=abs(noise[0]) if noise else 0.0,
        angle_noise=0.0,
        size=(size[0], size[1]) if len(size) > 1 else (0.15, 0.15),
    )


def build_sonar(robot: Section) -> tuple[SonarModel, bool, bool, int]:
    """Read all sonar as one ring, whether there is a front and a rear array, and the readings per SIP."""
    transducers: list[Pose] = []
    absent: list[int] = []
    plain = SonarModel()
    view, noise, rays = (plain.range_min, plain.range_max, plain.cone), plain.noise, 1
    front: bool | None = None
    rear: bool | None = None
    per_packet = 32
    for array in robot.children:
        if array.kind != "ranger":
            continue
        for unused in _DRAWING_ONLY:
            array.get(unused)
        mine = _transducers(array)
        if not mine:
            continue
        if not transducers:
            view, noise = _view(array, mine[0]), abs(array.number("noise", 0.0))
            rays = _rays(array, view[2])
        absent.extend(len(transducers) + i for i, (_, look) in enumerate(mine) if look and look[0] >= look[1])
        transducers.extend(pose for pose, _ in mine)
        front = _either(front, array, robot, "pioneer_hasfrontarray")
        rear = _either(rear, array, robot, "pioneer_hasreararray")
        says = robot if robot.has("pioneer_max_readings_per_packet") else array
        per_packet = says.integer("pioneer_max_readings_per_packet", per_packet, 1, MAX_SONAR)
    if len(transducers) > MAX_SONAR:
        raise robot.error(f"{len(transducers)} sonar are more than the {MAX_SONAR} that the protocol can number")
    present = [pose for index, pose in enumerate(transducers) if index not in absent]
    if front is None:
        front = any(math.cos(pose.heading) > 1e-9 for pose in present)
    if rear is None:
        rear = any(math.cos(pose.heading) < -1e-9 for pose in present)
    sonar = SonarModel(tuple(transducers), view[0], view[1], view[2], rays, noise, tuple(absent))
    return sonar, front and bool(present), rear and bool(present), per_packet


def _either(so_far: bool | None, array: Section, robot: Section, name: str) -> bool | None:
    """Return the robot's own setting, else that of its arrays; one array is enough."""
    said = robot.flag(name) if robot.has(name) else array.flag(name) if array.has(name) else None
    return said if so_far is None else so_far or bool(said)


Look = tuple[float, float, float]


def _look(found: Property | None) -> Look | None:
    """Read `[least most fov]`: range [m] and opening angle [rad]."""
    if found is None:
        return None
    opening = found.number(2) if len(found.values) > 2 else 30.0
    return found.number(0) * found.units.length, found.number(1) * found.units.length, opening * found.units.angle


def _transducers(array: Section) -> list[tuple[Pose, Look | None]]:
    """Find each transducer's place on the robot, and its own view if it has one."""
    mount = _pose(array)
    found: list[tuple[Pose, Look | None]] = []
    for index in range(array.integer("scount", 0, 0, MAX_SONAR)):
        place = array.place(f"spose[{index}]")
        if place is None:
            raise array.error(f"scount promises {array.integer('scount')} sonar, but spose[{index}] is missing")
        array.get(f"ssize[{index}]")
        found.append((Pose(*place), _look(array.get(f"sview[{index}]"))))
    for child in array.children:
        if child.kind == "sensor" and _samples(child) == 1:
            for unused in _DRAWING_ONLY:
                child.get(unused)
            found.append((_pose(child), _sensor_look(child)))
    return [(compose(mount, pose), look) for pose, look in found]


def _sensor_look(sensor: Section) -> Look | None:
    """Read the view of a Stage 4 sensor: `range [least most]` and `fov`, or all in `view`."""
    if sensor.has("view"):
        return _look(sensor.get("view"))
    reach = sensor.lengths("range")
    return (reach[0], reach[1], sensor.angle("fov", math.radians(30))) if len(reach) > 1 else None


def _view(array: Section, first: tuple[Pose, Look | None]) -> Look:
    common = _look(array.get("sview"))
    if common is None:
        own = first[1]
        common = own if own and own[0] < own[1] else (0.0, 5.0, math.radians(30))
    if common[1] <= 0 or common[0] > common[1]:
        raise array.error("sview: expected [least most angle] with a greatest range above the least")
    return common


def _rays(array: Section, cone: float) -> int:
    """Return 1, or with `projection_type "closest"` the number of rays from edge to edge of the cone [rad].

    They are `projection_res` apart, rounded so that they divide the cone evenly.
    """
    spacing = array.angle("projection_res", math.radians(6))
    if array.text("projection_type", "single") != "closest" or spacing <= 0:
        return 1
    return max(1, min(MAX_RAYS, round(cone / spacing) + 1))
