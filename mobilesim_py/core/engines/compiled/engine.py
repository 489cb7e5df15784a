"""The compiled engine: the one place where kernels are called.

A kernel takes the fields of its tables one by one: Numba needs longer to unpack a named tuple than a body to move.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mobilesim_py.core.cameras.view import View
from mobilesim_py.core.devices.laser import Laser
from mobilesim_py.core.devices.sonar import Sonar, SonarRings
from mobilesim_py.core.fields import Body, Plan
from mobilesim_py.core.scene import Hits, IntArray, Rays, RingTable, Scene, Wedges
from mobilesim_py.core.shapes import Shapes
from mobilesim_py.geometry import Pose
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Segments, Stops

_FOR_LASER, _FOR_SONAR = int(Stops.LASER), int(Stops.SONAR)
MANY_LASERS = 150
"""From so many lasers on the scans are shared between two cores."""
_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class CompiledEngine:
    """One robot after the other, in machine code. Making one imports Numba."""

    name = "compiled"

    def __init__(self) -> None:
        from mobilesim_py.core.engines.compiled import laser, motion, rays, sonar, wedges

        self._advance: Any = motion.advance
        self._scan: Any = laser.scan
        self._ping: Any = sonar.ping
        self._cast: Any = rays.cast
        self._nearest: Any = wedges.nearest
        self._paint: Any = None
        self._helper: ThreadPoolExecutor | None = None
        self._plan = np.zeros((len(Plan), 16))

    def advance(self, scene: Scene, ticks: int) -> None:
        """Let some ticks of motion pass, in place."""
        bodies, count = scene.bodies, scene.population
        if self._plan.shape[1] < count:
            self._plan = np.zeros((len(Plan), bodies.shape[1]))
        self._advance(bodies, count, scene.dt, ticks, scene.seed, scene.tick, self._plan, *scene.shapes, *scene.ground)

    def scan(
        self, scene: Scene, lasers: FloatArray, units: IntArray, width: int
    ) -> tuple[FloatArray, ByteArray, FloatArray]:
        """Return ranges, reflectances and cosines of incidence of each of the lasers `units`."""
        bodies, count, seed, tick = scene.bodies, scene.population, scene.seed, scene.tick
        shape = (len(units), width)
        ranges, shine, slant = np.zeros(shape), np.zeros(shape, np.uint8), np.zeros(shape)
        sight = scene.grid.sight(_FOR_LASER)
        tables = (sight.reflectance, *scene.shapes, *scene.ground, sight.words, sight.runs, sight.blocks)

        def part(rows: slice) -> None:
            self._scan(bodies, count, seed, tick, lasers, units[rows], ranges[rows], shine[rows], slant[rows], *tables)

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

    def ping(self, scene: Scene, rings: RingTable, sonars: FloatArray, units: IntArray, width: int) -> FloatArray:
        """Return the ranges of each of the sonar rings `units`."""
        ranges = np.zeros((len(units), width))
        sight = scene.grid.sight(_FOR_SONAR)
        tables = (*scene.shapes, *scene.frame, sight.words, sight.runs, sight.blocks, *rings)
        self._ping(scene.bodies, scene.population, scene.seed, scene.tick, sonars, units, ranges, *tables)
        return ranges

    def cast(self, scene: Scene, rays: Rays, mask: int) -> Hits:
        """Return what each ray meets first of all that stops what `mask` says (bits of `Stops`)."""
        count = len(rays.x)
        distance = np.array(rays.reach, np.float64)
        hits = Hits(distance, np.empty(count, np.int64), np.empty(count, np.uint8), np.empty(count))
        sight = scene.grid.sight(mask)
        tables = (*scene.shapes, *scene.ground, sight.words, sight.runs, sight.blocks)
        met = np.empty(count, np.int32)
        self._cast(scene.bodies, scene.population, mask, sight.reflectance, met, *_plain(rays), *hits, *tables)
        return hits

    def nearest(self, scene: Scene, wedges: Wedges, mask: int) -> FloatArray:
        """Return how far the nearest thing in each wedge is that stops what `mask` says; its reach where there is none."""
        best = np.empty(len(wedges.x))
        self._nearest(scene.bodies, scene.population, mask, best, *_plain(wedges), *scene.shapes, *scene.ground)
        return best

    def paint(self, view: View) -> ByteArray:
        """Return what a camera sees: a Bayer mosaic (GBRG), height x width."""
        if self._paint is None:
            # Most programs have no camera: they do not wait for this kernel.
            from mobilesim_py.core.engines.compiled import painting

            self._paint = painting.paint
        eye = view.eye
        picture = np.empty((eye.height, eye.width), np.uint8)
        depths = np.empty((eye.height, eye.width), np.float32)
        optics = np.array([eye.focal, *eye.centre, np.sin(eye.pitch), np.cos(eye.pitch)])
        self._paint(picture, depths, *view[1:7], *view.facets, view.sprites, view.looks, optics)
        return picture

    def warm_up(self) -> None:
        """Call every kernel once, so that it is compiled or read from the cache now and not in a tick."""
        from mobilesim_py.catalogue.model import SonarModel

        shapes, rings = Shapes(), SonarRings()
        shapes.add((((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)),))
        rings.add(SonarModel(transducers=(Pose(),)))
        grid = Grid.build(Segments.build([[1.0, -1.0, 1.0, 1.0]]))
        bodies, lasers = np.zeros((len(Body), 4)), np.zeros((len(Laser), 2))
        lasers[Laser.COUNT], lasers[Laser.INCREMENT], lasers[Laser.RANGE_MAX] = 1.0, 0.1, 2.0
        one = np.zeros(1, np.int64)
        scene = Scene(bodies, 1, 0.1, 0, 0, shapes.table, grid)
        self.advance(scene, 1)
        self.scan(scene, lasers, one, 1)
        self.ping(scene, rings.table, np.zeros((len(Sonar), 2)), one, 1)
        zero = np.zeros(1)
        self.cast(scene, Rays(zero, zero, zero + 1.0, zero, zero + 2.0, one), _FOR_LASER)
        self.nearest(scene, Wedges(zero, zero, zero, zero + 0.1, zero + 2.0, one), _FOR_LASER)


def _plain(places: Rays | Wedges) -> tuple[FloatArray | IntArray, ...]:
    """Return arrays of the one layout that kernels are compiled for: another one would be compiled anew, in a tick."""
    *numbers, carrier = places
    return (*(np.ascontiguousarray(a, np.float64) for a in numbers), np.ascontiguousarray(carrier, np.int64))
