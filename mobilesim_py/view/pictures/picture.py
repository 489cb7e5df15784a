"""A finished picture that can be saved, and that shows itself in a notebook."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mobilesim_py.errors import UsageError


@dataclass(frozen=True)
class Picture:
    """A picture of the world, as PNG."""

    png: bytes

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to a file whose name ends with .png, and return its path."""
        place = Path(path)
        if place.suffix.lower() != ".png":
            raise UsageError(f"{place}: a picture is saved as PNG, so its name must end with .png")
        try:
            place.write_bytes(self.png)
        except OSError as error:
            raise UsageError(f"{place}: cannot write the picture ({error.strerror})") from None
        return place

    def _repr_png_(self) -> bytes:
        """Let a notebook show it."""
        return self.png
