"""What a robot model is: frozen facts in metres, radians and seconds, and the wire's conversion factors.

The body's frame: x forward, y left, the origin at the centre of rotation.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mobilesim_py.geometry import AxisTriple, Point, Polygon, Pose


@dataclass(frozen=True)
class SonarModel:
    """A ring of sonar transducers; all have the same view."""

    transducers: tuple[Pose, ...] = ()
    range_min: float = 0.1
    range_max: float = 5.0
    cone: float = 0.5236
    """Opening angle [rad]; unused if `rays` is 1."""
    rays: int = 1
    """Rays spread over the cone, of which the nearest echo counts; 1 is the centre ray alone."""
    noise: float = 0.0005
    """Half-width of the uniform range noise [m]; a reading without an echo has none."""
    absent: tuple[int, ...] = ()
    """Numbers in the ring without a transducer: they are reported, always with range_max."""


@dataclass(frozen=True)
class ReturnRule:
    """How a laser turns the reflectance of what it hit into the reflectance that it reports.

    The rule applies when the obstacle's value matches and the condition holds; the last rule that applies wins
    unless an earlier one says `stop`.
    """

    value: int
    comparison: str = "gt"
    """`gt`, `lt` or `eq`: how the obstacle's reflectance is compared with `value`."""
    condition: str = ""
    """Empty, `outside_range`, `inside_range`, `outside_angle` or `inside_angle`."""
    limit: float = 0.0
    """Range [m] or angle from the normal [rad] of the condition."""
    detect: int = 1
    stop: bool = False


@dataclass(frozen=True)
class LaserModel:
    """A scanning laser range finder."""

    name: str
    pose: Pose = Pose()
    field_of_view: float = 3.141592653589793
    samples: int = 181
    range_min: float = 0.0
    range_max: float = 32.767
    range_noise: float = 0.005
    """Half-width of the uniform range noise [m]; readings at maximum range have none."""
    angle_noise: float = 0.0007
    """Half-width of the uniform noise on each beam's angle [rad]."""
    reverse: bool = False
    """Mounted upside down: the readings come in the opposite order."""
    size: tuple[float, float] = (0.155, 0.15)
    rules: tuple[ReturnRule, ...] = ()


@dataclass(frozen=True)
class Conversion:
    """ARCOS units to SI-like units as clients apply them: mm = DistConv * units, and so on."""

    distance: float = 1.0
    velocity: float = 1.0
    range: float = 1.0
    angle: float = 0.001534
    """Radians in one unit of heading: 2 pi / 4096 but for Pioneer 1, where a turn has 1024."""
    difference: float = 0.0056
    """DiffConv: rad/s of rotation in a wheel-speed difference of 2 mm/s."""
    vel2_divisor: float = 20.0


@dataclass(frozen=True)
class RobotModel:
    """All facts of a kind of robot (or of a movable box, when `is_box`)."""

    name: str
    robot_class: str = "Pioneer"
    subclass: str = ""
    """What SYNC2 and CONFIG call it; empty means the name."""
    omnidirectional: bool = False
    body: tuple[Polygon, ...] = ()
    """Outline as sensors of others see it, shifted by the worldfile's `origin` [m]."""
    footprint: tuple[Polygon, ...] = ()
    """Outline that collides: the body without that shift, and what else sticks out (lasers) [m]."""
    size: tuple[float, float] = (0.511, 0.4)
    colour: str = "red"
    max_speed: AxisTriple = AxisTriple(1.0, 0.0, 1.74)
    """Speeds of a session before SETV and SETRV, capped by max_speed."""
    acceleration: AxisTriple = AxisTriple(0.3, 0.0, 1.74)
    """Zero means without limit."""
    deceleration: AxisTriple = AxisTriple(0.6, 0.0, 1.74)
    odometry_error: AxisTriple = AxisTriple(0.0075, 0.0075, 0.0075)
    """Largest relative error of odometry, per axis."""
    conversion: Conversion = Conversion()
    sonar: SonarModel = SonarModel()
    front_sonar: bool = False
    rear_sonar: bool = False
    max_sonar_readings_per_packet: int = 32
    lasers: tuple[LaserModel, ...] = ()
    battery_type: int = 0
    """0: voltage; 2: state of charge in per cent."""
    battery_voltage: float = 13.0
    watchdog: float = 2.0
    """Seconds without a command after which the watchdog fires."""
    gps: Point = (0.0, 0.0)
    gps_dop: float = 1.0
    front_bumpers: int = 0
    rear_bumpers: int = 0
    has_gripper: bool = False
    gyro_type: int = 0
    has_move_command: bool = True
    obstacle: bool = True
    """Blocks other robots."""
    laser_return: int = 1
    """Reflectance; 0 is invisible to lasers."""
    sonar_return: bool = True
    is_box: bool = False
    extra: dict[str, str] = field(default_factory=dict, compare=False)
    """Properties that were read but are not used."""

    @property
    def subtype(self) -> str:
        """The name under which clients look up their parameters."""
        return self.subclass or self.name
