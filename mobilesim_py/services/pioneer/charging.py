"""Batteries and docks: packets of the battery, and how it is charged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobilesim_py.core.power import EMPTY_VOLTS, Stage
from mobilesim_py.protocols.arcos.device_packets import pack_battery
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.condition import Fault, Flag, Told
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.equipment import Equipment
from mobilesim_py.services.pioneer.streams import makes

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

POWER_LINE, OVERCHARGE_LINE = 0x40, 0x80
"""Digital inputs that are low while there is power, and while the second stage of charging is on."""
INHIBIT, DEPLOY = 0x10, 0x20
"""Digital outputs of the charger."""


@makes("BATTERYINFO")
def battery_packet(session: EmulatorSession) -> bytes:
    """Return the BATTERYpac: of robots that know their state of charge one battery, of the others none."""
    battery = session.robot.battery
    charge = battery.charge if battery is not None else None
    percent = round(100.0 * charge) if charge is not None else 0
    return pack_battery([(0, 0, 0, percent, percent)] if charge is not None else [])


@handles("CHARGE")
def charge(session: EmulatorSession, instruction: Instruction) -> None:
    """Put the contacts out, or take them in."""
    robot, condition = session.robot, session.equipment.condition
    robot.wants_charge = instruction.integer(1) != 0
    bits = condition.digital_out & ~(INHIBIT | DEPLOY)
    condition.digital_out = bits | (DEPLOY if robot.wants_charge else INHIBIT)


def refresh_charging(equipment: Equipment) -> None:
    """Tell how the battery is charged."""
    battery, condition = equipment.robot.battery, equipment.condition
    assert battery is not None
    stage = battery.charging
    condition.set_word(Told.CHARGING, stage)
    condition.mark(Flag.CHARGER_POWER, stage is not Stage.NONE)
    volts = battery.volts
    condition.mark(Fault.UNDERVOLTAGE, volts is not None and volts <= EMPTY_VOLTS)
    low = (POWER_LINE if stage is not Stage.NONE else 0) | (OVERCHARGE_LINE if stage is Stage.OVERCHARGE else 0)
    condition.set_word(Told.DIGITAL_IN, condition.word(Told.DIGITAL_IN) & ~low)
