"""Where everything is against each other: the transforms of tf. Frames as in REP 105: map, odom, base_link, sensors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.cameras import camera_places
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import Subject
from mobilesim_py.services.ros.sensing import BASE, MAP, ODOM, SONAR_FRAME, laser_frame, quaternion


@lru_cache(maxsize=4096)
def _offset(x: float, y: float, heading: float) -> Message:
    return {"translation": {"x": x, "y": y, "z": 0.0}, "rotation": quaternion(heading)}


def _transform(header: Message, child: str, pose: Pose) -> Message:
    transform = {"translation": {"x": pose.x, "y": pose.y, "z": 0.0}, "rotation": quaternion(pose.heading)}
    return {"header": header, "child_frame_id": child, "transform": transform}


def map_to_odometry(truth: Pose, odometry: Pose) -> Pose:
    """Return where the frame of odometry is in the map, so that both lead to the true pose."""
    heading = truth.heading - odometry.heading
    cos, sin = math.cos(heading), math.sin(heading)
    return Pose(truth.x - (odometry.x * cos - odometry.y * sin), truth.y - (odometry.x * sin + odometry.y * cos), heading)


def transforms(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make tf2_msgs/TFMessage of all robots: map to odom, odom to base_link."""
    moving = []
    in_map = moment.header(MAP)
    for one in moment.subjects:
        robot, odom = one.body, one.frame(ODOM)
        told = robot.odometry
        moving.append(_transform(in_map, odom, map_to_odometry(moment.located(robot) or robot.pose, told)))
        moving.append(_transform(moment.header(odom), one.frame(BASE), told))
    return ({"transforms": moving},) if moving else ()


def static_transforms(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make tf2_msgs/TFMessage of all that is fixed to the robots."""
    fixed = []
    for one in moment.subjects:
        header = moment.header(one.frame(BASE))
        model = one.body.model
        places = [(laser_frame(number), laser.pose) for number, laser in enumerate(model.lasers)]
        places += [(f"{SONAR_FRAME}_{number}", place) for number, place in enumerate(model.sonar.transducers)]
        places += [("imu_link", Pose()), ("gps", Pose(*model.pioneer.gps))]
        for name, pose in places:
            offset = _offset(pose.x, pose.y, pose.heading)
            fixed.append({"header": header, "child_frame_id": one.frame(name), "transform": offset})
        for name, transform in camera_places(one):
            fixed.append({"header": header, "child_frame_id": one.frame(name), "transform": transform})
    return ({"transforms": fixed},)
