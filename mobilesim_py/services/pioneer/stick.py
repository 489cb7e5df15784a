"""The joystick at the robot's port: packets for its client, and driving by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobilesim_py.protocols.arcos.device_packets import CENTRE, Joystick, pack_joystick
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.condition import Flag
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.equipment import STICK_SECONDS, Equipment, Stick
from mobilesim_py.services.pioneer.streams import makes

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

MOST = 1023
FORWARD, ROTATION = 0, 2


def axis_units(share: float) -> int:
    """Return what an axis says of a share of its travel: 512 in the middle, 0 to 1023."""
    return max(0, min(MOST, round(CENTRE + share * CENTRE)))


@makes("JOYINFO")
def joystick_packet(session: EmulatorSession) -> bytes:
    """Return the JOYSTICKpac."""
    stick = session.equipment.stick
    first, second = stick.buttons
    # To the right is less.
    x, y = axis_units(-stick.x), axis_units(stick.y)
    return pack_joystick(Joystick(int(first), int(second), x, y, max(0, min(MOST, round(stick.throttle * MOST)))))


@handles("JOYDRIVE")
def joydrive(session: EmulatorSession, instruction: Instruction) -> None:
    """Let the joystick drive the robot while its button is held, or not."""
    session.equipment.stick_drives = instruction.integer(1) != 0


def move_stick(equipment: Equipment, stick: Stick, now: float) -> None:
    """Move the joystick; `now` is real time [s]. It is in its middle again when nobody has moved it for a while."""
    was_held = equipment.stick.buttons[0]
    equipment.stick, equipment.stick_until = stick, now + STICK_SECONDS
    equipment.condition.mark(Flag.JOYSTICK, stick.buttons[0])
    _drive(equipment, was_held)


def refresh_stick(equipment: Equipment) -> None:
    """Let go of a joystick that nobody moves any more."""
    now = equipment.real_time()
    if not equipment.stick.is_centred and now >= equipment.stick_until:
        move_stick(equipment, Stick(throttle=equipment.stick.throttle), now)
    elif equipment.stick_drives and equipment.stick.buttons[0]:
        _drive(equipment, was_held=True)


def _drive(equipment: Equipment, was_held: bool) -> None:
    stick, robot = equipment.stick, equipment.robot
    if not equipment.stick_drives:
        return
    if stick.buttons[0]:
        robot.drive(stick.y * stick.throttle * robot.speed_limit(FORWARD))
        robot.turn(-stick.x * stick.throttle * robot.speed_limit(ROTATION))
    elif was_held:
        robot.stop()
