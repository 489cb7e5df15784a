"""`mobilesim help`, or `mobilesim` alone: the tools, a line for each."""

from __future__ import annotations

from mobilesim_py.app.option_docs import columns
from mobilesim_py.errors import ExitCode
from mobilesim_py.tools.tool_docs import tool_lines
from mobilesim_py.tools.words import Given, run


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("help", argv, {"": _list})


def _list(given: Given) -> int:
    print("Tools beside the simulator; each tells more with --help:\n")
    for line, about in tool_lines():
        print("\n".join(columns(line, about)))
    print("\n`MobileSim` runs the simulator, and so does `mobilesim` with its options: mobilesim -m office.map -r p3dx.")
    print("`MobileSim --help` lists them.")
    return ExitCode.OK
