"""The facts of a model in metres, degrees and seconds, for tables, JSON and the documentation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from mobilesim_py.catalogue.model import LaserModel, RobotModel
from mobilesim_py.geometry import AxisTriple


def model_facts(model: RobotModel) -> dict[str, Any]:
    """List all facts of a model under names that say their units, ready for JSON."""
    return {
        "name": model.name,
        "kind": "box" if model.is_box else "robot",
        "class": model.pioneer.robot_class,
        "subclass": model.pioneer.subclass or model.name,
        "length_m": _round(model.body.size[0]),
        "width_m": _round(model.body.size[1]),
        "colour": model.body.colour,
        "drive": "none" if model.is_box else "omnidirectional" if model.drive.omnidirectional else "differential",
        "max_speed": _axes(model.drive.max_speed),
        "acceleration": _axes(model.drive.acceleration, "s2"),
        "deceleration": _axes(model.drive.deceleration, "s2"),
        "odometry_error": {
            "forward": model.drive.odometry_error.forward,
            "lateral": model.drive.odometry_error.lateral,
            "rotation": model.drive.odometry_error.rotation,
        },
        "conversion": {
            "DistConvFactor": model.pioneer.conversion.distance,
            "VelConvFactor": model.pioneer.conversion.velocity,
            "RangeConvFactor": model.pioneer.conversion.range,
            "AngleConvFactor": model.pioneer.conversion.angle,
            "DiffConvFactor": model.pioneer.conversion.difference,
            "Vel2Divisor": model.pioneer.conversion.vel2_divisor,
        },
        "sonar": len(model.sonar.transducers),
        "sonar_places": [
            {"x_m": _round(pose.x), "y_m": _round(pose.y), "heading_deg": _degrees(pose.heading)}
            for pose in model.sonar.transducers
        ],
        "sonar_absent": list(model.sonar.absent),
        "sonar_range_m": [model.sonar.range_min, model.sonar.range_max],
        "front_sonar": model.pioneer.front_sonar,
        "rear_sonar": model.pioneer.rear_sonar,
        "lasers": [_laser_facts(laser) for laser in model.lasers],
        "front_bumpers": model.pioneer.front_bumpers,
        "rear_bumpers": model.pioneer.rear_bumpers,
        "battery": _battery(model),
        "gps_m": [_round(model.pioneer.gps[0]), _round(model.pioneer.gps[1])],
        "watchdog_s": model.pioneer.watchdog,
        "obstacle": model.body.obstacle,
        "laser_return": model.body.laser_return,
        "sonar_return": model.body.sonar_return,
        "outline_m": [[[_round(x), _round(y)] for x, y in polygon] for polygon in model.body.outline],
    }


def _battery(model: RobotModel) -> str:
    if model.battery is None:
        return "none"
    return "voltage" if model.battery.charge is None else "state of charge"


def _laser_facts(laser: LaserModel) -> dict[str, Any]:
    return {
        "name": laser.name,
        "x_m": _round(laser.pose.x),
        "y_m": _round(laser.pose.y),
        "heading_deg": _degrees(laser.pose.heading),
        "field_of_view_deg": _degrees(laser.field_of_view),
        "readings": laser.samples,
        "range_m": [laser.range_min, laser.range_max],
        "noise_m": laser.range_noise,
        "upside_down": laser.reverse,
    }


def _axes(triple: AxisTriple, per: str = "s") -> dict[str, float]:
    return {
        f"forward_m_{per}": _round(triple.forward),
        f"lateral_m_{per}": _round(triple.lateral),
        f"rotation_deg_{per}": _degrees(triple.rotation),
    }


def _round(value: float) -> float:
    return round(value, 6)


def _degrees(angle: float) -> float:
    return round(math.degrees(angle), 4)


HEADINGS = ("model", "class", "subclass", "size [m]", "speed [m/s, deg/s]", "sonar", "lasers", "bumpers")


def table_row(model: RobotModel) -> tuple[str, ...]:
    """Return the row of a model under the HEADINGS."""
    if model.is_box:
        return (model.name, "", "", _size(model), "", "", "", "")
    speed = f"{model.drive.max_speed.forward:g}"
    if model.drive.omnidirectional:
        speed += f" and {model.drive.max_speed.lateral:g} sideways"
    front, rear = model.pioneer.front_bumpers, model.pioneer.rear_bumpers
    bumpers = f"{front} + {rear}" if front + rear else ""
    return (
        model.name,
        model.pioneer.robot_class,
        model.pioneer.subclass,
        _size(model),
        f"{speed}, {math.degrees(model.drive.max_speed.rotation):.0f}",
        str(len(model.sonar.transducers) or ""),
        ", ".join(laser_phrase(laser) for laser in model.lasers),
        bumpers,
    )


def _size(model: RobotModel) -> str:
    return f"{model.body.size[0]:g} x {model.body.size[1]:g}"


def laser_phrase(laser: LaserModel) -> str:
    """Name a laser with its place when that is not the centre."""
    place = f" at {laser.pose.x:+g}" if laser.pose.x else ""
    return f"{laser.name}{place}"


def table(models: Iterable[RobotModel]) -> list[tuple[str, ...]]:
    """Return the rows of all models."""
    return [table_row(model) for model in models]
