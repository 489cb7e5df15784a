"""The program's state in Prometheus' text format."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator

from mobilesim_py import __version__
from mobilesim_py.services.service import ClientFacts, Stage, clients_of

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_OF_CLIENTS: tuple[tuple[str, str, Callable[[ClientFacts], int]], ...] = (
    ("packets_sent_total", "Packets sent to a connected client.", lambda client: client.packets_sent),
    ("packets_received_total", "Packets of a connected client.", lambda client: client.packets_received),
    ("packets_left_out_total", "Packets that a client did not read.", lambda client: client.packets_left_out),
)


def metrics_text(stage: Stage, viewers: int) -> str:
    """Return all metrics."""
    return "\n".join(_lines(stage, viewers)) + "\n"


def _lines(stage: Stage, viewers: int) -> Iterator[str]:
    simulation, clock, clients = stage.simulation, stage.clock, clients_of(stage)
    total = clock.total
    speed = clock.speed if math.isfinite(clock.speed) else "+Inf"
    single: tuple[tuple[str, str, str, float | int | str], ...] = (
        ("simulated_seconds_total", "counter", "Simulated time since the start.", simulation.time),
        ("steps_total", "counter", "Steps since the start.", total.steps),
        ("step_busy_seconds_total", "counter", "Real time spent in steps.", total.busy),
        ("step_longest_seconds", "gauge", "The longest step.", total.longest),
        ("behind_seconds_total", "counter", "Real time by which the simulation fell behind.", total.skipped),
        ("realtime_ratio", "gauge", "Simulated seconds per real second, of late.", clock.ratio),
        ("speed", "gauge", "Simulated seconds per real second that were asked for.", speed),
        ("paused", "gauge", "1 while the simulation is paused.", int(clock.paused)),
        ("robots", "gauge", "Robots in the world.", len(simulation.robots)),
        ("boxes", "gauge", "Boxes in the world.", len(simulation.boxes)),
        ("clients", "gauge", "Connected clients.", len(clients)),
        ("viewers", "gauge", "Connected viewers.", viewers),
        ("map_segments", "gauge", "Wall segments of the map.", len(simulation.world.segments)),
    )
    yield from _head("info", "gauge", "Version and engine.")
    yield f'mobilesim_info{{version="{_text(__version__)}",engine="{_text(simulation.engine.name)}"}} 1'
    for name, kind, about, value in single:
        yield from _head(name, kind, about)
        yield f"mobilesim_{name} {value}"
    for name, about, value_of in _OF_CLIENTS:
        yield from _head(name, "counter", about)
        # Clients that cannot be told apart (two of one service from one address) are added up.
        sums: Counter[str] = Counter()
        for client in clients:
            sums[_labels(client)] += value_of(client)
        yield from (f"mobilesim_{name}{labels} {value}" for labels, value in sums.items())
    yield from _head("robot_stalled", "gauge", "1 while a robot pushes against something.")
    for robot in simulation.robots:
        yield f'mobilesim_robot_stalled{{robot="{_text(robot.name)}"}} {int(robot.stalled)}'


def _labels(client: ClientFacts) -> str:
    """Label a client by its robot, and one that has none by its service and peer."""
    if client.robot is not None:
        return f'{{robot="{_text(client.robot.name)}"}}'
    return f'{{service="{_text(client.service)}",client="{_text(client.peer)}"}}'


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP mobilesim_{name} {about}", f"# TYPE mobilesim_{name} {kind}"


def _text(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
