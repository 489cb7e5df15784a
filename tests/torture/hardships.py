"""What the machine does to the program: no descriptors, no memory, a full disk, signals at any moment. A row for each.

Each is a run of the real process, which must go on serving or end with a documented exit code and a sentence.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mobilesim_py.errors import ExitCode
from mobilesim_py.protocols.arcos.client import control
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from tests.e2e.conftest import HOST
from tests.torture.good import ArcosClient
from tests.torture.subject import LONGEST_START, Subject

DOCUMENTED = frozenset(int(code) for code in ExitCode)
LONGEST_CRASH = 9.0
"""The crash handler gives up after five seconds."""
ONE = ("--nomap", "-p", "PORT", "-r", "p3dx:r0")


@dataclass(frozen=True)
class Hardship:
    """One kind of trouble."""

    name: str
    suffer: Callable[[Path, random.Random], str]
    """Returns what went wrong; empty if nothing did."""
    weight: int = 1


def _serves(subject: Subject, seconds: float = 15.0) -> str:
    """Look whether a client is let in and told something."""
    deadline = time.monotonic() + seconds
    problem = "nobody was let in"
    while time.monotonic() < deadline:
        if not subject.is_alive:
            return f"it ended with {subject.process.returncode}: {subject.said()}"
        try:
            client = ArcosClient(subject.port)
            client.socket.settimeout(5.0)
            while not client.moments:
                client.read(time.monotonic())
            client.socket.close()
            return ""
        except OSError as error:
            problem = f"a client was not served: {error}"
            time.sleep(0.05)
    return problem


def _ends(subject: Subject, wanted: tuple[int, ...] = (0,)) -> str:
    code, seconds = subject.end()
    if code not in wanted:
        return f"asked to end, it ended with {code} after {seconds:.1f} s: {subject.said()}"
    return "a traceback: " + subject.said() if "Traceback" in subject.said() else ""


def _limited_start(subject: Subject) -> str:
    """Let it start or refuse to: either it listens, or it has ended with a documented code and a sentence."""
    deadline = time.monotonic() + LONGEST_START
    while time.monotonic() < deadline:
        if not subject.is_alive:
            code = subject.process.returncode
            if code not in DOCUMENTED or code == ExitCode.CRASH:
                return f"it ended with {code}: {subject.said()}"
            return "" if "MobileSim: " in subject.said() else f"it ended with {code} without a sentence: {subject.said()}"
        with contextlib.suppress(OSError), socket.create_connection((HOST, subject.port), timeout=0.5):
            return _ends(subject)
        time.sleep(0.02)
    return "it neither listened nor ended"


def _descriptors(folder: Path, rng: random.Random) -> str:
    limits = {resource.RLIMIT_NOFILE: rng.randrange(8, 60)}
    with Subject(
        folder, *ONE, "--engine", "numpy", "-R", "p3dx", "--web", "--web-port", "0", ports=3, limits=limits
    ) as subject:
        return _limited_start(subject)


def _descriptors_later(folder: Path, rng: random.Random) -> str:
    limits = {resource.RLIMIT_NOFILE: 40}
    with Subject(folder, *ONE, "--engine", "numpy", "-R", "p3dx", ports=2, limits=limits) as subject:
        subject.wait_until_listening(0, 1)
        held = []
        for _ in range(rng.randrange(30, 80)):
            with contextlib.suppress(OSError):
                held.append(socket.create_connection((HOST, subject.port + 1), timeout=1.0))
        for connection in held:
            connection.close()
        return _serves(subject) or _ends(subject)


def _memory(folder: Path, rng: random.Random) -> str:
    limits = {resource.RLIMIT_AS: rng.randrange(60, 700) << 20}
    with Subject(folder, *ONE, "--engine", "numpy", limits=limits, ports=1) as subject:
        problem = _limited_start(subject)
        # Python itself ends with 1 when it has no room for its own modules: nothing of ours runs yet.
        return "" if subject.process.returncode in (1, -signal.SIGABRT, 127) else problem


def _memory_of_a_map(folder: Path, rng: random.Random) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    lines = "\n".join(" ".join(str(rng.randrange(100_000)) for _ in range(4)) for _ in range(20_000))
    (folder / "big.map").write_text(f"2D-Map\nLineMinPos: 0 0\nLineMaxPos: 100000 100000\nLINES\n{lines}\nDATA\n")
    with Subject(folder, *ONE, "--engine", "numpy", limits={resource.RLIMIT_AS: 700 << 20}) as subject:
        subject.wait_until_listening()
        client = ArcosClient(subject.port)
        client.socket.sendall(control(ControlOperation.LOAD_MAP, "big.map"))
        time.sleep(2.0)
        client.socket.close()
        return _serves(subject) or _ends(subject)


def _full_disk(folder: Path, rng: random.Random) -> str:
    limits = {resource.RLIMIT_FSIZE: rng.choice((0, 1, 300, 5000))}
    words = ("--log-file", "sim.log", "--web", "--web-port", "0") if rng.random() < 0.5 else ("--log-file", "/dev/full")
    with Subject(folder, *ONE, *words, limits=limits if words[1] == "sim.log" else {}) as subject:
        problem = _limited_start(subject)
        return "" if subject.process.returncode in (ExitCode.TEMPORARY_FILE, ExitCode.USAGE) else problem


def _full_disk_later(folder: Path, rng: random.Random) -> str:
    limits = {resource.RLIMIT_FSIZE: 3000}
    with Subject(folder, *ONE, "--log-file", "sim.log", "-R", "p3dx", ports=2, limits=limits) as subject:
        subject.wait_until_listening(0, 1)
        for _ in range(60):
            with contextlib.suppress(OSError):
                socket.create_connection((HOST, subject.port + 1), timeout=1.0).close()
        return _serves(subject) or _ends(subject)


def _end_signal(folder: Path, rng: random.Random) -> str:
    with Subject(folder, *ONE, *(("-m", "maps/office.map") if rng.random() < 0.3 else ())) as subject:
        time.sleep(rng.uniform(0.0, 2.5))
        for _ in range(rng.choice((1, 1, 3))):
            with contextlib.suppress(OSError):
                subject.process.send_signal(rng.choice((signal.SIGTERM, signal.SIGINT, signal.SIGHUP)))
            time.sleep(rng.choice((0.0, 0.03)))
        began = time.monotonic()
        try:
            code = subject.process.wait(10.0)
        except subprocess.TimeoutExpired:
            return "a signal did not end it"
        # Before Python runs a signal is the shell's, which starts it; a map that is not there ends it with 253.
        wanted = (0, ExitCode.MAP, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP)
        is_ours = "Traceback" in subject.said() and "mobilesim_py/" in subject.said()  # or Python's, which starts
        if code not in wanted or is_ours or time.monotonic() - began > 5.0:
            return f"{code} after {time.monotonic() - began:.1f} s: {subject.said()}"
        return ""


def _crash_signal(folder: Path, rng: random.Random) -> str:
    with Subject(folder, *ONE) as subject:
        time.sleep(rng.uniform(0.7, 3.0))
        number = rng.choice((signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL))
        subject.process.send_signal(number)
        try:
            code = subject.process.wait(LONGEST_CRASH)
        except subprocess.TimeoutExpired:
            return f"{number.name} did not end it"
        return "" if code in (ExitCode.CRASH, -number, -signal.SIGALRM) else f"{number.name}: {code}: {subject.said()}"


def _kill_and_start_again(folder: Path, rng: random.Random) -> str:
    with Subject(folder, *ONE, "-R", "p3dx", "--log-file", "sim.log", ports=2) as subject:
        subject.wait_until_listening()
        held = [socket.create_connection((HOST, subject.port + port)) for port in (0, 1, 1)]
        os.kill(subject.process.pid, signal.SIGKILL)
        subject.process.wait()
        words = [word.replace("PORT", str(subject.port)) for word in ONE]
        with Subject(folder, *words) as again:
            again.port = subject.port
            problem = _serves(again) or _ends(again)
        for connection in held:
            connection.close()
        return problem


HARDSHIPS: tuple[Hardship, ...] = (
    Hardship("few descriptors at the start", _descriptors, 3),
    Hardship("no descriptors later", _descriptors_later, 2),
    Hardship("little memory at the start", _memory, 3),
    Hardship("no memory for a map", _memory_of_a_map),
    Hardship("a full disk at the start", _full_disk, 3),
    Hardship("a full disk later", _full_disk_later),
    Hardship("told to end at any moment", _end_signal, 8),
    Hardship("crashed at any moment", _crash_signal, 4),
    Hardship("killed, and started again at once", _kill_and_start_again, 2),
)
