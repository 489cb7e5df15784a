"""Packets about the simulator itself: SIMSTAT 0x62, SIMINFO 0x63, SIM_MAP_CHANGED 0x66."""

from __future__ import annotations

from dataclasses import dataclass

SIMSTAT = 0x62
SIMINFO = 0x63
MAP_CHANGED = 0x66


@dataclass(frozen=True)
class Georeference:
    """Where on earth the robot is: latitude and longitude [degrees], altitude [m]."""

    latitude: float
    longitude: float
    altitude: float = 0.0
    dop: float = 1.0
    """Dilution of precision of the robot's GPS receiver; 0 where it has no reception (BadGPSSector)."""


@dataclass(frozen=True)
class OdometryError:
    """Shares by which odometry is wrong, per axis."""

    forward: float = 0.0
    lateral: float = 0.0
    rotation: float = 0.0


@dataclass(frozen=True)
class SimStat:
    """The state of the simulation as one robot's client sees it, in metres, radians and seconds."""

    x: float = 0.0
    """True pose."""
    y: float = 0.0
    z: float = 0.0
    heading: float = 0.0
    has_map: bool = False
    sim_interval: float = 0.1
    """Simulated time of a step."""
    real_interval: float = 0.1
    """Real time that a step should take."""
    last_interval: float = 0.1
    """Real time that the last step took."""
    georeference: Georeference | None = None
    """None when the map has no OriginLatLongAlt."""
    odometry_error: OdometryError | None = None
    """None when odometry is exact."""


@dataclass(frozen=True)
class Device:
    """A device of a robot, as SIMINFO lists it."""

    name: str
    type: str
    index: int = 0
    status: int = 0


@dataclass(frozen=True)
class SimInfo:
    """What the simulator is and what devices the robot has."""

    version: str
    devices: tuple[Device, ...] = ()
    name: str = "MobileSim"
    interactive: bool = False
    restarted: bool = False


@dataclass(frozen=True)
class MapChanged:
    """That a map was loaded, or asked for and found unchanged."""

    file_name: str
    loaded: bool = True
    by_user: bool = False


def pack_simstat(stat: SimStat) -> bytes:
    """Return the SIMSTAT packet."""
    raise NotImplementedError


def pack_siminfo(info: SimInfo) -> bytes:
    """Return the SIMINFO packet."""
    raise NotImplementedError


def pack_map_changed(change: MapChanged) -> bytes:
    """Return the SIM_MAP_CHANGED packet."""
    raise NotImplementedError
