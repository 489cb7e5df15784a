"""MobileSim for Python: a MobileSim-compatible simulator of Pioneer robots.

    import mobilesim_py as ms

    world = ms.load_world("maps/office.map")
    simulation = ms.Simulation(world, seed=1)
    robot = simulation.add_robot(ms.Catalogue.load().find("p3dx"), "robot1", ms.home_of(world))

The names in `__all__` are the public face; everything else may change. Nothing is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # Type checkers know the name; importing it would cost more than all the rest of this module.
if TYPE_CHECKING:
    from mobilesim_py.catalogue.catalogue import Catalogue
    from mobilesim_py.catalogue.model import RobotModel
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.errors import MobileSimError
    from mobilesim_py.formats.format import load_world
    from mobilesim_py.geometry import Pose
    from mobilesim_py.world.boxes import Box
    from mobilesim_py.world.obstacles import Obstacle, Segments
    from mobilesim_py.world.start import home_of
    from mobilesim_py.world.world import Bounds, World, empty_world

__version__ = "0.1.0"
APPLICATION = "MobileSim"

__all__ = [
    "Bounds",
    "Box",
    "Catalogue",
    "MobileSimError",
    "Obstacle",
    "Pose",
    "Robot",
    "RobotModel",
    "Segments",
    "Simulation",
    "World",
    "__version__",
    "empty_world",
    "home_of",
    "load_world",
]
_ROOMS = {
    "Bounds": "world.world",
    "Box": "world.boxes",
    "Catalogue": "catalogue.catalogue",
    "MobileSimError": "errors",
    "Obstacle": "world.obstacles",
    "Pose": "geometry",
    "Robot": "core.robot",
    "RobotModel": "catalogue.model",
    "Segments": "world.obstacles",
    "Simulation": "core.simulation",
    "World": "world.world",
    "empty_world": "world.world",
    "home_of": "world.start",
    "load_world": "formats.format",
}
"""In which module each public name is."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names, too."""
    return sorted({*globals(), *__all__})
