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
