"""Running unattended: a small parent process that starts the simulator again after a crash, and the background.

With --noninteractive the process divides before anything heavy is imported. The parent only waits: it passes signals
on, and when the child crashes (a fatal signal, an unhandled exception, the commands 253 and 255) keeps its log as
LOG-crash and divides again, with the same options. A child that crashes again at once is given up with code 236.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from . import messages
from .errors import EmulationError, ExitCode, MobileSimError
from .options import Options

AGAIN_AT_ONCE = 3.0
"""A crash within so many seconds of a restart means that restarting does not help."""
READY_TIMEOUT = 10.0
"""How long --daemonize waits for the ports to open before it leaves the background process to itself."""

CRASH_SIGNALS = frozenset(
    number
    for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGKILL", "SIGTRAP", "SIGSYS")
    if (number := getattr(signal, name, None)) is not None
)
"""Deaths that count as a crash; SIGKILL is how the system ends what used up the memory."""
PASSED_ON = frozenset(
    number
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGSEGV", "SIGABRT", "SIGBUS",
                 "SIGFPE", "SIGILL")
    if (number := getattr(signal, name, None)) is not None
)
"""Signals that somebody sends to the parent, whose number is the one they know, but means for the simulator."""

Simulate = Callable[[Options], int]

_ready_pipe = -1


def run(options: Options, argv: list[str], simulate: Simulate) -> int:
    """Run the simulator as the options ask: here, in the background, or watched over by a parent."""
    if options.daemonize:
        code = _to_background()
        if code is not None:
            return code
    can_watch = hasattr(os, "fork") and hasattr(signal, "sigwaitinfo")
    if options.noninteractive and options.crash_restart and can_watch:
        return _watch(options, argv, simulate)
    return guarded(options, simulate)


def guarded(options: Options, simulate: Simulate) -> int:
    """Run the simulator and turn whatever ends it into an exit code."""
    if options.crash_handler:
        _dump_on_fatal_signal()
    try:
        return simulate(options)
    except MobileSimError as error:
        _say(f"MobileSim: {error}")
        _write_log(options, f"Error: MobileSim: {error}")
        return int(error.exit_code)
    except KeyboardInterrupt:
        return int(ExitCode.OK)
    except Exception:
        if options.crash_handler:
            import traceback

            report = traceback.format_exc()
            _say("MobileSim: crashed. Please report this:\n" + report)
            for line in report.splitlines():
                _write_log(options, f"Error: {line}")
        return int(ExitCode.CRASH)


def notify_ready() -> None:
    """Tell whoever waits for it that clients can connect now: the shell after --daemonize, or systemd."""
    global _ready_pipe
    if _ready_pipe >= 0:
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


def _watch(options: Options, argv: list[str], simulate: Simulate) -> int:
    """Divide, wait, and divide again after a crash."""
    signals = PASSED_ON | {signal.SIGCHLD}
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    restarted = False
    while True:
        started = time.monotonic()
        parent = os.getpid()
        child = os.fork()
        if child == 0:
            _become_child(parent, unblocked)
            code = guarded(replace(options, restarted_after_crash=restarted or options.restarted_after_crash), simulate)
            _leave(code)
        status = _wait_for(child, signals)
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = 128 + number if number else os.WEXITSTATUS(status)
        if number not in CRASH_SIGNALS and code != ExitCode.CRASH:
            return code
        how = f"by signal {number} ({_signal_name(number)})" if number else f"with code {code}"
        _tell(options, f"Error: MobileSim: The simulator ended {how}.")
        if restarted and time.monotonic() - started < AGAIN_AT_ONCE:
            _tell(options, "Error: MobileSim: It crashed again at once, so it is not started again.")
            return int(ExitCode.CRASH)
        _tell(options, "Error: " + messages.RESTARTING.format(command=" ".join(["MobileSim", *argv])))
        _keep_crashed_log(options)
        restarted = True


def _become_child(parent: int, unblocked: set[int | signal.Signals]) -> None:
    """Take the signals back, and make sure to end with the parent, whatever ends it."""
    signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != parent:
            _leave(int(ExitCode.OK))


def _leave(code: int) -> None:
    """End a divided process without returning into what the parent still has to do."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue
    os._exit(code & 0xFF)


def _wait_for(child: int, signals: frozenset[signal.Signals]) -> int:
    """Pass signals on until the child has ended; its status."""
    sent_by_terminal = getattr(signal, "SI_KERNEL", 0x80)
    while True:
        arrived = signal.sigwaitinfo(signals)
        if arrived.si_signo == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended == child:
                return status
        elif arrived.si_code != sent_by_terminal:
            # What the terminal sends (Ctrl-C), it sends to the child as well.
            os.kill(child, arrived.si_signo)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _keep_crashed_log(options: Options) -> None:
    """Keep LOG as LOG-crash; older ones become LOG-crash-1 to LOG-crash-5."""
    if not options.log_file:
        return
    from .log_sinks import keep_old

    crashed = options.log_file + "-crash"
    keep_old(crashed)
    try:
        if os.path.isfile(options.log_file):
            os.replace(options.log_file, crashed)
    except OSError as error:
        _say(f"MobileSim: could not keep the log as {crashed} ({error.strerror}).")


def _to_background() -> int | None:
    """Go on as a background process and return None there; the exit code for the shell in the process that it started.

    The shell gets its prompt back when the ports are open, or the exit code when that failed.
    """
    global _ready_pipe
    if not hasattr(os, "fork"):
        raise EmulationError("--daemonize does not work on this system.")
    reader, writer = os.pipe()
    first = os.fork()
    if first:
        os.close(writer)
        return _await_ready(reader, first)
    os.close(reader)
    os.setsid()
    _ready_pipe = writer
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(null, descriptor)
    os.close(null)
    os.set_inheritable(writer, False)
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


def _dump_on_fatal_signal() -> None:
    """Have the interpreter say where it was when a fatal signal comes."""
    import faulthandler

    try:
        faulthandler.enable()
    except (OSError, ValueError, RuntimeError, AttributeError):
        return  # standard error is closed


def _say(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def _tell(options: Options, text: str) -> None:
    """Say it where the log goes."""
    if options.log_file:
        _write_log(options, text)
    else:
        _say(f"{time.ctime()} {text}")


def _write_log(options: Options, text: str) -> None:
    if not options.log_file:
        return
    try:
        with open(options.log_file, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{time.ctime()} {text}\n")
    except OSError:
        return
