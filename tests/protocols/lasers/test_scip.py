"""SCIP 2.0: what drivers of Hokuyo's lasers send, and what they are answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.lasers.scanner import Beams
from mobilesim_py.protocols.lasers.scip import URG, UTM, ScipModel, ScipServer, checksum, encode

from .conftest import Ramp


def server(model: ScipModel = URG) -> ScipServer:
    return ScipServer(model, Ramp(4.5))


def ask(laser: ScipServer, *lines: str) -> list[str]:
    laser.receive_data("".join(f"{line}\n" for line in lines).encode())
    return [answer.decode() for answer in laser.data_to_send()]


def told(laser: ScipServer) -> str:
    laser.tell()
    (scan,) = laser.data_to_send()
    return scan.decode()


def values(lines: list[str], characters: int) -> list[int]:
    """Decode lines of data, whose sums must be right."""
    assert all(line[-1] == checksum(line[:-1]) and len(line) <= 65 for line in lines)
    text = "".join(line[:-1] for line in lines)
    groups = [text[k : k + characters] for k in range(0, len(text), characters)]
    return [sum(ord(c) - 0x30 << 6 * place for place, c in enumerate(reversed(group))) for group in groups]


def test_numbers_are_encoded_as_the_manual_says() -> None:
    assert encode(1234, 2) == "CB"
    assert encode(5432, 3) == "1Dh"
    assert encode(16_000_000, 4) == "m2@0"
    assert (checksum("00"), checksum("99"), checksum("0")) == ("P", "b", "`")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("QT", "QT\n00P\n\n"),
        ("RS", "RS\n00P\n\n"),
        ("BM", "BM\n00P\n\n"),
        ("BM;hello", "BM;hello\n00P\n\n"),
        ("SS115200", "SS115200\n00P\n\n"),
        ("CR05", "CR05\n00P\n\n"),
        ("TM0", "TM0\n00P\n\n"),
        ("TM1", f"TM1\n00P\n{encode(4500, 4)}{checksum(encode(4500, 4))}\n\n"),
        ("SCIP2.0", "SCIP2.0\n0`\n\n"),
        ("MD0044072503000", "MD0044072503000\n00P\n\n"),
        ("ME0044072503000", "ME0044072503000\n0Ee\n\n"),
        ("GD00440725", "GD00440725\n01Q\n\n"),
        ("GD0044072503000", "GD0044072503000\n01Q\n\n"),
        ("MD0044072503", "MD0044072503\n01Q\n\n"),
        ("GD0044072601", "GD0044072601\n04T\n\n"),
        ("GD0050004901", "GD0050004901\n05U\n\n"),
    ],
)
def test_a_line_has_its_answer(line: str, answer: str) -> None:
    assert ask(server(), line) == [answer]


def test_it_tells_of_itself() -> None:
    version, parameters, state = ask(server(), "VV", "PP", "II")
    for answer in (version, parameters, state):
        lines = answer.split("\n")
        assert lines[1] == "00P"
        assert lines[-2:] == ["", ""]
        for line in lines[2:-2]:
            fact, _, check = line.rpartition(";")
            assert check == checksum(fact)
    assert [line[:5] for line in version.split("\n")[2:-2]] == ["VEND:", "PROD:", "FIRM:", "PROT:", "SERI:"]
    facts = dict(line.partition(";")[0].split(":", 1) for line in parameters.split("\n")[2:-2])
    assert list(facts) == ["MODL", "DMIN", "DMAX", "ARES", "AMIN", "AMAX", "AFRT", "SCAN"]
    assert [facts[name] for name in ("DMIN", "DMAX", "ARES", "AMIN", "AMAX", "AFRT", "SCAN")] == [
        "20", "5600", "1024", "44", "725", "384", "600"
    ]  # fmt: skip
    facts = dict(line.partition(";")[0].split(":", 1) for line in state.split("\n")[2:-2])
    assert list(facts) == ["MODL", "LASR", "SCSP", "MESM", "SBPS", "TIME", "STAT"]


def test_one_scan_is_answered_at_once() -> None:
    laser = server()
    (answer,) = ask(laser, "GD0044072501")
    lines = answer.split("\n")
    assert lines[:2] == ["GD0044072501", "00P"]
    assert lines[2] == encode(4500, 4) + checksum(encode(4500, 4))
    assert lines[-2:] == ["", ""]
    ranges = values(lines[3:-2], 3)
    assert len(ranges) == 682
    # Beyond 5600 mm it sees nothing.
    assert (ranges[0], ranges[460], ranges[461], ranges[-1]) == (1000, 5600, 0, 0)
    assert not laser.is_scanning
    (beams,) = laser._measure.asked  # type: ignore[attr-defined]
    assert beams == Beams((44 - 384) * 360.0 / 1024, 360.0 / 1024, 682)


def test_two_characters_hold_four_metres() -> None:
    (answer,) = ask(server(), "GS0044072500")
    ranges = values(answer.split("\n")[3:-2], 2)
    assert (len(ranges), ranges[309], ranges[310]) == (682, 4090, 0)


def test_neighbours_make_one_value_the_least_of_them() -> None:
    (answer,) = ask(server(), "GD0044005304")
    assert values(answer.split("\n")[3:-2], 3) == [1000, 1040, 0]


def test_many_scans_are_counted_down() -> None:
    laser = server()
    assert ask(laser, "MD0044072503002;tag") == ["MD0044072503002;tag\n00P\n\n"]
    assert laser.is_scanning
    scans = [told(laser), told(laser)]
    assert [scan.split("\n")[:2] for scan in scans] == [["MD0044072503001;tag", "99b"], ["MD0044072503000;tag", "99b"]]
    assert len(values(scans[0].split("\n")[3:-2], 3)) == 228
    assert not laser.is_scanning
    laser.tell()
    assert laser.data_to_send() == []


def test_scans_without_end_stop_when_told() -> None:
    laser = server(UTM)
    ask(laser, "MS0001108001200")
    assert laser.period == pytest.approx(0.075)
    assert [told(laser).split("\n")[0] for _ in range(3)] == ["MS0001108001200"] * 3
    (state, stopped) = ask(laser, "II", "QT")
    assert "MESM:Measuring" in state
    assert stopped == "QT\n00P\n\n"
    assert not laser.is_scanning
    assert laser.period == pytest.approx(0.025)


def test_lines_may_end_in_either_way_and_come_in_pieces() -> None:
    laser = server()
    for byte in b"\r\nQT\r\nR":
        laser.receive_data(bytes([byte]))
    laser.receive_data(b"S\r")
    assert laser.data_to_send() == [b"QT\n00P\n\n", b"RS\n00P\n\n"]


def test_a_line_that_is_too_long_is_dropped() -> None:
    laser = server()
    laser.receive_data(b"x" * 500)
    assert laser._buffer == b""
    laser.receive_data(b"QT\n" + b"y" * 200 + b"\nRS\n")
    assert laser.data_to_send() == [b"RS\n00P\n\n"]


@given(
    st.lists(st.one_of(st.binary(max_size=60), st.sampled_from([b"MD", b"GS", b"0044", b"0725", b"01", b"\n", b"000\n"])))
)
def test_no_bytes_are_too_strange(parts: list[bytes]) -> None:
    laser = server()
    for part in parts:
        laser.receive_data(part)
        assert len(laser._buffer) <= 128
        laser.tell()
    laser.receive_data(b"\nQT\n")
    assert laser.data_to_send()[-1] == b"QT\n00P\n\n"
