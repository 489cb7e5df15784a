"""Reality: what makes a real robot's life harder than a simulated one's, each a switch with a size.

All of them are off by default, and belong to any robot: a Pioneer slips in the mud as an Oz does. Noise that a model's
sensors have anyway is not among them. What they draw comes from the simulation's seed, alike in both engines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Self

from mobilesim_py.world.disturbing import DISTURBING


@dataclass(frozen=True)
class Reality:
    """The sizes of what disturbs a robot."""

    gps_offset: float = 0.0
    """How far GPS positions are off at most, drifting within minutes [m]."""
    gps_loss: float = 0.0
    """Share of the time in which GPS has no fix."""
    slip: float = 0.0
    """Share of its rim's speed that a wheel loses on the ground at most; it changes from second to second."""
    mud: float = 0.0
    """How often a wheel is blocked by mud or stones, until it is driven the other way [1/m]."""
    asymmetry: float = 0.0
    """Share by which the motors of one side are weaker at most."""
    imu_bias: float = 0.0
    """What turning rates [rad/s] and, ten times as much, forces [m/s2] are off by at most, for good."""
    imu_scale: float = 0.0
    """Share by which turning rates and magnetic fields are too large or too small at most."""
    magnetism: float = 0.0
    """The robot's own magnetism and that of its motors at full speed, as a share of the earth's."""
    lidar_clutter: float = 0.0
    """Share of the lasers' beams that end at grass, leaves or mud."""
    remote_range: float = 0.0
    """Distance from the robot's start up to which a pad reaches it [m]; 0: anywhere."""
    tool_drag: float = 0.0
    """Share of the speed that a tool in the ground takes."""
    tool_rocks: float = 0.0
    """How often a rock in the ground blocks a robot whose tool is down, until it is driven the other way [1/m]."""
    stones: float = 0.0
    """How often a stone throws the robot aside [1/m]."""
    stone_kick: float = 0.0
    """How far a stone throws it at most [m]."""

    def scaled(self, share: float) -> Self:
        """Return the same in another size; a pad's range is the longer the smaller the share is."""
        sizes = {item.name: getattr(self, item.name) * share for item in fields(self)}
        sizes["remote_range"] = self.remote_range / share if share > 0.0 else 0.0
        return replace(self, **sizes)

    def on_ground(self, sizes: Mapping[str, float]) -> Self:
        """Return what disturbs a robot on ground with these sizes: of each the larger one.

        Slip is left as it is: the ground under each wheel says it.
        """
        rougher = {
            name: size
            for name, size in sizes.items()
            if name in DISTURBING and name != "slip" and size > getattr(self, name)
        }
        if rougher.get("stones") and not (self.stone_kick or rougher.get("stone_kick")):
            rougher["stone_kick"] = FULL.stone_kick
        return replace(self, **rougher)

    @property
    def hinders_motion(self) -> bool:
        """Whether anything of it is about how the robot moves."""
        return any((self.slip, self.mud, self.tool_drag, self.tool_rocks, self.stones))


FULL = Reality(
    gps_offset=2.0,
    gps_loss=0.1,
    slip=0.3,
    mud=0.02,
    asymmetry=0.05,
    imu_bias=0.02,
    imu_scale=0.05,
    magnetism=0.2,
    lidar_clutter=0.1,
    remote_range=30.0,
    tool_drag=0.4,
    tool_rocks=0.02,
    stones=0.05,
    stone_kick=0.1,
)
"""A bad day in the field: what `--reality 1` means."""
NAMES = tuple(item.name for item in fields(Reality))
