"""The program as a child process: its lines, where its API is, and its end."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from mobilesim_py.errors import (
    DirectoryError,
    EmulationError,
    MapError,
    MobileSimError,
    ParameterFileError,
    PortError,
    TemporaryFileError,
    UsageError,
    WorldfileError,
)

LINES_KEPT = 10_000
END_SECONDS = 4.0
"""How long a program may take to end when it is asked to, before it is killed."""
_URL = re.compile(r"MobileSim: (?:See the robots at|Open) (http://\S+)")
_SENTENCE = re.compile(r"MobileSim: (.*)")

_running: weakref.WeakSet[ChildProcess] = weakref.WeakSet()


class ChildProcess:
    """A simulator beside the caller, which ends with it."""

    def __init__(self, words: Sequence[str]) -> None:
        """Start it; `wait_for_url` returns when it is ready."""
        self.words = list(words)
        self._lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._news = threading.Condition()
        self._url = ""
        self._over = False
        place = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join([place, *filter(None, [os.environ.get("PYTHONPATH")])])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mobilesim_py.clients.hosted", *self.words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": path},
            # A group of its own: Ctrl-C at the terminal is the caller's business, who then ends it.
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, name=f"mobilesim {self.pid}", daemon=True)
        self._reader.start()
        _running.add(self)

    @property
    def pid(self) -> int:
        """Its process number."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """What it ended with; None while it runs, negative if a signal ended it."""
        return self._process.poll()

    def lines(self) -> list[str]:
        """Return what it said so far, oldest first, at most the last 10 000 lines."""
        with self._news:
            return list(self._lines)

    def wait_for_line(self, text: str, timeout: float) -> str:
        """Return the first line that contains a text; TimeoutError if none came in time [s], or none will ever come."""
        deadline = time.monotonic() + timeout
        with self._news:
            while True:
                found = next((line for line in self._lines if text in line), None)
                if found is not None:
                    return found
                left = deadline - time.monotonic()
                if self._over or left <= 0.0 or not self._news.wait(left):
                    raise TimeoutError(f'The simulator has not said "{text}" within {timeout:g} s.')

    def wait_for_url(self, timeout: float) -> str:
        """Return where its API is; an error with the program's own sentence if it ended, or was not ready in time [s]."""
        deadline = time.monotonic() + timeout
        with self._news:
            while not self._url and not self._over:
                left = deadline - time.monotonic()
                if left <= 0.0 or not self._news.wait(left):
                    break
            url = self._url
        if url:
            return url
        ended = self._over
        code = self.end()
        if ended:
            raise error_of(code, self.lines())
        raise EmulationError(f"The simulator was not ready within {timeout:g} s. It said: {_tail(self.lines())}")

    def end(self) -> int:
        """End it if it still runs, and return its exit code."""
        if self.exit_code is None:
            with contextlib.suppress(OSError):
                self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        return self.wait()

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended by itself, and return its exit code; TimeoutError if it does not in time [s]."""
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"The simulator has not ended within {timeout:g} s.") from None
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        _running.discard(self)
        return code

    def _read(self) -> None:
        assert self._process.stdout is not None
        for data in self._process.stdout:
            line = data.decode("utf-8", "replace").rstrip("\r\n")
            with self._news:
                self._lines.append(line)
                if not self._url and (found := _URL.search(line)):
                    self._url = found[1]
                self._news.notify_all()
        with self._news:
            self._over = True
            self._news.notify_all()


@atexit.register
def end_all() -> None:
    """End what still runs when the interpreter ends."""
    for process in list(_running):
        process.end()


def error_of(code: int, lines: Sequence[str]) -> MobileSimError:
    """Return the error that an exit code stands for, with the sentence that the program said last."""
    sentences = [found[1] for line in lines if (found := _SENTENCE.search(line))]
    text = sentences[-1] if sentences else _tail(lines)
    kind = _KINDS.get(code)
    if kind is None:
        return EmulationError(f"The simulator ended with exit code {code}. It said: {text}")
    error = kind.__new__(kind)
    Exception.__init__(error, text)
    return error


_KINDS: dict[int, type[MobileSimError]] = {
    int(kind.exit_code): kind
    for kind in (
        *(UsageError, TemporaryFileError, MapError, WorldfileError, ParameterFileError),
        *(EmulationError, PortError, DirectoryError),
    )
}


def _tail(lines: Sequence[str]) -> str:
    return lines[-1] if lines else "nothing"
