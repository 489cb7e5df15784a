"""Whether a lab and a grid make a field as the rules of Explorer 2022 want it."""

from __future__ import annotations

import math

from mobilesim_py.formats.lab import Grid, Lab
from mobilesim_py.services.ciberrato.paths import DiscPaths

MAX_CELLS_WIDE = 14
MAX_CELLS_HIGH = 7
CELL = 2.0
ANGLE_SLACK = 1e-9


def field_warnings(lab: Lab, grid: Grid, paths: DiscPaths) -> list[str]:
    """Return a sentence for everything that the rules do not allow, and what to do about it."""
    warnings = []
    wide, high = lab.width / CELL, lab.height / CELL
    if wide > MAX_CELLS_WIDE or high > MAX_CELLS_HIGH:
        warnings.append(
            f"the lab has {wide:g} x {high:g} cells and explorer-2022 allows {MAX_CELLS_WIDE} x {MAX_CELLS_HIGH}; "
            "make it smaller or play with --rules ciberrato"
        )
    if not lab.targets:
        warnings.append("the lab has no target and explorer-2022 wants one; add <Target X= Y= Radius=/>")
    for number, place in enumerate(grid.places, start=1):
        heading = math.remainder(place.heading, math.tau)
        if min(abs(heading), math.pi - abs(heading)) > ANGLE_SLACK:
            warnings.append(
                f"start place {number} has heading {math.degrees(place.heading):g} and explorer-2022 wants 0 or 180; "
                'write Dir="0" or Dir="180"'
            )
        for target_number, target in enumerate(lab.targets):
            if not math.isfinite(paths.distance((place.x, place.y), target.x, target.y)):
                warnings.append(
                    f"target {target_number} cannot be reached from start place {number}; "
                    "open a way that is wider than a robot"
                )
    return warnings
