"""Benchmarks of the core without clients: simulated seconds per second."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from benchmarks.figures import NUMPY
from benchmarks.places import Ground
from benchmarks.workshop import ROBOT, Workshop
from mobilesim_py.app.compiling import load_compiled
from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.formats.format import load_world
from mobilesim_py.geometry import Pose
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.world import World

_worlds: dict[str, tuple[World, Grid]] = {}


def engine_named(name: str) -> Engine:
    """Return the engine of this name."""
    return NumpyEngine() if name == NUMPY else load_compiled()


def simulation_of(
    engine: Engine, ground: Ground, robots: int, *, laser: bool = False, sonar: bool = False, noise: bool = True
) -> Simulation:
    """Return a simulation of robots that turn on the spot."""
    key = str(ground.map)
    if key not in _worlds:
        world = load_world(ground.map)
        _worlds[key] = world, Grid.build(world.segments)
    world, grid = _worlds[key]
    simulation = Simulation(world, engine=engine, grid=grid, seed=1, noise=noise)
    model = Catalogue.load().find(ROBOT)
    for number, (x, y, heading) in enumerate(ground.places[:robots]):
        robot = simulation.add_robot(model, f"robot{number}", Pose(x / 1000.0, y / 1000.0, math.radians(heading)))
        robot.turn(math.radians(20))
        robot.sonar_on = sonar
        if laser:
            robot.lasers[0].configure(-math.pi / 2, math.pi / 2, math.radians(1))
            robot.lasers[0].on = True
    return simulation


def repeat(work: Callable[[], object], seconds: float) -> float:
    """Measure how often something can be done in a second.

    Of processor time and real time the shorter counts: the one does not run on while others have the processor, the other
    does not count twice what two threads do at once.
    """
    work()
    cpu, wall, times, passed = time.process_time(), time.perf_counter(), 0, 0.0
    while passed < seconds:
        for _ in range(4):
            work()
        times += 4
        passed = min(time.process_time() - cpu, time.perf_counter() - wall)
    return times / passed


def inside(shop: Workshop) -> None:
    """Measure one robot and ten, moving only, with sonar, and with laser and sonar."""
    for name in shop.engines:
        engine = engine_named(name)
        shop.say(f"{name} engine, in process")
        for key, robots, laser, sonar in (
            ("one", 1, False, False),
            ("one_sonar", 1, False, True),
            ("one_laser", 1, True, True),
            ("ten_laser", 10, True, True),
        ):
            simulation = simulation_of(engine, shop.building, robots, laser=laser, sonar=sonar)

            def step(simulation: Simulation = simulation, senses: bool = laser or sonar) -> None:
                simulation.step()
                if senses:
                    simulation.sense()

            shop.found(key, name, repeat(step, shop.sizes.busy_seconds) * simulation.dt)
