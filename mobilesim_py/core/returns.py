"""What a laser says of how bright a thing is: the model's rules applied to what its beams hit."""

from __future__ import annotations

import numpy as np

from mobilesim_py.catalogue.model import ReturnRule
from mobilesim_py.world.obstacles import ByteArray, FloatArray


def reported_reflectance(
    rules: tuple[ReturnRule, ...], reflectance: ByteArray, ranges: FloatArray, slant: FloatArray
) -> ByteArray:
    """The reflectance that is reported for each beam. `slant` is the cosine of the angle of incidence."""
    reported = reflectance.copy()
    settled = np.zeros(len(reported), np.bool_)
    incidence = np.arccos(np.clip(slant, 0.0, 1.0))
    for rule in rules:
        matches = {
            "gt": reflectance > rule.value,
            "lt": reflectance < rule.value,
            "eq": reflectance == rule.value,
        }[rule.comparison] & ~settled
        if rule.condition == "outside_range":
            matches &= ranges > rule.limit
        elif rule.condition == "inside_range":
            matches &= ranges < rule.limit
        elif rule.condition == "outside_angle":
            matches &= incidence > rule.limit
        elif rule.condition == "inside_angle":
            matches &= incidence < rule.limit
        reported[matches] = rule.detect
        if rule.stop:
            settled |= matches
    return reported
