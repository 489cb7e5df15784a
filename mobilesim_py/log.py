"""What everybody may say to the log, and what a line of it is; `app/logs.py` has the log itself.

Doors, services and views have something to say and must not know the application, so the words stand here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Level(Enum):
    """How bad it is; the value is the tag in the line."""

    INFO = ""
    WARNING = "Warning"
    ERROR = "Error"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line, clean of control characters."""

    time: float
    """Seconds since the epoch."""
    level: Level
    robot: str
    """Whom it is about; empty for the simulator itself."""
    text: str

    def plain(self) -> str:
        """Write it as the original does."""
        tag = f"{self.level.value}: " if self.level.value else ""
        whom = f"{self.robot}: " if self.robot else ""
        return f"{time.ctime(self.time)} {tag}{whom}{self.text}"


class Log(Protocol):
    """Where everything that happens is written down. `robot` names whom a line is about."""

    console_muted: bool
    """Set while something else (the dashboard) has the terminal."""

    def info(self, text: str, robot: str | None = None) -> None:
        """Log what happened."""

    def warning(self, text: str, robot: str | None = None) -> None:
        """Log what somebody may want to look into."""

    def error(self, text: str, robot: str | None = None) -> None:
        """Log what went wrong."""

    def detail(self, text: str, robot: str | None = None) -> None:
        """Log what only --verbose wants to know."""

    def record(self, text: str, robot: str | None = None) -> None:
        """Log what an option asked to have all of, however much that is."""

    def announce(self, text: str, robot: str | None = None) -> None:
        """Log what somebody at the terminal must see, even when a file has the log."""

    def occasionally(
        self, key: str, text: str, robot: str | None = None, level: Level = Level.WARNING, every: float = 10.0
    ) -> None:
        """Log a fault that may repeat a thousand times a second: at once, then at most once in `every` seconds."""

    def exception(self, text: str, error: BaseException, robot: str | None = None) -> None:
        """Log an error with its traceback, a line each."""

    def recent(self, count: int = ...) -> list[LogLine]:
        """Return the last lines, oldest first."""

    def subscribe(self, subscriber: Callable[[LogLine], None]) -> Callable[[], None]:
        """Call `subscriber` with every line from now on; the returned function ends that."""

    def rotate(self, robot: str | None = None) -> bool:
        """Start a new log file and keep the old one; say how it went."""
