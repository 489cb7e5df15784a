"""A simulation in process, as a user's program sees it."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

import mobilesim_py as ms
from mobilesim_py.core.engines.engine import CompiledEngine


def test_a_map_and_a_model_are_given_by_their_names() -> None:
    sim = ms.Simulation("office.map", seed=1, noise=False)
    robot = sim.add_robot("p3dx", pose=(2.0, 6.0, 0.0))
    robot.drive(0.3)
    sim.run(5.0)
    assert sim.time == pytest.approx(5.0)
    assert robot.pose.x == pytest.approx(3.35, abs=0.05)
    assert robot.odometry.x == pytest.approx(robot.pose.x - 2.0)


def test_sonar_and_laser_are_on() -> None:
    robot = ms.Simulation("office.map").add_robot("p3dx")
    assert robot.laser.shape == (181,)
    assert robot.sonar.shape == (16,)
    assert 0.0 < robot.laser.min() < robot.laser.max() <= 32.8


def test_robots_without_a_pose_stand_apart_and_have_names_of_their_own() -> None:
    sim = ms.Simulation("office.map")
    robots = [sim.add_robot("p3dx") for _ in range(3)]
    assert [robot.name for robot in robots] == ["p3dx", "p3dx_002", "p3dx_003"]
    assert robots[0].pose == ms.home_of(sim.world)
    places = np.array([(robot.pose.x, robot.pose.y) for robot in robots])
    assert min(np.hypot(*(places[i] - places[k])) for i in range(3) for k in range(i)) > 0.5


def test_robots_in_copies_of_the_world_start_at_the_same_place_and_do_not_meet() -> None:
    sim = ms.Simulation("office.map", copies=2, noise=False)
    here, there = (sim.add_robot("p3dx", copy=copy) for copy in (0, 1))
    assert here.pose == there.pose
    assert np.array_equal(here.laser, there.laser)


def test_without_a_map_the_world_is_empty() -> None:
    robot = ms.Simulation(noise=False).add_robot("p3dx")
    assert robot.pose == ms.Pose()
    assert robot.laser.min() > 30.0


def test_a_map_that_is_not_there_is_told_in_our_words() -> None:
    with pytest.raises(ms.MobileSimError, match="no such map file"):
        ms.Simulation("ofice.map")


def test_a_robot_without_a_laser_has_no_scan() -> None:
    assert len(ms.Simulation().add_robot("amigo").laser) == 0


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="backwards"):
        ms.Simulation().run(-1.0)


def test_engines_are_chosen_by_name() -> None:
    assert isinstance(ms.Simulation(engine="compiled").engine, CompiledEngine)
    assert ms.Simulation(engine="numpy").engine.name == "numpy"
    with pytest.raises(ValueError, match='no engine "fast"'):
        ms.Simulation(engine="fast")


def test_a_snapshot_is_a_picture_that_shows_itself_and_can_be_saved(tmp_path) -> None:
    sim = ms.Simulation("office.map")
    sim.add_robot("p3dx")
    picture = sim.snapshot(size=300)
    assert max(Image.open(io.BytesIO(picture.png)).size) == 300
    assert picture._repr_png_() == picture.png
    assert picture.save(tmp_path / "office.png").read_bytes() == picture.png
    assert sim._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize("wrong", [{"dt": 0.0}, {"dt": float("nan")}, {"copies": 0}])
def test_a_simulation_that_makes_no_sense_is_told(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must take time"):
        ms.Simulation(**wrong)  # type: ignore[arg-type]


def test_a_picture_of_no_size_and_steps_backwards_are_told() -> None:
    sim = ms.Simulation()
    with pytest.raises(ValueError, match="pixels on its longer side"):
        sim.snapshot(size=-4)
    with pytest.raises(ValueError, match="backwards"):
        sim.step(-1)


def test_a_wish_that_is_no_number_is_refused() -> None:
    robot = ms.Simulation(noise=False).add_robot("p3dx")
    assert not robot.drive(float("nan"))
    assert not robot.turn(float("inf"))
    robot._simulation.step(3)
    assert robot.pose == ms.Pose()
