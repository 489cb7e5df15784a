"""What robots drive over lies flat, stakes stand, and a restored world stands again."""

from __future__ import annotations

from mobilesim_py.core.engines.engine import Engine
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.world.plants import PlantKind, Plants
from mobilesim_py.world.world import Bounds, World
from tests.core.conftest import make_model


def field() -> World:
    """Return a row of leeks along the x axis with a stake at its end, and one leek beside it."""
    kinds = [PlantKind.LEEK, PlantKind.LEEK, PlantKind.STAKE, PlantKind.LEEK]
    return World("field", Bounds(-9, -9, 9, 9), plants=Plants.build([0.8, 1.2, 3.0, 0.8], [0.0, 0.0, 0.0, 1.0], kinds))


def test_plants_under_a_robot_lie_flat_and_stakes_stop_it(engine: Engine) -> None:
    simulation = Simulation(field(), engine=engine, noise=False)
    robot = simulation.add_robot(make_model(devices=(), size=(0.5, 0.4)), "r")
    robot.drive(0.5)
    simulation.step(5)
    assert simulation.trampling.count == 0
    for _ in range(100):
        simulation.step()
    assert simulation.world.plants.is_flat.tolist() == [True, True, False, False]
    assert simulation.trampling.count == 2
    assert robot.stalled, "at the stake"
    assert robot.pose.x < 2.8


def test_a_restored_world_stands_again(engine: Engine) -> None:
    simulation = Simulation(field(), engine=engine, noise=False)
    robot = simulation.add_robot(make_model(devices=(), size=(0.5, 0.4)), "r")
    robot.drive(0.5)
    for _ in range(60):
        simulation.step()
    simulation.restore_world()
    assert not simulation.world.plants.is_flat.any()
    assert simulation.trampling.count == 0


def test_a_robot_that_stands_tramples_nothing(engine: Engine) -> None:
    simulation = Simulation(field(), engine=engine)
    simulation.add_robot(make_model(devices=(), size=(0.5, 0.4)), "r").place(0.8, 0.0, 0.0)
    simulation.step(20)
    assert simulation.trampling.count == 0


def test_a_small_rock_that_is_driven_over_stays_as_it_is_and_does_not_count(engine: Engine) -> None:
    rock = Plants.build([0.8], [0.0], [PlantKind.ROCK], [0.03], [0.04])
    world = World("field", Bounds(-9, -9, 9, 9), plants=rock)
    simulation = Simulation(world, engine=engine, noise=False)
    simulation.add_robot(make_model(devices=(), size=(0.5, 0.4)), "r").drive(0.5)
    for _ in range(40):
        simulation.step()
    assert simulation.trampling.count == 0
    assert simulation.world is world
