"""What a field is made from, as one table of facts: names, limits and defaults. Metres."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mobilesim_py.world.disturbing import DISTURBING
from mobilesim_py.world.ground import Area, patch_of

MOST_PLANTS = 1_000_000
GROUNDS = ("sand", "dirt", "grass", "heightmap")
CULTURES = ("Leek", "Cabbage")
GRASS_LEVELS = (0, 1, 2, 3, 10, 20, 30)
ROCK_LEVELS = (0, 1, 2)
BOWED = 0.05
"""Curvature of rows that are only said to be curved [1/m]."""


@dataclass(frozen=True)
class Patch:
    """A rectangle of bad ground."""

    rectangle: tuple[float, float, float, float]
    """x and y of two opposite corners [m]."""
    values: Mapping[str, float]
    """What it does to robots: names of areas' values, such as `slip` and `mud`."""

    @property
    def area(self) -> Area:
        """The same as a part of a world."""
        return patch_of(self.rectangle, self.values)


MOST_PATCHES = 1000


@dataclass(frozen=True)
class FieldPlan:
    """The parameters of a field; the same ones always give the same plants."""

    name: str = "field"
    ground: str = "dirt"
    culture: str = "Leek"
    mounds: bool = False
    rows: int = 4
    length: float = 20.0
    """Of a row [m]."""
    width: float = 0.75
    """From one row to the next [m]."""
    spacing: float = 0.2
    """From one plant of a row to the next [m]."""
    staggered: bool = False
    """Every other row begins half a spacing later."""
    rocks: int = 0
    """0 none, 1 small ones in the aisles, 2 more and big ones near the rows."""
    grass: int = 0
    """0 none, 1 all over, 2 in the rows, 3 both; 10, 20, 30 twice as much."""
    holes: int = 0
    """Gaps in each row where plants are missing."""
    curvature: float = 0.0
    """Of the rows where they bend most [1/m]; they go out to the left, or to the right if negative, and come back."""
    deviation: float = 0.0
    """How far plants may stand beside their row, beyond the usual 2 cm [m]."""
    trampling: bool = True
    """Plants that are driven over lie flat; else they rise again."""
    seed: int = 0
    patches: tuple[Patch, ...] = ()
    """Parts of the ground that are worse than the rest."""

    @property
    def plants_per_row(self) -> int:
        """How many plants a row without holes has."""
        return math.floor(self.length / self.spacing + 1e-9) + 1


Check = Callable[[Any], Any]
"""Returns the value to use; ValueError with what is wanted."""


def _number(least: float, most: float, unit: str = "") -> Check:
    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise ValueError(f"it must be a number from {least:g} to {most:g}{unit}")
        return float(value)

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: Any) -> int:
        is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not is_whole or not least <= value <= most:
            raise ValueError(f"it must be a whole number from {least} to {most}")
        return int(value)

    return check


def _choice(*choices: str) -> Check:
    def check(value: Any) -> str:
        for choice in choices:
            if isinstance(value, str) and value.lower() == choice.lower():
                return choice
        raise ValueError(f"it must be one of {', '.join(choices)}")

    return check


def _yes_or_no(value: Any) -> bool:
    if value not in (0, 1) or not isinstance(value, (bool, int, float)):
        raise ValueError("it must be true or false")
    return bool(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable() or len(value) > 80:
        raise ValueError("it must be a text of at most 80 characters")
    return value


def _patches(value: Any) -> tuple[Patch, ...]:
    if not isinstance(value, list) or len(value) > MOST_PATCHES or not all(isinstance(one, dict) for one in value):
        raise ValueError('it must be a list such as [{"rectangle": [2, -1, 6, 1], "slip": 0.5}]')
    return tuple(_patch(one) for one in value)


def _patch(given: dict[str, Any]) -> Patch:
    corners = given.get("rectangle")
    if not isinstance(corners, list) or len(corners) != 4:
        raise ValueError("the rectangle of a patch is [x1, y1, x2, y2], in metres")
    x1, y1, x2, y2 = (_number(-1e6, 1e6, " m")(corner) for corner in corners)
    values = {name: size for name, size in given.items() if name != "rectangle"}
    if not values or not values.keys() <= DISTURBING:
        raise ValueError(f"a patch has a rectangle and sizes of {', '.join(sorted(DISTURBING))}")
    values = {name: _number(0.0, 1e6)(size) for name, size in values.items()}
    return Patch((x1, y1, x2, y2), values)


CHECKS: Mapping[str, Check] = {
    "name": _text,
    "ground": _choice(*GROUNDS),
    "culture": _choice(*CULTURES),
    "mounds": _yes_or_no,
    "rows": _whole(1, 2000),
    "length": _number(0.5, 2000.0, " m"),
    "width": _number(0.3, 10.0, " m"),
    "spacing": _number(0.05, 10.0, " m"),
    "staggered": _yes_or_no,
    "rocks": _whole(0, 100),
    "grass": _whole(0, 100),
    "holes": _whole(0, 100),
    "curvature": _number(-0.2, 0.2, " 1/m"),
    "deviation": _number(0.0, 1.0, " m"),
    "trampling": _yes_or_no,
    "seed": _whole(0, 2**53),
    "patches": _patches,
}
"""For each parameter what it must be."""


def check_size(plan: FieldPlan) -> None:
    """Raise ValueError when a field would have too many plants."""
    count = plan.rows * plan.plants_per_row
    if count > MOST_PLANTS:
        text = f"{plan.rows} rows of {plan.plants_per_row} plants are {count}; a field may have {MOST_PLANTS}"
        raise ValueError(f"{text}: take fewer or shorter rows, or a larger spacing")
