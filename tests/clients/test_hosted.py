"""A program that is somebody's child ends with its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PARENT = """
import sys, time
import mobilesim_py as ms
sim = ms.start(nomap=True, robots=["p3dx"], engine="numpy")
print(sim.process.pid, sim.port(), flush=True)
time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.e2e
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_when_the_parent_is_ended(number: signal.Signals) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline().split()[0])
    assert is_alive(pid)
    os.kill(parent.pid, number)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 15.0
    while is_alive(pid):
        assert time.monotonic() < deadline, "the simulator outlives the program that started it"
        time.sleep(0.05)
