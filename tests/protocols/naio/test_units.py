"""Physical units and the numbers on the wire, with the signs of each dialect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.naio import Dialect
from mobilesim_py.protocols.naio.hardware_packets import HaAccelero, HaGps, HaGyro, HaMagneto
from mobilesim_py.protocols.naio.manual_packets import ManualGps
from mobilesim_py.protocols.naio.units import (
    GpsFix,
    accelero_forces,
    accelero_packet,
    gps_fix,
    gps_packet,
    gyro_packet,
    gyro_rates,
    magneto_bearing,
    magneto_packet,
    motor_power,
    motor_raw,
)

FIX = GpsFix(1500.0, 43.5195488, 1.5361782, 152.0, 0.25, 9, 6)
rates = st.tuples(*[st.floats(-990.0, 990.0)] * 3)
forces = st.tuples(*[st.floats(-300.0, 300.0)] * 3)


@pytest.mark.parametrize(("raw", "share"), [(127, 1.0), (0, 0.0), (-127, -1.0), (-128, -1.0)])
def test_full_power_is_127_and_no_power_is_more(raw: int, share: float) -> None:
    assert motor_power(raw) == share


@pytest.mark.parametrize(("share", "raw"), [(1.0, 127), (-1.0, -127), (0.5, 64), (2.0, 127), (-9.0, -127)])
def test_a_share_of_full_speed_is_a_power(share: float, raw: int) -> None:
    assert motor_raw(share) == raw


def test_a_left_turn_is_negative_for_real_clients_and_positive_in_the_manual() -> None:
    assert gyro_packet((0.0, 0.0, 30.5), Dialect.SIMULATOZ) == HaGyro(0, 0, -1000)
    assert gyro_packet((0.0, 0.0, 30.5), Dialect.MANUAL) == HaGyro(0, 0, 1000)


def test_a_rate_beyond_the_gyros_range_is_held_at_its_end() -> None:
    assert gyro_packet((1e6, -1e6, 0.0), Dialect.MANUAL) == HaGyro(32767, -32768, 0)


@pytest.mark.parametrize("dialect", Dialect)
@given(turning=rates)
def test_rates_are_read_as_they_were_written(dialect: Dialect, turning: tuple[float, float, float]) -> None:
    assert gyro_rates(gyro_packet(turning, dialect), dialect) == pytest.approx(turning, abs=0.0153)


def test_gravity_at_rest_has_the_sign_of_the_dialect() -> None:
    assert accelero_packet((0.0, 0.0, 9.81), Dialect.SIMULATOZ) == HaAccelero(0, 0, -1000)
    assert accelero_packet((0.981, -0.981, 9.81), Dialect.MANUAL) == HaAccelero(100, -100, 1000)


@pytest.mark.parametrize("dialect", Dialect)
@given(force=forces)
def test_forces_are_read_as_they_were_written(dialect: Dialect, force: tuple[float, float, float]) -> None:
    assert accelero_forces(accelero_packet(force, dialect), dialect) == pytest.approx(force, abs=0.005)


def test_the_magnetometer_is_that_of_the_manual() -> None:
    assert magneto_packet(60.0) == HaMagneto(50, 87, -23)


@given(st.floats(0.0, 359.99))
def test_a_bearing_is_read_within_a_degree(bearing: float) -> None:
    error = magneto_bearing(magneto_packet(bearing)) - bearing
    assert abs((error + 180.0) % 360.0 - 180.0) < 0.5


def test_gps_speaks_metres_per_second_or_kilometres_per_hour() -> None:
    assert gps_packet(FIX, Dialect.SIMULATOZ) == HaGps(1500, 43.5195488, 1.5361782, 152.0, 1, 9, 6, 0.25)
    assert gps_packet(FIX, Dialect.MANUAL) == ManualGps(1500.0, 43.5195488, 1.5361782, 152.0, 1, 9, 6, 0.9)


@pytest.mark.parametrize("dialect", Dialect)
def test_a_position_is_read_as_it_was_written(dialect: Dialect) -> None:
    assert gps_fix(gps_packet(FIX, dialect)) == FIX
