"""What many robots sense, as bytes: packets that are sent often, packed for all robots at once.

The bytes are those of `protocols.naio.encode`, packet by packet.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from mobilesim_py.protocols.naio import TABLES, Dialect, Kind
from mobilesim_py.protocols.naio.framing import encode_frame
from mobilesim_py.protocols.naio.hardware_packets import RAYS
from mobilesim_py.protocols.naio.lidar import FIRST_SEEING, LAST_SEEING, NOTHING_SEEN_MM
from mobilesim_py.protocols.naio.table import row_of
from mobilesim_py.protocols.naio.units import GRAVITY, GYRO_DEGREES_PER_SECOND

FloatArray = npt.NDArray[np.float64]

_HEAD, _FOOT = 11, 4
"""Bytes before and behind a payload."""
_MOST = 0x7FFF
_SIGNS = {
    Dialect.SIMULATOZ: np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, -1.0]]),
    Dialect.MANUAL: np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]),
}
"""Of the turning rates and the forces."""
_FEEL = np.dtype(
    [
        *(("head", f"V{_HEAD}"), ("rates", ">i2", 3), ("foot", f"V{_FOOT}")),
        *(("head2", f"V{_HEAD}"), ("forces", ">i2", 3), ("foot2", f"V{_FOOT}")),
    ]
)
_TURN = np.dtype(
    [("head", f"V{_HEAD}"), ("distances", ">u2", RAYS), ("albedos", "u1", RAYS), ("foot", f"V{_FOOT}")]
)  # fmt: skip
FEEL_BYTES, TURN_BYTES = _FEEL.itemsize, _TURN.itemsize
SEEING = LAST_SEEING + 1 - FIRST_SEEING
"""Rays that the body does not hide."""


class Packer:
    """Packs for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        rows = TABLES[dialect]
        ids = {row.packet.kind: row.id for row in rows.values()}
        self._feel = np.frombuffer(
            encode_frame(ids[Kind.HA_GYRO], bytes(6)) + encode_frame(ids[Kind.HA_ACCELERO], bytes(6)), _FEEL
        )
        self._turn = np.frombuffer(encode_frame(ids[Kind.HA_LIDAR], bytes(3 * RAYS)), _TURN)
        signs = _SIGNS[dialect]
        self._rate_scale = signs[0] * (math.degrees(1.0) / GYRO_DEGREES_PER_SECOND)
        self._force_scale = signs[1] * (1000.0 / GRAVITY)
        self._nothing_mm = NOTHING_SEEN_MM[dialect]

    def feel(self, rates: FloatArray, forces: FloatArray) -> bytes:
        """Return gyro and accelero packets (FEEL_BYTES for each robot) of rates [rad/s] and forces [m/s2], N x 3."""
        packets = np.repeat(self._feel, len(rates))
        packets["rates"] = np.rint(rates * self._rate_scale).clip(-_MOST - 1, _MOST)
        packets["forces"] = np.rint(forces * self._force_scale).clip(-_MOST - 1, _MOST)
        return packets.tobytes()

    def turn(self, ranges: FloatArray, reach: float) -> bytes:
        """Return lidar packets (TURN_BYTES for each robot) of ranges [m], N x SEEING, from the left to the right.

        What is not nearer than `reach` is nothing seen.
        """
        packets = np.repeat(self._turn, len(ranges))
        distances = np.where((ranges > 0.0) & (ranges < reach), np.rint(ranges * 1000.0), self._nothing_mm)
        if self.dialect is Dialect.MANUAL:
            distances = distances[:, ::-1]
        packets["distances"][:, FIRST_SEEING : LAST_SEEING + 1] = distances
        return packets.tobytes()


def odo_bytes(counts: FloatArray, dialect: Dialect) -> bytes:
    """Return the odo packet of the counts of one robot's tickers: front left, front right, rear left, rear right."""
    front_left, front_right, rear_left, rear_right = (int(count) & 1 for count in counts.tolist())
    return _odo_frame(front_right | rear_right << 1 | rear_left << 2 | front_left << 3, dialect)


def _odo_frame(bits: int, dialect: Dialect) -> bytes:
    return _ODO_FRAMES[dialect][bits]


def _odo_frames(dialect: Dialect) -> tuple[bytes, ...]:
    from mobilesim_py.protocols.naio.hardware_packets import HaOdo

    number = row_of(HaOdo, dialect).id
    return tuple(encode_frame(number, bytes(bits >> k & 1 for k in range(4))) for bits in range(16))


_ODO_FRAMES = {dialect: _odo_frames(dialect) for dialect in Dialect}
