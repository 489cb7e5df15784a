"""Which file a map's name means, and whether it is still the same one."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from mobilesim_py.app.options import Options
from mobilesim_py.app.words import nearest
from mobilesim_py.errors import FileError, MapError, MobileSimError
from mobilesim_py.resources import map_directories, maps_dir

DEFAULT_MAP = "office.map"
LISTED = (".map", ".world", ".wld", ".field", ".obs", ".garden")
"""Endings of files that are worlds and nothing else; a picture or a .yaml may be anything."""
LARGEST_FILE = 256 * 1024 * 1024
"""Bytes of a map or worldfile; ten million points need half of it."""


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
        if name and any(map(_exists, tried)):
            raise MapError("this is no ordinary file but a pipe, a socket or a device; copy what it says into a file", name)
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


def client_folders(options: Options, directory: Path) -> list[Path]:
    """List from where clients may load maps: as --map-dir says, or the start's directory, our maps, and that of --map."""
    if options.map_dirs:
        return [Path(os.path.expanduser(folder)) for folder in options.map_dirs]
    given = [Path(os.path.expanduser(options.map)).parent] if options.map else []
    return [directory, *map_directories(), *(directory / folder for folder in given)]


def check_folder(path: Path, name: str, folders: Iterable[Path]) -> None:
    """Refuse a map that is in none of these folders nor below one of them; MapError."""
    real = os.path.realpath(path)
    places = [os.path.realpath(folder) for folder in folders]
    if not any(os.path.commonpath([real, place]) == place for place in places):
        raise MapError(f"clients may load maps from {', '.join(dict.fromkeys(places))} only; see --map-dir", name)


def default_map(home: Path | None = None) -> Path:
    """Return the map to use when none was asked for: the user's `~/.MobileSim/init.map`, or else the shipped office."""
    own = (home or Path.home()) / ".MobileSim" / "init.map"
    return own if own.is_file() else maps_dir() / DEFAULT_MAP


@contextlib.contextmanager
def loading(path: str | os.PathLike[str], kind: type[FileError] = MapError) -> Iterator[None]:
    """Load a file of somebody else's making: whatever goes wrong in it is that file's mistake, told as `kind`.

    A reader is written for what a file may say; for what else there can be in one, the load fails and nothing more.
    """
    check_size(path, kind)
    try:
        yield
    except MobileSimError:
        raise
    except MemoryError:
        raise kind("it needs more memory than there is; use a smaller or a coarser one", os.fspath(path)) from None
    except RecursionError:
        raise kind("it is nested too deep to be read", os.fspath(path)) from None
    except Exception as error:
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise kind(f"it cannot be read, and the reader cannot say better why ({why[:200]})", os.fspath(path)) from error


def check_size(path: str | os.PathLike[str], kind: type[FileError] = MapError) -> None:
    """Refuse what cannot be a map or worldfile: a device, or more bytes than anybody's map has."""
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return  # whoever opens it has better words
    if stat.S_ISCHR(facts.st_mode) or stat.S_ISBLK(facts.st_mode):
        raise kind("this is a device, not a file", os.fspath(path))
    if facts.st_size > LARGEST_FILE:
        size, most = facts.st_size / 2**20, LARGEST_FILE // 2**20
        raise kind(f"this file has {size:.0f} MB, and {most} MB is the most that is loaded", os.fspath(path))


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


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
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
