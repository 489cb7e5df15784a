"""The process as scripts, logs and service managers see it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import command, control, text_command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parent.parent.parent


def shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{ROOT / 'bin'}:{os.environ['PATH']}", "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_help_into_a_pipe_that_closes_early(tmp_path: Path) -> None:
    for script in ("MobileSim --help | head -1", "MobileSim --help | grep -m1 MobileSim"):
        result = shell(script, tmp_path)
        assert result.stdout.startswith("MobileSim 0.")
        assert result.stdout.count("\n") == 1
        assert result.stderr == ""


def test_the_launcher_works_from_anywhere_through_links(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sim").symlink_to(os.path.relpath(ROOT / "bin" / "MobileSim", tmp_path / "bin"))
    (tmp_path / "MobileSim").symlink_to("bin/sim")
    result = shell("./MobileSim --version", tmp_path)
    assert (result.returncode, result.stdout[:9]) == (0, "MobileSim")


def test_the_script_everybody_writes(tmp_path: Path) -> None:
    result = shell(
        "MobileSim -m office.map -r p3dx -p 31871 >/dev/null 2>&1 & pid=$!; "
        "MobileSim wait --port 31871 --timeout 20; echo ready $?; kill $pid; wait $pid; echo ended $?",
        tmp_path,
    )
    assert result.stdout == "ready 0\nended 0\n"
    assert result.stderr == ""


def test_ports_are_open_soon(start: Any) -> None:
    best = min(start("-m", "office.map", "-r", "p3dx").wait_for_port() for _ in range(3))
    # Far more than it takes; only the benchmark measures. This catches an import that should have been lazy.
    assert best < 5.0


def test_a_log_file_rotates_when_a_client_asks(start: Any, tmp_path: Path) -> None:
    simulator = start("--nomap", "-r", "p3dx:robot1", "--log-file", "sim.log")
    client = simulator.connect().handshake()
    client.send(text_command(Command.SIM_MESSAGE, "before"))
    client.send(control(ControlOperation.ROTATE_LOGS))
    client.send(text_command(Command.SIM_MESSAGE, "after"))
    text = simulator.wait_for_text("after", tmp_path / "sim.log")
    assert "before" not in text
    assert "robot1: Saved copies of old log files and started a new log in" in text
    assert "before" in (tmp_path / "sim.log-1").read_text()
    assert "Starting new session" not in simulator.said()


def test_a_client_cannot_forge_a_line(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx:robot1")
    client = simulator.connect().handshake()
    client.send(text_command(Command.SIM_MESSAGE, "x\nWed Nov 18 05:16:10 2026 Error: forged\x1b[2J"))
    text = simulator.wait_for_text("forged")
    assert re.search(r"robot1: .*x\\nWed Nov 18 05:16:10 2026 Error: forged\\x1b\[2J", text)


def test_what_people_grep_for(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx:robot1")
    client = simulator.connect().handshake()
    client.send(command(Command.SETO))
    client.send(command(Command.CLOSE, 1))
    client.until_closed()
    text = simulator.wait_for_text("Client disconnected.")
    for sentence in (
        f"robot1: Pioneer port opened. Listening on TCP port {simulator.port}... [",
        f"robot1: Pioneer interface ready for a client to connect to address 127.0.0.1 on TCP port {simulator.port}.",
        "robot1: Client connected from localhost (127.0.0.1)",
        "robot1: Starting new session",
        "robot1: Client requested odometry reset to 0,0,0 with SETO command.",
        "robot1: Got CLOSE command, closing connection.",
        "robot1: Client disconnected.",
    ):
        assert re.search(r"^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4} " + re.escape(sentence), text, re.M), sentence
    assert "\x1b" not in text


def test_a_console_that_nobody_reads_does_not_stop_the_robots(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", unread=True)
    client = simulator.connect().handshake()
    for _ in range(3000):
        client.send(text_command(Command.SIM_MESSAGE, "m" * 150))
    client.send(command(Command.CONFIG, 1))
    client.next(0x20)


@pytest.mark.parametrize("how", ["SIGSEGV", "command 253"])
def test_unattended_it_starts_again_after_a_crash(how: str, start: Any, tmp_path: Path) -> None:
    # With NumPy no thread loads an engine: a signal from outside, unlike a fault, may come while a thread waits for the
    # interpreter's lock, and that is not what this is about.
    simulator = start("--nomap", "-r", "p3dx", "--noninteractive", "--log-file", "sim.log", "--engine", "numpy")
    client = simulator.connect().handshake()
    client.sip()
    began = time.monotonic()
    if how == "SIGSEGV":
        simulator.process.send_signal(signal.SIGSEGV)
    else:
        client.send(command(253))
    simulator.wait_for_text("automatically restarted", tmp_path / "sim.log")
    simulator.wait_for_port()
    took = time.monotonic() - began
    again = simulator.connect().handshake()
    again.send(control(ControlOperation.SIM_INFO))
    info = again.next(0x63).data
    flags = info.split(b"\0", 2)[2][:4]
    assert int.from_bytes(flags, "little") & 2
    assert simulator.process.poll() is None
    assert "Restarting MobileSim" in (tmp_path / "sim.log-crash").read_text()
    assert took < 10.0  # two seconds on a machine that has nothing else to do


def test_daemonize_comes_back_when_clients_can_connect(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--daemonize", "--log-file", "sim.log", listening=False)
    assert simulator.wait() == 0
    client = simulator.connect().handshake()
    client.sip()
    client.send(command(Command.SIM_EXIT, 0))
    client.until_closed()


def test_a_log_file_is_where_the_command_was_given(start: Any, tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    start("--nomap", "-r", "p3dx", "--cwd", "maps", "--log-file", "sim.log")
    assert 'Changing to directory "maps"...' in (tmp_path / "sim.log").read_text()


def test_a_movie_is_recorded_without_a_browser(start: Any, tmp_path: Path) -> None:
    movie = tmp_path / "movie.gif"
    simulator = start("--nomap", "-r", "p3dx", "--record-movie", str(movie), "--movie-interval", "100")
    client = simulator.connect().handshake()
    for _ in range(5):
        client.sip()
    simulator.process.send_signal(signal.SIGTERM)
    assert simulator.wait() == 0
    assert movie.read_bytes()[:6] == b"GIF89a"
