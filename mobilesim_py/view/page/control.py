"""What a viewer may do to the program. Every wish is checked; one that cannot be granted is a `RefusedError`."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.errors import MobileSimError
from mobilesim_py.geometry import Polygon, Pose, overlaps, placed, radius_of
from mobilesim_py.services.equipped import Equipped, equipped_with
from mobilesim_py.services.navigation.facts import Corners, goal_facts
from mobilesim_py.services.navigation.service import NavigationService, navigation_of
from mobilesim_py.services.panelled import Facts, OrderError
from mobilesim_py.services.service import Stage, driver_of

FARTHEST = 1.0e6
"""Nothing is put down farther away than this [m]."""
MOST_THINGS = 2000
MOST_STEPS = 10_000
FASTEST = 1.0e6
LONGEST_NAME = 80
DRIVE_SECONDS = 0.6
"""Driving by hand must be repeated: a robot stops when nothing was heard for so long [s]."""


DEVICE_INPUTS = ("digital_in", "analog", "gyro_failed", "gripper", "charge_contacts")
"""What may be said of a robot's devices together with its other settings."""


class RefusedError(Exception):
    """A wish that is not granted, with an HTTP status and a sentence for the user."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


class Control:
    """The hands of all viewers. `changed` is called when something was changed that no step shows."""

    def __init__(self, stage: Stage, changed: Callable[[], None]) -> None:
        self.stage = stage
        self._changed = changed
        self._driving: dict[Robot, asyncio.TimerHandle] = {}

    # Finding

    def robot(self, key: str | int) -> Robot:
        """A robot by its id or name."""
        thing = self._find(key, Robot)
        assert isinstance(thing, Robot)
        return thing

    def box(self, key: str | int) -> BoxBody:
        """A box by its id or name."""
        thing = self._find(key, BoxBody)
        assert isinstance(thing, BoxBody)
        return thing

    def thing(self, key: str | int) -> Thing:
        """A robot or a box by its id or name."""
        return self._find(key, Thing)

    def _find(self, key: str | int, kind: type[Thing]) -> Thing:
        things = [thing for thing in self.stage.simulation.things if isinstance(thing, kind)]
        for thing in things:
            if thing.name == key:
                return thing
        number = int(key) if isinstance(key, int) or (key.isascii() and key.isdigit()) else -1
        for thing in things:
            if thing.serial == number:
                return thing
        what = {Robot: "robot", BoxBody: "box"}.get(kind, "robot or box")
        raise RefusedError(404, f"There is no {what} {key!r}.")

    # Robots and boxes

    def place(self, thing: Thing, wish: Mapping[str, Any], *, refuse_walls: bool = False) -> None:
        """Put something down elsewhere: the true pose changes, odometry does not. What is not said stays.

        A hand that drags may pass through walls; with `refuse_walls` nothing is put into one, unless `force` is true.
        """
        here = thing.pose
        x, y = _number(wish, "x", here.x, FARTHEST), _number(wish, "y", here.y, FARTHEST)
        heading = _number(wish, "heading", here.heading, FARTHEST)
        if refuse_walls and not (isinstance(thing, Robot) and thing.ghost):
            self._refuse_walls(_footprint(thing), Pose(x, y, heading), wish)
        thing.place(x, y, heading)
        self._sense_if_paused()
        self._changed()

    def _refuse_walls(self, footprint: Sequence[Polygon], pose: Pose, wish: Mapping[str, Any]) -> None:
        from mobilesim_py.world.clearance import free_place_near, is_in_wall

        world = self.stage.simulation.world
        if ("force" in wish and _truth(wish, "force")) or not is_in_wall(world, footprint, pose):
            return
        better = free_place_near(world, footprint, pose)
        advice = f' The nearest free place is {{"x": {better.x:.2f}, "y": {better.y:.2f}}}.' if better is not None else ""
        raise RefusedError(
            409, f'There is a wall at {pose.x:g}, {pose.y:g} m.{advice} "force": true puts it there all the same.'
        )

    def _refuse_bodies(self, footprint: Sequence[Polygon], pose: Pose, wish: Mapping[str, Any]) -> None:
        """Let nothing new stand on top of a robot or a box."""
        if "force" in wish and _truth(wish, "force"):
            return
        mine = [placed(polygon, pose) for polygon in footprint]
        reach = radius_of(footprint)
        for thing in self.stage.simulation.things:
            theirs, there = _footprint(thing), thing.pose
            if math.hypot(there.x - pose.x, there.y - pose.y) > reach + radius_of(theirs):
                continue
            if overlaps(mine, [placed(polygon, there) for polygon in theirs]):
                text = f'{thing.name} stands at {pose.x:.2f}, {pose.y:.2f} m. "force": true adds it there all the same.'
                raise RefusedError(409, text)

    def adjust(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Set battery, charge, ghost mode or motors."""
        battery = robot.battery
        if battery is None and ("battery" in wish or "charge" in wish):
            raise RefusedError(409, f"{robot.name} has no battery.")
        if battery is not None and "battery" in wish:
            if battery.volts is None:
                raise RefusedError(409, f"{robot.name} knows its state of charge and not its voltage: set the charge.")
            battery.volts = _number(wish, "battery", battery.volts, 100.0, 0.0)
        if battery is not None and "charge" in wish:
            if battery.charge is None:
                raise RefusedError(409, f"{robot.name} knows its voltage and not its state of charge: set the battery.")
            battery.charge = _number(wish, "charge", None, 100.0, 0.0) / 100.0
        if "ghost" in wish:
            robot.ghost = _truth(wish, "ghost")
        if "motors" in wish:
            robot.motors = _truth(wish, "motors")
        if "pose" in wish:
            if not isinstance(wish["pose"], Mapping):
                raise RefusedError(400, "pose must be an object with x, y and heading.")
            self.place(robot, wish["pose"], refuse_walls=True)
        inputs = {name: value for name, value in wish.items() if name in DEVICE_INPUTS}
        if inputs:
            self.set_devices(robot, inputs)
        self._sense_if_paused()
        self._changed()

    # Devices

    def devices(self, robot: Robot) -> dict[str, Any]:
        """Return what the devices of a robot say."""
        facts = self._equipped(robot).devices_of(robot)
        assert facts is not None
        return facts

    def set_devices(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Set inputs of a robot's devices."""
        try:
            self._equipped(robot).set_devices(robot, wish)
        except OrderError as error:
            raise RefusedError(400, str(error)) from None
        self._changed()

    def move_joystick(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Move the joystick at a robot's port."""
        try:
            self._equipped(robot).move_joystick(robot, wish)
        except OrderError as error:
            raise RefusedError(400, str(error)) from None
        self._changed()

    def _equipped(self, robot: Robot) -> Equipped:
        service = equipped_with(self.stage, robot)
        if service is None:
            raise RefusedError(409, f"{robot.name} has no devices that can be set here.")
        return service

    def reset(self, robot: Robot) -> None:
        """Back to where it started, standing, odometry zero."""
        robot.halt()
        robot.place(robot.start.x, robot.start.y, robot.start.heading)
        robot.set_odometry()
        self._sense_if_paused()
        self._changed()

    def add(self, wish: Mapping[str, Any], *, box: bool) -> Thing:
        """A new robot with a port, or a new box."""
        default = "box" if box else "p3dx"
        model, name, port = wish.get("model", default), wish.get("name", ""), wish.get("port", 0)
        if not isinstance(model, str) or not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise RefusedError(400, f"model and name must be texts, the name of at most {LONGEST_NAME} characters.")
        if not isinstance(port, int) or isinstance(port, bool) or not 0 <= port <= 65535:
            raise RefusedError(400, "port must be a whole number from 0 (the next free one) to 65535.")
        if len(self.stage.simulation.things) >= MOST_THINGS:
            raise RefusedError(409, f"There are {MOST_THINGS} robots and boxes already.")
        if model.endswith(".p") or "/" in model or "\\" in model:
            raise RefusedError(400, "Only models of the catalogue can be added here.")
        try:
            found, pose = self.stage.catalogue.find(model), _pose(wish.get("pose"))
            if found.is_box is not box:
                raise RefusedError(400, f"{model!r} is {'no' if box else 'a'} box.")
            if pose is not None:
                words = {**wish["pose"], **wish}
                self._refuse_walls(found.body.footprint, pose, words)
                self._refuse_bodies(found.body.footprint, pose, words)
            thing = self.stage.add_running(model, name, pose, port)
        except MobileSimError as error:
            raise RefusedError(409, str(error)) from None
        self._changed()
        return thing

    def remove(self, thing: Thing) -> None:
        """Take it out of the world; its client is hung up on."""
        if isinstance(thing, Robot):
            self._stop_driving(thing)
        self.stage.remove(thing)
        self._changed()

    # Driving by hand

    def drive(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Drive a robot that no client holds: shares of its largest speeds, -1 to 1."""
        if driver_of(self.stage, robot) is not None:
            raise RefusedError(409, f"{robot.name} is driven by its client.")
        if self.stage.clock.lockstep:
            raise RefusedError(409, "With --lockstep robots move only with their clients.")
        axes = (("forward", robot.drive, 0), ("lateral", robot.slide, 1), ("rotation", robot.turn, 2))
        shares = [_number(wish, name, 0.0, 1.0) for name, _, _ in axes]
        navigation = navigation_of(self.stage)
        if navigation is not None and any(shares):
            navigation.cancel(robot, "it is driven by hand")
        for (_, act, axis), share in zip(axes, shares, strict=True):
            act(share * robot.speed_limit(axis))
        self._stop_driving(robot)
        if any(shares):
            loop = asyncio.get_running_loop()
            self._driving[robot] = loop.call_later(DRIVE_SECONDS, self._silent, robot)

    def _silent(self, robot: Robot) -> None:
        """Nobody holds the wheel any more."""
        self._driving.pop(robot, None)
        if robot.column >= 0 and driver_of(self.stage, robot) is None:
            robot.stop()

    def _stop_driving(self, robot: Robot) -> None:
        timer = self._driving.pop(robot, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        """Let go of everything."""
        for timer in self._driving.values():
            timer.cancel()
        self._driving.clear()

    # Goals

    def goal(self, robot: Robot) -> Facts:
        """Say where a robot is going, and how its last goal ended."""
        navigation = navigation_of(self.stage)
        facts = navigation.state_of(robot) if navigation is not None else goal_facts(None, Corners())
        return {"enabled": navigation is not None, "id": robot.serial, "name": robot.name} | facts

    def send(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Send a robot that no client holds to a place."""
        navigation = self._navigation()
        try:
            goal = navigation.goal_in(wish)
        except OrderError as error:
            raise RefusedError(400, str(error)) from None
        try:
            navigation.go(robot, goal)
        except OrderError as error:
            raise RefusedError(409, str(error)) from None
        self._stop_driving(robot)
        self._changed()

    def give_up(self, robot: Robot) -> None:
        """Let a robot give its goal up."""
        self._navigation().cancel(robot)
        self._changed()

    def _navigation(self) -> NavigationService:
        navigation = navigation_of(self.stage)
        if navigation is None:
            raise RefusedError(409, "Robots are sent to goals when the simulator was started with --navigate.")
        return navigation

    # Time

    def pause(self, wish: Mapping[str, Any]) -> None:
        """Stop the world, or let it go on; without a word the other of the two."""
        self.stage.clock.pause(_truth(wish, "paused") if "paused" in wish else not self.stage.clock.paused)
        self._changed()

    def step(self, wish: Mapping[str, Any]) -> None:
        """Take steps while paused."""
        count = wish.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_STEPS:
            raise RefusedError(400, f"count must be a whole number from 1 to {MOST_STEPS}.")
        if not self.stage.clock.paused:
            raise RefusedError(409, "Single steps are taken while the simulation is paused: pause it first.")
        self.stage.clock.single_step(count)

    def speed(self, wish: Mapping[str, Any]) -> None:
        """Simulated seconds per real second, or `max`."""
        value = wish.get("speed")
        if value == "max":
            self.stage.clock.set_speed(math.inf)
        else:
            number = _number(wish, "speed", None, FASTEST, 0.0)
            if number <= 0.0:
                raise RefusedError(400, 'speed must be more than 0, or "max".')
            self.stage.clock.set_speed(number)
        self._changed()

    def _sense_if_paused(self) -> None:
        """While time stands still no step senses anew, and what is shown must fit what was changed."""
        if self.stage.clock.paused:
            self.stage.simulation.sense()


def _footprint(thing: Thing) -> Sequence[Polygon]:
    """Return the outlines with which something meets walls, in its own frame."""
    if isinstance(thing, Robot):
        return thing.model.body.footprint
    return (thing.box.outline,) if isinstance(thing, BoxBody) else ()


def _number(wish: Mapping[str, Any], name: str, default: float | None, most: float, least: float | None = None) -> float:
    value = wish.get(name, default)
    low = -most if least is None else least
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= most:
        raise RefusedError(400, f"{name} must be a number from {low:g} to {most:g}.")
    return float(value)


def _truth(wish: Mapping[str, Any], name: str) -> bool:
    value = wish[name]
    if not isinstance(value, bool):
        raise RefusedError(400, f"{name} must be true or false.")
    return value


def _pose(wish: Any) -> Pose | None:
    if wish is None:
        return None
    if not isinstance(wish, Mapping):
        raise RefusedError(400, "pose must be an object with x, y and heading.")
    return Pose(*(_number(wish, name, 0.0, FARTHEST) for name in ("x", "y", "heading")))
