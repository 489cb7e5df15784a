"""Grids of garden robots as ROS has them: nav_msgs/OccupancyGrid, row 0 at the low y."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from mobilesim_py.garden.ground_plan import Given, GroundPlan, Source
from mobilesim_py.garden.occupancy import Occupancy
from mobilesim_py.garden.raster import CELL, MOST_CELLS, Raster
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message

FREE, OCCUPIED, UNSEEN, OF_SKETCH = 0, 100, -1, 99
_SEEN = np.array([FREE, UNSEEN, OCCUPIED], np.int8)
_MERGED = np.array([UNSEEN, FREE, OCCUPIED, OCCUPIED], np.int8)
_SOURCES = np.array([UNSEEN, FREE, OCCUPIED, OF_SKETCH], np.int8)


def seen_grid(occupancy: Occupancy, header: Message, stamp: Time) -> Message:
    """Return what was seen."""
    return _message(_SEEN.take(np.sign(occupancy.evidence) + 1), occupancy.raster, header, stamp)


def merged_grid(plan: GroundPlan, header: Message, stamp: Time) -> Message:
    """Return the map that a vehicle drives by."""
    return _message(_MERGED.take(plan.cells), plan.raster, header, stamp)


def sources_grid(plan: GroundPlan, header: Message, stamp: Time) -> Message:
    """Return the same with the origin of each obstacle."""
    return _message(_SOURCES.take(plan.cells), plan.raster, header, stamp)


def _message(cells: npt.NDArray[np.int8], raster: Raster, header: Message, stamp: Time) -> Message:
    origin = {
        "position": {"x": raster.x0, "y": raster.y0, "z": 0.0},
        "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
    }
    info = {
        "map_load_time": stamp,
        "resolution": raster.cell,
        "width": raster.columns,
        "height": raster.rows,
        "origin": origin,
    }
    return {"header": header, "info": info, "data": cells.ravel()}


def given_of(message: Message) -> Given | str | None:
    """Return a map of somebody else as one to drive by; None for an empty one, a sentence where that cannot be.

    It is drawn into cells of our own: whatever of it a cell's middle is in.
    """
    info = message["info"]
    width, height, cell = info["width"], info["height"], info["resolution"]
    data = np.asarray(message["data"], np.int16)
    if not width or not height:
        return None
    if not (math.isfinite(cell) and 0.005 <= cell <= 10.0):
        return f"its resolution is {cell:g} m"
    if len(data) != width * height:
        return f"it has {len(data)} cells, and its size says {width} x {height}"
    position, turn = info["origin"]["position"], info["origin"]["orientation"]
    x0, y0 = position["x"], position["y"]
    if not (math.isfinite(x0) and math.isfinite(y0) and max(abs(x0), abs(y0)) < 1e5):
        return "its origin is no place"
    if abs(turn["z"]) > 1e-6:
        return "its origin is turned, which is not supported"
    if width * height > MOST_CELLS or width * cell * height * cell > MOST_CELLS * CELL * CELL:
        return "it is too large"
    raster = Raster.about(x0, y0, x0 + width * cell - 1e-9, y0 + height * cell - 1e-9)
    x, _ = raster.middles(np.zeros(raster.columns, np.int64), np.arange(raster.columns))
    _, y = raster.middles(np.arange(raster.rows), np.zeros(raster.rows, np.int64))
    columns, rows = np.floor((x - x0) / cell), np.floor((y - y0) / cell)
    cells = np.full(raster.shape, Source.UNSEEN, np.uint8)
    inside = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None, :]
    row = np.clip(rows, 0, height - 1).astype(np.int64)
    column = np.clip(columns, 0, width - 1).astype(np.int64)
    value = data.reshape(height, width)[row[:, None], column[None, :]]
    known = np.where(value < 0, Source.UNSEEN, np.where(value >= 50, Source.SKETCHED, Source.FREE)).astype(np.uint8)
    cells[inside] = known[inside]
    return Given(raster, cells)
