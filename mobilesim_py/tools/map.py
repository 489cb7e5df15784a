"""`mobilesim map info|check|render|convert`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from mobilesim_py.app.map_files import find_map
from mobilesim_py.errors import ExitCode, MapError, MobileSimError, UsageError
from mobilesim_py.formats.armap.reader import read_map
from mobilesim_py.formats.format import load_world
from mobilesim_py.tools.map_info import describe, problem_lines, summary

_EXAMPLES = """\
examples:
  mobilesim map info office.map
  mobilesim map check mymap.map                       (exit code 0 or 253, for CI)
  mobilesim map render mymap.map mymap.png
  mobilesim map convert floor.png floor.map --resolution 0.05
  mobilesim map convert ros_map.yaml building.map
  mobilesim map convert building.map ros_map.yaml
"""


class _Parser(argparse.ArgumentParser):
    """Ends with the exit code that this program has for wrong options."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\nTry `{self.prog} --help`.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool; gives the exit code."""
    try:
        options = _parser().parse_args(argv)
        command: Callable[[argparse.Namespace], int] = options.run
        return command(options)
    except MobileSimError as error:
        print(f"Error: {error}", file=sys.stderr)
        return int(error.exit_code)
    except SystemExit as request:  # --help
        return int(request.code or 0)
    except BrokenPipeError:
        return int(ExitCode.OK)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="mobilesim map",
        description="Look into maps, check, draw and convert them.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(required=True, metavar="info|check|render|convert")

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        sub.set_defaults(run=run)
        return sub

    info = command("info", _info, "say what is in a map")
    info.add_argument("file", help="a map file, or the name of a shipped map")
    info.add_argument("--json", action="store_true", help="as JSON, in the map's units (mm, degrees)")
    check = command("check", _check, "read a map as strictly as ARIA does; exit code 0 or 253")
    check.add_argument("files", nargs="+", metavar="file")
    check.add_argument("--strict", action="store_true", help="let skipped lines and other problems fail the check too")
    check.add_argument("--json", action="store_true", help="problems as JSON")
    render = command("render", _render, "draw a map as PNG or SVG")
    render.add_argument("file", help="a map file, or the name of a shipped map")
    render.add_argument("out", type=Path, help="OUT.png or OUT.svg")
    render.add_argument("--size", type=int, default=1400, help="longer side in pixels (default 1400)")
    convert = command("convert", _convert, "from and to .map, ROS .yaml, Stage .world, pictures, .svg and .dxf")
    convert.add_argument("source", type=Path, metavar="in")
    convert.add_argument("target", type=Path, metavar="out")
    convert.add_argument("--resolution", type=float, metavar="M", help="metres per pixel, or per unit of a drawing")
    convert.add_argument("--origin", metavar="X,Y", default="0,0", help="lower left corner of a picture [m]")
    convert.add_argument("--threshold", type=float, default=0.5, help="how dark a wall is, 0 to 1 (default 0.5)")
    convert.add_argument("--drop-specks", action="store_true", help="leave out spots of up to three pixels")
    return parser


def _info(options: argparse.Namespace) -> int:
    armap = read_map(find_map(options.file))
    print(json.dumps(summary(armap), indent=2, ensure_ascii=True) if options.json else describe(armap))
    return ExitCode.OK


def _check(options: argparse.Namespace) -> int:
    worst = ExitCode.OK
    report = []
    for name in options.files:
        try:
            armap = read_map(find_map(name))
        except MapError as error:
            worst = ExitCode.MAP
            report.append({"file": name, "ok": False, "error": str(error), "problems": []})
            continue
        found = problem_lines(armap)
        is_good = not (found and options.strict)
        worst = worst if is_good else ExitCode.MAP
        report.append({"file": name, "ok": is_good, "error": "", "problems": found})
    if options.json:
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


def _render(options: argparse.Namespace) -> int:
    from mobilesim_py.view.pictures.painting import LARGEST_SIZE
    from mobilesim_py.view.pictures.scene import scene_of

    if not 16 <= options.size <= LARGEST_SIZE:
        raise UsageError(f"--size {options.size}: it must be from 16 to {LARGEST_SIZE} pixels")
    ending = options.out.suffix.lower()
    if ending not in (".png", ".svg"):
        raise UsageError(f"{options.out}: the picture's name must end with .png or .svg")
    scene = scene_of(load_world(find_map(options.file)))
    try:
        if ending == ".svg":
            from mobilesim_py.view.pictures.vector import draw_svg

            options.out.write_text(draw_svg(scene, options.size), encoding="utf-8")
        else:
            from mobilesim_py.view.pictures.painting import draw_picture

            draw_picture(scene, options.size).save(options.out, optimize=True)
    except OSError as error:
        raise UsageError(f"{options.out}: cannot write the picture ({error.strerror})") from None
    print(f"{options.out}: {scene.width:.1f} x {scene.height:.1f} m")
    return ExitCode.OK


def _convert(options: argparse.Namespace) -> int:
    from mobilesim_py.formats.convert import convert
    from mobilesim_py.formats.format import Settings

    try:
        x, y = (float(part) for part in options.origin.split(","))
    except ValueError:
        raise UsageError(f"--origin {options.origin!a}: it must be X,Y in metres") from None
    if not 0.0 <= options.threshold <= 1.0:
        raise UsageError(f"--threshold {options.threshold:g}: it must be from 0 to 1")
    with _progress_bar(f"tracing {options.source.name}") as progress:
        wishes = Settings(
            scale=options.resolution,
            origin=(x, y),
            threshold=options.threshold,
            keep_specks=not options.drop_specks,
            progress=progress,
        )
        armap = convert(options.source, options.target, wishes)
    print(f"{options.target}: {len(armap.lines)} lines, {len(armap.points)} points")
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


if __name__ == "__main__":
    sys.exit(main())
