"""What strangers may do to the real process is a choice."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import command, control
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation

pytestmark = pytest.mark.e2e
MAP_CHANGED = 0x66


def test_a_client_cannot_have_a_file_of_somebody_else_read_or_quoted(start: Any, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("root:$6$hash:19000:0:99999:7:::\n")
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "notes.map").write_text("the password is swordfish\n")
    simulator = start("--nomap", "-r", "p3dx", "--cwd", "start")
    client = simulator.connect().handshake()
    for name in (str(secret), "../secret.txt", "notes.map"):
        client.send(control(ControlOperation.LOAD_MAP, name))
        client.next(MAP_CHANGED)
    said = simulator.said()
    assert "hash" not in said
    assert "swordfish" not in said
    assert said.count("see --map-dir") == 2


def test_a_program_that_strangers_may_end_says_so_and_one_that_they_may_not_does_not(start: Any) -> None:
    everybody = ("--nomap", "-r", "p3dx", "--noninteractive", "--no-network-discovery", "-p", "PORT")
    simulator = start(*everybody, ports=False)
    assert "--deny abort,exit" in simulator.wait_for_text("whoever reaches them")
    closed = start(*everybody, "--deny", "exit,abort", ports=False)
    client = closed.connect().handshake()
    client.send(command(Command.SIM_EXIT, 1) + command(Command.MAINTENANCE))
    assert client.sip()
    closed.wait_for_text("Refusing command 255")
    assert closed.process.poll() is None
    assert "whoever reaches them" not in closed.said()


def test_a_factory_that_is_full_refuses_and_has_room_again(start: Any) -> None:
    simulator = start("--nomap", "-R", "p3dx", "--max-robots", "2")
    first, second = (simulator.connect().handshake() for _ in range(2))
    third = simulator.connect()
    assert third.until_closed() < 2.0
    simulator.wait_for_text("(--max-robots)")
    first.close()
    deadline = time.monotonic() + 5.0
    while True:
        try:
            fourth = simulator.connect().handshake()
            break
        except (AssertionError, OSError):
            assert time.monotonic() < deadline, "there was no room again"
    assert fourth.sip()
    assert second.sip()
