"""How robots move and hit things: motors with inertia and noise, straight on and then a turn, and what is in the way."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mobilesim_py.services.ciberrato.noise import Noise, Stream
from mobilesim_py.services.ciberrato.robot import MAX_POWER, RADIUS, Robot, State
from mobilesim_py.services.ciberrato.rules import Rules
from mobilesim_py.services.ciberrato.walls import Walls

DIAMETER = 2.0 * RADIUS


def accepted_power(order: float, rules: Rules) -> float:
    """Return what a motor makes of an order: within its range, and as fine as the rules say."""
    if rules.power_step is not None:
        order = round(order / rules.power_step) * rules.power_step
    return MAX_POWER if order > MAX_POWER else -MAX_POWER if order < -MAX_POWER else order


def next_poses(robots: Sequence[Robot], deviation_percent: float, noise: Noise, tick: int, rules: Rules) -> None:
    """Compute where robots come to if nothing stops them: along the old heading first, then the turn."""
    for robot in robots:
        left = 0.5 * robot.left_order + 0.5 * robot.left_power
        right = 0.5 * robot.right_order + 0.5 * robot.right_power
        robot.left_power, robot.right_power = left, right
        if deviation_percent:
            left *= (noise.normal(robot.id, Stream.LEFT_MOTOR, tick) * deviation_percent + 100.0) / 100.0
            right *= (noise.normal(robot.id, Stream.RIGHT_MOTOR, tick) * deviation_percent + 100.0) / 100.0
            if rules.noise_fed_back:
                robot.left_power, robot.right_power = left, right
        robot.speed = (right + left) / 2.0
        heading = robot.heading
        robot.next_x = robot.x + robot.speed * math.cos(heading)
        robot.next_y = robot.y + robot.speed * math.sin(heading)
        heading += (right - left) / DIAMETER
        if heading > math.pi:
            heading -= 2.0 * math.pi
        elif heading < -math.pi:
            heading += 2.0 * math.pi
        robot.next_heading = heading


def find_collisions(robots: Sequence[Robot], walls: Walls) -> None:
    """Mark the robots whose next place is taken by a wall or, if they drive towards it, by another robot."""
    for robot in robots:
        robot.hit_wall = walls.touches(robot.next_x, robot.next_y, RADIUS)
        robot.hit_robot = False
    for i, robot in enumerate(robots):
        for other in robots[i + 1 :]:
            dx, dy = robot.next_x - other.next_x, robot.next_y - other.next_y
            if math.sqrt(dx * dx + dy * dy) < DIAMETER:
                robot.hit_robot |= drives_towards(robot, other)
                other.hit_robot |= drives_towards(other, robot)


def drives_towards(robot: Robot, other: Robot) -> bool:
    """Return whether a robot moves towards another one, forwards or backwards."""
    if robot.x == other.x and robot.y == other.y:
        return False
    deviation = abs(math.atan2(other.y - robot.y, other.x - robot.x) - robot.heading)
    ahead = deviation < math.pi / 2.0 or deviation > 3.0 * math.pi / 2.0
    behind = math.pi / 2.0 < deviation < 3.0 * math.pi / 2.0
    return (robot.speed > 0 and ahead) or (robot.speed < 0 and behind)


def commit(robots: Sequence[Robot]) -> None:
    """Move the robots that may move; one that collides only turns."""
    for robot in robots:
        if robot.state is State.STOPPED or robot.state is State.FINISHED:
            continue
        robot.heading = robot.next_heading
        if not robot.hit:
            robot.x, robot.y = robot.next_x, robot.next_y
