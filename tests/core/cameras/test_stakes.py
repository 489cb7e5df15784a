"""Stakes in view are told with their places in the picture."""

from __future__ import annotations

import numpy as np
import pytest

from mobilesim_py.catalogue.model import StereoCameraModel
from mobilesim_py.core.cameras.optics import eyes_of
from mobilesim_py.core.cameras.stakes import stakes_in_view
from mobilesim_py.geometry import Pose
from mobilesim_py.world.plants import PlantKind, Plants
from mobilesim_py.world.world import Bounds, World

LEFT = eyes_of(StereoCameraModel(), Pose())[0]


def test_stakes_ahead_are_told_the_nearest_first_and_nothing_else() -> None:
    kinds = [PlantKind.STAKE, PlantKind.STAKE, PlantKind.LEEK, PlantKind.STAKE, PlantKind.STAKE]
    plants = Plants.build([3.0, 2.0, 2.5, -2.0, 30.0], [0.5, 0.0, 0.0, 0.0, 0.0], kinds)
    found = stakes_in_view(World("f", Bounds(0, 0, 1, 1), plants=plants), LEFT)
    assert found == pytest.approx(LEFT.project(np.array([[2.0, 0.0, 0.0], [3.0, 0.5, 0.0]]))[:, :2])
