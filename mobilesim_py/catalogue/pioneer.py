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
    has_move_command: bool = True
