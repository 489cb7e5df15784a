"""Where maps and robot models are found: those that come with the program, and those of the directory $MOBILESIM."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "MOBILESIM"
"""The environment variable that names the user's resource directory."""
_PACKAGE = Path(__file__).resolve().parent


def _shipped(folder: str) -> Path:
    """Return `share/FOLDER` in an installed package, `FOLDER` beside the package in a checkout."""
    installed = _PACKAGE / "share" / folder
    return installed if installed.is_dir() else _PACKAGE.parent / folder


def models_dir() -> Path:
    """Find the robot models that come with the program."""
    return _shipped("models")


def maps_dir() -> Path:
    """Find the maps that come with the program."""
    return _shipped("maps")


def shipped_kernels_dir() -> Path:
    """Find the machine code that comes with a wheel, in a folder for each version; a checkout has none."""
    return _PACKAGE / "share" / "kernels"


def resource_dir(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the directory that MOBILESIM names, or None if it names none that exists."""
    named = environ.get(VARIABLE)
    return Path(named) if named and os.path.isdir(named) else None


def resource_problem(environ: Mapping[str, str] = os.environ) -> str:
    """Say what is wrong with MOBILESIM and what is used instead; empty if nothing is."""
    named = environ.get(VARIABLE)
    if not named or resource_dir(environ) is not None:
        return ""
    ours = maps_dir().parent
    return f'{VARIABLE} is set to "{named}", which is no directory. The models and maps in {ours} are used instead.'


def map_directories(environ: Mapping[str, str] = os.environ) -> list[Path]:
    """List where a map is looked for after the current directory: $MOBILESIM, $MOBILESIM/maps, and our maps."""
    named = resource_dir(environ)
    return [*((named, named / "maps") if named is not None else ()), maps_dir()]
