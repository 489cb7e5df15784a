"""The live view in the terminal."""

from __future__ import annotations

import asyncio
import io
import re

from rich.console import Console

from mobilesim_py.app.program import Program
from mobilesim_py.core.devices.gripper import GRIPPER
from mobilesim_py.geometry import Pose
from mobilesim_py.view.terminal.dashboard import _COLUMNS, Dashboard
from tests.conftest import build
from tests.view.conftest import run, step


def shown(program: Program, height: int = 30, width: int = 150) -> str:
    console = Console(file=io.StringIO(), width=width, height=height, color_system=None)
    console.print(Dashboard(program, console).picture())
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_it_shows_world_time_robots_and_log(program: Program) -> None:
    step(program, 15)
    program.simulation.robots[0].place(1.234, -0.5, 1.0)
    program.log.warning("Look out!", "beta")
    text = shown(program)
    for words in (
        "office.map",
        "00:00:01.5",
        "alpha",
        "p3dx",
        "1234",
        "-500",
        "57.3",
        "13.0 V",
        "beta: Look out!",
        "x [mm]",
    ):
        assert words in text, words


def test_names_are_not_taken_for_markup() -> None:
    program = build("-m", "office.map", "-r", "p3dx:[red]x[/nonsense]")
    program.log.info("[/] [bold")
    text = shown(program)
    assert "[red]x[/nonsense]" in text
    assert "[/] [bold" in text


def test_it_fits_the_terminal_however_many_robots_there_are() -> None:
    program = build("-m", "warehouse.map", *["-r", "p3dx"] * 40)
    for height in (12, 24, 60):
        text = shown(program, height)
        assert len(text.rstrip("\n").split("\n")) <= height
    assert "... and" in shown(program, 24)


def test_columns_drop_one_by_one_on_a_narrow_terminal_and_names_stay_whole() -> None:
    name = "a-robot-with-a-long-name"
    program = build("-m", "office.map", "-r", f"p3dx:{name}")
    titles = ("Robot", "Port", "Client", "x [mm]", "v [mm/s]", "Battery", "pkt/s")
    counts = []
    for width in (150, 120, 100, 80, 60, 34):
        row = next(line for line in shown(program, 30, width).splitlines() if name in line)
        head = next(line for line in shown(program, 30, width).splitlines() if "Robot" in line)
        assert "…" not in row
        assert set(re.split(r"\s{2,}", head.strip())) <= {title for title, _, _ in _COLUMNS}
        counts.append(sum(title in head for title in titles))
    assert counts[0] == len(titles)
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < 3 <= counts[3]


def test_the_terminal_is_left_as_it_was(program: Program) -> None:
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, width=120, height=30)

    async def test() -> None:
        dashboard = Dashboard(program, console)
        await dashboard.start()
        assert program.log.console_muted
        await asyncio.sleep(0)
        await dashboard.close()
        await dashboard.close()

    run(test)
    assert not program.log.console_muted
    text = output.getvalue()
    assert text.index("\x1b[?1049h") < text.rindex("\x1b[?1049l")
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


def test_without_a_terminal_it_says_so_and_does_nothing(program: Program) -> None:
    async def test() -> None:
        dashboard = Dashboard(program, Console(file=io.StringIO()))
        await dashboard.start()
        await dashboard.close()

    run(test)
    assert "no terminal" in program.log.recent(1)[0].text
    assert not program.log.console_muted


def test_it_says_what_a_robot_touches_and_holds() -> None:
    program = build("--nomap", "-r", "p3dx-equipped:alpha", "--no-noise")
    robot = program.simulation.robots[0]
    program.add(program.catalogue.find("can"), "can", Pose(0.303, 0.0, 0.0))
    robot.units(GRIPPER)[0].close()
    step(program, 60)
    assert "holds" in shown(program)
    program.add(program.catalogue.find("box"), "box", Pose(-0.6, 0.0, 0.0))
    robot.drive(-0.3)
    step(program, 20)
    assert "stall bump" in shown(program)
