"""Which file a map's name means, and whether it is still the same one."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from mobilesim_py.app.words import nearest
from mobilesim_py.errors import MapError
from mobilesim_py.resources import map_directories, maps_dir

DEFAULT_MAP = "office.map"
LISTED = (".map", ".world", ".wld")
"""Endings of files that are worlds and nothing else; a picture or a .yaml may be anything."""


def find_map(name: str, directories: Iterable[str | os.PathLike[str]] = ()) -> Path:
    """Find a map file by its name, looked up in the directories, in $MOBILESIM and among the shipped maps.

    Case does not matter. Without directories the current one is searched; the ending `.map` may be left out. MapError
    when there is none.
    """
    wanted = Path(os.path.expanduser(name))
    places = [Path(directory) for directory in directories] or [Path()]
    tried = [wanted] if wanted.is_absolute() else [place / wanted for place in [*places, *map_directories()]]
    endings = ("", ".map") if wanted.name and not wanted.suffix else ("",)
    candidates = (Path(f"{path}{ending}") for path in tried for ending in endings)
    found = next((match for match in map(_match, candidates) if match), None)
    if found is None:
        if name and any(map(_is_directory, tried)):
            raise MapError("this is a directory, not a map file", name)
        where = ", ".join(dict.fromkeys(os.path.abspath(path.parent) for path in tried))
        guess = nearest(wanted.name, (path.name for path in known_maps(places)))
        raise MapError(f"no such map file; looked in {where}.{guess} `mobilesim map list` names all.", name)
    return found


def known_maps(directories: Iterable[str | os.PathLike[str]] = ()) -> list[Path]:
    """List the maps that can be asked for by name, in the order in which they are found; the first of a name counts."""
    places = [Path(directory) for directory in directories] or [Path()]
    known: dict[str, Path] = {}
    for place in [*places, *map_directories()]:
        try:
            found = sorted(path for path in place.iterdir() if path.suffix.lower() in LISTED and path.is_file())
        except OSError:
            continue
        for path in found:
            known.setdefault(path.name, path)
    return list(known.values())


def default_map(home: Path | None = None) -> Path:
    """Return the map to use when none was asked for: the user's `~/.MobileSim/init.map`, or else the shipped office."""
    own = (home or Path.home()) / ".MobileSim" / "init.map"
    return own if own.is_file() else maps_dir() / DEFAULT_MAP


def fingerprint(path: str | os.PathLike[str]) -> str:
    """Tell versions of a file apart; equal fingerprints of one path mean that nothing has to be loaded again."""
    try:
        real = os.path.realpath(path)
        with open(real, "rb") as file:
            return f"{real}:{hashlib.file_digest(file, 'blake2s').hexdigest()}"
    except OSError as error:
        raise MapError(f"cannot read the map file ({error.strerror})", os.fspath(path)) from None


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _match(path: Path) -> Path | None:
    """Find the file of this path, or else the one whose name parts differ in case only."""
    try:
        if path.is_file():
            return path
        found = Path(path.anchor)
        for part in path.parts[1:] if path.anchor else path.parts:
            if part != ".." and not (found / part).exists():
                names = sorted(os.listdir(found))
                part = next((name for name in names if name.lower() == part.lower()), "")
                if not part:
                    return None
            found = found / part
        return found if found.is_file() else None
    except (OSError, ValueError):  # a name too long or with a zero byte in it, a directory that cannot be read
        return None
