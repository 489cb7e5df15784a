"""What a file format is, and which one a file has: the ending of its name decides.

A format is added by a row of `FORMATS`: the module that has it as `FORMAT`, imported when a file of it is first read.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mobilesim_py.world.world import RESOLUTION, World


@dataclass(frozen=True)
class Settings:
    """What whoever loads a file may choose."""

    point_size: float = RESOLUTION
    """Side of the square that a point of a map is [m]."""
    scale: float | None = None
    """Metres per pixel of a picture, or per unit of a drawing, where the file does not say."""
    origin: tuple[float, float] = (0.0, 0.0)
    """Where the lower left corner of a picture without coordinates is [m]."""
    threshold: float = 0.5
    """How dark a pixel must be to be a wall, 0 (anything) to 1 (black only)."""
    keep_specks: bool = True
    progress: Callable[[float], None] | None = None
    """Told the share of the work that is done."""


class Format(Protocol):
    """How files with some endings become worlds."""

    endings: tuple[str, ...]

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read a file; MapError or WorldfileError, with the place of the mistake, when it cannot be read."""


IMAGES = (".png", ".pgm", ".pnm", ".ppm", ".pbm", ".bmp", ".gif", ".jpg", ".jpeg", ".tif", ".tiff")
FORMATS: dict[str, str] = {
    ".map": "mobilesim_py.formats.armap.world",
    ".world": "mobilesim_py.formats.stage.world",
    **dict.fromkeys((".yaml", ".yml", ".svg", ".dxf", ".wld", *IMAGES), "mobilesim_py.formats.converted"),
}
"""Which module reads files with which ending."""
_OTHER = ".map"
"""What a file with another ending is taken for: maps have been called by any name."""


def format_of(path: str | os.PathLike[str]) -> Format:
    """Return the format of a file."""
    module = importlib.import_module(FORMATS.get(Path(path).suffix.lower(), FORMATS[_OTHER]))
    found: Format = module.FORMAT
    return found


def load_world(path: str | os.PathLike[str], settings: Settings = Settings()) -> World:
    """Read a file of any known format."""
    return format_of(path).read(path, settings)
