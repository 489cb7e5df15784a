"""What is odd about `--start X,Y,TH`, and the numbers that were probably meant."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.world.clearance import contains, free_place_near, is_in_wall
from mobilesim_py.world.start import StartRule, Where
from mobilesim_py.world.world import World

LIKE_METRES = 0.1
"""A place so near to zero [m] was probably given in metres: as 100 of them at most."""


def advice_on_start(world: World, rule: StartRule, footprint: Sequence[Polygon]) -> str:
    """Say what is wrong with a place that `--start` names, for a robot with this footprint; empty if nothing is."""
    if rule.where is not Where.FIXED or not len(world.segments):
        return ""
    pose, bounds = rule.pose, world.bounds
    in_metres = Pose(1000.0 * pose.x, 1000.0 * pose.y, pose.heading)
    if 0.0 < max(abs(pose.x), abs(pose.y)) <= LIKE_METRES and contains(bounds, in_metres):
        return f"--start is in millimetres. If these were metres, use {_option(in_metres)}."
    if not contains(bounds, pose):
        reach = (f"{1000.0 * value:.0f}" for value in (bounds.min_x, bounds.max_x, bounds.min_y, bounds.max_y))
        where = "outside the map, whose x goes from {} to {} and y from {} to {} mm".format(*reach)
    elif is_in_wall(world, footprint, pose):
        where = "in a wall, where the robot cannot move"
    else:
        return ""
    better = free_place_near(world, footprint, pose)
    return f"--start is {where}." + (f" The nearest free place is {_option(better)}." if better else "")


def _option(pose: Pose) -> str:
    return f"--start {1000.0 * pose.x:.0f},{1000.0 * pose.y:.0f},{math.degrees(pose.heading):g}"
