"""The tools beside the simulator: first words of the command line that run something else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: the module whose `main(argv)` runs, how it is called, and what it is for."""

    module: str
    usage: str
    about: str


TOOLS: dict[str, Tool] = {
    "models": Tool("mobilesim_py.tools.models", "models [show NAME]", "list and draw robot models"),
    "map": Tool("mobilesim_py.tools.map", "map info|check|render|convert ...", "inspect, draw and convert maps"),
    "snapshot": Tool("mobilesim_py.tools.snapshot", "snapshot OUT.png ...", "save a picture of a world"),
    "wait": Tool("mobilesim_py.tools.wait", "wait [--port PORT] [--timeout SEC]", "wait until a robot answers on its port"),
    "doctor": Tool("mobilesim_py.tools.doctor", "doctor [--json]", "show versions, engine, places and ports"),
    "completion": Tool("mobilesim_py.tools.completion", "completion bash|zsh|fish", "print completion for your shell"),
}
