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


GIVE_WAY_SHARES = (0.125, 0.25, 0.5, 1.0)
"""How far a body that turns may give way, as shares of the way that its farthest corner makes."""
_DIAGONAL = 0.7071067811865476
ASIDE = ((1.0, 0.0), (_DIAGONAL, _DIAGONAL), (_DIAGONAL, -_DIAGONAL), (0.0, 1.0), (0.0, -1.0))
"""The directions in which it may give way, against straight away from what it touches: cosine and sine."""

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


ODOMETRY_NOISE, LASER_NOISE, SONAR_NOISE, START_NOISE, WHEEL_NOISE = range(5)
"""The first devices of a body that draw noise; others have the numbers from FIRST_FREE_NOISE on."""
FIRST_FREE_NOISE = 8
IMU_NOISE, IMU_DRIFT, GPS_NOISE, GPS_DRIFT, GPS_LOSS, HARDSHIP_NOISE, CLUTTER_NOISE, FIXED_ERRORS = range(32, 40)
COMPASS_NOISE = 40


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


_MIDDLE = (
    *(-3.969683028665376e01, 2.209460984245205e02, -2.759285104469687e02),
    *(1.383577518672690e02, -3.066479806614716e01, 2.506628277459239e00),
)
_UNDER_MIDDLE = (
    *(-5.447609879822406e01, 1.615858368580409e02, -1.556989798598866e02),
    *(6.680131188771972e01, -1.328068155288572e01, 1.0),
)
_TAIL = (
    *(-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e00),
    *(-2.549732539343734e00, 4.374664141464968e00, 2.938163982698783e00),
)
_UNDER_TAIL = (7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e00, 3.754408661907416e00, 1.0)
_HALVINGS = ((32.0, 4294967296.0), (16.0, 65536.0), (8.0, 256.0), (4.0, 16.0), (2.0, 4.0), (1.0, 2.0))
_SERIES = tuple(1.0 / odd for odd in range(31, 0, -2))


def normal(bits: Any) -> Any:
    """Return a normally distributed number of mean 0 and deviation 1 (at most 8.3 off) from the bits of one draw.

    The inverse of the distribution function by Acklam's rational approximations (relative error 1.2e-9); the tails need a
    logarithm, which is made of exact steps and a series here, because libraries differ in its last bit.
    """
    share = ((bits >> np.uint64(12)) + 0.5) * 2.220446049250313e-16
    off = share - 0.5
    square = off * off
    middle = off * polynomial(square, _MIDDLE) / polynomial(square, _UNDER_MIDDLE)
    q = np.sqrt(-2.0 * logarithm(np.minimum(share, 1.0 - share)))
    tail = polynomial(q, _TAIL) / polynomial(q, _UNDER_TAIL)
    return choose(np.abs(off) <= 0.47575, middle, choose(off < 0.0, tail, -tail))


def polynomial(x: Any, coefficients: Any) -> Any:
    """Return the value of a polynomial, its highest coefficient first."""
    total = x * 0.0
    for coefficient in coefficients:
        total = total * x + coefficient
    return total


def logarithm(x: Any) -> Any:
    """Return the natural logarithm of a number between 2**-63 and 1."""
    power = x * 0.0
    for halvings, scale in _HALVINGS:
        small = x * scale < 1.0
        x = choose(small, x * scale, x)
        power = choose(small, power - halvings, power)
    # Now x is between a half and one, and s at least minus a third: log(x) = 2 (s + s**3 / 3 + s**5 / 5 + ...).
    s = (x - 1.0) / (x + 1.0)
    return power * 0.6931471805599453 + 2.0 * s * polynomial(s * s, _SERIES)


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
