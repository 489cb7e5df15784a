"""What SRISim had, and an arm that no robot has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobilesim_py.protocols.arcos.device_packets import pack_no_arm
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession


@handles("ARM_INFO")
def arm_info(session: EmulatorSession, instruction: Instruction) -> None:
    """Say that there is no arm."""
    session.send(pack_no_arm())


@handles("OLD_LOADWORLD")
def old_loadworld(session: EmulatorSession, instruction: Instruction) -> None:
    """Load a map (SRISim)."""
    session.host.maps.load(instruction.text(), asked_by=session)


@handles("OLD_STEP")
def old_step(session: EmulatorSession, instruction: Instruction) -> None:
    """Take a step, if the simulation is paused (SRISim)."""
    session.host.single_step()


@handles("OLD_LOADPARAM")
def old_loadparam(session: EmulatorSession, instruction: Instruction) -> None:
    """Make the robot one of another model (SRISim)."""
    session.host.remodel(session, instruction.text())
