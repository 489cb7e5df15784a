"""The program as somebody's child: it ends when whoever started it is gone, however that came about.

Its standard input is a pipe that the parent holds and never writes to. The system closes it when the parent ends, even by
SIGKILL; a fork of the parent may keep it open, so the parent's number is watched, too.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import select
import signal
import threading
import time

PARENT_SECONDS = 0.5
"""How often the parent's number is looked at."""
END_SECONDS = 5.0
"""How long the program may take to end by itself."""


def main() -> None:
    """Run the simulator with the words of the command line until it ends or the parent does."""
    threading.Thread(target=end_with, args=(os.dup(0), os.getppid()), name="parent", daemon=True).start()
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    runpy.run_module("mobilesim_py", run_name="__main__", alter_sys=True)


def end_with(pipe: int, parent: int) -> None:
    """Wait until the pipe is closed or the parent another; then end this process, by force if it takes long."""
    with contextlib.suppress(OSError):
        while os.getppid() == parent:
            if select.select([pipe], [], [], PARENT_SECONDS)[0] and not os.read(pipe, 4096):
                break
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
