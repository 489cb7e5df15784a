"""Which commands need which permission."""

from __future__ import annotations

from collections.abc import Set

from mobilesim_py.protocols.arcos.instruction import ControlOperation, Instruction
from mobilesim_py.services.permissions import Permission

COMMANDS: dict[str, Permission] = {
    "SIM_EXIT": Permission.EXIT,
    "OLD_END_SIM": Permission.EXIT,
    "RESET": Permission.ABORT,
    "MAINTENANCE": Permission.ABORT,
    "SIM_SET_POSE": Permission.POSE,
    "SIM_RESET": Permission.POSE,
    "OLD_SETORIGINX": Permission.POSE,
    "OLD_SETORIGINY": Permission.POSE,
    "OLD_SETORIGINTH": Permission.POSE,
    "OLD_RESET_TO_ORIGIN": Permission.POSE,
    "SIM_MESSAGE": Permission.LOG,
    "MESSAGE": Permission.LOG,
    "TTY2": Permission.LOG,
    "TTY4": Permission.LOG,
}
CONTROLS: dict[int, Permission] = {
    ControlOperation.CLEAR_MASTER_MAP: Permission.MAPS,
    ControlOperation.ROTATE_LOGS: Permission.LOG,
    ControlOperation.LOG_STATE: Permission.LOG,
    ControlOperation.GHOST: Permission.POSE,
}
"""The same for the operations of SIM_CTRL; loads of maps are refused by `Worlds`, which answers."""


def missing_permission(instruction: Instruction, denied: Set[Permission]) -> Permission | None:
    """Return the permission that a command needs and does not have."""
    if not denied:
        return None
    needed = COMMANDS.get(instruction.name)
    if instruction.name == "SIM_CTRL":
        needed = CONTROLS.get(instruction.control().operation)
    return needed if needed in denied else None
