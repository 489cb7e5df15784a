"""What the torture found, as a page of Markdown: volumes, latencies against the control, memory, descriptors, problems."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.torture.battle import Outcome
from tests.torture.files import Readings
from tests.torture.good import share
from tests.torture.soak import Sample, growth


@dataclass
class Findings:
    """Everything of one run."""

    seed: int
    outcomes: list[Outcome] = field(default_factory=list)
    readings: Readings = field(default_factory=Readings)
    suffered: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    """Calls of the system that were made to fail, one in each run."""
    samples: list[Sample] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def volumes(self) -> tuple[int, int, int, int]:
        """Return bytes sent, connections, messages, and connections refused."""
        found = [volume for outcome in self.outcomes for volume in outcome.volumes.values()]
        return (
            sum(volume.bytes for volume in found),
            sum(volume.connections for volume in found),
            sum(volume.messages for volume in found),
            sum(volume.refused for volume in found),
        )

    def latencies(self, program: str) -> tuple[list[float], list[float]]:
        """Return the intervals of the good clients of a program, attacked and control, sorted [s]."""
        outcomes = [outcome for outcome in self.outcomes if outcome.program == program]
        return (
            sorted(gap for outcome in outcomes for gap in outcome.attacked),
            sorted(gap for outcome in outcomes for gap in outcome.control),
        )


def machine() -> str:
    """Describe the machine."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores of {model}, Python {platform.python_version()}, load {load:.1f} at the end"


def page(findings: Findings, seconds: float) -> str:
    """Return the report."""
    sent, connections, messages, refused = findings.volumes()
    readings = findings.readings
    parts = [
        f"# Torture with seed {findings.seed}, {seconds / 60.0:.1f} minutes",
        f"{machine()}",
        f"- {sent:,} bytes in {messages:,} messages on {connections:,} connections ({refused:,} more were refused)",
        f"- {sum(readings.count.values()):,} files with {readings.bytes:,} bytes: {readings.accepted:,} read, "
        f"{readings.refused:,} refused, {sum(readings.unexpected.values())} refused with a poor sentence",
        f"- {sum(findings.suffered.values())} hardships, {findings.faults} failed calls of the system",
        f"- {len(findings.problems)} problems",
        _outcomes(findings),
        _wires(findings),
    ]
    if findings.samples:
        last, (memory, descriptors) = findings.samples[-1], growth(findings.samples)
        parts.append(
            f"Soak: {last.simulated / 3600.0:.2f} simulated hours in {last.real / 60.0:.0f} minutes, {last.memory_mb:.0f} MB and "
            f"{last.descriptors} descriptors at the end, {memory:+.1f} MB and {descriptors:+d} from the middle third to the last"
        )
    parts += [f"- {count} x {name}" for name, count in sorted(findings.suffered.items())]
    parts += [f"- poor sentence {count} x {what}" for what, count in readings.unexpected.most_common()]
    parts += [f"## Problem {number}\n\n```\n{text}\n```" for number, text in enumerate(findings.problems, start=1)]
    return "\n\n".join(parts) + "\n"


def _outcomes(findings: Findings) -> str:
    rows = [
        "| program | p50 | p99 | p99 of control | longest | of control | memory [MB] | descriptors before, most, after "
        "| processor used, waited for |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for program in dict.fromkeys(outcome.program for outcome in findings.outcomes):
        outcomes = [outcome for outcome in findings.outcomes if outcome.program == program]
        attacked, control = findings.latencies(program)
        memory = [megabytes for outcome in outcomes for megabytes in outcome.memory_mb]
        last = outcomes[-1]
        rows.append(
            f"| {program} | {_ms(attacked, 0.5)} | {_ms(attacked, 0.99)} | {_ms(control, 0.99)} | {_ms(attacked, 1.0)} | "
            f"{_ms(control, 1.0)} | {min(memory, default=0):.0f} to {max(memory, default=0):.0f} | {last.descriptors_before}, "
            f"{max((most for outcome in outcomes for most in outcome.descriptors), default=0)}, {last.descriptors_after} | "
            f"{sum(outcome.cpu_seconds for outcome in outcomes):.0f} s, "
            f"{sum(outcome.waited_seconds for outcome in outcomes):.0f} s |"
        )
    return "\n".join(rows)


def _ms(ordered: list[float], fraction: float) -> str:
    return f"{1000.0 * share(ordered, fraction):.0f} ms"


def _wires(findings: Findings) -> str:
    rows = ["| wire | bytes | connections | messages | answers [bytes] |", "|---|---|---|---|---|"]
    for name in _names(findings.outcomes):
        found = [outcome.volumes[name] for outcome in findings.outcomes if name in outcome.volumes]
        rows.append(
            f"| {name} | {sum(v.bytes for v in found):,} | {sum(v.connections for v in found):,} | "
            f"{sum(v.messages for v in found):,} | {sum(v.received for v in found):,} |"
        )
    return "\n".join(rows)


def _names(outcomes: Iterable[Outcome]) -> list[str]:
    return list(dict.fromkeys(name for outcome in outcomes for name in outcome.volumes))
