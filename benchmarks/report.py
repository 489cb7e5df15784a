"""The figures as text, as JSON and as a section of the docs."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.figures import BY_KEY, ENGINES, ROWS, Figures, Part, RayRate, Row
from benchmarks.workshop import Workshop

RESULTS = Path(__file__).resolve().parent / "results"
LATEST, PREVIOUS = "latest.json", "previous.json"
DOCS = Path(__file__).resolve().parent.parent / "docs" / "speed.md"
QUIET = 0.1
"""Fraction of the machine that other processes may use without distorting the figures."""
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def machine() -> str:
    """Describe the kind of machine: cores, processor family, system and versions; never its name."""
    family = platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                family = f"{line.partition(':')[2].strip()} ({platform.machine()})"
                break
    except OSError:
        pass
    versions = [f"Python {platform.python_version()}"]
    for name in ("numpy", "numba"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return f"{os.cpu_count()} cores of an {family}, {platform.system()}, {', '.join(versions)}"


def summary(shop: Workshop, busy: float) -> dict[str, Any]:
    """Return all results, for JSON."""
    return {
        "when": time.strftime("%Y-%m-%d %H:%M"),
        "machine": machine(),
        "busy_before": round(busy, 2),
        "figures": shop.figures,
        "rays": [asdict(rate) for rate in shop.rays],
        "parts": [asdict(part) for part in shop.parts],
        "notes": shop.notes,
    }


def load(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """Read a saved summary, or return an empty one."""
    try:
        found: dict[str, Any] = json.loads((folder / name).read_text())
    except (OSError, ValueError):
        return {"figures": {}, "rays": [], "parts": [], "notes": []}
    return found


def keep(new: dict[str, Any], folder: Path = RESULTS) -> dict[str, Any]:
    """Save a summary as the latest; figures that it did not measure keep their last values. Return the merged one."""
    folder.mkdir(parents=True, exist_ok=True)
    old = load(LATEST, folder)
    (folder / PREVIOUS).write_text(json.dumps(old, indent=1))
    figures: Figures = {key: dict(values) for key, values in old["figures"].items()}
    for key, values in new["figures"].items():
        figures.setdefault(key, {}).update(values)
    whole = {**old, **new, "figures": figures}
    for key in ("rays", "parts", "notes"):
        whole[key] = new[key] or old.get(key, [])
    (folder / LATEST).write_text(json.dumps(whole, indent=1))
    return whole


def table(figures: Figures, before: Figures, rows: Iterable[Row] = ROWS) -> str:
    """Return the figures beside the original's, the targets and those of the previous run."""
    heading = ["", "", "original"]
    for engine in ENGINES:
        heading += [engine, "", "target", "before"]
    lines = [heading]
    for row in rows:
        values = figures.get(row.key, {})
        if not values:
            continue
        line = [row.text, row.unit, row.original]
        for engine in ENGINES:
            value = values.get(engine)
            mark = "" if value is None else {True: "", False: "!", None: ""}[row.reached(engine, value)]
            target = row.shown(row.targets.get(engine)) if value is not None else ""
            line += [row.shown(value), mark, target, row.shown(before.get(row.key, {}).get(engine))]
        lines.append(line)
    return _aligned(lines)


def rays_table(rates: Sequence[RayRate], before: Sequence[RayRate]) -> str:
    """Return rays per second beside those of the previous run."""
    known = {(rate.engine, rate.ground, rate.robots): rate for rate in before}
    lines = [["engine", "map", "robots", "million rays/s", "before", "off by at most"]]
    for rate in rates:
        old = known.get((rate.engine, rate.ground, rate.robots))
        now, then = f"{rate.rays_per_second / 1e6:.2f}", f"{old.rays_per_second / 1e6:.2f}" if old else ""
        lines.append([rate.engine, rate.ground, str(rate.robots), now, then, f"{rate.worst_error:.1e} m"])
    return _aligned(lines)


def parts_table(parts: Sequence[Part]) -> str:
    """Return the parts of a tick, in microseconds per robot."""
    robots = parts[0].robots if parts else 0
    names = list(dict.fromkeys(part.name for part in parts))
    found = {(part.engine, part.name): part.microseconds_per_robot for part in parts}
    engines = [engine for engine in ENGINES if any(part.engine == engine for part in parts)]
    lines = [[f"µs per robot and tick, {robots} robots with laser", *engines]]
    for name in names:
        lines.append([name, *(f"{found.get((engine, name), 0.0):.1f}" for engine in engines)])
    sums = (sum(part.microseconds_per_robot for part in parts if part.engine == engine) for engine in engines)
    lines.append(["all", *(f"{total:.1f}" for total in sums)])
    return _aligned(lines)


def text(whole: dict[str, Any], before: dict[str, Any], keys: Iterable[str] | None = None) -> str:
    """Return the report for the terminal; with `keys` only these rows."""
    rows = ROWS if keys is None else tuple(BY_KEY[key] for key in BY_KEY if key in set(keys))
    pieces = [whole.get("machine", ""), table(whole["figures"], before["figures"], rows)]
    if whole["rays"]:
        pieces.append(rays_table(_rates(whole), _rates(before)))
    if whole["parts"]:
        pieces.append(parts_table([Part(**part) for part in whole["parts"]]))
    pieces += whole["notes"]
    missed = misses(whole["figures"], rows)
    pieces.append("\n".join(["Not reached (!):", *missed]) if missed else "Every target is reached.")
    pieces += busy_warning(whole)
    return "\n\n".join(pieces)


def busy_warning(whole: dict[str, Any]) -> list[str]:
    """Return a warning for figures that other processes distorted."""
    busy = whole.get("busy_before", 0.0)
    if busy <= QUIET:
        return []
    return [f"Others used {busy:.0%} of the machine just before this run: its figures may be too bad."]


def misses(figures: Figures, rows: Iterable[Row] = ROWS) -> list[str]:
    """Return a line for each figure that misses its target, and by how much."""
    lines = []
    for row in rows:
        for engine, value in figures.get(row.key, {}).items():
            if row.reached(engine, value) is False:
                lines.append(
                    f"- {row.text} ({engine}): {row.shown(value)} {row.unit}".rstrip()
                    + f" for {row.shown(row.targets[engine])}, a factor of {row.distance(engine, value):.2f} away"
                )
    return lines


def write_docs(whole: dict[str, Any], path: Path = DOCS) -> None:
    """Write the figures into the page between its markers."""
    page = path.read_text()
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path.name} has no place for figures: it needs the lines {BEGIN} and {END}")
    path.write_text(f"{head}{BEGIN}\n{markdown(whole)}\n{END}{tail}")


def markdown(whole: dict[str, Any]) -> str:
    """Return the figures as Markdown tables."""
    measured = f"Measured {whole.get('when', '')[:10]} on {whole.get('machine', '')}."
    lines = [" ".join([measured, *busy_warning(whole)]), ""]
    lines += ["| | | original | compiled | target | NumPy | target |", "|---|---|--:|--:|--:|--:|--:|"]
    for row in ROWS:
        values = whole["figures"].get(row.key, {})
        if not values:
            continue
        cells = [row.text, row.unit, row.original]
        for engine in ENGINES:
            value = values.get(engine)
            bold = "" if value is None or row.reached(engine, value) is not False else "**"
            cells += [f"{bold}{row.shown(value)}{bold}", row.shown(row.targets.get(engine)) if value is not None else ""]
        lines.append(f"| {' | '.join(cells)} |")
    missed = misses(whole["figures"])
    lines += ["", "Not reached (bold):" if missed else "Every target is reached.", *([""] if missed else []), *missed, ""]
    if whole["rays"]:
        lines += ["| engine | map | robots | million rays per second | off by at most |", "|---|---|--:|--:|--:|"]
        for rate in _rates(whole):
            lines.append(
                f"| {rate.engine} | {rate.ground} | {rate.robots} | {rate.rays_per_second / 1e6:.2f} "
                f"| {rate.worst_error:.0e} m |"
            )
        lines.append("")
    if whole["parts"]:
        rows = parts_table([Part(**part) for part in whole["parts"]]).splitlines()
        lines += ["```", *rows, "```", ""]
    return "\n".join([*lines, *(f"- {note}" for note in whole["notes"])])


def _rates(whole: dict[str, Any]) -> list[RayRate]:
    return [RayRate(**rate) for rate in whole["rays"]]


def _aligned(lines: list[list[str]]) -> str:
    """Return cells in columns: the first left-aligned, all others right-aligned."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    texts = []
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        cells[0] = line[0].ljust(widths[0])
        texts.append("  ".join(cells).rstrip())
    return "\n".join(texts)
