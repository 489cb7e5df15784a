"""The files that a movie may be written to."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PIL import Image

from mobilesim_py.app.program import Program
from mobilesim_py.errors import UsageError
from mobilesim_py.view.pictures.moment import take
from mobilesim_py.view.pictures.movie import MovieRecorder
from mobilesim_py.view.pictures.movie_files import open_movie
from tests.view.conftest import step


@pytest.mark.parametrize("name", ["run.gif", "run.zip", "run/", "run-%03d.png", "run.png"])
def test_a_movie_is_written_as_its_name_says(program: Program, tmp_path: Path, name: str) -> None:
    recorder = MovieRecorder(program, f"{tmp_path}/{name}", 0.2, size=200)
    program.after_step.append(recorder.after_step)
    program.simulation.robots[0].drive(0.5)
    step(program, 10)
    recorder.close()
    recorder.close()
    assert (recorder.pictures, recorder.left_out, recorder.trouble) == (5, 0, "")
    if name == "run.gif":
        gif = Image.open(tmp_path / name)
        assert (gif.n_frames, gif.info["duration"]) == (5, 200)
    elif name == "run.zip":
        with zipfile.ZipFile(tmp_path / name) as archive:
            assert archive.namelist() == [f"{n:05d}.png" for n in range(1, 6)]
    else:
        assert len(list(tmp_path.rglob("*.png"))) == 5


@pytest.mark.parametrize("name", ["run.txt", "missing/run.gif", "run-%q.png"])
def test_a_movie_that_cannot_be_written_is_a_users_mistake(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="run"):
        open_movie(f"{tmp_path}/{name}", 200, 0.1)


def test_video_needs_ffmpeg_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="ffmpeg is needed"):
        open_movie(f"{tmp_path}/run.webm", 200, 0.1)


def test_video_goes_through_ffmpeg_with_missing_pictures_repeated(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "ffmpeg"
    fake.write_text('#!/bin/sh\nfor last; do :; done\nexec cat > "$last"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    movie = open_movie(f"{tmp_path}/run.webm", 100, 0.1)
    movie.add(take(program.simulation))
    step(program, 3)
    movie.add(take(program.simulation))
    movie.close()
    assert (tmp_path / "run.webm").read_bytes().count(b"P6\n100 ") == 4
