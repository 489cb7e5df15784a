"""`--dashboard`: world, time, robots and the last lines of the log as a live view in the terminal."""

from __future__ import annotations

import asyncio
import importlib
import math
import sys
import time
from typing import TYPE_CHECKING, Any

from mobilesim_py import __version__
from mobilesim_py.core.devices.bumper import BUMPER
from mobilesim_py.core.devices.gripper import GRIPPER
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.robot import Robot
from mobilesim_py.log import Level
from mobilesim_py.services.service import ClientFacts, Stage, clients_of, door_of
from mobilesim_py.view.colours import colour_of
from mobilesim_py.view.meter import Meter

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

REFRESH_SECONDS = 0.25
FEWEST_LOG_LINES = 4
_COLUMNS = (
    *(("Robot", "left", 0), ("Model", "left", 8), ("Port", "right", 7), ("Client", "left", 4), ("x [mm]", "right", 1)),
    *(("y [mm]", "right", 1), ("th [°]", "right", 2), ("v [mm/s]", "right", 6), ("w [°/s]", "right", 9)),
    *(("sonar [mm]", "right", 10), ("Stall", "left", 3), ("Battery", "right", 5), ("pkt/s", "right", 11)),
)
"""Title, alignment, and in which order they are dropped when the terminal is narrow: the highest first, 0 never."""
_STYLES = {Level.INFO: "", Level.WARNING: "yellow", Level.ERROR: "bold red"}


class Dashboard:
    """Occupies the terminal while the program runs, and restores it afterwards."""

    def __init__(self, stage: Stage, console: Console | None = None) -> None:
        self.stage = stage
        self.meter = Meter(stage)
        self._console = console
        self._live: Any = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take over the terminal; without one, log that and do nothing."""
        await asyncio.to_thread(importlib.import_module, "rich.live")
        from rich.console import Console
        from rich.live import Live

        console = self._console or Console(file=sys.stdout)
        if not console.is_terminal:
            self.stage.log.warning("MobileSim: There is no terminal for the dashboard. Going on without it.")
            return
        self._console = console
        self.stage.log.console_muted = True
        self._live = Live(self.picture(), console=console, screen=True, auto_refresh=False, redirect_stderr=False)
        self._live.start()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Restore the terminal."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        if self._live is not None:
            self._live.stop()
            self._live = None
            self.stage.log.console_muted = False

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self.meter.update(loop.time())
            # Reading the robots' state is quick and done here; rendering is slow, and clients must not wait for it.
            await asyncio.to_thread(self._live.update, self.picture(), refresh=True)
            await asyncio.sleep(REFRESH_SECONDS)

    def picture(self, height: int | None = None) -> RenderableType:
        """Return what is shown now, `height` lines high or as high as the terminal."""
        from rich.console import Group
        from rich.panel import Panel

        lines = height or (self._console.height if self._console is not None else 40)
        robots = self.stage.simulation.robots
        # Title, table head and frame, and the frame of the log take seven lines.
        room = max(2, lines - 7)
        log_lines = max(FEWEST_LOG_LINES, room - len(robots))
        shown = max(1, room - log_lines - 1) if len(robots) + log_lines > room else len(robots)
        log = Panel(self._log(log_lines), title="Log", title_align="left", border_style="dim", padding=(0, 1))
        return Group(self._headline(), self._table(robots[:shown], len(robots) - shown), log)

    def _headline(self) -> Text:
        from rich.text import Text

        stage, simulation, clock = self.stage, self.stage.simulation, self.stage.clock
        speed = "max" if not math.isfinite(clock.speed) else f"{clock.speed:g}"
        text = Text(f" MobileSim {__version__} ", "bold reverse")
        for name, value, style in (
            ("map", simulation.world.name, ""),
            ("time", _clock(simulation.time), ""),
            ("ratio", f"{clock.ratio:.2f}", "yellow" if self._is_slow() else "green"),
            ("speed", speed, ""),
            ("clients", str(len(clients_of(stage))), ""),
            ("engine", simulation.engine.name, ""),
        ):
            text.append(f"  {name} ", "dim").append(value, style)
        if stage.worlds.is_loading:
            text.append("  loading a map " + "." * (1 + int(time.monotonic() / REFRESH_SECONDS) % 3), "bold cyan")
        if clock.paused:
            text.append("  PAUSED", "bold yellow")
        text.no_wrap, text.overflow = True, "ellipsis"
        return text

    def _is_slow(self) -> bool:
        clock = self.stage.clock
        return not clock.paused and math.isfinite(clock.speed) and clock.ratio < 0.95 * clock.speed

    def _table(self, robots: list[Robot], left_out: int) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        drivers = {client.robot: client for client in clients_of(self.stage)}
        rows = [self._row(robot, drivers.get(robot)) for robot in robots]
        shown = columns_that_fit(
            [[len(cell) for cell in row] for row in rows], self._console.width if self._console else 150
        )
        table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1, 0, 0), header_style="bold", show_edge=False)
        for title, justify, _ in (_COLUMNS[k] for k in shown):
            table.add_column(Text(title), justify=justify, no_wrap=True, overflow="fold")  # type: ignore[arg-type]
        for row in rows:
            table.add_row(*(row[k] for k in shown))
        if left_out:
            table.add_row(f"... and {left_out} more", style="dim")
        return table

    def _row(self, robot: Robot, client: ClientFacts | None) -> list[str | Text]:
        from rich.text import Text

        simulation, door = self.stage.simulation, door_of(self.stage, robot)
        forward, _, rotation = robot.velocity
        pose = robot.pose
        echoes = robot.sonar if simulation.known_readings(SONAR) is not None else ()
        sent, _ = self.meter.packets_per_second(client)
        return [
            Text(robot.name, colour_of(robot)),
            Text(robot.model.name),
            str(door.port) if door is not None and door.port is not None else "-",
            Text(client.peer, "green") if client is not None else Text("-", "dim"),
            f"{1000 * pose.x:.0f}",
            f"{1000 * pose.y:.0f}",
            f"{math.degrees(pose.heading):.1f}",
            f"{1000 * forward:.0f}",
            f"{math.degrees(rotation):.1f}",
            f"{1000 * min(echoes):.0f}" if len(echoes) else "-",
            _state(robot),
            _battery(robot),
            f"{sent:.1f}" if client is not None else "-",
        ]

    def _log(self, count: int) -> Text:
        from rich.text import Text

        text = Text(no_wrap=True, overflow="ellipsis")
        for line in self.stage.log.recent(count):
            if text:
                text.append("\n")
            text.append(time.strftime("%H:%M:%S ", time.localtime(line.time)), "dim")
            text.append(f"{line.robot}: " if line.robot else "", "bold")
            text.append(line.text, _STYLES[line.level])
        return text


def columns_that_fit(lengths: list[list[int]], width: int) -> list[int]:
    """Return which columns have room for all their cells, side by side; names are never shortened for others."""
    shown = list(range(len(_COLUMNS)))
    needed = [max([len(title), *(row[k] for row in lengths)]) + 2 for k, (title, _, _) in enumerate(_COLUMNS)]
    while sum(needed[k] for k in shown) > width and len(shown) > 1:
        shown.remove(max(shown, key=lambda k: (_COLUMNS[k][2], k)))
    return shown


def _battery(robot: Robot) -> str:
    battery = robot.battery
    if battery is not None and battery.charge is not None:
        return f"{100.0 * battery.charge:.0f} %"
    return f"{battery.volts:.1f} V" if battery is not None and battery.volts is not None else "-"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60.0)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours:02d}:{minutes:02d}:{rest:04.1f}"


def _state(robot: Robot) -> Text:
    """Say whether it is stalled, touches something with its bumpers, holds something, or charges."""
    from rich.text import Text

    words = [("stall", "bold red")] if robot.stalled else []
    words += [("bump", "yellow") for unit in robot.units(BUMPER) if any(unit.pressed)]
    words += [("holds", "green") for unit in robot.units(GRIPPER) if unit.held is not None]
    if robot.battery is not None and robot.battery.charging:
        words.append(("charges", "green"))
    text = Text()
    for word, style in words:
        text.append(" " if text else "").append(word, style)
    return text
