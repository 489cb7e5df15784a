"""The shared arithmetic: normal noise, its logarithm, and sources of noise that never meet."""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest

from mobilesim_py.core.engines import formulas


def bits(seed: int, count: int) -> np.ndarray:  # type: ignore[type-arg]
    with np.errstate(over="ignore"):
        key = formulas.draw_key(np.uint64(seed), np.uint64(1), np.uint64(1))
        found: np.ndarray = formulas.draw_bits(key, np.arange(count, dtype=np.uint64))  # type: ignore[type-arg]
        return found


def test_the_logarithm_is_right_to_the_last_digits() -> None:
    x = np.concatenate([np.linspace(1e-6, 1.0, 2000), 0.5 ** np.arange(0, 60)])
    assert formulas.logarithm(x) == pytest.approx([math.log(value) for value in x], rel=1e-14, abs=1e-15)


def test_normal_noise_is_the_inverse_of_the_normal_distribution() -> None:
    drawn = bits(3, 500)
    edges = np.array([0, 2**12, 2**40, 2**63, 2**64 - 1], np.uint64)
    drawn = np.concatenate([drawn, edges])
    shares = ((drawn >> np.uint64(12)) + 0.5) * 2.0**-52
    expected = [NormalDist().inv_cdf(share) for share in shares]
    assert formulas.normal(drawn) == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_normal_noise_has_the_moments_of_a_normal_distribution() -> None:
    drawn = formulas.normal(bits(7, 200_000))
    assert abs(drawn.mean()) < 0.01
    assert drawn.std() == pytest.approx(1.0, abs=0.01)
    assert (drawn**4).mean() == pytest.approx(3.0, abs=0.1)


def test_compiled_normal_noise_has_the_same_bits() -> None:
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    from mobilesim_py.core.engines.compiled.formulas import normal

    drawn = np.concatenate([bits(5, 3000), np.array([0, 2**40, 2**64 - 1], np.uint64)])
    assert np.array_equal(formulas.normal(drawn), [normal(each) for each in drawn])


def test_no_two_devices_of_any_bodies_share_a_source_of_noise() -> None:
    numbers = itertools.product(map(np.uint64, range(40)), map(np.uint64, range(23)))
    sources = [int(formulas.noise_source(serial, device)) for serial, device in numbers]
    assert len(set(sources)) == len(sources)


def test_the_first_devices_keep_the_sources_that_they_always_had() -> None:
    assert [int(formulas.noise_source(np.uint64(9), np.uint64(device))) for device in range(4)] == [36, 37, 38, 39]
