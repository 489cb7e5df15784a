"""What one Pioneer has around it: its inputs as the world or a user sets them, its outputs, and what hangs on its ports.

It belongs to the robot and not to a client: a switch that a user has set stays when the next client comes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mobilesim_py.core.devices.bumper import BUMPER
from mobilesim_py.core.devices.compass import COMPASS
from mobilesim_py.core.devices.gripper import GRIPPER, GripperUnit
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.services.pioneer.condition import ALL_LINES, Condition, Fault, Told
from mobilesim_py.services.pioneer.serial_ports import SerialPorts

ANALOG_PORTS = 8
FULL_SCALE = 5.0
"""What an analog port measures at most [V]."""
BATTERY_SCALE = 20.0
"""The same of the input that measures the battery [V]."""
SERVOS = 5
STICK_SECONDS = 0.6
"""Real time after which a joystick that nobody moves is in its middle again [s]."""


@dataclass
class Stick:
    """A joystick at the robot's port: shares of its travel, ahead and to the right positive."""

    x: float = 0.0
    """To the right, -1 to 1."""
    y: float = 0.0
    """Ahead, -1 to 1."""
    throttle: float = 1.0
    buttons: tuple[bool, bool] = (False, False)

    @property
    def is_centred(self) -> bool:
        """Whether nobody moves it."""
        return self.x == 0.0 and self.y == 0.0 and not any(self.buttons)


@dataclass
class Equipment:
    """The equipment of one robot."""

    robot: Robot
    simulation: Simulation
    ports: SerialPorts
    real_time: Callable[[], float] = lambda: 0.0
    """Seconds of a real clock."""
    condition: Condition = field(default_factory=Condition)
    digital_in: int = ALL_LINES
    """The digital inputs as switches have them."""
    volts: list[float] = field(default_factory=lambda: [0.0] * ANALOG_PORTS)
    """At the analog inputs [V]."""
    servos: list[int] = field(default_factory=lambda: [0] * SERVOS)
    """Widths of the pulses for servos [100 us]."""
    stick: Stick = field(default_factory=Stick)
    stick_until: float = 0.0
    """Real time until which the joystick stays as it is [s]."""
    stick_drives: bool = False
    """Whether the joystick drives the robot."""
    kicks_until: float = 0.0
    """Simulated time at which output 0 goes off again [s]; 0: nothing to do."""
    bump_stall: int = 0
    """Which bumpers stop the robot: bit 0 those in front, bit 1 those behind."""
    bump_held: int = 0
    """Whether a bumper holds it back from going ahead (1) or back (-1)."""
    compass_mode: int = 1
    compass_turned: float = 0.0
    """How far it has turned in a calibration [rad]."""
    compass_score: int = 5
    muted: bool = False
    chose_analog: bool = False
    """Whether a client has chosen an analog port for the SIP."""
    sounds: int = 0
    """How many sounds it has played,"""
    tones: list[tuple[float, float]] = field(default_factory=list)
    """and the last one: durations [s] and frequencies [Hz]."""

    def __post_init__(self) -> None:
        self.refreshers: list[Callable[[Equipment], None]] = []
        """What has to be looked at before a SIP; empty for a robot without such devices."""

    @property
    def gripper(self) -> GripperUnit | None:
        """The gripper, if there is one."""
        return next(iter(self.robot.units(GRIPPER)), None)

    @property
    def bumpers(self) -> tuple[int, int]:
        """Bits of the segments that are pressed: in front from the left, behind from the robot's right."""
        unit = next(iter(self.robot.units(BUMPER)), None)
        return unit.pressed if unit is not None else (0, 0)

    @property
    def has_compass(self) -> bool:
        """Whether there is a compass."""
        return bool(self.robot.units(COMPASS))

    @property
    def north(self) -> float:
        """What the compass says: clockwise from north [rad]; 0 without one."""
        unit = next(iter(self.robot.units(COMPASS)), None)
        return unit.north if unit is not None else 0.0

    @property
    def gyro_failed(self) -> bool:
        """Whether the gyro says that it has failed."""
        return self.condition.has(Fault.GYRO)

    def play(self, tones: list[tuple[float, float]]) -> None:
        """Let a sound be heard: durations [s] and frequencies [Hz]."""
        self.sounds += 1
        self.tones = tones

    def refresh(self) -> None:
        """Look at what may have changed since the last SIP."""
        for refresh in self.refreshers:
            refresh(self)

    def reset(self) -> None:
        """Make it ready for the next client: outputs and modes as new, inputs as they are."""
        self.condition.reset()
        self.condition.set_word(Told.DIGITAL_IN, self.digital_in)
        self.servos[:] = [0] * SERVOS
        self.kicks_until, self.bump_stall = 0.0, 0
        self.stick_drives = self.muted = self.chose_analog = False
        self.compass_mode, self.compass_turned = 1, 0.0
        self.ports.reset()
