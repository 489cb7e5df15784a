"""Where the files that come with the program are: maps and robot models."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(folder: str) -> Path:
    """`share/FOLDER` in an installed package, `FOLDER` beside the package in a checkout."""
    installed = _PACKAGE / "share" / folder
    return installed if installed.is_dir() else _PACKAGE.parent / folder


def models_dir() -> Path:
    """Find the robot models that come with the program."""
    return _shipped("models")


def maps_dir() -> Path:
    """Find the maps that come with the program."""
    return _shipped("maps")
