"""The TCM2 compass: its modes, its packets and its byte of the SIP."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mobilesim_py.protocols.arcos.device_packets import Compass, pack_compass
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.condition import Told
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.equipment import Equipment
from mobilesim_py.services.pioneer.streams import ALWAYS, ONCE, makes

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

OFF, IN_SIPS, ONE, CONTINUOUS, CALIBRATE, AUTO_CALIBRATE, END_CALIBRATION, RESET = range(8)
TOLD_SECONDS = 0.2
NEEDED_TURNS = 2.0
"""Whole turns that make a good calibration."""
GOOD_SCORE, BAD_SCORE = 9, 5
AHEAD, DOWN = 20.0, 44.0
"""The earth's field, level and downwards [uT]."""
TEMPERATURE = 25.0
_MAGNITUDE_SCORE = 20.0


@handles("TCM2")
def tcm2(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the compass's mode."""
    _set_mode(session, instruction.magnitude(IN_SIPS))


@handles("CALCOMP")
def calcomp(session: EmulatorSession, instruction: Instruction) -> None:
    """Begin a calibration, or end it."""
    _set_mode(session, CALIBRATE if instruction.magnitude(1) else END_CALIBRATION)


def _set_mode(session: EmulatorSession, mode: int) -> None:
    equipment = session.equipment
    if not equipment.has_compass or mode > RESET:
        return
    if mode in (CALIBRATE, AUTO_CALIBRATE):
        equipment.compass_turned = 0.0
    elif mode == END_CALIBRATION:
        good = equipment.compass_turned >= NEEDED_TURNS * math.tau
        equipment.compass_score = GOOD_SCORE if good else BAD_SCORE
    elif mode == RESET:
        equipment.compass_score = BAD_SCORE
    session.compass_due = session.host.simulation.time + TOLD_SECONDS
    wanted = {ONE: ONCE, END_CALIBRATION: ONCE, CONTINUOUS: ALWAYS}.get(mode, 0)
    # A single packet comes after 200 ms, so that the stream has to ask until then.
    session.streams.ask("TCM2", ALWAYS if wanted else 0)
    session.compass_once = wanted == ONCE
    equipment.compass_mode = IN_SIPS if mode in (ONE, END_CALIBRATION, RESET) else mode


@makes("TCM2")
def compass_packet(session: EmulatorSession) -> bytes:
    """Return the TCM2pac if it is due."""
    now = session.host.simulation.time
    if now < session.compass_due - 1e-9:
        return b""
    session.compass_due = now + TOLD_SECONDS
    if session.compass_once:
        session.streams.ask("TCM2", 0)
    equipment = session.equipment
    north = equipment.north
    score = equipment.compass_score
    return pack_compass(
        Compass(
            heading=round(math.degrees(north) * 10.0) % 3600,
            field_x=round(AHEAD * math.cos(north) * 100.0),
            field_y=round(-AHEAD * math.sin(north) * 100.0),
            field_z=round(DOWN * 100.0),
            temperature=round(TEMPERATURE * 10.0),
            horizontal_score=score,
            vertical_score=score,
            magnitude_score=round(_MAGNITUDE_SCORE * 100.0),
        )
    )


def sip_units(north: float) -> int:
    """Return a heading [rad] in units of two degrees; north is 180, because 0 says that there is no compass."""
    return round(math.degrees(north) / 2.0) % 180 or 180


def refresh_compass(equipment: Equipment) -> None:
    """Tell the heading in the SIP, and count turns while it is calibrated."""
    north = equipment.north
    equipment.condition.set_word(Told.COMPASS, sip_units(north) if equipment.compass_mode != OFF else 0)
    if equipment.compass_mode in (CALIBRATE, AUTO_CALIBRATE):
        _, _, rotation = equipment.robot.velocity
        equipment.compass_turned += abs(rotation) * TELL_SECONDS


TELL_SECONDS = 0.1
"""How often `refresh_compass` is called [s]."""
