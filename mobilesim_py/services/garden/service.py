"""Garden robots as a service: their goals come from the page, from ROS and from programs, and they drive by themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from mobilesim_py.core.engines.engine import CompiledEngine, Engine
from mobilesim_py.garden.gardener import Manner
from mobilesim_py.garden.localisation import Quality
from mobilesim_py.navigation.search import CompiledSearcher, PlainSearcher, Searcher
from mobilesim_py.services.garden.orders import ORDERS
from mobilesim_py.services.garden.panel import Board
from mobilesim_py.services.garden.topics import actions, services, topics
from mobilesim_py.services.garden.vehicle import Setup, Vehicle
from mobilesim_py.services.navigation.desk import Desk
from mobilesim_py.services.panelled import Facts, OrderError, Picture
from mobilesim_py.services.ros.service import RosService
from mobilesim_py.services.service import Booking, ClientFacts, Stage, WorldChange, WorldChangeKind

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.net.door import Door

NAME = "TrimBot"
PERIOD = 0.1
"""Simulated time between two ticks of a vehicle's computers [s]."""


class Settings(Protocol):
    """What the command line says about garden robots."""

    @property
    def slam(self) -> str:
        """`seen` or `known`."""

    @property
    def slam_noise(self) -> tuple[float, float]:
        """Standard deviations of a fix: place [m] and heading [degrees]."""

    @property
    def slam_delay(self) -> float:
        """Age of a fix [s]."""

    @property
    def slam_outage(self) -> tuple[float, float]:
        """How often [s] and how long [s] there is none."""

    @property
    def encoder_slip(self) -> tuple[float, float]:
        """Shares of the way that the encoders count too much, left and right."""

    @property
    def trim_time(self) -> float:
        """How long trimming takes [s]."""

    @property
    def goal_slack(self) -> float:
        """How far from a goal without room robots may stop instead [m]."""

    @property
    def clearance(self) -> float:
        """How far robots keep from obstacles [m]."""

    @property
    def navigate_speed(self) -> float:
        """How fast robots follow paths at most [m/s]."""


def setup_of(settings: Settings) -> Setup:
    """Return how garden robots work as the options say."""
    noise, turn_noise = settings.slam_noise
    every, outage = settings.slam_outage
    return Setup(
        Quality(noise, math.radians(turn_noise), settings.slam_delay, every, outage),
        settings.encoder_slip,
        Manner(settings.goal_slack, settings.clearance, settings.navigate_speed, settings.trim_time),
        settings.slam == "known",
    )


class GardenService:
    """All garden robots of a program."""

    name = NAME
    panel = "garden"
    period = PERIOD

    def __init__(self, stage: Stage, settings: Settings) -> None:
        self.stage = stage
        self.setup = setup_of(settings)
        self.vehicles: dict[Robot, Vehicle] = {}
        self.desk = Desk(stage.run_beside, stage.wake)
        self.board = Board(self)
        self._searches: Searcher = PlainSearcher()

    # Robots come and go

    def open(self, bookings: Sequence[Booking]) -> None:
        """Take the robots that are there, and tell ROS of them."""
        for booking in bookings:
            if booking.robot is None:
                self.stage.log.warning("A factory makes no garden robot: nobody connects to one. Use --robot trimbot.")
            else:
                self.admit(booking.robot)
        for service in self.stage.services:
            if isinstance(service, RosService):
                service.hub.extend(topics(self), services(self), actions(self))
                service.hub.moment.located = self.located

    def admit(self, robot: Robot, port: int = 0) -> None:
        """Take a robot; it has no port, since its clients come by ROS and by the page."""

        def say(text: str) -> None:
            self.stage.log.info(text, robot.name)

        simulation = self.stage.simulation
        vehicle = Vehicle(robot, simulation, self.setup, say, beside=self.desk, searches=lambda: self._searches)
        self.vehicles[robot] = vehicle
        if simulation.world.sketch is None:
            say("The map is no garden: without a sketch all ground carries the robot, and what is not seen counts as free.")

    def dismiss(self, robot: Robot) -> None:
        """Forget a robot that leaves."""
        self.vehicles.pop(robot, None)

    def located(self, robot: Robot) -> Any:
        """Return where a robot believes to be; None for one of another kind."""
        vehicle = self.vehicles.get(robot)
        return vehicle.pose if vehicle is not None else None

    # Time passes

    def tell(self, now: float) -> None:
        """Let every vehicle's computers do what they do in a period."""
        if self.stage.clock.lockstep:
            self.desk.finish()
        for vehicle in self.vehicles.values():
            vehicle.tick(now)

    def is_busy(self) -> bool:
        """Whether any vehicle has a goal."""
        return any(vehicle.is_active for vehicle in self.vehicles.values())

    def awaits(self) -> bool:
        """In lockstep steps wait for plans."""
        return self.desk.is_busy

    def backlog(self) -> int:
        """Return 0: nobody is told anything here."""
        return 0

    def clients(self) -> Sequence[ClientFacts]:
        """Return nobody: those who give goals are clients of other services."""
        return ()

    def held(self) -> Sequence[Robot]:
        """Return the robots that drive to goals: nobody else drives them meanwhile."""
        return [robot for robot, vehicle in self.vehicles.items() if vehicle.gardener.is_busy]

    def door_of(self, robot: Robot) -> Door | None:
        """Return None: there are no doors."""
        return None

    def factories(self) -> Sequence[tuple[str, Door]]:
        """Return none."""
        return ()

    def world_changed(self, change: WorldChange) -> None:
        """Begin anew in another world."""
        if change.kind in (WorldChangeKind.LOADED, WorldChangeKind.LEFT):
            for vehicle in self.vehicles.values():
                vehicle.forget()
            self.board.forget()

    def use_engine(self, engine: Engine) -> None:
        """Search with compiled code from now on, or without."""
        self._searches = CompiledSearcher(engine.kernels) if isinstance(engine, CompiledEngine) else PlainSearcher()

    def close(self) -> None:
        """Let all vehicles come to rest."""
        for robot, vehicle in self.vehicles.items():
            if robot.column >= 0:
                vehicle.stop()

    def set_up(self, vehicle: Vehicle, **changes: Any) -> None:
        """Change how a vehicle's parts work."""
        vehicle.use(replace(vehicle.setup, **changes))

    # Its panel on the page

    def facts(self) -> Facts:
        """Return what the panel shows."""
        return self.board.facts()

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Carry out an order; see `orders.py`."""
        order = ORDERS.get(name)
        if order is None:
            raise OrderError(f"There is no order {name[:40]!r}; there are {', '.join(ORDERS)}.")
        order(self, wish)
        self.stage.wake()

    def picture(self, name: str) -> Picture | None:
        """Return a picture or a document of the panel."""
        return self.board.picture(name)


def garden_of(stage: Stage) -> GardenService | None:
    """Return the garden robots of a program, if it has any."""
    return next((service for service in stage.services if isinstance(service, GardenService)), None)
