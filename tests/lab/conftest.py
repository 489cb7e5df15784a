"""A short recorded run for the tests of what reads recordings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.testing import ArcosClient, Stand
from mobilesim_py.view.recording.recorder import Recorder

WORDS = ("-m", "office.map", "-r", "p3dx", "--lockstep")


def record_run(
    path: Path, *, words: Sequence[str] = WORDS, speed: int = 200, end: bool = True, seconds: float = 2.0
) -> Stand:
    """Let two clients drive, one after the other."""
    stand = Stand(*words)
    recorder = Recorder(stand.program, path, words=words)
    client = stand.doors.connect(next(iter(stand.doors)), ArcosClient).synchronise()
    client.send(command(Command.SONAR, 1), command(Command.VEL, speed))
    stand.run(seconds)
    client.hang_up()
    client = stand.doors.connect(next(iter(stand.doors)), ArcosClient).synchronise()
    client.send(command(Command.RVEL, 20))
    stand.run(seconds)
    if end:
        recorder.close()
    return stand


@pytest.fixture
def record() -> Callable[..., Stand]:
    """Record a short run of two clients."""
    return record_run
