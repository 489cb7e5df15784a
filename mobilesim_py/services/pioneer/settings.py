"""What a client sets with no other effect than that CONFIG tells it: gains, speeds of lines, times; and switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

FIELDS = {
    "ROTKP": "rotation_kp",
    "ROTKV": "rotation_kv",
    "ROTKI": "rotation_ki",
    "TRANSKP": "translation_kp",
    "TRANSKV": "translation_kv",
    "TRANSKI": "translation_ki",
    "REVCOUNT": "rev_count",
    "DRIFTFACTOR": "drift_factor",
    "TICKSMM": "ticks_per_mm",
    "SONARCYCLE": "sonar_cycle",
    "HOSTBAUD": "host_baud",
    "AUX1BAUD": "aux1_baud",
    "AUX2BAUD": "aux2_baud",
    "AUX3BAUD": "aux3_baud",
    "GYROCALCW": "gyro_cw",
    "GYROCALCCW": "gyro_ccw",
}
"""Which field of CONFIG tells of each command."""
_BYTES = ("SONARCYCLE", "HOSTBAUD", "AUX1BAUD", "AUX2BAUD", "AUX3BAUD")
_SIGNED = ("DRIFTFACTOR",)


def config_fields(settings: dict[str, int]) -> dict[str, int]:
    """Return the fields of CONFIG that tell of what was set."""
    return {FIELDS[name]: _fitted(name, value) for name, value in settings.items()}


def _fitted(name: str, value: int) -> int:
    if name in _SIGNED:
        return max(-0x8000, min(0x7FFF, value))
    return max(0, min(0xFF if name in _BYTES else 0xFFFF, value))


@handles(*(name for name in FIELDS if name not in ("REVCOUNT", "DRIFTFACTOR", "TICKSMM")))
def keep(session: EmulatorSession, instruction: Instruction) -> None:
    """Keep a number for CONFIG."""
    session.settings[instruction.name] = instruction.magnitude()


@handles("ESTALL")
def estall(session: EmulatorSession, instruction: Instruction) -> None:
    """Do nothing: nobody presses the emergency button."""


@handles(
    *("POWER_PC", "POWER_LRF", "POWER_5V", "POWER_12V", "POWER_AUX_PC", "POWER_TOUCHSCREEN", "POWER_PTZ"),
    *("POWER_AUDIO", "POWER_LRF2"),
)
def power(session: EmulatorSession, instruction: Instruction) -> None:
    """Log that something is switched."""
    state = "on" if instruction.integer(1) else "off"
    session.log.detail(f"{instruction.spec.effect.partition(':')[0]} {state}.", session.robot.name)


@handles("POWER_PORTS", "SETPBIOPORT")
def power_port(session: EmulatorSession, instruction: Instruction) -> None:
    """Log that a port is switched."""
    port, state = instruction.high_and_low_byte()
    session.log.detail(f"Power of port {port} {'on' if state else 'off'}.", session.robot.name)
