"""Worlds made from map files, with their grids, kept on disk: reading a large map takes longer than the rest of a start.

An entry depends on the file's content and name, on how it is read, and on the sources of the reader. What is in the cache
is checked before use, and only arrays and the classes of `mobilesim_py.world` are made from it; what is damaged is
forgotten and made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mobilesim_py.app.cache_folder import cache_folder
from mobilesim_py.app.memory import give_back
from mobilesim_py.formats.format import Settings, is_read_alone, load_world
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.world import World

LEAST_BYTES = 16 * 1024
"""Smaller maps are read as quickly as they are looked up."""
MOST_ENTRIES = 32
MOST_BYTES = 256 * 1024 * 1024
"""Size of all entries together; the oldest go first."""
_MARK = b"MobileSim world 1"
_ALIGNED = 64
_PACKAGE = Path(__file__).resolve().parents[1]
_SOURCES = ("geometry.py", "world", "formats", "formats/armap")
_ARRAYS = {
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "numpy.core.multiarray": {"_reconstruct", "scalar"},
    "numpy.core.numeric": {"_frombuffer"},
}


def load_with_grid(path: str | os.PathLike[str], settings: Settings) -> tuple[World, Grid]:
    """Read a map file and lay out its grid, or take both from the cache; MapError as of the format."""
    entry = _entry_of(path, settings)
    if entry is not None and (found := _read(entry)) is not None:
        return found
    world = load_world(path, settings)
    give_back()
    made = world, Grid.build(world.segments).lay_out()
    give_back()
    if entry is not None:
        with contextlib.suppress(OSError):  # a full or read-only disk: the next start reads the map again
            _write(entry, made)
    return made


def _entry_of(path: str | os.PathLike[str], settings: Settings) -> Path | None:
    """Return where the world of a file is kept; None if it is not worth it."""
    try:
        if not is_read_alone(path) or os.stat(path).st_size < LEAST_BYTES:
            return None
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "blake2b")
        how = (os.fspath(path), settings.point_size, sys.version_info[:2], np.__version__, _sources())
        digest.update(repr(how).encode())
        return cache_folder() / "worlds" / digest.hexdigest()[:32]
    except (OSError, ValueError):
        return None  # the reader has better words


def _sources() -> list[tuple[str, int, int]]:
    """Tell versions of the reader apart."""
    found = []
    for name in _SOURCES:
        place = _PACKAGE / name
        files = [place] if place.suffix else [Path(file) for file in os.scandir(place) if file.name.endswith(".py")]
        found += [(f"{name}/{file.name}", file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return sorted(found)


class _Reader(pickle.Unpickler):
    """Makes arrays and what worlds consist of, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the class of a name, if it may be in an entry."""
        if name in _ARRAYS.get(module, ()) or module == "mobilesim_py.geometry" or module.startswith("mobilesim_py.world."):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} does not belong into a world")


def _read(entry: Path) -> tuple[World, Grid] | None:
    """Return what is in an entry; None if there is none, or if it is damaged."""
    import io

    try:
        with open(entry, "rb") as file:
            data = bytearray(os.fstat(file.fileno()).st_size)
            file.readinto(data)
        parts = _parted(memoryview(data))
        world, grid = _Reader(io.BytesIO(parts[0]), buffers=parts[1:]).load()
        if not isinstance(world, World) or not isinstance(grid, Grid):
            raise pickle.UnpicklingError("not a world")
        os.utime(entry)
    except FileNotFoundError:
        return None
    except Exception:
        # Whatever a damaged or foreign file raises, there is always the map itself.
        with contextlib.suppress(OSError):
            entry.unlink()
        return None
    return world, grid


# An entry: the mark, the checksum of all that follows, how many parts there are, their lengths, the parts. The first part
# says what the world consists of, the others are the contents of its arrays, which stay where they were read.
_HEAD = struct.Struct(f"<{len(_MARK)}sII")


def _joined(parts: Sequence[bytes | memoryview]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of an entry."""
    head = struct.pack(f"<{len(parts)}Q", *(len(part) for part in parts))
    pieces: list[bytes | memoryview] = [head]
    place = _HEAD.size + len(head)
    for part in parts:
        pieces += [bytes(-place % _ALIGNED), part]
        place += -place % _ALIGNED + len(part)
    checksum = 1
    for piece in pieces:
        checksum = zlib.adler32(piece, checksum)
    yield _HEAD.pack(_MARK, checksum, len(parts))
    yield from pieces


def _parted(data: memoryview) -> list[memoryview]:
    """Return the parts of an entry; UnpicklingError or struct.error if it is damaged."""
    mark, checksum, count = _HEAD.unpack_from(data)
    if mark != _MARK or zlib.adler32(data[_HEAD.size :]) != checksum:
        raise pickle.UnpicklingError("damaged")
    lengths = struct.unpack_from(f"<{count}Q", data, _HEAD.size)
    place = _HEAD.size + 8 * count
    parts = []
    for length in lengths:
        place += -place % _ALIGNED
        parts.append(data[place : place + length])
        place += length
    return parts


def _write(entry: Path, made: tuple[World, Grid]) -> None:
    """Keep a world, in one stroke, and forget the oldest ones beyond the limits."""
    arrays: list[pickle.PickleBuffer] = []
    try:
        body = pickle.dumps(made, protocol=5, buffer_callback=arrays.append)
    except Exception:
        return  # a world with something in it that cannot be kept
    pieces = list(_joined([body, *(array.raw() for array in arrays)]))
    if sum(len(piece) for piece in pieces) > MOST_BYTES // 4:
        return
    entry.parent.mkdir(parents=True, exist_ok=True)
    unfinished = entry.with_name(f"{entry.name}.{os.getpid()}")
    try:
        with open(unfinished, "wb") as file:
            file.writelines(pieces)
        os.replace(unfinished, entry)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
    _forget_oldest(entry.parent)


def _forget_oldest(folder: Path) -> None:
    facts = sorted(((file.stat(), file.path) for file in os.scandir(folder)), key=lambda fact: -fact[0].st_mtime_ns)
    size = 0
    for number, (stat, path) in enumerate(facts):
        size += stat.st_size
        if number >= MOST_ENTRIES or size > MOST_BYTES:
            with contextlib.suppress(OSError):
                os.unlink(path)
