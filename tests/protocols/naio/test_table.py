"""The table: all kinds, both dialects, golden bytes, and round trips of everything."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.naio import TABLES, Dialect, Kind, Packet, PayloadError, Row, decode, encode
from mobilesim_py.protocols.naio.api_packets import (
    ApiAutoStatus,
    ApiCameraExtrinsics,
    ApiCameraIntrinsics,
    ApiCommand,
    ApiGps,
    ApiLidar,
    ApiMotors,
    ApiMoveActuator,
    ApiPost,
    ApiRunPlot,
    ApiStatus,
    ApiStereo,
    ApiWatchdog,
    PlotRow,
    Post,
)
from mobilesim_py.protocols.naio.hardware_packets import (
    HaAccelero,
    HaActuator,
    HaCan,
    HaDs4Remote,
    HaGps,
    HaGyro,
    HaKeypad,
    HaLed,
    HaLidar,
    HaMagneto,
    HaMotors,
    HaOdo,
    HaScreen,
    HaSpeaker,
)
from mobilesim_py.protocols.naio.manual_packets import ManualActuator, ManualGps, ManualRemote
from mobilesim_py.protocols.naio.panel_packets import (
    ApiEnumResponse,
    ApiGprs,
    ApiIhmAskEnum,
    ApiIhmAskValue,
    ApiIhmDisplay,
    ApiLogToRobot,
    ApiMessage,
    ApiPressedIhmButton,
    ApiSms,
    ApiValueResponse,
)
from mobilesim_py.protocols.naio.table import row_of
from mobilesim_py.protocols.naio.values import AutoState, Camera, GprsType, IhmButton, ResponseKey

from .conftest import records, row_name, rows

GPS_TIME = 1_500_000_000_123


def f32(value: float) -> float:
    """Return the nearest value that a float of 32 bits holds."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


GOLDEN: dict[str, Packet] = {
    "HaMotors_doc": HaMotors(127, 127),
    "HaGps": HaGps(GPS_TIME, 43.5195488, 1.5361782, 152.0, 1, 3, 3, 0.25),
    "HaOdo": HaOdo(1, 0, 1, 0),
    "HaLidar": HaLidar(tuple(10 * i for i in range(271)), tuple(i & 255 for i in range(271))),
    "HaDS4Remote": HaDs4Remote(90, -1, 2, -3, 4, 0x81, 0x42, 5, 6, -7, 8, -9, 10, -11, 12),
    "HaAccelero": HaAccelero(-1, 258, -1000),
    "HaGyro": HaGyro(1, -2, -3548),
    "ApiPost": ApiPost((Post(0, 0, 1.5, -0.25), Post(1, 1, 2.0, 0.5))),
    "ApiStereoCamera_tiny": ApiStereo(1, bytes.fromhex("a0a1a2a3")),
    "ApiGps": ApiGps(1, GPS_TIME, 43.5, 1.5, 152.0, 1, 9, 3, 0.25, 90.0),
    "ApiSms": ApiSms(0, "0612345678", "hello"),
    "ApiStatus": ApiStatus(1, 1.5, 1, -2, 3, -4, 10.5, -20.25, 100.0, 50, 99, 1, -2, 3),
    "ApiCommand": ApiCommand(6),
    "ApiIhmAskEnum": ApiIhmAskEnum(7, "T" * 20, "Q" * 20, 2, ("O" * 20,) * 20, 1, "U" * 20),
    "ApiRunPlot": ApiRunPlot(
        (PlotRow(0.75, 1.0, 10), PlotRow(f32(0.7), 2.0, 20)), 1, 1, f32(0.1), (1, 0), 300, f32(0.2), 1, 1, 1, 1
    ),
    "HaMagneto": HaMagneto(50, -87, -23),
    "HaKeypad": HaKeypad(5),
    "HaScreen": HaScreen("Oz", "ready"),
    "HaSpeaker": HaSpeaker(duration=9, volume=5),
    "HaActuator": HaActuator(is_request=0, is_position=1, position=42),
    "HaLed": HaLed(3),
    "HaCan": HaCan(b"\1\2\3"),
    "ApiGprs_ok": ApiGprs(GprsType.OK),
    "ApiGprs_open": ApiGprs(GprsType.OPEN, port=5559, address="naio"),
    "ApiGprs_send": ApiGprs(GprsType.SEND, data=b"abc"),
    "ApiMotors": ApiMotors(left=-126, right=64),
    "ApiMoveActuator": ApiMoveActuator(2),
    "ApiLidar": ApiLidar(tuple(240 * i & 0xFFFF for i in range(271))),
    "ApiIhmDisplay": ApiIhmDisplay("top", "bottom"),
    "ApiIhmAskValue": ApiIhmAskValue(7, "top", "bottom", least=-300, most=300, step=10, default=20, unit="cm"),
    "ApiEnumResponse": ApiEnumResponse(7, ResponseKey.LEFT, 11),
    "ApiValueResponse": ApiValueResponse(7, ResponseKey.PLUS, -290),
    "ApiPressedIhmButton": ApiPressedIhmButton(IhmButton.NEXT),
    "ApiMessage": ApiMessage(1),
    "ApiLogToRobot": ApiLogToRobot("hello"),
    "ApiWatchdog": ApiWatchdog(42),
    "ApiAutoStatus": ApiAutoStatus(AutoState.HARDWARE),
    "ApiCameraIntrinsics": ApiCameraIntrinsics(
        Camera.RIGHT,
        focal=1.0,
        principal_x=376.5,
        principal_y=240.5,
        focal_x=350.0,
        focal_y=351.0,
        k1=0.5,
        k2=0.25,
        p1=0.125,
        p2=-0.5,
        k3=3.0,
        k4=4.0,
        k5=5.0,
        k6=6.0,
    ),
    "ApiCameraExtrinsics": ApiCameraExtrinsics(tuple(map(float, range(1, 10))), (-0.1, 0.25, 10.0)),
}


def test_every_golden_packet_is_compared(golden: dict[str, dict[str, Any]]) -> None:
    assert golden.keys() == GOLDEN.keys()


def test_every_kind_has_golden_bytes() -> None:
    assert {packet.kind for packet in GOLDEN.values()} == set(Kind)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_packet_has_the_golden_bytes(golden: dict[str, dict[str, Any]], name: str) -> None:
    assert encode(GOLDEN[name]).hex() == golden[name]["hex"]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_bytes_are_read_as_the_packet(golden: dict[str, dict[str, Any]], name: str) -> None:
    wire = bytes.fromhex(golden[name]["hex"])
    assert decode(golden[name]["id"], wire[11:-4]) == GOLDEN[name]


@pytest.mark.parametrize("dialect", Dialect)
def test_there_are_37_kinds_in_each_dialect(dialect: Dialect) -> None:
    assert {row.kind for row in TABLES[dialect].values()} == set(Kind)
    assert len(TABLES[dialect]) == len(Kind) == 37


def test_the_kinds_have_their_ids_in_the_dialect_of_real_clients() -> None:
    assert {row.id: row.kind for row in TABLES[Dialect.SIMULATOZ].values()} == {kind.value: kind for kind in Kind}


PAYLOAD_SIZES = """
    01:2  04:43  06:4  07:813  08:16  09:6  0A:6  0B:6  0C:1  0D:32  0E:7  0F:3
    10:1  66:1  A1:1  A2:5  A3:52  A4:221  A5:1  A6:57  A7:1  A8:2  A9:1  AA:542
    AB:40  AC:463  AD:69  AE:20  AF:3  B0:4  B1:1  B2:1  B3:127  B4:1  B5:1
    B6:105  B7:96
"""
SIZES = {int(number, 16): int(size) for number, size in (row.split(":") for row in PAYLOAD_SIZES.split())}


def test_payloads_have_the_sizes_of_the_makers_codec() -> None:
    assert {row.id: row.layout.smallest for row in TABLES[Dialect.SIMULATOZ].values()} == SIZES


def test_the_manual_has_other_ids_and_sizes_for_four_kinds() -> None:
    usual, printed = TABLES[Dialect.SIMULATOZ], TABLES[Dialect.MANUAL]
    different = {row.id: (row.name, row.layout.smallest) for row in printed.values() if row not in usual.values()}
    assert different == {
        0x04: ("ManualGps", 43),
        0x05: ("HaOdo", 4),
        0x08: ("ManualRemote", 14),
        0x0F: ("ManualActuator", 1),
    }
    assert 0x06 not in printed


def test_gps_of_the_manual_is_big_endian_throughout() -> None:
    packet = ManualGps(1.0, 2.0, -2.0, 0.5, 1, 3, 6, 1.5)
    doubles = "3ff00000000000004000000000000000c0000000000000003fe0000000000000"
    assert encode(packet, Dialect.MANUAL).hex() == "4e41494f3031040000002b" + doubles + "0103063ff800000000000000000000"


def test_the_remote_of_the_manual_begins_with_the_left_stick() -> None:
    packet = ManualRemote(-1, 2, -3, 4, 0x81, 0x42, 5, 6, -7, 8, -9, 10, -11, 12)
    assert encode(packet, Dialect.MANUAL).hex() == "4e41494f3031080000000eff02fd0481420506f908f70af50c00000000"


def test_the_actuator_of_the_manual_is_one_byte() -> None:
    assert encode(ManualActuator(3), Dialect.MANUAL).hex() == "4e41494f30310f000000010300000000"


def test_ticks_of_the_manual_have_id_5() -> None:
    assert encode(HaOdo(1, 0, 1, 0), Dialect.MANUAL)[6] == 0x05


@pytest.mark.parametrize(
    ("packet", "dialect", "instead"),
    [
        (HaActuator(0, 1, 50), Dialect.MANUAL, "no HaActuator: send ManualActuator"),
        (ManualActuator(1), Dialect.SIMULATOZ, "no ManualActuator: send HaActuator"),
    ],
)
def test_a_packet_of_the_other_dialect_is_refused_with_the_right_one(packet: Packet, dialect: Dialect, instead: str) -> None:
    with pytest.raises(ValueError, match=instead):
        encode(packet, dialect)


def test_a_row_says_kind_and_name() -> None:
    row = row_of(HaMotors, Dialect.MANUAL)
    assert (row.id, row.kind, row.name) == (0x01, Kind.HA_MOTORS, "HaMotors")


@pytest.mark.parametrize(("dialect", "row"), rows(), ids=row_name)
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_every_packet_is_read_as_it_was_written(dialect: Dialect, row: Row, data: st.DataObject) -> None:
    packet = data.draw(records(row.packet, row.layout))
    wire = encode(packet, dialect)
    assert wire[:6] == b"NAIO01"
    assert wire[6] == row.id
    assert int.from_bytes(wire[7:11], "big") == len(wire) - 15
    assert wire[-4:] == bytes(4)
    assert row.layout.smallest <= len(wire) - 15 <= row.layout.largest
    assert decode(row.id, wire[11:-4], dialect) == packet
    assert decode(row.id, wire[11:-4] + b"more", dialect) == packet


@pytest.mark.parametrize(("dialect", "row"), rows(), ids=row_name)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_a_payload_that_is_cut_off_is_refused(dialect: Dialect, row: Row, data: st.DataObject) -> None:
    payload = encode(data.draw(records(row.packet, row.layout)), dialect)[11:-4]
    with pytest.raises(PayloadError, match="at least"):
        decode(row.id, payload[: data.draw(st.integers(0, len(payload) - 1))], dialect)


@pytest.mark.parametrize(("dialect", "row"), rows(), ids=row_name)
@given(payload=st.binary(max_size=500))
@settings(max_examples=20, deadline=None)
def test_any_payload_is_read_or_refused_and_then_written_again(dialect: Dialect, row: Row, payload: bytes) -> None:
    try:
        packet = decode(row.id, payload, dialect)
    except PayloadError:
        return
    assert row.layout.smallest <= len(encode(packet, dialect)) - 15 <= row.layout.largest
