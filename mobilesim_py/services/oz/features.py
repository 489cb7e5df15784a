"""The features of the 2015 note, each with a socket of its own: which packets go out there and come in."""

from __future__ import annotations

from dataclasses import dataclass

from mobilesim_py.protocols.naio import Kind


@dataclass(frozen=True)
class Feature:
    """One feature."""

    name: str
    told: frozenset[Kind] = frozenset()
    """Kinds of packets that the robot sends."""
    obeyed: frozenset[Kind] = frozenset()
    """Kinds of packets that clients send."""


FEATURES: tuple[Feature, ...] = (
    Feature("motors", obeyed=frozenset({Kind.HA_MOTORS, Kind.API_MOTORS})),
    Feature("odo", told=frozenset({Kind.HA_ODO})),
    Feature("lidar", told=frozenset({Kind.HA_LIDAR})),
    Feature("gyro", told=frozenset({Kind.HA_GYRO})),
    Feature("accelero", told=frozenset({Kind.HA_ACCELERO})),
    Feature("magneto", told=frozenset({Kind.HA_MAGNETO})),
    Feature("gps", told=frozenset({Kind.HA_GPS})),
    Feature(
        "actuator",
        told=frozenset({Kind.API_MOVE_ACTUATOR, Kind.HA_ACTUATOR}),
        obeyed=frozenset({Kind.API_MOVE_ACTUATOR, Kind.HA_ACTUATOR}),
    ),
    Feature("remote", told=frozenset({Kind.HA_DS4_REMOTE})),
)
"""In the order of their ports."""
BY_NAME = {feature.name: feature for feature in FEATURES}
