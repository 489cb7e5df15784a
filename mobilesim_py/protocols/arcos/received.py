"""What the packets of a robot say, as typed objects: one table from ids to readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mobilesim_py.protocols.arcos.config import CONFIG, unpack_config
from mobilesim_py.protocols.arcos.device_readers import DEVICE_READERS
from mobilesim_py.protocols.arcos.laser import LASER, LASER_EXTENDED, unpack_laser
from mobilesim_py.protocols.arcos.packet import Packet
from mobilesim_py.protocols.arcos.simulator import (
    DEVICE_DATA,
    MAP_CHANGED,
    SIMINFO,
    SIMSTAT,
    unpack_gps,
    unpack_map_changed,
    unpack_siminfo,
    unpack_simstat,
)
from mobilesim_py.protocols.arcos.sip import SIP_MOVING, SIP_STOPPED, unpack_sip

READERS: Mapping[int, Callable[[Packet], object]] = {
    CONFIG: unpack_config,
    SIP_STOPPED: unpack_sip,
    SIP_MOVING: unpack_sip,
    LASER: unpack_laser,
    LASER_EXTENDED: unpack_laser,
    SIMSTAT: unpack_simstat,
    SIMINFO: unpack_siminfo,
    DEVICE_DATA: unpack_gps,
    MAP_CHANGED: unpack_map_changed,
    **DEVICE_READERS,
}


def read(packet: Packet) -> object:
    """Return what a packet says, in the wire's units; a packet that nobody can read is returned as it is."""
    reader = READERS.get(packet.id)
    return packet if reader is None else reader(packet)
