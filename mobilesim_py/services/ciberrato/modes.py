"""The scoring modes by their numbers."""

from __future__ import annotations

from collections.abc import Callable

from mobilesim_py.services.ciberrato.following import DiagonalControl, LineControl, LineKeeping, MazeControl
from mobilesim_py.services.ciberrato.loops import NoLoopError
from mobilesim_py.services.ciberrato.maps import line_mapping, line_planning, maze_mapping, maze_planning
from mobilesim_py.services.ciberrato.rules import Rules
from mobilesim_py.services.ciberrato.scoring import Competitive, Drawn, Explorer, Field, Scoring

MAPPING = "mapping.out"
PLANNING = "planning.out"

MODES: dict[int, Callable[[Field], Scoring]] = {
    0: lambda field: Competitive(field, 100 + 100 * len(field.lab.targets)),
    1: MazeControl,
    2: lambda field: Drawn(Competitive(field, 0, returns=False), MAPPING, maze_mapping, field.walls),
    3: lambda field: Drawn(Competitive(field, 0, returns=False), PLANNING, maze_planning, field.walls),
    4: LineControl,
    5: lambda field: Drawn(LineKeeping(field), MAPPING, line_mapping, field.walls),
    6: lambda field: Drawn(LineKeeping(field), PLANNING, line_planning, field.walls),
    7: DiagonalControl,
}
LOOP_MODES = {1: MazeControl.find_loop, 4: LineControl.find_loop, 7: DiagonalControl.find_loop}


def scoring_of(mode: int, rules: Rules, field: Field) -> Scoring:
    """Return the scoring of a mode under some rules; an unknown mode is the competition, which then starts with nothing."""
    if rules.explorer_score:
        return Explorer(field)
    make = MODES.get(mode)
    return Competitive(field, 0) if make is None else make(field)


def places_with_loop(mode: int, rules: Rules, field: Field, places: list[tuple[float, float]]) -> list[bool]:
    """Return for which start places a mode can be played; raise if it is none of them."""
    find = LOOP_MODES.get(mode)
    if find is None or rules.explorer_score:
        return [True] * len(places)
    problems: list[NoLoopError | None] = []
    for x, y in places:
        try:
            find(field.walls, x, y)
            problems.append(None)
        except NoLoopError as problem:
            problems.append(problem)
    first = problems[0] if problems else None
    if first is not None and all(problems):
        raise first
    return [problem is None for problem in problems]
