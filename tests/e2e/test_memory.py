"""How much memory the real process needs for large maps."""

from __future__ import annotations

import random
import signal
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.e2e
POINTS = 1_000_000


def point_map(path: Path, count: int) -> None:
    """Write a map of points anywhere in 100 x 100 m, which share no lattice, and a place to start."""
    draw = random.Random(1).randrange
    rows = "\n".join(f"{draw(100_000)} {draw(100_000)}" for _ in range(count))
    path.write_text(f'2D-Map\nNumPoints: {count}\nCairn: RobotHome 50 50 0 "" ICON "home"\nDATA\n{rows}\n')


def peak_mb(process: int) -> int:
    """Return the most memory that a process had at any time [MB]."""
    line = next(line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1024


def test_a_million_points_need_less_than_300_mb_with_the_compiled_engine(start: Any, tmp_path: Path) -> None:
    point_map(tmp_path / "points.map", POINTS)
    simulator = start("-m", "points.map", "-r", "p3dx", "--engine", "compiled", listening=False)
    simulator.wait_for_text("ready for a client")
    assert simulator.connect().handshake().sip()
    assert "1000000 points have too many edges" in simulator.said()
    assert peak_mb(simulator.process.pid) < 300


def test_a_signal_that_ends_the_search_for_a_start_is_no_crash(start: Any, tmp_path: Path) -> None:
    point_map(tmp_path / "points.map", 70_000)
    text = (tmp_path / "points.map").read_text()
    (tmp_path / "points.map").write_text(text.replace("RobotHome", "Goal"))
    simulator = start("-m", "points.map", "-r", "p3dx", listening=False)
    simulator.wait_for_text('Robot named "p3dx"')
    simulator.process.send_signal(signal.SIGTERM)
    assert simulator.wait() == 0, simulator.said()


def test_more_rows_than_can_be_loaded_are_refused(start: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.map").write_bytes(b"2D-Map\nDATA\n" + b"0 0\n" * 4_000_001)
    simulator = start("-m", "rows.map", listening=False)
    assert simulator.wait() == 253
    assert "rows.map:2: the map has more than 4 million lines and points" in simulator.said()
    assert "thin them out" in simulator.said()
