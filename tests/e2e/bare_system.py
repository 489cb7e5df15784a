"""Run the program as on a system without what only POSIX has: modules, calls, signals, and an event loop that watches files.

    python tests/e2e/bare_system.py -m office.map -r p3dx

What is taken away is what Python's documentation says Windows lacks. It is not Windows: paths, sockets and processes are ours.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any

MODULES = ("fcntl", "termios", "tty", "pty", "resource", "pwd", "grp", "syslog")
OF_OS = (
    *("fork", "openpty", "getuid", "geteuid", "getgid", "killpg", "setsid", "getpgid", "sched_setscheduler"),
    *("sched_getaffinity", "nice", "ttyname", "getloadavg", "mkfifo"),
)
OF_SIGNAL = ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGBUS", "SIGKILL", "SIGALRM", "pthread_sigmask", "setitimer", "alarm")


class FilelessLoop(asyncio.SelectorEventLoop):
    """The usual event loop, which on Windows watches nothing."""

    def add_reader(self, *_: Any) -> None:
        """Refuse as Windows' usual loop does."""
        raise NotImplementedError

    remove_reader = add_writer = remove_writer = add_reader  # type: ignore[assignment]


class Policy(asyncio.DefaultEventLoopPolicy):
    """Make such loops, unless somebody asks for another kind."""

    _loop_factory = FilelessLoop


def _refuse(*_: Any) -> None:
    raise NotImplementedError


def take_away() -> None:
    """Take everything away from this process."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    asyncio.SelectorEventLoop.add_signal_handler = _refuse  # type: ignore[method-assign]
    asyncio.SelectorEventLoop.remove_signal_handler = _refuse  # type: ignore[method-assign,assignment]
    asyncio.set_event_loop_policy(Policy())


if __name__ == "__main__":
    take_away()
    from mobilesim_py.__main__ import main

    sys.exit(main())
