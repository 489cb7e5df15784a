"""The test stand with the maps of the recordings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mobilesim_py import testing
from mobilesim_py.testing import ArcosClient as Client

__all__ = ["Client", "Stand"]


class Stand(testing.Stand):
    """A program built from the options of a recording."""

    def __init__(self, options: Sequence[str], maps: Path | None = None) -> None:
        super().__init__(*options, maps=maps)
