"""Benchmarks of navigation: a plan through 400 x 400 cells, and what twenty robots on their way add to a step."""

from __future__ import annotations

import random
import time

import numpy as np

from benchmarks.figures import NUMPY
from benchmarks.inside import engine_named, repeat
from benchmarks.workshop import Workshop
from mobilesim_py.geometry import FloatArray
from mobilesim_py.navigation.ground import Scenery, Walls
from mobilesim_py.navigation.planning import Goal, make_plan
from mobilesim_py.navigation.search import PlainSearcher, Searcher, searcher
from mobilesim_py.services.navigation.service import navigation_of
from mobilesim_py.testing import Stand
from mobilesim_py.world.world import Bounds

SIDE = 18.0
"""With the margin about it a world of this size has 400 x 400 cells [m]."""
CRATES = 60
ROBOTS = 20
RADIUS = 0.32
STEPS_PER_SECOND = 40
"""Steps that are measured for each second that a benchmark may take."""


def crates() -> FloatArray:
    """Return the edges of crates that stand about [m], but not in two opposite corners."""
    draw = random.Random(3)
    found: list[tuple[float, float, float, float]] = []
    while len(found) < 4 * CRATES:
        x, y, size = draw.uniform(0, SIDE), draw.uniform(0, SIDE), draw.uniform(0.3, 1.2)
        if 2.0 < x + y < 2.0 * SIDE - 4.0:
            found += [
                (x, y, x + size, y),
                (x + size, y, x + size, y + size),
                (x + size, y + size, x, y + size),
                (x, y + size, x, y),
            ]
    return np.array(found)


def navigation(shop: Workshop) -> None:
    """Measure plans from corner to corner, the costmap made anew, and robots under way in an office."""
    for name in shop.engines:
        shop.say(f"navigation, {name} engine")
        shop.found("navigation_plan", name, 1000.0 * _plan_seconds(name, shop.sizes.busy_seconds))
        shop.found("navigation_tick", name, 1000.0 * _tick_seconds(name, shop.sizes.busy_seconds))


def _plan_seconds(engine: str, seconds: float) -> float:
    """Return the processor time of a plan [s]."""
    searches: Searcher = PlainSearcher() if engine == NUMPY else searcher()
    segments, bounds = crates(), Bounds(0.0, 0.0, SIDE, SIDE)

    def plan() -> None:
        made = make_plan(Scenery(Walls(bounds, segments)), RADIUS, (0.5, 0.5), Goal(SIDE - 0.5, SIDE - 0.5), searches)
        assert made.refusal is None, made.why

    if engine != NUMPY:
        return 1.0 / repeat(plan, seconds)
    began = time.process_time()
    plan()  # about a second: once is enough
    return time.process_time() - began


def _tick_seconds(engine: str, seconds: float) -> float:
    """Return the processor time that twenty robots under way add to a step, without their plans [s]."""
    robots = [word for number in range(ROBOTS) for word in ("-r", f"p3dx:r{number}")]
    stand = Stand("--navigate", "-m", "office.map", "--start", "random", *robots)
    stand.program.use_engine(engine_named(engine))
    navigation = navigation_of(stand.program)
    assert navigation is not None
    draw, bounds = random.Random(4), stand.simulation.world.bounds
    planned = 0.0
    run_beside = stand.program.worlds.run_beside

    def timed(work: object, done: object) -> None:
        nonlocal planned
        began = time.thread_time()
        run_beside(work, done)  # type: ignore[arg-type]
        planned += time.thread_time() - began

    stand.program.worlds.run_beside = timed
    for robot in stand.robots:
        navigation.pilots.go(robot, Goal(draw.uniform(bounds.min_x, bounds.max_x), draw.uniform(bounds.min_y, bounds.max_y)))
    steps = max(10, int(STEPS_PER_SECOND * seconds))
    passed = planned = 0.0
    for _ in range(steps):
        stand.simulation.step()
        began = time.thread_time()
        navigation.tell(stand.time)
        passed += time.thread_time() - began
    return (passed - planned) / steps
