"""Arithmetic that both engines share, so that they agree to the last bit.

Every function here works on NumPy arrays as it stands and on scalars when compiled: only + - * /, floor, and no
library sine, because two libraries may differ in the last bit and then two engines would send different bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

TAU = 6.283185307179586
_TWO_OVER_PI = 0.6366197723675814
_HALF_PI_HIGH = 1.5707963267341256
_HALF_PI_LOW = 6.077100506506192e-11

FAR = 1e300
"""A distance at which nothing is: what a ray that meets nothing is told."""
ON_SEGMENT = 1e-9
"""How far beyond its ends a segment still counts as hit, as a share of its length: rays must not slip through corners."""


choose = np.where
"""Compiled, this name stands for a choice between two scalars."""


def sincos(angle: Any) -> Any:
    """Sine and cosine of an angle [rad] of moderate size, by reduction to an eighth of a turn and polynomials."""
    quarter = np.floor(angle * _TWO_OVER_PI + 0.5)
    r = (angle - quarter * _HALF_PI_HIGH) - quarter * _HALF_PI_LOW
    z = r * r
    s = r + r * z * (
        -1.66666666666666324348e-01
        + z
        * (
            8.33333333332248946124e-03
            + z
            * (
                -1.98412698298579493134e-04
                + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
            )
        )
    )
    c = (
        1.0
        - 0.5 * z
        + z
        * z
        * (
            4.16666666666666019037e-02
            + z
            * (
                -1.38888888888741095749e-03
                + z
                * (
                    2.48015872894767294178e-05
                    + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
                )
            )
        )
    )
    quadrant = quarter - 4.0 * np.floor(quarter * 0.25)
    # Sine and cosine of whole quarters: 0 1 0 -1 and 1 0 -1 0.
    quarter_sin = 1.0 - np.abs(quadrant - 1.0)
    quarter_cos = np.abs(quadrant - 2.0) - 1.0
    return s * quarter_cos + c * quarter_sin, c * quarter_cos - s * quarter_sin


def wrap(angle: Any) -> Any:
    """The same angle in [-pi, pi)."""
    return angle - TAU * np.floor(angle / TAU + 0.5)


def scramble(number: Any) -> Any:
    """A well-mixed 64-bit number (the finaliser of SplitMix64); `number` is np.uint64."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


ODOMETRY_NOISE, LASER_NOISE, SONAR_NOISE, START_NOISE = range(4)
"""The first devices of a body that draw noise; others have the numbers from FIRST_FREE_NOISE on."""
FIRST_FREE_NOISE = 4


def noise_source(serial: Any, device: Any) -> Any:
    """Return the number of the noise source of one device of a body; both are np.uint64.

    Four devices of a body have neighbouring numbers, the next four stand far beyond the numbers of any other body.
    """
    return serial * np.uint64(4) + (device & np.uint64(3)) + ((device >> np.uint64(2)) << np.uint64(48))


def draw_stem(seed: Any, source: Any) -> Any:
    """What all draws of one noise source (a sensor, an odometer) are made from; np.uint64."""
    return scramble(seed + source * np.uint64(0x9E3779B97F4A7C15))


def key_at(stem: Any, tick: Any) -> Any:
    """What the draws of a source in one tick are made from; np.uint64."""
    return scramble(stem + tick * np.uint64(0xD1B54A32D192ED03))


def draw_key(seed: Any, source: Any, tick: Any) -> Any:
    """The same from the beginning."""
    return key_at(draw_stem(seed, source), tick)


def draw_bits(key: Any, index: Any) -> Any:
    """The bits of draw number `index` (np.uint64) under a key."""
    return scramble(key + index * np.uint64(0x9E3779B97F4A7C15))


def high_uniform(bits: Any) -> Any:
    """A number in [-1, 1) from the upper half of the bits."""
    return (bits >> np.uint64(32)) * 4.656612873077393e-10 - 1.0


def low_uniform(bits: Any) -> Any:
    """A number in [-1, 1) from the lower half of the bits."""
    return (bits & np.uint64(0xFFFFFFFF)) * 4.656612873077393e-10 - 1.0


def nearest_in_wedge(ax: Any, ay: Any, ex: Any, ey: Any, cosine: Any, sine: Any) -> Any:
    """Return how far from the apex a wedge first meets the segment from a to a + e; FAR where it does not.

    The apex is the origin, the middle of the wedge the x axis; `cosine` and `sine` are those of half its opening. The
    nearest place is the nearest of the whole segment if that lies inside, else where the segment comes in.
    """
    length = ex * ex + ey * ey
    share = choose(length > 0.0, -(ax * ex + ay * ey) / choose(length > 0.0, length, 1.0), 0.0)
    share = np.minimum(1.0, np.maximum(0.0, share))
    px = ax + share * ex
    py = ay + share * ey
    distance = np.sqrt(px * px + py * py)
    best = choose(px >= distance * cosine, distance, FAR)
    best = np.minimum(best, along_ray(ax, ay, ex, ey, cosine, sine))
    return np.minimum(best, along_ray(ax, ay, ex, ey, cosine, -sine))


def along_ray(ax: Any, ay: Any, ex: Any, ey: Any, dx: Any, dy: Any) -> Any:
    """Return how far along a ray of direction d from the origin the segment from a to a + e is; FAR where it is not met."""
    across = dx * ey - dy * ex
    distance = (ax * ey - ay * ex) / across
    share = (ax * dy - ay * dx) / across
    met = (across != 0.0) & (distance >= 0.0) & (share >= 0.0) & (share <= 1.0)
    return choose(met, distance, FAR)
