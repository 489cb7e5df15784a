"""`mobilesim sniff`: print a conversation decoded, as a client of one's own or between a client and its robot."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from mobilesim_py.clients.conversation import units_of
from mobilesim_py.clients.sync.pioneer import Pioneer
from mobilesim_py.clients.tap import Tap
from mobilesim_py.errors import ExitCode
from mobilesim_py.protocols.arcos.transcript import Transcript
from mobilesim_py.tools.words import Given, run

_PLENTY = re.compile(r"[<>] (SIP |laser |PULSE)")
POLL_SECONDS = 0.2


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("sniff", argv, {"": _sniff})


def _sniff(given: Given) -> int:
    printer = Printer(given.brief)
    if given.listen is None:
        with suppress(KeyboardInterrupt), Pioneer(given.robot, baud=given.baud, trace=printer.heard) as robot:
            _wait(given.seconds, lambda: not robot.is_over)
            if robot.is_over:
                robot.check()
        return ExitCode.OK
    with suppress(KeyboardInterrupt), Tap(given.robot, printer.heard, port=given.listen, baud=given.baud) as tap:
        print(f"Let your program connect to localhost, port {tap.port}; it will talk to {given.robot}.", file=sys.stderr)
        _wait(given.seconds, lambda: tap.problem is None)
        if tap.problem is not None:
            raise tap.problem
    return ExitCode.OK


class Printer:
    """Prints a conversation, with the seconds since its beginning before each line."""

    def __init__(self, brief: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._brief = brief
        self._clock = clock
        self._began = clock()
        self._talk = Transcript(units_of)
        self._lock = threading.Lock()

    def heard(self, incoming: bool, data: bytes) -> None:
        """Print what these bytes say."""
        with self._lock:
            for line in self._talk.heard(incoming, data):
                if not (self._brief and _PLENTY.match(line)):
                    print(f"{self._clock() - self._began:9.3f} {line}", flush=True)


def _wait(seconds: float | None, goes_on: Callable[[], bool]) -> None:
    deadline = None if seconds is None else time.monotonic() + seconds
    while goes_on() and (deadline is None or time.monotonic() < deadline):
        time.sleep(POLL_SECONDS if deadline is None else max(0.0, min(POLL_SECONDS, deadline - time.monotonic())))
