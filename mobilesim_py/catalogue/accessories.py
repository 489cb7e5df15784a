"""What may be added to a robot: bumpers, a gripper, a gyro, a compass, infrared sensors."""

from __future__ import annotations

from dataclasses import dataclass

from mobilesim_py.catalogue.model import DeviceModel
from mobilesim_py.catalogue.outdoor import ImuModel
from mobilesim_py.catalogue.pioneer import InfraredUnit
from mobilesim_py.catalogue.section import Section


@dataclass(frozen=True)
class BumperModel(DeviceModel):
    """Bumper segments, each set spread evenly over 135 degrees."""

    front: int = 5
    rear: int = 5


@dataclass(frozen=True)
class GripperModel(DeviceModel):
    """A gripper of two paddles that move towards each other, on a lift, before the robot's front."""

    base: float = 0.2
    """Where its palm is, ahead of the robot's centre [m]."""
    opening: float = 0.205
    """Between the open paddles [m]."""
    depth: float = 0.095
    """Length of the paddles [m]."""
    lift: float = 0.07
    """How far it is lifted [m]."""
    speed: float = 0.02
    """Of each paddle, and of the lift [m/s]."""
    beams: tuple[float, float] = (0.075, 0.02)
    """Where the outer and the inner beam cross the jaws, ahead of the palm [m]."""


@dataclass(frozen=True)
class CompassModel(DeviceModel):
    """A magnetic compass that corrects for its tilt."""

    noise: float = 0.0087
    """Standard deviation of the heading [rad]."""


def build_accessories(section: Section, front: float) -> tuple[DeviceModel, ...]:
    """Build what a robot's properties say that it has; `front` is that of its body [m]."""
    found: list[DeviceModel] = []
    bumpers = BumperModel(
        section.integer("pioneer_front_bumpers", 0, 0, 7), section.integer("pioneer_rear_bumpers", 0, 0, 7)
    )
    if bumpers.front + bumpers.rear > 0:
        found.append(bumpers)
    if section.flag("pioneer_gripper"):
        found.append(GripperModel(base=front))
    if section.integer("pioneer_gyro", 0, 0, 255) and not any(child.kind == "imu" for child in section.children):
        found.append(ImuModel())
    if section.flag("pioneer_compass"):
        found.append(CompassModel())
    return tuple(found)


def build_infrared(section: Section) -> tuple[InfraredUnit, ...]:
    """Read `pioneer_table_ir [x y x y ...]`, and `pioneer_beam_ir` likewise: the sensors in the order of their bits."""
    return tuple(
        InfraredUnit((values[k], values[k + 1]), feels_tables=name == "pioneer_table_ir")
        for name in ("pioneer_table_ir", "pioneer_beam_ir")
        for values in (section.lengths(name),)
        for k in range(0, len(values) - 1, 2)
    )
