"""How the command line says what disturbs robots: `--reality 0.5`, `--reality slip=0.2,gps_offset=1`, `--reality oz2:1`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mobilesim_py.core.reality import FULL, NAMES, Reality
from mobilesim_py.world.disturbing import DISTURBING


@dataclass(frozen=True, slots=True)
class RealityWish:
    """What one `--reality` says."""

    robot: str
    """Whom it is about; empty for all."""
    share: float | None
    """How much of everything; None where only single switches are named."""
    sizes: Mapping[str, float]
    """Single switches."""


@dataclass(frozen=True, slots=True)
class PatchWish:
    """What one `--patch` says: a rectangle of ground [m] and what it does to robots."""

    rectangle: tuple[float, float, float, float]
    values: Mapping[str, float]


def reality_wish(text: str) -> RealityWish:
    """Read `[ROBOT:]SHARE` or `[ROBOT:]NAME=SIZE,NAME=SIZE,...`, a share being allowed among the switches."""
    robot, _, rest = text.rpartition(":")
    share: float | None = None
    sizes: dict[str, float] = {}
    for part in rest.split(","):
        name, equals, size = part.partition("=")
        number = _number(size if equals else name)
        if number is None or (equals and name not in NAMES) or (not equals and number > 1.0):
            raise ValueError(f"a share from 0 to 1, or NAME=SIZE with a name of {', '.join(NAMES)}")
        if equals:
            sizes[name] = number
        else:
            share = number
    return RealityWish(robot, share, sizes)


def patch(text: str) -> PatchWish:
    """Read `X1,Y1,X2,Y2:NAME=SIZE,NAME=SIZE,...`: a rectangle of ground [m] and what it does to robots."""
    corners, _, rest = text.partition(":")
    places = [_finite(word) for word in corners.split(",")]
    values: dict[str, float] = {}
    for part in rest.split(","):
        name, _, size = part.partition("=")
        number = _number(size)
        if number is None or name not in DISTURBING:
            raise ValueError(f"X1,Y1,X2,Y2:NAME=SIZE,... with a name of {', '.join(sorted(DISTURBING))}")
        values[name] = number
    if len(places) != 4 or None in places:
        raise ValueError("X1,Y1,X2,Y2:NAME=SIZE,... with two opposite corners in metres")
    x1, y1, x2, y2 = (place for place in places if place is not None)
    return PatchWish((x1, y1, x2, y2), values)


def _finite(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < 1e7 else None


def reality_for(robot: str, wishes: Iterable[RealityWish]) -> Reality:
    """Return what disturbs the robot of a name, later wishes on top of earlier ones."""
    reality = Reality()
    for wish in wishes:
        if wish.robot in ("", robot):
            if wish.share is not None:
                reality = FULL.scaled(wish.share)
            reality = replace(reality, **wish.sizes)
    return reality


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0.0 else None
