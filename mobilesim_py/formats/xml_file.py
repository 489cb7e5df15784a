"""Files ending with `.xml`: the sketch map of a garden, or else a lab of the CiberRato contest; the root element tells."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mobilesim_py.errors import MapError
from mobilesim_py.formats.format import Settings
from mobilesim_py.world.world import World

_LOOKED_AT = 65_536
"""Bytes in which the root element is looked for."""
_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*)")


class XmlFormat:
    """Whatever is written in XML."""

    endings = (".xml",)

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read a file with the reader of its root element."""
        if is_garden(Path(path)):
            from mobilesim_py.formats.garden.world import GardenFormat

            return GardenFormat().read(path, settings)
        from mobilesim_py.formats.lab.world import LabFormat

        return LabFormat().read(path, settings)


FORMAT = XmlFormat()


def is_garden(path: Path) -> bool:
    """Tell whether a file is a garden's sketch map; MapError if it cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(_LOOKED_AT)
    except OSError as error:
        raise MapError(f"cannot read the file ({error.strerror or error})", str(path)) from None
    found = _ROOT.search(re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL))
    return found is not None and found[1] == b"GardenMap"
