"""Sentences of a GPS receiver (NMEA 0183): place, fix, precision, heading and compass."""

from __future__ import annotations

import math
from dataclasses import dataclass

KNOT = 1852.0 / 3600.0
"""[m/s]."""
NO_FIX, SIMULATED = 0, 8
"""Qualities of a fix in GGA."""
GEOID = -33.0
"""Height of the geoid above the ellipsoid [m]."""
_DATE = "181126"
_START = 13 * 3600 + 14 * 60 + 15
"""Time of day at simulated time 0 [s]."""


@dataclass(frozen=True)
class Fix:
    """What a receiver knows."""

    latitude: float
    """[degrees], north positive."""
    longitude: float
    """[degrees], east positive."""
    altitude: float
    """[m]."""
    speed: float
    """Over ground [m/s]."""
    heading: float
    """Clockwise from true north [degrees]."""
    time: float
    """Simulated [s]."""
    is_good: bool = True
    dop: float = 1.0
    declination: float = 0.0
    """Of the compass, east positive [degrees]."""


def sentence(text: str) -> str:
    """Return a sentence with its dollar, checksum and end of line."""
    total = 0
    for character in text:
        total ^= ord(character)
    return f"${text}*{total:02X}\r\n"


def sentences(fix: Fix) -> bytes:
    """Return all that a receiver says of a fix."""
    seconds = (_START + fix.time) % 86400.0
    clock = f"{int(seconds // 3600):02d}{int(seconds % 3600 // 60):02d}{math.floor(seconds % 60 * 100) / 100:05.2f}"
    place = f"{_angle(fix.latitude, 2)},{'NS'[fix.latitude < 0]},{_angle(fix.longitude, 3)},{'EW'[fix.longitude < 0]}"
    course, dop = fix.heading % 360.0, fix.dop
    magnetic = (course - fix.declination) % 360.0
    turn = f"{abs(fix.declination):.1f},{'EW'[fix.declination < 0]}"
    quality, satellites = (SIMULATED, 9) if fix.is_good else (NO_FIX, 0)
    lines = (
        f"GPRMC,{clock},{'A' if fix.is_good else 'V'},{place},{fix.speed / KNOT:.2f},{course:05.1f},{_DATE},,,A",
        f"GPGGA,{clock},{place},{quality},{satellites:02d},{dop:.1f},{fix.altitude:.1f},M,{GEOID:.1f},M,,",
        f"GPGSA,A,{3 if fix.is_good else 1},,,,,,,,,,,,,{1.6 * dop:.1f},{dop:.1f},{1.2 * dop:.1f}",
        f"GPHDT,{course:.1f},T",
        f"HCHDG,{magnetic:.1f},,,{turn}",
    )
    return "".join(map(sentence, lines)).encode("ascii")


def _angle(degrees: float, digits: int) -> str:
    """Return degrees and minutes in one number, as receivers do."""
    minutes = round(abs(degrees) * 60.0, 6)
    return f"{int(minutes // 60):0{digits}d}{minutes % 60:09.6f}"
