"""Any rays against walls and bodies at once, in NumPy; `compiled.rays` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.engines.numpy import casting
from mobilesim_py.core.engines.numpy.laser import surfaces_met
from mobilesim_py.core.engines.numpy.outlines import Beams, Outlines
from mobilesim_py.core.scene import NOTHING, WALL, Hits, Rays, Scene

_PAIRS = 1 << 20
"""So many pairs of rays and bodies are looked at together."""


def cast(scene: Scene, rays: Rays, mask: int) -> Hits:
    """Return what each ray meets first of all that stops what `mask` says (bits of `Stops`)."""
    x, y, cosine, sine, reach, carrier = rays
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        best, met = casting.cast(scene.grid, x, y, cosine, sine, reach, mask)
        value, tilt = surfaces_met(scene, rays, mask, best, met)
        beams = Beams(cosine, sine, best, value, tilt, np.where(met >= 0, WALL, NOTHING))
        outlines = Outlines(scene, mask)
        size = outlines.radius[outlines.visible]
        portion = max(1, _PAIRS // max(1, len(size)))
        for begin in range(0, len(x), portion):
            part = slice(begin, begin + portion)
            gx = outlines.x[outlines.visible] - x[part, None]
            gy = outlines.y[outlines.visible] - y[part, None]
            far = best[part, None] + size
            aside = gx * sine[part, None] - gy * cosine[part, None]
            close = (gx * gx + gy * gy <= far * far) & (aside * aside <= size * size)
            ray, seen = np.nonzero(close & outlines.seen_by(carrier[part]))
            if len(ray):
                ray += begin
                outlines.meet(x[ray], y[ray], outlines.visible[seen], ray, beams)
    assert beams.body is not None
    return Hits(best, beams.body, value, tilt)
