"""From an ArMap to a world: lines, points and reflectors become walls, sectors boxes and areas."""

from __future__ import annotations

import os
from pathlib import Path

from mobilesim_py.formats.armap.armap import ArMap
from mobilesim_py.formats.armap.boxes import boxes_of, reflectors_of
from mobilesim_py.formats.armap.objects import areas_of, homes_of, objects_of
from mobilesim_py.formats.armap.points import fit, outlines
from mobilesim_py.formats.armap.reader import read_map
from mobilesim_py.formats.format import Settings
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.geodesy import Georeference
from mobilesim_py.world.objects import MapObject
from mobilesim_py.world.obstacles import Made, Segments
from mobilesim_py.world.world import RESOLUTION, Bounds, Problem, World


class ArMapFormat:
    """Maps of ARIA, MobileSim and Mapper3."""

    endings = (".map",)

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read a map file and build its world; MapError when it cannot be read."""
        return build_world(read_map(path), settings.point_size)


FORMAT = ArMapFormat()


def build_world(armap: ArMap, point_size: float = RESOLUTION) -> World:
    """Build the world of a map; its points are squares with sides of this size [m]."""
    boxes, objects = boxes_of(armap), objects_of(armap)
    walls = armap.lines
    points, side = fit(armap.points, point_size)
    problems = armap.problems
    if side != point_size:
        text = f"{len(armap.points)} points have too many edges for squares of {point_size * 1000:g} mm each, so they are "
        problems = (*problems, Problem(0, text + f"squares of {side * 1000:g} mm on one raster"))
    # A line of zero length would be an obstacle that nothing can hit, and cause a division by zero.
    walls = walls[(walls[:, 0] != walls[:, 2]) | (walls[:, 1] != walls[:, 3])]
    return World(
        name=Path(armap.path).name or "map",
        bounds=_bounds(armap, boxes, objects),
        walls=Segments.join(
            Segments.build(walls / 1000.0),
            Segments.build(outlines(points, side), made=Made.POINT),
            reflectors_of(armap),
        ),
        boxes=boxes,
        georeference=Georeference(*armap.origin) if armap.origin else None,
        objects=objects,
        areas=areas_of(armap),
        homes=homes_of(armap),
        points=points / 1000.0,
        resolution=side,
        problems=problems,
        path=armap.path,
    )


def _bounds(armap: ArMap, boxes: tuple[Box, ...], objects: tuple[MapObject, ...]) -> Bounds:
    """Return the bounding box of walls and points, or of everything else in a map without them."""
    data = armap.data_bounds
    if data:
        return Bounds(*(value / 1000.0 for value in data))
    corners = [corner for box in boxes for corner in box.corners]
    corners += [corner for thing in objects for corner in thing.corners or ((thing.pose.x, thing.pose.y),)]
    return Bounds.about(corners)
