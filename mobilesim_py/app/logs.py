"""The application's log: one `Log` object, given to whatever has something to say.

    Wed Nov 18 05:16:10 2026 robot1: Client connected from localhost (127.0.0.1)
    Wed Nov 18 05:16:12 2026 Warning: robot1: Have not received a valid command packet in 2100 msec. ...

A line goes to the console, or to the log file when there is one, and always to a ring buffer in memory from which the
viewer and the dashboard are fed. `log_sinks.py` has the places where lines go, `messages.py` the sentences that people
grep for. Call a `Log` from one thread.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mobilesim_py import messages
from mobilesim_py.app.log_limits import LogLimits
from mobilesim_py.log import Level, LogLine

if TYPE_CHECKING:
    from mobilesim_py.app.log_sinks import FileSink
    from mobilesim_py.app.options import Options

__all__ = ["Level", "Log", "LogLine", "Sink", "Subscriber", "clean", "open_log", "replay"]

RING_LINES = 2000
"""Lines that the ring buffer holds."""
REPEATS_REMEMBERED = 512
"""How many different faults are counted at a time; the least recent one is forgotten."""


_COMINGS_AND_GOINGS = (
    messages.CLIENT_CONNECTED.partition("{")[0],
    messages.CLIENT_DISCONNECTED,
    messages.STARTING_SESSION,
    messages.CLOSING_CONNECTION,
)


class Sink(Protocol):
    """Somewhere for lines to go."""

    def write(self, line: LogLine) -> bool:
        """Write a line; False if it could not be written and should go elsewhere."""
        ...

    def close(self) -> None:
        """Write what is left and close."""
        ...


Subscriber = Callable[[LogLine], None]


class Log:
    """Where everything that happens is written down."""

    def __init__(
        self,
        console: Sink | None = None,
        file: FileSink | None = None,
        *,
        verbose: bool = False,
        quiet: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.verbose = verbose
        """Whether `detail` says anything."""
        self.quiet = quiet
        """--less-verbose: repeated faults are logged ten times less often."""
        self.console_muted = False
        """Set while something else (the dashboard) has the terminal."""
        self._console = console
        self._file = file
        self._clock = clock
        self._trouble_told = False
        self._ring: deque[LogLine] = deque(maxlen=RING_LINES)
        self._subscribers: list[Subscriber] = []
        self._repeats: OrderedDict[str, _Repeats] = OrderedDict()
        self._limits = LogLimits()

    def info(self, text: str, robot: str | None = None) -> None:
        """Log what happened."""
        self._emit(Level.INFO, text, robot)

    def warning(self, text: str, robot: str | None = None) -> None:
        """Log what somebody may want to look into."""
        self._emit(Level.WARNING, text, robot)

    def error(self, text: str, robot: str | None = None) -> None:
        """Log what went wrong."""
        self._emit(Level.ERROR, text, robot)

    def detail(self, text: str, robot: str | None = None) -> None:
        """Log what only --verbose wants to know."""
        if self.verbose:
            self._emit(Level.INFO, text, robot)

    def record(self, text: str, robot: str | None = None) -> None:
        """Log what an option asked to have all of, such as every packet, however much that is."""
        self._say(Level.INFO, text, robot)

    def announce(self, text: str, robot: str | None = None) -> None:
        """Log what somebody at the terminal must see, such as a path to connect to, even when a file has the log."""
        line = self._say(Level.INFO, text, robot)
        if self._file is not None and not self._file.broken:
            self._write_console(line)

    def occasionally(
        self, key: str, text: str, robot: str | None = None, level: Level = Level.WARNING, every: float = 10.0
    ) -> None:
        """Log a fault that may repeat a thousand times a second: at once, then at most once in `every` seconds.

        `key` says what counts as the same fault of that robot; the line tells how many were left out.
        """
        now = self._clock()
        key = f"{robot}\0{key}"
        repeats = self._repeats.get(key)
        if repeats is None:
            repeats = self._repeats[key] = _Repeats()
            if len(self._repeats) > REPEATS_REMEMBERED:
                self._repeats.popitem(last=False)
        self._repeats.move_to_end(key)
        # A clock that was set back must not silence a fault for the rest of the day.
        if repeats.said is not None and 0 <= now - repeats.said < every * (10.0 if self.quiet else 1.0):
            repeats.unsaid += 1
            return
        if repeats.unsaid:
            text += f" ({repeats.unsaid} more since the last message)"
        repeats.said, repeats.unsaid = now, 0
        self._emit(level, text, robot)

    def exception(self, text: str, error: BaseException, robot: str | None = None) -> None:
        """Log an error with its traceback, a line each."""
        import traceback

        self.error(text, robot)
        for chunk in traceback.format_exception(error):
            for line in chunk.rstrip("\n").split("\n"):
                self.error(line, robot)

    def recent(self, count: int = RING_LINES) -> list[LogLine]:
        """Return the last lines, oldest first."""
        return list(self._ring)[-count:] if count > 0 else []

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber` with every line from now on; the returned function ends that."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    def rotate(self, robot: str | None = None) -> bool:
        """Start a new log file and keep the old one as FILE-1; say how it went."""
        if self._file is None:
            self.warning(messages.NO_LOG_TO_ROTATE, robot)
            return False
        if not self._limits.admit_rotation(self._clock()):
            self.occasionally("rotate", messages.ROTATED_TOO_OFTEN, robot)
            return False
        self.info(messages.ROTATING_LOGS)
        if not self._file.rotate():
            self.warning(messages.LOG_REOPEN_FAILED.format(file=self._file.path), robot)
            return False
        self.info(messages.LOG_ROTATED.format(file=self._file.path), robot)
        return True

    def close(self) -> None:
        """Flush and close everything; nothing may be logged afterwards."""
        if self._limits.unsaid:
            self._say(
                Level.WARNING, f"{self._limits.unsaid} lines were left out because there were too many of a kind.", None
            )
        for sink in (self._file, self._console):
            if sink is not None:
                sink.close()

    def _emit(self, level: Level, text: str, robot: str | None) -> None:
        lifecycle = text.startswith(_COMINGS_AND_GOINGS)
        admitted = self._limits.admit(robot or "", text, self._clock(), lifecycle)
        if admitted is not None:
            self._say(level, admitted, robot)

    def _say(self, level: Level, text: str, robot: str | None) -> LogLine:
        line = LogLine(self._clock(), level, clean(robot or ""), clean(text))
        self._ring.append(line)
        self._write(line)
        for subscriber in tuple(self._subscribers):
            try:
                subscriber(line)
            except Exception as error:  # whoever looks at the log must not stop what is logged
                self._subscribers.remove(subscriber)
                self.exception("Somebody who followed the log failed and does so no more:", error)
        return line

    def _write(self, line: LogLine) -> None:
        file = self._file
        if file is None:
            self._write_console(line)
            return
        self._make_room(file, line)
        if file.write(line):
            self._trouble_told = False
            return
        if not self._trouble_told:
            self._trouble_told = True
            trouble = f'Cannot write to log file "{file.path}" ({file.trouble}). Logging to the console instead.'
            notice = LogLine(line.time, Level.ERROR, "", trouble)
            self._ring.append(notice)
            self._write_console(notice)
        self._write_console(line)

    def _write_console(self, line: LogLine) -> None:
        if self._console is not None and not self.console_muted:
            self._console.write(line)

    def _make_room(self, file: FileSink, line: LogLine) -> None:
        """Rotate a limited log file before a line that, with the notice of the rotation after it, does not fit."""
        if file.max_size <= 0 or file.is_empty or file.broken:
            return
        notice = LogLine(line.time, Level.WARNING, "", messages.LOG_FULL.format(size=file.max_size))
        if file.has_room(line, notice):
            return
        if file.has_room(notice):
            file.write(notice)
        file.rotate()


@dataclass(slots=True)
class _Repeats:
    said: float | None = None
    unsaid: int = 0


_UNSAFE = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (
        *range(0x20),
        *range(0x7F, 0xA0),
        0x2028,  # line and paragraph separators, which some viewers take for a new line
        0x2029,
        *range(0x202A, 0x202F),  # changes of writing direction can make a line read as another
        *range(0x2066, 0x206A),
        *range(0xD800, 0xE000),
    )
} | {0x09: " ", 0x0A: "\\n", 0x0D: "\\r"}


def clean(text: str) -> str:
    """Make control characters visible, so that what a client sends cannot look like a line of ours."""
    return text.translate(_UNSAFE)


def open_log(options: Options, *, restarted: bool = False) -> Log:
    """Make the log that the options ask for; UsageError if its file cannot be opened."""
    from mobilesim_py.app.log_sinks import ConsoleSink, FileSink

    file = None
    if options.log_file:
        file = FileSink(options.log_file, max_size=options.log_file_max_size, html=options.html)
        file.open()
    log = Log(
        ConsoleSink(html=options.html),
        file,
        verbose=options.verbose,
        quiet=options.less_verbose,
    )
    if restarted or options.restarted_after_crash:
        log.warning(messages.RESTARTED_AFTER_CRASH)
    return log


class PythonRecords(logging.Handler):
    """Takes what libraries say through Python's logging into our log: a line each, and no flood of tracebacks."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record, with the error but without its traceback, which only --verbose wants to see."""
        error = record.exc_info[1] if record.exc_info else None
        what = f" ({type(error).__name__}: {str(error)[:200]})" if error is not None else ""
        level = Level.ERROR if record.levelno >= logging.ERROR else Level.WARNING
        text = f"{record.name}: {record.getMessage()[:200]}{what}"
        self._log.occasionally(f"python {record.name}", text, level=level)
        if error is not None and self._log.verbose:
            self._log.exception(f"{record.name}: the traceback:", error)


def replay(log: Log, notes: Iterable[str]) -> None:
    """Log sentences that were collected before there was a log."""
    for note in notes:
        log.info(f"MobileSim: {note}")
