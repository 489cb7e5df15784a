"""States of the run and of its robots, and how one leads to the next at the end of a cycle."""

from __future__ import annotations

from enum import Enum

from mobilesim_py.services.ciberrato.robot import Robot, State
from mobilesim_py.services.ciberrato.scoring import Scoring


class RunState(Enum):
    """What the run is doing; the value is the word for people."""

    READY = "Ready"
    STOPPED = "Stopped"
    RUNNING = "Running"
    FINISHED = "Finished"


def next_robot_state(robot: Robot, run: RunState, scoring: Scoring) -> State:
    """Return a robot's state for the next cycle, when the run's own state has already changed."""
    state = robot.state
    if state is State.REMOVED or robot.removed:
        return State.REMOVED
    if state is State.STOPPED:
        return robot.state_before_stop if run is not RunState.STOPPED else state
    if state is State.FINISHED:
        return state
    if run is RunState.STOPPED:
        robot.state_before_stop = state
        return State.STOPPED
    return scoring.next_state(robot)
