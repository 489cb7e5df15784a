"""The simulator under attack: a real process with limits, and what the kernel knows of it."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.e2e.conftest import CACHE, HOST, MOBILESIM, free_ports, is_listening

LONGEST_START = 60.0
LONGEST_END = 5.0
"""What it may take on a machine that is busy with the attack; it promises two seconds on a quiet one."""
PLACE = re.compile(r"PORT(?:\+(\d+))?")
TOOLS = ("ciber",)
SAFE = ("--bind-to-address", HOST, "--no-network-discovery")


@dataclass(frozen=True, slots=True)
class Vitals:
    """What the kernel knows of a process at one moment."""

    memory_mb: float
    descriptors: int
    threads: int
    cpu_seconds: float
    waited_seconds: float
    """How long its main thread was ready and had no processor, because the machine was busy with others."""


class Subject:
    """`MobileSim` with these words; killed at the end.

    PORT+n in a word stands for the n-th of `ports` free ports, PORT for the first. If the first word is the name of a
    tool, that is run instead.
    """

    def __init__(
        self,
        folder: Path,
        *words: str,
        ports: int = 1,
        environment: Mapping[str, str] | None = None,
        limits: Mapping[int, int] | None = None,
    ) -> None:
        self.port = free_ports(ports)
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.console = folder / f"console-{self.port}"
        wanted = dict(limits or {})

        def limit() -> None:
            for number, value in wanted.items():
                resource.setrlimit(number, (value, value))

        with self.console.open("wb") as output:
            self.process = subprocess.Popen(
                self._command(words),
                cwd=folder,
                env={**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": CACHE, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=limit if wanted else None,
            )

    def _command(self, words: Sequence[str]) -> list[str]:
        chosen = [PLACE.sub(lambda found: str(self.port + int(found[1] or 0)), word) for word in words]
        if words[:1] and words[0] in TOOLS:
            return [str(MOBILESIM.with_name("mobilesim")), *chosen]
        return [str(MOBILESIM), *chosen, *SAFE]

    def __enter__(self) -> Subject:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    def wait_until_listening(self, *ports: int) -> Subject:
        """Wait until ports, by their distance from the first one, are open."""
        deadline = time.monotonic() + LONGEST_START
        for port in ports or (0,):
            while not is_listening(self.port + port):
                assert self.is_alive, f"it ended with {self.process.returncode}:\n{self.said()}"
                assert time.monotonic() < deadline, f"it never listened:\n{self.said()}"
                time.sleep(0.01)
        return self

    def said(self, most: int = 4000) -> str:
        """Return the end of its console output."""
        with self.console.open("rb") as file:
            file.seek(max(0, self.console.stat().st_size - most))
            return file.read().decode(errors="replace")

    def descriptors(self) -> int:
        """Return how many descriptors it has open, but for ports that listen: those belong to robots that were added."""
        listening, place, count = listening_sockets(), f"/proc/{self.process.pid}/fd", 0
        for name in os.listdir(place):
            with contextlib.suppress(OSError):
                count += os.readlink(f"{place}/{name}") not in listening
        return count

    def listening_ports(self) -> set[int]:
        """Return all TCP ports on which it listens."""
        listening, place, found = listening_sockets(), f"/proc/{self.process.pid}/fd", set()
        for name in os.listdir(place):
            with contextlib.suppress(OSError, KeyError):
                found.add(listening[os.readlink(f"{place}/{name}")])
        return found

    def vitals(self) -> Vitals:
        """Return memory, descriptors, threads and processor time."""
        place = Path(f"/proc/{self.process.pid}")
        facts = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
        fields = (place / "stat").read_text().rpartition(")")[2].split()
        return Vitals(
            int(facts.get("VmRSS", "0").split()[0]) / 1024.0,  # a process that has just ended has none
            self.descriptors(),
            int(facts["Threads"]),
            (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
            int((place / "schedstat").read_text().split()[1]) / 1e9,
        )

    def end(self, seconds: float = LONGEST_END) -> tuple[int | None, float]:
        """Ask it to end; the exit code, or None if it did not, and how long that took [s]."""
        began = time.monotonic()
        if self.is_alive:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds), time.monotonic() - began
        except subprocess.TimeoutExpired:
            return None, time.monotonic() - began


def listening_sockets() -> dict[str, int]:
    """Return what the links of descriptors say that are sockets which listen for TCP, and the ports of those sockets."""
    found = {}
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(OSError):
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]]
            found |= {f"socket:[{row[9]}]": int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A"}
    return found


def robots(count: int, model: str = "p3dx") -> Sequence[str]:
    """Return the words for so many robots."""
    return [word for number in range(count) for word in ("-r", f"{model}:r{number}")]
