"""What inertial units feel, all at once; `compiled.inertial` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.devices.imu_rows import Felt, Imu
from mobilesim_py.core.engines.formulas import IMU_DRIFT, IMU_NOISE, draw_bits, normal, sincos
from mobilesim_py.core.engines.inertial import AXES, GRAVITY, KNOT_SECONDS, acceleration, magnetic_field, wander
from mobilesim_py.core.engines.numpy.formulas import keys
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

_DRAWS = np.arange(AXES, dtype=np.uint64)[:, None]


def feel(scene: Scene, imus: FloatArray, units: IntArray) -> FloatArray:
    """Return what each unit feels, a row for each; units remember how fast they went."""
    with np.errstate(over="ignore"):
        imu = imus[:, units]
        carrier = imu[Imu.BODY].astype(np.int64)
        speed, turning = scene.bodies[Body.FORWARD, carrier], scene.bodies[Body.ROTATION, carrier]
        sine, cosine = sincos(scene.bodies[Body.HEADING, carrier])
        motors = np.abs(scene.bodies[Body.LEFT_SPEED, carrier]) + np.abs(scene.bodies[Body.RIGHT_SPEED, carrier])
        now = scene.tick + 1.0
        ticks = np.where(imu[Imu.LAST_TICK] > 0.0, now - imu[Imu.LAST_TICK], 0.0)
        pushed = acceleration(speed, imu[Imu.LAST_SPEED], ticks, imu[Imu.ACCELERATION], scene.dt)
        imus[Imu.LAST_TICK, units] = now
        imus[Imu.LAST_SPEED, units] = speed
        imus[Imu.ACCELERATION, units] = pushed
        felt = np.empty((len(units), len(Felt)))
        rates, forces = _errors(scene, imu)
        felt[:, Felt.RATE_X], felt[:, Felt.RATE_Y] = rates[0], rates[1]
        felt[:, Felt.RATE_Z] = turning * (1.0 + imu[Imu.RATE_SCALE]) + imu[Imu.RATE_BIAS] + rates[2]
        felt[:, Felt.FORCE_X] = pushed + imu[Imu.FORCE_BIAS_X] + forces[0]
        felt[:, Felt.FORCE_Y] = speed * turning + imu[Imu.FORCE_BIAS_Y] + forces[1]
        felt[:, Felt.FORCE_Z] = GRAVITY + forces[2]
        disturbed = imu[Imu.FIELD_BIAS_X] + imu[Imu.FIELD_PER_SPEED] * motors
        field = magnetic_field(
            sine, cosine, imu[Imu.FIELD_SCALE_X], imu[Imu.FIELD_SCALE_Y], disturbed, imu[Imu.FIELD_BIAS_Y]
        )
        felt[:, Felt.FIELD_X], felt[:, Felt.FIELD_Y] = field
        return felt


def _errors(scene: Scene, imu: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what the turning rates and the forces are off by at this tick: noise and drift."""
    if not imu[Imu.RATE_NOISE : Imu.FORCE_DRIFT + 1].any():
        nothing = np.zeros((3, imu.shape[1]))
        return nothing, nothing
    noise = normal(draw_bits(keys(scene.seed, imu[Imu.SERIAL], IMU_NOISE, scene.tick), _DRAWS))
    knots = scene.tick * scene.dt / KNOT_SECONDS
    knot = int(knots)
    before, after = (
        normal(draw_bits(keys(scene.seed, imu[Imu.SERIAL], IMU_DRIFT, number), _DRAWS)) for number in (knot, knot + 1)
    )
    drift = wander(before, after, knots - knot)
    rates = imu[Imu.RATE_NOISE] * noise[:3] + imu[Imu.RATE_DRIFT] * drift[:3]
    forces = imu[Imu.FORCE_NOISE] * noise[3:] + imu[Imu.FORCE_DRIFT] * drift[3:]
    return rates, forces
