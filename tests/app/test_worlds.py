"""Another map while it runs: one after the other, and everybody is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.app.worlds import Done, Work, Worlds, run_now
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.errors import MobileSimError
from mobilesim_py.services.service import WorldChange, WorldChangeKind
from mobilesim_py.world.world import empty_world


class Bench:
    """Worlds whose loads end when the test says so."""

    def __init__(self, directory: Path) -> None:
        self.told: list[WorldChange] = []
        self.simulation = Simulation(empty_world())
        self.worlds = Worlds(self.simulation, Log(), self.told.append, directory=directory)
        self.worlds.run_beside = self._later
        self._waiting: list[Callable[[], None]] = []

    def _later(self, work: Work, done: Done) -> None:
        self._waiting.append(lambda: run_now(work, done))

    def finish_one(self) -> None:
        self._waiting.pop(0)()

    @property
    def kinds(self) -> list[str]:
        return [f"{change.kind.value} {change.name}" for change in self.told]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    for name in ("one.map", "two.map"):
        (tmp_path / name).write_text(
            f'2D-Map\nLineMinPos: 0 0\nLineMaxPos: 5000 5000\nNumLines: 1\nCairn: Goal 0 0 0 "" ICON "{name}"\n'
            "LINES\n0 0 5000 5000\nDATA\n"
        )
    return Bench(tmp_path)


def test_loads_end_in_the_order_in_which_they_were_asked_for(bench: Bench) -> None:
    bench.worlds.load("one.map")
    bench.worlds.load("two.map", by_user=True)
    assert bench.worlds.is_loading
    bench.finish_one()
    assert bench.kinds == ["loaded one.map"]
    bench.finish_one()
    assert bench.kinds == ["loaded one.map", "loaded two.map"]
    assert [change.by_user for change in bench.told] == [False, True]
    assert not bench.worlds.is_loading


def test_leaving_the_map_waits_for_its_turn_and_everybody_is_told(bench: Bench) -> None:
    ended: list[MobileSimError | None] = []
    bench.worlds.load("one.map")
    bench.worlds.leave(by_user=True, then=ended.append)
    assert bench.told == []
    bench.finish_one()
    assert bench.kinds == ["loaded one.map", "left "]
    assert bench.told[-1].by_user
    assert ended == [None]
    assert not bench.simulation.world.has_map, "the later wish is in force"


def test_after_leaving_the_same_map_is_loaded_again(bench: Bench) -> None:
    for _ in range(2):
        bench.worlds.load("one.map")
        bench.finish_one()
    bench.worlds.leave()
    bench.worlds.load("one.map")
    bench.finish_one()
    assert bench.kinds == ["loaded one.map", "unchanged one.map", "left ", "loaded one.map"]


def test_of_a_failed_load_the_map_in_force_and_the_asker_are_told(bench: Bench) -> None:
    asker: Any = SimpleNamespace(robot=SimpleNamespace(name="r1"))
    errors: list[MobileSimError | None] = []
    bench.worlds.load("one.map")
    bench.finish_one()
    bench.worlds.load("nowhere.map", asked_by=asker, then=errors.append)
    bench.finish_one()
    assert bench.told[-1] == WorldChange(WorldChangeKind.FAILED, "one.map", False, asker)
    assert "nowhere.map" in str(errors[0])
    assert bench.simulation.world.has_map
    assert not bench.worlds.is_loading


def test_a_map_master_is_obeyed_until_it_lets_go(bench: Bench) -> None:
    bench.worlds.load("one.map", master=True)
    bench.finish_one()
    bench.worlds.load("two.map")
    assert not bench.worlds.is_loading
    bench.worlds.clear_master()
    bench.worlds.load("two.map")
    bench.finish_one()
    assert bench.kinds == ["loaded one.map", "loaded two.map"]
