"""Benchmarks of garden robots: what a tick of their computers costs in a garden of 30 x 20 m with cells of 5 cm."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.inside import engine_named
from benchmarks.workshop import Workshop
from mobilesim_py.garden.goals import SimpleGoal
from mobilesim_py.services.garden.service import garden_of
from mobilesim_py.testing import Stand

GOALS = ((12.0, 1.2), (26.0, 1.2), (26.0, 11.8), (21.2, 18.5), (6.0, 18.5), (0.9, 10.0))
"""Places around the maze."""
TICKS_PER_SECOND = 300
"""Ticks that are measured for each second that a benchmark may take."""


def garden(shop: Workshop) -> None:
    """Measure ticks on the way around the maze of hedges: odometry, localisation, grid, looking ahead, following."""
    for name in shop.engines:
        shop.say(f"garden robot, {name} engine")
        ticks = _ticks(name, round(TICKS_PER_SECOND * shop.sizes.busy_seconds))
        shop.found("garden_tick", name, 1000.0 * float(np.mean(ticks)))
        shop.found("garden_tick99", name, 1000.0 * float(np.percentile(ticks, 99.0)))


def _ticks(engine: str, count: int) -> list[float]:
    """Return the processor time of each tick [s], without those in which a plan is made: these are made beside."""
    stand = Stand("-m", "hedges.garden", "-r", "trimbot")
    stand.program.use_engine(engine_named(engine))
    service = garden_of(stand.program)
    assert service is not None
    (vehicle,) = service.vehicles.values()
    found: list[float] = []
    goals = 0
    while len(found) < count:
        stand.simulation.step()
        gardener = vehicle.gardener
        if not gardener.is_busy and not gardener.waiting:
            gardener.go(SimpleGoal(*GOALS[goals % len(GOALS)]))
            goals += 1
        before = gardener.navigator.plans, gardener.state
        began = time.process_time()
        vehicle.tick(stand.simulation.time)
        if (gardener.navigator.plans, gardener.state) == before:
            found.append(time.process_time() - began)
    return found
