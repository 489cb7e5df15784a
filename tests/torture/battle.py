"""A program under attack on all its wires, with a good client, and beside it the same program that nobody attacks."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.torture.attack import Attacker, Volume
from tests.torture.good import GoodClients, share
from tests.torture.subject import Subject, Vitals
from tests.torture.wires import HTTP, WIRES, Program

SETTLE_SECONDS = 6.0
"""After the attack: so long until what was open is closed."""
MOST_GROWTH_MB = 60.0
"""How much more memory the last third may need than the middle one."""


@dataclass
class Outcome:
    """How it went."""

    program: str
    seconds: float = 0.0
    volumes: dict[str, Volume] = field(default_factory=dict)
    attacked: list[float] = field(default_factory=list)
    control: list[float] = field(default_factory=list)
    """Intervals of the good clients, sorted [s]."""
    memory_mb: list[float] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    descriptors_before: int = 0
    descriptors_after: int = 0
    cpu_seconds: float = 0.0
    waited_seconds: float = 0.0
    """How long it was ready and the machine busy with others."""
    end_seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def p99_ms(self) -> tuple[float, float]:
        """Return the 99th percentile of the intervals, attacked and control."""
        return 1000.0 * share(self.attacked, 0.99), 1000.0 * share(self.control, 0.99)

    def growth_mb(self) -> float:
        """Return by how much the median memory of the last third is above that of the middle one."""
        third = len(self.memory_mb) // 3
        if third < 5:
            return 0.0
        middle, last = sorted(self.memory_mb[third : 2 * third]), sorted(self.memory_mb[2 * third :])
        return last[len(last) // 2] - middle[len(middle) // 2]


def battle(
    program: Program, folder: Path, *, seconds: float, seed: int, rate: float, tell: Callable[[str], None] = lambda text: None,
    wires: Sequence[str] = (),
) -> Outcome:  # fmt: skip
    """Attack a program for some time, at `rate` bytes a second on each wire."""
    outcome = Outcome(program.name)
    chosen = [wire for wire in WIRES if wire.program == program.name and (not wires or wire.name in wires)]
    last = HTTP if program.good == "http" else 0
    with (
        Subject(folder / f"{program.name}-attacked", *program.words, ports=program.ports) as subject,
        Subject(folder / f"{program.name}-control", *program.words, ports=program.ports) as control,
    ):
        for one in (subject, control):
            if program.good == "ciber":
                _wait_for_datagrams(one)
            else:
                one.wait_until_listening(0, last)
        before = subject.vitals()
        outcome.descriptors_before = before.descriptors
        good = GoodClients(program.good, [subject.port, control.port])
        time.sleep(0.5)
        chosen_by_system = sorted(subject.listening_ports() - set(range(subject.port, subject.port + program.ports)))
        attackers = []
        for wire in chosen:
            ports = [subject.port + port for port in wire.ports] + (chosen_by_system if wire.unnamed else [])
            attackers.append(Attacker(wire, ports, seed, rate, folder))
        began = told = time.monotonic()
        vitals: Vitals = before
        while time.monotonic() - began < seconds and subject.is_alive:
            time.sleep(min(1.0, seconds / 20))
            for attacker in attackers:
                attacker.look()
            with contextlib.suppress(OSError):  # it may end at any moment
                vitals = subject.vitals()
                outcome.memory_mb.append(vitals.memory_mb)
                outcome.descriptors.append(vitals.descriptors)
            if time.monotonic() - told >= 10.0:
                told = time.monotonic()
                sent = sum(attacker.volume.bytes for attacker in attackers)
                tell(
                    f"{program.name}: {told - began:.0f} s, {sent / 1e6:.1f} MB sent, {vitals.memory_mb:.0f} MB of memory, "
                    f"{vitals.descriptors} descriptors"
                )
        for attacker in attackers:
            attacker.stop()
            outcome.volumes[attacker.wire.name] = attacker.volume
        outcome.seconds = time.monotonic() - began
        if not subject.is_alive:
            outcome.problems.append(f"it ended with {subject.process.returncode}:\n{subject.said()}")
        (outcome.attacked, trouble), (outcome.control, _) = good.end()
        if trouble and subject.is_alive:
            outcome.problems.append(f"the good client: {trouble}")
        if subject.is_alive:
            _look_after(subject, outcome, before, program.keeps)
        control.end()
    return outcome


def _look_after(subject: Subject, outcome: Outcome, before: Vitals, keeps: int) -> None:
    """Look whether everything is given back, and whether it ends as it should."""
    deadline = time.monotonic() + SETTLE_SECONDS
    now = subject.vitals()
    while now.descriptors > before.descriptors + keeps and time.monotonic() < deadline and subject.is_alive:
        time.sleep(0.1)
        with contextlib.suppress(OSError):
            now = subject.vitals()
    if not subject.is_alive:
        outcome.problems.append(f"it ended with {subject.process.returncode} after the attack:\n{subject.said()}")
        return
    outcome.descriptors_after, outcome.cpu_seconds = now.descriptors, now.cpu_seconds - before.cpu_seconds
    outcome.waited_seconds = now.waited_seconds - before.waited_seconds
    if outcome.descriptors_after > before.descriptors + keeps:
        outcome.problems.append(f"{outcome.descriptors_after} descriptors, and {before.descriptors} before the attack")
    if (growth := outcome.growth_mb()) > MOST_GROWTH_MB:
        outcome.problems.append(f"the memory grew by {growth:.0f} MB from the middle third to the last one")
    code, outcome.end_seconds = subject.end()
    if code != 0:
        outcome.problems.append(f"asked to end, it ended with {code} after {outcome.end_seconds:.1f} s:\n{subject.said()}")
    for file in (subject.console, subject.folder / "sim.log"):
        if file.exists() and (text := _traceback_in(file.read_text(errors="replace"))):
            outcome.problems.append(f"a traceback in {file.name}:\n{text}")


def _traceback_in(text: str) -> str:
    at = text.find("Traceback")
    return text[at : at + 3000] if at >= 0 else ""


def _wait_for_datagrams(subject: Subject) -> None:
    deadline = time.monotonic() + 30.0
    wanted = f":{subject.port:04X}"
    while not any(line.split()[1].endswith(wanted) for line in Path("/proc/net/udp").read_text().splitlines()[1:]):
        assert subject.is_alive, subject.said()
        assert time.monotonic() < deadline, f"it never listened:\n{subject.said()}"
        time.sleep(0.02)
