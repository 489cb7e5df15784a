"""The scans of all lasers at once, in NumPy; `compiled.laser` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.devices.laser import Laser
from mobilesim_py.core.engines.formulas import LASER_NOISE, draw_bits, high_uniform, low_uniform, sincos
from mobilesim_py.core.engines.numpy.casting import cast, meet
from mobilesim_py.core.engines.numpy.expand import runs
from mobilesim_py.core.engines.numpy.formulas import keys
from mobilesim_py.core.engines.numpy.outlines import Beams, Fans, Outlines, cosine_of_incidence, look
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import GridTable, IntArray, Rays, Scene
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Stops
from mobilesim_py.world.sight import MIXED


def scan(scene: Scene, lasers: FloatArray, units: IntArray, width: int) -> tuple[FloatArray, ByteArray, FloatArray]:
    """Scan with each of the lasers `units`: rows of ranges [m], reflectance and, for reflectors, the cosine of incidence."""
    bodies = scene.bodies
    laser = lasers[:, units]
    counts = laser[Laser.COUNT].astype(np.int64)
    ranges = np.zeros((len(units), width))
    shine = np.zeros((len(units), width), np.uint8)
    slant = np.zeros((len(units), width))
    if ranges.size == 0:
        return ranges, shine, slant
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        owner, k = runs(np.zeros(len(units), np.int64), counts)
        robot = laser[Laser.BODY].astype(np.int64)
        heading = bodies[Body.HEADING, robot]
        s, c = sincos(heading)
        ox = bodies[Body.X, robot] + laser[Laser.X] * c - laser[Laser.Y] * s
        oy = bodies[Body.Y, robot] + laser[Laser.X] * s + laser[Laser.Y] * c
        first = heading + laser[Laser.HEADING] + laser[Laser.START]
        key = keys(scene.seed, laser[Laser.SERIAL], LASER_NOISE, scene.tick)
        bits = draw_bits(key[owner], k.astype(np.uint64))
        angle = first[owner] + k * laser[Laser.INCREMENT][owner]
        angle = angle + laser[Laser.ANGLE_NOISE][owner] * high_uniform(bits)
        sine, cosine = sincos(angle)
        limit = laser[Laser.RANGE_MAX][owner]
        mask = int(Stops.LASER)
        rays = Rays(ox[owner], oy[owner], cosine, sine, limit, robot[owner])
        best, met = cast(scene.grid, rays.x, rays.y, cosine, sine, limit, mask)
        value, tilt = surfaces_met(scene, rays, mask, best, met)
        fans = Fans(ox, oy, first, laser[Laser.INCREMENT], counts, laser[Laser.ANGLE_NOISE], robot)
        look(Outlines(scene, Stops.LASER), fans, owner, Beams(cosine, sine, best, value, tilt))
        noise = laser[Laser.RANGE_NOISE][owner]
        noisy = np.minimum(limit, np.maximum(laser[Laser.RANGE_MIN][owner], best + noise * low_uniform(bits)))
        ranges[owner, k] = np.where(best < limit, noisy, best)
        shine[owner, k] = value
        slant[owner, k] = tilt
    return ranges, shine, slant


def surfaces_met(scene: Scene, rays: Rays, mask: int, best: FloatArray, met: IntArray) -> tuple[ByteArray, FloatArray]:
    """Return the reflectance of the walls that rays met in the cells `met` and, for reflectors, the cosine of incidence."""
    reflectance = scene.grid.sight(mask).reflectance
    value = np.where(met >= 0, max(0, reflectance), 0).astype(np.uint8)
    tilt = np.zeros(len(best))
    hit = np.flatnonzero(met >= 0)
    if reflectance == MIXED and len(hit):
        item = _items_met(scene.ground, rays.pick(hit), mask, best[hit], met[hit])
        value[hit] = scene.ground.kinds[item] >> 8
        bright = np.flatnonzero(value[hit] > 1)
        line = scene.ground.lines[item[bright]]
        bright = hit[bright]
        tilt[bright] = cosine_of_incidence(rays.cosine[bright], rays.sine[bright], line[:, 2], line[:, 3])
    return value, tilt


def _items_met(ground: GridTable, rays: Rays, mask: int, best: FloatArray, place: IntArray) -> IntArray:
    """Return which segment of its cell each ray met at its distance; of several (a reflector on a wall) the later one."""
    first = ground.starts[place]
    ray, item = runs(first, ground.starts[place + 1] - first)
    ax, ay, ex, ey = ground.lines[item].T
    distance, ahead = meet(rays.cosine[ray], rays.sine[ray], ax - rays.x[ray], ay - rays.y[ray], ex, ey)
    met = np.flatnonzero(ahead & (distance == best[ray]) & ((ground.kinds[item] & mask) != 0))
    ray, item = ray[met], item[met]
    # In the order of their segments, so that the last one stays.
    order = np.argsort(ground.items[item], kind="stable")
    found = np.zeros(len(place), np.int64)
    found[ray[order]] = item[order]
    return found
