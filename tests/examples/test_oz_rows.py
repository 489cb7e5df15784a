"""The row-following example: through the shipped fields, though shorter ones, without touching a crop."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from mobilesim_py.app.compiling import load_compiled
from mobilesim_py.formats.field.field_file import field_text, read_field
from mobilesim_py.net.door import Door
from mobilesim_py.protocols.naio import encode
from mobilesim_py.protocols.naio.hardware_packets import HaMotors
from mobilesim_py.resources import maps_dir
from mobilesim_py.testing import NullModem, Stand
from mobilesim_py.world.plants import PlantKind

MAIN = 5559
PATH = Path(__file__).parents[2] / "examples" / "oz_rows.py"
FIELDS = {"level1.field": 0, "leeks.field": 0, "cabbages.field": 0, "hard.field": 3}
"""How many crops the example may touch."""
SHORT = 5.0


def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("oz_rows", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["oz_rows"] = module
    spec.loader.exec_module(module)
    return module


oz_rows: Any = _example()


class Follower(NullModem):
    """The example's brain at the end of a null modem."""

    def __init__(self, door: Door, clock: Callable[[], float], *, keeps: bool = True) -> None:
        self.oz = oz_rows.Oz()
        self.answer = b""
        super().__init__(door, clock, keeps=keeps)

    def took(self, now: float, data: bytes) -> None:
        self.answer += self.oz.hear(data)

    def say(self) -> None:
        self.send(self.answer)
        self.answer = b""


@pytest.mark.parametrize("name", FIELDS)
def test_it_follows_rows_and_turns_into_the_next_one(name: str, tmp_path: Path) -> None:
    plan, _ = read_field(maps_dir() / name)
    path = tmp_path / name
    path.write_text(field_text(replace(plan, rows=3, length=SHORT)))
    stand = Stand("-m", str(path), "-r", "oz")
    stand.program.use_engine(load_compiled())
    follower = stand.doors.connect(stand.doors.at(MAIN), Follower)
    while not follower.oz.done and stand.simulation.time < 150.0:
        stand.step()
        follower.say()
    plants = stand.simulation.world.plants
    crops = plants.is_flat & np.isin(plants.kind, [PlantKind.LEEK, PlantKind.CABBAGE])
    assert (follower.oz.done, follower.oz.aisles) == (True, 2)
    assert int(crops.sum()) <= FIELDS[name]
    assert stand.robots[0].pose.y == pytest.approx(-2 * plan.width, abs=0.15), "it stands before the third aisle"


def test_its_packets_are_those_of_the_protocol() -> None:
    data = oz_rows.packet(oz_rows.MOTORS, bytes([100, 156]))
    assert data == encode(HaMotors(100, -100))
    stream = bytearray(b"??" + data[:5])
    assert list(oz_rows.packets(stream)) == []
    stream += data[5:] + data
    assert list(oz_rows.packets(stream)) == [(1, bytes([100, 156]))] * 2
    assert not stream


def test_it_tells_when_there_are_no_rows() -> None:
    oz = oz_rows.Oz()
    nothing = oz_rows.packet(oz_rows.LIDAR, bytes(813))
    oz.hear(nothing)
    oz.hear(nothing)
    assert (oz.done, oz.aisles) == (True, 0)
