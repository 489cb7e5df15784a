"""Time as the user wants it: how SIPs follow simulated time, whatever the step and the speed.

How fast time passes is told from what clients see (poses, intervals in SIMSTAT) and not from the test's own clock, which
on a busy machine says little; where the clock is asked after all, the bounds are wide.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import struct
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.command_rows import Command

pytestmark = pytest.mark.e2e

SPEED = 200
"""mm/s"""
SIM_STAT = 0x62
ROOT = Path(__file__).parent.parent.parent


class Stat(NamedTuple):
    """The times of a SIMSTAT: a step's simulated time, its real time, and how long the last one really took [ms]."""

    simulated: int
    real: int
    last: int


def stat_of(packet: Any) -> Stat:
    return Stat(*struct.unpack_from("<HHH", packet.data, 6))


def x_of(sip: Any) -> int:
    return int(struct.unpack_from("<h", sip.data, 0)[0])


def driving(simulator: Any) -> Any:
    """Make a client whose robot has reached its speed."""
    client = simulator.connect().handshake()
    client.send(command(Command.SETA, 5000) + command(Command.VEL, SPEED))
    before = x_of(client.sip())
    while True:
        here = x_of(client.sip())
        if here - before > 0 and speed_of(client) == SPEED:
            return client
        before = here


def speed_of(client: Any) -> int:
    sip = client.sip()
    left, right = struct.unpack_from("<hh", sip.data, 6)
    return int((left + right) / 2)


def ways(client: Any, count: int) -> list[int]:
    """How far the robot goes between SIPs [mm]."""
    places = [x_of(client.sip()) for _ in range(count + 1)]
    return [after - before for before, after in itertools.pairwise(places)]


def start_driver(start: Any, *words: str) -> Any:
    """Start with an exact robot and no map."""
    return start("--nomap", "-r", "p3dx-sh", "--no-noise", *words)


def stat_from(client: Any) -> Stat:
    client.send(command(Command.SIM_STAT, 1))
    return stat_of(client.next(SIM_STAT))


@pytest.mark.parametrize(
    ("words", "simulated_between_sips"),
    [
        ("", 100),
        ("--speed 5", 100),
        ("--speed max", 100),
        ("--speed 0.5", 100),
        ("--update-interval 20", 100),
        ("--update-interval 10 --update-sim-time 50", 100),
        ("--update-interval 50 --update-sim-time 500", 500),
    ],
)
def test_sips_follow_simulated_time(words: str, simulated_between_sips: int, start: Any) -> None:
    client = driving(start_driver(start, *words.split()))
    way = SPEED * simulated_between_sips // 1000
    assert all(abs(step - way) <= 1 for step in ways(client, 12))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", (100, 100)),
        ("--update-interval 40", (40, 40)),
        ("--update-interval 40 --update-sim-time 200", (200, 40)),
        ("--update-sim-time 10", (10, 100)),
        ("--speed 5", (100, 20)),
        ("--speed max", (100, 0)),
    ],
)
def test_simstat_tells_the_times_of_a_step(words: str, expected: tuple[int, int], start: Any) -> None:
    client = start_driver(start, *words.split()).connect().handshake()
    client.sip()
    assert stat_from(client)[:2] == expected


def seconds_for(client: Any, sips: int) -> float:
    """How long so many SIPs take by the test's clock."""
    began = time.monotonic()
    ways(client, sips)
    return time.monotonic() - began


TRIES = 3
"""A busy machine may spoil a measurement by the clock, but not three of them."""


def test_five_times_as_fast_is_five_times_as_fast(start: Any) -> None:
    client = driving(start_driver(start, "--speed", "5"))
    assert any(1.6 < seconds_for(client, 100) < 4.0 for _ in range(TRIES)), "ten simulated seconds last two"


def test_the_page_knows_how_fast_time_passes_when_it_is_asked_for_the_first_time(start: Any) -> None:
    simulator = start_driver(start, "--speed", "5", "--web-port", "0")
    client = driving(simulator)
    page = simulator.wait_for_text("See the robots at ").partition("See the robots at ")[2].split()[0]
    ways(client, 30)
    with urllib.request.urlopen(f"{page}api/state", timeout=15.0) as answer:
        state = json.loads(answer.read())
    assert state["speed"] == 5.0
    assert 2.0 < state["ratio"] < 5.5


def test_max_is_faster_than_any_speed_that_one_would_ask_for(start: Any) -> None:
    client = driving(start_driver(start, "--speed", "max"))
    assert any(seconds_for(client, 600) < 6.0 for _ in range(TRIES)), "a simulated minute"


def test_short_real_steps_of_long_simulated_time_run_faster(start: Any) -> None:
    client = driving(start_driver(start, "--update-interval", "10", "--update-sim-time", "100"))
    assert any(0.7 < seconds_for(client, 100) < 3.0 for _ in range(TRIES)), "ten simulated seconds last one"


def drift(client: Any) -> float:
    """By how much SIPs come later, towards the end of six seconds, than their number says [s]."""
    arrivals = []
    for _ in range(60):
        client.sip()
        arrivals.append(time.monotonic())
    late = [arrival - arrivals[0] - 0.1 * number for number, arrival in enumerate(arrivals)]
    return min(late[-20:]) - min(late[:20])


def test_real_time_does_not_drift(start: Any) -> None:
    """Deadlines are absolute: however late single steps are, the sixtieth comes when it should."""
    client = driving(start_driver(start))
    assert any(abs(drift(client)) < 0.01 for _ in range(TRIES)), "half a millisecond a step would be twice that"


def test_commands_are_handled_when_they_arrive_and_not_at_the_next_step(start: Any) -> None:
    client = start_driver(start, "--update-interval", "4000").connect()
    began = time.monotonic()
    client.handshake()
    for _ in range(20):
        stat_from(client)
    assert time.monotonic() - began < 3.0, "twenty answers within one step"


def test_a_simulation_that_was_held_up_slows_down_and_says_so(start: Any) -> None:
    simulator = start_driver(start)
    client = driving(simulator)
    client.send(command(Command.SIM_STAT, 2))
    client.next(SIM_STAT)
    os.kill(simulator.process.pid, signal.SIGSTOP)
    time.sleep(1.5)
    os.kill(simulator.process.pid, signal.SIGCONT)
    longest = max(stat_of(client.next(SIM_STAT)).last for _ in range(20))
    assert longest >= 1400
    simulator.wait_for_text("cannot keep up")


def test_a_delay_does_not_make_robots_jump(start: Any) -> None:
    simulator = start_driver(start)
    client = driving(simulator)
    os.kill(simulator.process.pid, signal.SIGSTOP)
    time.sleep(1.0)
    os.kill(simulator.process.pid, signal.SIGCONT)
    assert all(abs(step - SPEED // 10) <= 1 for step in ways(client, 20))


def test_the_core_is_stepped_without_sockets_or_clock() -> None:
    """Five minutes pass at once, in a process that has never heard of asyncio or sockets."""
    program = """
import sys
from mobilesim_py.catalogue.model import BodyModel, RobotModel
from mobilesim_py.geometry import Pose
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.world.world import empty_world
simulation = Simulation(empty_world(), dt=0.1, seed=1, noise=False)
corners = ((0.2, 0.2), (-0.2, 0.2), (-0.2, -0.2), (0.2, -0.2))
robot = simulation.add_robot(RobotModel("cart", BodyModel((corners,), (corners,))), "cart", Pose())
robot.drive(0.01)
simulation.step(3_000)
print(f"{simulation.time:.1f} {robot.pose.x:.2f}", *sorted({"asyncio", "socket"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.split() == ["300.0", "3.00"]
