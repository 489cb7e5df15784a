"""What clients are denied is refused, whoever asks; everything else goes on."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command, command_table
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.pioneer.refusals import COMMANDS
from tests.services.pioneer.conftest import Make, tell


def test_every_command_in_the_table_exists() -> None:
    known = {spec.name for srisim in (False, True) for spec in command_table(srisim_compat=srisim).values()}
    assert set(COMMANDS) <= known


@pytest.mark.parametrize(
    ("command", "group"),
    [(Command.SIM_EXIT, Permission.EXIT), (Command.MAINTENANCE, Permission.ABORT), (Command.RESET, Permission.ABORT)],
)
def test_a_client_cannot_end_the_program_when_that_is_denied(stand: Make, command: Command, group: Permission) -> None:
    bench = stand("--nomap", "--deny", group)
    tell(bench.connect(), command, 3)
    assert bench.program.exit_code is None
    assert any("Refusing command" in line and f"denied {group}" in line for line in bench.lines())


def test_the_same_command_ends_it_when_something_else_is_denied(stand: Make) -> None:
    bench = stand("--nomap", "--deny", "all", "--allow", "exit")
    tell(bench.connect(), Command.SIM_EXIT, 3)
    assert bench.program.exit_code == 3


def test_a_ghost_is_a_matter_of_pose(stand: Make) -> None:
    bench = stand("--nomap", "--deny", "pose")
    modem = bench.connect()
    modem.send(client.control(ControlOperation.GHOST))
    assert not bench.program.simulation.robots[0].ghost
    modem.send(client.control(ControlOperation.LOG_STATE, "why"))
    assert bench.logged("Client requested state log")


def test_a_client_that_is_denied_maps_is_told_that_nothing_was_loaded(stand: Make) -> None:
    bench = stand("--nomap", "--deny", "log,maps")
    modem = bench.connect()
    modem.send(client.control(ControlOperation.LOAD_MAP, "office.map"))
    assert modem.take(0x66)
    assert not bench.program.simulation.world.has_map
