"""The services that a program can have: one row for each, from which those are made that its robots need."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mobilesim_py.app.options import Options
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.services.service import Service, Stage

LONGEST_STEP = 0.1
"""The step of a world without anybody who wants a shorter one [s]."""


@dataclass(frozen=True)
class ServiceRow:
    """How to make a service, and which robots are its own."""

    name: str
    make: Callable[[Stage, Options], Service]
    serves: Callable[[RobotModel], bool]
    """Whether the clients of a model's robots speak its protocol; the first row that says so has them."""
    step: float = LONGEST_STEP
    """The longest step that its robots can do with [s]."""
    is_always_there: bool = False
    """Whether it is there without any robot of its own, because some may be added later or clients need none."""
    wanted: Callable[[Options], bool] = lambda options: False
    """Whether the options ask for it, whatever robots there are."""


def _pioneers(stage: Stage, options: Options) -> Service:
    from mobilesim_py.services.pioneer.service import PioneerService

    return PioneerService(stage, options)


def _ozes(stage: Stage, options: Options) -> Service:
    from mobilesim_py.services.oz.service import OzService

    return OzService(stage, options)


def _ros(stage: Stage, options: Options) -> Service:
    from mobilesim_py.app.ros import make_service

    return make_service(stage, options)


def _navigation(stage: Stage, options: Options) -> Service:
    from mobilesim_py.services.navigation.service import NavigationService

    return NavigationService(stage, options)


def _gardens(stage: Stage, options: Options) -> Service:
    from mobilesim_py.services.garden.service import GardenService

    return GardenService(stage, options)


def _lasers(stage: Stage, options: Options) -> Service:
    from mobilesim_py.services.lasers.service import LaserService

    return LaserService(stage, options)


def _wants_ros(options: Options) -> bool:
    return (
        options.ros1 is not None
        or options.rosbridge is not None
        or options.ros2
        or options.foxglove is not None
        or options.mcap is not None
        or options.web
    )


SERVICES: tuple[ServiceRow, ...] = (
    # First: ROS brings its goals to it.
    ServiceRow("Navigation", _navigation, serves=lambda model: False, wanted=lambda options: options.navigate),
    # Before ROS, so that every state of a master is told.
    ServiceRow("TrimBot", _gardens, serves=lambda model: model.protocol == "trimbot"),
    ServiceRow("ROS", _ros, serves=lambda model: False, wanted=_wants_ros),
    ServiceRow("NAIO01", _ozes, serves=lambda model: model.protocol == "naio", step=0.02),
    # Drivers of these lasers give up when there is no scan for 100 ms.
    ServiceRow("Lasers", _lasers, serves=lambda model: False, step=0.02, wanted=lambda options: bool(options.laser_servers)),
    # Last: it takes every robot that nobody else has taken.
    ServiceRow("ARCOS", _pioneers, serves=lambda model: not model.is_box, is_always_there=True),
)


_PLAIN = Options()


def row_of(model: RobotModel, rows: Iterable[ServiceRow]) -> ServiceRow | None:
    """Return the row whose service has the robots of a model."""
    return next((row for row in rows if row.serves(model)), None)


def rows_for(models: Iterable[RobotModel], rows: Iterable[ServiceRow], options: Options = _PLAIN) -> tuple[ServiceRow, ...]:
    """Return the rows of the services that a program with these models and options needs."""
    rows = tuple(rows)
    needed = [row_of(model, rows) for model in models]
    return tuple(row for row in rows if row.is_always_there or row in needed or row.wanted(options))


def step_for(rows: Iterable[ServiceRow]) -> float:
    """Return the step with which all of these can do [s]."""
    return min((row.step for row in rows), default=LONGEST_STEP)
