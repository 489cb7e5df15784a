"""The grippers that move or hold something, as time passes; those that do not cost nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mobilesim_py.core.devices.gripper import GripperUnit
    from mobilesim_py.core.robot import Thing


class Grippers:
    """Those of one simulation."""

    def __init__(self) -> None:
        self.busy: list[GripperUnit] = []
        """Which move or hold something."""

    def watch(self, unit: GripperUnit) -> None:
        """Let time pass for a gripper, for as long as it is busy."""
        if unit.is_busy and unit not in self.busy:
            self.busy.append(unit)

    def after_tick(self, seconds: float) -> None:
        """Let a tick have passed."""
        for unit in self.busy:
            unit.pass_time(seconds)
        if not all(unit.is_busy for unit in self.busy):
            self.busy = [unit for unit in self.busy if unit.is_busy]

    def moved(self, thing: Thing) -> None:
        """Note that a hand has put a thing elsewhere: a robot's load goes with it, and a load is taken from its gripper."""
        for unit in self.busy:
            if unit.held is not None and unit.held.box is thing:
                place = thing.pose
                unit.release()
                thing.shift(place)
            elif unit.robot is thing:
                unit.follow()

    def leaves(self, thing: Thing) -> None:
        """Note that a thing is taken out of the world: nothing holds it any more, and it holds nothing."""
        for unit in self.busy:
            if unit.robot is thing or (unit.held is not None and unit.held.box is thing):
                unit.release()
        self.busy = [unit for unit in self.busy if unit.is_busy and unit.robot is not thing]
