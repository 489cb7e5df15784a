"""A profile of a tick: its parts, timed one by one in process, with clients that discard what they receive."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from benchmarks.figures import Part
from benchmarks.inside import engine_named
from benchmarks.load import setup_bytes
from benchmarks.workshop import ROBOT, Workshop
from mobilesim_py.protocols.arcos.client import SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.services.pioneer.service import PioneerService
from mobilesim_py.testing import Stand

STEPS = 60


class Stopwatch:
    """Accumulates the CPU time of functions."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function with timing."""

        def measured(*words: Any, **names: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*words, **names)
            finally:
                self.seconds[name] = self.seconds.get(name, 0.0) + time.thread_time() - began

        return measured


def stand_with_clients(shop: Workshop, engine: str, robots: int, laser: bool = True) -> Stand:
    """Return a stand with robots at the building's places and clients that only listen."""
    stand = Stand("--map", str(shop.building.map), *["--robot", ROBOT] * robots, "--no-gui")
    stand.program.use_engine(engine_named(engine))
    for number, robot in enumerate(stand.robots):
        client = stand.dial(robot, keeps=False)
        client.send(*SYNCS, setup_bytes(shop.building.places[number], laser) + command(Command.ROTATE, 20))
    return stand


def profile(shop: Workshop) -> None:
    """Measure the parts of a tick for many robots; the rest of the cost is the event loop, sockets and commands."""
    robots = shop.sizes.many
    for engine in shop.engines:
        shop.say(f"{engine} engine, parts of a tick")
        stand = stand_with_clients(shop, engine, robots)
        program, service = stand.program, stand.program.services[0]
        assert isinstance(service, PioneerService)
        watch = Stopwatch()
        used: Any = program.simulation.engine
        for _ in range(5):
            stand.step()
        for name, text in (("advance", "motion"), ("scan", "laser rays"), ("ping", "sonar rays")):
            setattr(used, name, watch.timed(text, getattr(used, name)))
        service.fleet.pack = watch.timed("packing SIPs and scans", service.fleet.pack)
        whole = watch.timed("the whole step", program.clock.step)
        for _ in range(STEPS):
            whole()
        total = watch.seconds.pop("the whole step")
        watch.seconds["the rest of the step, in Python"] = total - math.fsum(watch.seconds.values())
        run = shop.clients(engine, robots, shop.building, laser=True)
        per_step = 1e6 / STEPS / robots
        for name, seconds in watch.seconds.items():
            shop.parts.append(Part(engine, robots, name, seconds * per_step))
        wire = 100.0 * run.cpu_ms_per_robot_second - total * per_step
        shop.parts.append(Part(engine, robots, "sockets, event loop, waking up", max(0.0, wire)))
