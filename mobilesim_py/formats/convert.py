"""From one format to another: everything becomes a map, a map becomes everything; the file names' endings decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from mobilesim_py.errors import MapError, UsageError
from mobilesim_py.formats import drawings
from mobilesim_py.formats.armap.armap import ArMap, Info, Scan
from mobilesim_py.formats.armap.objects import HOME_KINDS
from mobilesim_py.formats.armap.reader import read_map
from mobilesim_py.formats.armap.writer import save_map
from mobilesim_py.formats.field.world import map_of_world, read_world
from mobilesim_py.formats.format import GARDENS, IMAGES, Settings
from mobilesim_py.formats.garden.world import map_of_garden, read_sketch, save_sketch, world_of
from mobilesim_py.formats.pictures import images
from mobilesim_py.formats.pictures.raster import Raster, is_traced, rasterize
from mobilesim_py.formats.pictures.trace import map_of_raster
from mobilesim_py.formats.wld import read_wld

_Reader = Callable[[Path, Settings], ArMap]
_Writer = Callable[[ArMap, Path, Settings], None]


def convert(source: Path, target: Path, wishes: Settings, onto: ArMap | None = None) -> ArMap:
    """Convert a file, or add what is in it to the map `onto`; return the map in between."""
    if target.suffix.lower() in GARDENS:
        return _convert_garden(source, target, wishes)
    reader, writer = READERS.get(source.suffix.lower()), WRITERS.get(target.suffix.lower())
    for path, found, table in ((source, reader, READERS), (target, writer, WRITERS)):
        if found is None:
            known = ", ".join(sorted(table))
            raise UsageError(f"{path}: `{path.suffix}` is no format that can be converted; known are {known}")
    if wishes.scale is not None and not 0.0 < wishes.scale < 1e6:
        raise UsageError(f"--resolution {wishes.scale:g}: it must be more than 0 [m]")
    assert reader is not None
    assert writer is not None
    if not source.is_file():
        raise MapError("no such file", str(source))
    armap = reader(source, wishes)
    if onto is not None:
        armap = added(onto, armap)
    writer(armap, target, wishes)
    return armap


def _convert_garden(source: Path, target: Path, wishes: Settings) -> ArMap:
    """Convert from one form of a garden to the other one, with everything that is in it; return it as a map."""
    if source.suffix.lower() not in GARDENS:
        known = ", ".join(f"`{ending}`" for ending in GARDENS)
        raise UsageError(f"{target}: what is no garden cannot become one; gardens are {known}")
    sketch, problems = read_sketch(source, wishes.scale)
    save_sketch(sketch, target)
    return map_of_world(world_of(sketch, str(source), problems))


def added(base: ArMap, more: ArMap) -> ArMap:
    """Return a map with the lines and points of another one, too; its home only where it has none itself."""
    first = base.scans[0]
    scan = replace(
        first,
        lines=np.concatenate([first.lines, more.lines]),
        points=np.concatenate([first.points, more.points]),
        lines_are_sorted=False,
        points_are_sorted=False,
    )
    homes = () if base.cairns_of(*HOME_KINDS) else more.cairns_of(*HOME_KINDS)
    return replace(base, scans=(scan, *base.scans[1:]), cairns=(*base.cairns, *homes))


def _from_map(path: Path, wishes: Settings) -> ArMap:
    return read_map(path)


def _from_image(path: Path, wishes: Settings) -> ArMap:
    if wishes.scale is None:
        raise UsageError(f"{path}: say how large a pixel is, such as --resolution 0.05 [m]")
    raster = images.raster_of_image(path, wishes.scale, wishes.threshold)
    return _traced([replace(raster, x=wishes.origin[0], y=wishes.origin[1])], path, wishes)


def _from_ros(path: Path, wishes: Settings) -> ArMap:
    return _traced([images.raster_of_ros(path)], path, wishes)


def _from_stage(path: Path, wishes: Settings) -> ArMap:
    return _traced(images.raster_of_stage(path, wishes.threshold), path, wishes)


def _traced(rasters: list[Raster], path: Path, wishes: Settings) -> ArMap:
    maps = [map_of_raster(raster, wishes.keep_specks, wishes.progress) for raster in rasters]
    scan = Scan(
        resolution=maps[0].resolution,
        lines=np.concatenate([armap.lines for armap in maps]),
        points=np.concatenate([armap.points for armap in maps]),
    )
    if not len(scan.lines) and not len(scan.points):
        raise MapError("there is no wall in it; is it dark on bright? See --threshold", str(path))
    # The cells' size, for the way back: the header's Resolution is whole millimetres only.
    size = f"Cell={rasters[0].resolution:.9g}"
    info = maps[0].infos[0]
    return replace(maps[0], scans=(scan,), infos=(Info(info.keyword, f"{info.text} {size}", (*info.arguments, size)),))


def _from_svg(path: Path, wishes: Settings) -> ArMap:
    return drawings.map_of_paths(drawings.paths_of_svg(path), (wishes.scale or 0.001) * 1000.0)


def _from_dxf(path: Path, wishes: Settings) -> ArMap:
    paths, unit = drawings.paths_of_dxf(path)
    return drawings.map_of_paths(paths, wishes.scale * 1000.0 if wishes.scale else unit)


def _raster(armap: ArMap, wishes: Settings) -> Raster:
    return rasterize(armap, wishes.scale or _cell(armap) or images.DEFAULT_RESOLUTION)


def _cell(armap: ArMap) -> float | None:
    """Return the size of the cells that a traced map was made from."""
    if not is_traced(armap):
        return None
    sizes = [info.attributes.get("cell") for info in armap.infos if info.keyword == "CustomInfo:"]
    try:
        return next((float(size) for size in sizes if size and 1e-4 < float(size) < 100.0), None)
    except ValueError:
        return None


def _to_image(armap: ArMap, path: Path, wishes: Settings) -> None:
    images.save_image(_raster(armap, wishes), path)


def _to_ros(armap: ArMap, path: Path, wishes: Settings) -> None:
    images.save_ros(_raster(armap, wishes), path)


def _to_stage(armap: ArMap, path: Path, wishes: Settings) -> None:
    images.save_stage(_raster(armap, wishes), path)


READERS: dict[str, _Reader] = {
    ".map": _from_map,
    ".yaml": _from_ros,
    ".yml": _from_ros,
    ".world": _from_stage,
    ".wld": lambda path, wishes: read_wld(path),
    **dict.fromkeys((".field", ".obs"), lambda path, wishes: map_of_world(read_world(path))),
    **dict.fromkeys(GARDENS, lambda path, wishes: map_of_garden(path)),
    ".svg": _from_svg,
    ".dxf": _from_dxf,
    **dict.fromkeys(IMAGES, _from_image),
}
WRITERS: dict[str, _Writer] = {
    ".map": lambda armap, path, _: save_map(armap, path),
    ".yaml": _to_ros,
    ".yml": _to_ros,
    ".world": _to_stage,
    ".svg": lambda armap, path, _: drawings.save_svg(armap, path),
    ".dxf": lambda armap, path, _: drawings.save_dxf(armap, path),
    **dict.fromkeys(IMAGES, _to_image),
}
