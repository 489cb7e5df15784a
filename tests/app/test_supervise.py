"""Crashing, starting again, and going to the background, with a simulator that does nothing but crash when asked."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import os, sys, time
from mobilesim_py.app.command_line import parse
from mobilesim_py.errors import MapError
from mobilesim_py.app.supervise import notify_ready, run

def simulate(options):
    print("up", os.getpid(), int(options.restarted_after_crash), os.getcwd(), flush=True)
    if options.cwd:
        os.chdir(options.cwd)
    how = os.environ.get("CRASH", "")
    if how == "no memory to start":
        raise MemoryError
    if how == "a folder that cannot be read":
        raise PermissionError(13, "Permission denied", "/opt/models")
    if how == "a library that does not fit":
        raise ImportError("libx.so: failed to map segment from shared object")
    notify_ready()
    if how == "no memory later":
        raise MemoryError
    if how == "exception":
        raise RuntimeError("a bug")
    if how == "map":
        raise MapError("nothing in it", "a.map", 3)
    if how == "command":
        return 236
    if how == "fault" and not options.restarted_after_crash:
        import ctypes
        ctypes.string_at(0)
    if how == "fault in a thread" and not options.restarted_after_crash:
        import ctypes, threading
        threading.Thread(target=ctypes.string_at, args=(0,)).start()
        time.sleep(30)
    if how == "printing" and not options.restarted_after_crash:
        import io, signal
        class Breaking(io.RawIOBase):
            def writable(self):
                return True
            def write(self, data):
                os.kill(os.getpid(), signal.SIGSEGV)
                return len(data)
        setattr(sys, os.environ["STREAM"], io.TextIOWrapper(io.BufferedWriter(Breaking())))
        print("half a line", file=getattr(sys, os.environ["STREAM"]), flush=True)
    if how == "code":
        return 42
    time.sleep(float(os.environ.get("SECONDS_UP", "30")))
    return 0

sys.exit(run(parse(sys.argv[1:]), sys.argv[1:], simulate))
"""


class Run:
    """One run of the program, read line by line."""

    def __init__(self, folder: Path, *words: str, **environment: str) -> None:
        program = folder / "program.py"
        program.write_text(textwrap.dedent(PROGRAM))
        self.process = subprocess.Popen(
            [sys.executable, str(program), *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def up(self) -> tuple[int, bool, str]:
        """Wait until it is up: its process number, whether it was restarted, and where."""
        assert self.process.stdout is not None
        _, number, restarted, place = self.process.stdout.readline().split()
        return int(number), restarted == "1", place

    def end(self) -> tuple[int, str]:
        """Wait for the end: exit code and what it complained about."""
        _, errors = self.process.communicate(timeout=20)
        return self.process.returncode, errors


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Run]]:
    runs: list[Run] = []
    yield runs
    for run in runs:
        if run.process.poll() is None:
            run.process.kill()
            run.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
def test_a_fatal_signal_starts_it_again_as_the_same_process(
    number: signal.Signals, tmp_path: Path, started: list[Run]
) -> None:
    run = Run(tmp_path, "--noninteractive", "--nomap", "--cwd", "/")
    started.append(run)
    process, restarted, place = run.up()
    assert not restarted
    os.kill(process, number)
    began = time.monotonic()
    assert run.up() == (process, True, place)
    assert time.monotonic() - began < 2.0


@pytest.mark.parametrize("how", ["fault", "fault in a thread"])
def test_a_fault_in_compiled_code_starts_it_again(how: str, tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, "--noninteractive", "--nomap", CRASH=how, SECONDS_UP="0")
    started.append(run)
    assert [run.up()[1], run.up()[1]] == [False, True]
    code, errors = run.end()
    assert code == 0
    assert "Crashed by signal 11 (SIGSEGV)." in errors
    assert "in simulate" in errors or how != "fault"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_crash_in_the_middle_of_a_line_starts_it_again(stream: str, tmp_path: Path, started: list[Run]) -> None:
    words = ("--noninteractive", "--nomap", "--log-file", "sim.log")
    run = Run(tmp_path, *words, CRASH="printing", STREAM=stream, SECONDS_UP="0")
    started.append(run)
    assert [run.up()[1], run.up()[1]] == [False, True]


@pytest.mark.parametrize("how", ["exception", "command"])
def test_a_crash_right_after_a_restart_is_given_up(how: str, tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, "--noninteractive", "--nomap", CRASH=how)
    started.append(run)
    assert [run.up()[1], run.up()[1]] == [False, True]
    code, errors = run.end()
    assert code == 236
    assert "It crashed again at once, so it is not started again." in errors


@pytest.mark.parametrize("words", [["--nomap"], ["--nomap", "--noninteractive", "--no-crash-restart"]])
def test_without_restart_a_crash_is_code_236(words: list[str], tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, *words, CRASH="exception")
    started.append(run)
    code, errors = run.end()
    assert code == 236
    assert "RuntimeError: a bug" in errors


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("no memory to start", "not enough memory"),
        ("a library that does not fit", "not enough memory"),
        ("a folder that cannot be read", "Could not start: [Errno 13] Permission denied: '/opt/models'."),
    ],
)
def test_what_prevents_the_start_is_a_sentence(how: str, sentence: str, tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, "--nomap", "--noninteractive", CRASH=how)
    started.append(run)
    code, errors = run.end()
    assert code == 249
    assert sentence in errors
    assert "Traceback" not in errors


def test_too_little_memory_later_is_a_crash(tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, "--nomap", CRASH="no memory later")
    started.append(run)
    code, errors = run.end()
    assert code == 236
    assert "MemoryError" in errors


def test_without_crash_handler_a_signal_does_what_signals_do(tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, "--nomap", "--noninteractive", "--disable-crash-handler")
    started.append(run)
    os.kill(run.up()[0], signal.SIGABRT)
    assert run.end()[0] == -signal.SIGABRT


@pytest.mark.parametrize("restart", [[], ["--noninteractive"]])
def test_without_crash_handler_the_crash_command_just_aborts(restart: list[str], tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, "--nomap", "--disable-crash-handler", *restart, CRASH="command")
    started.append(run)
    assert run.end()[0] == -signal.SIGABRT


def test_the_crashed_log_is_kept(tmp_path: Path, started: list[Run]) -> None:
    log = tmp_path / "sim.log"
    for number in range(3):
        log.write_text(f"run {number}\n")
        run = Run(tmp_path, "--noninteractive", "--nomap", "-l", "sim.log", CRASH="fault", SECONDS_UP="0")
        started.append(run)
        assert run.end()[0] == 0
    kept = [(tmp_path / name).read_text() for name in ("sim.log-crash", "sim.log-crash-1", "sim.log-crash-2")]
    assert [text.splitlines()[0] for text in kept] == ["run 2", "run 1", "run 0"]
    assert "Error: MobileSim: Crashed by signal 11 (SIGSEGV)." in kept[0]
    assert re.search(r"Restarting MobileSim : .* --restarting-after-crash --noninteractive --nomap -l sim.log", kept[0])


def test_an_error_of_the_users_is_one_sentence_and_its_code(tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, "--noninteractive", "--nomap", CRASH="map")
    started.append(run)
    assert run.end() == (253, "MobileSim: a.map:3: nothing in it\n")


def test_an_ordinary_end_has_its_own_code(tmp_path: Path, started: list[Run]) -> None:
    run = Run(tmp_path, "--noninteractive", "--nomap", CRASH="code")
    started.append(run)
    assert run.end() == (42, "")


def test_daemonize_returns_when_it_is_ready(tmp_path: Path) -> None:
    run = Run(tmp_path, "--daemonize", "--nomap")
    code, errors = run.end()  # the pipes end, too: the background process holds none of them
    assert code == 0
    found = re.search(r"running in the background as process (\d+)", errors)
    assert found is not None
    background = int(found.group(1))
    assert os.getsid(background) == background
    os.kill(background, signal.SIGKILL)


def test_daemonize_tells_why_it_could_not_start(tmp_path: Path) -> None:
    (tmp_path / "never_ready.py").write_text(
        "import sys\nfrom mobilesim_py.app.command_line import parse\nfrom mobilesim_py.errors import PortError\n"
        "from mobilesim_py.app.supervise import run\n"
        "def simulate(options):\n    raise PortError('taken')\n"
        "sys.exit(run(parse(['--daemonize', '--nomap']), [], simulate))\n"
    )
    ended = subprocess.run(
        [sys.executable, "never_ready.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (248, "MobileSim: taken\n")


def test_systemd_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    from mobilesim_py.app.supervise import notify_ready

    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        systemd.settimeout(5.0)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        notify_ready()
        assert systemd.recv(100) == b"READY=1"
