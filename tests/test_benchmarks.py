"""The benchmarks run, in sizes that mean nothing, and say what they found."""

from __future__ import annotations

import json
import platform
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import crowds, moments, places, report
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.figures import BY_KEY, COMPILED, NUMPY, ROWS, Part, RayRate
from benchmarks.inside import engine_named, repeat, simulation_of
from benchmarks.load import Measurement, intervals, rate, share
from benchmarks.raycast import brute_force, worst_error
from benchmarks.workshop import TINY, Workshop
from mobilesim_py.app.compiling import cache_directory, load_compiled
from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.formats.armap.reader import read_map
from mobilesim_py.formats.armap.world import build_world


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path, TINY, (NUMPY,))


def measurement(**changes: float) -> Measurement:
    values = {
        "clients": 10,
        "seconds": 4.0,
        "cpu_seconds": 0.2,
        "memory_mb": 50.0,
        "slowest_rate": 10.0,
        "mean_rate": 10.0,
        "typical_interval": 0.1,
        "late_interval": 0.11,
        "longest_interval": 0.12,
        "readings_per_sip": 181.0,
        "bad_bytes": 0,
    }
    return Measurement(**{**values, **changes})  # type: ignore[arg-type]


# The ground


def test_the_building_is_as_large_and_as_full_as_a_scanned_map(tmp_path: Path) -> None:
    ground = places.write_building(tmp_path)
    armap = read_map(ground.map)
    assert 450 <= len(armap.lines) <= 500
    assert len(armap.points) == 60_000
    world = build_world(armap)
    assert world.bounds.width < 30
    assert world.bounds.height < 55
    assert len(ground.places) >= 150


def test_the_hall_has_room_for_a_thousand(tmp_path: Path) -> None:
    ground = places.write_hall(tmp_path)
    assert (len(ground.places), ground.points) == (1000, 60_000)


@pytest.mark.parametrize("ground", ["building", "hall", "empty_room"])
def test_robots_can_stand_on_every_place(ground: str, shop: Workshop) -> None:
    chosen: places.Ground = getattr(shop, ground)
    simulation = simulation_of(engine_named(NUMPY), chosen, 150)
    simulation.step(20)
    assert not any(robot.stalled for robot in simulation.robots)


def test_a_crowd_is_close_together_and_does_not_touch(tmp_path: Path) -> None:
    spots = np.array(places.crowd_in_one_room(places.write_empty_room(tmp_path), 100))[:, :2]
    apart = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) + 1e9 * np.eye(100)
    assert apart.min() == places.STANDING_ROOM
    assert np.ptp(spots, axis=0).max() < 7000


# The rays


def test_the_brute_force_agrees_with_the_engine(shop: Workshop) -> None:
    simulation = simulation_of(engine_named(NUMPY), shop.building, 4, laser=True, noise=False)
    assert worst_error(simulation, 4) < 1e-9


def test_the_brute_force_would_notice_a_wrong_range(shop: Workshop) -> None:
    simulation = simulation_of(engine_named(NUMPY), shop.building, 2, laser=True, noise=False)
    simulation.readings(LASER).ranges[0, 77] += 1e-6
    assert worst_error(simulation, 2) == pytest.approx(1e-6, rel=1e-3)


def test_the_brute_force_sees_other_robots(shop: Workshop) -> None:
    simulation = simulation_of(engine_named(NUMPY), shop.building, 2, laser=True, noise=False)
    first, second = simulation.robots
    before = brute_force(simulation, first)
    pose = first.pose
    second.place(pose.x + 0.8 * np.cos(pose.heading), pose.y + 0.8 * np.sin(pose.heading), 0.0)
    assert brute_force(simulation, first).min() < min(1.0, float(before.min()))


# What is made of a measurement


def test_cost_is_for_each_second_of_simulated_time() -> None:
    assert measurement().cpu_ms_per_robot_second == pytest.approx(5.0)
    assert measurement(mean_rate=5.0).cpu_ms_per_robot_second == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("change", "held"), [({}, True), ({"slowest_rate": 9.8}, False), ({"late_interval": 0.16}, False)], ids=str
)
def test_ten_hertz_are_held_when_everybody_gets_them_in_time(change: dict[str, float], held: bool) -> None:
    assert measurement(**change).held is held


def test_intervals_and_shares() -> None:
    assert intervals([1.0, 2.0, 4.0]) == [1.0, 2.0]
    assert share([1.0, 2.0, 3.0, 4.0], 0.5) == 3.0
    assert share([1.0, 2.0, 3.0, 4.0], 1.0) == 4.0


def test_repeat_counts_work_for_a_second() -> None:
    assert repeat(lambda: sum(range(1000)), 0.01) > 100


# The real process


@pytest.mark.e2e
def test_clients_are_served_and_counted(shop: Workshop) -> None:
    run = shop.clients(NUMPY, 3, shop.building, laser=True)
    assert run.readings_per_sip == pytest.approx(181.0, abs=40)
    assert run.bad_bytes == 0
    assert run.mean_rate > 3.0
    assert 0.0 < run.cpu_seconds < run.seconds * 2
    assert run.memory_mb > 20
    assert shop.clients(NUMPY, 3, shop.building, laser=True) is run


@pytest.mark.e2e
@pytest.mark.parametrize("name", [name for name in BENCHMARKS if name != "first"])
def test_every_benchmark_runs(name: str, shop: Workshop) -> None:
    BENCHMARKS[name](shop)
    assert shop.figures or shop.rays or shop.parts
    assert set(shop.figures) <= set(BY_KEY)
    assert all(value >= 0.0 for key, row in shop.figures.items() for value in row.values() if key != "grown")


@pytest.mark.e2e
def test_the_first_start_is_watched_until_the_engine_is_there(tmp_path: Path) -> None:
    """With the user's own cache, for compiling takes longer than a test should."""
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    load_compiled()
    shop = Workshop(tmp_path, TINY, (COMPILED,))
    moments.first_start(shop, cache_directory().parent)
    assert shop.figures["first_gap"][COMPILED] > 0.0
    assert shop.figures["first_ready"][COMPILED] > 0.0


def test_numbers_that_cannot_be_held_are_lowered(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def clients(engine: str, count: int, ground: object, *, laser: bool) -> Measurement:
        asked.append(count)
        rate = min(10.0, 10.0 * 500 / count)
        return measurement(clients=count, mean_rate=rate, slowest_rate=rate)

    shop.sizes = replace(TINY, held={NUMPY: 1000})
    monkeypatch.setattr(shop, "clients", clients)
    crowds.held(shop)
    assert asked == [1000, 480]
    assert shop.figures["held"][NUMPY] == 480


# The report


def test_the_table_marks_what_is_not_reached() -> None:
    text = report.table({"laser100": {COMPILED: 1.0, NUMPY: 3.0}}, {"laser100": {COMPILED: 1.5}})
    line = text.splitlines()[1]
    assert line.split() == ["the", "same,", "100", "robots", "ms", "7.4-8.2", "1.00", "!", "0.50", "1.50", "3.00", "4.00"]


@pytest.mark.parametrize(("key", "value", "factor"), [("laser100", 1.0, 2.0), ("held", 500.0, 2.0), ("held", 2000.0, 0.5)])
def test_a_miss_is_told_as_a_factor(key: str, value: float, factor: float) -> None:
    assert BY_KEY[key].distance(COMPILED, value) == pytest.approx(factor)


def test_every_row_has_a_key_of_its_own() -> None:
    assert len(BY_KEY) == len(ROWS)


def test_results_are_kept_beside_what_was_measured_before(tmp_path: Path) -> None:
    empty: dict[str, object] = {"rays": [], "parts": [], "notes": []}
    report.keep({"figures": {"start": {COMPILED: 0.5}, "reply": {COMPILED: 1.0}}, **empty}, tmp_path)
    report.keep({"figures": {"start": {COMPILED: 0.4}}, **empty}, tmp_path)
    assert report.load(report.LATEST, tmp_path)["figures"] == {"start": {COMPILED: 0.4}, "reply": {COMPILED: 1.0}}
    assert report.load(report.PREVIOUS, tmp_path)["figures"]["start"] == {COMPILED: 0.5}


def test_a_broken_results_file_is_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / report.LATEST).write_text("{")
    assert report.load(report.LATEST, tmp_path)["figures"] == {}


def test_the_docs_get_the_figures_between_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    page.write_text(f"# Speed\n{report.BEGIN}\nyesterday\n{report.END}\nmore\n")
    whole = {
        "when": "2020-01-01 10:00",
        "machine": "2 cores",
        "figures": {"start": {COMPILED: 0.5}, "held": {COMPILED: 900.0}},
        "rays": [vars(RayRate(NUMPY, "hall", 1, 2e6, 0.0))],
        "parts": [vars(Part(COMPILED, 100, "motion", 0.5))],
        "notes": ["a note"],
    }
    report.write_docs(whole, page)
    text = page.read_text()
    assert text.startswith("# Speed\n")
    assert text.endswith(f"{report.END}\nmore\n")
    assert "yesterday" not in text
    assert "**900**" in text
    assert "2.00" in text
    assert "- a note" in text


def test_the_shipped_page_has_a_place_for_figures() -> None:
    text = report.DOCS.read_text()
    assert text.index(report.BEGIN) < text.index(report.END)


@pytest.mark.parametrize(("busy", "sentences"), [(0.05, 0), (0.5, 1)])
def test_figures_from_a_busy_machine_say_so(busy: float, sentences: int) -> None:
    whole = {"figures": {}, "rays": [], "parts": [], "notes": [], "busy_before": busy}
    assert report.markdown(whole).count("Others used 50%") == sentences


def test_the_machine_is_named_by_its_kind_only() -> None:
    assert platform.node() not in report.machine().split()
    assert "cores" in report.machine()


# The command


def test_an_unknown_benchmark_is_refused_with_the_names_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["raycasts"])
    assert "raycast," in capsys.readouterr().err


def test_single_benchmarks_are_printed_beside_the_run_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert main(["raycast", "--engine", NUMPY, "--tiny", "--results", str(tmp_path)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("numpy ")]
    assert [len(line) for line in lines] == [6, 6, 7, 7]
    assert json.loads((tmp_path / report.LATEST).read_text())["rays"][0]["robots"] == 2


def test_a_rate_does_not_depend_on_where_the_time_was_cut() -> None:
    arrivals = [10.0 + 0.1 * k for k in range(1, 36)]
    assert rate(10.0, arrivals, 3.5) == pytest.approx(10.0)
    assert rate(10.0, arrivals[:34], 3.5) == pytest.approx(10.0)
    assert rate(10.0, arrivals[:25], 3.5) == pytest.approx(25 / 3.4)
    assert rate(None, arrivals, 3.5) == pytest.approx(10.0)
    assert rate(10.0, [], 3.5) == 0.0
