"""One run of the simulator in its own process, and the kernel's statistics of that process."""

from __future__ import annotations

import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
PORTS = (20_000, 32_000)
"""Below the range of ephemeral ports."""
LONGEST_START = 120.0


class Server:
    """`MobileSim` with these arguments, terminated at the end of the `with` block."""

    def __init__(self, *words: str, ports: int = 1, environment: dict[str, str] | None = None) -> None:
        allow_many_files()
        self.port = free_ports(ports)
        self.last_port = self.port + ports - 1
        with tempfile.NamedTemporaryFile("w", prefix="mobilesim-bench-", suffix=".log", delete=False) as console:
            self._console = Path(console.name)
            self.began = time.monotonic()
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "mobilesim_py"),
                    *words,
                    *("--port", str(self.port), "--bind-to-address", HOST),
                    *("--no-network-discovery", "--no-gui"),
                ],
                env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
            )
        self.pid = self._process.pid

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._console.unlink(missing_ok=True)

    def wait_until_listening(self, pause: float = 0.005) -> float:
        """Wait until the last port is open; return the seconds since the process was started."""
        while not is_listening(self.last_port):
            if self._process.poll() is not None:
                raise RuntimeError(f"the simulator ended at once:\n{self.said()}")
            if time.monotonic() - self.began > LONGEST_START:
                raise RuntimeError(f"the simulator did not listen within {LONGEST_START:.0f} s:\n{self.said()}")
            time.sleep(pause)
        return time.monotonic() - self.began

    def said(self) -> str:
        """Return its console output so far."""
        return self._console.read_text(errors="replace")

    def cpu_seconds(self) -> float:
        """Return the CPU time of its threads; child processes do not count."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except FileNotFoundError:
                continue  # a thread that has just ended
        return total / 1e9

    def memory_mb(self) -> float:
        """Return the resident memory [MB]."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024.0
        return 0.0


def is_listening(port: int) -> bool:
    """Tell whether a port is open, without connecting, which would be a client."""
    wanted = f":{port:04X}"
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        columns = line.split()
        if columns[3] == "0A" and columns[1].endswith(wanted):
            return True
    return False


def free_ports(count: int) -> int:
    """Find successive free ports; return the first of them."""
    draw = random.SystemRandom()
    for _ in range(100):
        first = draw.randrange(*PORTS) if count < 100 else draw.randrange(PORTS[0], PORTS[1] - count)
        if all(_is_free(port) for port in range(first, first + count)):
            return first
    raise RuntimeError(f"there are no {count} successive free ports between {PORTS[0]} and {PORTS[1]}")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def allow_many_files() -> None:
    """Raise the limit of descriptors: a thousand clients need more than the usual 1024, here and in the simulator."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8192 if hard == resource.RLIM_INFINITY else min(8192, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
