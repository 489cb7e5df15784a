"""How deep things are in a picture."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from mobilesim_py.catalogue.model import StereoCameraModel
from mobilesim_py.core.cameras.depth import depth_of
from mobilesim_py.core.cameras.optics import eyes_of
from mobilesim_py.core.cameras.view import look
from mobilesim_py.geometry import Pose
from mobilesim_py.world.obstacles import Obstacle
from mobilesim_py.world.world import Bounds, World

LEVEL = StereoCameraModel(pose=Pose(), elevation=0.5, pitch=0.0, field_of_view=math.radians(80.0), width=200, height=120)


def test_a_wall_ahead_is_as_deep_as_it_is_far_and_the_ground_before_it_nearer() -> None:
    wall = Obstacle(shapely.box(3.0, -1.0, 4.0, 1.0), "wall", height=1.0)
    eye, _ = eyes_of(LEVEL, Pose())
    depths = depth_of(look(World("w", Bounds(0, 0, 9, 9), obstacles=(wall,)), eye, 60.0))
    assert depths.shape == (120, 200)
    assert depths[60, 100] == pytest.approx(3.0, abs=1e-3)
    below = eye.focal * 0.5 / (119 - eye.centre[1])
    assert depths[119, 100] == pytest.approx(below, rel=0.02)
    assert np.isnan(depths[0, 0])
    assert depths[70, 5] > 3.5
