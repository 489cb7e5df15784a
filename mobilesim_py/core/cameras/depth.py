"""How deep everything is in a camera's picture: what a stereo pair measures, without its faults."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.cameras.facets import CORNERS
from mobilesim_py.core.cameras.view import Sprite, View

Depths = npt.NDArray[np.float32]


def depth_of(view: View) -> Depths:
    """Return the depth of each pixel along the camera's axis [m]; NaN in the sky. Plants count as upright rectangles."""
    eye = view.eye
    nearness = np.repeat(view.near[:, None], eye.width, axis=1)
    rows, columns = np.arange(eye.height), np.arange(eye.width)
    for corners, (a, b, c) in zip(view.facets.corners, view.facets.nearness, strict=True):
        first, last = (int(v) for v in np.clip(np.ceil([corners[:, 1].min(), corners[:, 1].max()]), 0, eye.height))
        v = rows[first:last, None]
        left, right = np.full((len(v), 1), np.inf), np.full((len(v), 1), -np.inf)
        for k in range(CORNERS):
            (au, av), (bu, bv) = corners[k], corners[(k + 1) % CORNERS]
            met = (av <= v) != (bv <= v)
            u = au + (bu - au) * ((v - av) / (bv - av if bv != av else 1.0))
            left, right = np.where(met, np.minimum(left, u), left), np.where(met, np.maximum(right, u), right)
        inside = (columns >= left) & (columns < right)
        here = (a + c * v + b * columns).astype(np.float32)
        part = nearness[first:last]
        np.copyto(part, here, where=inside & (here > part))
    for sprite in view.sprites:
        middle = eye.centre[0] + eye.focal * sprite[Sprite.RIGHT] / sprite[Sprite.DEPTH]
        half = eye.focal * sprite[Sprite.HALF] / sprite[Sprite.DEPTH]
        low, high = (int(u) for u in np.clip(np.ceil([middle - half, middle + half]), 0, eye.width))
        part = nearness[int(sprite[Sprite.FIRST_ROW]) : int(sprite[Sprite.LAST_ROW]), low:high]
        np.maximum(part, np.float32(1.0 / sprite[Sprite.DEPTH]), out=part)
    with np.errstate(divide="ignore"):
        return np.where(nearness > 0.0, np.float32(1.0) / nearness, np.float32(np.nan)).astype(np.float32)
