"""`mobilesim rerun` says whether a recording still is what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.testing import Stand
from mobilesim_py.tools.rerun import main
from mobilesim_py.view.recording.recorder import Recorder


def record(path: Path, *words: str) -> None:
    stand = Stand("--nomap", *words)
    recorder = Recorder(stand.program, path, words=("--nomap", *words))
    client = stand.open()
    client.send(command(Command.VEL, 200))
    stand.run(1.0)
    recorder.close()


def test_no_difference_is_exit_code_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path / "run.mcap", "--lockstep")
    assert main([str(tmp_path / "run.mcap")]) == 0
    assert capsys.readouterr().out.startswith("No difference: 1.0 s, 1 clients, ")


def test_a_difference_is_exit_code_1_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stand = Stand("--nomap", "--lockstep")
    recorder = Recorder(stand.program, tmp_path / "run.mcap", words=("--nomap", "--lockstep"))
    stand.open()
    stand.run(0.5)
    stand.robots[0].set_odometry(1.0, 2.0, 0.0)  # something that no client has asked for
    stand.run(0.5)
    recorder.close()
    assert main([str(tmp_path / "run.mcap")]) == 1
    out = capsys.readouterr().out
    assert "At 0.600 s, packet" in out
    assert "recorded: fa fb" in out


def test_runs_that_cannot_repeat_and_recordings_that_were_cut_off_get_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.mcap"
    record(path)
    path.write_bytes(path.read_bytes()[:-100])
    main([str(path)])
    err = capsys.readouterr().err
    assert "not recorded with --lockstep" in err
    assert "end of the recording is missing" in err
