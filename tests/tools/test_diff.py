"""`mobilesim diff` says what two recordings do not have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.testing import Stand
from mobilesim_py.tools.diff import main
from mobilesim_py.view.recording.recorder import Recorder


@pytest.mark.parametrize(("speed", "code", "text"), [(0.2, 0, "No difference."), (0.3, 1, "p3dx is elsewhere since 0.")])
def test_the_exit_code_says_whether_they_differ(
    speed: float, code: int, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, wish in (("a.mcap", 0.2), ("b.mcap", speed)):
        stand = Stand("--nomap", "--lockstep")
        recorder = Recorder(stand.program, tmp_path / name)
        stand.robots[0].drive(wish)
        stand.run(1.0)
        recorder.close()
    (tmp_path / "b.mcap").write_bytes((tmp_path / "b.mcap").read_bytes()[:-100])
    assert main([str(tmp_path / "a.mcap"), str(tmp_path / "b.mcap")]) == code
    shown = capsys.readouterr()
    assert text in shown.out
    assert "The end of" in shown.err
