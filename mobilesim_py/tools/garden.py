"""`mobilesim garden register SKETCH GRID`: find where a sketch lies in a map that was seen."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np

from mobilesim_py.app.map_files import find_map, loading
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.formats.format import GARDENS, load_world
from mobilesim_py.formats.garden.world import read_sketch, save_sketch
from mobilesim_py.formats.pictures.images import raster_of_ros
from mobilesim_py.garden.occupancy import true_cells
from mobilesim_py.garden.raster import Raster
from mobilesim_py.garden.registration import blobs_of, centres_of, register
from mobilesim_py.geometry import FloatArray
from mobilesim_py.tools.words import Given, run


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("garden", argv, {"register": _register})


def _register(given: Given) -> int:
    path = find_map(given.sketch)
    with loading(path):
        sketch, _ = read_sketch(path)
    blobs = _blobs(find_map(given.grid))
    found = register(centres_of(sketch), blobs)
    move = found.move
    if given.out is not None:
        if given.out.suffix.lower() not in GARDENS:
            raise UsageError(f"{given.out}: a garden ends with {' or '.join(GARDENS)}")
        save_sketch(sketch.moved(move), given.out)
    facts = {
        "turn_degrees": round(math.degrees(move.heading), 4),
        "x_m": round(move.x, 4),
        "y_m": round(move.y, 4),
        "residual_m": round(found.residual, 4),
        "pairs": found.pairs,
        "objects": found.objects,
        "blobs": found.blobs,
    }
    if given.json:
        print(json.dumps(facts, indent=2))
        return ExitCode.OK
    print(f"turn {facts['turn_degrees']:g} degrees, shift {facts['x_m']:g} {facts['y_m']:g} m")
    print(
        f"residual {facts['residual_m']:g} m; {found.pairs} of {found.objects} objects found among {found.blobs} in the grid"
    )
    if given.out is not None:
        print(f"{given.out}: the sketch, moved")
    return ExitCode.OK


def _blobs(path: Path) -> FloatArray:
    """Return the blobs of a ROS map, or of any other map as it would be seen."""
    with loading(path):
        if path.suffix.lower() in (".yaml", ".yml"):
            return _blobs_of_ros(path)
        world = load_world(path)
        bounds = world.bounds
        raster = Raster.about(bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y)
        return blobs_of(true_cells(world, raster), raster)


def _blobs_of_ros(path: Path) -> FloatArray:
    drawn = raster_of_ros(path)
    cells = np.asarray(drawn.occupied, np.bool_)
    blobs = blobs_of(cells, Raster(0, 0, cells.shape[1], cells.shape[0], drawn.resolution))
    return np.asarray(blobs + np.array([drawn.x, drawn.y]), np.float64)
