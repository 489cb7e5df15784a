"""Where on Earth a place of the map is: east-north metres about a WGS84 point, turned into latitude and longitude."""

from __future__ import annotations

import math
from dataclasses import dataclass

SEMI_MAJOR = 6_378_137.0
FLATTENING = 1.0 / 298.257223563
ECCENTRICITY_SQUARED = FLATTENING * (2.0 - FLATTENING)
SEMI_MINOR = SEMI_MAJOR * (1.0 - FLATTENING)
_SECOND_ECCENTRICITY_SQUARED = ECCENTRICITY_SQUARED / (1.0 - ECCENTRICITY_SQUARED)

Place = tuple[float, float, float]
"""Latitude, longitude [degrees], altitude above the ellipsoid [m]."""


@dataclass(frozen=True)
class Georeference:
    """The map's zero point on Earth; the map's x axis points east, its y axis north."""

    latitude: float
    longitude: float
    altitude: float = 0.0

    def at(self, x: float, y: float, z: float = 0.0) -> Place:
        """Return the place that is x metres east, y north and z above the zero point, on its tangent plane."""
        latitude, longitude = math.radians(self.latitude), math.radians(self.longitude)
        sin_lat, cos_lat = math.sin(latitude), math.cos(latitude)
        sin_lon, cos_lon = math.sin(longitude), math.cos(longitude)
        origin = to_earth_centred((self.latitude, self.longitude, self.altitude))
        outward = cos_lat * z - sin_lat * y
        return from_earth_centred(
            origin[0] + cos_lon * outward - sin_lon * x,
            origin[1] + sin_lon * outward + cos_lon * x,
            origin[2] + cos_lat * y + sin_lat * z,
        )


def to_earth_centred(place: Place) -> tuple[float, float, float]:
    """Turn latitude, longitude and altitude into earth-centred, earth-fixed metres."""
    latitude, longitude = math.radians(place[0]), math.radians(place[1])
    sin_lat, cos_lat = math.sin(latitude), math.cos(latitude)
    normal = SEMI_MAJOR / math.sqrt(1.0 - ECCENTRICITY_SQUARED * sin_lat * sin_lat)
    radius = (normal + place[2]) * cos_lat
    return (
        radius * math.cos(longitude),
        radius * math.sin(longitude),
        (normal * (1.0 - ECCENTRICITY_SQUARED) + place[2]) * sin_lat,
    )


def from_earth_centred(x: float, y: float, z: float) -> Place:
    """Turn earth-centred, earth-fixed metres into latitude, longitude and altitude."""
    radius = math.hypot(x, y)
    longitude = math.atan2(y, x)
    # Bowring's formula, whose error near the surface is below a nanometre after the second round.
    parametric = math.atan2(z * SEMI_MAJOR, radius * SEMI_MINOR)
    latitude = 0.0
    for _ in range(3):
        latitude = math.atan2(
            z + _SECOND_ECCENTRICITY_SQUARED * SEMI_MINOR * math.sin(parametric) ** 3,
            radius - ECCENTRICITY_SQUARED * SEMI_MAJOR * math.cos(parametric) ** 3,
        )
        parametric = math.atan2((1.0 - FLATTENING) * math.sin(latitude), math.cos(latitude))
    sin_lat, cos_lat = math.sin(latitude), math.cos(latitude)
    # This form of the altitude also holds at the poles, where the radius vanishes.
    altitude = radius * cos_lat + z * sin_lat - SEMI_MAJOR * math.sqrt(1.0 - ECCENTRICITY_SQUARED * sin_lat * sin_lat)
    return math.degrees(latitude), math.degrees(longitude), altitude
