"""Drivers of real lasers, at the lasers of simulated robots."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.errors import PortError, UsageError
from mobilesim_py.net.door import Door
from mobilesim_py.net.doors import Doors
from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.services.lasers.service import LaserService
from mobilesim_py.services.service import clients_of
from mobilesim_py.testing import NullModem, Stand

ROOM = """2D-Map
LineMinPos: -2000 -1000
LineMaxPos: 3000 4000
NumLines: 4
LINES
-2000 -1000 3000 -1000
3000 -1000 3000 4000
3000 4000 -2000 4000
-2000 4000 -2000 -1000
DATA
"""
LMS = ("-r", "p3dx-sh-lms1xx", "--no-noise")


@pytest.fixture
def room(tmp_path: Path) -> str:
    """A room whose walls are 3 m ahead, 4 m to the left, 2 m behind and 1 m to the right."""
    path = tmp_path / "room.map"
    path.write_text(ROOM)
    return str(path)


class Bench(Stand):
    """A stand with a driver at the first laser server."""

    def __init__(self, room: str, *words: str) -> None:
        super().__init__("-m", room, *words)
        self.robots[0].place(0.0, 0.0, 0.0)
        (self.service,) = (service for service in self.program.services if isinstance(service, LaserService))
        self.door = next(door for door in self.doors if door.interface != "Pioneer")
        self.driver = self.doors.connect(self.door, NullModem)

    def take(self) -> list[str]:
        """Return what CoLa telegrams came since the last call."""
        telegrams = bytes(self.driver.raw).split(b"\x03")[:-1]
        self.driver.raw.clear()
        return [telegram.lstrip(b"\x02").decode() for telegram in telegrams]

    def ask(self, *texts: str) -> list[str]:
        """Send telegrams; return the answers."""
        self.driver.send(*(b"\x02" + text.encode() + b"\x03" for text in texts))
        return self.take()


def ranges(telegram: str) -> list[int]:
    words = telegram.split()
    at = words.index("DIST1")
    count = int(words[at + 5], 16)
    return [int(word, 16) for word in words[at + 6 : at + 6 + count]]


def test_a_scan_shows_the_room_from_the_laser(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "1=lms1xx:2111")
    (scan,) = bench.ask("sRN LMDscandata")
    seen = ranges(scan)
    place = bench.robots[0].lasers[0].model.pose
    x, y = round(place.x * 1000), round(place.y * 1000)
    assert len(seen) == 541
    right, ahead, left = (seen[round((angle + 135) / 0.5)] for angle in (-90, 0, 90))
    assert [right, ahead, left] == pytest.approx([1000 + y, 3000 - x, 4000 - y], abs=1)


def test_scans_come_fifty_times_a_second_after_a_pause(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "1=lms1xx:2111")
    assert bench.simulation.dt == 0.02
    bench.now = 10.0
    assert bench.ask("sEN LMDscandata 1") == ["sEA LMDscandata 1"]
    assert bench.service.is_busy()
    bench.step()
    assert bench.take() == [], "the answer is read alone first"
    bench.run(1.0)
    assert len(bench.take()) == pytest.approx(50, abs=1)
    assert bench.ask("sEN LMDscandata 0") == ["sEA LMDscandata 0"]
    bench.now += 0.03
    bench.run(0.2)
    assert bench.take() == []


def test_the_laser_of_the_robots_client_is_not_disturbed(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "1=lms1xx:2111")
    laser = bench.robots[0].lasers[0]
    before = (laser.on, laser.start, laser.increment, laser.count)
    bench.ask("sMN mLMPsetscancfg +2500 1 +2500 +0 +1800000", "sRN LMDscandata")
    assert (laser.on, laser.start, laser.increment, laser.count) == before
    pioneer = bench.open()
    pioneer.send(command(Command.VEL, 100))
    bench.run(1.0)
    assert bench.robots[0].velocity[0] > 0.0


def test_a_client_that_does_not_read_loses_scans(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "1=lms1xx:2111")
    bench.ask("sEN LMDscandata 1")
    bench.now += 1.0
    bench.driver.reads = False
    bench.driver.pending = 1000
    bench.run(0.2)
    assert bench.service.door_of(bench.robots[0]) is None
    (facts,) = [client for client in clients_of(bench.program) if client.service == "Lasers"]
    assert (facts.robot, facts.packets_sent) == (None, 1)
    assert facts.packets_left_out >= 9
    assert bench.service.backlog() == 1000
    assert not bench.service.held()
    assert not bench.service.factories()


def test_noise_is_that_of_the_laser_and_of_the_moment(room: str) -> None:
    bench = Bench(room, "-r", "p3dx-sh-lms1xx", "--laser-server", "1=lms1xx:2111")
    (first, again) = bench.ask("sRN LMDscandata", "sRN LMDscandata")
    bench.step()
    (later,) = bench.ask("sRN LMDscandata")
    assert ranges(first) == ranges(again) != ranges(later)
    assert max(abs(a - b) for a, b in zip(ranges(first), ranges(later), strict=True)) <= 50


def test_scip_counts_from_the_right_and_lags_behind_no_scan(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "p3dx-sh-lms1xx:1=urg:10940")
    bench.driver.send(b"GD0128064001\n")
    lines = bytes(bench.driver.raw).decode().split("\n")[3:-2]
    text = "".join(line[:-1] for line in lines)
    seen = [(ord(text[k]) - 48 << 12) + (ord(text[k + 1]) - 48 << 6) + ord(text[k + 2]) - 48 for k in range(0, len(text), 3)]
    place = bench.robots[0].lasers[0].model.pose
    assert len(seen) == 513
    assert seen[0] == pytest.approx(1000 + 1000 * place.y, abs=1)
    assert seen[256] == pytest.approx(3000 - 1000 * place.x, abs=1)
    assert seen[-1] == pytest.approx(4000 - 1000 * place.y, abs=1)
    bench.program.worlds.load("office.map", by_user=True)
    bench.program.use_engine(bench.simulation.engine)
    bench.driver.raw.clear()
    bench.driver.send(b"MD0128064001000\n")
    bench.now += 1.0
    bench.run(1.0)
    assert bytes(bench.driver.raw).count(b"99b") == pytest.approx(10, abs=1)


def test_in_lockstep_drivers_are_not_waited_for(room: str) -> None:
    bench = Bench(room, *LMS, "--lockstep", "--laser-server", "1=lms1xx:2111")
    bench.program.add_running("amigo", "another")
    bench.ask("sEN LMDscandata 1")
    bench.run(1.0)
    assert len(bench.take()) == pytest.approx(49, abs=2)


def test_a_robot_that_leaves_takes_its_lasers_along(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "1=lms1xx:2111", "--laser-server", "1=utm:10940")
    bench.program.remove(bench.robots[0])
    assert bench.driver.closed
    assert not bench.service.is_busy()
    assert [door for door in bench.doors if door.interface != "Pioneer"] == []


def test_a_robot_that_becomes_one_without_a_laser_sees_nothing(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "1=lms1xx:2111")
    bench.simulation.remodel(bench.robots[0], bench.program.catalogue.find("amigo"))
    (scan,) = bench.ask("sRN LMDscandata")
    assert set(ranges(scan)) == {0}


def test_an_upside_down_laser_turns_the_other_way(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "1=lms1xx:2111")
    (upright,) = bench.ask("sRN LMDscandata")
    object.__setattr__(bench.robots[0].lasers[0].model, "reverse", True)
    try:
        bench.step()
        (turned,) = bench.ask("sRN LMDscandata")
    finally:
        object.__setattr__(bench.robots[0].lasers[0].model, "reverse", False)
    assert ranges(turned) == pytest.approx(ranges(upright)[::-1], abs=1)


def test_clients_are_let_go_at_the_end(room: str) -> None:
    bench = Bench(room, *LMS, "--laser-server", "1=lms1xx:2111")
    bench.driver.hang_up()
    assert not bench.service.clients()
    second = bench.doors.connect(bench.door, NullModem)
    bench.program.close()
    assert second.closed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-r", "amigo", "--laser-server", "1=lms1xx:2111"), "No robot has laser 1"),
        ((*LMS, "--laser-server", "2=lms1xx:2111"), "No robot has laser 2"),
        ((*LMS, "--laser-server", "p3dx-sh-lms1xx:2=urg:1"), 'Robot "p3dx-sh-lms1xx" has no laser 2'),
        ((*LMS, "--laser-server", "nobody:1=urg:1"), 'There is no robot "nobody"'),
        ((*LMS, "--laser-server", "1=lidar:1"), "such as 1=lms1xx:2111"),
        ((*LMS, "--laser-server", "0=urg:1"), "such as 1=lms1xx:2111"),
        ((*LMS, "--laser-server", "1=urg:70000"), "such as 1=lms1xx:2111"),
        ((*LMS, "--laser-server", "urg"), "such as 1=lms1xx:2111"),
    ],
)
def test_wishes_that_cannot_be_granted_are_refused(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Stand("--nomap", *words)


def test_a_port_that_is_taken_is_named_with_the_option_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(doors: Doors, door: Door) -> None:
        raise PortError("Could not open TCP port 2111: it is in use. Choose another with --port.")

    monkeypatch.setattr(Doors, "open", refuse)
    with pytest.raises(PortError, match=r"Choose another with --laser-server\.$"):
        Stand("--nomap", *LMS, "--laser-server", "1=lms1xx:2111")
