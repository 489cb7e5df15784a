"""`start` for programs with an event loop: the same names as in `sync.program`, to be awaited."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from mobilesim_py.clients.aio.making import made
from mobilesim_py.clients.sync import program as sync
from mobilesim_py.clients.sync.program import READY_SECONDS, RobotState
from mobilesim_py.geometry import Pose
from mobilesim_py.view.pictures.picture import Picture

if TYPE_CHECKING:
    from mobilesim_py.clients.aio.pioneer import Pioneer


def start(
    map: str | os.PathLike[str] | None = None,
    *,
    robots: Iterable[str] = (),
    ready_seconds: float = READY_SECONDS,
    **options: Any,
) -> RunningSimulator:
    """Prepare to run the program beside the caller, which `async with` does; see `sync.program.start`."""
    return RunningSimulator(map, robots=robots, ready_seconds=ready_seconds, **options)


class RunningSimulator:
    """A program that runs beside the caller. Metres, radians and seconds."""

    def __init__(self, map: str | os.PathLike[str] | None, **how: Any) -> None:
        self._map = map
        self._how = how
        self._simulator: sync.RunningSimulator | None = None

    async def __aenter__(self) -> Self:
        self._simulator = await made(lambda: sync.start(self._map, **self._how), sync.RunningSimulator.stop)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def simulator(self) -> sync.RunningSimulator:
        """The same program for code that may block."""
        if self._simulator is None:
            raise RuntimeError("The simulator has not been started: use `async with`.")
        return self._simulator

    @property
    def url(self) -> str:
        """Where the page is."""
        return self.simulator.url

    @property
    def exit_code(self) -> int | None:
        """What it ended with; None while it runs."""
        return self.simulator.exit_code

    def log(self) -> list[str]:
        """Return what it said so far, oldest first."""
        return self.simulator.log()

    async def stop(self) -> int:
        """End the program, and return its exit code."""
        return await asyncio.to_thread(self.simulator.stop)

    async def wait(self, timeout: float | None = None) -> int:  # noqa: ASYNC109  (the same names as in `sync`)
        """Wait until the program has ended by itself, and return its exit code."""
        return await asyncio.to_thread(self.simulator.wait, timeout)

    async def wait_for_log(self, text: str, timeout: float = 10.0) -> str:  # noqa: ASYNC109
        """Return the first line that contains a text, when it has come."""
        return await asyncio.to_thread(self.simulator.wait_for_log, text, timeout)

    async def robots(self) -> dict[str, RobotState]:
        """Return the state of all robots by their names."""
        return await asyncio.to_thread(self.simulator.robots)

    async def robot(self, name: str = "") -> RobotState:
        """Return the state of one robot: the first, if none is named."""
        return await asyncio.to_thread(self.simulator.robot, name)

    async def ports(self) -> dict[str, int]:
        """Return the TCP ports of all robots that have one."""
        return await asyncio.to_thread(self.simulator.ports)

    async def port(self, name: str = "") -> int:
        """Return the TCP port of a robot: the first, if none is named."""
        return await asyncio.to_thread(self.simulator.port, name)

    async def pose(self, name: str = "") -> Pose:
        """Return where a robot (the first, if none is named) truly is."""
        return await asyncio.to_thread(self.simulator.pose, name)

    async def place(self, x: float, y: float, heading: float = 0.0, name: str = "", *, force: bool = False) -> Pose:
        """Put a robot (the first, if none is named) elsewhere; into a wall only by force."""
        return await asyncio.to_thread(self.simulator.place, x, y, heading, name, force=force)

    async def add_robot(self, model: str, name: str = "", pose: Pose | None = None) -> RobotState:
        """Add a robot with a TCP port of its own, at a pose or where there is room."""
        return await asyncio.to_thread(self.simulator.add_robot, model, name, pose)

    async def remove_robot(self, name: str) -> None:
        """Take a robot out of the world, and disconnect its client."""
        await asyncio.to_thread(self.simulator.remove_robot, name)

    async def connect(self, name: str = "", **how: Any) -> Pioneer:
        """Connect a client to a robot (the first, if none is named); see `Pioneer` for how."""
        from mobilesim_py.clients.aio.pioneer import Pioneer

        robot = await self.robot(name)
        address = f"127.0.0.1:{robot.port}" if robot.port is not None else str(robot.device)
        return await Pioneer(address, **how).connect()

    async def state(self) -> dict[str, Any]:
        """Return all that the program tells of itself, as `/api/state` has it."""
        return await asyncio.to_thread(self.simulator.state)

    async def time(self) -> float:
        """Return the simulated seconds since the start."""
        return await asyncio.to_thread(lambda: self.simulator.time)

    async def pause(self) -> None:
        """Let the world stand still."""
        await asyncio.to_thread(self.simulator.pause)

    async def resume(self) -> None:
        """Let the world go on."""
        await asyncio.to_thread(self.simulator.resume)

    async def step(self, count: int = 1) -> float:
        """Take single steps while paused, and return the simulated time after the last of them."""
        return await asyncio.to_thread(self.simulator.step, count)

    async def speed(self, value: float | str) -> None:
        """Set how many simulated seconds pass in a real one, or `"max"`."""
        await asyncio.to_thread(self.simulator.speed, value)

    async def load_map(self, name: str) -> None:
        """Load another map by its name; an empty name is the empty world."""
        await asyncio.to_thread(self.simulator.load_map, name)

    async def snapshot(self, size: int = 1200, *, laser: bool = True, sonar: bool = False, labels: bool = True) -> Picture:
        """Return a picture of the world."""
        return await asyncio.to_thread(self.simulator.snapshot, size, laser=laser, sonar=sonar, labels=labels)

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Use a route of docs/api.md."""
        return await asyncio.to_thread(self.simulator.ask, method, path, body)
