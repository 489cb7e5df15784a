"""Box models such as `box-nolaser`, as they stand in a world."""

from __future__ import annotations

from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import ORDINARY_REFLECTANCE, Stops


def box_of_model(model: RobotModel, name: str, pose: Pose) -> Box:
    """Return the box that a model describes, at a pose."""
    outline = model.body.outline[0] if model.body.outline else rectangle(*model.body.size)
    stops = Stops.of(robots=model.body.obstacle, sonar=model.body.sonar_return, laser=model.body.laser_return > 0)
    return Box(
        *(name, pose, outline, stops, max(model.body.laser_return, ORDINARY_REFLECTANCE), model.body.colour, model.name),
        pushable=model.body.pushable,
    )
