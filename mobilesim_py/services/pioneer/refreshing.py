"""What has to be looked at on a robot before each of its SIPs: nothing, unless it has devices that need it."""

from __future__ import annotations

from collections.abc import Callable

from mobilesim_py.core.devices.bumper import BUMPER
from mobilesim_py.services.pioneer.bumpers import refresh_bumpers
from mobilesim_py.services.pioneer.charging import refresh_charging
from mobilesim_py.services.pioneer.compass import refresh_compass
from mobilesim_py.services.pioneer.equipment import Equipment
from mobilesim_py.services.pioneer.gripping import refresh_gripper
from mobilesim_py.services.pioneer.lines import has_lines, refresh_place, show_analog, show_inputs
from mobilesim_py.services.pioneer.stick import refresh_stick


def refreshers_of(equipment: Equipment) -> list[Callable[[Equipment], None]]:
    """Return what has to be done before a SIP, in its order: lines are set first, and then taken by devices."""
    simulation, robot = equipment.simulation, equipment.robot
    power = simulation.power
    charges = robot.battery is not None and (power.drain_hours > 0.0 or bool(power.docks))
    has_gripper, on_lines = equipment.gripper is not None, has_lines(simulation)
    table: tuple[tuple[bool, Callable[[Equipment], None]], ...] = (
        ((has_gripper or charges) and not on_lines, show_inputs),
        (on_lines, refresh_place),
        (bool(robot.units(BUMPER)), refresh_bumpers),
        (has_gripper, refresh_gripper),
        (equipment.has_compass, refresh_compass),
        (charges, refresh_charging),
        (equipment.stick_drives or not equipment.stick.is_centred, refresh_stick),
    )
    return [refresh for is_needed, refresh in table if is_needed]


def show(equipment: Equipment) -> None:
    """Tell what was changed by hand with the next SIP."""
    show_inputs(equipment)
    show_analog(equipment)
    for refresh in refreshers_of(equipment):
        refresh(equipment)
