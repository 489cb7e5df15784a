"""One garden robot in the core: odometry, localisation, the grid, and goals reached without touching anything."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from mobilesim_py.app.compiling import load_ready
from mobilesim_py.garden.occupancy import true_cells
from mobilesim_py.geometry import Pose, compose
from tests.services.garden.conftest import GardenStand

Make = Callable[..., GardenStand]


def apart(one: Pose, other: Pose) -> float:
    turned = abs(math.remainder(one.heading - other.heading, math.tau))
    return math.hypot(one.x - other.x, one.y - other.y) + turned


def test_map_to_odom_and_odom_lead_to_the_estimated_pose(make_stand: Make) -> None:
    stand = make_stand("--slam-noise", "0.03,1", "--slam-delay", "0.3", "--encoder-slip", "0.05,-0.02")
    stand.order("go", x=6.0, y=5.0)
    for _ in range(100):
        stand.step()
        vehicle = stand.vehicle
        assert apart(compose(vehicle.map_to_odom, vehicle.robot.odometry), vehicle.pose) < 1e-9
    assert apart(vehicle.pose, vehicle.robot.pose) < 0.3


def test_without_faults_the_estimate_is_the_true_pose(stand: GardenStand) -> None:
    stand.order("go", x=6.0, y=5.0)
    for _ in range(80):
        stand.step()
        assert apart(stand.vehicle.pose, stand.vehicle.robot.pose) < 1e-9


def test_encoder_slip_shows_in_the_odometry_and_not_in_the_true_pose(make_stand: Make) -> None:
    found = []
    for slip in ("0,0", "0.05,0"):
        stand = make_stand("--encoder-slip", slip)
        for _ in range(50):
            stand.vehicle.robot.roll(0.3, 0.3)
            stand.step()
        found.append((stand.vehicle.robot.pose, stand.vehicle.robot.odometry))
    (true, straight), (again, curved) = found
    assert true == again
    assert abs(straight.heading) < 0.005
    assert curved.heading == pytest.approx(-0.05 * 1.5 / 0.4, rel=0.05)


def test_the_odometry_is_quantised_by_the_encoders(stand: GardenStand) -> None:
    stand.vehicle.robot.roll(0.3, 0.3)
    for _ in range(10):
        stand.step()
        ticks = stand.vehicle.robot.odometry.x / 0.0005
        assert ticks == pytest.approx(round(ticks), abs=1e-6)


def test_a_reset_of_the_odometry_is_taken(stand: GardenStand) -> None:
    stand.vehicle.robot.roll(0.3, 0.2)
    stand.run(2.0)
    stand.vehicle.robot.set_odometry()
    stand.step()
    assert math.hypot(stand.vehicle.robot.odometry.x, stand.vehicle.robot.odometry.y) < 0.05
    assert apart(stand.vehicle.pose, stand.vehicle.robot.pose) < 1e-9


def test_cancel_brings_it_to_rest_within_half_a_second_and_a_new_goal_is_taken(stand: GardenStand) -> None:
    stand.order("go", x=12.0, y=5.0)
    stand.until(lambda: stand.speed > 0.35)
    stand.order("cancel")
    stand.run(0.5)
    assert stand.speed < 0.002
    assert not stand.gardener.is_busy
    stand.order("go", x=3.0, y=3.0)
    stand.until_ended()
    assert stand.gardener.ended[-1].outcome == "reached"


@pytest.mark.parametrize("garden", ["lawn.garden", "garden.xml", "hedges.garden"])
def test_random_goals_are_reached_without_a_touch_or_rejected_with_a_reason(make_stand: Make, garden: str) -> None:
    stand = make_stand(garden=garden)
    stand.program.use_engine(load_ready() or stand.simulation.engine)
    dice = random.Random(2)
    bounds = stand.simulation.world.bounds
    outcomes = []
    for number in range(2):
        heading = dice.uniform(-3.0, 3.0) if number % 2 else None
        x, y = dice.uniform(bounds.min_x, bounds.max_x), dice.uniform(bounds.min_y, bounds.max_y)
        stand.order("go", x=x, y=y, heading=heading)
        ended, began = stand.gardener.endings, stand.time
        while stand.gardener.endings == ended:
            stand.step()
            assert stand.vehicle.robot.contact is None
            assert stand.time - began < 400.0
        last, pose = stand.gardener.ended[-1], stand.vehicle.robot.pose
        outcomes.append(last.outcome)
        if last.outcome == "rejected":
            assert last.why
            assert stand.time - began <= 2.0
            continue
        assert last.outcome == "reached"
        assert math.hypot(pose.x - x, pose.y - y) <= 1.2
        if heading is not None:
            assert abs(math.remainder(pose.heading - heading, math.tau)) <= math.radians(5.0)
    assert "reached" in outcomes
    grid = stand.vehicle.occupancy
    truth, seen = true_cells(stand.simulation.world, grid.raster), grid.seen
    assert (truth[seen] == grid.occupied[seen]).mean() >= 0.98


def test_an_outage_in_mid_drive_stops_it_and_it_goes_on_afterwards(stand: GardenStand) -> None:
    stand.order("go", x=12.0, y=5.0)
    stand.until(lambda: stand.speed > 0.35)
    stand.order("cover", on=True)
    stand.run(2.0)
    assert stand.speed < 0.002
    assert stand.logged("The localisation has no fix: the vehicle stands and keeps its goal.") == 1
    stand.order("cover", on=False)
    stand.until_ended()
    assert stand.logged("The localisation is back") == 1
    assert stand.gardener.ended[-1].outcome == "reached"


def test_known_from_the_start_the_whole_grid_is_there_and_true(make_stand: Make) -> None:
    stand = make_stand("--slam", "known")
    grid = stand.vehicle.occupancy
    assert grid.seen.all()
    assert (grid.occupied == true_cells(stand.simulation.world, grid.raster)).all()


def test_a_box_that_nobody_drew_is_seen_and_driven_around(stand: GardenStand) -> None:
    stand.program.add_running("box", "crate", Pose(6.0, 5.0))
    stand.order("go", x=9.0, y=5.0)
    ended = stand.gardener.endings
    while stand.gardener.endings == ended:
        stand.step()
        assert stand.time < 200.0
        assert stand.vehicle.robot.contact is None
    assert stand.gardener.ended[-1].outcome == "reached"
