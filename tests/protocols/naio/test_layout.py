"""Layouts: what does not fit is refused with a sentence, constants are sent and not looked at."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.naio import Dialect, PayloadError, decode, encode
from mobilesim_py.protocols.naio.api_packets import ApiPost, ApiRunPlot, PlotRow, Post
from mobilesim_py.protocols.naio.hardware_packets import HaCan, HaDs4Remote, HaLidar, HaMotors, HaScreen, HaSpeaker
from mobilesim_py.protocols.naio.layout import Packet
from mobilesim_py.protocols.naio.panel_packets import ApiGprs, ApiIhmAskEnum
from mobilesim_py.protocols.naio.table import row_of
from mobilesim_py.protocols.naio.values import GprsType


def payload(packet: Packet) -> bytes:
    return encode(packet)[11:-4]


@pytest.mark.parametrize(
    ("packet", "sentence"),
    [
        (HaMotors(128, 0), r"HaMotors\.left: 128 is no i8"),
        (HaMotors(0, -129), r"HaMotors\.right: -129 is no i8"),
        (HaScreen("seventeen letters", ""), r"HaScreen\.top: 'seventeen letters' is no char\[16\]"),
        (HaScreen("a\0b", ""), r"HaScreen\.top: .* no NUL"),
        (HaCan(bytes(22)), r"HaCan\.data: .*\.\.\. is no u8 n, n bytes \(there must be at most 21 bytes\)"),
        (HaLidar((0,) * 270), r"HaLidar\.distances: .* is no u16\[271\]"),
        (ApiPost((Post(0, 0, 1e39, 0.0),)), r"ApiPost\.posts: .*Post\.x: 1e\+39 is no f32"),
        (ApiPost((Post(0, 0, 0.0, 0.0),) * 256), r"ApiPost\.posts: .*at most 255"),
        (ApiRunPlot((PlotRow(1, 1, 1),) * 101, 0, 0, 0, (0, 0), 0, 0, 0, 0, 0, 0), r"ApiRunPlot\.rows: .*at most 100"),
        (ApiIhmAskEnum(1, "", "", 0, ("a",) * 19, 0, ""), r"ApiIhmAskEnum\.options: .*must be 20 texts"),
        (ApiIhmAskEnum.of(1, "", "", ["a"] * 21), r"ApiIhmAskEnum\.options: .*must be 20 texts"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_name(packet: Packet, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        encode(packet)


def test_constants_are_sent_and_are_no_arguments() -> None:
    assert payload(HaSpeaker(9, 5)).hex() == "01000900000500"
    assert payload(HaDs4Remote())[0] == 2


def test_constants_are_not_looked_at() -> None:
    assert decode(0x0E, bytes.fromhex("ffff09ffff05ff")) == HaSpeaker(9, 5)


def test_a_question_has_room_for_options_that_are_not_there() -> None:
    question = ApiIhmAskEnum.of(3, "tool", "which one?", ["hoe", "brush"], default=1, unit="-")
    assert (question.count, question.options[:3], len(question.options)) == (2, ("hoe", "brush", ""), 20)
    assert decode(0xAC, payload(question)) == question


@pytest.mark.parametrize(
    ("packet", "wire"),
    [
        (ApiGprs(GprsType.OK), "00"),
        (ApiGprs(GprsType.CLOSE), "05"),
        (ApiGprs(GprsType.OPEN, 5559, "naio"), "0215b76e61696f" + "00" * 251),
        (ApiGprs(GprsType.SEND, data=b"abc"), "030003616263"),
        (ApiGprs(GprsType.RECEIVED, data=b""), "040000"),
        (ApiGprs(77), "4d"),
    ],
)
def test_what_follows_the_type_of_gprs_depends_on_it(packet: ApiGprs, wire: str) -> None:
    assert payload(packet).hex() == wire
    assert decode(0xA5, bytes.fromhex(wire)) == packet


@pytest.mark.parametrize(
    ("packet_id", "wire", "reason"),
    [
        (0x66, "16" + "00" * 22, "a count of 22 where at most 21 is allowed"),
        (0xAE, "0065" + "00" * 1100, "a count of 101 where at most 100"),
        (0xA1, "02" + "00" * 10, "11 bytes where at least 21 belong"),
        (0xA2, "01000000ff00", "6 bytes where at least 260 belong"),
        (0xA2, "01ffffffff00", "a count of 4294967295"),
    ],
)
def test_a_count_that_cannot_be_is_refused(packet_id: int, wire: str, reason: str) -> None:
    with pytest.raises(PayloadError, match=reason):
        decode(packet_id, bytes.fromhex(wire))


def test_numbers_of_one_byte_order_are_packed_at_once() -> None:
    assert [run.names for run in row_of(type(HaMotors(0, 0)), Dialect.SIMULATOZ).layout.runs] == [("left", "right")]
