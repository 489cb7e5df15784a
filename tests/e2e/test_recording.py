"""--record in the real process: readable after kill -9, and the same again from its bytes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.lab.recordings import Bytes, open_recording
from mobilesim_py.lab.rerun import rerun
from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.command_rows import Command

pytestmark = pytest.mark.e2e

WORDS = ("-m", "office.map", "-r", "p3dx", "--lockstep", "--noninteractive", "--engine", "numpy", "--record", "run.mcap")


def drive(simulator: Any, steps: int) -> None:
    client = simulator.connect().handshake()
    for _ in range(steps):
        client.send(command(Command.VEL, 200))
        client.sip()


def packets_in(path: Path) -> int:
    return sum(isinstance(item, Bytes) and not item.incoming for item in open_recording(path).items())


@pytest.mark.parametrize("fault", [(), ("--fault", "split,way=in,p=0.3,from=0.5")])
def test_a_run_that_was_killed_is_readable_and_runs_again(start: Any, tmp_path: Path, fault: tuple[str, ...]) -> None:
    simulator = start(*WORDS, *fault)
    drive(simulator, 30)
    deadline = time.monotonic() + 30.0
    while packets_in(tmp_path / "run.mcap") < 30:
        assert time.monotonic() < deadline, "what was said never reached the file"
        time.sleep(0.05)
    os.kill(simulator.process.pid, signal.SIGKILL)
    simulator.process.wait()
    recording = open_recording(tmp_path / "run.mcap")
    outcome = rerun(recording)
    assert outcome.difference is None
    assert outcome.packets >= 30
    assert not recording.is_complete


def test_a_run_that_was_ended_is_complete(start: Any, tmp_path: Path) -> None:
    simulator = start(*WORDS, "--record-interval", "1000")
    drive(simulator, 3)
    simulator.process.terminate()
    assert simulator.wait() == 0
    simulator.wait_for_text('Recorded to "run.mcap"')
    recording = open_recording(tmp_path / "run.mcap")
    assert rerun(recording).difference is None
    assert recording.is_complete
