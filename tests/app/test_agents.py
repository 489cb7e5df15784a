"""Agents as processes: told where to go, kept in bounds, ended with their children."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from mobilesim_py.app import agents
from mobilesim_py.app.agents import KEPT_OUTPUT, Agent
from mobilesim_py.errors import UsageError

PATIENCE = 15.0


def agent(command: str, output: Path | None = None) -> Agent:
    return Agent(command, host="127.0.0.3", port=6123, pos=2, name="mouse", output=output)


def script(tmp_path: Path, text: str) -> str:
    path = tmp_path / "agent.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


def test_words_in_braces_and_the_environment_tell_where_to_go(tmp_path: Path) -> None:
    command = script(
        tmp_path, "import os, sys\nprint(sys.argv[1:], [os.environ['CIBER_' + k] for k in ('HOST', 'PORT', 'POS', 'NAME')])"
    )
    started = agent(command + " --host {host} -p{port} {pos} {name} {other}", tmp_path / "said")
    assert started.process.wait(PATIENCE) == 0
    started.stop()
    words = "['--host', '127.0.0.3', '-p6123', '2', 'mouse', '{other}'] ['127.0.0.3', '6123', '2', 'mouse']"
    assert (tmp_path / "said").read_text().strip() == words
    assert started.exit_code == 0


def test_an_agent_and_its_children_are_ended_even_when_they_do_not_want_to(tmp_path: Path) -> None:
    command = script(
        tmp_path,
        "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nchild = os.fork()\n"
        "print(child, flush=True) if child else None\ntime.sleep(60)",
    )
    started = agent(command, tmp_path / "said")
    deadline = time.monotonic() + PATIENCE
    while not (said := (tmp_path / "said").read_text().strip()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert started.exit_code is None
    started.stop()
    assert started.exit_code is not None
    while _lives(int(said)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_an_agent_that_talks_without_end_fills_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "KEPT_OUTPUT", 5000)
    started = agent(script(tmp_path, "print('x' * 100_000)"), tmp_path / "said")
    started.process.wait(PATIENCE)
    started.stop()
    assert (tmp_path / "said").stat().st_size == 5000 < KEPT_OUTPUT


@pytest.mark.parametrize(
    ("command", "said"), [("/no/such/program", "/no/such/program"), ("python3 'x", "quote"), ("", "not nothing")]
)
def test_a_command_that_does_not_work_is_told(command: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        agent(command)
