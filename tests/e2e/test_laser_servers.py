"""The real process, and raw clients that say what drivers of real lasers say."""

from __future__ import annotations

import re
import socket
import time
from typing import Any

import pytest

HOST = "127.0.0.1"
PATIENCE = 30.0
pytestmark = pytest.mark.e2e


class Driver:
    """A client of a laser."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        self.waiting = b""

    def ask(self, data: bytes) -> bytes:
        """Send something; return what one read takes."""
        self.socket.sendall(data)
        return self.socket.recv(65536)

    def until(self, mark: bytes, count: int) -> bytes:
        """Read on until something has come so many times."""
        deadline = time.monotonic() + PATIENCE
        while self.waiting.count(mark) < count:
            assert time.monotonic() < deadline, self.waiting[-200:]
            self.waiting += self.socket.recv(65536)
        return self.waiting


@pytest.fixture
def ports(start: Any) -> dict[str, int]:
    """Ports of the lasers of a robot, by the names of their protocols."""
    words = [word for name in ("lms1xx", "urg") for word in ("--laser-server", f"1={name}:0")]
    simulator = start("-m", "office.map", "-r", "p3dx-sh-lms1xx", "--no-noise", *words)
    said = simulator.wait_for_text("URG-04LX at TCP port")
    found = re.findall(r"speaks as a \w+ ([\w-]+) at TCP port (\d+)\.", said)
    assert [name for name, _ in found] == ["LMS1xx", "URG-04LX"]
    return dict(zip(("lms1xx", "urg"), (int(port) for _, port in found), strict=True))


def test_the_order_of_the_ros_driver_of_sicks_lasers(ports: dict[str, int]) -> None:
    driver = Driver(ports["lms1xx"])
    for text, answer in (
        ("sMN SetAccessMode 03 F4724744", "sAN SetAccessMode 1"),
        ("sRN LMPscancfg", "sRA LMPscancfg 1388 1 1388 FFF92230 225510"),
        ("sMN mLMPsetscancfg +5000 +1 +5000 -450000 +2250000", "sAN mLMPsetscancfg 0 1388 1 1388 FFF92230 225510"),
        ("sWN LMDscandatacfg 01 00 1 1 0 00 00 0 0 0 0 +1", "sWA LMDscandatacfg"),
        ("sRN LMPoutputRange", "sRA LMPoutputRange 1 1388 FFF92230 225510"),
        ("sMN LMCstartmeas", "sAN LMCstartmeas 0"),
        ("sRN STlms", "sRA STlms 7 0 8 12:00:00 8 01.01.26 0 0 0"),
        ("sMN Run", "sAN Run 1"),
        # One read has the answer alone, although scans follow at once.
        ("sEN LMDscandata 1", "sEA LMDscandata 1"),
    ):
        assert driver.ask(b"\x02" + text.encode() + b"\x03") == b"\x02" + answer.encode() + b"\x03"
    scans = driver.until(b"\x03", 20).split(b"\x03")[:20]
    assert all(scan.startswith(b"\x02sSN LMDscandata 1 1 ") and scan.count(b" 21D ") == 2 for scan in scans)
    assert len({scan.split()[8] for scan in scans}) == 20, "each is another scan"


def test_the_order_of_arias_driver_of_hokuyos_lasers(ports: dict[str, int]) -> None:
    driver = Driver(ports["urg"])
    assert driver.ask(b"RS\n") == b"RS\n00P\n\n"
    assert driver.ask(b"SCIP2.0\n") == b"SCIP2.0\n0`\n\n"
    assert driver.ask(b"VV\n").startswith(b"VV\n00P\nVEND:")
    assert b"\nAMIN:44;7\nAMAX:725;o\n" in driver.ask(b"PP\n")
    assert driver.ask(b"MD0044072503000\n") == b"MD0044072503000\n00P\n\n"
    scans = driver.until(b"\n\n", 4).split(b"\n\n")[:4]
    assert all(scan.startswith(b"MD0044072503000\n99b\n") for scan in scans)
    driver.socket.sendall(b"QT\n")
    driver.until(b"QT\n00P\n\n", 1)
