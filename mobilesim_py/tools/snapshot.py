"""`mobilesim snapshot OUT.png`: a picture of a running simulator, or of a world that is built for it. No browser needed."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from mobilesim_py.app.options import DEFAULT_PORT, DEFAULT_WEB_PORT
from mobilesim_py.errors import DirectoryError, ExitCode, NoAnswerError, UsageError
from mobilesim_py.tools.table import LAYERS
from mobilesim_py.tools.words import Given, run
from mobilesim_py.view.page.server import PORTS_TRIED
from mobilesim_py.view.pictures.snapshot import Painter, png_of, svg_of

ANSWER_SECONDS = 10.0


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("snapshot", argv, {"": _save})


def _save(given: Given) -> int:
    if given.world and given.port is not None:
        raise UsageError("--port takes a picture of a running simulator, the other options build a world: give only one.")
    data = _of_world(given) if given.world else _of_running(given)
    try:
        given.out.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{given.out}: cannot write the picture ({error.strerror})") from None
    print(given.out)
    return ExitCode.OK


# A running simulator


def _of_running(given: Given) -> bytes:
    """Ask the viewer of the simulator that has a robot on the port."""
    port = given.port if given.port is not None else DEFAULT_PORT
    tried = [given.web_port] if given.web_port else range(DEFAULT_WEB_PORT, DEFAULT_WEB_PORT + PORTS_TRIED)
    refused = ""
    for web_port in tried:
        try:
            health = json.loads(_ask(given, web_port, "/api/health"))
        except urllib.error.HTTPError as error:
            refused = f" The one on port {web_port} refused ({error.code}); --token gives its token."
            continue
        except (OSError, ValueError):
            continue
        if given.web_port or port in health.get("ports", []):
            query = urllib.parse.urlencode({"size": given.size, "show": ",".join(given.show)})
            return _ask(given, web_port, f"/api/snapshot{given.out.suffix.lower()}?{query}")
    where = f"port {given.web_port}" if given.web_port else f"ports {tried[0]} to {tried[-1]}"
    raise NoAnswerError(
        f"No viewer of a simulator with a robot on port {port} answers on {given.host} {where}.{refused} "
        "Start the simulator with --web-port, and say it here with --web-port, too."
    )


def _ask(given: Given, web_port: int, path: str) -> bytes:
    request = urllib.request.Request(f"http://{given.host}:{web_port}{path}")
    if given.token:
        request.add_header("Authorization", f"Bearer {given.token}")
    # The simulator runs on this machine or on one nearby: proxies are bypassed.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=ANSWER_SECONDS) as answer:
        data: bytes = answer.read()
        return data


# A world


def _of_world(given: Given) -> bytes:
    """Build the world that the words ask for, let it run for a while, and draw it."""
    from mobilesim_py.app.command_line import parse
    from mobilesim_py.app.logs import Level, Log
    from mobilesim_py.app.program import Program
    from mobilesim_py.view.pictures.moment import take

    log = Log()
    options = parse(given.world)
    if options.cwd is not None and not Path(options.cwd).is_dir():
        raise DirectoryError(f"{options.cwd!r} of --cwd is no directory.")
    program = Program(options, log, directory=Path(options.cwd) if options.cwd is not None else None)
    for line in log.recent():
        if line.level is not Level.INFO:
            print(f"{line.level.value}: {line.text}", file=sys.stderr)
    for robot in program.simulation.robots:
        robot.sonar_on = "sonar" in given.show
        for laser in robot.lasers:
            laser.on = "laser" in given.show
    program.simulation.step(round(given.after / program.simulation.dt))
    program.simulation.sense()
    moment = take(program.simulation, **{name: name in given.show for name in LAYERS})
    if given.out.suffix.lower() == ".svg":
        return svg_of(moment, given.size).encode()
    return png_of(moment, given.size, Painter())
