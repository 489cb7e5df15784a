"""What a test has of the simulators that it runs: the first of them by its own names, programs beside it, evidence."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mobilesim_py.clients.conversation import units_of
from mobilesim_py.clients.sync.pioneer import Pioneer
from mobilesim_py.clients.sync.program import RunningSimulator, start
from mobilesim_py.clients.tap import Tap
from mobilesim_py.errors import MobileSimError, UsageError
from mobilesim_py.protocols.arcos.transcript import Transcript

USUAL = {"engine": "numpy"}
"""Compiled code takes longer to load than most tests to run."""
LINES_SHOWN = 400
LINES_KEPT = 2000
END_SECONDS = 5.0


@dataclass(frozen=True)
class Ran:
    """What became of a program."""

    returncode: int
    """Negative if a signal ended it."""
    output: str
    """What it printed, stdout and stderr as they came."""
    timed_out: bool
    """Whether it was still running when its time was over, and was ended."""


class Bench:
    """Simulators of one test. Names that it does not know are those of the first one: `bench.pose()`."""

    def __init__(self) -> None:
        self._simulators: list[tuple[RunningSimulator, int]] = []
        self._packets: deque[str] = deque(maxlen=LINES_KEPT)
        self._outputs: list[tuple[str, str]] = []
        self._robots: list[Pioneer] = []
        self._lock = threading.Lock()

    def __call__(self, map: str | os.PathLike[str] | None = None, *, exit_code: int = 0, **options: Any) -> RunningSimulator:
        """Start another simulator, as `mobilesim_py.start` does; its end has to have this exit code."""
        simulator = start(map, **{**USUAL, **options})
        self._simulators.append((simulator, exit_code))
        return simulator

    @property
    def simulator(self) -> RunningSimulator:
        """The first simulator."""
        if not self._simulators:
            raise UsageError("No simulator runs: mark the test with @pytest.mark.mobilesim(...), or call the fixture.")
        return self._simulators[0][0]

    def __getattr__(self, name: str) -> Any:
        """Return what the first simulator has of this name."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.simulator, name)

    # Clients

    def connect(self, name: str = "", **how: Any) -> Pioneer:
        """Connect a client of ours to a robot (the first, if none is named), and record its packets."""
        robot = self.simulator.connect(name, **{"trace": self._recorder(), **how})
        self._robots.append(robot)
        return robot

    def run(
        self,
        *words: str | os.PathLike[str],
        robot: str = "",
        seconds: float = 60.0,
        env: dict[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> Ran:
        """Run a program that drives a robot (the first, if none is named), and end it after so many seconds.

        `{host}` and `{port}` in its words say where the robot is; programs of ARIA know it from `$ARIAARGS`, too.
        Its packets are recorded.
        """
        with Tap(f"127.0.0.1:{self.simulator.port(robot)}", self._recorder()) as tap:
            places = {"host": "127.0.0.1", "port": str(tap.port)}
            line = [_filled(os.fspath(word), places) for word in words]
            aria = {"ARIAARGS": f"-rh 127.0.0.1 -rrtp {tap.port}", "MOBILESIM_PORT": str(tap.port)}
            ran = _run(line, seconds, {**os.environ, **aria, **(env or {})}, cwd)
        self._outputs.append((" ".join(line), ran.output))
        return ran

    def _recorder(self) -> Any:
        talk = Transcript(units_of)

        def record(incoming: bool, data: bytes) -> None:
            with self._lock:
                self._packets.extend(talk.heard(incoming, data))

        return record

    # The end

    def evidence(self, folder: Path | None = None) -> list[tuple[str, str]]:
        """Return what the report of a failure should have: titles and texts; pictures are saved into a folder."""
        found = []
        for number, (simulator, _) in enumerate(self._simulators, 1):
            of = f" {number}" if len(self._simulators) > 1 else ""
            found.append((f"MobileSim{of} log", "\n".join(simulator.log()[-LINES_SHOWN:])))
            with contextlib.suppress(MobileSimError, OSError, TimeoutError):
                if folder is not None:
                    place = simulator.snapshot().save(folder / f"snapshot{of.strip()}.png")
                    poses = [f"{robot.name}: {robot.pose}" for robot in simulator.robots().values()]
                    found.append((f"MobileSim{of} snapshot", "\n".join([str(place), *poses])))
        with self._lock:
            packets = list(self._packets)[-LINES_SHOWN:]
        if packets:
            found.append(("MobileSim packets", "\n".join(packets)))
        return found + [(f"output of {line}", output) for line, output in self._outputs]

    def close(self) -> str:
        """End everything; return what was wrong with the ends of the simulators, or nothing."""
        for robot in self._robots:
            robot.close()
        complaints = []
        for simulator, expected in self._simulators:
            code = simulator.stop()
            if code != expected:
                last = (simulator.log() or ["nothing"])[-1]
                complaints.append(f"The simulator ended with exit code {code} instead of {expected}. It said: {last}")
        return "\n".join(complaints)


def _filled(word: str, places: dict[str, str]) -> str:
    for name, value in places.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _run(line: list[str], seconds: float, env: dict[str, str], cwd: str | os.PathLike[str] | None) -> Ran:
    """Run a program and all that it starts, and end them when the time is over."""
    process = subprocess.Popen(
        line,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=env,
        cwd=cwd,
        start_new_session=True,
    )
    timed_out = False
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        timed_out = True
        output = _end(process)
    except BaseException:
        _end(process)
        raise
    return Ran(process.returncode, output.decode("utf-8", "replace"), timed_out)


def _end(process: subprocess.Popen[bytes]) -> bytes:
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, number)
            else:  # on Windows there are no groups of processes
                process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=END_SECONDS)[0]
    return b""
