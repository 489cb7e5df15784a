"""Sounds: tones of the buzzer and stored sounds, for the log and for whoever looks on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobilesim_py.protocols.arcos.device_packets import Sound, pack_sound
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.streams import ALWAYS, makes

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

MOST_TONES = 20
TONE_SECONDS = 0.02
REST, HIGHEST_NOTE = 0, 127
STORED = ("hello", "ready", "bump", "low battery", "goodbye")
"""Names of the stored sounds, from number 1 on."""
_NAMES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
_NAME_BYTES, _LENGTH = 16, 1000
_HERTZ_PER_TONE = 32.0


def tones_of(data: bytes) -> list[tuple[float, int]]:
    """Return the durations [s] and tones of SAY, whose data are a type byte, a length and pairs of bytes."""
    pairs = data[2 : 2 + (data[1] if len(data) > 1 else 0)][: 2 * MOST_TONES]
    return [(pairs[k] * TONE_SECONDS, pairs[k + 1]) for k in range(0, len(pairs) - 1, 2)]


def hertz(tone: int) -> float:
    """Return the frequency of a tone; 0 of a rest."""
    if tone == REST:
        return 0.0
    return (tone - HIGHEST_NOTE) * _HERTZ_PER_TONE if tone > HIGHEST_NOTE else 440.0 * 2.0 ** ((tone - 69) / 12.0)


def tone_name(tone: int) -> str:
    """Return how people call a tone."""
    if tone == REST:
        return "rest"
    return f"{hertz(tone):.0f} Hz" if tone > HIGHEST_NOTE else f"{_NAMES[tone % 12]}{tone // 12 - 1}"


@handles("SAY")
def say(session: EmulatorSession, instruction: Instruction) -> None:
    """Beep."""
    tones = tones_of(instruction.data)
    if tones and not session.equipment.muted:
        named = ", ".join(f"{tone_name(tone)} {seconds:.1f} s" for seconds, tone in tones)
        session.log.occasionally("beeps", f"beeps {named}", session.robot.name, every=0.5)
        session.equipment.play([(seconds, hertz(tone)) for seconds, tone in tones])


@handles("SOUND")
def sound(session: EmulatorSession, instruction: Instruction) -> None:
    """Play a stored sound."""
    number = instruction.magnitude()
    if session.equipment.muted or number == 0:
        return
    name = f" ({STORED[number - 1]})" if number <= len(STORED) else ""
    session.log.occasionally("sound", f"plays sound {number}{name}", session.robot.name, every=0.5)
    session.equipment.play([(0.3, 440.0), (0.3, 660.0)])


@handles("SOUNDTOG")
def soundtog(session: EmulatorSession, instruction: Instruction) -> None:
    """Mute the sounds, or let them be heard."""
    session.equipment.muted = instruction.integer(1) == 0


@handles("PLAYLIST")
def playlist(session: EmulatorSession, instruction: Instruction) -> None:
    """Ask for the packet that names a stored sound; for all of them, one after another."""
    number = instruction.magnitude()
    session.sounds_to_name = list(range(1, len(STORED) + 1)) if number == 0 else [number] if number <= len(STORED) else []
    session.names_all_sounds = number == 0
    session.streams.ask("PLAYLIST", ALWAYS if session.sounds_to_name else 0)


@makes("PLAYLIST")
def playlist_packet(session: EmulatorSession) -> bytes:
    """Return the packet of the next sound that was asked for."""
    number, *session.sounds_to_name = session.sounds_to_name
    told = len(STORED) if session.names_all_sounds else number
    session.names_all_sounds = False
    if not session.sounds_to_name:
        session.streams.ask("PLAYLIST", 0)
    return pack_sound(Sound(told, 1, STORED[number - 1].encode()[:_NAME_BYTES], 0, _LENGTH))
