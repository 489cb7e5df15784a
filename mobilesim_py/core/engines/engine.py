"""The two engines behind one face."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from mobilesim_py.core.engines.numpy import motion as vectorised
from mobilesim_py.core.engines.numpy.expand import IntArray
from mobilesim_py.core.fields import Body, Laser
from mobilesim_py.core.shapes import Shapes, SonarRings
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Segments, Stops

MANY_LASERS = 150
"""From so many lasers on the scans are shared between two cores."""
_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Engine(Protocol):
    """What moves and senses for all robots. Both engines give the same numbers."""

    name: str

    def advance(
        self, bodies: FloatArray, count: int, dt: float, ticks: int, seed: int, tick: int, shapes: Shapes, grid: Grid
    ) -> None:
        """Some ticks of motion, in place."""

    def scan(
        self, bodies: FloatArray, count: int, lasers: FloatArray, units: IntArray, seed: int, tick: int,
        shapes: Shapes, grid: Grid,
    ) -> tuple[FloatArray, ByteArray, FloatArray]:  # fmt: skip
        """Ranges, reflectances and cosines of incidence of each of the lasers `units`."""

    def ping(
        self, bodies: FloatArray, count: int, robots: IntArray, seed: int, tick: int, rings: SonarRings,
        shapes: Shapes, grid: Grid,
    ) -> FloatArray:  # fmt: skip
        """Sonar ranges of each of the `robots`."""


class NumpyEngine:
    """All robots at once, in NumPy."""

    name = "numpy"
    advance = staticmethod(vectorised.advance)
    scan = staticmethod(vectorised.scan)
    ping = staticmethod(vectorised.ping)


class CompiledEngine:
    """One robot after the other, in machine code."""

    name = "compiled"

    def __init__(self, motion: Any, senses: Any) -> None:
        self._motion = motion
        self._senses = senses
        self._helper: ThreadPoolExecutor | None = None
        self._plan = np.zeros((6, 16))

    def advance(
        self, bodies: FloatArray, count: int, dt: float, ticks: int, seed: int, tick: int, shapes: Shapes, grid: Grid
    ) -> None:
        """Some ticks of motion, in place."""
        if self._plan.shape[1] < count:
            self._plan = np.zeros((6, bodies.shape[1]))
        self._motion.advance(
            bodies, count, dt, ticks, seed, tick, self._plan, shapes.edges, shapes.starts, shapes.radius, shapes.stride,
            grid.x0, grid.y0, grid.cell, grid.columns, grid.rows, grid.starts, grid.lines, grid.kinds, grid.clearance,
        )  # fmt: skip

    def scan(
        self, bodies: FloatArray, count: int, lasers: FloatArray, units: IntArray, seed: int, tick: int,
        shapes: Shapes, grid: Grid,
    ) -> tuple[FloatArray, ByteArray, FloatArray]:  # fmt: skip
        """Ranges, reflectances and cosines of incidence of each of the lasers `units`."""
        shape = (len(units), int(lasers[Laser.COUNT, units].max()) if len(units) else 0)
        ranges, shine, slant = np.zeros(shape), np.zeros(shape, np.uint8), np.zeros(shape)
        sight = grid.sight(int(Stops.LASER))

        def part(rows: slice) -> None:
            self._senses.scan(
                bodies, count, lasers, units[rows], seed, tick, ranges[rows], shine[rows], slant[rows],
                shapes.edges, shapes.starts, shapes.radius, grid.x0, grid.y0, grid.cell, grid.columns, grid.rows,
                sight.words, sight.runs, sight.blocks, sight.reflectance, grid.starts, grid.items, grid.lines, grid.kinds,
            )  # fmt: skip

        if len(units) < MANY_LASERS or _CORES < 2:
            part(slice(None))
        else:
            # Kernels hold no lock: a second core takes half of the lasers.
            half = len(units) // 2
            if self._helper is None:
                self._helper = ThreadPoolExecutor(1, "senses")
            other = self._helper.submit(part, slice(half, None))
            part(slice(half))
            other.result()
        return ranges, shine, slant

    def ping(
        self, bodies: FloatArray, count: int, robots: IntArray, seed: int, tick: int, rings: SonarRings,
        shapes: Shapes, grid: Grid,
    ) -> FloatArray:  # fmt: skip
        """Sonar ranges of each of the `robots`."""
        ring = bodies[Body.SONAR, robots].astype(np.int64)
        most = int(((rings.starts[ring + 1] - rings.starts[ring]) // rings.spread[ring]).max()) if len(ring) else 0
        ranges = np.zeros((len(robots), most))
        sight = grid.sight(int(Stops.SONAR))
        self._senses.ping(
            bodies, count, robots, seed, tick, ranges, rings.rays, rings.starts, rings.reach, rings.spread,
            shapes.edges, shapes.starts, shapes.radius,
            grid.x0, grid.y0, grid.cell, grid.columns, grid.rows, sight.words, sight.runs, sight.blocks,
        )  # fmt: skip
        return ranges

    def warm_up(self) -> None:
        """Call every kernel once, so that it is compiled or read from the cache now and not in a tick."""
        from mobilesim_py.catalogue.model import SonarModel
        from mobilesim_py.geometry import Pose

        shapes, rings = Shapes(), SonarRings()
        shapes.add((((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)),))
        rings.add(SonarModel(transducers=(Pose(),)))
        grid = Grid.build(Segments.build([[1.0, -1.0, 1.0, 1.0]]))
        bodies, lasers = np.zeros((len(Body), 4)), np.zeros((len(Laser), 2))
        lasers[Laser.COUNT], lasers[Laser.INCREMENT], lasers[Laser.RANGE_MAX] = 1.0, 0.1, 2.0
        one = np.zeros(1, np.int64)
        self.advance(bodies, 1, 0.1, 1, 0, 0, shapes, grid)
        self.scan(bodies, 1, lasers, one, 0, 0, shapes, grid)
        self.ping(bodies, 1, one, 0, 0, rings, shapes, grid)
