"""GPS receivers at ports of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.services.pioneer.gps import fix_of
from mobilesim_py.testing import NullModem as Plain

from .conftest import Make


def test_whoever_comes_in_hears_five_fixes_a_second(stand: Make, room_map: Path) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "-r", "p3dx-sh", "--gps-port", "8200", "--no-noise")
    first, second = (bench.doors.connect(bench.doors.at(port), Plain) for port in (8200, 8201))
    bench.run(2.0)
    assert first.raw.count(b"$GPGGA") == pytest.approx(10, abs=1)
    first.send(b"$PMTK\r\n")
    second.hang_up()
    count = len(second.raw)
    bench.run(1.0)
    assert len(second.raw) == count
    bench.program.remove(bench.robots[0])
    assert first.closed


def test_a_fix_is_where_the_antenna_is(stand: Make, room_map: Path) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "--no-noise")
    robot = bench.robots[0]
    robot.place(0.0, 0.0, 0.0)
    fix = fix_of(bench.simulation, robot)
    assert (fix.is_good, fix.heading, fix.speed) == (True, 90.0, 0.0)
    assert fix.latitude == pytest.approx(42.8 + 0.12 / 111_100.0, abs=1e-7)


def test_noise_moves_it_by_some_decimetres(stand: Make, room_map: Path) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh")
    robot = bench.robots[0]
    places = set()
    for _ in range(5):
        places.add(fix_of(bench.simulation, robot).latitude)
        bench.run(0.4)
    assert len(places) == 5
    assert max(places) - min(places) < 4.0 / 111_100.0


def test_nobody_has_a_fix_in_a_world_that_is_nowhere(stand: Make) -> None:
    bench = stand()
    assert not fix_of(bench.simulation, bench.robots[0]).is_good
