"""Services of robots and of the world: motors, reset, map, pause; each a `Serve` of the table."""

from __future__ import annotations

from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.carrier import Answer
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import Serve, Subject
from mobilesim_py.services.ros.sensing import MAP

_NOTHING: Message = {}


def switch(on: bool) -> Serve:
    """Return what switches a robot's motors (std_srvs/Empty)."""

    def serve(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
        subject.body.motors = on
        answer(_NOTHING, "")

    return serve


def set_motors(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    """Switch a robot's motors (std_srvs/SetBool)."""
    subject.body.motors = request["data"]
    answer({"success": True, "message": ""}, "")


def reset(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    """Put a robot back to its start, at rest, odometry zero (std_srvs/Empty)."""
    put_back(subject)
    answer(_NOTHING, "")


def put_back(subject: Subject) -> None:
    """Put a robot back to its start."""
    robot = subject.body
    robot.halt()
    robot.place(robot.start.x, robot.start.y, robot.start.heading)
    robot.set_odometry()


def reset_all(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    """Put all robots back (std_srvs/Empty)."""
    for one in moment.subjects:
        put_back(one)
    answer(_NOTHING, "")


def static_map(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    """Give the map (nav_msgs/GetMap)."""
    answer({"map": moment.map.message(moment.header(MAP))}, "")


def pause(paused: bool) -> Serve:
    """Return what stops the world or lets it go on (std_srvs/Empty)."""

    def serve(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
        moment.stage.clock.pause(paused)
        answer(_NOTHING, "")

    return serve


def step(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    """Take one step while paused (std_srvs/Trigger)."""
    paused = moment.stage.clock.paused
    if paused:
        moment.stage.clock.single_step()
    text = "" if paused else "Single steps are taken while the simulation is paused: call pause first."
    answer({"success": paused, "message": text}, "")


def loggers(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    """Name our one logger (roscpp/GetLoggers)."""
    answer({"loggers": [{"name": "mobilesim", "level": "info"}]}, "")


def set_logger_level(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    """Take note of a wish, which changes nothing (roscpp/SetLoggerLevel)."""
    answer(_NOTHING, "")
