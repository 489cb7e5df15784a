"""The nearest thing in each of many wedges, in NumPy; `compiled.wedges` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.engines.formulas import nearest_in_wedge, sincos
from mobilesim_py.core.engines.numpy.expand import runs
from mobilesim_py.core.engines.numpy.outlines import Lines, Outlines
from mobilesim_py.core.scene import IntArray, Scene, Wedges
from mobilesim_py.world.obstacles import FloatArray


def nearest(scene: Scene, wedges: Wedges, mask: int) -> FloatArray:
    """Return how far the nearest thing in each wedge is that stops what `mask` says; its reach where there is none."""
    best = wedges.reach.copy()
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        owner, item = _items_near(scene, wedges, mask)
        _shorten(best, wedges, owner, Lines(*scene.ground.lines[item].T))
        outlines = Outlines(scene, mask)
        visible = outlines.visible
        gx, gy = outlines.x[visible] - wedges.x[:, None], outlines.y[visible] - wedges.y[:, None]
        far = best[:, None] + outlines.radius[visible]
        owner, seen = np.nonzero((gx * gx + gy * gy <= far * far) & outlines.seen_by(wedges.carrier))
        body = visible[seen]
        pair, edge = runs(outlines.first[body], outlines.number[body])
        s, c = outlines.sine[body[pair]], outlines.cosine[body[pair]]
        lx, ly, ex, ey = outlines.edges[edge].T
        ax = outlines.x[body[pair]] + lx * c - ly * s
        ay = outlines.y[body[pair]] + lx * s + ly * c
        _shorten(best, wedges, owner[pair], Lines(ax, ay, ex * c - ey * s, ex * s + ey * c))
    return best


def _shorten(best: FloatArray, wedges: Wedges, owner: IntArray, lines: Lines) -> None:
    """Meet segments in the world with the wedges beside them, and keep what is nearest in each."""
    s, c = (part[owner] for part in sincos(wedges.heading))
    sine, cosine = (part[owner] for part in sincos(wedges.half))
    rx, ry = lines.ax - wedges.x[owner], lines.ay - wedges.y[owner]
    ex, ey = lines.ex * c + lines.ey * s, lines.ey * c - lines.ex * s
    np.minimum.at(best, owner, nearest_in_wedge(rx * c + ry * s, ry * c - rx * s, ex, ey, cosine, sine))


def _items_near(scene: Scene, wedges: Wedges, mask: int) -> tuple[IntArray, IntArray]:
    """Return pairs of a wedge and an item of any cell that its circle touches."""
    ground = scene.ground
    gx, gy = (wedges.x - ground.x0) / ground.cell, (wedges.y - ground.y0) / ground.cell
    reach = wedges.reach / ground.cell
    low_j = np.maximum(0, np.floor(gy - reach)).astype(np.int64)
    high_j = np.minimum(ground.rows - 1, np.floor(gy + reach)).astype(np.int64)
    low_i = np.minimum(ground.columns, np.maximum(0, np.floor(gx - reach))).astype(np.int64)
    high_i = np.maximum(low_i - 1, np.minimum(ground.columns - 1, np.floor(gx + reach))).astype(np.int64)
    line, j = runs(low_j, np.maximum(0, high_j - low_j + 1))
    start = ground.starts[j * ground.columns + low_i[line]]
    owner, item = runs(start, ground.starts[j * ground.columns + high_i[line] + 1] - start)
    keep = (ground.kinds[item] & mask) != 0
    return line[owner[keep]], item[keep]
