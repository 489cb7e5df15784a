"""Box models become boxes."""

from __future__ import annotations

import numpy as np
import pytest

from mobilesim_py.catalogue.model import BodyModel, RobotModel
from mobilesim_py.formats.stage.box_models import box_of_model
from mobilesim_py.geometry import Pose
from mobilesim_py.world.obstacles import Stops


@pytest.mark.parametrize(
    ("laser", "sonar", "stops", "reflectance"),
    [
        (1, True, Stops.ALL, 1),
        (0, True, Stops.ROBOTS | Stops.SONAR, 1),
        (0, False, Stops.ROBOTS, 1),
        (2, True, Stops.ALL, 2),
    ],
)
def test_box_models_become_boxes(laser: int, sonar: bool, stops: Stops, reflectance: int) -> None:
    model = RobotModel(
        "box", BodyModel(size=(0.5, 0.5), colour="yellow", laser_return=laser, sonar_return=sonar), is_box=True
    )
    box = box_of_model(model, "box1", Pose(1.0, 2.0, 0.0))
    assert (box.stops, box.reflectance, box.colour, box.kind) == (stops, reflectance, "yellow", "box")
    assert np.allclose(box.corners, [(0.75, 1.75), (1.25, 1.75), (1.25, 2.25), (0.75, 2.25)])
