"""What is drawn up from options, the environment and the user's files before anything runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.app.blueprint import Blueprint, draw_up
from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Level, Log
from mobilesim_py.resources import maps_dir

Draw = Callable[..., Blueprint]


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Log) -> Draw:
    """Draw up what the words ask for, with an empty home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MOBILESIM", raising=False)
    return lambda *words: draw_up(parse(list(words)), tmp_path, log)


def warnings(log: Log) -> list[str]:
    return [line.text for line in log.recent() if line.level is Level.WARNING]


def test_a_resource_directory_that_is_not_there_is_warned_of(draw: Draw, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOBILESIM", "/nonexistent")
    draw("--nomap", "-r", "p3dx")
    [warning] = warnings(log)
    assert "/nonexistent" in warning
    assert str(maps_dir().parent) in warning


@pytest.fixture
def include(tmp_path: Path) -> Callable[[str], None]:
    """Write a file into the user's include directory."""

    def write(text: str) -> None:
        folder = tmp_path / ".MobileSim" / "include"
        folder.mkdir(parents=True)
        (folder / "mine.inc").write_text(text)

    return write


def test_models_placed_in_the_users_files_are_created_after_those_asked_for(
    draw: Draw, include: Callable[[str], None]
) -> None:
    include('p3at ( name "guard" pose [1 2 90] )  box ( pose [3 4 0] )')
    parts = draw("--nomap", "-r", "p3dx").parts
    assert [(part.request.name, part.model.name) for part in parts] == [("p3dx", "p3dx"), ("guard", "p3at"), ("box", "box")]
    assert [part.pose and (part.pose.x, part.pose.y) for part in parts] == [None, (1.0, 2.0), (3.0, 4.0)]


def test_models_placed_in_the_users_files_have_names_of_their_own(draw: Draw, include: Callable[[str], None]) -> None:
    include("p3dx ( pose [1 2 90] )  p3dx ( pose [5 2 90] )")
    assert [part.request.name for part in draw("--nomap", "-r", "p3dx").parts] == ["p3dx", "p3dx_002", "p3dx_003"]


@pytest.mark.parametrize("words", [["--nomap"], ["-m", "office.map"]])
def test_walls_placed_in_the_users_files_stand_in_the_world(
    words: list[str], draw: Draw, include: Callable[[str], None]
) -> None:
    before = len(draw(*words).world.segments)
    include("model ( size [2 1] pose [5 5 0] )")
    assert len(draw(*words).world.segments) == before + 4


def test_what_is_not_understood_in_the_users_files_is_warned_of(
    draw: Draw, log: Log, include: Callable[[str], None]
) -> None:
    include("blimp ( )\nshininess 3")
    draw("--nomap")
    assert [warning.partition(".inc:")[2] for warning in warnings(log)] == [
        "2: unknown setting 'shininess' is ignored",
        "1: 'blimp' (blimp) is not supported and is left out",
    ]


def test_a_stage_world_does_without_the_users_files(draw: Draw, include: Callable[[str], None], tmp_path: Path) -> None:
    include("p3at ( )")
    world = tmp_path / "w.world"
    world.write_text('include "PioneerRobotModels.world.inc"\namigo ( )')
    assert [part.model.name for part in draw("-W", str(world)).parts] == ["amigo"]
