"""Packets about the simulator itself: SIMSTAT 0x62, SIMINFO 0x63, device data 0x64, SIM_MAP_CHANGED 0x66."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mobilesim_py.protocols.arcos.layout import Field, FieldReader, fields_of, structure, wire, wire_string
from mobilesim_py.protocols.arcos.packet import MAX_DATA, Packet, encode

SIMSTAT = 0x62
SIMINFO = 0x63
DEVICE_DATA = 0x64
MAP_CHANGED = 0x66
HAS_MAP, HAS_ORIGIN, HAS_ERROR = 1, 2, 4
IS_INTERACTIVE, WAS_RESTARTED = 1, 2
DEGREE_SCALE = 1e7
MAX_FILE_NAME = 200

INFO_FIELDS = (
    Field("name", "s", "MobileSim"),
    Field("version", "s", "version of the simulator"),
    Field("flags", "I", "bit 0 there is somebody to watch, bit 1 restarted after a crash"),
    Field("device_count", "I", "number of devices that follow"),
)
DEVICE_FIELDS = (
    Field("name", "s", "name of the device"),
    Field("type", "s", "type of the device"),
    Field("index", "B", "which of its type"),
    Field("status", "I", "0"),
)
DATA_FIELDS = (
    Field("name", "s", "name of the device"),
    Field("type", "s", "type of the device"),
    Field("index", "H", "which of its type"),
)
GPS_FIELDS = (
    Field("latitude", "i", "[1e-7 degrees]; 0 without reception"),
    Field("longitude", "i", "the same"),
    Field("dop", "h", "1000 times the dilution of precision; 0 without reception"),
)
MAP_FIELDS = (
    Field("by_user", "B", "1 loaded by a person, 0 by a client's SIM_CTRL"),
    Field("loaded", "b", "1 loaded, 0 not loaded because it has not changed"),
    Field("file_name", "s", "the map"),
)
_INFO, _DEVICE = structure(INFO_FIELDS[2:]), structure(DEVICE_FIELDS[2:])
_GPS = structure((*DATA_FIELDS[2:], *GPS_FIELDS))


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


@dataclass(frozen=True)
class WireSimStat:
    """The fields of a SIMSTAT packet, in the wire's units and order."""

    reserved_1: int = wire("B", "0")
    reserved_2: int = wire("B", "0")
    flags: int = wire("I", "bit 0 there is a map, bit 1 the map has OriginLatLongAlt, bit 2 odometry has errors")
    sim_interval: int = wire("H", "simulated time of a step [ms]")
    real_interval: int = wire("H", "real time that a step should take [ms]")
    last_interval: int = wire("H", "real time that the last step took [ms]")
    x: int = wire("i", "true position [mm]")
    y: int = wire("i", "the same")
    z: int = wire("i", "0")
    heading: int = wire("i", "true heading [degrees], -180 to 180")
    latitude: int = wire("i", "[1e-7 degrees]; 0 without OriginLatLongAlt")
    longitude: int = wire("i", "the same")
    altitude: int = wire("i", "[cm]")
    gps: int = wire("i", "100 times the dilution of precision; 0 without reception, -1 without OriginLatLongAlt")
    error_x: int = wire("i", "share by which odometry is wrong along x [1e-10]")
    error_y: int = wire("i", "the same along y")
    error_heading: int = wire("i", "share by which odometry is wrong in turning [1e-7]")

    def encode(self) -> bytes:
        """Return the packet."""
        return encode(SIMSTAT, _STAT.pack(*(getattr(self, field.name) for field in STAT_FIELDS)))


STAT_FIELDS = fields_of(WireSimStat)
_STAT = structure(STAT_FIELDS)


def pack_simstat(stat: SimStat) -> bytes:
    """Return the SIMSTAT packet."""
    place = stat.georeference
    error = stat.odometry_error
    return WireSimStat(
        flags=HAS_MAP * stat.has_map | HAS_ORIGIN * (place is not None) | HAS_ERROR * (error is not None),
        sim_interval=_milliseconds(stat.sim_interval),
        real_interval=_milliseconds(stat.real_interval),
        last_interval=_milliseconds(stat.last_interval),
        x=_scaled(stat.x, 1000.0),
        y=_scaled(stat.y, 1000.0),
        z=_scaled(stat.z, 1000.0),
        heading=round(math.degrees(math.remainder(stat.heading, 2.0 * math.pi))),
        latitude=_scaled(place.latitude, DEGREE_SCALE) if place else 0,
        longitude=_scaled(place.longitude, DEGREE_SCALE) if place else 0,
        altitude=_scaled(place.altitude, 100.0) if place else 0,
        gps=_scaled(place.dop, 100.0) if place else -1,
        error_x=_scaled(error.forward, 1000.0 * DEGREE_SCALE) if error else 0,
        error_y=_scaled(error.lateral, 1000.0 * DEGREE_SCALE) if error else 0,
        error_heading=_scaled(error.rotation, DEGREE_SCALE) if error else 0,
    ).encode()


def unpack_simstat(packet: Packet) -> WireSimStat:
    """Read a SIMSTAT packet; what is missing at its end reads as zero."""
    return WireSimStat(*_STAT.unpack(packet.data[: _STAT.size].ljust(_STAT.size, b"\0")))


def pack_siminfo(info: SimInfo) -> bytes:
    """Return the SIMINFO packet; devices for which it has no room are left out."""
    head = wire_string(info.name) + wire_string(info.version)
    flags = IS_INTERACTIVE * info.interactive | WAS_RESTARTED * info.restarted
    room = MAX_DATA - len(head) - _INFO.size
    devices: list[bytes] = []
    for device in info.devices:
        status = _DEVICE.pack(device.index & 0xFF, device.status & 0xFFFFFFFF)
        devices.append(wire_string(device.name) + wire_string(device.type) + status)
        room -= len(devices[-1])
        if room < 0:
            devices.pop()
            break
    return encode(SIMINFO, head + _INFO.pack(flags, len(devices)) + b"".join(devices))


def unpack_siminfo(packet: Packet) -> SimInfo:
    """Read a SIMINFO packet."""
    reader = FieldReader(packet.data)
    name, version = reader.read_text(), reader.read_text()
    flags, count = reader.read("I"), reader.read("I")
    devices: list[Device] = []
    while len(devices) < count and reader.rest:
        devices.append(Device(reader.read_text(), reader.read_text(), reader.read("B"), reader.read("I")))
    return SimInfo(version, tuple(devices), name, bool(flags & IS_INTERACTIVE), bool(flags & WAS_RESTARTED))


def pack_gps(name: str, index: int, place: Georeference | None) -> bytes:
    """Return the device data of a GPS receiver, which has no reception where there is no place."""
    found = place if place is not None and place.dop > 0.0 else Georeference(0.0, 0.0, dop=0.0)
    latitude, longitude = (_scaled(degrees, DEGREE_SCALE) for degrees in (found.latitude, found.longitude))
    dop = min(_scaled(found.dop, 1000.0), 0x7FFF)
    return encode(DEVICE_DATA, wire_string(name) + b"gps\0" + _GPS.pack(index, latitude, longitude, dop))


@dataclass(frozen=True)
class GpsData:
    """What a GPS receiver tells: latitude and longitude [degrees]."""

    name: str
    index: int
    latitude: float
    longitude: float
    dop: float
    """Dilution of precision; 0 without reception."""


def unpack_gps(packet: Packet) -> GpsData | Packet:
    """Read the device data of a GPS receiver; the packet itself if it is of another device."""
    reader = FieldReader(packet.data)
    name, kind = reader.read_text(), reader.read_text()
    if kind != "gps":
        return packet
    index, latitude, longitude, dop = (reader.read(code) for code in "Hiih")
    return GpsData(name, index, latitude / DEGREE_SCALE, longitude / DEGREE_SCALE, dop / 1000.0)


def pack_map_changed(change: MapChanged) -> bytes:
    """Return the SIM_MAP_CHANGED packet; of a very long file name the end is sent."""
    name = change.file_name.encode("utf-8", "replace").partition(b"\0")[0]
    return encode(MAP_CHANGED, bytes((change.by_user, change.loaded)) + name[-MAX_FILE_NAME:] + b"\0")


def unpack_map_changed(packet: Packet) -> MapChanged:
    """Read a SIM_MAP_CHANGED packet."""
    reader = FieldReader(packet.data)
    by_user, loaded = reader.read("B"), reader.read("b")
    return MapChanged(reader.read_text(), loaded == 1, by_user == 1)


def _milliseconds(seconds: float) -> int:
    return round(min(max(seconds * 1000.0, 0.0), 65535.0))


def _scaled(value: float, scale: float) -> int:
    """Scale and cut towards zero; what is a whole number but for the last digits of a float stays that number."""
    return int(round(min(max(value * scale, -(2.0**31)), 2.0**31 - 1.0), 6))
