"""Stakes that a camera has in view, as programs that look for them would find them in its picture."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.cameras.optics import Eye
from mobilesim_py.geometry import FloatArray
from mobilesim_py.world.plants import PlantKind
from mobilesim_py.world.world import World

FARTHEST = 6.0
"""Stakes farther away are too thin to be told from anything else [m]."""


def stakes_in_view(world: World, eye: Eye, farthest: float = FARTHEST) -> FloatArray:
    """Return column and row of the foot of every stake in the picture, N x 2 [px], the nearest first."""
    plants = world.plants
    stakes = np.flatnonzero(plants.kind == PlantKind.STAKE)
    feet = np.stack([plants.x[stakes], plants.y[stakes], plants.base[stakes]], axis=1)
    seen = eye.project(feet)
    u, v, depth = seen.T
    inside = (depth > 0.0) & (depth < farthest) & (u >= 0.0) & (u < eye.width) & (v >= 0.0) & (v < eye.height)
    found = seen[inside]
    return np.asarray(found[np.argsort(found[:, 2], kind="stable"), :2])
