"""The log player: viewers watch a run that was written down, with one step of the log in every cycle.

It answers `<View/>` as the contest's own player does, waits for `<Start/>`, and can also be moved from the page.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Generic

from mobilesim_py.formats.lab import LoggedRobot, LogStep, RunLog, grid_text, lab_text
from mobilesim_py.protocols.ciber import (
    Command,
    Order,
    RobotView,
    Scores,
    ViewRequest,
    datagram,
    decode_command,
    decode_registration,
    encode_view,
)
from mobilesim_py.services.ciberrato.desk import Spot, leds
from mobilesim_py.services.ciberrato.referee import Standing, ranked
from mobilesim_py.services.ciberrato.switchboard import BYTES_LIMIT, PUBLIC_DOOR, WAITING_LIMIT, Client, Outgoing, Peer
from mobilesim_py.services.panelled import Facts, OrderError, number_in


class LogPlayer(Generic[Peer]):
    """A board without a game: it shows the steps of a log to viewers."""

    def __init__(self, run: RunLog, runs: bool = False, ends: bool = False) -> None:
        """Show a run from its first step on; one that `runs` waits for no start, one that `ends` ends the program."""
        self.run = run
        self._ends = ends
        self.index = 0
        self.closed: list[int] = []
        self._running = runs
        self._clients: dict[int, Client[Peer]] = {}
        self._arrivals: deque[tuple[Peer, bytes]] = deque()
        self._last_door = PUBLIC_DOOR
        p = run.parameters
        self._reply = datagram(
            f'<Reply Status="Ok">\n\t<Parameters SimTime="{p.sim_time}" CycleTime="{p.cycle_time_ms}"\n\t\t'
            f'CompassNoise="{p.compass_noise_deg:g}" BeaconNoise="{p.beacon_noise_deg:g}" '
            f'ObstacleNoise="{p.obstacle_noise:g}"\n\t\tMotorsNoise="{p.motors_noise_percent:g}"/>\n</Reply>\n'
        )
        self._lab, self._grid = datagram(lab_text(run.lab)), datagram(grid_text(run.grid))

    # What a service needs

    @property
    def clients(self) -> list[Client[Peer]]:
        """Return who is there."""
        return list(self._clients.values())

    @property
    def is_busy(self) -> bool:
        """Return whether anybody is there, or steps pass, or the end of the program is only some cycles away."""
        return bool(self._clients or self._arrivals or self._running) or (self._ends and self.is_over)

    @property
    def is_running(self) -> bool:
        """Return whether steps pass."""
        return self._running

    @property
    def is_over(self) -> bool:
        """Return whether the last step is shown."""
        return self.index >= len(self.run.steps) - 1

    def awaits(self) -> bool:
        """Return False: a log waits for nobody."""
        return False

    def receive(self, data: bytes, peer: Peer, door: int = PUBLIC_DOOR) -> None:
        """Take a datagram that arrived at a door."""
        if door == PUBLIC_DOOR:
            if len(self._arrivals) < WAITING_LIMIT:
                self._arrivals.append((peer, data[:BYTES_LIMIT]))
            return
        client = self._clients.get(door)
        if client is not None and client.peer == peer and len(client.waiting) < WAITING_LIMIT:
            client.waiting.append(data[:BYTES_LIMIT])

    def cycle(self) -> list[Outgoing[Peer]]:
        """Admit viewers, obey them, tell them of the step that is shown, and go on if the log runs."""
        out: list[Outgoing[Peer]] = []
        while self._arrivals:
            peer, data = self._arrivals.popleft()
            if isinstance(decode_registration(data), ViewRequest):
                self._last_door += 1
                self._clients[self._last_door] = Client(self._last_door, peer, watches=True)
                out.append(Outgoing(self._last_door, peer, self._reply))
        for client in self._clients.values():
            while client.waiting:
                command = decode_command(client.waiting.popleft())
                if command is None:
                    break
                self._obey(client, command, out)
        for robot in self.step.robots:
            message = encode_view(_view(self.step.time, robot))
            out += [Outgoing(client.door, client.peer, message) for client in self._clients.values()]
        if self._running:
            self._running = not self.is_over
            self.index = min(self.index + 1, len(self.run.steps) - 1)
        return out

    def _obey(self, client: Client[Peer], command: Command, out: list[Outgoing[Peer]]) -> None:
        match command.order:
            case Order.LAB:
                out.append(Outgoing(client.door, client.peer, self._lab))
            case Order.GRID:
                out.append(Outgoing(client.door, client.peer, self._grid))
            case Order.START:
                self._running = True
            case Order.STOP:
                self._running = False
            case _:
                pass

    # What the page shows

    @property
    def step(self) -> LogStep:
        """Return the step that is shown."""
        return self.run.steps[self.index]

    def spots(self) -> list[Spot]:
        """Return where the robots are that are not removed."""
        return [
            Spot(robot.id, robot.name, robot.x, robot.y, math.radians(robot.heading_deg))
            for robot in self.step.robots
            if robot.state != "Removed"
        ]

    def facts(self) -> Facts:
        """Return how the robots stand at the step that is shown, and where it is in the log."""
        robots = {robot.id: robot for robot in self.step.robots}
        standings = ranked(
            Standing(
                *(robot.id, robot.name, robot.state, robot.score, self._tie_time(robot)),
                *(robot.collisions, robot.arrival_time, robot.returning_time, robot.visited_mask),
            )
            for robot in robots.values()
        )
        return {
            "kind": "log",
            "lab": self.run.lab.name,
            "state": "Running" if self._running else "Stopped",
            "time": self.step.time,
            "sim_time": self.run.parameters.sim_time,
            "key_time": self.run.parameters.key_time,
            "start_button": self._running,
            "stop_button": not self._running,
            "step": self.index,
            "steps": len(self.run.steps),
            "over": self.is_over,
            "robots": [
                {
                    "id": one.id,
                    "name": one.name,
                    "state": one.state,
                    "score": one.score,
                    "tie_time": one.time,
                    "arrival_time": one.arrival_time,
                    "returning_time": one.returning_time,
                    "collisions": one.collisions,
                    "collision": robots[one.id].collision,
                    "leds": leds(robots[one.id].end_led, robots[one.id].returning_led, robots[one.id].visiting_led),
                    "obstacles": [],
                }
                for one in standings
            ],
        }

    def _tie_time(self, robot: LoggedRobot) -> int:
        """Return the time that decides between equal scores: that of the visit, or all the time there was."""
        return robot.arrival_time if "1" in robot.visited_mask else self.run.parameters.sim_time

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Start, stop, reset to the first step, or go to a step."""
        orders: dict[str, Callable[[], None]] = {
            "start": lambda: self._run(True),
            "stop": lambda: self._run(False),
            "reset": lambda: self._go(0),
            "go": lambda: self._go(number_in(wish, "step")),
        }
        if name not in orders:
            raise OrderError(f"There is no order {name} in a log; there are {', '.join(orders)}.")
        orders[name]()

    def _run(self, runs: bool) -> None:
        if runs and self.is_over:
            self.index = 0
        self._running = runs

    def _go(self, index: int) -> None:
        if not 0 <= index < len(self.run.steps):
            raise OrderError(f"The log has the steps 0 to {len(self.run.steps) - 1}.")
        self.index = index


def _view(time: int, robot: LoggedRobot) -> RobotView:
    scores = Scores(
        *(robot.score, robot.arrival_time, robot.returning_time, robot.collisions, robot.collision, robot.visited_mask)
    )
    return RobotView(robot.name, robot.id, time, scores, robot.state, robot.x, robot.y, robot.heading_deg)
