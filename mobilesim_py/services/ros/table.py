"""The one table of topics, services and actions, which all carriers and docs/ros.md read."""

from __future__ import annotations

from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.ros import cameras, driving, frames, navigating, scene, sensing, steering
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.republishing import REPUBLISHING
from mobilesim_py.services.ros.rows import STEP, ActionRow, Each, ServiceRow, Subject, TopicRow
from mobilesim_py.services.ros.simulation_services import SIMULATION_SERVICES
from mobilesim_py.services.ros.stepping import STEPPING
from mobilesim_py.world.world import World

_BUMPERS = "rosaria/BumperState"


def _has_sonar(moment: Moment, subject: Subject) -> bool:
    return sensing.sonar_of(subject) is not None


def _has_battery(moment: Moment, subject: Subject) -> bool:
    return subject.body.battery is not None


def _has_bumpers(moment: Moment, subject: Subject) -> bool:
    facts = subject.body.model.pioneer
    return facts.front_bumpers + facts.rear_bumpers > 0


def _has_wheels(moment: Moment, subject: Subject) -> bool:
    return not subject.body.model.drive.omnidirectional


def _has_georeference(moment: Moment, subject: Subject) -> bool:
    return moment.simulation.world.georeference is not None


def _has_simulated_time(moment: Moment, subject: Subject) -> bool:
    return moment.simulated_time


def _charging(moment: Moment, subject: Subject) -> int:
    battery = subject.body.battery
    return int(battery.charging) if battery is not None else 0


def _motors(moment: Moment, subject: Subject) -> bool:
    return subject.body.motors


def _world(moment: Moment, subject: Subject) -> World:
    return moment.simulation.world


def _population(moment: Moment, subject: Subject) -> int:
    return moment.simulation.changes


def _has_camera(moment: Moment, subject: Subject) -> bool:
    return cameras.camera_of(subject) is not None


def _camera_rows(side: int, name: str) -> tuple[TopicRow, TopicRow]:
    return (
        TopicRow(
            f"{name}/image_raw", "sensor_msgs/Image", f"The picture of the {name} camera, a Bayer mosaic.", period=0.2,
            source=cameras.picture(side), has=_has_camera,
        ),
        TopicRow(
            f"{name}/camera_info", "sensor_msgs/CameraInfo", f"How the {name} camera draws.", period=0.2,
            source=cameras.lens(side), has=_has_camera,
        ),
    )  # fmt: skip


TOPICS: tuple[TopicRow, ...] = (
    TopicRow(
        "odom", "nav_msgs/Odometry", "Where the wheels say that the robot is, and its speeds.",
        source=sensing.odometry, names={"rosaria": "RosAria/pose", "p2os": "pose"},
    ),
    TopicRow(
        "odometry/filtered", "nav_msgs/Odometry", "The true pose, as a localisation would tell it.",
        source=sensing.odometry_in_map, only=("trimbot",),
    ),
    TopicRow(
        "slam_node/pose", "geometry_msgs/PoseStamped", "The true pose in the map.",
        source=sensing.true_pose, only=("trimbot",),
    ),
    TopicRow(
        "base_pose_ground_truth", "nav_msgs/Odometry", "Where the robot truly is.", source=sensing.ground_truth,
    ),
    TopicRow(
        "scan", "sensor_msgs/LaserScan", "A laser's ranges; of the second laser `scan_1`, and so on.", each=Each.LASER,
        source=sensing.scan, names={"stage": "base_scan", "rosaria": "RosAria/scan"},
    ),
    TopicRow(
        "sonar", "sensor_msgs/PointCloud", "The places of all sonar echoes in the robot's frame.",
        source=sensing.sonar_cloud, names={"rosaria": "RosAria/sonar", "p2os": ""}, has=_has_sonar,
    ),
    TopicRow(
        "sonar_pointcloud2", "sensor_msgs/PointCloud2", "The same as PointCloud2.",
        source=sensing.sonar_cloud_2, names={"rosaria": "RosAria/sonar_pointcloud2"}, has=_has_sonar,
    ),
    TopicRow(
        "sonar", "p2os_msgs/SonarArray", "The ranges of all sonar transducers.",
        source=sensing.sonar_array, only=("p2os",), has=_has_sonar,
    ),
    TopicRow(
        "sonar/ranges", "sensor_msgs/Range", "The range of each sonar transducer, in its own frame.",
        source=sensing.sonar_ranges, names={"p2os": "sonar_ranges", "rosaria": "RosAria/sonar_ranges"}, has=_has_sonar,
    ),
    TopicRow("imu/data", "sensor_msgs/Imu", "Heading, turn and acceleration.", source=sensing.imu),
    TopicRow(
        "battery_state", "sensor_msgs/BatteryState", "Voltage and share of charge.", period=1.0,
        source=sensing.battery_state, names={"p2os": ""}, has=_has_battery,
    ),
    TopicRow(
        "battery_state", "p2os_msgs/BatteryState", "Voltage.", period=1.0,
        source=sensing.battery_p2os, only=("p2os",), has=_has_battery,
    ),
    TopicRow(
        "RosAria/battery_voltage", "std_msgs/Float64", "Voltage.", period=1.0,
        source=sensing.battery_voltage, only=("rosaria",), has=_has_battery,
    ),
    TopicRow(
        "RosAria/battery_state_of_charge", "std_msgs/Float32", "Share of the full charge.", period=1.0,
        source=sensing.battery_charge, only=("rosaria",), has=_has_battery,
    ),
    TopicRow(
        "RosAria/battery_recharge_state", "std_msgs/Int8", "How it is charged: 0 not, 1 bulk, 2 overcharge, 3 float.",
        latched=True, version=_charging, source=sensing.battery_recharge, only=("rosaria",), has=_has_battery,
    ),
    TopicRow("bumper", "std_msgs/Bool", "Whether the robot touches something.", source=sensing.bumper),
    TopicRow(
        "bumper_state", _BUMPERS, "Which bumper segments touch something.",
        source=sensing.bumper_state, names={"rosaria": "RosAria/bumper_state"}, has=_has_bumpers,
    ),
    TopicRow(
        "joint_states", "sensor_msgs/JointState", "Angles and speeds of the wheels.",
        source=sensing.joint_states, has=_has_wheels,
    ),
    TopicRow(
        "fix", "sensor_msgs/NavSatFix", "Latitude and longitude, if the map says where it is on Earth.", period=1.0,
        source=sensing.gps_fix, has=_has_georeference,
    ),
    *(row for side, name in enumerate(cameras.SIDES) for row in _camera_rows(side, name)),
    TopicRow(
        "motors_state", "std_msgs/Bool", "Whether the motors are enabled.", latched=True,
        source=sensing.motors_on, version=_motors, names={"rosaria": "RosAria/motors_state", "p2os": ""},
    ),
    TopicRow(
        "motor_state", "p2os_msgs/MotorState", "Whether the motors are enabled.", latched=True,
        source=sensing.motor_state, version=_motors, only=("p2os",),
    ),
    TopicRow(
        "cmd_vel", "geometry_msgs/Twist", "Speeds to drive at; repeat within 0.6 s.",
        sink=driving.obey_velocity, names={"rosaria": "RosAria/cmd_vel"},
    ),
    TopicRow(
        "cmd_motor_state", "p2os_msgs/MotorState", "Switches the motors.",
        sink=driving.switch_motors, only=("p2os",),
    ),
    TopicRow(
        "initialpose", "geometry_msgs/PoseWithCovarianceStamped", "Puts the robot there; odometry stays.",
        sink=driving.obey_place, needs=Permission.POSE,
    ),
    TopicRow(
        "/tf", "tf2_msgs/TFMessage", "map to odom and odom to base_link of all robots.", each=Each.WORLD,
        source=frames.transforms,
    ),
    TopicRow(
        "/tf_static", "tf2_msgs/TFMessage", "Where sensors are on the robots.", each=Each.WORLD, latched=True,
        source=frames.static_transforms, version=_population,
    ),
    TopicRow(
        "/map", "nav_msgs/OccupancyGrid", "The world: 0 free, 100 obstacle.", each=Each.WORLD, latched=True,
        source=sensing.world_map, version=_world,
    ),
    TopicRow(
        "/map_metadata", "nav_msgs/MapMetaData", "Size and place of the map.", each=Each.WORLD, latched=True,
        source=sensing.map_metadata, version=_world,
    ),
    TopicRow(
        "/clock", "rosgraph_msgs/Clock", "Simulated time, if stamps are simulated time.", each=Each.WORLD, period=STEP,
        source=sensing.clock, has=_has_simulated_time,
    ),
    TopicRow(
        "/scene", "visualization_msgs/MarkerArray", "Walls, boxes and robots as bodies to look at.", each=Each.WORLD,
        latched=True, source=scene.bodies, version=scene.version,
    ),
    *navigating.TOPICS,
    TopicRow("/rosout", "rosgraph_msgs/Log", "The log of the simulator.", each=Each.WORLD, source=sensing.log_lines),
)  # fmt: skip

SERVICES: tuple[ServiceRow, ...] = (
    ServiceRow(
        "enable_motors", "std_srvs/Empty", "Enables the motors.",
        serve=steering.switch(True), names={"rosaria": "RosAria/enable_motors"},
    ),
    ServiceRow(
        "disable_motors", "std_srvs/Empty", "Disables the motors.",
        serve=steering.switch(False), names={"rosaria": "RosAria/disable_motors"},
    ),
    ServiceRow("set_motors", "std_srvs/SetBool", "Enables or disables the motors.", serve=steering.set_motors),
    ServiceRow("reset", "std_srvs/Empty", "Puts the robot back to its start.", serve=steering.reset, needs=Permission.POSE),
    ServiceRow(
        "/reset_positions", "std_srvs/Empty", "Puts all robots back to their starts.", each=Each.WORLD,
        serve=steering.reset_all, needs=Permission.POSE,
    ),
    ServiceRow("/static_map", "nav_msgs/GetMap", "Gives the map.", each=Each.WORLD, serve=steering.static_map),
    ServiceRow("/pause", "std_srvs/Empty", "Stops simulated time.", each=Each.WORLD, serve=steering.pause(True)),
    ServiceRow("/unpause", "std_srvs/Empty", "Lets time go on.", each=Each.WORLD, serve=steering.pause(False)),
    ServiceRow("/step", "std_srvs/Trigger", "Takes one step while paused.", each=Each.WORLD, serve=steering.step),
    ServiceRow(
        "/mobilesim/get_loggers", "roscpp/GetLoggers", "Names our one logger.", each=Each.WORLD, serve=steering.loggers,
    ),
    ServiceRow(
        "/mobilesim/set_logger_level", "roscpp/SetLoggerLevel", "Is answered, and changes nothing.", each=Each.WORLD,
        serve=steering.set_logger_level,
    ),
    *SIMULATION_SERVICES,
)  # fmt: skip

ACTIONS: tuple[ActionRow, ...] = (STEPPING, REPUBLISHING, *navigating.ACTIONS)
