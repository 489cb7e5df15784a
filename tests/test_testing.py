"""The test stand that tests, benchmarks and users share."""

from __future__ import annotations

import pytest

from mobilesim_py.net.trace import Crossing
from mobilesim_py.protocols.arcos.client import CLOSE, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.testing import Stand


def test_a_robot_is_driven_without_a_socket_or_a_clock() -> None:
    stand = Stand("--nomap", "-r", "p3dx-sh", "--no-noise")
    client = stand.open()
    client.send(command(Command.VEL, 200))
    stand.run(5.0)
    assert stand.time == pytest.approx(5.0)
    assert client.sip.x == pytest.approx(1000.0 * client.robot.pose.x, abs=1.0)
    assert client.sip.x > 800
    assert len(client.sips) == 50


def test_time_passes_only_by_steps_and_in_the_real_time_that_they_should_take() -> None:
    stand = Stand("--nomap", "-r", "p3dx", "--speed", "4")
    began = stand.now
    stand.run(2.0)
    assert stand.now - began == pytest.approx(0.5)
    assert stand.program.clock.ratio == pytest.approx(4.0)


def test_a_busy_port_and_one_that_is_not_there_refuse() -> None:
    stand = Stand("--nomap", "-r", "p3dx")
    client = stand.connect()
    for offset in (0, 1):
        with pytest.raises(ConnectionRefusedError):
            stand.connect(offset)
    client.hang_up()
    assert stand.connect() is not client


def test_a_client_that_the_robot_hangs_up_on_hears_nothing_more() -> None:
    stand = Stand("--nomap", "-r", "p3dx")
    client = stand.open()
    client.send(CLOSE)
    assert client.closed
    heard = len(client.raw)
    stand.step(3)
    client.send(command(Command.CONFIG))
    assert len(client.raw) == heard
    assert stand.logged("Got CLOSE command") == 1


def test_a_client_that_does_not_keep_what_it_hears_is_still_told() -> None:
    stand = Stand("--nomap", "-r", "p3dx")
    client = stand.dial(keeps=False).synchronise()
    stand.step(5)
    assert client.raw == b""
    assert client.session.packets_sent == 8


def test_faults_on_the_line_are_made_by_a_trace() -> None:
    stand = Stand("--nomap", "-r", "p3dx")
    client = stand.open()

    def deaf_robot(crossing: Crossing) -> bytes | None:
        return None if crossing.incoming else crossing.data

    with stand.traced(deaf_robot):
        client.send(command(Command.VEL, 300))
        stand.run(1.0)
    assert client.robot.velocity[0] == 0.0
    client.send(command(Command.VEL, 300))
    stand.run(2.0)
    assert client.robot.velocity[0] == pytest.approx(0.3)
