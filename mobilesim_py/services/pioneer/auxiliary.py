"""Commands for the serial ports AUX1 to AUX3 of the robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobilesim_py import messages
from mobilesim_py.protocols.arcos.device_packets import pack_aux
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.streams import ALWAYS, makes

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

PORT_OF = {"TTY2": 1, "TTY3": 2, "TTY4": 3, "GETAUX": 1, "GETAUX2": 2, "GETAUX3": 3}


@handles("TTY2", "TTY3", "TTY4")
def tty(session: EmulatorSession, instruction: Instruction) -> None:
    """Send bytes to what hangs on a port, and to the log with --verbose."""
    data = instruction.string()
    text = messages.AUX_TTY.format(number=instruction.name[-1], text=instruction.text(), count=len(data))
    session.log.detail(text, session.robot.name)
    session.equipment.ports.write(PORT_OF[instruction.name], data, session.host.simulation.time)
    session.send(_due(session))


@handles("GETAUX", "GETAUX2", "GETAUX3")
def getaux(session: EmulatorSession, instruction: Instruction) -> None:
    """Send so many bytes as soon as they are there; 0 forgets what is there."""
    ports = session.equipment.ports
    ports.ask(PORT_OF[instruction.name], instruction.magnitude())
    session.send(_due(session))
    # What answers at once has done so: only others are asked again.
    session.streams.ask("AUX", ALWAYS if ports.waits and ports.speaks else 0)


@makes("AUX")
def aux(session: EmulatorSession) -> bytes:
    """Return what came in for a client that waits."""
    session.equipment.ports.listen(session.host.simulation.time)
    return _due(session)


def _due(session: EmulatorSession) -> bytes:
    return b"".join(pack_aux(number, data) for number, data in session.equipment.ports.due())
