"""Every call of the system that the program makes fails once: a whole start and a short session for each of them.

    python -m tests.torture.faults FOLDER [--sample N]

A process that has imported everything forks one simulator for each case. In it the n-th call of one kind raises an OSError;
everything else is real. The simulator must refuse to start with a documented code and a sentence, or go on: a second client
is served whatever became of the first, and SIGTERM ends it with 0. Nothing hangs, and no descriptor stays open.
"""

from __future__ import annotations

import argparse
import builtins
import errno
import io
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mobilesim_py.errors import ExitCode
from mobilesim_py.protocols.arcos.client import control
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from tests.e2e.conftest import HOST, free_ports, is_listening
from tests.torture.good import ArcosClient
from tests.torture.wires import ROOT

START_SECONDS = 15.0
END_SECONDS = 5.0
SERVED_SECONDS = 10.0
MORE_DESCRIPTORS = 1
"""Beyond those of a run without a fault; an open log file that another run could not open, for example."""
DOCUMENTED = frozenset(int(code) for code in ExitCode) - {int(ExitCode.CRASH)}


@dataclass(frozen=True)
class Call:
    """A call of the system, as Python programs make it."""

    name: str
    owner: Any
    error: int
    """What goes wrong: an errno."""


CALLS: tuple[Call, ...] = (
    Call("socket", socket.socket, errno.EMFILE),
    Call("accept", socket.socket, errno.EMFILE),
    Call("bind", socket.socket, errno.EADDRINUSE),
    Call("listen", socket.socket, errno.EADDRINUSE),
    Call("setsockopt", socket.socket, errno.ENOPROTOOPT),
    Call("getsockname", socket.socket, errno.ENOTCONN),
    Call("recv", socket.socket, errno.ECONNRESET),
    Call("recvfrom", socket.socket, errno.ECONNREFUSED),
    Call("send", socket.socket, errno.EPIPE),
    Call("sendto", socket.socket, errno.ENOBUFS),
    Call("open", builtins, errno.EACCES),
    Call("open", os, errno.ENOSPC),
    Call("read", os, errno.EIO),
    Call("write", os, errno.ENOSPC),
    Call("openpty", os, errno.ENOENT),
    Call("fork", os, errno.EAGAIN),
    Call("pipe", os, errno.EMFILE),
    Call("replace", os, errno.EACCES),
    Call("rename", os, errno.EACCES),
    Call("unlink", os, errno.EACCES),
    Call("symlink", os, errno.EACCES),
    Call("mkdir", os, errno.ENOSPC),
    Call("stat", os, errno.EACCES),
    Call("scandir", os, errno.EACCES),
    Call("fstat", os, errno.EIO),
    Call("utime", os, errno.EACCES),
)


def label(call: Call) -> str:
    """Name a call."""
    return f"{getattr(call.owner, '__name__', '')}.{call.name}"


class Faults:
    """Counts the calls of each kind, and has one of them fail."""

    def __init__(self, which: str = "", number: int = 0) -> None:
        self.counts: Counter[str] = Counter()
        self._which, self._number = which, number

    def install(self) -> None:
        """Wrap all calls of this process."""
        for call in CALLS:
            if call.name == "socket":
                self._wrap_making(call)
                continue
            wrapped = self._wrapped(call, getattr(call.owner, call.name))
            setattr(call.owner, call.name, wrapped)
            if call.owner is builtins:
                io.open = wrapped  # what pathlib calls

    def _wrapped(self, call: Call, original: Callable[..., Any]) -> Callable[..., Any]:
        name = label(call)

        def wrapper(*words: Any, **more: Any) -> Any:
            self._count(name, call.error)
            return original(*words, **more)

        return wrapper

    def _wrap_making(self, call: Call) -> None:
        faults, name, original = self, label(call), socket.socket.__init__

        def made(self: socket.socket, *words: Any, **more: Any) -> None:
            if not more.get("fileno") and len(words) < 4:  # accepted sockets are made from their number
                faults._count(name, call.error)
            original(self, *words, **more)

        socket.socket.__init__ = made  # type: ignore[method-assign]

    def _count(self, name: str, error: int) -> None:
        self.counts[name] += 1
        if name == self._which and self.counts[name] == self._number:
            raise OSError(error, os.strerror(error))


@dataclass
class Run:
    """What became of one simulator."""

    counts: dict[str, int]
    code: int | None
    descriptors: int
    problem: str


class Case:
    """One simulator, forked from this process, with one fault or none."""

    def __init__(self, folder: Path, which: str = "", number: int = 0) -> None:
        self.folder = folder / f"{which or 'none'}-{number}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_ports(2)
        self._console = self.folder / "console"
        self._counts = self.folder / "counts.json"
        self.process = os.fork()
        if not self.process:
            self._simulate(which, number)

    def _simulate(self, which: str, number: int) -> None:
        """Be the simulator."""
        code = 99
        try:
            os.chdir(self.folder)
            os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = str(self.folder)
            console = os.open(self._console, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.dup2(console, 1)
            os.dup2(console, 2)
            words = [
                "-m", str(ROOT / "maps" / "office.map"), "-r", "p3dx:r0", "-R", "p3dx", "--pty", "line", "--log-file", "sim.log",
                "--engine", "numpy", "-p", str(self.port), "--bind-to-address", HOST, "--no-network-discovery", "--no-web",
                "--update-interval", "20", "--noninteractive", "--no-crash-restart",
            ]  # fmt: skip
            from mobilesim_py import __main__

            sys.argv = ["mobilesim", *words]
            faults = Faults(which, number)
            opened, wrote, ended = os.open, os.write, os._exit

            def end(code: int) -> None:
                """End as any part of the program may, with the counts written down."""
                counts = opened(self._counts, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
                wrote(counts, json.dumps(faults.counts).encode())
                ended(code)

            os._exit = end  # type: ignore[assignment]
            faults.install()
            code = __main__.main()
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(code)

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self._code is None:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    _code: int | None = None

    def said(self) -> str:
        """Return what it said, on its console and in its log."""
        files = (self._console, self.folder / "sim.log")
        return "\n".join(file.read_text(errors="replace")[-2500:] for file in files if file.exists())

    def live(self) -> Run:
        """Be its clients until the end."""
        problem, descriptors = self._session()
        if problem and self.poll() is None:
            os.kill(self.process, signal.SIGKILL)
        deadline = time.monotonic() + END_SECONDS
        while (code := self.poll()) is None:
            if time.monotonic() > deadline:
                os.kill(self.process, signal.SIGKILL)
                problem = problem or "SIGTERM does not end it"
                deadline = float("inf")
            time.sleep(0.005)
        said = self.said()
        if not problem and code not in DOCUMENTED:
            problem = f"it ended with {code}: {said}"
        elif not problem and "Traceback" in said:
            problem = f"a traceback: {said}"
        counts = json.loads(self._counts.read_text()) if self._counts.exists() else {}
        return Run(counts, code, descriptors, problem)

    def _session(self) -> tuple[str, int]:
        deadline = time.monotonic() + START_SECONDS
        while not is_listening(self.port):
            if self.poll() is not None:
                return ("" if self._code else f"it ended with 0: {self.said()}"), 0
            if time.monotonic() > deadline:
                return f"it neither listened nor ended: {self.said()}", 0
            time.sleep(0.005)
        for attempt in ("first", "second"):
            problem = self._served()
            if self.poll() is not None:
                break
            if problem and attempt == "second":
                return f"{problem}: {self.said()}", 0
        descriptors = self._descriptors()
        if self.poll() is None:
            os.kill(self.process, signal.SIGTERM)
        return "", descriptors

    def _served(self) -> str:
        """Be a client of the robot, one of the factory, and one on the line; say what went wrong."""
        problem, until = "", time.monotonic() + SERVED_SECONDS
        for port in (self.port, self.port + 1):
            while True:
                try:
                    client = ArcosClient(port)
                    client.socket.settimeout(2.0)
                    if port == self.port:
                        client.socket.sendall(control(ControlOperation.LOAD_MAP, "room.wld"))
                        client.socket.sendall(control(ControlOperation.ROTATE_LOGS))
                    while len(client.moments) < 3:
                        client.read(time.monotonic())
                    client.socket.close()
                    break
                except OSError as error:
                    problem = f"port {port - self.port}: {error}"
                    if self.poll() is not None or time.monotonic() > until:
                        return problem
                    time.sleep(0.02)
        try:
            line = os.open(self.folder / "line", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            os.write(line, b"\xfa\xfb\x03\x00\x00\x00")
            os.close(line)
        except OSError:
            return ""  # without a line there is nobody to be served on it
        return ""

    def _descriptors(self) -> int:
        time.sleep(0.06)
        try:
            return len(os.listdir(f"/proc/{self.process}/fd"))
        except OSError:
            return 0


def _zygote(folder: Path, sample: int, seed: int) -> None:
    """Run all cases, or a sample of them, and print what became of each as a line of JSON."""
    _import_everything()
    plain = Case(folder).live()
    if plain.problem:
        print(json.dumps({"case": "no fault", "problem": plain.problem}), flush=True)
        return
    cases = [(name, number) for name, count in sorted(plain.counts.items()) for number in range(1, count + 1)]
    if sample and sample < len(cases):
        # One of each kind first: what is not tried in this run is in another one.
        random.Random(seed).shuffle(cases)
        seen: Counter[str] = Counter()
        turns = []
        for name, number in cases:
            turns.append((seen[name], name, number))
            seen[name] += 1
        cases = [(name, number) for _, name, number in sorted(turns)[:sample]]
    for name, number in cases:
        run = Case(folder, name, number).live()
        problem = run.problem
        if not problem and run.descriptors > plain.descriptors + MORE_DESCRIPTORS:
            problem = f"{run.descriptors} descriptors instead of {plain.descriptors}"
        print(json.dumps({"case": f"{name} {number}", "problem": problem}), flush=True)


def _import_everything() -> None:
    """Import what a run needs, so that a fork has it: Python's own reading of modules is not what is tested."""
    import importlib
    import pkgutil

    import mobilesim_py

    for package in ("app", "core", "formats", "net", "services.pioneer", "world", "catalogue"):
        top = importlib.import_module(f"mobilesim_py.{package}")
        for module in pkgutil.walk_packages(top.__path__, f"{top.__name__}."):
            if "compiled" not in module.name and ".ciber" not in module.name and ".ros" not in module.name:
                importlib.import_module(module.name)
    assert mobilesim_py.__version__


def every_call_fails_once(
    folder: Path, *, sample: int = 0, seed: int = 0, tell: Callable[[str], None] = lambda text: None
) -> tuple[int, list[str]]:
    """Run all cases in a process of their own; how many there were, and what went wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "tests.torture.faults", str(folder), "--sample", str(sample), "--seed", str(seed)]
    count, problems = 0, []
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            row = json.loads(line)
            count += 1
            if row["problem"]:
                problems.append(f"{row['case']} fails: {row['problem']}")
            if count % 50 == 0:
                tell(f"faults: {count} calls have failed")
    if process.returncode:
        problems.append(f"the tool itself ended with {process.returncode}")
    return count, problems


def main() -> None:
    """Be the process that forks."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    words = parser.parse_args()
    _zygote(words.folder.resolve(), words.sample, words.seed)


if __name__ == "__main__":
    main()
