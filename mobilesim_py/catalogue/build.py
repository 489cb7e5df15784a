"""From a resolved section of a worldfile to a RobotModel."""

from __future__ import annotations

from dataclasses import replace

from mobilesim_py.catalogue.accessories import build_accessories, build_infrared
from mobilesim_py.catalogue.model import BatteryModel, BodyModel, DriveModel, RobotModel
from mobilesim_py.catalogue.outdoor import build_outdoor
from mobilesim_py.catalogue.pioneer import Conversion, Pioneer
from mobilesim_py.catalogue.section import Section
from mobilesim_py.catalogue.sensors import build_lasers, build_sonar
from mobilesim_py.catalogue.shape import fit, rectangle, sticks_out, written_polygons
from mobilesim_py.geometry import AxisTriple, Point, Polygon, Pose, placed

DEFAULT_SIZE = (1.0, 1.0)
BOX_COLOUR = "yellow"
FULL_VOLTS = 13.0
STATE_OF_CHARGE = 2
"""The type of a battery that tells its state of charge."""
ROBOT_KINDS = ("position",)
BOX_KINDS = ("model",)
SENSOR_KINDS = ("laser", "ranger")

# Defaults of a position model.
_PLAIN = RobotModel("")

_CONVERSIONS = {
    "distance": "pioneer_distconv",
    "velocity": "pioneer_velconv",
    "range": "pioneer_rangeconv",
    "angle": "pioneer_angleconv",
    "difference": "pioneer_diffconv",
    "vel2_divisor": "pioneer_vel2div",
}

# Known, but without effect here: how Stage draws, and settings of other programs.
_DRAWING_ONLY = (
    "unlisted",
    "gui_nose",
    "gui_boundary",
    "gui_outline",
    "gui_grid",
    "gui_movemask",
    "gui_move",
    "localization_origin",
    "height",
    "mass",
    "color_rgba",
    "trail_length",
    "map_resolution",
    "default_speed",
    "max_accel",
    "max_decel",
    "name",
    "pose",
    "port",
    "blobfinder_return",
    "blob_return",
    "fiducial_return",
    "gripper_return",
)


def build_model(section: Section, name: str) -> RobotModel:
    """Build the robot or box that a resolved section describes."""
    if section.kind in BOX_KINDS:
        return _build_box(section, name)
    if section.kind not in ROBOT_KINDS:
        known = "a sensor" if section.kind in SENSOR_KINDS else f"based on '{section.kind}', which is not defined"
        raise section.error(f"'{name}' is not a robot: it is {known}; a robot is based on 'pioneer' or 'position'")
    for unused in _DRAWING_ONLY:
        section.get(unused)
    lasers = build_lasers(section)
    sonar, front, rear, per_packet = build_sonar(section)
    conversion = _conversion(section)
    plain = _PLAIN.pioneer
    body = _body(section, _PLAIN.body.colour, tuple(rectangle(laser.size, laser.pose) for laser in lasers))
    footprint_front = max(x for polygon in body.footprint for x, _ in polygon)
    return RobotModel(
        name=name,
        body=body,
        drive=DriveModel(
            omnidirectional=section.text("drive", "diff") == "omni",
            rim_speed=section.length("rim_speed"),
            rim_lag=section.number("rim_lag"),
            track=section.length("track", conversion.track),
            max_speed=_limits(section, "max_speed", "velocity_bounds", _PLAIN.drive.max_speed),
            acceleration=_limits(section, "accel", "acceleration_bounds", _PLAIN.drive.acceleration),
            deceleration=_limits(section, "decel", "acceleration_bounds", _PLAIN.drive.deceleration),
            odometry_error=_odometry_error(section),
        ),
        devices=(sonar, *lasers, _battery(section), *build_outdoor(section), *build_accessories(section, footprint_front)),
        pioneer=Pioneer(
            robot_class=section.text("pioneer_robot_type", plain.robot_class),
            subclass=section.text("pioneer_robot_subtype") or name,
            conversion=conversion,
            front_sonar=front,
            rear_sonar=rear,
            max_sonar_readings_per_packet=per_packet,
            watchdog=section.number("pioneer_watchdog", plain.watchdog * 1000) / 1000,
            gps=_gps(section),
            gps_dop=section.number("pioneer_gps_dop", plain.gps_dop),
            front_bumpers=section.integer("pioneer_front_bumpers", 0, 0, 7),
            rear_bumpers=section.integer("pioneer_rear_bumpers", 0, 0, 7),
            has_gripper=section.flag("pioneer_gripper"),
            gyro_type=section.integer("pioneer_gyro", 0, 0, 255),
            has_move_command=section.flag("pioneer_move_command", True),
            has_encoders=section.flag("pioneer_encoders", True),
            ticks_per_mm=section.integer("pioneer_ticksmm", 0, 0, 0xFFFF),
            rev_count=section.integer("pioneer_revcount", 0, 0, 0xFFFF),
            charger=section.integer("pioneer_charger", 0, 0, 255),
            charges_by_contact=section.flag("pioneer_dock_contact"),
            infrared=build_infrared(section),
        ),
        protocol=section.text("protocol", _PLAIN.protocol),
        extra={found.name: " ".join(found.values) for found in section.unread()},
    )


def _build_box(section: Section, name: str) -> RobotModel:
    for unused in _DRAWING_ONLY:
        section.get(unused)
    return RobotModel(
        name=name,
        body=_body(section, BOX_COLOUR),
        drive=DriveModel(max_speed=AxisTriple()),
        is_box=True,
        extra={found.name: " ".join(found.values) for found in section.unread()},
    )


def _body(section: Section, colour: str, parts: tuple[Polygon, ...] = ()) -> BodyModel:
    """Read what others meet and see; `parts` are carried, and may stick out."""
    size, outline, origin = _outline(section)
    return BodyModel(
        outline=_with_parts(tuple(placed(polygon, origin) for polygon in outline), parts),
        footprint=_with_parts(outline, parts),
        size=size,
        colour=section.text("color", colour),
        obstacle=section.flag("obstacle_return", True),
        laser_return=reflectance(section),
        sonar_return=section.number("ranger_return", 1) > 0,
        pushable=section.flag("pushable"),
    )


def reflectance(section: Section) -> int:
    """Read the reflectance: 0 is invisible to lasers, 1 an ordinary wall, more a reflector."""
    if not section.has("laser_return"):
        return 0 if section.number("ranger_return", 1) < 0 else 1  # Stage 4 has one word for all range finders
    return max(0, min(255, int(section.number("laser_return"))))


def _outline(section: Section) -> tuple[tuple[float, float], tuple[Polygon, ...], Pose]:
    """Read the size, the outline centred on the rotation, and where `origin` puts the body's centre."""
    given = section.lengths("size")
    size = (given[0], given[1]) if len(given) > 1 else DEFAULT_SIZE
    if min(size) <= 0:
        raise section.error("size: expected two lengths greater than 0")
    outline = fit(written_polygons(section), size) or (rectangle(size),)
    return size, outline, Pose(*(section.place("origin") or (0.0, 0.0, 0.0)))


def _with_parts(outline: tuple[Polygon, ...], parts: tuple[Polygon, ...]) -> tuple[Polygon, ...]:
    # A laser within the body adds nothing to the outline but computing time.
    return outline + tuple(part for part in parts if sticks_out(part, outline))


def _triple(section: Section, name: str, default: AxisTriple) -> AxisTriple:
    """Read three numbers, of which forward and lateral are lengths; none may be negative."""
    found = section.get(name)
    if found is None:
        return default
    values = [found.number(index) for index in range(3)]
    if min(values) < 0:
        raise found.error(f"expected numbers that are not negative, found {min(values):g}")
    return AxisTriple(values[0] * found.units.length, values[1] * found.units.length, values[2])


def _limits(section: Section, name: str, bounds: str, default: AxisTriple) -> AxisTriple:
    """Read `max_speed [x y a]` in m/s and rad/s, or Stage 4's `velocity_bounds`: least and most for x, y, z and a."""
    found = section.get(bounds)
    if found is None or section.has(name):
        return _triple(section, name, default)
    length, angle = found.units.length, found.units.angle
    return AxisTriple(abs(found.number(1)) * length, abs(found.number(3)) * length, abs(found.number(7)) * angle)


def _odometry_error(section: Section) -> AxisTriple:
    """Read `odom_error [x y a]` as shares; `odom_error_x [least most]` and so on set single axes."""
    if section.text("localization", "odom") == "gps":
        return AxisTriple()  # Stage's word for odometry without error
    found = section.get("odom_error")
    default = _PLAIN.drive.odometry_error
    common = [abs(found.number(i)) for i in range(3)] if found else [default.forward, default.lateral, default.rotation]
    for index, axis in enumerate("xya"):
        bounds = section.numbers(f"odom_error_{axis}")
        if bounds:
            common[index] = max(abs(bound) for bound in bounds)
    return AxisTriple(*common)


def _conversion(section: Section) -> Conversion:
    default = Conversion()
    factors: dict[str, float] = {}
    for factor, name in _CONVERSIONS.items():
        found = section.get(name)
        factors[factor] = found.number() if found else getattr(default, factor)
        if found and factors[factor] <= 0:
            raise found.error(f"expected a number greater than 0, found '{found.values[0]}'")
    return Conversion(**factors)


def _battery(section: Section) -> BatteryModel:
    """Read the battery: type 2 tells its state of charge, all others their voltage."""
    kind = section.integer("pioneer_batterytype", section.integer("pioneer_battery_type", 0, 0, 2), 0, 2)
    volts = section.number("pioneer_battery_voltage", FULL_VOLTS)
    hours = section.number("battery_hours")
    full = BatteryModel(None, 1.0) if kind == STATE_OF_CHARGE else BatteryModel(volts)
    return replace(full, work_hours=hours)


def _gps(section: Section) -> Point:
    antenna = section.length("pioneer_gps_pos_x"), section.length("pioneer_gps_pos_y")
    for child in section.children:
        place = child.place("pose") if child.kind == "gps" else None
        if place:
            return place[0], place[1]
    return antenna
