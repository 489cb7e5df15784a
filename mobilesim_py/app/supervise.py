"""Running unattended: starting again after a crash, and going to the background.

A crash is a fatal signal, an unhandled exception, or the commands 253 and 255. The crash handler writes down where the
program was. With --noninteractive it then keeps the log as LOG-crash and the process becomes a fresh simulator with
the same options: same process number, same parent, so that shells, containers and service managers notice nothing.
Without, or when it crashes again at once, the exit code is 236. With --disable-crash-handler a crash is what it is to
any program: a fatal signal ends the process, and so do the commands 253 and 255, with SIGABRT.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from mobilesim_py import messages
from mobilesim_py.app.options import Options
from mobilesim_py.errors import NO_DESCRIPTORS, EmulationError, ExitCode, MobileSimError, PortError

AGAIN_AT_ONCE = 3.0
"""A crash within so many seconds of a restart means that restarting does not help."""
READY_TIMEOUT = 10.0
"""How long --daemonize waits for the ports to open before it leaves the background process to itself."""
HANDLER_SECONDS = 5
"""How long the crash handler may take; a program that is broken enough may block in it."""
RESTARTED = "--restarting-after-crash"

CRASH_SIGNALS = tuple(
    number
    for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")
    if (number := getattr(signal, name, None)) is not None
)

END_SIGNALS = tuple(
    number for name in ("SIGTERM", "SIGINT", "SIGHUP") if (number := getattr(signal, name, None)) is not None
)
END_SECONDS = 1.5
"""How long the end of the program may take after a signal, before the process ends without waiting for it."""
MOVIE_SECONDS = 30.0
"""The same while a movie is recorded, whose end must be written lest all of it is lost."""

Simulate = Callable[[Options], int]

_ready_pipe = -1
_is_ready = False
"""Whether clients could connect already."""
_owns_process = False
"""Whether the process is ours alone, so that its signals and its end are, too; not in tests and other people's programs."""
_end_is_near = False
_told_of_end: Callable[[int], object] | None = None
"""Who is told of a signal that ends the program, beside the event loop."""
_keep_alive: list[Any] = []
"""Objects that C code points at, kept from the garbage collector."""


def run(options: Options, argv: list[str], simulate: Simulate) -> int:
    """Run the simulator as the options ask; `argv` is what it is started with after a crash."""
    crash = Crash(options, argv)
    if options.daemonize and not options.restarted_after_crash:
        code = _to_background()
        if code is not None:
            return code
    if options.crash_handler:
        crash.catch_signals()
    try:
        code = _simulate(simulate, options)
    except MobileSimError as error:
        _say(f"MobileSim: {error}")
        crash.write_log(f"Error: MobileSim: {error}")
        return int(error.exit_code)
    except KeyboardInterrupt:
        return int(ExitCode.OK)
    except Exception:
        if not options.crash_handler:
            raise
        import traceback

        crash.tell("Error: MobileSim: Crashed by an unhandled exception:")
        for line in traceback.format_exc().splitlines():
            crash.tell(f"Error: {line}")
        return crash.restart_or_give_up()
    if code == ExitCode.CRASH:
        return crash.restart_or_give_up() if options.crash_handler else _abort()
    return code


def own_process() -> None:
    """Take the signals that end a program from its first moment on: until it runs there is nothing to clean up."""
    global _owns_process
    _owns_process = True
    for number in END_SIGNALS:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, lambda *_: os._exit(int(ExitCode.OK)))


def watch_end_signals(seconds: float = END_SECONDS) -> None:
    """Count the time to the end from the signal itself; the event loop, which is told as well, may be busy."""

    def end(number: int, _: object) -> None:
        if _told_of_end is not None:
            _told_of_end(number)
        end_soon(seconds)

    for number in END_SIGNALS if _owns_process else ():
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, end)


def tell_end_signals(told: Callable[[int], object]) -> None:
    """Tell a function of signals that end the program, where the event loop cannot listen to them itself."""
    global _told_of_end
    _told_of_end = told


def ignore_end_signals() -> None:
    """Let the end that is under way not be disturbed by a signal more."""
    for number in END_SIGNALS if _owns_process else ():
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)


def end_soon(seconds: float = END_SECONDS) -> None:
    """End the process in a moment, whatever it is busy with; a clean end is quicker and comes first."""
    global _end_is_near
    if not _owns_process or _end_is_near:
        return
    _end_is_near = True

    def end() -> None:
        time.sleep(seconds)
        os._exit(int(ExitCode.OK))

    threading.Thread(target=end, name="end", daemon=True).start()


def leave_threads(code: int) -> None:
    """End the process here if a thread is still at work: the interpreter's own end may tear it from foreign code."""
    if not _owns_process or threading.active_count() == 1:
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _simulate(simulate: Simulate, options: Options) -> int:
    """Run the simulator; that there was no descriptor for something it cannot do without is no crash.

    Nor is a start that the system, or too little memory, prevents. Later both are: a fresh simulator may fare better.
    """
    try:
        return simulate(options)
    except (OSError, MemoryError, ImportError, SystemError) as error:
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            raise PortError(f"Could not go on: {NO_DESCRIPTORS}") from None
        if _is_ready:
            raise
        if _tells_of_memory(error):
            raise EmulationError("There is not enough memory to start; see `ulimit -v` and what else runs here.") from None
        if not isinstance(error, OSError):
            raise
        raise EmulationError(f"Could not start: {error}.") from None  # which names the file, if it is about one


def _tells_of_memory(error: BaseException) -> bool:
    """Tell whether an error means that there was no memory; libraries that cannot be loaded say so in their own words."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    causes = (error, error.__cause__, error.__context__)
    words = ("failed to map segment", "cannot allocate memory", "cannot apply additional memory protection")
    return any(isinstance(cause, MemoryError) or word in str(cause).lower() for cause in causes if cause for word in words)


def notify_ready() -> None:
    """Tell whoever waits for it that clients can connect now: the shell after --daemonize, or systemd."""
    global _ready_pipe, _is_ready
    _is_ready = True
    if _ready_pipe >= 0:
        with contextlib.suppress(OSError):  # the shell may not have waited
            os.write(_ready_pipe, b"+")
        os.close(_ready_pipe)
        _ready_pipe = -1
        # From now on nobody reads; a script that waits for the end of our output must not wait for ever.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)
    address = os.environ.get("NOTIFY_SOCKET")
    if address:
        import socket

        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            try:
                systemd.connect("\0" + address[1:] if address.startswith("@") else address)
                systemd.send(b"READY=1")
            except OSError as error:
                _say(f"MobileSim: could not tell systemd that it is ready ({error}).")


class Crash:
    """What to do when the simulator crashes; everything it needs is found out before."""

    def __init__(self, options: Options, argv: list[str]) -> None:
        self.restarts = options.crash_restart and options.crash_handler
        self.was_restarted = options.restarted_after_crash
        self.started = time.monotonic()
        self.directory = os.getcwd()
        self.log_file = os.path.abspath(options.log_file) if options.log_file else ""
        self.command = _command(argv)

    def catch_signals(self) -> None:
        """Have fatal signals end in `_on_signal`.

        Python's own handlers run between two instructions of Python, and a fault in compiled code never gets there;
        so this is a C handler. It runs Python where nothing may be relied upon, when the alternative is to die anyway.
        A fault of our own comes while this thread runs; a signal from outside may come while the thread waits for the
        interpreter's lock, where the handler can block. Only that case is not certain to end in a restart.
        """
        try:
            import ctypes
            import faulthandler  # noqa: F401  (nothing should be imported for the first time in the handler)

            libc = ctypes.CDLL(None)
            handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(self._on_signal)
            libc.signal.restype = ctypes.c_void_p
            libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
            _keep_alive.append(handler)
            if hasattr(signal, "pthread_sigmask"):
                # A process that restarts from within the handler inherits that the signal is blocked.
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {*CRASH_SIGNALS, signal.SIGALRM})
            for number in CRASH_SIGNALS:
                libc.signal(number, ctypes.cast(handler, ctypes.c_void_p))
        except (ImportError, OSError, AttributeError, TypeError):
            return  # without a C library a crash just ends the process

    def _on_signal(self, number: int) -> None:
        # Whatever goes wrong here, it must not return: a fault would only be met again, and again.
        code = int(ExitCode.CRASH)
        try:
            if hasattr(signal, "alarm"):
                if threading.current_thread() is threading.main_thread():  # Python allows it nowhere else
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(HANDLER_SECONDS)
            self.tell(f"Error: MobileSim: Crashed by signal {number} ({_signal_name(number)}).")
            self._dump_traceback()
            code = self.restart_or_give_up()
        finally:
            os._exit(code)

    def restart_or_give_up(self) -> int:
        """Become a fresh simulator, or return the exit code of a crash."""
        if not self.restarts:
            return int(ExitCode.CRASH)
        if self.was_restarted and time.monotonic() - self.started < AGAIN_AT_ONCE:
            self.tell("Error: MobileSim: It crashed again at once, so it is not started again.")
            return int(ExitCode.CRASH)
        self.tell("Error: " + messages.RESTARTING.format(command=" ".join(self.command)))
        self._keep_log()
        return self._become_fresh()

    def tell(self, text: str) -> None:
        """Say it where the log goes."""
        if not self.write_log(text):
            _say(f"{time.ctime()} {text}")

    def write_log(self, text: str) -> bool:
        """Append to the log file, if there is one."""
        if not self.log_file:
            return False
        try:
            with open(self.log_file, "a", encoding="utf-8", errors="backslashreplace", opener=_without_waiting) as file:
                file.write(f"{time.ctime()} {text}\n")
        except OSError:
            return False
        return True

    def _dump_traceback(self) -> None:
        import faulthandler

        try:
            if self.log_file:
                with open(self.log_file, "a", encoding="utf-8", opener=_without_waiting) as file:
                    faulthandler.dump_traceback(file)
            else:
                faulthandler.dump_traceback()
        except (OSError, ValueError, RuntimeError, AttributeError):
            return

    def _keep_log(self) -> None:
        """Keep LOG as LOG-crash; older ones become LOG-crash-1 to LOG-crash-5."""
        if not self.log_file or not os.path.isfile(self.log_file):
            return
        from mobilesim_py.app.log_sinks import keep_old

        keep_old(self.log_file + "-crash")
        try:
            os.replace(self.log_file, self.log_file + "-crash")
        except OSError as error:
            _say(f"MobileSim: could not keep the log as {self.log_file}-crash ({error.strerror}).")

    def _become_fresh(self) -> NoReturn:
        _flush_streams()
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        try:
            os.chdir(self.directory)  # file names on the command line are relative to where it was given
            os.execv(self.command[0], self.command)
        except OSError as error:
            self.tell(f"Error: MobileSim: Could not start again ({error}).")
            os._exit(int(ExitCode.CRASH))


def _command(argv: list[str]) -> list[str]:
    """Return the command that starts this program again with a note that it crashed, with the interpreter's flags."""
    original = sys.orig_argv[1:]
    if argv and original[-len(argv) :] == argv:
        program = original[: -len(argv)]
    else:
        program = original if not argv else ["-m", "mobilesim_py"]
    return [sys.executable, *program, RESTARTED, *(word for word in argv if word != RESTARTED)]


def _to_background() -> int | None:
    """Go on as a background process and return None there; return the exit code for the shell in the first process.

    The shell gets its prompt back when the ports are open, or the exit code when that failed.
    """
    global _ready_pipe
    if not hasattr(os, "fork"):
        raise EmulationError("--daemonize does not work on this system.")
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return _await_ready(reader, child)
    os.close(reader)
    os.setsid()
    _ready_pipe = writer
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(null, descriptor)
    os.close(null)
    return None


def _await_ready(reader: int, child: int) -> int:
    import select

    ready, _, _ = select.select([reader], [], [], READY_TIMEOUT)
    answer = os.read(reader, 1) if ready else b"+"
    os.close(reader)
    if answer:
        _say(f"MobileSim: running in the background as process {child}.")
        return int(ExitCode.OK)
    # The pipe closed without a word: the process ended before its ports were open.
    _, status = os.waitpid(child, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else int(ExitCode.CRASH)


def _abort() -> NoReturn:
    _flush_streams()
    os.abort()


def _flush_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        # A signal that came while this very stream was being written makes the flush a RuntimeError (a reentrant call).
        with contextlib.suppress(OSError, ValueError, AttributeError, RuntimeError):
            stream.flush()


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a FIFO without a reader is an error instead of a wait without end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o644)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _say(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except RuntimeError:  # the crash came in the middle of a line to this stream: bypass its buffer
        with contextlib.suppress(OSError):
            os.write(2, f"{text}\n".encode(errors="backslashreplace"))
    except (OSError, ValueError):
        return
