"""Packing the reports of all robots by a compiled function: the bytes of `report.pack_reports` in a tenth of the time."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from mobilesim_py.protocols.arcos.laser import READINGS_PER_PACKET
from mobilesim_py.protocols.arcos.packet import MAX_LENGTH
from mobilesim_py.protocols.arcos.report import Factor, Report, State

PACK = "pack"
"""What the compiled function is called."""
_LONGEST = 3 + MAX_LENGTH


class CompiledPacker:
    """`pack_reports` of the module `report`, by `compiled_report.pack`."""

    def __init__(self, pack: Callable[..., None]) -> None:
        self._pack = pack

    def __call__(self, report: Report) -> list[bytes]:
        """Return the packets of each robot, one after another; empty where there is nothing to tell."""
        scans = int(((report.scan_count + READINGS_PER_PACKET - 1) // READINGS_PER_PACKET).sum())
        out = np.zeros((len(report.wants_sip) + scans) * _LONGEST, np.uint8)
        ends = np.zeros(len(report.wants_sip) + 1, np.int64)
        self._pack(out, ends, *map(np.ascontiguousarray, report))
        data = out[: ends[-1]].tobytes()
        places = ends.tolist()
        return [data[begin:end] for begin, end in itertools.pairwise(places)]

    def exercise(self) -> None:
        """Pack a report of one robot."""
        number, truth, table = np.zeros(1, np.int64), np.ones(1, np.bool_), np.zeros((1, 1))
        self(
            Report(
                state=np.zeros((len(State), 1)),
                factors=np.ones((len(Factor), 1)),
                wants_sip=truth,
                tells_motion=truth,
                echoes=table,
                echo_row=number,
                sonar_first=number,
                sonar_count=number,
                laser_robot=number,
                ranges=table,
                reflectance=np.zeros((1, 1), np.uint8),
                scan_row=number,
                scan_count=number,
                extended=truth,
                moved=truth,
                device=number,
            )
        )
