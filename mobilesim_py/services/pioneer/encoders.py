"""Encoders: what the wheels have counted, and the factors with which odometry reckons."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from mobilesim_py.protocols.arcos.device_packets import Encoders, pack_encoders
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.streams import makes

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.services.pioneer.session import EmulatorSession

TICKS_PER_MM, REV_COUNT = 128, 16500
"""Of models that do not say."""
DRIFT_UNIT = 1.0 / 8192.0


def ticks_of(robot: Robot) -> tuple[int, int]:
    """Return the ticks of the left and the right wheel since the robot is there."""
    per_metre = 1000.0 * (robot.model.pioneer.ticks_per_mm or TICKS_PER_MM)
    left, right = robot.wheel_ways
    return math.trunc(left * per_metre), math.trunc(right * per_metre)


@makes("ENCODER")
def encoders(session: EmulatorSession) -> bytes:
    """Return the ENCODERpac."""
    return pack_encoders(Encoders(*ticks_of(session.robot))) if session.robot.model.pioneer.has_encoders else b""


@handles("TICKSMM")
def ticksmm(session: EmulatorSession, instruction: Instruction) -> None:
    """Reckon with other ticks of a millimetre; 0 are the model's."""
    session.settings["TICKSMM"] = value = instruction.magnitude()
    usual = session.robot.model.pioneer.ticks_per_mm or TICKS_PER_MM
    _reckon(session, distance=usual / value if value else 1.0)


@handles("REVCOUNT")
def revcount(session: EmulatorSession, instruction: Instruction) -> None:
    """Reckon with other ticks of half a turn; 0 are the model's."""
    session.settings["REVCOUNT"] = value = instruction.magnitude()
    usual = session.robot.model.pioneer.rev_count or REV_COUNT
    _reckon(session, rotation=usual / value if value else 1.0)


@handles("DRIFTFACTOR")
def driftfactor(session: EmulatorSession, instruction: Instruction) -> None:
    """Let the left wheel count more than it does, so that odometry turns to the right."""
    session.settings["DRIFTFACTOR"] = value = instruction.integer()
    track = session.robot.model.drive.track or 1.0
    _reckon(session, drift=-value * DRIFT_UNIT / track)


def _reckon(session: EmulatorSession, **factors: float) -> None:
    calibration, robot = session.host.simulation.calibration, session.robot
    calibration.set(robot, replace(calibration.of(robot), **factors))
