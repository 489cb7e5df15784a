"""What all robots send their clients in one period: for each robot its SIP, then its scans.

`pack_reports` makes the packets with NumPy, `compiled_report.pack_reports` the same bytes with Numba.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.protocols.arcos.laser import ScanBatch, pack_scans
from mobilesim_py.protocols.arcos.quantities import Factor, State
from mobilesim_py.protocols.arcos.sip import SipBatch, pack_sips

__all__ = ["Factor", "Report", "State", "pack_reports"]


class Report(NamedTuple):
    """What N robots with M active lasers send, as arrays; a tuple, which Numba can read by name."""

    state: NDArray[np.float64]
    """`State` x N."""
    factors: NDArray[np.float64]
    """`Factor` x N."""
    wants_sip: NDArray[np.bool_]
    tells_motion: NDArray[np.bool_]
    """See `sip.SipBatch`."""
    echoes: NDArray[np.float64]
    """Rows of sonar ranges [m]."""
    echo_row: NDArray[np.int64]
    """Which row is each robot's."""
    sonar_first: NDArray[np.int64]
    sonar_count: NDArray[np.int64]
    """How many of its readings are in the SIP, from `sonar_first` on."""
    laser_robot: NDArray[np.int64]
    """Whose each laser is: numbers of robots, never falling."""
    ranges: NDArray[np.float64]
    """Rows of laser readings [m]."""
    reflectance: NDArray[np.uint8]
    scan_row: NDArray[np.int64]
    """Which row is each laser's."""
    scan_count: NDArray[np.int64]
    """How many readings of its row a laser has."""
    extended: NDArray[np.bool_]
    moved: NDArray[np.bool_]
    device: NDArray[np.int64]
    """See `laser.Scan`."""


def pack_reports(report: Report) -> list[bytes]:
    """Return the packets of each robot, one after another; empty where there is nothing to tell."""
    packets: list[list[bytes]] = [[] for _ in report.wants_sip]
    told = np.flatnonzero(report.wants_sip)
    if len(told):
        for robot, sip in zip(told.tolist(), pack_sips(_sips(report, told)), strict=True):
            packets[robot].append(sip)
    if len(report.laser_robot):
        for robot, scan in zip(report.laser_robot.tolist(), pack_scans(_scans(report)), strict=True):
            packets[robot].append(scan)
    return [b"".join(parts) for parts in packets]


def _sips(report: Report, told: NDArray[Any]) -> SipBatch:
    return SipBatch(
        state=report.state[:, told],
        factors=report.factors[:, told],
        tells_motion=report.tells_motion[told],
        sonar_ranges=report.echoes[report.echo_row[told]],
        sonar_first=report.sonar_first[told],
        sonar_count=report.sonar_count[told],
    )


def _scans(report: Report) -> ScanBatch:
    inside = np.arange(report.ranges.shape[1]) < report.scan_count[:, None]
    state = report.state[:, report.laser_robot]
    return ScanBatch(
        ranges=report.ranges[report.scan_row][inside],
        counts=report.scan_count,
        reflectance=report.reflectance[report.scan_row][inside],
        extended=report.extended,
        moved=report.moved,
        x=state[State.X],
        y=state[State.Y],
        heading=state[State.HEADING],
        device=report.device,
    )
