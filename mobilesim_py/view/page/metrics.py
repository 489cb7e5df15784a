"""The program's state in Prometheus' text format."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mobilesim_py import __version__

if TYPE_CHECKING:
    from mobilesim_py.app.program import Program
    from mobilesim_py.view.meter import Meter

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def metrics_text(program: Program, meter: Meter, viewers: int) -> str:
    """All metrics."""
    return "\n".join(_lines(program, meter, viewers)) + "\n"


def _lines(program: Program, meter: Meter, viewers: int) -> Iterator[str]:
    simulation, total = program.simulation, program.pacer.total
    speed = program.speed if math.isfinite(program.speed) else "+Inf"
    single: tuple[tuple[str, str, str, float | int | str], ...] = (
        ("simulated_seconds_total", "counter", "Simulated time since the start.", simulation.time),
        ("steps_total", "counter", "Steps since the start.", total.steps),
        ("step_busy_seconds_total", "counter", "Real time spent in steps.", total.busy),
        ("step_longest_seconds", "gauge", "The longest step.", total.longest),
        ("behind_seconds_total", "counter", "Real time by which the simulation fell behind.", total.skipped),
        ("realtime_ratio", "gauge", "Simulated seconds per real second, of late.", meter.ratio),
        ("speed", "gauge", "Simulated seconds per real second that were asked for.", speed),
        ("paused", "gauge", "1 while the simulation is paused.", int(program.paused)),
        ("robots", "gauge", "Robots in the world.", len(simulation.robots)),
        ("boxes", "gauge", "Boxes in the world.", len(simulation.boxes)),
        ("clients", "gauge", "Connected clients.", len(program.fleet.sessions)),
        ("viewers", "gauge", "Connected viewers.", viewers),
        ("map_segments", "gauge", "Wall segments of the map.", len(simulation.world.segments)),
    )
    yield from _head("info", "gauge", "Version and engine.")
    yield f'mobilesim_info{{version="{_text(__version__)}",engine="{_text(simulation.engine.name)}"}} 1'
    for name, kind, about, value in single:
        yield from _head(name, kind, about)
        yield f"mobilesim_{name} {value}"
    sessions = [(f'{{robot="{_text(s.robot.name)}"}}', s) for s in program.fleet.sessions]
    for name, about, values in (
        ("packets_sent_total", "Packets sent to the client of now.", [(r, s.packets_sent) for r, s in sessions]),
        ("packets_received_total", "Packets of the client of now.", [(r, s.packets_received) for r, s in sessions]),
        ("packets_left_out_total", "Packets that a client did not read.", [(r, s.dropped) for r, s in sessions]),
    ):
        yield from _head(name, "counter", about)
        yield from (f"mobilesim_{name}{robot} {value}" for robot, value in values)
    yield from _head("robot_stalled", "gauge", "1 while a robot pushes against something.")
    for robot in simulation.robots:
        yield f'mobilesim_robot_stalled{{robot="{_text(robot.name)}"}} {int(robot.stalled)}'


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP mobilesim_{name} {about}", f"# TYPE mobilesim_{name} {kind}"


def _text(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
