"""Recording a running program."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.app.program import Program
from mobilesim_py.view.pictures import movie as movie_module
from mobilesim_py.view.pictures.movie import MovieRecorder
from tests.view.conftest import step


def test_a_movie_that_cannot_keep_up_leaves_pictures_out(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    gate = threading.Event()

    class Slow:
        def add(self, moment: object) -> None:
            gate.wait(10.0)

        def close(self) -> None:
            gate.set()

    monkeypatch.setattr(movie_module, "WAITING", 3)
    monkeypatch.setattr(movie_module, "open_movie", lambda *_: Slow())
    recorder = MovieRecorder(program, "slow.gif", 0.1)
    program.after_step.append(recorder.after_step)
    assert not recorder.is_late()
    step(program, 20)
    assert recorder.is_late()
    gate.set()
    recorder.close()
    assert recorder.left_out >= 16
    assert recorder.pictures + recorder.left_out == 20


def test_a_full_disk_ends_the_movie_and_not_the_simulation(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def add(self, moment: object) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            """Nothing was opened."""

    monkeypatch.setattr(movie_module, "open_movie", lambda *_: Full())
    recorder = MovieRecorder(program, "full.gif", 0.1)
    program.after_step.append(recorder.after_step)
    step(program, 5)
    recorder.close()
    assert "No space left" in recorder.trouble
    assert "not complete" in program.log.recent(1)[0].text
