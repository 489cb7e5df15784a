"""Exit codes and the tree of errors, each carrying the sentence that the user reads.

MobileSimError
+-- UsageError              255  wrong option or value
|   +-- ModelError          255  a robot model that does not exist
+-- TemporaryFileError      254  a temporary file could not be written
+-- MapError                253  a map file that cannot be read
+-- WorldfileError          252  a Stage worldfile or model definition that cannot be read
+-- ParameterFileError      250  an ARIA .p file that cannot be read
+-- EmulationError          249  the emulation could not be started
+-- PortError               248  a TCP port, serial line or pseudo-terminal could not be opened
+-- DirectoryError          247  --cwd cannot be entered
+-- NoAnswerError             1  a tool asked a simulator, and none answered
    +-- LostError             1  a robot was there, and is gone
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process tells the shell; the numbers are those of the original's manual, but for 1, which tools add."""

    OK = 0
    NO_ANSWER = 1
    DIFFERENT = 1
    USAGE = 255
    TEMPORARY_FILE = 254
    MAP = 253
    WORLDFILE = 252
    PARAMETER_FILE = 250
    EMULATION = 249
    PORT = 248
    DIRECTORY = 247
    CRASH = 236


EXPLANATIONS: dict[ExitCode, str] = {
    ExitCode.OK: "No error",
    ExitCode.NO_ANSWER: "No simulator answered (`mobilesim wait`, `snapshot`), or runs differ (`mobilesim rerun`, `diff`)",
    ExitCode.USAGE: "Error in command line arguments (also: unknown robot model, log file or output that cannot be written)",
    ExitCode.TEMPORARY_FILE: "Error writing a temporary file on startup",
    ExitCode.MAP: "Error loading a map file",
    ExitCode.WORLDFILE: "Error initializing the world from a Stage worldfile or model definition",
    ExitCode.PARAMETER_FILE: "Error loading a robot parameters file (.p file) to define a robot model",
    ExitCode.EMULATION: "Error initializing the Pioneer emulation",
    ExitCode.PORT: "Error opening a TCP socket for a robot or factory (also: serial line, pseudo-terminal)",
    ExitCode.DIRECTORY: "Error changing to the directory given with --cwd",
    ExitCode.CRASH: "Crashed, and the crash handler logged what is known",
}


NO_DESCRIPTORS = (
    "there is no file descriptor left, of which every robot, client and viewer takes one. "
    "Allow more with `ulimit -n`, or ask for fewer robots."
)


class MobileSimError(Exception):
    """An error whose text is written for the person at the terminal."""

    exit_code = ExitCode.EMULATION


class UsageError(MobileSimError):
    """A wrong option or value."""

    exit_code = ExitCode.USAGE


class ModelError(UsageError):
    """A robot model that does not exist."""


class TemporaryFileError(MobileSimError):
    """A temporary file could not be written."""

    exit_code = ExitCode.TEMPORARY_FILE


class FileError(MobileSimError):
    """Something wrong in a file, with the place: `FILE:LINE: what was wrong, what to do`."""

    def __init__(self, message: str, path: str = "", line: int = 0) -> None:
        place = f"{path}:{line}: " if path and line else f"{path}: " if path else ""
        super().__init__(place + message)
        self.message = message
        self.path = path
        self.line = line


class MapError(FileError):
    """A map file that cannot be read."""

    exit_code = ExitCode.MAP


class WorldfileError(FileError):
    """A Stage worldfile or model definition that cannot be read."""

    exit_code = ExitCode.WORLDFILE


class ParameterFileError(FileError):
    """An ARIA .p file that cannot be read."""

    exit_code = ExitCode.PARAMETER_FILE


class EmulationError(MobileSimError):
    """The emulation could not be started."""


class PortError(MobileSimError):
    """A TCP port, serial line or pseudo-terminal could not be opened."""

    exit_code = ExitCode.PORT


class DirectoryError(MobileSimError):
    """The directory of --cwd cannot be entered."""

    exit_code = ExitCode.DIRECTORY


class NoAnswerError(MobileSimError):
    """A tool asked a simulator, and none answered."""

    exit_code = ExitCode.NO_ANSWER


class LostError(NoAnswerError):
    """A robot was connected, and is gone."""
