"""Without what only POSIX has, the simulator serves its clients and its page, ends cleanly, and says what is not there."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos.client import SYNCS
from tests.view.conftest import free_port

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, str(ROOT / "tests" / "e2e" / "bare_system.py")]
PATIENCE = 60.0


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), "MOBILESIM_NO_BROWSER": "1"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_robots_and_page_and_ends_when_it_is_told_to(number: int, tmp_path: Path) -> None:
    port, web_port = free_port(), free_port()
    words = ["-m", "office.map", "-r", "p3dx", "-p", str(port), "--web-port", str(web_port), "--engine", "numpy"]
    process = subprocess.Popen(
        [*COMMAND, *words, "--no-network-discovery"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=(tmp_path / "log").open("w"),
        stderr=subprocess.STDOUT,
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while "See the robots" not in (said := (tmp_path / "log").read_text()) or "ready for a client" not in said:
            assert process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.05)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            client.sendall(SYNCS[0])
            assert client.recv(100) == SYNCS[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{web_port}/api/health", timeout=PATIENCE) as answer:
            assert answer.status == 200
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0
        said = (tmp_path / "log").read_text()
        assert "Traceback" not in said
        assert f"Received signal {signal.Signals(number).name}. Exiting." in said
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["-r", "p3dx", "--pty", "robot"], "Could not make a pseudo-terminal"),
        (["-r", "p3dx", "--daemonize"], "--daemonize does not work on this system"),
    ],
)
def test_what_the_system_lacks_is_said_in_a_sentence(words: list[str], text: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--nomap", "--no-web", "-p", str(free_port()), *words],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode not in (0, 1)
    assert text in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_keys_of_a_terminal_that_is_none_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from mobilesim_py.errors import UsageError
    from mobilesim_py.tools import drive

    monkeypatch.setitem(sys.modules, "termios", None)
    with pytest.raises(UsageError, match="needs a terminal"), drive._keys():
        pass
