"""Pictures and drawings as worlds: they become a map first, as `mobilesim map convert` makes it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.world import build_world
from mobilesim_py.formats.convert import READERS
from mobilesim_py.formats.format import IMAGES, Settings
from mobilesim_py.world.world import World


class ConvertedFormat:
    """ROS maps, pictures, SVG and DXF drawings."""

    endings = (".yaml", ".yml", ".svg", ".dxf", *IMAGES)

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read or trace the lines of a file and build their world."""
        file = Path(path)
        if file.suffix.lower() in IMAGES and settings.scale is None:
            command = f"mobilesim map convert {file.name} {file.stem}.map --resolution 0.05"
            raise MapError(f"a picture does not say how large it is; make a map of it, such as by `{command}`", str(path))
        if not file.is_file():
            raise MapError("no such file", str(path))
        armap = READERS[file.suffix.lower()](file, settings)
        return build_world(replace(armap, path=str(path)), settings.point_size)


FORMAT = ConvertedFormat()
