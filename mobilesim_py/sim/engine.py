"""The two engines behind one face, and the loading of the compiled one beside a running simulation."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from mobilesim_py.sim import vectorised
from mobilesim_py.sim.fields import Body, Laser
from mobilesim_py.sim.shapes import Shapes, SonarRings
from mobilesim_py.world.expand import IntArray
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Segments

SOMEBODY_COMPILES = 75
"""Exit code of a compiling process that found another one at work."""
MANY_LASERS = 150
"""From so many lasers on the scans are shared between two cores."""
_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
LONGEST_COMPILATION = 300.0
COMPILATION_POLL = 0.5


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

        def part(rows: slice) -> None:
            self._senses.scan(
                bodies, count, lasers, units[rows], seed, tick, ranges[rows], shine[rows], slant[rows],
                shapes.edges, shapes.starts, shapes.radius, grid.x0, grid.y0, grid.cell, grid.columns, grid.rows,
                grid.starts, grid.items, grid.lines, grid.kinds, grid.clearance,
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
        self._senses.ping(
            bodies, count, robots, seed, tick, ranges, rings.rays, rings.starts, rings.reach, rings.spread,
            shapes.edges, shapes.starts, shapes.radius,
            grid.x0, grid.y0, grid.cell, grid.columns, grid.rows, grid.starts, grid.items, grid.lines, grid.kinds,
            grid.clearance,
        )  # fmt: skip
        return ranges

    def warm_up(self) -> None:
        """Call every kernel once, so that it is compiled or read from the cache now and not in a tick."""
        from mobilesim_py.catalogue.model import Pose, SonarModel

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


def numba_problem() -> str:
    """Why there can be no compiled engine here; empty when there can."""
    if importlib.util.find_spec("numba") is None:
        return f"Numba is not installed for Python {platform.python_version()}"
    return ""


def cache_directory() -> Path:
    """Where the compiled code is kept: one folder for each version of the sources, of Numba and of Python."""
    room = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for source in (
        room / "compiled_motion.py", room / "compiled_senses.py", room / "law.py", room / "fields.py",
        room.parent / "world" / "walk.py", room.parent / "world" / "formulas.py",
    ):  # fmt: skip
        digest.update(source.read_bytes())
    digest.update(f"{sys.version} {platform.machine()} {_numba_version()}".encode())
    return _cache_root() / digest.hexdigest()[:16]


def _cache_root() -> Path:
    """The folder that was asked for, else the user's cache, else, without a home to write to, a temporary place."""
    if asked := os.environ.get("MOBILESIM_CACHE_DIR"):
        return Path(asked)
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mobilesim-py"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):
        pass
    import tempfile

    return Path(tempfile.gettempdir()) / f"mobilesim-py-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"


def _numba_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("numba")
    except PackageNotFoundError:
        return "none"


def is_cached() -> bool:
    """Whether the compiled code is on disk already."""
    return (cache_directory() / "complete").exists()


def load_compiled(compile_elsewhere: bool = True) -> CompiledEngine:
    """The compiled engine, ready to run. Takes about a second from the cache.

    With an empty cache another process compiles first: compiling here would hold the interpreter's lock and the memory.
    """
    directory = cache_directory()
    if compile_elsewhere and not is_cached():
        _compile_elsewhere()
    with contextlib.suppress(OSError):  # In a home that cannot be written to, compile in memory.
        directory.mkdir(parents=True, exist_ok=True)
    import numba

    # Its own way of telling whether cached code is stale looks at one file; ours at all that go into a kernel.
    numba.config.CACHE_DIR = str(directory)
    from mobilesim_py.sim import compiled_motion, compiled_senses

    engine = CompiledEngine(compiled_motion, compiled_senses)
    engine.warm_up()
    with contextlib.suppress(OSError):
        (directory / "complete").touch()
    return engine


def _compile_elsewhere() -> None:
    """Have the kernels compiled by another process, and wait until it, or whoever was at it already, has done so.

    It goes on when we end before it does: the next start finds the cache filled.
    """
    command = [sys.executable, "-m", "mobilesim_py.sim.engine"]
    path = os.pathsep.join([str(Path(__file__).resolve().parents[2]), *filter(None, sys.path)])
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    child.wait()
    waited = 0.0
    while child.returncode == SOMEBODY_COMPILES and not is_cached() and waited < LONGEST_COMPILATION:
        time.sleep(COMPILATION_POLL)
        waited += COMPILATION_POLL


@contextlib.contextmanager
def _only_one() -> Iterator[bool]:
    """Whether we are the only process that compiles into this cache."""
    if sys.platform == "win32":
        yield True
        return
    import fcntl

    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock = open(directory / "lock", "w")  # noqa: SIM115  (held while the generator is)
    except OSError:
        yield True
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


def compile_into_cache() -> int:
    """Fill the cache, unless another process is at it; the exit code of the compiling process."""
    if hasattr(os, "sched_setscheduler"):
        # Only when nobody else wants the processor: the simulation goes on beside it.
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif hasattr(os, "nice"):
        os.nice(19)
    with _only_one() as alone:
        if not alone:
            return SOMEBODY_COMPILES
        load_compiled(compile_elsewhere=False)
    return 0


if __name__ == "__main__":
    sys.exit(compile_into_cache())
