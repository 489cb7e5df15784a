"""What robots that work outdoors carry: an inertial unit, a GPS receiver, tickers on their wheels, a tool."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from mobilesim_py.catalogue.model import DeviceModel, StereoCameraModel
from mobilesim_py.catalogue.section import Section
from mobilesim_py.geometry import Pose


@dataclass(frozen=True)
class ImuModel(DeviceModel):
    """A gyroscope, an accelerometer and a magnetometer in one case."""

    rate_noise: float = 0.005
    """Standard deviation of every turning rate [rad/s]."""
    rate_drift: float = 0.0005
    """Standard deviation of what the turning rates are off by for minutes [rad/s]."""
    force_noise: float = 0.005
    """Standard deviation of every force [m/s2]."""
    force_drift: float = 0.0005
    """Standard deviation of what the forces are off by for minutes [m/s2]."""


@dataclass(frozen=True)
class GpsModel(DeviceModel):
    """A GPS receiver."""

    noise: float = 0.0
    """Standard deviation of each coordinate [m]."""


@dataclass(frozen=True)
class TickerModel(DeviceModel):
    """What ticks at even pieces of the way that the rim of a wheel makes, on four wheels in two pairs."""

    way: float = 0.06465
    """From one tick to the next [m]."""


@dataclass(frozen=True)
class ToolModel(DeviceModel):
    """A tool that is lowered into the ground and raised again."""

    stroke: float = 0.1
    """Way from the top to the bottom [m]."""
    speed: float = 0.05
    """[m/s]."""


def build_outdoor(robot: Section) -> tuple[DeviceModel, ...]:
    """Build all of these among a robot's children, in the order of the file."""
    return tuple(_BUILDERS[child.kind](child) for child in robot.children if child.kind in _BUILDERS)


def _imu(section: Section) -> DeviceModel:
    plain = ImuModel()
    return ImuModel(
        abs(section.number("rate_noise", plain.rate_noise)),
        abs(section.number("rate_drift", plain.rate_drift)),
        abs(section.number("force_noise", plain.force_noise)),
        abs(section.number("force_drift", plain.force_drift)),
    )


def _gps(section: Section) -> DeviceModel:
    return GpsModel(abs(section.length("noise")))


def _ticker(section: Section) -> DeviceModel:
    way = section.length("way", TickerModel().way)
    if way <= 0.0:
        raise section.error("way: expected a length greater than 0")
    return TickerModel(way)


def _tool(section: Section) -> DeviceModel:
    plain = ToolModel()
    stroke, speed = section.length("stroke", plain.stroke), section.length("speed", plain.speed)
    if min(stroke, speed) <= 0.0:
        raise section.error("stroke and speed of a tool: expected numbers greater than 0")
    return ToolModel(stroke, speed)


def _camera(section: Section) -> DeviceModel:
    plain = StereoCameraModel()
    place = section.place("pose")
    baseline, elevation = section.length("baseline", plain.baseline), section.length("elevation", plain.elevation)
    opening = section.angle("fov", plain.field_of_view)
    if min(baseline, elevation) <= 0.0 or not 0.0 < opening < math.pi:
        raise section.error("baseline and elevation of cameras: expected numbers greater than 0; fov: less than 180 degrees")
    pose = Pose(*place) if place else plain.pose
    return replace(
        plain,
        pose=pose,
        baseline=baseline,
        elevation=elevation,
        field_of_view=opening,
        pitch=section.angle("pitch", plain.pitch),
    )


_BUILDERS = {"imu": _imu, "gps_receiver": _gps, "ticker": _ticker, "tool": _tool, "stereo_camera": _camera}
