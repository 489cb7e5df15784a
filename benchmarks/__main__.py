"""`python -m benchmarks [NAME ...]`: measure everything, or what is named, and print it beside the previous run."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import ciber, crowds, garden, inside, learning, moments, navigation, oz, parts, raycast, report, ros
from benchmarks.figures import ENGINES
from benchmarks.workshop import TINY, Sizes, Workshop

BENCHMARKS: dict[str, Callable[[Workshop], None]] = {
    "raycast": raycast.raycast,
    "inside": inside.inside,
    "start": moments.start,
    "map": moments.map_load,
    "cpu": crowds.cost,
    "bare": crowds.bare,
    "memory": crowds.memory,
    "profile": parts.profile,
    "laser-off": crowds.laser_off,
    "reply": moments.reply,
    "crowd": crowds.crowd,
    "growth": crowds.growth,
    "held": crowds.held,
    "flat": crowds.flat,
    "first": moments.first_start,
    "ciber": ciber.contest,
    "ros": ros.ros,
    "navigation": navigation.navigation,
    "garden": garden.garden,
    "learning": learning.learning,
    "oz": oz.oz,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run benchmarks; return 0 even if a target is missed, because that is a result and not a failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the speed of MobileSim.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to measure: {', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--engine", choices=ENGINES, help="only this engine")
    parser.add_argument("--window", type=float, metavar="SECONDS", help="how long each crowd of clients is watched")
    parser.add_argument("--long", action="store_true", help="flat: ten minutes in real time instead of a fast run")
    parser.add_argument("--tiny", action="store_true", help="so small that the figures mean nothing, but all of it runs")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where results are kept")
    parser.add_argument("--docs", action="store_true", help="write the figures into docs/speed.md too")
    parser.add_argument("--docs-only", action="store_true", help="measure nothing: write the latest figures into the docs")
    options = parser.parse_args(argv)
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    if options.docs_only:
        report.write_docs(report.load(report.LATEST, options.results))
        return 0
    sizes = TINY if options.tiny else Sizes()
    if options.window:
        sizes = replace(sizes, window=options.window)
    if options.long:
        sizes = replace(sizes, flat_seconds=600.0, flat_speed="1")
    whole, before, measured = run(options.names or list(BENCHMARKS), sizes, options.engine, options.results)
    print(report.text(whole, before, measured))
    if options.docs:
        report.write_docs(report.load(report.LATEST, options.results))
    return 0


def run(
    names: Sequence[str], sizes: Sizes, engine: str | None, results: Path
) -> tuple[dict[str, object], dict[str, object], list[str]]:
    """Measure what is named; return the summary of this run, that of the previous one, and the keys that were measured."""
    began = time.monotonic()
    busy = crowds.machine_is_busy()
    with tempfile.TemporaryDirectory(prefix="mobilesim-bench-") as folder:
        shop = Workshop(Path(folder), sizes, (engine,) if engine else ENGINES)
        for name in names:
            print(f"{name}", file=sys.stderr, flush=True)
            BENCHMARKS[name](shop)
    shop.notes.append(f"The run took {time.monotonic() - began:.0f} s.")
    new = report.summary(shop, busy)
    before = report.load(report.LATEST, results)
    report.keep(new, results)
    return new, before, list(shop.figures)


if __name__ == "__main__":
    sys.exit(main())
