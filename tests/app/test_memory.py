"""Memory that a thread has freed serves the others, and goes back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the GNU C library's settings")

MEASURE = """
import os, threading
from mobilesim_py.app.memory import give_back, share_between_threads
def rss():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
def use():
    kept = [b"x" * 60_000 for _ in range(2000)]  # 120 MB in pieces that malloc keeps in its arena
    last.extend(kept[::100])  # scattered, so that nothing can be given back by itself
last = []
{share}
worker = threading.Thread(target=use); worker.start(); worker.join()
before = rss()
{after}
print(rss() - before)
"""


def grown(share: str, after: str) -> float:
    script = MEASURE.format(share=share, after=after)
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)


def test_what_a_thread_has_freed_goes_back_to_the_system() -> None:
    assert grown("", "give_back()") < -60.0


def test_what_a_thread_has_freed_serves_the_main_one() -> None:
    again = 'again = [b"x" * 60_000 for _ in range(2000)]'
    assert grown("share_between_threads()", again) < 0.5 * grown("", again)
