"""Map metres become latitude and longitude on the WGS84 ellipsoid."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.world.geodesy import Georeference, from_earth_centred, to_earth_centred

COLUMBIA = Georeference(42.807191, -71.578661, 72.0)


def test_the_zero_point_is_the_origin_itself() -> None:
    assert COLUMBIA.at(0.0, 0.0) == pytest.approx((42.807191, -71.578661, 72.0), abs=1e-9)


@pytest.mark.parametrize(
    ("place", "earth_centred"),
    [
        ((0.0, 0.0, 0.0), (6378137.0, 0.0, 0.0)),
        ((0.0, 90.0, 100.0), (0.0, 6378237.0, 0.0)),
        ((90.0, 0.0, 0.0), (0.0, 0.0, 6356752.314245)),
        ((45.0, 0.0, 0.0), (4517590.878849, 0.0, 4487348.408866)),
    ],
)
def test_known_places_have_their_known_coordinates(
    place: tuple[float, float, float], earth_centred: tuple[float, float, float]
) -> None:
    assert to_earth_centred(place) == pytest.approx(earth_centred, abs=1e-5)
    assert from_earth_centred(*earth_centred)[::2] == pytest.approx(place[::2], abs=1e-5)


def test_the_recorded_longitude_at_the_home_of_a_georeferenced_map_is_met() -> None:
    # A robot at (-0.182, 0.176) of that map was reported at longitude -71.5786632 (cut to 7 decimals).
    assert math.trunc(COLUMBIA.at(-0.182, 0.176)[1] * 1e7) == -715786632


def test_a_metre_to_the_north_is_as_much_latitude_as_recorded() -> None:
    # The recordings of robots one metre apart in y differ by 90 units of 1e-7 degrees.
    step = COLUMBIA.at(-0.182, 0.176)[0] - COLUMBIA.at(-0.182, -0.824)[0]
    assert round(step * 1e7) == 90


def test_a_kilometre_to_the_east_follows_the_parallel() -> None:
    radius = 6378137.0 / math.sqrt(1 - 0.00669437999014 * math.sin(math.radians(42.807191)) ** 2)
    latitude, longitude, _ = COLUMBIA.at(1000.0, 0.0)
    assert longitude + 71.578661 == pytest.approx(
        math.degrees(1000.0 / (radius + 72) / math.cos(math.radians(42.807191))), rel=1e-6
    )
    assert latitude == pytest.approx(42.807191, abs=1e-5)


def test_far_from_the_origin_the_tangent_plane_rises_above_the_ground() -> None:
    assert COLUMBIA.at(0.0, 1000.0)[2] - 72.0 == pytest.approx(1000.0**2 / 2 / 6.37e6, rel=0.01)


@given(st.floats(-90, 90), st.floats(-180, 180), st.floats(-100, 9000))
def test_there_and_back_is_the_same_place(latitude: float, longitude: float, altitude: float) -> None:
    again = from_earth_centred(*to_earth_centred((latitude, longitude, altitude)))
    assert again[0] == pytest.approx(latitude, abs=1e-9)
    assert again[2] == pytest.approx(altitude, abs=1e-4)
    assert to_earth_centred(again) == pytest.approx(to_earth_centred((latitude, longitude, altitude)), abs=1e-3)
