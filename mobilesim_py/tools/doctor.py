"""`mobilesim doctor`: what is installed, what computes, where things are kept, and which ports are free."""

from __future__ import annotations

import json
import os
import platform
import socket
import sys
from importlib import metadata

from mobilesim_py import APPLICATION, __version__
from mobilesim_py.app.command_line import init_map
from mobilesim_py.app.options import DEFAULT_PORT, DEFAULT_WEB_PORT
from mobilesim_py.errors import ExitCode, PortError
from mobilesim_py.resources import VARIABLE, maps_dir, models_dir, resource_problem
from mobilesim_py.tools.words import Given, run

PACKAGES = ("numpy", "numba", "llvmlite", "shapely", "rich", "pyserial", "aiohttp", "pillow", "PyYAML")


def main(argv: list[str]) -> int:
    """Run the tool; the findings are no verdict, so the exit code is 0."""
    return run("doctor", argv, {"": _print_findings})


def _print_findings(given: Given) -> int:
    findings = examine()
    if given.json:
        print(json.dumps(findings, indent=2))
        return ExitCode.OK
    for heading, rows in findings.items():
        print(heading)
        width = max(len(name) for name in rows)
        for name, text in rows.items():
            print(f"  {name:<{width}}  {text}")
    return ExitCode.OK


def examine() -> dict[str, dict[str, str]]:
    """Look at everything; return headings with what was found under each."""
    return {
        "Program": _program(),
        "Packages": {name: _version(name) for name in PACKAGES},
        "Engine": _engine(),
        "Places": _places(),
        "Ports": _ports(),
    }


def _program() -> dict[str, str]:
    return {
        APPLICATION: __version__,
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": f"{platform.system()} {platform.release()} on {platform.machine()}, {os.cpu_count()} cores",
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _engine() -> dict[str, str]:
    try:
        from mobilesim_py.app import compiling

        cache = str(compiling.cache_directory())
        if compiling.load_ready() is not None:
            whose = "this processor" if compiling.is_cached() else "processors of any kind, as shipped"
            return {"engine": "compiled", "why": f"its code, for {whose}, is ready on disk", "cache": cache}
        if problem := compiling.numba_problem():
            return {"engine": "numpy", "why": problem}
        return {"engine": "compiled", "why": "will be compiled beside the simulation at the next start", "cache": cache}
    except Exception as error:  # whatever is broken here is what the user wants to be told
        return {"engine": "unknown", "why": f"{type(error).__name__}: {error}"}


def _places() -> dict[str, str]:
    include = os.path.join(os.path.dirname(init_map()), "include")
    return {
        "maps": _seen(str(maps_dir())),
        "models": _seen(str(models_dir())),
        "default map": _seen(init_map()),
        "own models": _seen(include),
        f"${VARIABLE}": resource_problem() or os.environ.get(VARIABLE) or "not set",
    }


def _seen(path: str) -> str:
    return path if os.path.exists(path) else f"{path} (not there)"


def _ports() -> dict[str, str]:
    return {
        f"TCP {DEFAULT_PORT}": _tcp(DEFAULT_PORT, "the first robot's"),
        f"TCP {DEFAULT_WEB_PORT}": _tcp(DEFAULT_WEB_PORT, "the viewer's"),
        "UDP 30718": _udp(30718),
    }


def _tcp(port: int, whose: str) -> str:
    from mobilesim_py.net.ports import listening_socket

    try:
        listening_socket("", port, 1).close()
    except PortError as problem:
        return f"{whose}: {problem}"
    return f"{whose}: free"


def _udp(port: int) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("", port))
        except OSError as error:
            return f"network discovery: {error.strerror}"
    return "network discovery: free"
