"""Pictures and movies without a browser."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from mobilesim_py.app.program import Program
from mobilesim_py.errors import UsageError
from mobilesim_py.view.pictures import movie as movie_module
from mobilesim_py.view.pictures.gif import GifWriter
from mobilesim_py.view.pictures.moment import take
from mobilesim_py.view.pictures.movie import MovieRecorder
from mobilesim_py.view.pictures.movie_files import open_movie
from mobilesim_py.view.pictures.snapshot import Painter, png_of, svg_of
from tests.conftest import build
from tests.view.conftest import step


def test_a_robot_is_seen_where_it_stands(program: Program) -> None:
    painter = Painter()
    without = build("-m", "office.map", "-r", "box")
    bare = painter.draw(take(without.simulation), 600)
    alpha = program.simulation.robots[0]
    before = painter.draw(take(program.simulation), 600)
    alpha.place(alpha.pose.x + 5.0, alpha.pose.y, 0.0)
    after = painter.draw(take(program.simulation), 600)
    assert before.size == bare.size
    box = ImageChops.difference(before, after).getbbox()
    assert box is not None
    assert 0.15 * 600 < box[2] - box[0] < 0.5 * 600


def test_lasers_sonar_and_names_are_drawn_when_asked_for(program: Program) -> None:
    alpha = program.simulation.robots[0]
    alpha.lasers[0].on = alpha.sonar_on = True
    program.simulation.sense()
    plain = take(program.simulation, laser=False, labels=False)
    assert "alpha" not in svg_of(plain)
    for wish in ({"laser": True, "labels": False}, {"laser": False, "sonar": True, "labels": False}):
        moment = take(program.simulation, **wish)
        assert len(svg_of(moment)) > len(svg_of(plain)) + 500
        assert png_of(moment, 300) != png_of(plain, 300)
    assert ">alpha<" in svg_of(take(program.simulation))


def test_names_cannot_break_out_of_the_drawing() -> None:
    program = build("-m", "office.map", "-r", 'p3dx:<script>"&')
    text = svg_of(take(program.simulation))
    assert "<script" not in text
    assert "&lt;script" in text


def test_a_world_without_a_map_is_drawn_about_its_robots() -> None:
    program = build("--nomap", "-r", "p3dx")
    program.simulation.robots[0].place(40.0, 40.0, 0.0)
    picture = Painter().draw(take(program.simulation), 300)
    assert len(picture.getcolors(1 << 20) or []) > 10


def test_boxes_are_drawn_where_they_are_now(program: Program) -> None:
    box = program.add_running("box")
    box.place(3.0, 3.0, 0.3)
    (drawn,) = take(program.simulation).boxes
    assert (drawn.pose.x, drawn.pose.heading) == pytest.approx((3.0, 0.3))


def test_a_gif_shows_each_picture_for_its_time() -> None:
    pictures = [Image.new("RGB", (60, 40), "white") for _ in range(4)]
    for number, picture in enumerate(pictures):
        picture.paste((200, 30 * number, 0), (10 * number, 5, 10 * number + 8, 15))
    file = io.BytesIO()
    writer = GifWriter(file)
    for number, picture in enumerate(pictures):
        writer.add(picture, 0.1 * (number + 1))
    writer.end()
    gif = Image.open(io.BytesIO(file.getvalue()))
    assert (gif.n_frames, gif.size, gif.info["loop"]) == (4, (60, 40), 0)
    for number, picture in enumerate(pictures):
        gif.seek(number)
        assert gif.info["duration"] == 100 * (number + 1)
        worst = ImageChops.difference(gif.convert("RGB"), picture).getextrema()
        assert max(high for _, high in worst) < 24


def test_a_gif_of_nothing_is_empty_and_one_of_stillness_is_small() -> None:
    file = io.BytesIO()
    GifWriter(file).end()
    assert file.getvalue() == b""
    writer = GifWriter(file)
    picture = Image.effect_noise((200, 200), 50).convert("RGB")
    writer.add(picture, 0.1)
    first = len(file.getvalue())
    writer.add(picture, 0.1)
    assert len(file.getvalue()) < first + 1000


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
    step(program, 20)
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
