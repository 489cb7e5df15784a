"""What robots tell: one function for each kind of message, each a `Source` of the table. Units and axes as in REP 103."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from mobilesim_py.core.devices.bumper import BUMPER
from mobilesim_py.core.devices.gps import GPS, GpsReadings
from mobilesim_py.core.devices.imu import IMU, ImuReadings
from mobilesim_py.core.devices.sonar import SONAR, SonarUnit
from mobilesim_py.geometry import BoolArray, FloatArray, Pose, compose
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import Subject

BASE, ODOM, MAP, LASER_FRAME, SONAR_FRAME = "base_link", "odom", "map", "laser", "sonar"
GRAVITY = 9.80665
WHEEL_RADIUS = 0.0975
"""Of a Pioneer 3 [m]; the models do not say it, and joints are told in radians."""
_FLAT = np.zeros(36)
_FLAT[[14, 21, 28]] = 1e6
"""Nothing is known of height, roll and pitch."""
_UNKNOWN_9 = np.zeros(9)
_NO_NUMBERS = np.zeros(0, np.float32)
NAN = math.nan


def quaternion(heading: float) -> Message:
    """Return geometry_msgs/Quaternion of a heading [rad]."""
    return {"x": 0.0, "y": 0.0, "z": math.sin(heading / 2.0), "w": math.cos(heading / 2.0)}


def heading_of(orientation: Message) -> float | None:
    """Return the heading of a quaternion [rad]; None for one of zeros, which says nothing of a heading."""
    x, y, z, w = (orientation[name] for name in "xyzw")
    norm = x * x + y * y + z * z + w * w
    if not math.isfinite(norm) or norm < 1e-12:
        return None
    return math.atan2(2.0 * (w * z + x * y), norm - 2.0 * (y * y + z * z))


def pose_message(pose: Pose) -> Message:
    """Return geometry_msgs/Pose."""
    return {"position": {"x": pose.x, "y": pose.y, "z": 0.0}, "orientation": quaternion(pose.heading)}


def _twist(forward: float, lateral: float, rotation: float) -> Message:
    return {"linear": {"x": forward, "y": lateral, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": rotation}}


def _odometry(moment: Moment, subject: Subject, pose: Pose, frame: str) -> Message:
    return {
        "header": moment.header(frame),
        "child_frame_id": subject.frame(BASE),
        "pose": {"pose": pose_message(pose), "covariance": _FLAT},
        "twist": {"twist": _twist(*subject.body.velocity), "covariance": _FLAT},
    }


def odometry(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make nav_msgs/Odometry: where the wheels say that the robot is."""
    return (_odometry(moment, subject, subject.body.odometry, subject.frame(ODOM)),)


def ground_truth(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make nav_msgs/Odometry: where the robot truly is."""
    return (_odometry(moment, subject, subject.body.pose, MAP),)


def true_pose(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make geometry_msgs/PoseStamped: where the robot truly is."""
    return ({"header": moment.header(MAP), "pose": pose_message(subject.body.pose)},)


def odometry_in_map(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make nav_msgs/Odometry as a localisation makes it: the true pose, in the frame of the map."""
    return (_odometry(moment, subject, subject.body.pose, MAP),)


# Ranges


def laser_frame(number: int) -> str:
    """Return the name of a laser's frame."""
    return f"{LASER_FRAME}_{number}" if number else LASER_FRAME


def scan(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make sensor_msgs/LaserScan: counter-clockwise, infinite where nothing was met (REP 117)."""
    laser = subject.laser
    model, count = laser.model, laser.count
    if not count:
        return ()
    measured, reflectance = moment.scan(laser)
    start, increment = laser.start, laser.increment
    if increment < 0.0:
        start, increment = start + (count - 1) * increment, -increment
        measured, reflectance = measured[::-1], reflectance[::-1]
    ranges = measured.astype(np.float32)
    ranges[measured >= model.range_max] = np.inf
    if model.range_min > 0.0:
        ranges[measured < model.range_min] = -np.inf
    return (
        {
            "header": moment.header(subject.frame(laser_frame(subject.number))),
            "angle_min": start,
            "angle_max": start + (count - 1) * increment,
            "angle_increment": increment,
            "time_increment": 0.0,
            "scan_time": max(model.period, moment.simulation.dt),
            "range_min": model.range_min,
            "range_max": model.range_max,
            "ranges": ranges,
            "intensities": reflectance.astype(np.float32),
        },
    )


def sonar_of(subject: Subject) -> SonarUnit | None:
    """Return the robot's sonar, if it has transducers."""
    return next((unit for unit in subject.body.units(SONAR) if unit.model.transducers), None)


def _echo_places(moment: Moment, subject: Subject) -> tuple[FloatArray, BoolArray]:
    """Return the places of all echoes in the robot's frame, N x 2 [m], and which of them met something."""
    sonar = sonar_of(subject)
    assert sonar is not None
    ranges = moment.echoes(sonar)
    transducers = sonar.model.transducers
    headings = np.array([place.heading for place in transducers])
    places = np.array([(place.x, place.y) for place in transducers])
    return places + ranges[:, None] * np.stack([np.cos(headings), np.sin(headings)], 1), ranges < sonar.model.range_max


def sonar_cloud(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make sensor_msgs/PointCloud: a point for each transducer in the robot's frame, as RosAria does."""
    places, _ = _echo_places(moment, subject)
    points = [{"x": x, "y": y, "z": 0.0} for x, y in places.tolist()]
    return ({"header": moment.header(subject.frame(BASE)), "points": points, "channels": []},)


_XYZ = [{"name": name, "offset": 4 * place, "datatype": 7, "count": 1} for place, name in enumerate("xyz")]


def sonar_cloud_2(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make sensor_msgs/PointCloud2 of the same points."""
    places, _ = _echo_places(moment, subject)
    data = np.zeros((len(places), 3), "<f4")
    data[:, :2] = places
    return (
        {
            "header": moment.header(subject.frame(BASE)),
            "height": 1,
            "width": len(places),
            "fields": _XYZ,
            "is_bigendian": False,
            "point_step": 12,
            "row_step": 12 * len(places),
            "data": data.tobytes(),
            "is_dense": True,
        },
    )


def sonar_ranges(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make sensor_msgs/Range, one for each transducer, each in a frame of its own."""
    sonar = sonar_of(subject)
    assert sonar is not None
    model = sonar.model
    for number, measured in enumerate(moment.echoes(sonar).tolist()):
        yield {
            "header": moment.header(subject.frame(f"{SONAR_FRAME}_{number}")),
            "radiation_type": 0,
            "field_of_view": model.cone,
            "min_range": model.range_min,
            "max_range": model.range_max,
            "range": math.inf if measured >= model.range_max else measured,
            "variance": 0.0,
        }


def sonar_array(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make p2os_msgs/SonarArray."""
    sonar = sonar_of(subject)
    assert sonar is not None
    ranges = moment.echoes(sonar)
    return ({"header": moment.header(subject.frame(BASE)), "ranges_count": len(ranges), "ranges": ranges},)


# The rest of what a robot knows of itself


def imu(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make sensor_msgs/Imu: of the inertial unit, or else of the body, with the acceleration that keeps it on its curve."""
    robot = subject.body
    unit = next(iter(robot.units(IMU)), None)
    if unit is not None:
        readings, row = moment.look(unit)
        assert isinstance(readings, ImuReadings)
        rates, forces = readings.rates[row].tolist(), readings.forces[row].tolist()
    else:
        forward, _, rotation = robot.velocity
        rates, forces = [0.0, 0.0, rotation], [moment.acceleration(robot, forward), forward * rotation, GRAVITY]
    return (
        {
            "header": moment.header(subject.frame("imu_link")),
            "orientation": quaternion(robot.odometry.heading),
            "orientation_covariance": _UNKNOWN_9,
            "angular_velocity": dict(zip("xyz", rates, strict=True)),
            "angular_velocity_covariance": _UNKNOWN_9,
            "linear_acceleration": dict(zip("xyz", forces, strict=True)),
            "linear_acceleration_covariance": _UNKNOWN_9,
        },
    )


def _volts(subject: Subject) -> float:
    battery = subject.body.battery
    return NAN if battery is None or battery.volts is None else battery.volts


def _charge(subject: Subject) -> float:
    battery = subject.body.battery
    return NAN if battery is None or battery.charge is None else battery.charge


def battery_state(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make sensor_msgs/BatteryState; NaN is what the robot does not measure."""
    return (
        {
            "header": moment.header(subject.frame(BASE)),
            "voltage": _volts(subject),
            "temperature": NAN,
            "current": NAN,
            "charge": NAN,
            "capacity": NAN,
            "design_capacity": NAN,
            "percentage": _charge(subject),
            "power_supply_status": 0,
            "power_supply_health": 0,
            "power_supply_technology": 0,
            "present": True,
            "cell_voltage": _NO_NUMBERS,
            "cell_temperature": _NO_NUMBERS,
            "location": "",
            "serial_number": "",
        },
    )


def battery_voltage(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make std_msgs/Float64."""
    return ({"data": _volts(subject)},)


def battery_charge(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make std_msgs/Float32: the share of the full charge."""
    return ({"data": _charge(subject)},)


def battery_recharge(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make std_msgs/Int8: how the battery is charged."""
    battery = subject.body.battery
    return ({"data": int(battery.charging) if battery is not None else 0},)


def battery_p2os(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make p2os_msgs/BatteryState."""
    return ({"header": moment.header(subject.frame(BASE)), "voltage": _volts(subject)},)


def bumper(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make std_msgs/Bool: whether the robot touches something."""
    return ({"data": subject.body.contact is not None},)


def bumper_state(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make rosaria/BumperState: the segments that touch, front ones from left to right, rear ones from right to left."""
    facts, unit = subject.body.model.pioneer, next(iter(subject.body.units(BUMPER)), None)
    pressed = unit.pressed if unit is not None else (0, 0)
    front, rear = (
        [bool(bits >> k & 1) for k in range(count)]
        for bits, count in zip(pressed, (facts.front_bumpers, facts.rear_bumpers), strict=True)
    )
    return ({"header": moment.header(subject.frame(BASE)), "front_bumpers": front, "rear_bumpers": rear},)


def joint_states(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make sensor_msgs/JointState of the left and the right wheel."""
    robot = subject.body
    forward, _, rotation = robot.velocity
    turn = 0.5 * rotation * robot.model.drive.track
    return (
        {
            "header": moment.header(""),
            "name": [subject.frame("left_wheel_joint"), subject.frame("right_wheel_joint")],
            "position": np.array(robot.wheel_ways) / WHEEL_RADIUS,
            "velocity": np.array([forward - turn, forward + turn]) / WHEEL_RADIUS,
            "effort": _NO_NUMBERS,
        },
    )


def gps_fix(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make sensor_msgs/NavSatFix of the robot's receiver, or else of its true place; without a fix where there is none."""
    georeference = moment.simulation.world.georeference
    assert georeference is not None
    x, y, fixed = _received(moment, subject)
    latitude, longitude, altitude = georeference.at(x, y) if fixed else (NAN, NAN, NAN)
    return (
        {
            "header": moment.header(subject.frame("gps")),
            "status": {"status": 0 if fixed else -1, "service": 1},
            "latitude": latitude,
            "longitude": longitude,
            "altitude": altitude,
            "position_covariance": _UNKNOWN_9,
            "position_covariance_type": 0,
        },
    )


def _received(moment: Moment, subject: Subject) -> tuple[float, float, bool]:
    """Return where in the world a robot believes to be, and whether it has a fix."""
    robot = subject.body
    unit = next(iter(robot.units(GPS)), None)
    if unit is not None:
        readings, row = moment.look(unit)
        assert isinstance(readings, GpsReadings)
        return float(readings.x[row]), float(readings.y[row]), bool(readings.fixed[row])
    antenna = compose(robot.pose, Pose(*robot.model.pioneer.gps))
    return antenna.x, antenna.y, not moment.simulation.world.is_gps_bad(antenna.x, antenna.y)


def motors_on(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make std_msgs/Bool: whether the motors are enabled."""
    return ({"data": subject.body.motors},)


def motor_state(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make p2os_msgs/MotorState."""
    return ({"state": int(subject.body.motors)},)


# The world


def world_map(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make nav_msgs/OccupancyGrid."""
    return (moment.map.message(moment.header(MAP)),)


def map_metadata(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make nav_msgs/MapMetaData."""
    return (moment.map.metadata,)


def clock(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make rosgraph_msgs/Clock."""
    return ({"clock": moment.stamp},)


def log_lines(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make rosgraph_msgs/Log of what was logged since the last time."""
    lines, moment.log_lines = moment.log_lines, []
    return lines
