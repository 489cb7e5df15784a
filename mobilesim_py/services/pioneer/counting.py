"""How many packets there are in what is sent: viewers and metrics count packets, not writes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mobilesim_py.protocols.arcos.laser import READINGS_PER_PACKET
from mobilesim_py.protocols.arcos.report import Report

LENGTH = 2
"""Where a packet says how many bytes follow its third."""


def count_packets(data: bytes) -> int:
    """Count the packets in bytes that are nothing but whole packets."""
    count = at = 0
    while at + LENGTH < len(data):
        at += data[at + LENGTH] + LENGTH + 1
        count += 1
    return count


def packets_in(report: Report) -> npt.NDArray[np.int64]:
    """Count the packets that a report makes for each of its robots: a SIP, and as many as each scan needs."""
    scans = -(-report.scan_count // READINGS_PER_PACKET)
    counted = np.bincount(report.laser_robot, weights=scans, minlength=len(report.wants_sip))
    return report.wants_sip.astype(np.int64) + counted.astype(np.int64)
