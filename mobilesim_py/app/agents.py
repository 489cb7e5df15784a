"""Agents that are started by us: a command for each, told where to go, stopped with all its children at the end."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from mobilesim_py.errors import UsageError

KEPT_OUTPUT = 1 << 20
"""What is kept of the output of an agent [bytes]; one that floods loses the rest."""
LAST_SECONDS = 1.0
"""How long an agent may take to write down what it knows and to end by itself."""
GENTLE_SECONDS = 0.5
"""How long an agent may take to end after SIGTERM."""
WORDS = ("host", "port", "pos", "name")
"""What a command may have in braces, such as `--pos {pos}`."""


class Agent:
    """A process that plays a robot."""

    def __init__(self, command: str, *, host: str, port: int, pos: int, name: str = "", output: Path | None = None) -> None:
        """Start it; UsageError if there is no such program. `output` is the file for what it says, else our own output."""
        self.command = command
        told = {"host": host, "port": str(port), "pos": str(pos), "name": name or f"robot{pos}"}
        words = [_filled(word, told) for word in _split(command)]
        environment = {**os.environ, **{f"CIBER_{key.upper()}": value for key, value in told.items()}}
        self._file: IO[bytes] | None = None
        self._reader: threading.Thread | None = None
        try:
            self._file = output.open("wb") if output is not None else None
            self.process = subprocess.Popen(
                words,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if output is not None else None,
                stderr=subprocess.STDOUT if output is not None else None,
                start_new_session=True,
            )
        except OSError as error:
            if self._file is not None:
                self._file.close()
            what = error.strerror or str(error)
            raise UsageError(
                f'--agent "{command}": {error.filename or words[0]}: {what}. Give a command that works here.'
            ) from None
        if self._file is not None:
            self._reader = threading.Thread(target=self._keep_output, name=f"agent {pos}", daemon=True)
            self._reader.start()

    @property
    def exit_code(self) -> int | None:
        """How it ended; None while it runs."""
        return self.process.poll()

    def stop(self) -> None:
        """Let it end, else end it, and all that it started."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(LAST_SECONDS)
        self._signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GENTLE_SECONDS)
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self.process.wait()
        if self._reader is not None and self._file is not None:
            self._reader.join(GENTLE_SECONDS)
            self._file.close()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, number)
            else:  # on Windows there are no groups of processes
                self.process.send_signal(number)

    def _keep_output(self) -> None:
        kept, stream = 0, self.process.stdout
        assert stream is not None
        assert self._file is not None
        with contextlib.suppress(OSError, ValueError):
            while data := stream.read1(1 << 16):  # type: ignore[attr-defined]
                self._file.write(data[: KEPT_OUTPUT - kept])
                self._file.flush()
                kept = min(KEPT_OUTPUT, kept + len(data))


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f'--agent "{command}": {error}. Close every quote.') from None
    if not words:
        raise UsageError("--agent wants the command of an agent, and not nothing.")
    # "python3" is this Python where there is no other of that name.
    if words[0] == "python3" and not _is_there("python3"):
        words[0] = sys.executable
    return words


def _is_there(program: str) -> bool:
    from shutil import which

    return which(program) is not None


def _filled(word: str, told: dict[str, str]) -> str:
    """Put what is told into a word; other braces stay as they are."""
    for key, value in told.items():
        word = word.replace("{" + key + "}", value)
    return word
