"""Commands for sonar, lasers, battery, thermometer and outputs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mobilesim_py import messages
from mobilesim_py.core.devices.laser import LaserUnit
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

FULL_CHARGE = 100
OFF = "off"
ON = "on"
_THIRDS = {33: 1.0 / 3.0, 67: 2.0 / 3.0}
"""Increments in hundredths of a degree that clients have rounded."""


class LaserSettings:
    """What a client has set of one laser: its field of view [degrees] and the kind of packets."""

    def __init__(self, unit: LaserUnit, index: int = 0) -> None:
        self.unit = unit
        self.index = index
        """Which of the robot's lasers, from 0."""
        self.extended = False
        self.start = math.degrees(unit.start)
        self.end = math.degrees(unit.start + unit.increment * max(0, unit.count - 1))
        self.increment = abs(math.degrees(unit.increment))

    def apply(self) -> None:
        """Set the laser up with these values."""
        self.unit.configure(math.radians(self.start), math.radians(self.end), math.radians(self.increment))


@handles("SONAR")
def sonar(session: EmulatorSession, instruction: Instruction) -> None:
    """Turn the sonar on or off."""
    on = instruction.integer(1) != 0
    session.log.detail(messages.SONAR.format(state=ON if on else OFF), session.robot.name)
    session.robot.sonar_on = on


def _laser(session: EmulatorSession, instruction: Instruction) -> LaserSettings | None:
    """Return the laser that a command is for: that of its index byte, or the first where there is no such laser."""
    index = instruction.laser_index()
    if not session.lasers:
        session.log.occasionally("no laser", "Laser command for a robot that has no laser.", session.robot.name)
        return None
    return session.lasers[index if index < len(session.lasers) else 0]


@handles("SIM_LRF_ENABLE", "OLD_LRF_ENABLE")
def laser_enable(session: EmulatorSession, instruction: Instruction) -> None:
    """Turn a laser off (0), on (1), or on with reflectance (2)."""
    laser = _laser(session, instruction)
    if laser is None:
        return
    mode = instruction.integer()
    laser.extended = mode == 2
    _switch(session, laser, mode != 0)


def _switch(session: EmulatorSession, laser: LaserSettings, on: bool) -> None:
    laser.unit.on = on
    session.log.info(messages.LASER.format(index=laser.index, state=ON if on else OFF), session.robot.name)


def _set_up(session: EmulatorSession, laser: LaserSettings, instruction: Instruction) -> None:
    """Apply a new field of view; the old commands also turn the laser off, as the manual says."""
    laser.apply()
    if instruction.name in ("OLD_LRF_PARMSTART", "OLD_LRF_PARMEND") and laser.unit.on:
        _switch(session, laser, False)


@handles("SIM_LRF_SET_FOV_START", "OLD_LRF_PARMSTART")
def laser_start(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the angle of the first reading."""
    laser = _laser(session, instruction)
    if laser is not None:
        laser.start = _angle(instruction)
        _set_up(session, laser, instruction)


@handles("SIM_LRF_SET_FOV_END", "OLD_LRF_PARMEND")
def laser_end(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the angle of the last reading."""
    laser = _laser(session, instruction)
    if laser is not None:
        laser.end = _angle(instruction)
        _set_up(session, laser, instruction)


@handles("SIM_LRF_SET_RES", "OLD_LRF_PARMINC")
def laser_increment(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the angle between readings [1/100 degree]."""
    laser = _laser(session, instruction)
    if laser is not None:
        hundredths = instruction.magnitude()
        laser.increment = _THIRDS.get(hundredths, hundredths / 100.0)
        laser.apply()


def _angle(instruction: Instruction) -> float:
    """Return degrees from straight ahead, at most 180 to either side."""
    return max(-180.0, min(180.0, float(instruction.integer())))


@handles("BATTEST")
def battest(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the battery's voltage [1/10 V] or state of charge [%]; 0 means the model's."""
    battery, value, name = session.robot.battery, instruction.magnitude(), session.robot.name
    if battery is None:
        session.unsupported(instruction)
        return
    if battery.charge is not None:
        percent = min(FULL_CHARGE, value) if value else FULL_CHARGE
        battery.charge = percent / 100.0
        session.log.info(messages.BATTERY_CHARGE.format(percent=percent), name)
        return
    battery.reset()
    if value:
        battery.volts = value / 10.0
    text = messages.BATTERY_VOLTAGE if value else messages.BATTERY_RESET
    session.log.info(text.format(volts=battery.volts), name)


@handles("DIGTEMPTEST")
def digtemptest(session: EmulatorSession, instruction: Instruction) -> None:
    """Set or clear the temperature warning."""
    session.condition.overheated = instruction.integer() != 0
    state = ON if session.condition.overheated else OFF
    session.log.info(messages.TEMPERATURE_FLAG.format(state=state), session.robot.name)


@handles("SPOOFANALOGTEMP")
def spoofanalogtemp(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the temperature [degrees C]; -128 means that there is none."""
    value = instruction.integer(-128)
    if not -128 < value <= 127:
        session.condition.temperature = None
        session.log.info(messages.TEMPERATURE_RESET, session.robot.name)
        return
    session.condition.temperature = float(value)
    session.log.info(messages.TEMPERATURE_SET.format(value=value), session.robot.name)


@handles("DIGOUT")
def digout(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the masked output bits."""
    mask, state = instruction.high_and_low_byte()
    session.condition.digital_out = (session.condition.digital_out & ~mask) | (state & mask)
