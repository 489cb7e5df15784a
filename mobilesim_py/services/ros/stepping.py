"""The action SimulateSteps of simulation_interfaces: so many steps while the simulation is paused, with word of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.carrier import GoalKeeper, GoalStatus
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import ActionRow, Each, Subject
from mobilesim_py.services.ros.simulation_services import INCORRECT_STATE, MOST_STEPS, OK

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation


def _result(code: int, text: str = "") -> Message:
    return {"result": {"result": code, "error_message": text}}


def take_steps(moment: Moment, subject: Subject, goal: Message, keeper: GoalKeeper) -> Callable[[], None]:
    """Take steps while paused."""
    stage, steps = moment.stage, int(goal["steps"])
    if not stage.clock.paused:
        text = "Steps are taken while the simulation is paused."
        keeper.finished(GoalStatus.ABORTED, _result(INCORRECT_STATE, text), text)
        return lambda: None
    if not 1 <= steps <= MOST_STEPS:
        keeper.finished(GoalStatus.REJECTED, {}, f"Take 1 to {MOST_STEPS} steps.")
        return lambda: None
    done = 0

    def stepped(simulation: Simulation) -> None:
        nonlocal done
        done += 1
        keeper.feedback({"completed_steps": done, "remaining_steps": steps - done})
        if done == steps:
            stage.after_step.remove(stepped)
            keeper.finished(GoalStatus.SUCCEEDED, _result(OK))

    def cancel() -> None:
        if stepped in stage.after_step:
            stage.after_step.remove(stepped)
            stage.clock.single_step(done - steps)
            keeper.finished(GoalStatus.CANCELLED, _result(OK), f"{done} of {steps} steps were taken.")

    stage.after_step.append(stepped)
    stage.clock.single_step(steps)
    return cancel


STEPPING = ActionRow(
    "/simulate_steps",
    "simulation_interfaces/SimulateSteps",
    "Takes steps while paused, with word of each.",
    each=Each.WORLD,
    pursue=take_steps,
)
