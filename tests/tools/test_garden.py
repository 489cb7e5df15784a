"""`mobilesim garden register`."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from mobilesim_py.__main__ import main as program
from mobilesim_py.formats.garden.world import read_sketch, save_sketch
from mobilesim_py.geometry import Pose
from mobilesim_py.resources import maps_dir


def main(*words: str) -> int:
    return program(["garden", *words])


@pytest.fixture
def displaced(tmp_path: Path) -> Path:
    """Return the shipped garden as somebody else would have drawn it: turned by 30 degrees and shifted."""
    sketch, _ = read_sketch(maps_dir() / "garden.xml")
    path = tmp_path / "displaced.garden"
    save_sketch(sketch.moved(Pose(2.0, -3.0, math.radians(30.0))), path)
    return path


def test_a_sketch_is_registered_to_a_map_and_written_moved(
    displaced: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "registered.xml"
    assert main("register", str(displaced), "garden.xml", "--json", "--out", str(out)) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["turn_degrees"] == pytest.approx(-30.0, abs=0.5)
    assert facts["residual_m"] < 0.1
    moved, first = read_sketch(out)[0], read_sketch(maps_dir() / "garden.xml")[0]
    for one, other in zip(moved.objects, first.objects, strict=True):
        assert math.hypot(one.x - other.x, one.y - other.y) < 0.1


def test_a_sketch_is_registered_to_a_ros_map(displaced: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = tmp_path / "seen.yaml"
    assert program(["map", "convert", "garden.xml", str(seen), "--resolution", "0.05"]) == 0
    capsys.readouterr()
    assert main("register", str(displaced), str(seen)) == 0
    assert "turn -30" in capsys.readouterr().out.replace("-29.9", "-30")


def test_what_cannot_be_registered_is_told(displaced: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("register", str(displaced), "office.map") != 0
    assert "objects" in capsys.readouterr().err
    assert main("register", str(displaced), "garden.xml", "--out", str(tmp_path / "x.map")) == 255
    assert "a garden ends with" in capsys.readouterr().err
