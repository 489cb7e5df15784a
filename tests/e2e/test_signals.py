"""A signal ends the process within two seconds, whatever it is busy with, and the exit code is 0."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import control
from mobilesim_py.protocols.arcos.instruction import ControlOperation

pytestmark = pytest.mark.e2e
SECONDS = 2.0


def ends_soon(simulator: Any) -> None:
    began = time.monotonic()
    assert simulator.wait() == 0, simulator.said()
    assert time.monotonic() - began < SECONDS
    assert "Traceback" not in simulator.said()


def slow_map(path: Path, lines: int = 200_000) -> Path:
    """Write a map that takes many seconds to load."""
    generator = random.Random(1)
    wall = "\n".join(" ".join(str(generator.randrange(100_000)) for _ in range(4)) for _ in range(lines))
    path.write_text(f"2D-Map\nLineMinPos: 0 0\nLineMaxPos: 100000 100000\nNumLines: {lines}\nLINES\n{wall}\nDATA\n")
    return path


@pytest.mark.parametrize("after", [0.1, 0.25, 0.5, 1.0])
def test_at_any_moment_of_the_start(after: float, start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--noninteractive", listening=False)
    time.sleep(after)
    simulator.process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    # The shell that starts Python has no handler of ours: a signal before our first word may be the shell's.
    assert simulator.wait() in ((0,) if "version" in simulator.said() else (0, -signal.SIGTERM))
    assert time.monotonic() - began < SECONDS


def test_an_interrupt_while_modules_are_imported_is_no_traceback(start: Any, tmp_path: Path) -> None:
    """A module of the standard library that takes long stands in for a slow disk."""
    (tmp_path / "dataclasses.py").write_text("import os, time\nprint('importing', flush=True)\ntime.sleep(30)\n")
    simulator = start("--nomap", "-r", "p3dx", listening=False, PYTHONPATH=str(tmp_path))
    simulator.wait_for_text("importing")
    simulator.process.send_signal(signal.SIGINT)
    ends_soon(simulator)


def test_while_the_first_map_loads(start: Any, tmp_path: Path) -> None:
    slow_map(tmp_path / "slow.map")
    simulator = start("-m", "slow.map", "-r", "p3dx", listening=False)
    simulator.wait_for_text("Loading map data")
    time.sleep(0.3)
    simulator.process.send_signal(signal.SIGTERM)
    ends_soon(simulator)


def test_while_twenty_thousand_boxes_are_placed(start: Any, tmp_path: Path) -> None:
    rows = [f'Cairn: Sim.BoxObstacle {400 * (n % 150)} {400 * (n // 150)} 0 "" ICON "" 0 0 200 200' for n in range(20_000)]
    lines = "\n".join(rows)
    (tmp_path / "boxes.map").write_text(
        f"2D-Map\nLineMinPos: 0 0\nLineMaxPos: 60000 60000\n{lines}\nLINES\n0 0 60000 0\nDATA\n"
    )
    simulator = start("-m", "boxes.map", "-r", "p3dx", listening=False)
    simulator.wait_for_text("Loading map data")
    time.sleep(0.5)
    simulator.process.send_signal(signal.SIGTERM)
    ends_soon(simulator)


def test_while_a_client_s_map_loads(start: Any, tmp_path: Path) -> None:
    slow_map(tmp_path / "slow.map")
    simulator = start("--nomap", "-r", "p3dx", "--engine", "numpy")
    client = simulator.connect().handshake()
    client.send(control(ControlOperation.LOAD_MAP, "slow.map"))
    simulator.wait_for_text("Client requested new map file")
    time.sleep(0.3)
    simulator.process.send_signal(signal.SIGTERM)
    ends_soon(simulator)


def test_with_a_worldfile_that_never_ends(start: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.world")
    simulator = start("-W", "fifo.world", listening=False)
    simulator.wait_for_text("MobileSim version")
    time.sleep(0.5)
    simulator.process.send_signal(signal.SIGTERM)
    ends_soon(simulator)


def test_a_device_is_no_worldfile(start: Any) -> None:
    simulator = start("-W", "/dev/zero", listening=False)
    assert simulator.wait() == 252
    assert "/dev/zero: this is a device, not a file" in simulator.said()


def test_three_quick_interrupts(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    for _ in range(3):
        simulator.process.send_signal(signal.SIGINT)
        time.sleep(0.03)
    ends_soon(simulator)
