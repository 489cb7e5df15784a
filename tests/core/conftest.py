"""Worlds, models and engines for the tests of the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mobilesim_py.app.compiling import load_compiled
from mobilesim_py.catalogue.model import BodyModel, DeviceModel, DriveModel, LaserModel, RobotModel, SonarModel
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import AxisTriple, Pose
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.world import Bounds, World

OCTAGON = ((0.25, 0.1), (0.1, 0.2), (-0.1, 0.2), (-0.25, 0.1), (-0.25, -0.1), (-0.1, -0.2), (0.1, -0.2), (0.25, -0.1))

FOUR_SONAR = SonarModel(tuple(Pose(0.0, 0.0, a) for a in (0.0, 1.5707963267948966, 3.141592653589793, -1.5707963267948966)))
FOUR_SONAR_AND_LASER = (FOUR_SONAR, LaserModel("laser"))


def make_model(devices: tuple[DeviceModel, ...] = FOUR_SONAR_AND_LASER, **changes: Any) -> RobotModel:
    """Make a small robot with a ring of four sonar and a laser; `changes` are of its body or its drive."""
    body: dict[str, Any] = {"outline": (OCTAGON,), "footprint": (OCTAGON,)}
    drive: dict[str, Any] = {"odometry_error": AxisTriple(0.01, 0.01, 0.01)}
    for name, value in changes.items():
        (body if name in BodyModel.__dataclass_fields__ else drive)[name] = value
    return RobotModel("tester", BodyModel(**body), DriveModel(**drive), devices)


def make_world(*segments: tuple[float, float, float, float]) -> World:
    """A world of these walls."""
    return World("test", Bounds(-10, -10, 10, 10), Segments.build(segments) if segments else Segments.empty())


def square(half: float) -> tuple[tuple[float, float, float, float], ...]:
    """Four walls about the origin."""
    return ((-half, -half, half, -half), (half, -half, half, half), (half, half, -half, half), (-half, half, -half, -half))


@pytest.fixture(scope="session")
def compiled_engine() -> Engine:
    """The compiled engine; there is none only where Numba cannot be installed."""
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    return load_compiled()


@pytest.fixture(params=["numpy", "compiled"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Both engines, one after the other."""
    if request.param == "numpy":
        return NumpyEngine()
    chosen: Engine = request.getfixturevalue("compiled_engine")
    return chosen


@pytest.fixture
def simulate(engine: Engine) -> Callable[..., Simulation]:
    """Make a noiseless simulation of some walls on the engine under test."""

    def make(*segments: tuple[float, float, float, float], **options: object) -> Simulation:
        return Simulation(make_world(*segments), engine=engine, **{"noise": False, **options})  # type: ignore[arg-type]

    return make
