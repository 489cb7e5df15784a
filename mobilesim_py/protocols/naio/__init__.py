r"""The NAIO01 protocol of the Oz farm robot, sans I/O: bytes in, events out; packets in, bytes out.

    robot = Connection(End.ROBOT)
    robot.receive_data(b"NAIO01\x01\x00\x00\x00\x02\x7f\x7f\x00\x00\x00\x00")
    robot.events()                      # [PacketReceived(packet=HaMotors(left=127, right=127))]
    robot.send(HaGyro(0, 0, -328))
    robot.data_to_send()

`End.CLIENT` is the other end. The packets are in `hardware_packets`, `api_packets`, `panel_packets` and (where the
manual dialect differs) `manual_packets`; `units`, `lidar` and `stereo` make and read them in physical units.
"""

from .connection import Connection, End, Event, PacketReceived, StreamFault, decode, encode
from .faults import Fault, FaultKind
from .kinds import Dialect, Direction, Kind
from .layout import Packet
from .table import TABLES, Row
from .wire import PayloadError

__all__ = [
    "TABLES",
    "Connection",
    "Dialect",
    "Direction",
    "End",
    "Event",
    "Fault",
    "FaultKind",
    "Kind",
    "Packet",
    "PacketReceived",
    "PayloadError",
    "Row",
    "StreamFault",
    "decode",
    "encode",
]
