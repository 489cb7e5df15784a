# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""What inertial units feel, compiled; `numpy.inertial` tells how, and gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.devices.imu_rows import Felt, Imu
from mobilesim_py.core.engines import inertial
from mobilesim_py.core.engines.compiled.formulas import choose, compiled, draw_bits, draw_key, noise_source, normal, sincos
from mobilesim_py.core.engines.compiled.jit import lean_kernel, piece
from mobilesim_py.core.engines.formulas import IMU_DRIFT, IMU_NOISE
from mobilesim_py.core.fields import Body

_acceleration = compiled(inertial.acceleration, choose=choose)
_wander = compiled(inertial.wander)
_magnetic_field = compiled(inertial.magnetic_field)
_GRAVITY = inertial.GRAVITY
_KNOT_SECONDS = inertial.KNOT_SECONDS


@lean_kernel
def feel(bodies, dt, seed, tick, imus, units, felt):
    """Write what each unit feels into its row; units remember how fast they went."""
    now = tick + 1.0
    knots = tick * dt / _KNOT_SECONDS
    knot = int(knots)
    for row in range(len(units)):
        unit = units[row]
        i = int(imus[Imu.BODY, unit])
        speed = bodies[Body.FORWARD, i]
        turning = bodies[Body.ROTATION, i]
        ticks = now - imus[Imu.LAST_TICK, unit] if imus[Imu.LAST_TICK, unit] > 0.0 else 0.0
        pushed = _acceleration(speed, imus[Imu.LAST_SPEED, unit], ticks, imus[Imu.ACCELERATION, unit], dt)
        imus[Imu.LAST_TICK, unit] = now
        imus[Imu.LAST_SPEED, unit] = speed
        imus[Imu.ACCELERATION, unit] = pushed
        serial = np.uint64(imus[Imu.SERIAL, unit])
        noise = draw_key(np.uint64(seed), noise_source(serial, np.uint64(IMU_NOISE)), np.uint64(tick))
        drift = noise_source(serial, np.uint64(IMU_DRIFT))
        before = draw_key(np.uint64(seed), drift, np.uint64(knot))
        after = draw_key(np.uint64(seed), drift, np.uint64(knot + 1))
        errs = (
            imus[Imu.RATE_NOISE, unit] != 0.0
            or imus[Imu.RATE_DRIFT, unit] != 0.0
            or imus[Imu.FORCE_NOISE, unit] != 0.0
            or imus[Imu.FORCE_DRIFT, unit] != 0.0
        )
        for axis in range(6):
            error = 0.0
            if errs:
                of = Imu.RATE_NOISE if axis < 3 else Imu.FORCE_NOISE
                error = _error(axis, imus[of, unit], imus[of + 1, unit], noise, before, after, knots - knot)
            felt[row, axis] = error
        rates = turning * (1.0 + imus[Imu.RATE_SCALE, unit]) + imus[Imu.RATE_BIAS, unit]
        felt[row, Felt.RATE_Z] = rates + felt[row, Felt.RATE_Z]
        felt[row, Felt.FORCE_X] = pushed + imus[Imu.FORCE_BIAS_X, unit] + felt[row, Felt.FORCE_X]
        felt[row, Felt.FORCE_Y] = speed * turning + imus[Imu.FORCE_BIAS_Y, unit] + felt[row, Felt.FORCE_Y]
        felt[row, Felt.FORCE_Z] = _GRAVITY + felt[row, Felt.FORCE_Z]
        motors = abs(bodies[Body.LEFT_SPEED, i]) + abs(bodies[Body.RIGHT_SPEED, i])
        disturbed = imus[Imu.FIELD_BIAS_X, unit] + imus[Imu.FIELD_PER_SPEED, unit] * motors
        sine, cosine = sincos(bodies[Body.HEADING, i])
        felt[row, Felt.FIELD_X], felt[row, Felt.FIELD_Y] = _magnetic_field(
            sine,
            cosine,
            imus[Imu.FIELD_SCALE_X, unit],
            imus[Imu.FIELD_SCALE_Y, unit],
            disturbed,
            imus[Imu.FIELD_BIAS_Y, unit],
        )


@piece
def _error(axis, noise_size, drift_size, noise, before, after, share):
    """Return what one axis is off by: noise of this tick, and drift between two knots."""
    number = np.uint64(axis)
    drift = _wander(normal(draw_bits(before, number)), normal(draw_bits(after, number)), share)
    return noise_size * normal(draw_bits(noise, number)) + drift_size * drift
