"""Which of two commands a number means: some numbers have two, and only what else a client says tells them apart.

The lasers of old clients share 35 to 38 with the analog port, the gripper and the gyro; SRISim's 61, 62 and 66 are device
commands of robots. The row in the table of commands is the older meaning, its `otherwise` the device.
"""

from __future__ import annotations

from dataclasses import replace

from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.instruction import ArgumentType, Instruction

GRIPPER_TIME_FOLLOWS = (16, 17)
"""Arguments of GRIPPER behind which GRIPPERVAL comes: the pressure, and the time to carry."""
_STRINGS_MEAN_SRISIM = {Command.OLD_LOADPARAM.value: True, Command.OLD_SETORIGINX.value: False}
"""Whether SRISim's command is the one with a string: LOADPARAM rather than GETAUX3, but TTY3 rather than SETORIGINX."""


class Meanings:
    """What the numbers with two meanings mean in one session; `settle` takes every command in its order."""

    def __init__(self, *, has_laser: bool = True, laser_alone: bool = False) -> None:
        """`laser_alone`: 35 with 1 or 2 turns a laser on although no 36 to 38 came before."""
        self._has_laser = has_laser
        self._laser_alone = laser_alone
        self._set_laser_up = False
        """Whether any of 36, 37, 38 was a laser's in this session."""
        self._before: Instruction | None = None
        """The command before, other than PULSE, as it was understood."""

    def settle(self, instruction: Instruction, *, laser_is_on: bool = False) -> Instruction:
        """Return the command with the meaning that it has here."""
        if instruction.spec.otherwise is not None and not self._is_older(instruction, laser_is_on):
            instruction = replace(instruction, spec=instruction.spec.otherwise)
        elif instruction.name in ("OLD_LRF_PARMSTART", "OLD_LRF_PARMEND", "OLD_LRF_PARMINC"):
            self._set_laser_up = True
        if instruction.number != Command.PULSE:
            self._before = instruction
        return instruction

    def _is_older(self, instruction: Instruction, laser_is_on: bool) -> bool:
        """Tell whether a command has its first meaning."""
        value, before = instruction.integer(-1), self._before
        match instruction.name:
            case "OLD_LRF_ENABLE":
                spoken = self._set_laser_up or laser_is_on or self._laser_alone
                return self._has_laser and value in (-1, 0, 1, 2) and spoken
            case "OLD_LRF_PARMSTART":
                return not (before is not None and before.name == "GRIPPER" and before.value in GRIPPER_TIME_FOLLOWS)
            case "OLD_LRF_PARMEND":
                sets_up = before is not None and before.name == "OLD_LRF_PARMSTART"
                return value not in (0, 1, 2) or instruction.is_negative or sets_up
            case "OLD_LRF_PARMINC":
                return self._set_laser_up
            case "OLD_END_SIM":
                return instruction.value is None
        kind = _STRINGS_MEAN_SRISIM.get(instruction.number)
        return kind is None or kind is (instruction.data[:1] == bytes((ArgumentType.STRING,)))
