"""The echoes of all sonar at once, in NumPy; `compiled.sonar` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.devices.sonar import Sonar
from mobilesim_py.core.engines.formulas import SONAR_NOISE, draw_bits, high_uniform, sincos
from mobilesim_py.core.engines.numpy.casting import cast
from mobilesim_py.core.engines.numpy.expand import runs
from mobilesim_py.core.engines.numpy.formulas import keys
from mobilesim_py.core.engines.numpy.outlines import Beams, Outlines, listen
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import IntArray, RingTable, Scene
from mobilesim_py.world.obstacles import FloatArray, Stops


def ping(scene: Scene, rings: RingTable, sonars: FloatArray, units: IntArray, width: int) -> FloatArray:
    """Measure one range for every transducer of each of the rings `units`: rows of ranges [m], the first ones in use."""
    bodies = scene.bodies
    robots = sonars[Sonar.BODY, units].astype(np.int64)
    ring = sonars[Sonar.RING, units].astype(np.int64)
    per = rings.spread[ring]
    first = rings.starts[ring]
    rays = rings.starts[ring + 1] - first
    counts = rays // per
    ranges = np.zeros((len(robots), width))
    if ranges.size == 0:
        return ranges
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        owner, ray = runs(first, rays)
        robot = robots[owner]
        heading = bodies[Body.HEADING, robots]
        s, c = sincos(heading)
        place = rings.rays[ray]
        ox = bodies[Body.X, robot] + place[:, 0] * c[owner] - place[:, 1] * s[owner]
        oy = bodies[Body.Y, robot] + place[:, 0] * s[owner] + place[:, 1] * c[owner]
        sine, cosine = sincos(heading[owner] + place[:, 2])
        limit = rings.reach[ring, 1]
        best, _ = cast(scene.grid, ox, oy, cosine, sine, limit[owner], int(Stops.SONAR))
        beams = Beams(cosine, sine, best, np.zeros(len(best), np.uint8), np.zeros(len(best)))
        listen(Outlines(scene, Stops.SONAR), ox, oy, robot, beams)
        # The nearest of a transducer's rays is its echo.
        which = (ray - first[owner]) // per[owner]
        nearest = np.full(ranges.shape, np.inf)
        np.minimum.at(nearest, (owner, which), best)
        key = keys(scene.seed, bodies[Body.SERIAL, robots], SONAR_NOISE, scene.tick)
        owner, which = runs(np.zeros(len(robots), np.int64), counts)
        shortest, farthest, noise = rings.reach[ring[owner]].T
        echo = nearest[owner, which]
        wobble = noise * high_uniform(draw_bits(key[owner], which.astype(np.uint64)))
        noisy = np.maximum(shortest, echo) + wobble
        echo = np.where((echo < farthest) & (noise > 0.0), noisy, echo)
        ranges[owner, which] = np.minimum(farthest, np.maximum(shortest, echo))
    return ranges
