"""The colours that tell robots apart, the same on the page, in pictures and in the terminal."""

from __future__ import annotations

from mobilesim_py.core.robot import Robot, Thing

PALETTE = (*("#d0342c", "#1f6fd6", "#2e8b3d", "#c46a00", "#8a3ffc", "#00838f", "#c2187a", "#7a5c00", "#4353d8", "#5b7f00"),)
"""Dark enough to be read on white, bright enough on black."""


NAMED = {"red": PALETTE[0], "blue": PALETTE[1], "green": PALETTE[2], "orange": PALETTE[3], "violet": PALETTE[4]}


def colour_of(thing: Thing) -> str:
    """`#rrggbb` of a robot; it keeps it for as long as it lives. Who asks for a `blue_p3dx` gets a blue one."""
    if isinstance(thing, Robot):
        colour = thing.model.body.colour
        if colour in NAMED and thing.model.name.startswith(f"{colour}_"):
            return NAMED[colour]
    return PALETTE[(thing.serial - 1) % len(PALETTE)]


def as_rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of `#rrggbb`."""
    number = int(colour.removeprefix("#"), 16)
    return number >> 16 & 255, number >> 8 & 255, number & 255
