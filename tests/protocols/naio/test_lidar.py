"""The order of the lidar's rays, and what stands for nothing seen."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.protocols.naio import Dialect
from mobilesim_py.protocols.naio.lidar import AHEAD, ranges_of, ray_angle, ray_index, wire_distances


@pytest.mark.parametrize(("index", "angle"), [(45, 90), (135, 0), (225, -90)])
def test_real_clients_have_left_at_45_and_the_manual_has_it_at_225(index: int, angle: int) -> None:
    assert ray_angle(index, Dialect.SIMULATOZ) == angle
    assert ray_angle(index, Dialect.MANUAL) == -angle


@pytest.mark.parametrize("dialect", Dialect)
def test_every_angle_has_its_ray(dialect: Dialect) -> None:
    assert [ray_index(ray_angle(index, dialect), dialect) for index in range(271)] == list(range(271))


@pytest.mark.parametrize("dialect", Dialect)
def test_a_stake_on_the_left_is_where_the_left_ray_is(dialect: Dialect) -> None:
    ranges = np.full(271, math.inf)
    ranges[AHEAD + 60] = 1.2344
    distances = wire_distances(ranges, dialect)
    assert distances[ray_index(60.0, dialect)] == 1234
    assert ranges_of(distances, dialect)[AHEAD + 60] == 1.234
    assert np.isinf(ranges_of(distances, dialect)).sum() == 270


@pytest.mark.parametrize(("dialect", "nothing"), [(Dialect.SIMULATOZ, 0), (Dialect.MANUAL, 4000)])
@pytest.mark.parametrize("strange", [math.inf, math.nan, 0.0, -1.0])
def test_nothing_seen_is_said_as_the_dialect_says_it(dialect: Dialect, nothing: int, strange: float) -> None:
    assert set(wire_distances(np.full(271, strange), dialect)[45:226]) == {nothing}


@pytest.mark.parametrize("dialect", Dialect)
def test_rays_that_the_body_hides_are_zero(dialect: Dialect) -> None:
    distances = wire_distances(np.full(271, 2.0), dialect)
    assert [index for index, distance in enumerate(distances) if distance] == list(range(45, 226))


def test_a_distance_is_held_at_what_the_wire_can_say() -> None:
    assert max(wire_distances(np.full(271, 100.0), Dialect.SIMULATOZ)) == 65535


def test_another_number_of_ranges_is_refused() -> None:
    with pytest.raises(ValueError, match="271 ranges, not 270"):
        wire_distances(np.ones(270), Dialect.SIMULATOZ)
