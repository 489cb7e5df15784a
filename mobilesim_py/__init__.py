"""MobileSim for Python: a MobileSim-compatible simulator of Pioneer robots.

    import mobilesim_py as ms

    simulation = ms.Simulation("office.map", seed=1)        # in process, stepped
    robot = simulation.add_robot("p3dx")

    with ms.start("office.map", robots=["p3dx"]) as sim, sim.connect() as robot:      # the real program, over the wire
        robot.move(1.0)

The names in `__all__` are the public face; everything else may change. Nothing is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # Type checkers know the name; importing it would cost more than all the rest of this module.
if TYPE_CHECKING:
    from mobilesim_py import aio
    from mobilesim_py.catalogue.catalogue import Catalogue
    from mobilesim_py.catalogue.model import RobotModel
    from mobilesim_py.clients.mouse import Mouse
    from mobilesim_py.clients.sync.pioneer import Pioneer
    from mobilesim_py.clients.sync.program import RobotState, RunningSimulator, start
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.errors import LostError, MobileSimError
    from mobilesim_py.formats.format import load_world
    from mobilesim_py.geometry import Pose
    from mobilesim_py.lab.simulation import Simulation
    from mobilesim_py.protocols.arcos.client_connection import Connected, Lost
    from mobilesim_py.protocols.arcos.commands import Command
    from mobilesim_py.protocols.arcos.config import Config
    from mobilesim_py.protocols.arcos.device_packets import Compass, Encoders, GripperState, Joystick
    from mobilesim_py.protocols.arcos.device_readers import AuxData, Batteries, GyroReadings, ImuReadings, IoState
    from mobilesim_py.protocols.arcos.measured import LaserScan, Sip
    from mobilesim_py.protocols.arcos.packet import Packet
    from mobilesim_py.protocols.arcos.simulator import GpsData, MapChanged, SimInfo, WireSimStat
    from mobilesim_py.view.pictures.picture import Picture
    from mobilesim_py.world.boxes import Box
    from mobilesim_py.world.obstacles import Obstacle, Segments
    from mobilesim_py.world.start import home_of
    from mobilesim_py.world.world import Bounds, World, empty_world

__version__ = "0.1.0"
APPLICATION = "MobileSim"

__all__ = [
    "AuxData",
    "Batteries",
    "Bounds",
    "Box",
    "Catalogue",
    "Command",
    "Compass",
    "Config",
    "Connected",
    "Encoders",
    "GpsData",
    "GripperState",
    "GyroReadings",
    "ImuReadings",
    "IoState",
    "Joystick",
    "LaserScan",
    "Lost",
    "LostError",
    "MapChanged",
    "MobileSimError",
    "Mouse",
    "Obstacle",
    "Packet",
    "Picture",
    "Pioneer",
    "Pose",
    "Robot",
    "RobotModel",
    "RobotState",
    "RunningSimulator",
    "Segments",
    "SimInfo",
    "Simulation",
    "Sip",
    "WireSimStat",
    "World",
    "__version__",
    "aio",
    "empty_world",
    "home_of",
    "load_world",
    "start",
]
_ROOMS = {
    "AuxData": "protocols.arcos.device_readers",
    "Batteries": "protocols.arcos.device_readers",
    "Bounds": "world.world",
    "Box": "world.boxes",
    "Catalogue": "catalogue.catalogue",
    "Command": "protocols.arcos.commands",
    "Compass": "protocols.arcos.device_packets",
    "Config": "protocols.arcos.config",
    "Connected": "protocols.arcos.client_connection",
    "Encoders": "protocols.arcos.device_packets",
    "GpsData": "protocols.arcos.simulator",
    "GripperState": "protocols.arcos.device_packets",
    "GyroReadings": "protocols.arcos.device_readers",
    "ImuReadings": "protocols.arcos.device_readers",
    "IoState": "protocols.arcos.device_readers",
    "Joystick": "protocols.arcos.device_packets",
    "LaserScan": "protocols.arcos.measured",
    "Lost": "protocols.arcos.client_connection",
    "LostError": "errors",
    "MapChanged": "protocols.arcos.simulator",
    "MobileSimError": "errors",
    "Mouse": "clients.mouse",
    "Obstacle": "world.obstacles",
    "Packet": "protocols.arcos.packet",
    "Picture": "view.pictures.picture",
    "Pioneer": "clients.sync.pioneer",
    "Pose": "geometry",
    "Robot": "core.robot",
    "RobotModel": "catalogue.model",
    "RobotState": "clients.sync.program",
    "RunningSimulator": "clients.sync.program",
    "Segments": "world.obstacles",
    "SimInfo": "protocols.arcos.simulator",
    "Simulation": "lab.simulation",
    "Sip": "protocols.arcos.measured",
    "WireSimStat": "protocols.arcos.simulator",
    "World": "world.world",
    "empty_world": "world.world",
    "home_of": "world.start",
    "load_world": "formats.format",
    "start": "clients.sync.program",
}
"""In which module each public name is."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name == "aio":
        return import_module(f"{__name__}.aio")
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names, too."""
    return sorted({*globals(), *__all__})
