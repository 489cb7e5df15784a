"""The table of what robots send."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos.config import Config, pack_config
from mobilesim_py.protocols.arcos.laser import LaserPacket
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.received import read
from mobilesim_py.protocols.arcos.simulator import (
    Georeference,
    GpsData,
    MapChanged,
    SimInfo,
    SimStat,
    WireSimStat,
    pack_gps,
    pack_map_changed,
    pack_siminfo,
    pack_simstat,
)
from mobilesim_py.protocols.arcos.sip import WireSip


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pack_config(Config()), Config()),
        (WireSip(0x33, x=5).encode(), WireSip(0x33, x=5)),
        (LaserPacket(1, 0, (5,), (1,)).encode(), LaserPacket(1, 0, (5,), (1,))),
        (LaserPacket(1, 0, (5,), (), extended=False).encode(), LaserPacket(1, 0, (5,), (), extended=False)),
        (pack_siminfo(SimInfo("1")), SimInfo("1")),
        (pack_gps("a", 1, Georeference(1.5, -2.5, dop=2.0)), GpsData("a", 1, 1.5, -2.5, 2.0)),
        (pack_map_changed(MapChanged("a.map")), MapChanged("a.map")),
    ],
)
def test_a_packet_is_read_as_what_it_is(data: bytes, message: object) -> None:
    (packet,) = PacketReader().feed(data)
    assert read(packet) == message


def test_simstat_is_read() -> None:
    (packet,) = PacketReader().feed(pack_simstat(SimStat(x=1.5)))
    message = read(packet)
    assert isinstance(message, WireSimStat)
    assert message.x == 1500


def test_what_nobody_knows_stays_a_packet() -> None:
    assert read(Packet(0x77, b"x")) == Packet(0x77, b"x")
    assert read(Packet(0x64, b"a\0arm\0")) == Packet(0x64, b"a\0arm\0")


@given(st.integers(0, 255), st.binary(max_size=252))
def test_no_packet_is_an_error(number: int, data: bytes) -> None:
    assert read(Packet(number, data)) is not None
