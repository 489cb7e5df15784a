"""Two runs are compared by what was said and by where everybody was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mobilesim_py.lab.comparison import compare
from mobilesim_py.lab.recordings import open_recording
from mobilesim_py.testing import Stand

Record = Callable[..., Stand]


def test_equal_runs_have_no_difference(tmp_path: Path, record: Record) -> None:
    for name in ("a.mcap", "b.mcap"):
        record(tmp_path / name)
    comparison = compare(*(open_recording(tmp_path / name) for name in ("a.mcap", "b.mcap")))
    assert comparison.is_same
    assert comparison.lines()[-1] == "No difference."
    assert comparison.packets > 40


def test_it_says_who_said_something_else_and_who_is_elsewhere(tmp_path: Path, record: Record) -> None:
    record(tmp_path / "a.mcap")
    record(tmp_path / "b.mcap", speed=300, seconds=2.5)
    comparison = compare(*(open_recording(tmp_path / name) for name in ("a.mcap", "b.mcap")))
    assert not comparison.is_same
    text = "\n".join(comparison.lines())
    assert "from client 1 differs, at 0.000 s" in text
    assert "to client 1 differs" in text
    assert "p3dx is elsewhere since" in text
    assert comparison.seconds == (4.0, 5.0)
    assert comparison.things["p3dx"].most > 0.1


def test_things_of_only_one_run_are_named(tmp_path: Path, record: Record) -> None:
    record(tmp_path / "a.mcap", seconds=0.5)
    record(tmp_path / "b.mcap", seconds=0.5, words=("-m", "office.map", "-r", "p3dx", "-r", "p3at", "--lockstep"))
    comparison = compare(*(open_recording(tmp_path / name) for name in ("a.mcap", "b.mcap")))
    assert comparison.only[1] == {"p3at"}
    assert "p3at is only in the second." in comparison.lines()
