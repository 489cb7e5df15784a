"""The compiled engine: the one place where kernels are called.

A kernel takes the fields of its tables one by one; `native.kernel` takes the tables apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from mobilesim_py.core.devices.imu_rows import Felt, Imu
from mobilesim_py.core.devices.laser import Laser
from mobilesim_py.core.devices.sonar import Sonar, SonarRings
from mobilesim_py.core.fields import Body, Plan
from mobilesim_py.core.scene import Hits, IntArray, Rays, RingTable, Scene, Wedges
from mobilesim_py.core.shapes import Shapes
from mobilesim_py.geometry import Pose
from mobilesim_py.native.machine_code import Kernels
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Segments, Stops

if TYPE_CHECKING:
    from mobilesim_py.core.cameras.view import View

_FOR_LASER, _FOR_SONAR = int(Stops.LASER), int(Stops.SONAR)
MANY_LASERS = 150
"""From so many lasers on the scans are shared between two cores."""
_MORE_CELLS = 8
"""The index of bodies by place has at most so many cells more than there are bodies."""
KERNELS = {
    "advance": "motion",
    "scan": "laser",
    "ping": "sonar",
    "feel": "inertial",
    "cast": "rays",
    "nearest": "wedges",
    "paint": "painting",
}
"""The kernels, and the modules beside this one that they are compiled from."""
_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def kernel_functions() -> dict[str, Any]:
    """Return the kernels as Numba compiles them; imports Numba."""
    package = __name__.rpartition(".")[0]
    return {name: getattr(import_module(f"{package}.{module}"), name) for name, module in KERNELS.items()}


class CompiledEngine:
    """One robot after the other, in machine code."""

    name = "compiled"

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels
        """Gives compiled functions by name, also those that are none of the engine's."""
        self._advance, self._scan, self._scan_rest, self._ping, self._feel, self._cast, self._nearest, self._paint = map(
            kernels, ("advance", "scan", "scan", "ping", "feel", "cast", "nearest", "paint")
        )
        self._helper: ThreadPoolExecutor | None = None
        self._plan = np.zeros((len(Plan), 16 + _MORE_CELLS))

    def advance(self, scene: Scene, ticks: int) -> None:
        """Let some ticks of motion pass, in place."""
        bodies, count = scene.bodies, scene.population
        if self._plan.shape[1] < count + _MORE_CELLS:
            self._plan = np.zeros((len(Plan), bodies.shape[1] + _MORE_CELLS))
        self._advance(bodies, count, scene.dt, ticks, scene.seed, scene.tick, self._plan, scene.shapes, scene.ground)

    def scan(
        self, scene: Scene, lasers: FloatArray, units: IntArray, width: int
    ) -> tuple[FloatArray, ByteArray, FloatArray]:
        """Return ranges, reflectances and cosines of incidence of each of the lasers `units`."""
        bodies, count, seed, tick = scene.bodies, scene.population, scene.seed, scene.tick
        shape = (len(units), width)
        ranges, shine, slant = np.zeros(shape), np.zeros(shape, np.uint8), np.zeros(shape)
        sight = scene.grid.sight(_FOR_LASER)
        tables = (sight.reflectance, scene.shapes, scene.ground, sight.table)

        def part(scan: Callable[..., None], rows: slice) -> None:
            scan(bodies, count, seed, tick, lasers, units[rows], ranges[rows], shine[rows], slant[rows], *tables)

        if len(units) < MANY_LASERS or _CORES < 2:
            part(self._scan, slice(None))
        else:
            # Kernels hold no lock: a second core takes half of the lasers.
            half = len(units) // 2
            if self._helper is None:
                self._helper = ThreadPoolExecutor(1, "senses")
            other = self._helper.submit(part, self._scan_rest, slice(half, None))
            part(self._scan, slice(half))
            other.result()
        return ranges, shine, slant

    def ping(self, scene: Scene, rings: RingTable, sonars: FloatArray, units: IntArray, width: int) -> FloatArray:
        """Return the ranges of each of the sonar rings `units`."""
        ranges = np.zeros((len(units), width))
        sight = scene.grid.sight(_FOR_SONAR)
        tables = (scene.shapes, scene.frame, sight.table, rings)
        self._ping(scene.bodies, scene.population, scene.seed, scene.tick, sonars, units, ranges, *tables)
        return ranges

    def feel(self, scene: Scene, imus: FloatArray, units: IntArray) -> FloatArray:
        """Return what each of the inertial units `units` feels."""
        felt = np.empty((len(units), len(Felt)))
        self._feel(scene.bodies, scene.dt, scene.seed, scene.tick, imus, units, felt)
        return felt

    def cast(self, scene: Scene, rays: Rays, mask: int) -> Hits:
        """Return what each ray meets first of all that stops what `mask` says (bits of `Stops`)."""
        count = len(rays.x)
        distance = np.array(rays.reach, np.float64)
        hits = Hits(distance, np.empty(count, np.int64), np.empty(count, np.uint8), np.empty(count))
        sight = scene.grid.sight(mask)
        tables = (scene.shapes, scene.ground, sight.table)
        met = np.empty(count, np.int32)
        self._cast(scene.bodies, scene.population, mask, sight.reflectance, met, *_plain(rays), *hits, *tables)
        return hits

    def nearest(self, scene: Scene, wedges: Wedges, mask: int) -> FloatArray:
        """Return how far the nearest thing in each wedge is that stops what `mask` says; its reach where there is none."""
        best = np.empty(len(wedges.x))
        self._nearest(scene.bodies, scene.population, mask, best, *_plain(wedges), scene.shapes, scene.ground)
        return best

    def paint(self, view: View) -> ByteArray:
        """Return what a camera sees: a Bayer mosaic (GBRG), height x width."""
        eye = view.eye
        picture = np.empty((eye.height, eye.width), np.uint8)
        depths = np.empty((eye.height, eye.width), np.float32)
        optics = np.array([eye.focal, *eye.centre, np.sin(eye.pitch), np.cos(eye.pitch)])
        self._paint(picture, depths, *view[1:7], *view.facets, view.sprites, view.looks, optics)
        return picture

    def exercise(self) -> None:
        """Call every kernel once, with arguments such as it always has."""
        from mobilesim_py.catalogue.model import SonarModel
        from mobilesim_py.core.cameras.optics import Eye
        from mobilesim_py.core.cameras.view import look
        from mobilesim_py.world.world import empty_world

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
        self.feel(scene, np.zeros((len(Imu), 2)), one)
        zero = np.zeros(1)
        self.cast(scene, Rays(zero, zero, zero + 1.0, zero, zero + 2.0, one), _FOR_LASER)
        self.nearest(scene, Wedges(zero, zero, zero, zero + 0.1, zero + 2.0, one), _FOR_LASER)
        self.paint(look(empty_world(), Eye(0.0, 0.0, 1.0, 0.0, 0.3, 10.0, 8, 8), 1.0))


def _plain(places: Rays | Wedges) -> tuple[FloatArray | IntArray, ...]:
    """Return arrays of the one layout that kernels are compiled for."""
    *numbers, carrier = places
    return (*(np.ascontiguousarray(a, np.float64) for a in numbers), np.ascontiguousarray(carrier, np.int64))
