"""File formats and how one is selected: by the file's extension.

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
    """The options of loading a file."""

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
    """Called with the fraction of the work that is done."""


class Format(Protocol):
    """A reader that turns files with certain extensions into worlds."""

    endings: tuple[str, ...]

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read a file; MapError or WorldfileError, with the location of the mistake, if it cannot be read."""


IMAGES = (".png", ".pgm", ".pnm", ".ppm", ".pbm", ".bmp", ".gif", ".jpg", ".jpeg", ".tif", ".tiff")
GARDENS = (".garden", ".xml")
"""Endings of files that gardens are read from; an .xml may be something else, too."""
FORMATS: dict[str, str] = {
    ".map": "mobilesim_py.formats.armap.world",
    ".world": "mobilesim_py.formats.stage.world",
    **dict.fromkeys((".field", ".obs"), "mobilesim_py.formats.field.world"),
    ".garden": "mobilesim_py.formats.garden.world",
    ".xml": "mobilesim_py.formats.xml_file",
    **dict.fromkeys((".yaml", ".yml", ".svg", ".dxf", ".wld", *IMAGES), "mobilesim_py.formats.converted"),
}
"""The module that reads files with each extension."""
_OTHER = ".map"
"""The format of files with any other extension: maps may have any name."""


_ALONE = {".map"}


def is_read_alone(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file's world depends on nothing but this file."""
    ending = Path(path).suffix.lower()
    return ending in _ALONE or ending not in FORMATS


def format_of(path: str | os.PathLike[str]) -> Format:
    """Return the format of a file."""
    module = importlib.import_module(FORMATS.get(Path(path).suffix.lower(), FORMATS[_OTHER]))
    found: Format = module.FORMAT
    return found


def load_world(path: str | os.PathLike[str], settings: Settings = Settings()) -> World:
    """Read a file of any known format."""
    return format_of(path).read(path, settings)
