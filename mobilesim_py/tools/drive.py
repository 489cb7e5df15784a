"""`mobilesim drive`: a remote control in the terminal, for simulated robots and real ones."""

from __future__ import annotations

import math
import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from mobilesim_py.clients.orders import Orders
from mobilesim_py.clients.sync.pioneer import Pioneer
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.protocols.arcos.measured import LaserScan, Sip
from mobilesim_py.tools.words import Given, run

if TYPE_CHECKING:
    from rich.console import RenderableType

SPEED_STEP, SPEED_MOST = 0.1, 1.0
"""[m/s]"""
TURN_STEP, TURN_MOST = 10.0, 90.0
"""[degrees/s]"""
REFRESH_SECONDS = 0.1
REPEAT_SECONDS = 0.5
"""How often the speeds are told again: a robot whose client is silent stops."""
BAR_WIDTH = 24
BAR_FULL = 5.0
"""Distance of a full bar [m]."""
SECTORS = 5
ARROWS = {f"\x1b{kind}{arrow}".encode(): key for kind in "[O" for arrow, key in zip("ABCD", "wsda", strict=True)}
"""Which key an arrow stands for."""
QUIT = frozenset({"q", "\x03", "\x04", "\x1b"})


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("drive", argv, {"": _drive})


def _drive(given: Given) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("`mobilesim drive` needs a terminal. `mobilesim sniff` prints what a robot tells.")
    from rich.console import Console
    from rich.live import Live

    with Pioneer(given.robot, baud=given.baud) as robot:
        steering = Steering(robot, given.hold)
        steering.begin()
        with (
            _keys() as pressed,
            Live(console=Console(), screen=True, auto_refresh=False) as live,
            suppress(KeyboardInterrupt),
        ):
            while not steering.is_over:
                robot.check()
                for key in pressed(REFRESH_SECONDS):
                    steering.press(key, time.monotonic())
                steering.pass_time(time.monotonic())
                known = robot.conversation
                live.update(picture(robot.address, steering, known.sip, known.scan, robot.sonar), refresh=True)
    return ExitCode.OK


class Steering:
    """What keys do to a robot."""

    def __init__(self, robot: Orders, hold: float) -> None:
        """`hold` is how long a robot drives on without a key [s]; 0 is for ever."""
        self.robot = robot
        self.speed = 0.0
        """Wish [m/s]."""
        self.turn = 0.0
        """Wish [degrees/s], positive to the left."""
        self.motors = self.sonar = True
        self.laser = False
        self.is_over = False
        self.said = ""
        """The last thing that was done."""
        self._hold = hold
        self._pressed = 0.0
        self._told = 0.0

    def begin(self) -> None:
        """Turn motors and sonar on."""
        self.robot.motors()
        self.robot.sonar_on()

    def press(self, key: str, now: float) -> None:
        """Take a key."""
        self._pressed = now
        if key in QUIT:
            self.is_over = True
        elif action := _ACTIONS.get(key.lower()):
            self.said = action(self)
        self._tell(now)

    def pass_time(self, now: float) -> None:
        """Stop when nobody has pressed a key for long; else say the speeds again when it is time."""
        if self._hold and now >= self._pressed + self._hold and (self.speed or self.turn):
            self.speed = self.turn = 0.0
            self.said = f"stopped: no key for {self._hold:g} s"
            self._tell(now)
        elif now >= self._told + REPEAT_SECONDS:
            self._tell(now)

    def _tell(self, now: float) -> None:
        self._told = now
        self.robot.drive(self.speed)
        self.robot.turn(math.radians(self.turn))

    def change(self, speed: float, turn: float) -> str:
        """Wish for another speed [m/s] and turn [degrees/s], by so much."""
        self.speed = round(max(-SPEED_MOST, min(SPEED_MOST, self.speed + speed)), 3)
        self.turn = round(max(-TURN_MOST, min(TURN_MOST, self.turn + turn)), 3)
        return ""

    def stop(self) -> str:
        """Stand."""
        self.speed = self.turn = 0.0
        self.robot.stop()
        return "stop"

    def switch(self, name: str) -> str:
        """Turn motors, sonar or laser off, or on again."""
        on = not getattr(self, name)
        if name == "laser":
            if not self.robot.is_simulated:
                return "the laser of a real robot has a line of its own"
            self.robot.laser_on() if on else self.robot.laser_off()
        elif name == "sonar":
            self.robot.sonar_on(on)
        else:
            self.robot.motors(on)
        setattr(self, name, on)
        return f"{name} {'on' if on else 'off'}"

    def zero(self) -> str:
        """Let the odometry begin here."""
        self.robot.set_odometry_zero()
        return "odometry is zero"


_ACTIONS: Mapping[str, Callable[[Steering], str]] = {
    "w": lambda steering: steering.change(SPEED_STEP, 0.0),
    "s": lambda steering: steering.change(-SPEED_STEP, 0.0),
    "a": lambda steering: steering.change(0.0, TURN_STEP),
    "d": lambda steering: steering.change(0.0, -TURN_STEP),
    " ": Steering.stop,
    "m": lambda steering: steering.switch("motors"),
    "o": lambda steering: steering.switch("sonar"),
    "l": lambda steering: steering.switch("laser"),
    "z": Steering.zero,
}


def picture(
    address: str, steering: Steering, sip: Sip | None, scan: LaserScan | None, sonar: Mapping[int, float]
) -> RenderableType:
    """Return what is shown now."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for name, value in rows(steering, sip):
        table.add_row(Text(name, "dim"), value)
    parts: list[RenderableType] = [table]
    bars = [(f"sonar {number}", distance) for number, distance in sorted(sonar.items())] if steering.sonar else []
    if scan is not None and steering.laser:
        bars = [(f"laser {name}", distance) for name, distance in sectors(scan)] + bars
    if bars:
        grid = Table.grid(padding=(0, 2))
        half = (len(bars) + 1) // 2
        for left, right in zip(bars[:half], [*bars[half:], ("", math.inf)], strict=False):
            grid.add_row(*(cell for name, distance in (left, right) for cell in _bar(name, distance)))
        parts += [Text(), grid]
    keys = "arrows or w a s d drive   space stops   m motors   o sonar   l laser   z zero   q ends"
    parts += [Text(), Text(steering.said or " ", "yellow"), Text(keys, "dim")]
    return Panel(Group(*parts), title=f"mobilesim drive {address}", title_align="left")


def rows(steering: Steering, sip: Sip | None) -> Iterator[tuple[str, str]]:
    """Go through what is told as names and values."""
    yield "wish", f"{steering.speed:+.2f} m/s   {steering.turn:+.0f} deg/s"
    if sip is None:
        yield "robot", "has not told anything yet"
        return
    yield "speed", f"{sip.forward:+.2f} m/s   {math.degrees(sip.rotation):+.0f} deg/s"
    pose = sip.pose
    yield "odometry", f"x {pose.x:.2f} m   y {pose.y:.2f} m   heading {math.degrees(pose.heading):.0f} deg"
    charge = "" if sip.charge is None else f"   {sip.charge:.0%}"
    yield "battery", f"{sip.battery:.1f} V{charge}"
    states = {
        "stalled": any(sip.stalled),
        "bumper": bool(sip.front_bumpers or sip.rear_bumpers),
        "emergency stop": sip.emergency_stop,
        "motors off": not sip.motors,
    }
    yield "state", ", ".join(name for name, is_so in states.items() if is_so) or "well"


def sectors(scan: LaserScan) -> list[tuple[str, float]]:
    """Return the nearest reading of each part of a scan, from the left, by the direction of its middle [degrees]."""
    count = len(scan.ranges)
    edges = [count * part // SECTORS for part in range(SECTORS + 1)]
    parts = [(first, last) for first, last in pairwise(edges) if last > first]
    found = [
        (math.degrees(float(scan.angles[(first + last - 1) // 2])), float(scan.ranges[first:last].min()))
        for first, last in parts
    ]
    return [(f"{angle:+.0f}", distance) for angle, distance in sorted(found, reverse=True)]


def _bar(name: str, distance: float) -> tuple[str, str, str]:
    if not name:
        return "", "", ""
    length = round(min(1.0, distance / BAR_FULL) * BAR_WIDTH)
    return name, f"{distance:.2f}", "#" * length + "." * (BAR_WIDTH - length)


@contextmanager
def _keys() -> Iterator[Callable[[float], list[str]]]:
    """Take keys as they are pressed, and restore the terminal afterwards."""
    try:
        import termios
        import tty
    except ImportError:
        raise UsageError(
            "`mobilesim drive` needs a terminal as Linux and macOS have. The page's arrow keys drive a robot, too."
        ) from None
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)

    def pressed(seconds: float) -> list[str]:
        ready, _, _ = select.select([terminal], [], [], seconds)
        return split(os.read(terminal, 1024)) if ready else []

    try:
        yield pressed
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def split(data: bytes) -> list[str]:
    """Return the keys that a terminal has sent; nothing more to read is as `q`."""
    if not data:
        return ["q"]
    keys: list[str] = []
    while data:
        arrow = next((code for code in ARROWS if data.startswith(code)), None)
        keys.append(ARROWS[arrow] if arrow else data[:1].decode("latin-1"))
        data = data[len(arrow or b"x") :]
    return keys
