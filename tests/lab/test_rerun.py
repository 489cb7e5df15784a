"""A recording in lockstep runs again to the byte; what has changed since is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.lab.recordings import RecordingError, open_recording
from mobilesim_py.lab.rerun import Rerun, rerun
from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.testing import Stand

Record = Callable[..., Stand]
WORDS = ("-m", "office.map", "-r", "p3dx", "--lockstep")


@pytest.mark.parametrize(
    "words",
    [
        WORDS,
        ("--nomap", "-r", "p3dx", "-r", "p3at", "--lockstep", "--port", "0"),
        (
            *WORDS,
            "--fault",
            "drop,p=0.1",
            "--fault",
            "split,p=0.5",
            "--fault",
            "delay,from=1,for=1",
            "--fault",
            "close,from=3",
        ),
        ("--nomap", "--robot-factory", "p3dx", "--lockstep", "--odom-error-mode", "random_init"),
    ],
)
def test_it_says_the_same_again(words: tuple[str, ...], tmp_path: Path, record: Record) -> None:
    record(tmp_path / "run.mcap", words=words)
    outcome = rerun(open_recording(tmp_path / "run.mcap"))
    assert outcome.difference is None
    assert outcome.clients == 2
    assert outcome.packets > 20
    assert outcome.seconds == pytest.approx(4.0)


def test_a_program_that_says_something_else_is_found_where_it_does(tmp_path: Path, record: Record) -> None:
    record(tmp_path / "run.mcap")
    run = Rerun(open_recording(tmp_path / "run.mcap"))
    run.program.simulation.robots[0].limit_speed(0, 0.05)
    step = run.program.clock.step

    def slower() -> None:
        step()
        run.program.simulation.robots[0].limit_speed(0, 0.05)

    run.program.clock.step = slower  # type: ignore[method-assign]
    difference = run.run().difference
    assert difference is not None
    assert difference.client == 1
    assert 0.0 < difference.time < 2.0
    text, recorded, now = difference.lines()
    assert "packet" in text
    assert "TCP port 8101" in text
    assert recorded.partition(":")[2] != now.partition(":")[2]


def test_a_packet_that_was_never_recorded_is_found(tmp_path: Path, record: Record) -> None:
    record(tmp_path / "run.mcap")
    run = Rerun(open_recording(tmp_path / "run.mcap"))
    turn, said = run.program.clock.turn, []

    def chat() -> None:
        if run.program.simulation.tick == 10 and not said:
            said.append(True)
            run.clients[1].hear(command(Command.CONFIG))
        turn()

    run.program.clock.turn = chat
    difference = run.run().difference
    assert difference is not None
    assert difference.time == pytest.approx(1.0)


def test_a_client_that_floods_its_port_is_heard_again_as_slowly(tmp_path: Path, record: Record) -> None:
    """Beyond its budget a client is heard in later turns; so it is when it runs again."""
    record(tmp_path / "run.mcap")
    run = Rerun(open_recording(tmp_path / "run.mcap"))
    door = next(iter(run.program.doors))
    from mobilesim_py.lab.rerun import RecordedClient

    client = RecordedClient(door, lambda: 0.0, "peer")
    heard: list[bytes] = []
    client.session.receive = heard.append  # type: ignore[method-assign]
    client.hear(bytes(40000))
    assert sum(map(len, heard)) == 16384
    run.program.clock.turn()
    assert sum(map(len, heard)) == 32768
    client.hear(bytes(10))
    run.program.clock.turn()
    assert sum(map(len, heard)) == 40010


def test_a_recording_of_another_step_is_refused(tmp_path: Path, record: Record) -> None:
    record(tmp_path / "run.mcap")
    recording = open_recording(tmp_path / "run.mcap")
    recording.facts = {**recording.facts, "step": "0.05"}
    with pytest.raises(RecordingError, match=r"steps of 0\.05 s"):
        rerun(recording)
