"""One client that does not read, or does not speak, holds up time only for so long."""

from __future__ import annotations

from collections.abc import Callable

from mobilesim_py.net.limits import LAGGING
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command

from .conftest import Stand

Make = Callable[..., Stand]


def test_as_fast_as_possible_waits_for_a_slow_reader_and_then_goes_on_without_it(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx", "-r", "p3dx", "--speed", "max", "--slow-client-timeout", "3")
    slow, good = (bench.connect(robot) for robot in bench.robots)
    slow.pending = LAGGING + 1
    assert bench.program.clock.wait() > 0.0
    bench.now += 2.9
    assert bench.program.clock.wait() > 0.0
    bench.now += 0.2
    assert bench.program.clock.wait() == 0.0
    assert bench.logged("Client has not read what it is sent for 3 sec.") == 1
    good.pending = LAGGING + 1
    assert bench.program.clock.wait() > 0.0, "another one is waited for all the same"
    good.pending = slow.pending = 0
    assert bench.program.clock.wait() == 0.0
    slow.pending = LAGGING + 1
    assert bench.program.clock.wait() > 0.0, "one that has read again has its time again"


def test_zero_waits_for_ever(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx", "--speed", "max", "--slow-client-timeout", "0")
    bench.connect().pending = LAGGING + 1
    bench.program.clock.wait()
    bench.now += 1e6
    assert bench.program.clock.wait() > 0.0


def test_lockstep_goes_on_without_a_silent_client_until_it_speaks(stand: Make) -> None:
    words = ("--lockstep", "--lockstep-timeout", "1", "--slow-client-timeout", "3")
    bench = stand("--nomap", "-r", "p3dx:r1", "-r", "p3dx:r2", *words)
    silent, good = (bench.connect(robot) for robot in bench.robots)
    waits = []
    for _ in range(6):
        bench.step()
        good.send(client.command(Command.PULSE))
        waits.append(bench.program.clock.wait() > 0.0)
    assert waits == [True, True, True, False, False, False]
    assert bench.logged("Client has said nothing for 3 sec.") == 1
    silent.send(client.command(Command.PULSE))
    bench.step()
    good.send(client.command(Command.PULSE))
    assert bench.program.clock.wait() > 0.0, "it is waited for again"
