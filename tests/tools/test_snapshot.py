"""`mobilesim snapshot`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PIL import Image

from mobilesim_py.__main__ import main as program_main
from mobilesim_py.app.program import Program
from mobilesim_py.errors import ExitCode
from mobilesim_py.tools import snapshot as snapshot_tool
from mobilesim_py.view.page.guard import Guard
from tests.view.conftest import run, visiting


def main(argv: list[str]) -> int:
    return program_main(["snapshot", *argv])


def test_a_world_is_drawn_as_png_and_svg(tmp_path: Path) -> None:
    png, svg = tmp_path / "a.png", tmp_path / "a.svg"
    world = ["-m", "office.map", "-r", "p3dx:alpha", "--show", "laser,sonar,labels"]
    assert main([str(png), *world, "--size", "300"]) == ExitCode.OK
    assert Image.open(png).width == 300
    assert main([str(svg), *world, "--after", "0.5"]) == ExitCode.OK
    assert ">alpha<" in svg.read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["a.gif"], "ends with .png or .svg"),
        (["a.png", "--size", "3"], "--size wants a number from 64"),
        (["a.png", "--show", "ghosts"], "ghosts"),
        (["a.png", "--port", "8101", "-m", "x.map"], "give only one"),
        (["a.png", "--port", "x"], "--port wants a whole number"),
        ([], "OUT"),
        (["missing/a.png", "-m", "office.map", "-r", "p3dx"], "cannot write"),
    ],
)
def test_mistakes_are_told_in_a_sentence(
    words: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == ExitCode.USAGE
    assert complaint in capsys.readouterr().err


def test_a_map_that_does_not_exist_has_its_own_exit_code(tmp_path: Path) -> None:
    assert main([str(tmp_path / "a.png"), "-m", "nothing.map"]) == ExitCode.MAP


def test_a_running_simulator_is_asked(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "now.png"

    async def test() -> None:
        async with visiting(program, Guard("secret")) as (visitor, _):
            web_port = visitor.base.rpartition(":")[2]
            words = [str(out), "--web-port", web_port, "--size", "200"]
            assert await asyncio.to_thread(main, words) == ExitCode.NO_ANSWER
            assert await asyncio.to_thread(main, [*words, "--token", "secret"]) == ExitCode.OK

    run(test)
    assert Image.open(out).width == 200


def test_the_simulator_is_found_by_its_robots_port(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "now.svg"

    async def test() -> None:
        async with visiting(program) as (visitor, _):
            port = program.services[0].open_robot_port(program.simulation.robots[0], 0)
            monkeypatch.setattr(snapshot_tool, "DEFAULT_WEB_PORT", int(visitor.base.rpartition(":")[2]))
            monkeypatch.setattr(snapshot_tool, "PORTS_TRIED", 1)
            assert await asyncio.to_thread(main, [str(out), "--port", str(port)]) == ExitCode.OK
            assert await asyncio.to_thread(main, [str(out), "--port", "1"]) == ExitCode.NO_ANSWER

    run(test)
    assert out.read_text().startswith("<svg")


def test_a_directory_that_is_none_is_exit_code_247(tmp_path: Path) -> None:
    assert main([str(tmp_path / "x.png"), "-m", "office.map", "--cwd", str(tmp_path / "none")]) == ExitCode.DIRECTORY


def test_maps_are_looked_for_in_the_directory_that_is_given(tmp_path: Path) -> None:
    (tmp_path / "here.map").write_text("2D-Map\nLINES\n0 0 1000 0\n")
    assert main([str(tmp_path / "x.png"), "-m", "here.map", "--cwd", str(tmp_path)]) == ExitCode.OK
