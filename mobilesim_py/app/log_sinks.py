"""Where log lines go: the console, and a file that rotates.

When a new log file F is begun (at the start of the program, at the size limit, or when a client asks), the old one is
kept as F-1 and older ones move up to F-5. Files are renamed, so `tail -F` goes on with the new one. With a size limit
of N bytes all files together stay under 5 * N: the oldest are removed.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import sys
import time
from html import escape
from typing import TYPE_CHECKING, Any, TextIO

from mobilesim_py.app.logs import Level, LogLine
from mobilesim_py.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

KEPT_FILES = 5
"""Old log files that are kept, and how many times the size limit all files may take together."""
RETRY_SECONDS = 60.0
"""How long a log file that failed is left alone before it is tried again."""
LOOK_SECONDS = 1.0
"""How often the log file is looked for under its name, in case somebody has deleted or moved it."""
LONGEST_CONSOLE_LINE = 4000
"""Bytes; no more than a pipe that is ready is certain to take (PIPE_BUF is 4096)."""
RICH_AFTER_SECONDS = 1.0
"""Rich takes as long to import as the rest of the start; the first lines do without it."""


def html(line: LogLine) -> str:
    """Write a line as HTML, with the original's class names."""
    tag = line.level.value
    whom = f"{line.robot}: " if line.robot else ""
    when = f'<span class="stage-log-time">{time.ctime(line.time)}</span>'
    what = f'<span class="stage-log-msg">{escape(whom + line.text)}</span>'
    if tag:
        return f'<span class="stage-log-{tag}">{when} <span class="stage-log-{tag}-tag">{tag}</span>: {what}</span><br/>'
    return f'<span class="stage-log">{when} {what}</span><br/>'


def keep_old(path: str, max_total: int = 0) -> None:
    """Move PATH to PATH-1 and older files up, if PATH is a regular file; a sixth old file is dropped.

    With `max_total` [bytes], also remove the oldest files that exceed it. PATH-1 stays in any case: it may be
    the log of a run without a limit, and the one that somebody wants to read.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return  # devices and fifos are not renamed
    except OSError:
        return
    # The place is made first: renaming onto a file makes some file systems write it to the disk at once, and wait.
    with contextlib.suppress(OSError):
        os.remove(f"{path}-{KEPT_FILES}")
    for number in range(KEPT_FILES - 1, -1, -1):
        with contextlib.suppress(OSError):
            os.replace(f"{path}-{number}" if number else path, f"{path}-{number + 1}")
    total = 0
    for number in range(1, KEPT_FILES + 1) if max_total else ():
        with contextlib.suppress(OSError):
            total += os.path.getsize(f"{path}-{number}")
            if total > max_total and number > 1:
                os.remove(f"{path}-{number}")


class FileSink:
    """A log file; every line is one unbuffered write, so that whoever follows it sees whole lines at once."""

    def __init__(self, path: str, *, max_size: int = 0, html: bool = False) -> None:
        self.path = os.path.abspath(path)  # --cwd or a later chdir must not move the log
        self.max_size = max_size
        self.trouble = ""
        """Why it cannot be written, in the system's words."""
        self._html = html
        self._descriptor = -1
        self._size = 0
        self._retry_at = 0.0
        self._look_at = 0.0

    @property
    def broken(self) -> bool:
        """Whether lines must go elsewhere for now."""
        return self._descriptor < 0

    def has_room(self, *lines: LogLine) -> bool:
        """Tell whether the lines fit below the size limit."""
        return self.max_size <= 0 or self._size + sum(len(self._encoded(line)) for line in lines) < self.max_size

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written since the file was begun."""
        return self._size == 0

    def open(self) -> None:
        """Keep the old file and begin a new one; UsageError if that is impossible."""
        self._keep_old()
        if not self._open():
            raise UsageError(
                f'Could not open log file "{self.path}" for writing ({self.trouble}). '
                "Choose another with --log-file, or leave it out to log to the console."
            )

    def rotate(self) -> bool:
        """Keep the file as PATH-1 and begin a new one; False if there is no new one."""
        self.close()
        self._keep_old()
        return self._open()

    def write(self, line: LogLine) -> bool:
        """Append a line; False if that is impossible now (a full disk, a vanished directory)."""
        if self.broken and (time.monotonic() < self._retry_at or not self._open()):
            return False
        if time.monotonic() >= self._look_at and not self._is_in_place() and not self._reopen():
            return False
        data = self._encoded(line)
        try:
            written = os.write(self._descriptor, data)
            if written < len(data):
                written += os.write(self._descriptor, data[written:])
        except OSError as error:
            self._failed(error)
            return False
        self._size += written
        return True

    def close(self) -> None:
        """Close the file."""
        if self._descriptor >= 0:
            try:
                os.close(self._descriptor)
            except OSError as error:
                self.trouble = error.strerror or str(error)
            self._descriptor = -1

    def _keep_old(self) -> None:
        keep_old(self.path, (KEPT_FILES - 1) * self.max_size)

    def _encoded(self, line: LogLine) -> bytes:
        return ((html(line) if self._html else line.plain()) + "\n").encode("utf-8", "backslashreplace")

    def _open(self) -> bool:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            self._descriptor = os.open(self.path, flags, 0o644)
            self._size = os.fstat(self._descriptor).st_size
        except OSError as error:
            self._failed(error)
            return False
        return True

    def _is_in_place(self) -> bool:
        """Whether the file that is written is the one that is found under its name; nobody reads a deleted one."""
        self._look_at = time.monotonic() + LOOK_SECONDS
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._descriptor))
        except OSError:
            return False

    def _reopen(self) -> bool:
        self.close()
        return self._open()

    def _failed(self, error: OSError) -> None:
        self.trouble = error.strerror or str(error)
        self.close()
        self._retry_at = time.monotonic() + RETRY_SECONDS


class ConsoleSink:
    """Standard error: through Rich on a terminal, plain elsewhere, and never waiting for whoever reads it.

    A program that starts the simulator with a pipe and does not read it must not stop the robots: when the pipe is
    full, lines are left out and counted.
    """

    def __init__(self, stream: TextIO | None = None, *, html: bool = False) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._html = html
        self._left_out = 0
        self._dead = self._stream is None
        self._poll: Any = None
        self._rich: Console | None = None
        self._rich_after = time.monotonic() + RICH_AFTER_SECONDS
        self._rich_wanted = False
        if not self._dead:
            self._look_at_stream()

    def _look_at_stream(self) -> None:
        try:
            self._rich_wanted = self._stream.isatty() and not self._html and os.environ.get("TERM", "dumb") != "dumb"
            descriptor = self._stream.fileno()
        except (OSError, ValueError):
            return  # not a real file: nothing to wait for
        if hasattr(select, "poll"):
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLOUT)

    def write(self, line: LogLine) -> bool:
        """Print a line, unless nobody reads or there is nobody left."""
        if self._dead:
            return False
        if not self._ready():
            self._left_out += 1
            return False
        try:
            if self._left_out:
                left_out, self._left_out = self._left_out, 0
                missing = f"{left_out} lines were left out because nobody read them."
                self._print(LogLine(line.time, Level.WARNING, "", missing))
            self._print(line)
        except (OSError, ValueError):
            self._dead = True  # the terminal or the reader is gone; there is nobody to tell
            return False
        return True

    def close(self) -> None:
        """Flush the stream."""
        try:
            if self._stream is not None:
                self._stream.flush()
        except (OSError, ValueError):
            self._dead = True

    def _ready(self) -> bool:
        if self._poll is None:
            return True
        events = self._poll.poll(0)
        # POLLERR is a pipe whose reader is gone: writing says so without waiting.
        return bool(events)

    def _print(self, line: LogLine) -> None:
        if self._rich_wanted:
            self._print_rich(line)
            return
        text = html(line) if self._html else line.plain()
        self._put(text)

    def _put(self, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        if len(data) > LONGEST_CONSOLE_LINE:
            text = data[:LONGEST_CONSOLE_LINE].decode("utf-8", "ignore") + "..."
        encoding = getattr(self._stream, "encoding", None) or "utf-8"
        self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        self._stream.flush()

    def _print_rich(self, line: LogLine) -> None:
        if self._rich is None and time.monotonic() >= self._rich_after:
            from rich.console import Console

            self._rich = Console(file=self._stream, highlight=False, soft_wrap=True)
        if self._rich is None:
            colour = {Level.WARNING: "\x1b[33m", Level.ERROR: "\x1b[31m"}.get(line.level, "")
            self._put(colour + line.plain() + ("\x1b[0m" if colour else ""))
            return
        from rich.text import Text

        text = Text(time.ctime(line.time) + " ", style="dim")
        if line.level is not Level.INFO:
            text.append(line.level.value, style="bold yellow" if line.level is Level.WARNING else "bold red")
            text.append(": ")
        if line.robot:
            text.append(line.robot + ": ", style="cyan")
        text.append(line.text, style="default")
        self._rich.print(text)
