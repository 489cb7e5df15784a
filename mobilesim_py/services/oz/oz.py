"""One Oz behind its ports: who drives it, what its panel shows, what its clients want, and what it was told when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mobilesim_py.core.devices.gps import GPS
from mobilesim_py.core.devices.imu import IMU
from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.core.devices.ticker import TICKER
from mobilesim_py.core.devices.tool import TOOL, ToolUnit
from mobilesim_py.core.robot import Robot
from mobilesim_py.protocols.naio.panel_packets import ApiIhmAskEnum, ApiIhmAskValue
from mobilesim_py.protocols.naio.units import motor_power
from mobilesim_py.protocols.naio.values import ImageType
from mobilesim_py.services.oz.pad import Pad

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.net.door import Door
    from mobilesim_py.services.oz.routes import Route
    from mobilesim_py.services.oz.session import OzSession

MOTORS_SECONDS = 0.5
"""Without a motors packet for so long the motors stop [s]."""
TOOL_NOTCH = 0.005
"""What one packet raises or lowers the tool by [m]."""


@dataclass
class Panel:
    """What a person at the robot sees and hears."""

    screen: tuple[str, str] = ("", "")
    """The two lines of the robot's own screen."""
    display: tuple[str, str] = ("", "")
    """The two lines that programs show."""
    led: int = 0
    beeps: int = 0
    """How often the speaker has sounded."""
    beep: tuple[int, int] = (0, 0)
    """Duration and volume of the last one."""
    question: ApiIhmAskEnum | ApiIhmAskValue | None = None
    """What a program asks the person at the robot, until it is answered."""


@dataclass
class Pictures:
    """What the image port's client wants."""

    wanted: set[ImageType] = field(default_factory=set)
    """Of the uncompressed types."""
    zlib: bool = False


class Oz:
    """The state behind one robot's ports."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.doors: list[Door] = []
        """The main door first."""
        self.sessions: list[OzSession] = []
        """Those of clients that are let in; at most one on each door."""
        self.panel = Panel()
        self.pictures = Pictures()
        self.pad = Pad()
        self.routes: tuple[Route, ...] = ()
        """Ways to programs that stand in for some of its features."""
        self.wants_status = False
        self.imu_was_reset = False
        self.powers = (0, 0)
        """The motor powers that it was told last, left and right."""
        self.motors_at = (0.0, 0.0)
        """When that was: simulated and real time [s]."""
        self.ticks: tuple[int, ...] | None = None
        """The last ticks that were told: front left, front right, rear left, rear right."""
        self.ways = robot.wheel_ways
        """What the wheels had rolled when its client came [m]."""
        tools = robot.units(TOOL)
        self.tool: ToolUnit | None = tools[0] if tools else None
        first = {unit.kind.name: unit for unit in reversed(robot.devices)}
        self.senses = {kind.name: first[kind.name] for kind in (LASER, IMU, GPS, TICKER) if kind.name in first}
        """Its sensors by the names of their kinds."""

    @property
    def drivers(self) -> list[OzSession]:
        """The sessions whose clients drive it."""
        return [session for session in self.sessions if session.role.drives]

    def begin(self, simulation: Simulation, *, afresh: bool) -> None:
        """Get ready for a new driver: sensors on and, if wanted, everything as at the start."""
        robot = self.robot
        if afresh:
            simulation.restore(robot)
            start = robot.start
            robot.place(start.x, start.y, start.heading)
            robot.set_odometry()
            self.panel = Panel()
        self.pictures = Pictures()
        self.wants_status = self.imu_was_reset = False
        self.powers = (0, 0)
        self.ticks = None
        self.ways = robot.wheel_ways
        self.sense(True)

    def sense(self, on: bool) -> None:
        """Switch its sensors on or off."""
        for unit in self.senses.values():
            unit.on = on

    def end(self) -> None:
        """Stand still, nobody listening."""
        self.robot.stop()
        self.powers = (0, 0)
        self.sense(False)

    def power(self, left: int, right: int, now: float, real: float) -> None:
        """Let the motors run with these powers from now on."""
        self.motors_at = (now, real)
        # Clients say the same forty times in a second.
        if (left, right) != self.powers:
            self.powers = (left, right)
            self._roll()

    def check_motors(self, now: float, real: float) -> bool:
        """Stop motors that nobody has told anything for long; whether that has just happened."""
        told, told_real = self.motors_at
        if self.powers == (0, 0) or now - told <= MOTORS_SECONDS or real - told_real <= MOTORS_SECONDS:
            return False
        self.powers = (0, 0)
        self._roll()
        return True

    def _roll(self) -> None:
        wheels = self.robot.wheels
        top = wheels.top_speed if wheels is not None else 0.0
        self.robot.roll(top * motor_power(self.powers[0]), top * motor_power(self.powers[1]))

    def order_tool(self, order: int) -> None:
        """Move the tool: 0 hold, 1 raise or 2 lower by a notch, 3 to 100 go to that percentage."""
        tool = self.tool
        if tool is None:
            return
        notch = TOOL_NOTCH / tool.model.stroke
        if order == 0:
            tool.hold()
        elif order <= 2:
            tool.go(tool.target + (-notch if order == 1 else notch))
        else:
            tool.go(order / 100.0)

    def work(self, seconds: float) -> None:
        """Take from the battery what so much time costs [s]; only motors and a tool in the ground cost anything."""
        battery = self.robot.battery
        if battery is None or battery.charge is None or battery.model.work_hours <= 0.0:
            return
        if self.powers != (0, 0) or (self.tool is not None and self.tool.depth > 0.0):
            battery.charge = max(0.0, battery.charge - seconds / (3600.0 * battery.model.work_hours))
        if battery.charge <= 0.0:
            self.robot.motors = False

    @property
    def tool_percent(self) -> int:
        """Where the tool is; 100 is down."""
        return round(100.0 * self.tool.depth) if self.tool is not None else 0

    @property
    def battery_percent(self) -> int:
        """Charge of its battery."""
        battery = self.robot.battery
        charge = battery.charge if battery is not None else None
        return 100 if charge is None else round(100.0 * charge)
