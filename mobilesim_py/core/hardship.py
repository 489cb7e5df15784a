"""What the ground, stones and tools do to robots that move, tick by tick; see `core.reality` for the sizes.

Wheels lose a share of their speed on slippery ground (of an area's `slip`, or the robot's own), get stuck in an area with
`mud` or at stones until they are driven the other way, and stones throw robots aside. It is worked out here, before and
after the engine's step, and so is the same for both engines. Robots that nothing disturbs cost nothing. What else patches
of ground have (bad GPS, iron in the ground, high grass) disturbs the robot's devices while it is there.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mobilesim_py.core.devices.draws import uniforms, wandering
from mobilesim_py.core.devices.tool import TOOL
from mobilesim_py.core.engines.formulas import HARDSHIP_NOISE, sincos
from mobilesim_py.geometry import Pose, contains
from mobilesim_py.world.disturbing import DISTURBING

if TYPE_CHECKING:
    from mobilesim_py.core.reality import Reality
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.world.ground import Area

SLIP = "slip"
"""Name of the value of areas: share of the speed that wheels lose there."""
SLIP_SECONDS = 1.0
"""Time in which slip goes from one drawn value to the next [s]."""
_MOVING_DRAWS = 4
_PER_SECOND = 1 << 40
"""Numbers of the draws of whole seconds begin here, those of ticks at 0."""


class Hardship:
    """Whom something disturbs, and what happens to them at each tick."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._known: tuple[int, object] | None = None
        self._suffering: list[Robot] = []
        self._before: list[tuple[Robot, Pose, float]] = []
        self._patches: tuple[Area, ...] = ()
        """The areas that disturb robots."""
        self._ground: dict[Robot, tuple[int, ...]] = {}
        """On which of them each robot is, by number."""
        self._there: dict[Robot, Reality] = {}
        """What disturbs each robot where it is."""

    def suffering(self) -> list[Robot]:
        """Return the robots that something disturbs: by their own reality, or because the world has such ground."""
        simulation = self._simulation
        now = (simulation.changes, simulation.world.areas)
        if self._known is None or self._known[0] != now[0] or self._known[1] is not now[1]:
            self._known = now
            self._patches = tuple(area for area in simulation.world.areas if not area.values.keys().isdisjoint(DISTURBING))
            hard = bool(self._patches) or bool(self._there)
            self._suffering = [robot for robot in simulation.robots if hard or robot.reality.hinders_motion]
            # Numbers of other patches than before: whoever was on one is looked at anew.
            self._ground = {robot: (-1,) for robot in self._ground if robot in simulation.robots}
            self._there = {robot: self._there[robot] for robot in self._ground}
        return self._suffering

    def forget(self) -> None:
        """Look anew whom something disturbs."""
        self._known = None

    def at(self, robot: Robot) -> Reality:
        """Return what disturbs a robot where it is."""
        return self._there.get(robot, robot.reality)

    def settle(self, robot: Robot) -> None:
        """Look anew what disturbs a robot: its own reality was changed."""
        self.forget()
        self._ground.pop(robot, None)
        self._there.pop(robot, None)

    def before_step(self) -> None:
        """Set slip, get wheels stuck, and note where robots are."""
        self._before.clear()
        for robot in self._suffering:
            if self._patches or self._ground:
                self._step_on(robot)
            left, right = self._slips(robot)
            robot.set_slip(left, right)
            if robot.on_wheels:
                self._hold_back(robot)
            self._before.append((robot, robot.pose, 0.5 * (left + right)))

    def after_step(self) -> None:
        """Take back what robots that are not driven by their wheels have slipped, and throw robots aside."""
        for robot, before, slip in self._before:
            pose = robot.pose
            if slip > 0.0 and not robot.on_wheels:
                pose = _part_of_the_way(before, pose, 1.0 - slip)
                robot.shift(pose)
            self._stumble(robot, before, pose)

    def _step_on(self, robot: Robot) -> None:
        """Let the ground disturb a robot's devices as long as it is there."""
        pose = robot.pose
        ground = tuple(number for number, area in enumerate(self._patches) if contains(area.geometry, pose.x, pose.y))
        if ground == self._ground.get(robot, ()):
            return
        sizes: dict[str, float] = {}
        for number in ground:
            sizes |= self._patches[number].values
        there = robot.reality.on_ground(sizes)
        if ground:
            self._ground[robot], self._there[robot] = ground, there
        else:
            self._ground.pop(robot, None)
            self._there.pop(robot, None)
        for unit in robot.devices:
            unit.disturb(there)

    def _slips(self, robot: Robot) -> tuple[float, float]:
        """Return the shares of their speeds that the left and the right wheels lose now."""
        simulation, size = self._simulation, robot.reality.slip
        pose = robot.pose
        sine, cosine = sincos(pose.heading)
        half = 0.5 * robot.model.drive.track
        slips = []
        draws = (0.0, 0.0)
        if size > 0.0:
            knots = simulation.time / SLIP_SECONDS
            draws = wandering(simulation.seed, robot.serial, HARDSHIP_NOISE, _PER_SECOND + knots, 2).tolist()
        for side, draw in zip((half, -half), draws, strict=True):
            own = size * 0.5 * (draw + 1.0)
            ground = simulation.world.value_at(SLIP, pose.x - float(sine) * side, pose.y + float(cosine) * side)
            slips.append(min(1.0, max(own, ground)))
        return slips[0], slips[1]

    def _hold_back(self, robot: Robot) -> None:
        """Slow a robot down by its tool, and get its wheels stuck."""
        simulation, reality = self._simulation, self.at(robot)
        tools = robot.units(TOOL)
        depth = tools[0].depth if tools else 0.0
        assert robot.wheels is not None
        robot.limit_rims(robot.wheels.top_speed * (1.0 - min(1.0, reality.tool_drag * depth)))
        stuck = reality.mud + (reality.tool_rocks if depth > 0.5 else 0.0)
        speeds = robot.rim_speeds
        if stuck <= 0.0 or speeds == (0.0, 0.0):
            return
        luck = uniforms(simulation.seed, robot.serial, HARDSHIP_NOISE, simulation.tick, _MOVING_DRAWS).tolist()
        for side, speed in enumerate(speeds):
            if speed != 0.0 and 0.5 * (luck[side] + 1.0) < stuck * abs(speed) * simulation.dt:
                robot.block_wheel(side, 1 if speed > 0.0 else -1)

    def _stumble(self, robot: Robot, before: Pose, pose: Pose) -> None:
        """Throw a robot aside, where there is room for it."""
        simulation, reality = self._simulation, self.at(robot)
        if reality.stones <= 0.0 or reality.stone_kick <= 0.0:
            return
        way = math.sqrt((pose.x - before.x) ** 2 + (pose.y - before.y) ** 2)
        luck = uniforms(simulation.seed, robot.serial, HARDSHIP_NOISE, simulation.tick, _MOVING_DRAWS).tolist()
        if 0.5 * (luck[2] + 1.0) >= reality.stones * way:
            return
        sine, cosine = sincos(pose.heading)
        aside = reality.stone_kick * luck[3]
        thrown = Pose(pose.x - float(sine) * aside, pose.y + float(cosine) * aside, pose.heading)
        if simulation.world.fits(robot.model.body.footprint, thrown):
            robot.shift(thrown)


def _part_of_the_way(before: Pose, after: Pose, share: float) -> Pose:
    turn = math.remainder(after.heading - before.heading, math.tau)
    return Pose(
        before.x + (after.x - before.x) * share,
        before.y + (after.y - before.y) * share,
        math.remainder(before.heading + turn * share, math.tau),
    )
