"""What every sketch is checked for, whatever it was read from."""

from __future__ import annotations

import math
from collections import Counter

from mobilesim_py.errors import MapError
from mobilesim_py.world.sketch import Sketch, is_drivable
from mobilesim_py.world.world import Problem

MOST_FACES = 20_000
MOST_OBJECTS = 20_000
LONGEST = 2000.0
"""Side of the largest garden [m]."""
SMALLEST = 3.0
"""A garden with shorter sides was probably drawn in another unit [m]."""


class Checker:
    """Finds what is wrong with a whole sketch."""

    def __init__(self, source: str, problems: list[Problem]) -> None:
        self._source = source
        self._problems = problems

    def check(self, sketch: Sketch, line: int = 0) -> None:
        """Note what is strange; MapError for what cannot be used at all."""
        places = sketch.places
        if not places:
            raise MapError("the garden is empty: it has neither terrain nor objects", self._source, line)
        xs, ys = [x for x, _ in places], [y for _, y in places]
        if not all(map(math.isfinite, (*xs, *ys))):
            raise MapError("a coordinate of the garden is not a number", self._source, line)
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        if max(width, height) > LONGEST:
            text = f"the garden is {width:.0f} x {height:.0f} m large, and {LONGEST:g} m is the most"
            raise MapError(text, self._source, line)
        if max(width, height) < SMALLEST:
            text = f"the garden is {width:g} x {height:g} m small; perhaps it was drawn in another unit than metres"
            self._problems.append(Problem(line, f"{text}: `mobilesim map convert IN OUT.garden --resolution METRES`"))
        if not any(is_drivable(face.label) for face in sketch.faces):
            self._problems.append(Problem(line, "there is no grass and no pavement to drive on"))
        twice = [str(number) for number, count in Counter(thing.id for thing in sketch.objects).items() if count > 1]
        if twice:
            text = f"several objects have the number {', '.join(twice[:5])}; commands mean the first of them"
            self._problems.append(Problem(line, text))
