"""Digital and analog lines of a robot: what its switches say, what the world pulls low, and what its client switches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mobilesim_py.catalogue.pioneer import InfraredUnit
from mobilesim_py.core.robot import Robot
from mobilesim_py.geometry import Point, compose, contains, placed
from mobilesim_py.geometry import Pose as At
from mobilesim_py.protocols.arcos.device_packets import pack_io
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.condition import ALL_LINES, Flag, Told
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.equipment import ANALOG_PORTS, BATTERY_SCALE, FULL_SCALE, SERVOS, Equipment
from mobilesim_py.services.pioneer.streams import makes

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.services.pioneer.session import EmulatorSession

DIGITAL_IN, TABLE, LEDGE = "digitalin", "table", "ledge"
"""Names of the values of areas: the digital input that is low there, a table's top, a step down."""
TABLE_BOX = "table"
"""Boxes of this kind stop infrared sensors, too."""
NEAR = 0.04
"""How near an infrared sensor notices a table [m]."""
FAR_LEDGE, NEAR_LEDGE = 0.3, 0.1
"""How far ahead of the robot's front its ledge sensors look [m]."""
_MOST_10_BITS, _MOST_8_BITS = 1023, 255


def analog_units(volts: float, full: float, most: int) -> int:
    """Return what an analog input says of a voltage."""
    return max(0, min(most, round(volts / full * most)))


@handles("ADSEL")
def adsel(session: EmulatorSession, instruction: Instruction) -> None:
    """Choose the analog port of the SIP."""
    port = min(instruction.magnitude(), ANALOG_PORTS)
    session.equipment.chose_analog = True
    session.equipment.condition.set_word(Told.ANALOG_PORT, port)
    show_analog(session.equipment)


def show_analog(equipment: Equipment) -> None:
    """Tell the voltage of the port that was chosen."""
    port = equipment.condition.word(Told.ANALOG_PORT)
    volts = equipment.volts[port] if port < ANALOG_PORTS else 0.0
    equipment.condition.set_word(Told.ANALOG, analog_units(volts, FULL_SCALE, _MOST_8_BITS))


def show_inputs(equipment: Equipment) -> None:
    """Tell the digital inputs: what the switches say, but for the lines that a gripper or a charger uses."""
    equipment.condition.set_word(Told.DIGITAL_IN, equipment.digital_in & ALL_LINES)


@handles("KICK")
def kick(session: EmulatorSession, instruction: Instruction) -> None:
    """Set output 0 for some milliseconds."""
    equipment, now = session.equipment, session.host.simulation.time
    equipment.condition.digital_out |= 1
    equipment.kicks_until = now + instruction.magnitude() / 1000.0
    session.streams.ask("KICK", 2)


@makes("KICK")
def end_kick(session: EmulatorSession) -> bytes:
    """Clear output 0 again when the time is over."""
    equipment = session.equipment
    if session.host.simulation.time >= equipment.kicks_until - 1e-9:
        equipment.condition.digital_out &= ~1
        session.streams.ask("KICK", 0)
    return b""


@handles("PTUPOS")
def ptupos(session: EmulatorSession, instruction: Instruction) -> None:
    """Keep the width of a servo's pulses."""
    port, width = instruction.high_and_low_byte()
    if port < SERVOS:
        session.equipment.servos[port] = width


@makes("IOREQUEST")
def io(session: EmulatorSession) -> bytes:
    """Return the IOpac."""
    equipment = session.equipment
    condition, battery = equipment.condition, session.robot.battery
    front, rear = equipment.bumpers
    inputs = (condition.word(Told.DIGITAL_IN), ~front, ~rear, infrared(session.host.simulation, session.robot))
    analog = [analog_units(volts, FULL_SCALE, _MOST_10_BITS) for volts in equipment.volts]
    volts = battery.volts if battery is not None else None
    analog.append(analog_units(volts or 0.0, BATTERY_SCALE, _MOST_10_BITS))
    return pack_io(inputs, condition.digital_out, analog)


# What the place does to lines


def pulled_low(simulation: Simulation, robot: Robot) -> int:
    """Return the bits of the digital inputs that are low where the robot stands."""
    pose = robot.pose
    bits = 0
    for area in simulation.world.areas:
        if DIGITAL_IN in area.values and contains(area.geometry, pose.x, pose.y):
            bits |= 1 << (int(area.values[DIGITAL_IN]) & 7)
    return bits


def infrared(simulation: Simulation, robot: Robot) -> int:
    """Return what the infrared sensors say: bit i is sensor i, 0 where it notices something."""
    bits = ALL_LINES
    for number, unit in enumerate(robot.model.pioneer.infrared[:8]):
        if _notices(simulation, robot, unit):
            bits &= ~(1 << number)
    return bits


def _notices(simulation: Simulation, robot: Robot, unit: InfraredUnit) -> bool:
    place = compose(robot.pose, At(*unit.place))
    if simulation.world.value_at(TABLE, place.x, place.y) > 0.0:
        return True
    return any(
        _is_near((place.x, place.y), placed(box.box.outline, box.pose))
        for box in simulation.boxes
        if box.box.kind == TABLE_BOX and box.copy == robot.copy
    )


def _is_near(place: Point, outline: tuple[Point, ...]) -> bool:
    """Tell whether a place is inside an outline, or very near to it."""
    x, y = place
    if contains(outline, x, y):
        return True
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        ex, ey = bx - ax, by - ay
        share = max(0.0, min(1.0, ((x - ax) * ex + (y - ay) * ey) / max(1e-12, ex * ex + ey * ey)))
        if math.hypot(ax + share * ex - x, ay + share * ey - y) <= NEAR:
            return True
    return False


def refresh_place(equipment: Equipment) -> None:
    """Tell what the place where the robot stands does to its lines and its ledge sensors."""
    simulation, robot, condition = equipment.simulation, equipment.robot, equipment.condition
    show_inputs(equipment)
    condition.set_word(Told.DIGITAL_IN, condition.word(Told.DIGITAL_IN) & ~pulled_low(simulation, robot))
    front = max((x for polygon in robot.model.body.footprint for x, _ in polygon), default=0.0)
    for flag, way in ((Flag.FAR_LEDGE, FAR_LEDGE), (Flag.NEAR_LEDGE, NEAR_LEDGE)):
        place = compose(robot.pose, At(front + way, 0.0))
        condition.mark(flag, simulation.world.value_at(LEDGE, place.x, place.y) > 0.0)


def has_lines(simulation: Simulation) -> bool:
    """Tell whether the world does anything to lines or ledge sensors."""
    return any(DIGITAL_IN in area.values or LEDGE in area.values for area in simulation.world.areas)
