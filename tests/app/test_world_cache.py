"""Worlds kept on disk: the same as those read from the map, never trusted when damaged, bounded, safe to delete."""

from __future__ import annotations

import dataclasses
import os
import pickle
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mobilesim_py.app import world_cache
from mobilesim_py.app.world_cache import load_with_grid
from mobilesim_py.errors import MapError
from mobilesim_py.formats.format import Settings, load_world
from mobilesim_py.resources import maps_dir
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.world import World


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOBILESIM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(world_cache, "LEAST_BYTES", 0)
    return tmp_path / "cache" / "worlds"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read because they were not in the cache."""
    names: list[str] = []

    def counted(path: str | os.PathLike[str], settings: Settings) -> World:
        names.append(Path(path).name)
        return load_world(path, settings)

    monkeypatch.setattr(world_cache, "load_world", counted)
    return names


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    return Path(shutil.copy(maps_dir() / "lab.map", tmp_path))


def arrays(thing: object) -> Iterator[np.ndarray]:
    """Go through all arrays of a dataclass and of what it consists of."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            yield from arrays(getattr(thing, field.name))
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from arrays(value)


def same(one: object, other: object) -> bool:
    pairs = list(zip(arrays(one), arrays(other), strict=True))
    return bool(pairs) and all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


def test_a_map_is_read_once_and_then_taken_from_the_cache(cache: Path, reads: list[str], lab: Path) -> None:
    world, grid = load_with_grid(lab, Settings())
    again, its_grid = load_with_grid(lab, Settings())
    assert reads == ["lab.map"]
    assert same(world, again)
    assert same(grid, its_grid)
    assert again.segments is its_grid.segments
    kept = ("name", "bounds", "boxes", "georeference", "objects", "homes", "resolution", "problems", "path", "has_map")
    assert all(getattr(world, name) == getattr(again, name) for name in kept)
    assert [(area.outline, area.kind, area.values) for area in world.areas] == [
        (area.outline, area.kind, area.values) for area in again.areas
    ]


def test_what_comes_from_the_cache_can_be_changed_as_what_was_read(cache: Path, lab: Path) -> None:
    load_with_grid(lab, Settings())
    world, grid = load_with_grid(lab, Settings())
    stops = world.segments.stops.copy()
    stops[:3] = 0
    followed = grid.follow(dataclasses.replace(world.segments, stops=stops))
    assert (followed.kinds & 7 == 0).any()


def test_another_content_name_or_point_size_is_another_world(
    cache: Path, reads: list[str], lab: Path, tmp_path: Path
) -> None:
    load_with_grid(lab, Settings())
    assert load_with_grid(lab, Settings(point_size=0.05))[0].resolution == 0.05
    assert load_with_grid(shutil.copy(lab, tmp_path / "other.map"), Settings())[0].name == "other.map"
    lab.write_text(lab.read_text() + "5000 5000\n")
    assert [5.0, 5.0] in load_with_grid(lab, Settings())[0].points.tolist()
    assert reads == ["lab.map", "lab.map", "other.map", "lab.map"]


def test_a_changed_reader_makes_the_world_again(
    cache: Path, reads: list[str], lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_with_grid(lab, Settings())
    monkeypatch.setattr(world_cache, "_sources", lambda: [("world/grid.py", 1, 2)])
    load_with_grid(lab, Settings())
    assert reads == ["lab.map", "lab.map"]


class Evil:
    """What runs a command when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch evil",)


def entry_with(body: bytes) -> bytes:
    return b"".join(world_cache._joined([body]))


DAMAGED = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:],
    "another mark": lambda data: b"X" + data[1:],
    "a foreign object": lambda data: entry_with(pickle.dumps(Evil())),
    "no world": lambda data: entry_with(pickle.dumps((1, 2))),
    "no tuple": lambda data: entry_with(pickle.dumps(7)),
    "absurd lengths": lambda data: (
        data[:17] + zlib.adler32(b"\xff" * 64).to_bytes(4, "little") + b"\xff\0\0\0" + b"\xff" * 64
    ),
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_entry_is_never_used(
    cache: Path, reads: list[str], lab: Path, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    world, grid = load_with_grid(lab, Settings())
    (entry,) = cache.iterdir()
    good = entry.read_bytes()
    entry.write_bytes(DAMAGED[how](good))
    again, its_grid = load_with_grid(lab, Settings())
    assert reads == ["lab.map", "lab.map"]
    assert same(world, again)
    assert same(grid, its_grid)
    assert entry.read_bytes() == good
    assert not (tmp_path / "evil").exists()


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lab: Path, reads: list[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MOBILESIM_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(world_cache, "LEAST_BYTES", 0)
    assert load_with_grid(lab, Settings())[0].name == "lab.map"


def test_the_oldest_worlds_are_forgotten(cache: Path, lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_cache, "MOST_ENTRIES", 3)
    first = []
    for number in range(5):
        load_with_grid(shutil.copy(lab, tmp_path / f"m{number}.map"), Settings())
        first.append(set(cache.iterdir()))
        for age, entry in enumerate(sorted(cache.iterdir(), key=lambda file: file.stat().st_mtime)):
            os.utime(entry, (1000 + age, 1000 + age))
    assert len(list(cache.iterdir())) == 3
    assert not first[0] & set(cache.iterdir())


def test_too_many_bytes_are_not_kept(cache: Path, lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_cache, "MOST_BYTES", 1000)
    load_with_grid(lab, Settings())
    assert not cache.exists()


def test_small_maps_and_worlds_of_several_files_are_read_every_time(
    cache: Path, reads: list[str], lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_with_grid(maps_dir() / "simple.world", Settings())
    monkeypatch.setattr(world_cache, "LEAST_BYTES", 10**9)
    load_with_grid(lab, Settings())
    assert not cache.exists()


def test_a_map_that_is_not_there_is_told_by_its_reader(cache: Path, tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"no such file|cannot read"):
        load_with_grid(tmp_path / "none.map", Settings())


def test_the_grid_is_that_of_the_world(cache: Path, lab: Path) -> None:
    world, grid = load_with_grid(lab, Settings())
    assert same(grid, Grid.build(world.segments).lay_out())
