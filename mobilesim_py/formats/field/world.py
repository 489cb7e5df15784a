"""Fields as worlds, and as maps for `mobilesim map convert`."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.armap import ArMap, Cairn, Scan
from mobilesim_py.formats.field.field_file import read_field
from mobilesim_py.formats.field.obs_file import read_obs
from mobilesim_py.formats.field.planting import plant
from mobilesim_py.formats.format import Settings
from mobilesim_py.world.world import World


class FieldFormat:
    """`.field` and `.obs` files."""

    endings = (".field", ".obs")

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read a file and plant its field."""
        return read_world(Path(path))


def read_world(path: Path) -> World:
    """Read a `.field` or an `.obs` file."""
    if not path.is_file():
        raise MapError("no such file", str(path))
    if path.suffix.lower() == ".obs":
        return read_obs(path)
    plan, problems = read_field(path)
    return plant(plan, str(path), problems)


def map_of_world(world: World) -> ArMap:
    """Return a world as a map: all that stops anything as lines, and the home."""
    lines = np.round(world.segments.ends[world.segments.stops > 0] * 1000.0).astype(np.int64)
    homes = tuple(
        Cairn("RobotHome", home.x * 1000.0, home.y * 1000.0, math.degrees(home.heading), name="Home")
        for home in world.homes[:1]
    )
    return ArMap(scans=(Scan(lines=lines),), cairns=homes, problems=world.problems, path=world.path)


FORMAT = FieldFormat()
