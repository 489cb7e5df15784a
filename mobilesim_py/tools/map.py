"""`mobilesim map list|info|check|render|convert`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mobilesim_py.app.map_files import find_map, known_maps, loading
from mobilesim_py.errors import ExitCode, FileError, UsageError
from mobilesim_py.formats.armap.armap import ArMap
from mobilesim_py.formats.armap.reader import read_map
from mobilesim_py.formats.format import FORMATS, GARDENS, Settings, load_world
from mobilesim_py.tools.map_info import describe, describe_garden, garden_summary, problem_lines, summary
from mobilesim_py.tools.words import Given, run
from mobilesim_py.world.world import World


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("map", argv, {"list": _list, "info": _info, "check": _check, "render": _render, "convert": _convert})


def _list(given: Given) -> int:
    known = known_maps()
    if given.json:
        print(json.dumps([{"name": path.name, "file": str(path.absolute())} for path in known], indent=2))
        return ExitCode.OK
    width = max((len(path.name) for path in known), default=0)
    for path in known:
        print(f"{path.name:<{width}}  {path.parent.absolute()}")
    return ExitCode.OK


def _info(given: Given) -> int:
    garden = _garden(given.file)
    if garden is not None and garden.sketch is not None:
        facts = garden_summary(garden, garden.sketch)
        print(json.dumps(facts, indent=2) if given.json else describe_garden(garden, garden.sketch))
        return ExitCode.OK
    armap = _read(given.file)
    print(json.dumps(summary(armap), indent=2, ensure_ascii=True) if given.json else describe(armap))
    return ExitCode.OK


def _check(given: Given) -> int:
    worst = ExitCode.OK
    report = []
    for name in given.files:
        try:
            armap = _read(name)
        except FileError as error:
            worst = error.exit_code
            report.append({"file": name, "ok": False, "error": str(error), "problems": []})
            continue
        found = problem_lines(armap)
        is_good = not (found and given.strict)
        worst = worst if is_good else ExitCode.MAP
        report.append({"file": name, "ok": is_good, "error": "", "problems": found})
    if given.json:
        print(json.dumps(report, indent=2))
        return worst
    for entry in report:
        if entry["error"]:
            print(f"Error: {entry['error']}", file=sys.stderr)
        for line in entry["problems"]:
            print(f"Warning: {line}", file=sys.stderr)
        if entry["ok"]:
            print(f"{entry['file']}: ok")
    return worst


def _render(given: Given) -> int:
    from mobilesim_py.view.pictures.scene import scene_of

    path = find_map(given.file)
    with loading(path):
        scene = scene_of(load_world(path))
    try:
        if given.out.suffix.lower() == ".svg":
            from mobilesim_py.view.pictures.vector import draw_svg

            given.out.write_text(draw_svg(scene, given.size), encoding="utf-8")
        else:
            from mobilesim_py.view.pictures.painting import draw_picture

            draw_picture(scene, given.size).save(given.out, optimize=True)
    except OSError as error:
        raise UsageError(f"{given.out}: cannot write the picture ({error.strerror})") from None
    print(f"{given.out}: {scene.width:.1f} x {scene.height:.1f} m")
    return ExitCode.OK


def _garden(name: str) -> World | None:
    """Read a garden; None if the file is something else."""
    path = find_map(name)
    if path.suffix.lower() not in GARDENS:
        return None
    with loading(path):
        world = load_world(path)
    return world if world.sketch is not None else None


def _read(name: str) -> ArMap:
    """Read a map as a map; what is none becomes one first, as `convert` makes it."""
    path = find_map(name)
    ending = path.suffix.lower()
    with loading(path):
        if ending == ".map" or ending not in FORMATS:
            return read_map(path)
        from mobilesim_py.formats.converted import map_of

        return map_of(path, Settings())


def _convert(given: Given) -> int:
    from mobilesim_py.formats.convert import convert

    source = find_map(given.source)
    onto = read_map(find_map(given.add_to)) if given.add_to else None
    with _progress_bar(f"tracing {source.name}") as progress:
        wishes = Settings(
            scale=given.resolution,
            origin=given.origin,
            threshold=given.threshold,
            keep_specks=not given.drop_specks,
            progress=progress,
        )
        with loading(source):
            armap = convert(source, given.target, wishes, onto)
    print(f"{given.target}: {len(armap.lines)} lines, {len(armap.points)} points")
    return ExitCode.OK


@contextmanager
def _progress_bar(title: str) -> Iterator[Callable[[float], None] | None]:
    """Show a bar on a terminal; it goes away when the work is done."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda share: bar.update(task, completed=share)
