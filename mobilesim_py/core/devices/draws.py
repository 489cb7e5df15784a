"""Draws of devices that need few of them: for good, or slowly changing. The same for both engines, as for all noise."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.engines.formulas import FIXED_ERRORS, draw_bits, draw_key, high_uniform, noise_source
from mobilesim_py.world.obstacles import FloatArray


def uniforms(seed: int, serial: int, device: int, number: int, count: int) -> FloatArray:
    """Return numbers in [-1, 1) that belong to one moment (its number) of one device of a body."""
    with np.errstate(over="ignore"):
        key = draw_key(np.uint64(seed), noise_source(np.uint64(serial), np.uint64(device)), np.uint64(number))
        drawn: FloatArray = high_uniform(draw_bits(key, np.arange(count, dtype=np.uint64)))
    return drawn


def fixed_draws(seed: int, serial: int, count: int) -> FloatArray:
    """Return numbers in [-1, 1) that stay the same for as long as a body lives."""
    return uniforms(seed, serial, FIXED_ERRORS, 0, count)


def wandering(seed: int, serial: int, device: int, knots: float, count: int) -> FloatArray:
    """Return numbers in [-1, 1) that go straight from one draw to the next; `knots` is time counted in draws."""
    knot = int(knots)
    before, after = (uniforms(seed, serial, device, number, count) for number in (knot, knot + 1))
    return before + (after - before) * (knots - knot)
