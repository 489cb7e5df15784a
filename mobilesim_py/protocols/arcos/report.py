"""What all robots tell their clients at one moment, and its packets: for each robot its SIP, then its scans.

`pack_reports` does it in NumPy; `compiled_report.pack_reports` gives the same bytes in machine code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.protocols.arcos.laser import ScanBatch, pack_scans
from mobilesim_py.protocols.arcos.sip import TEMPERATURE_FAULT, SipBatch, pack_sips


class State(IntEnum):
    """Rows of the table of what robots are doing, in metres, radians, seconds, volts; truth values are 0.0 and 1.0."""

    X = 0
    """Odometry."""
    Y = 1
    HEADING = 2
    FORWARD = 3
    LATERAL = 4
    ROTATION = 5
    BATTERY = 6
    CHARGE = 7
    """[%]"""
    TEMPERATURE = 8
    OVERHEATED = 9
    STALLED = 10
    MOTORS_ON = 11
    SONAR_ON = 12
    DIGITAL_IN = 13
    DIGITAL_OUT = 14


class Factor(IntEnum):
    """Rows of the table of conversion factors, those of `catalogue.model.Conversion`."""

    DISTANCE = 0
    VELOCITY = 1
    RANGE = 2
    ANGLE = 3
    DIFFERENCE = 4


@dataclass(frozen=True)
class Report:
    """What N robots with M lasers that are on tell, as arrays."""

    state: NDArray[np.float64]
    """`State` x N."""
    factors: NDArray[np.float64]
    """`Factor` x N."""
    wants_sip: NDArray[np.bool_]
    tells_motion: NDArray[np.bool_]
    """See `sip.Sip`."""
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
    state, factors = report.state[:, told], report.factors[:, told]
    stalled = state[State.STALLED] > 0.0
    return SipBatch(
        x=state[State.X],
        y=state[State.Y],
        heading=state[State.HEADING],
        forward_speed=state[State.FORWARD],
        lateral_speed=state[State.LATERAL],
        rotation_speed=state[State.ROTATION],
        sonar_ranges=report.echoes[report.echo_row[told]],
        sonar_first=report.sonar_first[told],
        sonar_count=report.sonar_count[told],
        battery=state[State.BATTERY],
        state_of_charge=state[State.CHARGE],
        temperature=state[State.TEMPERATURE],
        stall_left=stalled,
        stall_right=stalled,
        tells_motion=report.tells_motion[told],
        motors_on=state[State.MOTORS_ON] > 0.0,
        sonar_on=state[State.SONAR_ON] > 0.0,
        digital_in=state[State.DIGITAL_IN].astype(np.int64),
        digital_out=state[State.DIGITAL_OUT].astype(np.int64),
        faults=np.where(state[State.OVERHEATED] > 0.0, TEMPERATURE_FAULT, 0),
        distance_factor=factors[Factor.DISTANCE],
        velocity_factor=factors[Factor.VELOCITY],
        range_factor=factors[Factor.RANGE],
        angle_factor=factors[Factor.ANGLE],
        difference_factor=factors[Factor.DIFFERENCE],
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
    )
