"""From an ARIA parameter file (`-r custom.p`) to a RobotModel."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mobilesim_py.catalogue.accessories import BumperModel
from mobilesim_py.catalogue.model import BatteryModel, BodyModel, DriveModel, LaserModel, RobotModel, SonarModel
from mobilesim_py.catalogue.parameterfile import ParameterFile, ParameterSection, read_parameters
from mobilesim_py.catalogue.pioneer import Conversion, InfraredUnit, Pioneer
from mobilesim_py.catalogue.shape import rectangle, sticks_out
from mobilesim_py.errors import ParameterFileError
from mobilesim_py.geometry import AxisTriple, Polygon, Pose, placed

FindLaser = Callable[[str], LaserModel]

MAX_SONAR = 255
MAX_LASERS = 16

# What ARIA calls the lasers, and what models/lasers.inc does.
LASER_TYPES = (
    (re.compile(r"lms1", re.I), "sicklms100"),
    (re.compile(r"lms5", re.I), "sicklms500"),
    (re.compile(r"urg", re.I), "urg"),
    (re.compile(r"s3|sz", re.I), "sicks300"),
    (re.compile(r"tim", re.I), "sicktim510"),
    (re.compile(r""), "sicklms200"),
)

# ARIA's files have five decimals, which are too few for the fraction of a turn.
_EXACT_ANGLES = (0.001534, 0.0061359)

_PLAIN = RobotModel("")


def load_parameters(path: Path, find_laser: FindLaser) -> RobotModel:
    """Build the robot that a parameter file describes; its name is that of the file without `.p`."""
    return build_from_parameters(read_parameters(path), path.stem, find_laser)


def build_from_parameters(file: ParameterFile, name: str, find_laser: FindLaser) -> RobotModel:
    """Build the robot that the parameters describe."""
    general = file.section("General settings")
    if general.get("Class") is None and general.get("Subclass") is None:
        raise ParameterFileError(
            "has neither Class nor Subclass in 'Section General settings'; is it an ARIA parameter file?", file.path
        )
    movement = file.section("Movement control parameters")
    accessories = file.section("Accessories the robot has")
    gps = file.section("GPS parameters")
    lasers = _lasers(file, find_laser)
    tells_charge = file.section("Battery_1").text("BatteryType").lower() == "mtx"
    battery = BatteryModel(None, 1.0) if tells_charge else BatteryModel()
    sonar = _sonar(file.section("Sonar parameters"))
    present = [pose for index, pose in enumerate(sonar.transducers) if index not in sonar.absent]
    size, outline, shift = _outline(general)
    parts = tuple(rectangle(laser.size, laser.pose) for laser in lasers)
    body = tuple(placed(polygon, shift) for polygon in outline)
    max_speed = _max_speed(general)
    sideways = max_speed.lateral > 0
    conversion = _conversion(file.section("Conversion factors"))
    bumpers = BumperModel(
        _bumpers(accessories, "FrontBumpers", "NumFrontBumpers"), _bumpers(accessories, "RearBumpers", "NumRearBumpers")
    )
    return RobotModel(
        name=name,
        body=BodyModel(
            outline=body + tuple(part for part in parts if sticks_out(part, body)),
            footprint=outline + tuple(part for part in parts if sticks_out(part, outline)),
            size=size,
        ),
        drive=DriveModel(
            omnidirectional=sideways,
            track=conversion.track,
            max_speed=max_speed,
            acceleration=_rates(movement, "Accel", _PLAIN.drive.acceleration, sideways),
            deceleration=_rates(movement, "Decel", _PLAIN.drive.deceleration, sideways),
        ),
        devices=(sonar, *lasers, battery, *((bumpers,) if bumpers.front + bumpers.rear else ())),
        pioneer=Pioneer(
            robot_class=general.text("Class", _PLAIN.pioneer.robot_class),
            subclass=general.text("Subclass") or name,
            conversion=conversion,
            front_sonar=any(math.cos(pose.heading) > 1e-9 for pose in present),
            rear_sonar=any(math.cos(pose.heading) < -1e-9 for pose in present),
            gps=(gps.number("GPSPX") / 1000, gps.number("GPSPY") / 1000),
            front_bumpers=bumpers.front,
            rear_bumpers=bumpers.rear,
            has_move_command=general.flag("HasMoveCommand", True),
            infrared=_infrared(file, accessories),
        ),
    )


def _outline(general: ParameterSection) -> tuple[tuple[float, float], tuple[Polygon, ...], Pose]:
    """Read the size, the octagon that ARIA draws, centred, and the place of its centre on the robot."""
    radius = general.number("RobotRadius", 250.0)
    length = _positive(general, "RobotLength", 2 * radius) / 1000
    width = _positive(general, "RobotWidth", 2 * radius) / 1000
    diagonal = general.number("RobotDiagonal", 0.0) / 1000
    front, rear = general.number("RobotLengthFront") / 1000, general.number("RobotLengthRear") / 1000
    shift = (front - rear) / 2 if front > 0 and rear > 0 else 0.0
    half_length, half_width = length / 2, width / 2
    if not 0 < diagonal < max(half_length, half_width):
        return (length, width), (rectangle((length, width)),), Pose(shift)
    along, across = min(diagonal, half_length), min(diagonal, half_width)
    corner = ((half_length, across), (along, half_width))
    left = (*corner, *((-x, y) for x, y in reversed(corner)))
    octagon = (*left, *((x, -y) for x, y in reversed(left)))
    return (length, width), (octagon,), Pose(shift)


def _positive(section: ParameterSection, name: str, default: float) -> float:
    value = section.number(name, default)
    found = section.get(name)
    if value <= 0:
        if found is not None and value < 0:
            raise found.error(f"expected a number greater than 0, found '{found.words[0]}'")
        return default if default > 0 else 500.0
    return value


def _max_speed(general: ParameterSection) -> AxisTriple:
    def most(name: str, default: float) -> float:
        return abs(general.number(name, default)) or default

    return AxisTriple(
        most("MaxVelocity", _PLAIN.drive.max_speed.forward * 1000) / 1000,
        abs(general.number("MaxLatVelocity")) / 1000,
        math.radians(most("MaxRVelocity", 100.0)),
    )


def _rates(section: ParameterSection, kind: str, default: AxisTriple, sideways: bool) -> AxisTriple:
    """Read accelerations or decelerations [mm/s2, deg/s2]; 0 leaves them to the robot."""
    lateral = abs(section.number(f"Lat{kind}")) / 1000 or default.forward
    return AxisTriple(
        abs(section.number(f"Trans{kind}")) / 1000 or default.forward,
        lateral if sideways else 0.0,
        math.radians(abs(section.number(f"Rot{kind}"))) or default.rotation,
    )


def _conversion(section: ParameterSection) -> Conversion:
    plain = Conversion()
    values = {
        "angle": ("AngleConvFactor", plain.angle),
        "distance": ("DistConvFactor", plain.distance),
        "velocity": ("VelConvFactor", plain.velocity),
        "range": ("RangeConvFactor", plain.range),
        "difference": ("DiffConvFactor", plain.difference),
        "vel2_divisor": ("Vel2Divisor", plain.vel2_divisor),
    }
    factors: dict[str, float] = {}
    for factor, (name, default) in values.items():
        found = section.get(name)
        factors[factor] = found.number() if found else default
        if found and factors[factor] <= 0:
            raise found.error(f"expected a number greater than 0, found '{found.words[0]}'")
    for exact in _EXACT_ANGLES:
        if round(exact, 5) == factors["angle"]:
            factors["angle"] = exact
    return Conversion(**factors)


def _bumpers(section: ParameterSection, there: str, count: str) -> int:
    return max(0, min(7, section.integer(count, 5))) if section.flag(there) else 0


def _infrared(file: ParameterFile, accessories: ParameterSection) -> tuple[InfraredUnit, ...]:
    """Read the infrared sensors that I/O packets tell of: those ahead feel tables, the others are beams across."""
    if not accessories.flag("NewTableSensingIR"):
        return ()
    units = sorted(file.section("IR parameters").all("IRUnit"), key=lambda unit: unit.integer(0))
    places = [(unit.number(3) / 1000, unit.number(4) / 1000) for unit in units]
    return tuple(InfraredUnit(place, feels_tables=place[0] > 0.0) for place in places)


def _sonar(section: ParameterSection) -> SonarModel:
    """Read the ring; a number without a place, or with the robot's centre for a place, has no transducer."""
    places: dict[int, Pose] = {}
    for unit in section.all("SonarUnit"):
        number = unit.integer(0)
        if not 0 <= number < MAX_SONAR:
            raise unit.error(f"expected a sonar number from 0 to {MAX_SONAR - 1}, found {number}")
        places[number] = Pose(unit.number(1) / 1000, unit.number(2) / 1000, math.radians(unit.number(3)))
    total = section.get("SonarNum")
    count = total.integer() if total else max(places, default=-1) + 1
    if total is not None and not 0 <= count <= MAX_SONAR:
        raise total.error(f"expected a number from 0 to {MAX_SONAR}, found {count}")
    nowhere = Pose(0.0, 0.0, -math.pi)
    transducers = tuple(places.get(number, nowhere) for number in range(count))
    absent = tuple(i for i, pose in enumerate(transducers) if (pose.x, pose.y) == (0.0, 0.0))
    return SonarModel(transducers, absent=absent)


def _lasers(file: ParameterFile, find_laser: FindLaser) -> tuple[LaserModel, ...]:
    """Read the lasers: those that have a type, or are said to be there."""
    titles = ["Laser parameters", *(f"Laser {number} parameters" for number in range(2, MAX_LASERS + 1))]
    lasers: list[LaserModel] = []
    for title in titles:
        # Only the first laser can be described outside of any section.
        if title != titles[0] and not file.has(title):
            continue
        section = file.section(title)
        kind = section.text("LaserType")
        if kind or section.flag("LaserPossessed") or section.flag("LaserAutoConnect"):
            lasers.append(_laser(section, kind, find_laser))
    return tuple(lasers)


def _laser(section: ParameterSection, kind: str, find_laser: FindLaser) -> LaserModel:
    name = next(name for pattern, name in LASER_TYPES if pattern.match(kind))
    laser = find_laser(name)
    begin, end = section.get("LaserStartDegrees"), section.get("LaserEndDegrees")
    increment = math.degrees(laser.field_of_view) / max(laser.samples - 1, 1)
    opening = math.degrees(laser.field_of_view)
    if begin is not None and end is not None:
        opening = abs(end.number() - begin.number())
        if not 0 < opening <= 360:
            raise end.error("expected a field of view between 0 and 360 degrees from LaserStartDegrees")
    step = section.get("LaserIncrement")
    if step is not None:
        increment = step.number()
        if not 0.01 <= increment <= 360:
            raise step.error(f"expected an angle from 0.01 to 360 degrees, found '{step.words[0]}'")
    reach = section.number("LaserMaxRange") / 1000
    return replace(
        laser,
        pose=Pose(
            section.number("LaserX") / 1000,
            section.number("LaserY") / 1000,
            math.radians(section.number("LaserTh")),
        ),
        field_of_view=math.radians(opening),
        samples=max(1, round(opening / increment) + 1),
        range_max=min(reach, laser.range_max) if reach > 0 else laser.range_max,
        reverse=section.flag("LaserFlipped"),
    )
