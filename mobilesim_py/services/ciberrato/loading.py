"""From the files and flags of a command line to what a game is played with: the parameter file first, flags over it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from mobilesim_py.formats.lab import Grid, Lab, Parameters, default_grid, default_lab, read_lab, read_parameters
from mobilesim_py.formats.lab.elements import Warn, ignore, read_file
from mobilesim_py.formats.lab.grid_file import grid_of
from mobilesim_py.services.ciberrato.game import Setup
from mobilesim_py.services.ciberrato.robot import RADIUS
from mobilesim_py.services.ciberrato.rules import CIBERRATO, Rules
from mobilesim_py.services.ciberrato.walls import Walls


@dataclass(frozen=True, slots=True)
class Choices:
    """What a command line can say: files, sensors that are switched on, rules and scoring mode."""

    param: str | None = None
    lab: str | None = None
    grid: str | None = None
    gps: bool = False
    beacon: bool = False
    compass: bool = False
    scoring: int = 0
    rules: Rules = CIBERRATO


def load_setup(choices: Choices, warn: Warn = ignore) -> Setup:
    """Read all files that are named and return what a game is played with; raise `LabFileError` for one that is wrong."""
    parameters = Parameters() if choices.param is None else read_parameters(choices.param, warn)
    named_by_file = parameters
    parameters = parameters.with_flags(gps=choices.gps, beacon=choices.beacon, compass=choices.compass)
    parameters = replace(
        parameters, lab_file=choices.lab or parameters.lab_file, grid_file=choices.grid or parameters.grid_file
    )
    lab_path = choices.lab or _beside(named_by_file.lab_file, choices.param)
    grid_path = choices.grid or _beside(named_by_file.grid_file, choices.param)
    if lab_path is not None and is_map(lab_path):
        from mobilesim_py.formats.lab.world import lab_from_map  # the world's geometry is slow to import

        lab, grid = lab_from_map(lab_path, warn)
        grid = grid if grid_path is None else _grid(grid_path, lab, warn)
    else:
        lab = _lab(lab_path, choices.rules, warn)
        grid = _grid(grid_path, lab, warn)
    return Setup(lab, grid, parameters, choices.rules, choices.scoring)


def is_map(path: str | Path) -> bool:
    """Tell whether a file that was given as a lab is a map of another kind."""
    return Path(path).suffix.lower() in (".map", ".world")


def _lab(path: str | Path | None, rules: Rules, warn: Warn) -> Lab:
    return default_lab(rules.wall_width) if path is None else read_lab(path, rules.wall_width, warn)


def _grid(path: str | Path | None, lab: Lab, warn: Warn) -> Grid:
    if path is None:
        grid, where = default_grid(), ["the default grid"] * len(default_grid().places)
    else:
        root = read_file(path, "Grid")
        grid = grid_of(root, warn)
        where = [f"{child.source}:{child.line}" for child in root.children if child.tag == "Position"]
    walls = Walls(lab)
    for place, line in zip(grid.places, where, strict=True):
        inside = 0.0 <= place.x <= lab.width and 0.0 <= place.y <= lab.height
        if not inside or walls.touches(place.x, place.y, RADIUS):
            problem = "touches a wall" if inside else f"lies outside the lab of {lab.width:g} x {lab.height:g}"
            warn(f"{line}: the start place at ({place.x:g}, {place.y:g}) {problem}; a robot there cannot move, so move it")
    return grid


def _beside(name: str | None, param: str | None) -> str | Path | None:
    """Return where a file is that a parameter file names: from here, or from beside that file where it is not here."""
    if name is None or param is None or Path(name).exists():
        return name
    beside = Path(param).parent / name
    return beside if beside.exists() else name
