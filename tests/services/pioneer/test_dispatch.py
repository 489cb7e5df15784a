"""No command is forgotten: what the table supports is obeyed, everything else is ignored and named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import TABLE, Command, Support
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.services.pioneer import session  # noqa: F401  (registers the handlers)
from mobilesim_py.services.pioneer.dispatch import HANDLERS

from .conftest import Stand

BY_THE_CONNECTION = {"OPEN", "CLOSE"}


def test_every_supported_command_has_somebody_who_obeys_it() -> None:
    specs = [*TABLE.values(), *(spec.otherwise for spec in TABLE.values() if spec.otherwise is not None)]
    wanted = {spec.name for spec in specs if spec.status is not Support.UNSUPPORTED}
    assert wanted - set(HANDLERS) == BY_THE_CONNECTION


def test_nobody_obeys_a_command_that_the_table_does_not_support() -> None:
    specs = [*TABLE.values(), *(spec.otherwise for spec in TABLE.values() if spec.otherwise is not None)]
    names = {spec.name for spec in specs if spec.status is not Support.UNSUPPORTED}
    assert set(HANDLERS) - names == set()


@pytest.mark.parametrize(
    "data", [b"", b"\x3b", b"\x3b\x01", b"\x3b\x01\x00", b"\x1b\xff\xff", b"\x2b\xff", b"\x2b\x03ab\0", b"\0" * 30]
)
def test_any_command_with_any_argument_leaves_the_session_alive(stand: Callable[..., Stand], data: bytes) -> None:
    bench = stand()
    for number in sorted(set(range(256)) - {0, 1, 2, Command.SIM_EXIT, Command.RESET, Command.MAINTENANCE}):
        modem = bench.connect()
        modem.send(encode(number, data))
        bench.step()
        modem.take()
        modem.send(client.command(Command.SIM_STAT, 1))
        assert len(modem.take(0x62)) == 1, number
        modem.send(client.CLOSE)


def test_each_unsupported_command_is_named_in_one_warning(stand: Callable[..., Stand]) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh")
    modem = bench.connect()
    for _ in range(3):
        modem.send(client.command(Command.POLLING, 1), client.command(Command.TORQUEINFO, 1), encode(200))
    warnings = [line for line in bench.lines() if "unsupported command" in line]
    assert len(warnings) == 3
    assert [sum(text in line for line in warnings) for text in ("3 (POLLING)", "124 (TORQUEINFO)", "command 200")] == [
        1,
        1,
        1,
    ]


def test_with_the_option_the_warnings_come_back(stand: Callable[..., Stand]) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--warn-unsupported-commands")
    modem = bench.connect()
    modem.send(client.command(Command.DROTATE, 1))
    later = bench.log._clock() + 60.0
    bench.log._clock = lambda: later
    modem.send(client.command(Command.DROTATE, 1))
    assert sum("unsupported command 14 (DROTATE)" in line for line in bench.lines()) == 2


def test_an_ignored_command_is_not_obeyed(stand: Callable[..., Stand]) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--ignore-command", "224")
    before = bench.robots[0].pose
    bench.connect().send(client.set_pose(client.WirePose(1000, 2000, 90)))
    assert bench.robots[0].pose == before
