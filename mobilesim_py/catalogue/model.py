"""What a robot model is: a body, a drive and devices, as frozen facts in metres, radians and seconds.

The body's frame: x forward, y left, the origin at the centre of rotation.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mobilesim_py.catalogue.pioneer import Pioneer
from mobilesim_py.geometry import AxisTriple, Polygon, Pose


@dataclass(frozen=True)
class DeviceModel:
    """What every device of a robot has; the kinds of devices add what they need (see `core.devices`)."""

    period: float = field(default=0.0, kw_only=True)
    """Time from one reading to the next [s]; 0 is at every step."""
    delay: float = field(default=0.0, kw_only=True)
    """Age of a reading when it is told for the first time [s]."""


@dataclass(frozen=True)
class SonarModel(DeviceModel):
    """A ring of sonar transducers; all have the same view."""

    transducers: tuple[Pose, ...] = ()
    range_min: float = 0.1
    range_max: float = 5.0
    cone: float = 0.5236
    """Opening angle [rad]; only looked at when `rays` is more than one."""
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
class LaserModel(DeviceModel):
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
class BatteryModel(DeviceModel):
    """A battery, and what the robot measures of it."""

    volts: float | None = 13.0
    """Voltage when it is full; None where the robot does not measure it."""
    charge: float | None = None
    """Share of its charge when it is full, that is 1; None where the robot does not measure it."""
    work_hours: float = 0.0
    """How long it lasts at work [h]; 0: for ever."""


@dataclass(frozen=True)
class StereoCameraModel(DeviceModel):
    """Two cameras side by side that look ahead and down, without lens distortion; the defaults are those of Oz."""

    pose: Pose = Pose(0.3748, 0.0)
    """Of the middle between them, on the robot."""
    elevation: float = 0.444
    """Height above the ground [m]."""
    pitch: float = 0.3490658503988659
    """How far they look below the horizon [rad]."""
    baseline: float = 0.10
    """From the left to the right camera [m]."""
    field_of_view: float = 1.63556
    """Across [rad]."""
    width: int = 752
    """Of each picture [px]."""
    height: int = 480
    reach: float = 60.0
    """Nothing but the ground is drawn farther away [m]."""


@dataclass(frozen=True)
class BodyModel:
    """What others meet and see."""

    outline: tuple[Polygon, ...] = ()
    """Outline as sensors of others see it, shifted by the worldfile's `origin` [m]."""
    footprint: tuple[Polygon, ...] = ()
    """Outline that collides: the body without that shift, and what else sticks out (lasers) [m]."""
    size: tuple[float, float] = (0.511, 0.4)
    """Length and width [m]."""
    colour: str = "red"
    obstacle: bool = True
    """Blocks other robots."""
    laser_return: int = 1
    """Reflectance; 0 is invisible to lasers."""
    sonar_return: bool = True
    pushable: bool = False
    """Whether robots that drive against it push it before them; of boxes only."""


@dataclass(frozen=True)
class DriveModel:
    """How it moves, and how well it knows that."""

    omnidirectional: bool = False
    rim_speed: float = 0.0
    """Top speed of the rims of a robot that is driven by its wheels [m/s]; 0: it is driven along its axes."""
    rim_lag: float = 0.0
    """Time in which half of the difference between a rim's speed and the wish is gone [s]."""
    track: float = 0.357
    """Distance between the left and the right wheels [m]; 0 where it is not known."""
    max_speed: AxisTriple = AxisTriple(1.0, 0.0, 1.74)
    acceleration: AxisTriple = AxisTriple(0.3, 0.0, 1.74)
    """Zero means: at once."""
    deceleration: AxisTriple = AxisTriple(0.6, 0.0, 1.74)
    odometry_error: AxisTriple = AxisTriple(0.0075, 0.0075, 0.0075)
    """Largest share by which odometry is wrong, per axis."""


_ANY_PIONEER = Pioneer()


@dataclass(frozen=True)
class RobotModel:
    """Everything that is known of a kind of robot (or of a movable box, when `is_box`)."""

    name: str
    body: BodyModel = BodyModel()
    drive: DriveModel = DriveModel()
    devices: tuple[DeviceModel, ...] = ()
    """What it carries; devices of one kind in the order of their numbers."""
    pioneer: Pioneer = _ANY_PIONEER
    """What else ARCOS clients are told."""
    protocol: str = "arcos"
    """What its clients speak."""
    is_box: bool = False
    extra: dict[str, str] = field(default_factory=dict, compare=False)
    """Properties that were read but mean nothing here."""

    @property
    def lasers(self) -> tuple[LaserModel, ...]:
        """Its lasers."""
        return tuple(device for device in self.devices if isinstance(device, LaserModel))

    @property
    def sonar(self) -> SonarModel:
        """Its sonar; a ring without transducers when it has none."""
        return next((device for device in self.devices if isinstance(device, SonarModel)), SonarModel())

    @property
    def battery(self) -> BatteryModel | None:
        """Its battery, if it has one."""
        return next((device for device in self.devices if isinstance(device, BatteryModel)), None)
