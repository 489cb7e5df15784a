"""A simulation in process, without sockets, clock or command line: for notebooks, tests and training loops.

sim = Simulation("office.map", seed=1)
robot = sim.add_robot("p3dx")
robot.drive(0.3)
sim.run(5.0)
robot.pose, robot.laser
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from mobilesim_py.app.map_files import find_map
from mobilesim_py.app.roster import Roster
from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.core.simulation import OdometryError
from mobilesim_py.core.simulation import Simulation as Core
from mobilesim_py.formats.format import load_world
from mobilesim_py.geometry import Pose
from mobilesim_py.names import MODEL, unique_name
from mobilesim_py.view.pictures.moment import take
from mobilesim_py.view.pictures.picture import Picture
from mobilesim_py.view.pictures.snapshot import DEFAULT_SIZE, LARGEST_SIZE, SMALLEST_SIZE, png_of
from mobilesim_py.world.start import StartRule, first_place
from mobilesim_py.world.world import World, empty_world

if TYPE_CHECKING:
    from mobilesim_py.catalogue.model import RobotModel
    from mobilesim_py.core.drives.wheels import WheelDrive
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.world.grid import Grid

Place = Pose | tuple[float, float] | tuple[float, float, float]
"""A pose, or x, y and perhaps the heading [m, rad]."""


class Simulation(Core):
    """Robots and boxes in a world that is given by the name of its map; nothing happens but by `step` and `run`."""

    def __init__(
        self,
        world: World | str | os.PathLike[str] | None = None,
        *,
        dt: float = 0.1,
        seed: int = 0,
        noise: bool = True,
        odometry_error: OdometryError | str = OdometryError.RANDOM_EACH_UPDATE,
        engine: Engine | str | None = None,
        grid: Grid | None = None,
        copies: int = 1,
        catalogue: Catalogue | None = None,
    ) -> None:
        """Load a map, found as the program finds it (MapError); without any the world is empty.

        `engine` may be `"numpy"` or `"compiled"`, whose first use on a machine takes about a minute.
        """
        if not 0.0 < dt < math.inf or copies < 1:
            raise ValueError(f"a step must take time (not {dt:g} s), and there must be a copy of the world (not {copies})")
        place = world if isinstance(world, World) else _load(world)
        super().__init__(
            place,
            dt=dt,
            seed=seed,
            noise=noise,
            odometry_error=OdometryError(odometry_error),
            engine=_engine(engine) if isinstance(engine, str) else engine,
            grid=grid,
            copies=copies,
        )
        self._catalogue = catalogue

    @property
    def catalogue(self) -> Catalogue:
        """The robot models that there are."""
        if self._catalogue is None:
            self._catalogue = Catalogue.load()
        return self._catalogue

    def add_robot(
        self,
        model: RobotModel | str,
        name: str = "",
        pose: Place | None = None,
        *,
        wheels: WheelDrive | None = None,
        copy: int = 0,
    ) -> Robot:
        """Add a robot, with its sonar and lasers on; without a pose it starts at home, or next to it if that is taken."""
        facts = self.catalogue.find(model) if isinstance(model, str) else model
        taken = {thing.name for thing in self.things}
        start = _pose(pose) if pose is not None else self._free_place(facts, copy)
        robot = super().add_robot(facts, unique_name(name or facts.name, taken, MODEL), start, wheels=wheels, copy=copy)
        robot.sonar_on = True
        for laser in robot.lasers:
            laser.on = True
        return robot

    def step(self, ticks: int = 1) -> None:
        """Let some steps of `dt` seconds pass."""
        if ticks < 0:
            raise ValueError(f"time does not run backwards: {ticks} steps")
        super().step(ticks)

    def run(self, seconds: float) -> None:
        """Let simulated time pass [s], in whole steps."""
        if seconds < 0.0:
            raise ValueError(f"time does not run backwards: {seconds:g} s")
        self.step(round(seconds / self.dt))

    def snapshot(self, size: int = DEFAULT_SIZE, *, laser: bool = True, sonar: bool = False, labels: bool = True) -> Picture:
        """Return a picture of this moment, `size` pixels on its longer side; a notebook shows it."""
        if not SMALLEST_SIZE <= size <= LARGEST_SIZE:
            raise ValueError(f"a picture has {SMALLEST_SIZE} to {LARGEST_SIZE} pixels on its longer side, not {size}")
        if laser or sonar:
            self.sense()
        return Picture(png_of(take(self, laser=laser, sonar=sonar, labels=labels), size))

    def _repr_png_(self) -> bytes:
        """Let a notebook show it."""
        return self.snapshot().png

    def _free_place(self, model: RobotModel, copy: int) -> Pose:
        rule = StartRule()
        if not any(thing.copy == copy for thing in self.robots):
            return first_place(self.world, rule)
        return Roster(self, rule, self.seed).start_pose(model)


def _load(world: str | os.PathLike[str] | None) -> World:
    return empty_world() if world is None else load_world(find_map(os.fspath(world)))


def _engine(name: str) -> Engine:
    from mobilesim_py.core.engines.engine import NumpyEngine

    if name == "numpy":
        return NumpyEngine()
    if name != "compiled":
        raise ValueError(f'there is no engine "{name}": there are "numpy" and "compiled"')
    from mobilesim_py.app.compiling import load_compiled

    return load_compiled()


def _pose(place: Place) -> Pose:
    return place if isinstance(place, Pose) else Pose(*place)
