"""Another map while it runs: one after the other, and everybody is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mobilesim_py.app import worlds
from mobilesim_py.app.logs import Log
from mobilesim_py.app.worlds import Done, Work, Worlds, run_now
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.errors import MapError, MobileSimError
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


@pytest.mark.parametrize("error", [ZeroDivisionError("x / 0"), MemoryError(), RecursionError(), OverflowError("too large")])
def test_whatever_a_reader_stumbles_over_only_fails_the_load(
    error: Exception, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*arguments: Any) -> None:
        raise error

    errors: list[MobileSimError | None] = []
    bench.worlds.load("one.map")
    bench.finish_one()
    monkeypatch.setattr(worlds, "load_with_grid", stumble)
    bench.worlds.load("two.map", then=errors.append)
    bench.finish_one()
    assert bench.kinds == ["loaded one.map", "failed one.map"]
    assert "two.map" in str(errors[0])
    assert isinstance(errors[0], MapError)
    monkeypatch.undo()
    bench.worlds.load("two.map")
    bench.finish_one()
    assert bench.kinds[-1] == "loaded two.map"


def test_a_world_that_cannot_be_put_in_force_leaves_the_one_before(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.worlds.load("one.map")
    bench.finish_one()
    before, replace = bench.simulation.world, bench.simulation.replace_world

    def only_back(world: Any, grid: Any = None) -> None:
        if world is not before:
            raise MemoryError
        replace(world, grid)

    monkeypatch.setattr(bench.simulation, "replace_world", only_back)
    bench.worlds.load("two.map")
    bench.finish_one()
    assert bench.kinds == ["loaded one.map", "failed one.map"]
    assert bench.simulation.world is before


def client(name: str) -> Any:
    return SimpleNamespace(robot=SimpleNamespace(name=name))


def test_of_a_burst_of_one_client_the_load_under_way_and_the_latest_count(bench: Bench) -> None:
    impatient, patient = client("r1"), client("r2")
    for _ in range(10_000):
        bench.worlds.load("nowhere.map", asked_by=impatient)
    bench.worlds.load("one.map", asked_by=patient)
    bench.worlds.load("two.map", asked_by=impatient)
    for _ in range(3):
        bench.finish_one()
    assert bench.kinds == ["failed ", "loaded one.map", "loaded two.map"]
    assert not bench.worlds.is_loading


def test_the_wishes_of_a_client_end_with_it(bench: Bench) -> None:
    leaving, staying = client("r1"), client("r2")
    bench.worlds.load("one.map", asked_by=staying)
    bench.worlds.load("two.map", asked_by=leaving)
    bench.worlds.forget(leaving)
    bench.finish_one()
    assert bench.kinds == ["loaded one.map"]
    assert not bench.worlds.is_loading


def test_people_may_not_pile_up_loads_without_end(bench: Bench) -> None:
    errors: list[MobileSimError | None] = []
    for _ in range(worlds.MOST_WAITING + 2):
        bench.worlds.load("one.map", by_user=True, then=errors.append)
    assert [str(error) for error in errors] == ["32 loads wait already. Try again when they are done."]


def test_clients_load_maps_from_the_folders_that_are_theirs_only(bench: Bench, tmp_path: Path) -> None:
    asker: Any = SimpleNamespace(robot=SimpleNamespace(name="r1"))
    home = tmp_path / "home"
    (home / "below").mkdir(parents=True)
    text = (tmp_path / "one.map").read_text()
    (home / "below" / "mine.map").write_text(text)
    (home / "link.map").symlink_to(tmp_path / "two.map")
    worlds = Worlds(bench.simulation, Log(), bench.told.append, directory=home, folders=[home])
    errors: list[MobileSimError | None] = []
    for name in ("below/mine.map", "link.map", str(tmp_path / "one.map"), "../one.map"):
        worlds.load(name, asked_by=asker, then=errors.append)
    assert bench.kinds == ["loaded below/mine.map", *["failed below/mine.map"] * 3]
    assert all("see --map-dir" in str(error) for error in errors[1:])
    worlds.load(str(tmp_path / "two.map"), by_user=True)
    assert bench.kinds[-1].startswith("loaded"), "people at the page are no clients"
