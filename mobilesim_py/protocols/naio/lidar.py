"""The order of the lidar's rays on the wire, and what stands for nothing seen.

Ray `i` looks at the angle `i - 135` degrees from straight ahead, clockwise (as real clients draw it: 45 is left, 225
right) or, in the manual dialect, counter-clockwise. The robot's body hides the rays below 45 and above 225.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .hardware_packets import RAYS
from .kinds import Dialect

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AHEAD = 135
"""The index of the ray that looks straight ahead."""
FIRST_SEEING, LAST_SEEING = 45, 225
"""The rays that the robot's body does not hide."""
MAX_DISTANCE_MM = 0xFFFF
NOTHING_SEEN_MM = {Dialect.SIMULATOZ: 0, Dialect.MANUAL: 4000}
"""What a ray says that meets nothing."""

_SENSE = {Dialect.SIMULATOZ: -1, Dialect.MANUAL: 1}


def ray_angle(index: int, dialect: Dialect) -> int:
    """Return where a ray looks [deg, counter-clockwise from straight ahead]."""
    return _SENSE[dialect] * (index - AHEAD)


def ray_index(angle_deg: float, dialect: Dialect) -> int:
    """Return the ray that looks nearest to an angle [deg, counter-clockwise from straight ahead, -135 to 135]."""
    return AHEAD + round(_SENSE[dialect] * angle_deg)


def wire_distances(ranges_m: NDArray[np.float64], dialect: Dialect) -> tuple[int, ...]:
    """Return the distances of a packet [mm] from 271 ranges [m], counter-clockwise from -135 degrees.

    What is not finite, or not above zero, is nothing seen; hidden rays say 0.
    """
    import numpy as np

    if len(ranges_m) != RAYS:
        raise ValueError(f"a turn of the lidar has {RAYS} ranges, not {len(ranges_m)}")
    seen = np.isfinite(ranges_m) & (ranges_m > 0.0)
    millimetres = np.minimum(np.rint(np.where(seen, ranges_m, 0.0) * 1000.0), MAX_DISTANCE_MM)
    distances = np.where(seen, millimetres, NOTHING_SEEN_MM[dialect]).astype(int)[:: _SENSE[dialect]]
    distances[:FIRST_SEEING] = 0
    distances[LAST_SEEING + 1 :] = 0
    return tuple(distances.tolist())


def ranges_of(distances: Sequence[int], dialect: Dialect) -> NDArray[np.float64]:
    """Return ranges [m], counter-clockwise from -135 degrees, of the distances of a packet; infinite: nothing seen."""
    import numpy as np

    metres = np.asarray(distances, dtype=np.float64)[:: _SENSE[dialect]] / 1000.0
    nothing = (metres == 0.0) | (metres == NOTHING_SEEN_MM[dialect] / 1000.0)
    metres[nothing] = math.inf
    return metres
