"""Entries of a log: all robots of one cycle, with the actions they got and the measures they were sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mobilesim_py.protocols.ciber.actions import Actions
from mobilesim_py.protocols.ciber.documents import on, quoted
from mobilesim_py.protocols.ciber.measures import Measures, logged_measures
from mobilesim_py.protocols.ciber.views import RobotView


@dataclass(slots=True)
class LogRobot:
    """A robot of an entry: how viewers see it, what it got in this cycle (motors as clamped) and all its measures."""

    view: RobotView
    received: Actions | None
    measures: Measures


def log_entry(time: int, robots: Iterable[LogRobot]) -> str:
    """Return the `<LogInfo>` of a cycle."""
    return "".join([f'<LogInfo Time="{time}">\n', *(_robot(robot) for robot in robots), "</LogInfo>\n"])


def _robot(robot: LogRobot) -> str:
    view, s = robot.view, robot.view.scores
    return (
        f'\t<Robot Name="{quoted(view.name)}" Id="{view.id}" State="{view.state}">\n'
        f'\t\t<Pos X="{view.x:g}" Y="{view.y:g}" Dir="{view.heading_deg:g}"/>\n'
        f'\t\t<Scores Score="{s.score & 0xFFFFFFFF}" ArrivalTime="{s.arrival_time}" ReturningTime="{s.returning_time}" '
        f'Collisions="{s.collisions}" Collision="{s.collision}" VisitedMask="{s.visited_mask}"/>\n'
        f"{_action(robot.received)}{logged_measures(robot.measures)}\t</Robot>\n"
    )


def _action(received: Actions | None) -> str:
    """Return the actions of a cycle; a change of the visiting led alone is none, as in every log of the contest."""
    if received is None:
        return ""
    r = received
    if r.left_motor is None and r.right_motor is None and r.end_led is None and r.returning_led is None:
        return ""
    text = "\t\t<Action"
    text += "" if r.left_motor is None else f' LeftMotor="{r.left_motor:g}"'
    text += "" if r.right_motor is None else f' RightMotor="{r.right_motor:g}"'
    text += "" if r.end_led is None else f' EndLed="{on(r.end_led)}"'
    text += "" if r.returning_led is None else f' ReturningLed="{on(r.returning_led)}"'
    text += "" if r.visiting_led is None else f' VisitingLed="{on(r.visiting_led)}"'
    return text + " />\n"
