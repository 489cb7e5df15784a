"""The referee's desk: what the page and the API show of a game, and the orders that they take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mobilesim_py.services.ciberrato.game import Game
from mobilesim_py.services.ciberrato.referee import Referee
from mobilesim_py.services.ciberrato.robot import Robot, State
from mobilesim_py.services.panelled import Facts, OrderError, number_in


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a robot is, for whoever draws it: u_m and radians."""

    id: int
    name: str
    x: float
    y: float
    heading: float


class Desk(Protocol):
    """What there is to see of a board, and what may be ordered of it."""

    def spots(self) -> Sequence[Spot]:
        """Return where the robots are that are to be seen."""

    def facts(self) -> Facts:
        """Return what the panel shows, but for the bodies of robots."""

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Carry out an order; OrderError says why that is impossible."""


class GameDesk:
    """The desk of a game that is played."""

    def __init__(self, game: Game, referee: Referee, reset: Callable[[], None]) -> None:
        """Stand beside a game; `reset` lets all of it begin again, its clients told."""
        self._game, self._referee, self._reset = game, referee, reset

    def spots(self) -> list[Spot]:
        """Return where the robots are that are not removed."""
        return [
            Spot(robot.id, robot.name, robot.x, robot.y, robot.heading)
            for robot in self._game.present
            if robot.state is not State.REMOVED
        ]

    def facts(self) -> Facts:
        """Return the state of the run, and its robots, the best first."""
        game = self._game
        robots = {robot.id: robot for robot in game.present}
        return {
            "kind": "game",
            "lab": game.lab.name,
            "rules": game.rules.name,
            "scoring": game.setup.scoring,
            "state": game.state.value,
            "time": game.time,
            "sim_time": game.parameters.sim_time,
            "key_time": game.parameters.key_time,
            "start_button": game.next_state.value == "Running",
            "stop_button": game.next_state.value == "Stopped",
            "over": self._referee.is_over,
            "robots": [
                {
                    "id": standing.id,
                    "name": standing.name,
                    "state": standing.state,
                    "score": standing.score,
                    "tie_time": standing.time,
                    "arrival_time": standing.arrival_time,
                    "returning_time": standing.returning_time,
                    "collisions": standing.collisions,
                    **_senses(robots[standing.id]),
                }
                for standing in self._referee.standings()
            ],
        }

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Start, stop, reset, remove or disqualify."""
        orders: dict[str, Callable[[], object]] = {
            "start": self._game.start,
            "stop": self._game.stop,
            "reset": self._reset,
            "remove": lambda: self._of_robot(self._game.remove, wish),
            "disqualify": lambda: self._of_robot(self._game.disqualify, wish),
        }
        if name not in orders:
            raise OrderError(f"There is no order {name}; there are {', '.join(orders)}.")
        before = self._game.state.value
        if name in ("start", "stop") and before not in (("Stopped",) if name == "start" else ("Running",)):
            raise OrderError(f"The run is {before.lower()}, so it cannot be {'started' if name == 'start' else 'stopped'}.")
        orders[name]()

    def _of_robot(self, act: Callable[[int], bool], wish: Mapping[str, Any]) -> None:
        number = number_in(wish, "robot")
        if not act(number):
            there = ", ".join(str(robot.id) for robot in self._game.present) or "none yet"
            raise OrderError(f"There is no robot {number}; there are: {there}.")


def _senses(robot: Robot) -> Facts:
    """Return leds and what the sensors of a robot say."""
    return {
        "collision": robot.hit,
        "leds": leds(robot.end_led, robot.returning_led, robot.visiting_led),
        "obstacles": [
            {"angle": angle, "value": sensor.value}
            for angle, sensor in zip(robot.angles, robot.obstacle_sensors, strict=True)
        ],
        "compass": robot.compass_sensor.value,
        "ground": robot.ground_sensor.value,
        "beacons": [sensor.value for sensor in robot.beacon_sensors],
        "line": robot.line,
        "say": robot.say,
    }


def leds(end: bool, returning: bool, visiting: bool) -> Facts:
    """Return leds under their names."""
    return {"end": end, "returning": returning, "visiting": visiting}
