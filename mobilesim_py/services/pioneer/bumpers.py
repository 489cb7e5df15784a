"""Bumpers: bits of the stall word, and BUMPSTALL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobilesim_py.core.devices.bumper import BUMPER
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.condition import Told
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.equipment import Equipment

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

FRONT, REAR = 1, 2
"""Bits of BUMPSTALL."""
BOTH_STALLED = 0x0101
_FRONT_SHIFT, _REAR_SHIFT = 9, 1


@handles("BUMPSTALL")
def bumpstall(session: EmulatorSession, instruction: Instruction) -> None:
    """Choose which bumpers stop the robot."""
    session.equipment.bump_stall = instruction.magnitude() & (FRONT | REAR)


def stall_bits(front: int, rear: int) -> int:
    """Return the bits of the stall word for pressed segments."""
    return (front & 0x7F) << _FRONT_SHIFT | (rear & 0x7F) << _REAR_SHIFT


def refresh_bumpers(equipment: Equipment) -> None:
    """Tell which segments are pressed, and stop a robot that drives against those that shall stop it."""
    robot = equipment.robot
    front, rear = robot.units(BUMPER)[0].pressed
    word = stall_bits(front, rear)
    if word and equipment.bump_stall:
        way = robot.coming_step[0]
        for direction, pressed, side in ((1, front, FRONT), (-1, rear, REAR)):
            if pressed and way * direction > 0.0 and equipment.bump_stall & side:
                robot.emergency_stop()
                equipment.bump_held = direction
        if way * equipment.bump_held >= 0.0 and equipment.bump_held:
            word |= BOTH_STALLED
        else:
            equipment.bump_held = 0
    else:
        equipment.bump_held = 0
    equipment.condition.set_word(Told.BUMPS, word)
