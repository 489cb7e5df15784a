"""The switches of reality and their sizes."""

from __future__ import annotations

from mobilesim_py.core.reality import FULL, NAMES, Reality


def test_by_default_nothing_disturbs() -> None:
    assert all(getattr(Reality(), name) == 0.0 for name in NAMES)
    assert not Reality().hinders_motion


def test_everything_can_be_scaled_at_once_and_a_pads_range_grows_as_it_gets_easier() -> None:
    assert FULL.scaled(0.0) == Reality()
    assert FULL.scaled(1.0) == FULL
    half = FULL.scaled(0.5)
    assert (half.slip, half.remote_range) == (FULL.slip / 2, FULL.remote_range * 2)


def test_only_some_switches_are_about_motion() -> None:
    assert Reality(slip=0.1).hinders_motion
    assert not Reality(gps_offset=2.0, imu_bias=0.1, lidar_clutter=0.3).hinders_motion
