"""Which function obeys which command. Every command that the table calls supported has one; a test sees to that."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.instruction import Instruction

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

Handler = Callable[["EmulatorSession", Instruction], None]
HANDLERS: dict[str, Handler] = {}
"""By the command's name: some numbers have two meanings."""


def handles(*commands: Command | str) -> Callable[[Handler], Handler]:
    """Register a function as the handler of commands."""

    def register(handler: Handler) -> Handler:
        for command in commands:
            HANDLERS[command if isinstance(command, str) else command.name] = handler
        return handler

    return register
