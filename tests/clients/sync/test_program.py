"""The real program beside the caller."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

import mobilesim_py as ms
from mobilesim_py.errors import EmulationError, MapError, PortError, UsageError

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def sim() -> Iterator[ms.RunningSimulator]:
    with ms.start("office.map", robots=["p3dx:alpha", "p3at"], engine="numpy") as running:
        yield running


def test_robots_have_names_ports_and_true_poses(sim: ms.RunningSimulator) -> None:
    assert list(sim.robots()) == ["alpha", "p3at"]
    assert sim.port() == sim.ports()["alpha"] != sim.port("p3at")
    assert sim.robot("p3at").model == "p3at"
    assert sim.pose() == sim.robot("alpha").pose
    with pytest.raises(UsageError, match='no robot "beta"; there are alpha, p3at'):
        sim.robot("beta")


def test_time_stands_still_is_stepped_and_goes_on(sim: ms.RunningSimulator) -> None:
    sim.pause()
    before = sim.time
    assert sim.step(7) == pytest.approx(before + 0.7)
    assert sim.time == pytest.approx(before + 0.7)
    sim.resume()
    sim.speed("max")
    assert sim.state()["speed"] == "max"
    sim.speed(1.0)


def test_a_robot_is_placed_but_not_into_a_wall(sim: ms.RunningSimulator) -> None:
    sim.pause()
    assert sim.place(3.0, 6.0, 1.0) == ms.Pose(3.0, 6.0, 1.0)
    with pytest.raises(UsageError):
        sim.place(0.0, 0.0)
    sim.resume()


def test_robots_come_and_go_and_maps_change(sim: ms.RunningSimulator) -> None:
    added = sim.add_robot("amigo", "guest", ms.Pose(8.0, 6.0, 0.0))
    assert sim.ports()["guest"] == added.port
    sim.remove_robot("guest")
    assert "guest" not in sim.robots()
    sim.load_map("building.map")
    assert sim.state()["map"].endswith("building.map")
    sim.load_map("office.map")


def test_a_snapshot_is_a_picture(sim: ms.RunningSimulator) -> None:
    assert sim.snapshot(size=200).png.startswith(b"\x89PNG")
    assert sim._repr_png_().startswith(b"\x89PNG")


def test_lines_of_the_log_can_be_waited_for(sim: ms.RunningSimulator) -> None:
    assert "MobileSim version" in sim.wait_for_log("MobileSim version")
    assert any("alpha" in line for line in sim.log())
    with pytest.raises(TimeoutError, match='has not said "something else"'):
        sim.wait_for_log("something else", timeout=0.01)


def test_a_map_that_is_missing_is_told_with_the_programs_sentence() -> None:
    with pytest.raises(MapError, match=r"nowhere\.map: no such map file"):
        ms.start("nowhere.map")


def test_a_port_that_is_taken_is_told_with_the_programs_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(PortError, match="port"):
        ms.start(nomap=True, bind_to_address="127.0.0.1", port=taken.getsockname()[1])


def test_an_exit_code_can_be_waited_for_and_nothing_is_left() -> None:
    threads = threading.active_count()
    simulator = ms.start(nomap=True, engine="numpy")
    with pytest.raises(TimeoutError, match="has not ended"):
        simulator.wait(0.01)
    assert simulator.exit_code is None
    assert simulator.stop() == simulator.exit_code == 0
    assert threading.active_count() == threads
    with pytest.raises(EmulationError, match="exit code 0"):
        simulator.robots()


def test_without_its_api_it_cannot_be_operated() -> None:
    with pytest.raises(UsageError, match="no_web would turn off"):
        ms.start(nomap=True, no_web=True)
