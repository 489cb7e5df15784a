"""What ROS clients make robots do: drive by `cmd_vel`, put them elsewhere, switch their motors.

A robot stops when its driver is silent for a while, and nobody drives a robot that the client of another protocol holds.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.navigation.service import navigation_of
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import Subject
from mobilesim_py.services.ros.sensing import heading_of
from mobilesim_py.services.service import Service

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot, Thing

SILENCE = 0.6
"""How long a robot obeys the last `cmd_vel` [s of a real clock, in lockstep of the simulated one]."""


@dataclass
class Driver:
    """Who drives a robot, until when, and whether it has said something since the last step."""

    client: Hashable
    until: float
    was_heard: bool = True


class Driving:
    """Who drives which robot by ROS."""

    def __init__(self) -> None:
        self.drivers: dict[Robot, Driver] = {}
        self.own: Service | None = None
        """The service of ROS itself, whose clients may take a robot from one another."""

    def is_held(self, moment: Moment, robot: Robot) -> bool:
        """Whether the client of another protocol drives a robot."""
        return any(robot in service.held() for service in moment.stage.services if service is not self.own)

    def took(self, moment: Moment, robot: Robot) -> None:
        """Note that the client of this moment drives a robot."""
        self.drivers[robot] = Driver(moment.client, moment.stage.clock.real() + SILENCE)

    def let_go(self, robot: Robot) -> None:
        """Forget who drove a robot: it is sent somewhere now."""
        self.drivers.pop(robot, None)

    def pass_time(self, moment: Moment) -> None:
        """Stop robots whose drivers are silent."""
        now = moment.stage.clock.real()
        for robot, driver in list(self.drivers.items()):
            driver.was_heard = False
            if robot.column < 0:
                del self.drivers[robot]
            elif now >= driver.until:
                del self.drivers[robot]
                if not self.is_held(moment, robot):
                    robot.stop()

    def awaits(self) -> bool:
        """Whether some driver has said nothing since the last step."""
        return any(not driver.was_heard for driver in self.drivers.values())

    def robots_of(self, client: Hashable) -> list[Robot]:
        """Return the robots that a client drives."""
        return [robot for robot, driver in self.drivers.items() if driver.client == client]


def obey_velocity(moment: Moment, subject: Subject, message: Message) -> None:
    """Obey geometry_msgs/Twist: forward, to the left [m/s], counter-clockwise [rad/s]."""
    robot = subject.body
    forward, left = message["linear"]["x"], message["linear"]["y"]
    rotation = message["angular"]["z"]
    if not all(map(math.isfinite, (forward, left, rotation))):
        moment.stage.log.occasionally("cmd_vel", "ROS: a cmd_vel that is not finite is not obeyed.", robot.name)
        return
    if moment.driving.is_held(moment, robot):
        moment.stage.log.occasionally(
            "held", "ROS: cmd_vel is not obeyed while a client of another protocol holds the robot.", robot.name, every=60.0
        )
        return
    navigation = navigation_of(moment.stage)
    if navigation is not None and not (forward or left or rotation) and navigation.is_under_way(robot):
        return  # Joysticks and sliders that are left alone say zero all the time; that is no wish to take over.
    drive(robot, forward, left, rotation)
    moment.driving.took(moment, robot)


def drive(robot: Robot, forward: float, left: float, rotation: float) -> None:
    """Let a robot drive at these speeds, as far as it can."""
    if robot.wheels is not None:
        turn = 0.5 * rotation * robot.wheels.track
        # Where a rim cannot be as fast as that, both are slower, so that the robot stays on its curve.
        share = min(1.0, robot.speed_limit(0) / max(abs(forward) + abs(turn), 1e-9))
        robot.roll(share * (forward - turn), share * (forward + turn))
        return
    robot.drive(forward)
    robot.slide(left)
    robot.turn(rotation)


def obey_place(moment: Moment, subject: Subject, message: Message) -> None:
    """Obey geometry_msgs/PoseWithCovarianceStamped: put the robot there; a zero quaternion leaves its heading."""
    put(subject.body, message["pose"]["pose"])


def put(thing: Thing, pose: Message) -> bool:
    """Put a robot or a box elsewhere; return whether that made sense."""
    x, y = pose["position"]["x"], pose["position"]["y"]
    heading = heading_of(pose["orientation"])
    if not is_place(x, y):
        return False
    thing.place(x, y, thing.pose.heading if heading is None else heading)
    return True


FARTHEST = 1e6
"""No place is farther from the origin [m]."""


def is_place(x: float, y: float) -> bool:
    """Whether something can be put there."""
    return math.isfinite(x) and math.isfinite(y) and max(abs(x), abs(y)) <= FARTHEST


def switch_motors(moment: Moment, subject: Subject, message: Message) -> None:
    """Obey p2os_msgs/MotorState."""
    subject.body.motors = message["state"] != 0
