"""What only a Pioneer has: what it calls itself, the units of its protocol, and what CONFIG tells besides."""

from __future__ import annotations

from dataclasses import dataclass

from mobilesim_py.geometry import Point


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

    @property
    def track(self) -> float:
        """The distance between the wheels [m] that `difference` comes from; 0 where that says nothing."""
        return 0.002 / self.difference if self.difference > 0.0 else 0.0


OWN_USE = 2
"""From this type of gyro on the controller uses it itself."""
FUSED_SHARE = 0.1
"""Share of the errors of odometry's heading that is left by a controller that uses encoders and gyro."""


@dataclass(frozen=True)
class InfraredUnit:
    """An infrared sensor: where it feels [m], and whether it looks for a table's edge or across, between two posts."""

    place: Point
    feels_tables: bool = True


@dataclass(frozen=True)
class Pioneer:
    """What ARCOS clients are told of a robot that is not its body, its drive or a device."""

    robot_class: str = "Pioneer"
    subclass: str = ""
    """What SYNC2 and CONFIG call it: the name under which clients look up their parameters."""
    conversion: Conversion = Conversion()
    front_sonar: bool = False
    rear_sonar: bool = False
    max_sonar_readings_per_packet: int = 32
    watchdog: float = 2.0
    """Seconds without a command after which the watchdog speaks up."""
    gps: Point = (0.0, 0.0)
    """Place of the antenna on the robot [m]."""
    gps_dop: float = 1.0
    front_bumpers: int = 0
    rear_bumpers: int = 0
    has_gripper: bool = False
    gyro_type: int = 0
    """0 none, 1 one whose readings clients get, 2 one that the controller uses, 4 an inertial unit."""
    has_move_command: bool = True
    has_encoders: bool = True
    """Whether its controller knows the command for packets of the encoders."""
    ticks_per_mm: int = 0
    """What CONFIG tells; 0 where it is not known."""
    rev_count: int = 0
    charger: int = 0
    """The charger as CONFIG tells it: 0 none, 1 of a Pioneer 3, 2 of a PowerBot."""
    charges_by_contact: bool = False
    """Whether it charges at a dock without being told to put its contacts out."""
    infrared: tuple[InfraredUnit, ...] = ()
    """Sensors that the I/O packets tell of, in the order of their bits."""

    @property
    def gyro_share(self) -> float:
        """Share of the errors of odometry's heading that is left where the controller uses a gyro."""
        return FUSED_SHARE if self.gyro_type >= OWN_USE else 1.0
