"""What a robot can be told, in metres, radians and seconds; both clients have these methods."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

from mobilesim_py.errors import UsageError
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from mobilesim_py.protocols.arcos.measured import Units

_LASER_EXTENDED = 2


class Orders(ABC):
    """Orders to a robot; none of them waits until it is carried out."""

    @abstractmethod
    def command(self, name: str | int, *arguments: Any) -> None:
        """Send a command by its name, with arguments in the units of the wire, as docs/commands.md lists them."""

    @property
    @abstractmethod
    def units(self) -> Units:
        """The units of the wire of this robot."""

    @property
    @abstractmethod
    def is_simulated(self) -> bool:
        """Whether the robot says that it is a simulated one, as ARIA finds it out."""

    @abstractmethod
    def expect_scans(self, start: float, increment: float) -> None:
        """Remember what angles scans will have [rad]."""

    # Motion

    def motors(self, on: bool = True) -> None:
        """Turn the motors on or off; without them the robot does not move."""
        self.command("ENABLE", int(on))

    def drive(self, speed: float) -> None:
        """Drive forward at a speed [m/s]."""
        self.command("VEL", _word(speed * 1000.0))

    def turn(self, speed: float) -> None:
        """Turn at an angular speed [rad/s], positive to the left."""
        self.command("RVEL", _word(math.degrees(speed)))

    def slide(self, speed: float) -> None:
        """Drive sideways [m/s], positive to the left; only some robots can."""
        self.command("LATVEL", _word(speed * 1000.0))

    def roll(self, left: float, right: float) -> None:
        """Let the wheels turn at these speeds [m/s], in steps of the robot's own (mostly 20 mm/s)."""
        wheels = (_word(speed * 1000.0 / self.units.vel2_divisor) for speed in (left, right))
        self.command("VEL2", *(max(-128, min(127, wheel)) for wheel in wheels))

    def move(self, distance: float) -> None:
        """Drive a distance [m] and stop there."""
        self.command("MOVE", _word(distance * 1000.0))

    def head(self, heading: float) -> None:
        """Turn to a heading of the odometry [rad]."""
        self.command("HEAD", _word(math.degrees(math.remainder(_number(heading), math.tau))))

    def turn_by(self, angle: float) -> None:
        """Turn by an angle [rad], positive to the left."""
        self.command("DHEAD", _word(math.degrees(angle)))

    def stop(self) -> None:
        """Come to a stop."""
        self.command("STOP")

    def emergency_stop(self) -> None:
        """Stop as hard as can be."""
        self.command("ESTOP")

    def limit(self, *, speed: float | None = None, rotation: float | None = None) -> None:
        """Set the greatest speed [m/s] and rotational speed [rad/s]."""
        if speed is not None:
            self.command("SETV", _word(speed * 1000.0))
        if rotation is not None:
            self.command("SETRV", _word(math.degrees(rotation)))

    def set_odometry_zero(self) -> None:
        """Let the odometry begin at 0, 0, 0 here."""
        self.command("SETO")

    # Sensors

    def sonar_on(self, on: bool = True) -> None:
        """Turn the sonar on or off."""
        self.command("SONAR", int(on))

    def laser_on(self, start: float = -90.0, end: float = 90.0, increment: float = 1.0) -> None:
        """Turn on a simulated robot's laser, with these angles [degrees]; UsageError with a real robot.

        The laser of a real robot has a line of its own. As ARIA does, this uses commands that a real robot takes for others.
        """
        if not self.is_simulated:
            raise UsageError("This robot is a real one: its laser has a line of its own.")
        self.command("OLD_LRF_PARMSTART", round(start))
        self.command("OLD_LRF_PARMEND", round(end))
        self.command("OLD_LRF_PARMINC", round(increment * 100.0))
        self.command("OLD_LRF_ENABLE", _LASER_EXTENDED)
        self.expect_scans(math.radians(start), math.radians(increment))

    def laser_off(self) -> None:
        """Turn a simulated robot's laser off."""
        if self.is_simulated:
            self.command("OLD_LRF_ENABLE", 0)

    # The simulator

    def place(self, x: float, y: float, heading: float = 0.0) -> None:
        """Put a simulated robot elsewhere [m, rad]; its odometry does not notice."""
        pose = (x * 1000.0, y * 1000.0, math.degrees(heading))
        self.command("SIM_SET_POSE", *(round(_number(value)) for value in pose))

    def ask_sim_stat(self, *, always: bool = False) -> None:
        """Ask a simulator for SIMSTAT, once or with every SIP."""
        self.command("SIM_STAT", 2 if always else 1)

    def ask_sim_info(self) -> None:
        """Ask a simulator what it is."""
        self.command("SIM_CTRL", ControlOperation.SIM_INFO)


def _word(value: float) -> int:
    return max(-0x8000, min(0x7FFF, round(_number(value))))


def _number(value: float) -> float:
    if not math.isfinite(value):
        raise UsageError(f"A robot cannot be told {value}: that is no number of metres, radians or seconds.")
    return value
