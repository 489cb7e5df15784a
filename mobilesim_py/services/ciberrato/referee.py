"""The referee who needs no hand: starts the run when all robots are there, sees that it is over, and reads the scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mobilesim_py.services.ciberrato.game import Game
from mobilesim_py.services.ciberrato.robot import State
from mobilesim_py.services.ciberrato.scoring import tie_break_time
from mobilesim_py.services.ciberrato.states import RunState

LAST_CYCLES = 5
"""Cycles after the end in which agents are still told that it is over."""
DONE = (State.FINISHED, State.REMOVED)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a robot stands: its score, and the time that decides between equal scores, in cycles."""

    id: int
    name: str
    state: str
    score: int
    time: int
    collisions: int
    arrival_time: int
    returning_time: int
    visited_mask: str


class Referee:
    """Watches a game from cycle to cycle."""

    def __init__(self, game: Game, expected: int = 1, starts: bool = False) -> None:
        """Watch a game; one that `starts` it does so when the expected number of robots is there."""
        self._game = game
        self._expected = expected
        self._starts = starts
        self._cycles_over = 0

    def after_cycle(self) -> None:
        """Look at the game; called when a cycle is over."""
        game = self._game
        if self._starts and game.state is RunState.STOPPED and not game.time and len(game.present) >= self._expected:
            game.start()
        self._cycles_over = self._cycles_over + 1 if self.is_over else 0

    @property
    def is_over(self) -> bool:
        """Return whether nobody can change the scores any more."""
        game = self._game
        if game.state is RunState.FINISHED:
            return True
        return game.time > 0 and bool(game.present) and all(robot.state in DONE for robot in game.present)

    @property
    def may_go(self) -> bool:
        """Return whether it has been over for as long as it takes to tell everybody."""
        return self._cycles_over > LAST_CYCLES

    def standings(self) -> list[Standing]:
        """Return how the robots stand, the best first."""
        return ranked(
            Standing(
                robot.id,
                robot.name,
                robot.state.value,
                robot.scores.score,
                tie_break_time(robot, self._game.parameters),
                robot.scores.collisions,
                robot.scores.arrival_time,
                robot.scores.returning_time,
                robot.scores.visited_mask,
            )
            for robot in self._game.present
        )


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """Return standings by score and time; the lowest score is the best."""
    return sorted(standings, key=lambda standing: (standing.score, standing.time, standing.id))


def board_text(standings: Iterable[Standing]) -> str:
    """Write a score board."""
    rows = [("Place", "Robot", "Score", "Time", "Collisions", "State")]
    for place, one in enumerate(standings, start=1):
        rows.append((str(place), f"{one.id} {one.name}", str(one.score), str(one.time), str(one.collisions), one.state))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows)
