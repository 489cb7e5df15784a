"""Keys of the noise of many sources at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.engines.formulas import draw_stem, key_at, noise_source
from mobilesim_py.world.obstacles import FloatArray


def keys(seed: int, serials: FloatArray, device: int, tick: int) -> npt.NDArray[np.uint64]:
    """Return the keys of the noise of one device of some bodies in one tick."""
    found: npt.NDArray[np.uint64] = key_at(_stems(seed, serials.tobytes(), device), np.uint64(tick))
    return found


@lru_cache(maxsize=64)
def _stems(seed: int, serials: bytes, device: int) -> npt.NDArray[np.uint64]:
    """Return what stays the same from tick to tick."""
    source = noise_source(np.frombuffer(serials).astype(np.uint64), np.uint64(device))
    stems: npt.NDArray[np.uint64] = draw_stem(np.uint64(seed), source)
    return stems
