"""`start`: the real program beside the caller, and what can be asked of it and told to it over its HTTP API."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import time
import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from mobilesim_py.clients.process import ChildProcess, error_of
from mobilesim_py.clients.words import words_of
from mobilesim_py.errors import EmulationError, NoAnswerError, UsageError
from mobilesim_py.geometry import Pose
from mobilesim_py.view.pictures.picture import Picture

if TYPE_CHECKING:
    from mobilesim_py.clients.sync.pioneer import Pioneer

READY_SECONDS = 60.0
"""How long a start may take; the compiled engine, asked for by name and not yet in its cache, takes about a minute."""
ANSWER_SECONDS = 30.0
STEP_SECONDS = 60.0
POLL_SECONDS = 0.002


@dataclass(frozen=True)
class RobotState:
    """What the program tells of a robot."""

    name: str
    model: str
    port: int | None
    """TCP port; None on a serial line or a pseudo-terminal."""
    device: str | None
    """The line or the pseudo-terminal."""
    pose: Pose
    """Where it truly is."""
    odometry: Pose
    velocity: tuple[float, float, float]
    """Forward, lateral [m/s] and rotation [rad/s]."""
    stalled: bool
    client: str | None
    """Who drives it."""


def start(
    map: str | os.PathLike[str] | None = None,
    *,
    robots: Iterable[str] = (),
    ready_seconds: float = READY_SECONDS,
    **options: Any,
) -> RunningSimulator:
    """Run the program beside the caller, and return when clients can connect.

    Robots are `MODEL[:NAME]`. Every option of the command line is a keyword, with `_` for `-`: `speed="max"`,
    `no_noise=True`. Ports are free ones unless they are given. The program ends with the `with` block, with `stop`, or with
    the process that started it. Errors are those of the program, with its sentence.
    """
    words = words_of(map, [robots] if isinstance(robots, str) else robots, options)
    if "--no-web" in words:
        raise UsageError("The program is operated by its HTTP API, which no_web would turn off.")
    process = ChildProcess(words)
    try:
        url = process.wait_for_url(ready_seconds)
        simulator = RunningSimulator(process, url)
        simulator.state()
        return simulator
    except BaseException:
        process.end()
        raise


class RunningSimulator:
    """A program that runs beside the caller. Metres, radians and seconds."""

    def __init__(self, process: ChildProcess, url: str) -> None:
        self.process = process
        self.url = url
        """Where the page is; a browser shows it."""
        parts = urllib.parse.urlsplit(url)
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._token = dict(urllib.parse.parse_qsl(parts.query)).get("token", "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    # The process

    def stop(self) -> int:
        """End the program, and return its exit code."""
        return self.process.end()

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the program has ended by itself, and return its exit code; TimeoutError after so many seconds."""
        return self.process.wait(timeout)

    @property
    def exit_code(self) -> int | None:
        """What it ended with; None while it runs."""
        return self.process.exit_code

    def log(self) -> list[str]:
        """Return what it said so far, oldest first."""
        return self.process.lines()

    def wait_for_log(self, text: str, timeout: float = 10.0) -> str:
        """Return the first line that contains a text, when it has come; TimeoutError after so many seconds."""
        return self.process.wait_for_line(text, timeout)

    # Robots

    def robots(self) -> dict[str, RobotState]:
        """Return the state of all robots by their names, in the order in which they came."""
        rows = sorted(self.ask("GET", "/api/robots")["robots"], key=lambda row: int(row["id"]))
        return {row["name"]: _robot_state(row) for row in rows}

    def robot(self, name: str = "") -> RobotState:
        """Return the state of one robot: the first, if none is named."""
        robots = self.robots()
        found = robots.get(name) if name else next(iter(robots.values()), None)
        if found is None:
            raise UsageError(f'There is no robot "{name}"; there are {", ".join(robots) or "none"}.')
        return found

    def ports(self) -> dict[str, int]:
        """Return the TCP ports of all robots that have one, by their names."""
        return {name: robot.port for name, robot in self.robots().items() if robot.port is not None}

    def port(self, name: str = "") -> int:
        """Return the TCP port of a robot: the first, if none is named."""
        port = self.robot(name).port
        if port is None:
            raise UsageError("That robot has no TCP port: it is on a line.")
        return port

    def pose(self, name: str = "") -> Pose:
        """Return where a robot (the first, if none is named) truly is."""
        return self.robot(name).pose

    def place(self, x: float, y: float, heading: float = 0.0, name: str = "", *, force: bool = False) -> Pose:
        """Put a robot (the first, if none is named) elsewhere; into a wall only by force. Return its pose."""
        path = f"/api/robots/{_quoted(name or self.robot().name)}/pose"
        wish = {"x": x, "y": y, "heading": heading, "force": force}
        return _robot_state(self.ask("PUT", path, wish)).pose

    def add_robot(self, model: str, name: str = "", pose: Pose | None = None) -> RobotState:
        """Add a robot with a TCP port of its own, at a pose or where there is room."""
        wish: dict[str, Any] = {"model": model} | ({"name": name} if name else {})
        if pose is not None:
            wish["pose"] = {"x": pose.x, "y": pose.y, "heading": pose.heading}
        return _robot_state(self.ask("POST", "/api/robots", wish))

    def remove_robot(self, name: str) -> None:
        """Take a robot out of the world, and disconnect its client."""
        self.ask("DELETE", f"/api/robots/{_quoted(name)}")

    def connect(self, name: str = "", **how: Any) -> Pioneer:
        """Connect a client to a robot (the first, if none is named); see `Pioneer` for how."""
        from mobilesim_py.clients.sync.pioneer import Pioneer

        robot = self.robot(name)
        return Pioneer(f"{self._address[0]}:{robot.port}" if robot.port is not None else str(robot.device), **how)

    # Time

    def state(self) -> dict[str, Any]:
        """Return all that the program tells of itself, as `/api/state` has it."""
        return self.ask("GET", "/api/state")

    @property
    def time(self) -> float:
        """Simulated seconds since the start."""
        return float(self.ask("GET", "/api/health")["time"])

    def pause(self) -> None:
        """Let the world stand still."""
        self.ask("POST", "/api/pause", {"paused": True})

    def resume(self) -> None:
        """Let the world go on."""
        self.ask("POST", "/api/pause", {"paused": False})

    def step(self, count: int = 1) -> float:
        """Take single steps while paused, and return the simulated time after the last of them."""
        before = self.state()
        due = before["time"] + count * before["step"]
        self.ask("POST", "/api/step", {"count": count})
        deadline = time.monotonic() + STEP_SECONDS
        while (now := self.time) < due - 0.5 * before["step"]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"The simulator has not taken {count} steps within {STEP_SECONDS:g} s.")
            time.sleep(POLL_SECONDS)
        return now

    def speed(self, value: float | str) -> None:
        """Set how many simulated seconds pass in a real one, or `"max"`."""
        self.ask("POST", "/api/speed", {"speed": value})

    # World

    def load_map(self, name: str) -> None:
        """Load another map by its name; an empty name is the empty world."""
        self.ask("PUT", "/api/map", {"name": name})

    def snapshot(self, size: int = 1200, *, laser: bool = True, sonar: bool = False, labels: bool = True) -> Picture:
        """Return a picture of the world, `size` pixels on its longer side; a notebook shows it."""
        shown = {"laser": laser, "sonar": sonar, "labels": labels}
        query = urllib.parse.urlencode({"size": size, "show": ",".join(name for name, on in shown.items() if on)})
        return Picture(self._request("GET", f"/api/snapshot.png?{query}"))

    def _repr_png_(self) -> bytes:
        """Let a notebook show it."""
        return self.snapshot().png

    # HTTP

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Use a route of docs/api.md; UsageError with the program's sentence when it refuses."""
        answer: dict[str, Any] = json.loads(self._request(method, path, body))
        return answer

    def _request(self, method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._token}"} if self._token else {})
        # The program runs on this machine: no proxy is asked.
        connection = http.client.HTTPConnection(*self._address, timeout=ANSWER_SECONDS)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            with contextlib.suppress(TimeoutError):
                raise error_of(self.process.wait(1.0), self.log()) from None
            raise NoAnswerError(f"The simulator does not answer on {self.url}: {error}") from None
        finally:
            connection.close()
        if answer.status >= 400:
            raise UsageError(_sentence(data, answer.status))
        return data


def _robot_state(row: dict[str, Any]) -> RobotState:
    speeds = row["velocity"]
    return RobotState(
        row["name"],
        row["model"],
        row["port"],
        row["device"],
        Pose(**row["pose"]),
        Pose(**row["odometry"]),
        (speeds["forward"], speeds["lateral"], speeds["rotation"]),
        row["stalled"],
        row["client"],
    )


def _sentence(data: bytes, status: int) -> str:
    try:
        return str(json.loads(data)["error"])
    except (ValueError, KeyError, TypeError):
        raise EmulationError(f"The simulator answered with status {status}.") from None


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")
