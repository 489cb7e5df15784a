"""`mobilesim snapshot OUT.png`: a picture of a running simulator, or of a world that is built for it. No browser needed."""

from __future__ import annotations

import argparse
import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from mobilesim_py.app.options import DEFAULT_PORT, DEFAULT_WEB_PORT
from mobilesim_py.errors import EmulationError, ExitCode, MobileSimError, UsageError
from mobilesim_py.view.page.server import PORTS_TRIED
from mobilesim_py.view.pictures.snapshot import DEFAULT_SIZE, LARGEST_SIZE, SMALLEST_SIZE, Painter, svg_of

LAYERS = ("laser", "sonar", "labels")
ANSWER_SECONDS = 10.0
_EXAMPLES = """\
examples:
  mobilesim snapshot now.png                              (of the simulator whose robot is on port 8101)
  mobilesim snapshot now.svg --port 8105
  mobilesim snapshot office.png -m office.map -r p3dx -r p3at --show laser,sonar,labels
  mobilesim snapshot later.png -m office.map -r p3dx --after 5

All of the simulator's options that say what is simulated (-m, -r, -W, --start, --seed ...) work after OUT.
"""


class _Parser(argparse.ArgumentParser):
    """Ends with the exit code that this program has for wrong options."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\nTry `{self.prog} --help`.")


def main(argv: Sequence[str] | None = None) -> int:
    """Save the picture; gives the exit code."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except MobileSimError as error:
        print(f"Error: {error}", file=sys.stderr)
        return int(error.exit_code)
    except SystemExit as request:  # --help
        return int(request.code or 0)


def _run(words: list[str]) -> int:
    options, world_words = _parser().parse_known_args(words)
    if options.out.suffix.lower() not in (".png", ".svg"):
        raise UsageError(f"{options.out}: the picture's name must come first and end with .png or .svg")
    if not SMALLEST_SIZE <= options.size <= LARGEST_SIZE:
        raise UsageError(f"--size {options.size}: it must be from {SMALLEST_SIZE} to {LARGEST_SIZE} pixels")
    unknown = [name for name in options.show.split(",") if name and name not in LAYERS]
    if unknown:
        raise UsageError(f"--show {options.show}: there is no {unknown[0]!r}, only {', '.join(LAYERS)}")
    if world_words and options.port is not None:
        raise UsageError("--port takes a picture of a running simulator, the other options build a world: give only one.")
    data = _of_world(options, world_words) if world_words else _of_running(options)
    try:
        options.out.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{options.out}: cannot write the picture ({error.strerror})") from None
    print(options.out)
    return ExitCode.OK


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="mobilesim snapshot",
        description="Save a picture of a running simulator or of a world.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="OUT.png or OUT.svg")
    parser.add_argument("-p", "--port", type=int, help=f"a robot's port of the running simulator (default {DEFAULT_PORT})")
    parser.add_argument("--web-port", type=int, help="the port of its viewer, if it is not found by itself")
    parser.add_argument("--host", default="127.0.0.1", help="where it runs (default 127.0.0.1)")
    parser.add_argument("--token", default="", help="the token of its viewer, if it needs one")
    parser.add_argument("--size", type=int, default=DEFAULT_SIZE, help=f"longer side in pixels (default {DEFAULT_SIZE})")
    what = "laser,labels"
    parser.add_argument("--show", default=what, metavar="LAYERS", help="of laser,sonar,labels (default laser,labels)")
    parser.add_argument("--after", type=float, default=0.0, metavar="SEC", help="of a world: after so much simulated time")
    return parser


# A running simulator


def _of_running(options: argparse.Namespace) -> bytes:
    """Ask the viewer of the simulator that has a robot on the port."""
    port = options.port if options.port is not None else DEFAULT_PORT
    tried = [options.web_port] if options.web_port else range(DEFAULT_WEB_PORT, DEFAULT_WEB_PORT + PORTS_TRIED)
    refused = ""
    for web_port in tried:
        try:
            health = json.loads(_ask(options, web_port, "/api/health"))
        except urllib.error.HTTPError as error:
            refused = f" The one on port {web_port} refused ({error.code}); --token gives its token."
            continue
        except (OSError, ValueError):
            continue
        if options.web_port or port in health.get("ports", []):
            query = urllib.parse.urlencode({"size": options.size, "show": options.show})
            return _ask(options, web_port, f"/api/snapshot{options.out.suffix.lower()}?{query}")
    where = f"port {options.web_port}" if options.web_port else f"ports {tried[0]} to {tried[-1]}"
    raise EmulationError(
        f"No viewer of a simulator with a robot on port {port} answers on {options.host} {where}.{refused} "
        "Start the simulator with --web-port, and say it here with --web-port, too."
    )


def _ask(options: argparse.Namespace, web_port: int, path: str) -> bytes:
    request = urllib.request.Request(f"http://{options.host}:{web_port}{path}")
    if options.token:
        request.add_header("Authorization", f"Bearer {options.token}")
    # The simulator is here or in the next room: no proxy knows the way.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=ANSWER_SECONDS) as answer:
        data: bytes = answer.read()
        return data


# A world


def _of_world(options: argparse.Namespace, words: list[str]) -> bytes:
    """Build the world that the words ask for, let it run for a while, and draw it."""
    from mobilesim_py.app.command_line import parse
    from mobilesim_py.app.logs import Level, Log
    from mobilesim_py.app.program import Program
    from mobilesim_py.view.pictures.moment import take
    from mobilesim_py.view.pictures.snapshot import png_of

    log = Log()
    program = Program(parse(words), log)
    for line in log.recent():
        if line.level is not Level.INFO:
            print(f"{line.level.value}: {line.text}", file=sys.stderr)
    show = options.show.split(",")
    for robot in program.simulation.robots:
        robot.sonar_on = "sonar" in show
        for laser in robot.lasers:
            laser.on = "laser" in show
    program.simulation.step(round(options.after / program.simulation.dt))
    _ = program.simulation.readings
    moment = take(program.simulation, **{name: name in show for name in LAYERS})
    if options.out.suffix.lower() == ".svg":
        return svg_of(moment, options.size).encode()
    return png_of(moment, options.size, Painter())


if __name__ == "__main__":
    sys.exit(main())
