"""Navigation as a service of the program: goals from the page, the API or other services, robots on their way to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from mobilesim_py.core.engines.engine import CompiledEngine, Engine
from mobilesim_py.navigation.navigator import Ended
from mobilesim_py.navigation.planning import FARTHEST, Goal
from mobilesim_py.navigation.search import CompiledSearcher, PlainSearcher, Searcher
from mobilesim_py.services.navigation.desk import Desk
from mobilesim_py.services.navigation.facts import Corners, goal_facts
from mobilesim_py.services.navigation.pilots import Manner, Pilots
from mobilesim_py.services.panelled import Facts, OrderError, Picture, number_in
from mobilesim_py.services.service import Booking, ClientFacts, Stage, WorldChange, WorldChangeKind

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.net.door import Door

NAME = "Navigation"
HELD = "Its client drives it."


class Settings(Protocol):
    """What the command line says about navigation."""

    @property
    def goal_slack(self) -> float:
        """How far from a goal without room robots may stop instead [m]."""

    @property
    def clearance(self) -> float:
        """How far robots keep from obstacles [m]."""

    @property
    def navigate_speed(self) -> float:
        """How fast robots follow paths at most [m/s]."""


class NavigationService:
    """Robots on their way to goals: those that no client holds, for those are driven by their clients."""

    name = NAME
    panel = "navigation"

    def __init__(self, stage: Stage, settings: Settings) -> None:
        self._stage = stage
        self._settings = settings
        self._searches: Searcher = PlainSearcher()
        self.period = stage.simulation.dt
        self.desk = Desk(stage.run_beside, stage.wake)
        manner = Manner(settings.clearance, settings.navigate_speed, self.desk, lambda: self._searches)
        self.pilots = Pilots(stage.simulation, stage.log, manner)
        self._corners = Corners()

    # Goals

    def go(self, robot: Robot, goal: Goal, ended: Ended = lambda goal, outcome, why: None) -> None:
        """Send a robot to a goal, instead of any that it has; OrderError if a client holds it."""
        if self._is_held(robot):
            raise OrderError(f"{robot.name} is not sent anywhere: {HELD}")
        self.pilots.go(robot, goal, ended)
        self._stage.wake()

    def cancel(self, robot: Robot, why: str = "cancelled") -> bool:
        """Let a robot give its goal up and come to rest; tell whether it had one."""
        return self.pilots.cancel(robot, why)

    def is_under_way(self, robot: Robot) -> bool:
        """Whether a robot has a goal."""
        pilot = self.pilots.find(robot)
        return pilot is not None and pilot.navigator.goal is not None

    def goal(self, x: float, y: float, heading: float | None = None, slack: float | None = None) -> Goal:
        """Return a goal, with the slack of the options if none is given."""
        return Goal(x, y, heading, self._settings.goal_slack if slack is None else slack)

    def state_of(self, robot: Robot) -> Facts:
        """Return what a robot's pilot is doing, as JSON says it."""
        return goal_facts(self.pilots.find(robot), self._corners)

    def _is_held(self, robot: Robot) -> bool:
        return any(robot in service.held() for service in self._stage.services if service is not self)

    # What a service does

    def open(self, bookings: Sequence[Booking]) -> None:
        """Do nothing: goals come in by other doors."""

    def admit(self, robot: Robot, port: int = 0) -> None:
        """Do nothing: any robot may be given a goal."""

    def dismiss(self, robot: Robot) -> None:
        """Forget the goal of a robot that leaves."""
        self.pilots.forget(robot)

    def tell(self, now: float) -> None:
        """Drive robots towards their goals."""
        if not self.pilots.are_busy:
            return
        if self._stage.clock.lockstep:
            self.desk.finish()
        held = {robot for service in self._stage.services for robot in service.held()}
        for robot in held:
            self.pilots.cancel(robot, "a client drives the robot")
        self.pilots.after_step(self._stage.simulation)

    def is_busy(self) -> bool:
        """Whether any robot has a goal."""
        return self.pilots.are_busy

    def awaits(self) -> bool:
        """In lockstep steps wait for plans."""
        return self.desk.is_busy

    def backlog(self) -> int:
        """Return 0: nobody is told anything."""
        return 0

    def clients(self) -> Sequence[ClientFacts]:
        """Return nobody: those who give goals are clients of other services."""
        return ()

    def held(self) -> Sequence[Robot]:
        """Return none: whoever wants to may drive a robot, which ends its goal."""
        return ()

    def door_of(self, robot: Robot) -> Door | None:
        """Return None: there are no doors."""
        return None

    def factories(self) -> Sequence[tuple[str, Door]]:
        """Return none."""
        return ()

    def world_changed(self, change: WorldChange) -> None:
        """Plan all ways anew in another world."""
        if change.kind in (WorldChangeKind.LOADED, WorldChangeKind.LEFT):
            self.pilots.world_changed()

    def use_engine(self, engine: Engine) -> None:
        """Search with compiled code from now on, or without."""
        self._searches = CompiledSearcher(engine.kernels) if isinstance(engine, CompiledEngine) else PlainSearcher()

    def close(self) -> None:
        """Let all robots come to rest."""
        for pilot in self.pilots.all():
            pilot.cancel("the program ends")

    # Its panel on the page

    def facts(self) -> Facts:
        """Return the goals and paths of all robots that were ever given one."""
        return {"robots": [goal_facts(pilot, self._corners) for pilot in self.pilots.all()]}

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Carry out `go` (robot, x, y, heading) or `cancel` (robot)."""
        serial = number_in(wish, "robot")
        robot = next((one for one in self._stage.simulation.robots if one.serial == serial), None)
        if robot is None:
            raise OrderError(f"There is no robot {serial}.")
        if name == "go":
            self.go(robot, self.goal_in(wish))
        elif name == "cancel":
            self.cancel(robot)
        else:
            raise OrderError(f"There is no order {name!r}: say go or cancel.")

    def goal_in(self, wish: Mapping[str, Any]) -> Goal:
        """Return the goal that a JSON object means; OrderError if it is none."""
        heading = wish.get("heading")
        return self.goal(
            _metres(wish, "x"),
            _metres(wish, "y"),
            None if heading is None else _metres(wish, "heading"),
            None if wish.get("slack") is None else abs(_metres(wish, "slack")),
        )

    def picture(self, name: str) -> Picture | None:
        """Return None: there are no pictures."""
        return None


def navigation_of(stage: Stage) -> NavigationService | None:
    """Return the navigation of a program, if it has one."""
    return next((service for service in stage.services if isinstance(service, NavigationService)), None)


def _metres(wish: Mapping[str, Any], name: str) -> float:
    value = wish.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= FARTHEST:
        raise OrderError(f"{name} must be a number from {-FARTHEST:g} to {FARTHEST:g}.")
    return float(value)
