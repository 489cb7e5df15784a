"""Pictures, drawings and Saphira's worlds as worlds: they become a map first, as `mobilesim map convert` makes it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.armap import ArMap
from mobilesim_py.formats.armap.world import build_world
from mobilesim_py.formats.convert import READERS
from mobilesim_py.formats.format import IMAGES, Settings
from mobilesim_py.world.world import Problem, World

USUAL_PIXEL = 0.05
"""What a pixel of a picture is taken for that does not say how large it is: what ROS maps mostly have [m]."""


class ConvertedFormat:
    """ROS maps, pictures, SVG and DXF drawings, `.wld` worlds."""

    endings = (".yaml", ".yml", ".svg", ".dxf", ".wld", *IMAGES)

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Trace or read the lines of a file, and build their world."""
        return build_world(map_of(Path(path), settings), settings.point_size)


def map_of(file: Path, settings: Settings) -> ArMap:
    """Return a file as a map; a picture that does not say how large it is has pixels of the usual size, and a problem."""
    if not file.is_file():
        raise MapError("no such file", str(file))
    problems: tuple[Problem, ...] = ()
    if file.suffix.lower() in IMAGES and settings.scale is None:
        settings = replace(settings, scale=USUAL_PIXEL)
        command = f"mobilesim map convert {file.name} {file.stem}.map --resolution METRES"
        text = f"a picture does not say how large it is, so a pixel is {USUAL_PIXEL:g} m; for another size: `{command}`"
        problems = (Problem(0, text),)
    armap = READERS[file.suffix.lower()](file, settings)
    return replace(armap, path=str(file), problems=(*problems, *armap.problems))


FORMAT = ConvertedFormat()
