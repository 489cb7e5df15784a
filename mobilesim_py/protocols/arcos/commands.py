"""The table of all ARCOS commands: decoding, dispatch, log names, --ignore-command and docs/commands.md read it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mobilesim_py.protocols.arcos import command_rows
from mobilesim_py.protocols.arcos.command_rows import ArgumentKind, Command

__all__ = ["DEFAULT_TABLE", "TABLE", "ArgumentKind", "Command", "CommandSpec", "Support", "command_table"]

COMMAND_COUNT = 256
UNNAMED_EFFECT = "Has no meaning here."


class Support(Enum):
    """What becomes of a command."""

    SUPPORTED = "supported"
    LASER_COMPAT = "supported (off with --no-srisim-laser-compat)"
    SRISIM = "only with --srisim-compat"
    UNSUPPORTED = "ignored"


@dataclass(frozen=True)
class CommandSpec:
    """One line of the table."""

    number: int
    name: str
    argument: ArgumentKind
    effect: str
    """What it does, as one sentence for the documentation."""
    status: Support = Support.SUPPORTED
    otherwise: CommandSpec | None = None
    """What the number means when the option that `status` names does not turn this meaning on."""

    @property
    def is_supported(self) -> bool:
        """Whether anything is done for it, given that its option is on."""
        return self.status is not Support.UNSUPPORTED


# Compatible meanings come last: they lie over what the number means without them.
_ROWS = {
    Support.UNSUPPORTED: command_rows.UNSUPPORTED,
    Support.SUPPORTED: command_rows.SUPPORTED,
    Support.LASER_COMPAT: command_rows.LASER_COMPAT,
    Support.SRISIM: command_rows.SRISIM,
}


def _build() -> dict[int, CommandSpec]:
    table = {
        n: CommandSpec(n, "UNNAMED", ArgumentKind.DATA, UNNAMED_EFFECT, Support.UNSUPPORTED) for n in range(COMMAND_COUNT)
    }
    for status, rows in _ROWS.items():
        for name, (argument, effect) in rows.items():
            number = int(Command[name])
            otherwise = table[number] if status in (Support.LASER_COMPAT, Support.SRISIM) else None
            table[number] = CommandSpec(number, name, argument, effect, status, otherwise)
    return table


TABLE: dict[int, CommandSpec] = _build()
"""Every number, with what it means when all compatibility options are on."""


def command_table(*, laser_compat: bool = True, srisim_compat: bool = False) -> dict[int, CommandSpec]:
    """Return what each number means under the compatibility options; the defaults are those of the program."""
    off = {Support.LASER_COMPAT: not laser_compat, Support.SRISIM: not srisim_compat}
    return {n: spec.otherwise if spec.otherwise and off[spec.status] else spec for n, spec in TABLE.items()}


DEFAULT_TABLE = command_table()
