"""CoLa-A: what drivers of SICK's lasers send, and what they are answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.lasers.cola import LMS1XX, LMS5XX, TIM, ColaModel, ColaServer
from mobilesim_py.protocols.lasers.scanner import Beams

from .conftest import Ramp


def frame(text: str) -> bytes:
    return b"\x02" + text.encode() + b"\x03"


def server(model: ColaModel = LMS1XX) -> ColaServer:
    return ColaServer(model, Ramp())


def ask(laser: ColaServer, *texts: str) -> list[str]:
    laser.receive_data(b"".join(map(frame, texts)))
    answers = laser.data_to_send()
    assert all(answer[:1] == b"\x02" and answer[-1:] == b"\x03" for answer in answers)
    return [answer[1:-1].decode() for answer in answers]


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("sMN SetAccessMode 3 F4724744", "sAN SetAccessMode 1"),
        ("sMN SetAccessMode 03 F4724744", "sAN SetAccessMode 1"),
        ("sMN SetAccessMode 3 00000000", "sAN SetAccessMode 0"),
        ("sMN mLMPsetscancfg +5000 +1 +5000 -450000 +2250000", "sAN mLMPsetscancfg 0 1388 1 1388 FFF92230 225510"),
        ("sMN mLMPsetscancfg 1388 1 1388 FFF92230 225510", "sAN mLMPsetscancfg 0 1388 1 1388 FFF92230 225510"),
        ("sRN LMPscancfg", "sRA LMPscancfg 1388 1 1388 FFF92230 225510"),
        ("sRN LMPoutputRange", "sRA LMPoutputRange 1 1388 FFF92230 225510"),
        ("sWN LMDscandatacfg 01 00 0 0 0 00 00 0 0 0 0 +1", "sWA LMDscandatacfg"),
        ("sWN LMPoutputRange 1 1388 FFF92230 225510", "sWA LMPoutputRange"),
        ("sWN FREchoFilter 0", "sWA FREchoFilter"),
        ("sMN mEEwriteall", "sAN mEEwriteall 1"),
        ("sMN Run", "sAN Run 1"),
        ("sMN LSPsetdatetime +2026 +1 +1 +0 +0 +0 +0", "sAN LSPsetdatetime 1"),
        ("sMN LMCstartmeas", "sAN LMCstartmeas 0"),
        ("sMN LMCstopmeas", "sAN LMCstopmeas 0"),
        ("sRN STlms", "sRA STlms 7 0 8 12:00:00 8 01.01.26 0 0 0"),
        ("sRN DeviceIdent", "sRA DeviceIdent 10 LMS10x_FieldEval 10 V1.40-01.01.2026"),
        ("sEN LMDscandata 1", "sEA LMDscandata 1"),
        ("sEN LMDscandata 0", "sEA LMDscandata 0"),
    ],
)
def test_a_request_has_its_answer(request_: str, answer: str) -> None:
    assert ask(server(), request_) == [answer]


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("sMN mLMPsetscancfg 1 1 1388 FFF92230 225510", "sAN mLMPsetscancfg 1"),
        ("sMN mLMPsetscancfg 1388 1 7 FFF92230 225510", "sAN mLMPsetscancfg 2"),
        ("sMN mLMPsetscancfg 1 1 7 FFF92230 225510", "sAN mLMPsetscancfg 3"),
        ("sMN mLMPsetscancfg 1388 1 1388 -450001 225510", "sAN mLMPsetscancfg 4"),
        ("sMN mLMPsetscancfg 1388 1 1388 0 0", "sAN mLMPsetscancfg 4"),
        ("sMN mLMPsetscancfg 1388", "sFA 5"),
        ("sWN LMPoutputRange 1 7 0 10000", "sFA 5"),
        ("sWN LMPoutputRange 1 1388 0 +9999999", "sFA 5"),
        ("sEN LMDscandata x", "sFA 5"),
        ("sEN LMDscandata 1_0", "sFA 5"),
        ("sEN LMDscandata +", "sFA 5"),
        ("sEN LMDscandata 1111111111111", "sFA 5"),
        ("sEN LMDscandata", "sFA 5"),
        ("sMN Dance", "sFA 2"),
        ("sRN Mood", "sFA 3"),
        ("sWN Mood 1", "sFA 3"),
        ("sEN Mood 1", "sFA F"),
        ("hello", "sFA C"),
        ("", "sFA C"),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(request_: str, answer: str) -> None:
    laser = server()
    (said,) = ask(laser, request_)
    assert said.startswith(answer)
    assert ask(laser, "sRN LMPscancfg") == ["sRA LMPscancfg 1388 1 1388 FFF92230 225510"]
    assert not laser.is_scanning


def test_a_scan_is_told_as_the_drivers_read_it() -> None:
    laser = server()
    ask(laser, "sEN LMDscandata 1")
    assert laser.is_scanning
    laser.tell()
    (scan,) = laser.data_to_send()
    words = scan[1:-1].decode().split()
    assert " ".join(words[:26]) == (
        "sSN LMDscandata 1 1 F45EF5 0 0 1 7 F4240 F4240 0 0 7 0 0 1388 168 0 1 DIST1 3F800000 00000000 FFF92230 1388 21D"
    )
    distances = [int(word, 16) for word in words[26 : 26 + 541]]
    assert distances == [*(1000 + 10 * beam for beam in range(540)), 0]
    assert words[26 + 541 :] == ["0"] * 6
    assert laser._measure.asked == [Beams(-135.0, 0.5, 541)]  # type: ignore[attr-defined]


def test_scans_are_as_the_client_configured_them() -> None:
    laser = server()
    ask(laser, "sMN mLMPsetscancfg +2500 1 +2500 +0 +1800000")
    assert laser.beams == Beams(-90.0, 0.25, 721)
    assert laser.period == pytest.approx(0.04)
    ask(laser, "sWN LMPoutputRange 1 1388 +450000 +1350000")
    assert laser.beams == Beams(-45.0, 0.5, 181)
    ask(laser, "sWN LMDscandatacfg 01 00 0 0 0 00 00 0 0 0 0 +5")
    assert laser.period == pytest.approx(0.2)


@pytest.mark.parametrize("content", ["01 00 1 1 0 00 00 0 0 0 1 +1", "1 1 1 0 0 0 0 0 1 +1"])
def test_reflectance_of_sixteen_bits_and_the_time_come_if_asked_for(content: str) -> None:
    laser = server()
    (_, scan) = ask(laser, f"sWN LMDscandatacfg {content}", "sRN LMDscandata")
    words = scan.split()
    assert words[:2] == ["sRA", "LMDscandata"]
    assert words[19] == "2"
    at = words.index("RSSI1")
    assert words[at + 1 : at + 6] == ["3F800000", "00000000", "FFF92230", "1388", "21D"]
    bright = [int(word, 16) for word in words[at + 6 : at + 6 + 541]]
    assert (bright[0], set(bright[1:-1]), bright[-1]) == (65025, {25500}, 0)
    assert words[at + 6 + 541 :] == ["0", "0", "0", "0", "1", "7EA", "1", "1", "0", "0", "1", "0", "0"]


def test_reflectance_of_eight_bits_is_a_channel_of_the_other_kind() -> None:
    laser = server()
    (_, scan) = ask(laser, "sWN LMDscandatacfg 01 00 1 0 0 00 00 0 0 0 0 +1", "sRN LMDscandata")
    words = scan.split()
    at = words.index("RSSI1")
    assert (words[19], words[at - 1]) == ("1", "1")
    assert words[at + 6] == "FF"
    assert words[at + 6 + 541 :] == ["0"] * 5


def test_an_lms5xx_counts_in_two_millimetres() -> None:
    laser = server(LMS5XX)
    (scan,) = ask(laser, "sRN LMDscandata")
    words = scan.split()
    assert words[20:26] == ["DIST1", "40000000", "00000000", "FFFF3CB0", "2710", "BF"]
    assert int(words[26], 16) == 500
    assert laser.beams == Beams(-95.0, 1.0, 191)


def test_a_tim_has_811_beams_and_answers_one_scan() -> None:
    laser = server(TIM)
    stopped, scan = ask(laser, "sEN LMDscandata 0", "sRN LMDscandata")
    assert stopped == "sEA LMDscandata 0"
    assert scan.split()[23:26] == ["FFF92230", "D05", "32B"]
    assert laser.beams.first + 810 * laser.beams.step == pytest.approx(135.0)


def test_telegrams_may_come_in_pieces_with_anything_between() -> None:
    laser = server()
    for byte in b"garbage\x03\x02sRN broken\x02sRN STl":
        laser.receive_data(bytes([byte]))
    laser.receive_data(b"ms\x03more")
    assert [answer[:10] for answer in laser.data_to_send()] == [b"\x02sRA STlms"]


def test_a_telegram_that_is_too_long_is_dropped() -> None:
    laser = server()
    laser.receive_data(b"\x02" + b"x" * 3000)
    assert laser._buffer == b""
    laser.receive_data(b"\x03" + frame("s" * 2000) + frame("sMN Run"))
    assert laser.data_to_send() == [frame("sAN Run 1")]


def test_answers_that_nobody_fetches_are_bounded() -> None:
    laser = server()
    for _ in range(500):
        laser.receive_data(frame("sRN LMDscandata"))
    assert sum(map(len, laser.data_to_send())) <= 256 * 1024
    assert len(ask(laser, "sMN Run")) == 1


@given(
    st.lists(st.one_of(st.binary(max_size=60), st.sampled_from([b"\x02sMN ", b"\x02sEN LMDscandata ", b"1\x03", b"\x03"])))
)
def test_no_bytes_are_too_strange(parts: list[bytes]) -> None:
    laser = server()
    for part in parts:
        laser.receive_data(part)
        assert len(laser._buffer) <= 1025
    laser.receive_data(b"\x03" + frame("sMN Run"))
    assert laser.data_to_send()[-1] == frame("sAN Run 1")


@given(
    st.sampled_from(["sMN mLMPsetscancfg", "sWN LMPoutputRange", "sWN LMDscandatacfg", "sEN LMDscandata"]),
    st.lists(
        st.one_of(st.integers(-(2**33), 2**33).map("{:+d}".format), st.text("0123456789ABCDEFx²-+", min_size=1)), max_size=14
    ),
)
def test_no_numbers_are_too_strange(command: str, numbers: list[str]) -> None:
    laser = server()
    laser.receive_data(frame(" ".join([command, *numbers])))
    laser.tell()
    assert laser.period > 0.0
    assert 0 < laser.beams.count <= 1081
    assert len(laser.data_to_send()) == 2
