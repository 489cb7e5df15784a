"""How the command line says what disturbs robots: `--reality 0.5`, `--reality slip=0.2,gps_offset=1`, `--reality oz2:1`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mobilesim_py.core.reality import FULL, NAMES, Reality


@dataclass(frozen=True, slots=True)
class RealityWish:
    """What one `--reality` says."""

    robot: str
    """Whom it is about; empty for all."""
    share: float | None
    """How much of everything; None where only single switches are named."""
    sizes: Mapping[str, float]
    """Single switches."""


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
