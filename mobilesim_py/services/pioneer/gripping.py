"""The gripper: its commands, and its state in SIPs, digital lines and packets.

Clients look for it in different places: ARIA at the digital inputs and the second byte behind the sonar readings, p2os at
the first byte, Player at the second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobilesim_py.core.devices.gripper import GripperUnit
from mobilesim_py.protocols.arcos.device_packets import GripperState, pack_gripper
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.condition import Told
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.equipment import Equipment
from mobilesim_py.services.pioneer.streams import makes

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

USER_IO = 1
"""The type of a gripper whose switches are at the robot's digital inputs."""
TICK = 0.02
"""Unit of the times of GRIPPERVAL [s]."""
PRESSURE_FOLLOWS, CARRY_FOLLOWS = 16, 17
MOST_PRESSURE, MOST_CARRY = 100, 255


def _store(gripper: GripperUnit) -> None:
    gripper.close()
    gripper.lift(1)


def _deploy(gripper: GripperUnit) -> None:
    gripper.lift(-1)
    gripper.open()


_ACTIONS: dict[int, Callable[[GripperUnit], None]] = {
    1: GripperUnit.open,
    2: GripperUnit.close,
    3: GripperUnit.halt_paddles,
    4: lambda gripper: gripper.lift(1),
    5: lambda gripper: gripper.lift(-1),
    6: lambda gripper: gripper.lift(0),
    7: _store,
    8: _deploy,
    15: GripperUnit.halt,
}


@handles("GRIPPER")
def gripper(session: EmulatorSession, instruction: Instruction) -> None:
    """Move the gripper; 16 and 17 say what the GRIPPERVAL is that follows."""
    unit = session.equipment.gripper
    if unit is None:
        session.log.occasionally("no gripper", "Gripper command for a robot that has no gripper.", session.robot.name)
        return
    number = instruction.integer()
    session.gripper_value = number if number in (PRESSURE_FOLLOWS, CARRY_FOLLOWS) else 0
    act = _ACTIONS.get(number)
    if act is not None:
        act(unit)


@handles("GRIPPERVAL")
def gripperval(session: EmulatorSession, instruction: Instruction) -> None:
    """Set how long the paddles press, or move the lift for a time, whatever GRIPPER has announced."""
    unit, value = session.equipment.gripper, instruction.integer()
    announced, session.gripper_value = session.gripper_value, 0
    if unit is None:
        return
    if announced == PRESSURE_FOLLOWS:
        unit.pressure = max(1, min(MOST_PRESSURE, value)) * TICK
    elif announced == CARRY_FOLLOWS and value:
        unit.lift(1 if value > 0 else -1, min(MOST_CARRY, abs(value)) * TICK)


def lines_of(gripper: GripperUnit) -> int:
    """Return the digital inputs as a gripper sets them, bits 6 and 7 high."""
    outer, inner = gripper.beams
    low = (gripper.is_open, gripper.is_up or gripper.is_down, not outer, not inner, gripper.presses, gripper.presses)
    return 0xC0 | sum(1 << bit for bit, is_low in enumerate(low) if not is_low)


def state_of(gripper: GripperUnit) -> int:
    """Return the state as the manuals have it."""
    bits = (
        *(gripper.is_open, gripper.is_closed, gripper.paddles != 0, False),
        *(gripper.is_up, gripper.is_down, gripper.lifting != 0, False),
    )
    return sum(1 << bit for bit, is_set in enumerate(bits) if is_set)


def motors_of(gripper: GripperUnit) -> int:
    """Return the low four digital outputs: enable (0 is on) and direction of the paddles and of the lift."""
    return (
        int(gripper.paddles == 0)
        | int(gripper.paddles > 0) << 1
        | int(gripper.lifting == 0) << 2
        | int(gripper.lifting > 0) << 3
    )


@makes("GRIPPERPACREQUEST")
def gripper_packet(session: EmulatorSession) -> bytes:
    """Return the GRIPPERpac; of a robot without a gripper one that says so."""
    unit = session.equipment.gripper
    if unit is None:
        return pack_gripper(GripperState())
    switches = lines_of(unit) & 0x3F | int(unit.lifting != 0) << 6 | int(unit.paddles != 0) << 7
    return pack_gripper(GripperState(USER_IO, switches, round(unit.pressure / TICK)))


def refresh_gripper(equipment: Equipment) -> None:
    """Tell the gripper's state in the SIP, and at the lines."""
    unit, condition = equipment.gripper, equipment.condition
    assert unit is not None
    state = state_of(unit)
    condition.set_word(Told.GRIPPER, state)
    if not equipment.chose_analog:
        condition.set_word(Told.ANALOG_PORT, state)
    # Its switches are wired to inputs 0 to 5; the other two are as they are.
    condition.set_word(Told.DIGITAL_IN, lines_of(unit) & 0x3F | condition.word(Told.DIGITAL_IN) & 0xC0)
    condition.digital_out = condition.digital_out & 0xF0 | motors_of(unit)
