"""What the benchmarks share: grounds, runs that several of them look at, and the figures found so far."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import places
from benchmarks.figures import ENGINES, Figures, Part, RayRate
from benchmarks.load import Crowd, Measurement
from benchmarks.places import Ground, PlaceOnMap
from benchmarks.server import Server

ROBOT, BARE_ROBOT = "p3dx-sh", "p3dx-nolaser"


@dataclass(frozen=True)
class Sizes:
    """Durations and numbers of robots; the tests use tiny ones."""

    settle: float = 1.5
    window: float = 3.5
    few: int = 25
    many: int = 100
    held: dict[str, int] = field(default_factory=lambda: {"compiled": 1000, "numpy": 150})
    growth: tuple[int, int] = (50, 200)
    starts: int = 5
    replies: int = 150
    flat_seconds: float = 20.0
    flat_speed: str = "max"
    busy_seconds: float = 1.0
    ray_robots: tuple[int, ...] = (1, 25, 100)
    checked_robots: int = 3
    first_limit: float = 150.0
    learners: int = 256


TINY = Sizes(
    settle=0.3,
    window=0.5,
    few=2,
    many=3,
    held={"compiled": 4, "numpy": 3},
    growth=(2, 3),
    starts=1,
    replies=5,
    flat_seconds=1.0,
    busy_seconds=0.05,
    ray_robots=(2,),
    checked_robots=1,
    learners=2,
)


class Workshop:
    """The state of one run of the benchmarks."""

    def __init__(self, folder: Path, sizes: Sizes | None = None, engines: tuple[str, ...] = ENGINES) -> None:
        self.folder = folder
        self.sizes = sizes or Sizes()
        self.engines = engines
        self.figures: Figures = {}
        self.rays: list[RayRate] = []
        self.parts: list[Part] = []
        self.notes: list[str] = []
        self._grounds: dict[str, Ground] = {}
        self._runs: dict[object, Measurement] = {}

    def found(self, key: str, engine: str, value: float) -> None:
        """Record a figure."""
        self.figures.setdefault(key, {})[engine] = value

    def say(self, text: str) -> None:
        """Print progress."""
        print(f"  {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)

    def _ground(self, name: str, write: Callable[[Path], Ground]) -> Ground:
        if name not in self._grounds:
            self._grounds[name] = write(self.folder)
        return self._grounds[name]

    @property
    def building(self) -> Ground:
        """The map that most benchmarks use."""
        return self._ground("building", places.write_building)

    @property
    def hall(self) -> Ground:
        """Room for a thousand."""
        return self._ground("hall", places.write_hall)

    @property
    def empty_room(self) -> Ground:
        """Nothing but robots."""
        return self._ground("empty room", places.write_empty_room)

    def clients(
        self,
        engine: str,
        count: int,
        ground: Ground,
        *,
        laser: bool,
        where: tuple[PlaceOnMap, ...] | None = None,
        model: str = ROBOT,
    ) -> Measurement:
        """Measure robots of one model, each with a client, in their own simulator; cached."""
        key = (engine, count, ground.name, laser, where, model)
        if key not in self._runs:
            self.say(f"{engine} engine, {count} robots {'with' if laser else 'without'} laser, {ground.name}")
            with self.server(engine, count, ground, model) as server:
                server.wait_until_listening()
                with Crowd(server, count, places=where or ground.places, laser=laser) as crowd:
                    crowd.run(self.sizes.settle)
                    self._runs[key] = crowd.measure(self.sizes.window)
        return self._runs[key]

    def server(self, engine: str, count: int, ground: Ground, model: str = ROBOT, *words: str) -> Server:
        """Start a simulator with a number of robots."""
        return Server("--map", str(ground.map), *["--robot", model] * count, "--engine", engine, *words, ports=count)
