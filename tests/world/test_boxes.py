"""A box and its edges, wherever it stands."""

from __future__ import annotations

import pytest

from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Stops


def test_a_moved_box_takes_its_edges_along() -> None:
    moved = Box("crate", Pose(), rectangle(0.8, 0.6), reflectance=5).moved(Pose(10.0, 0.0, 0.0))
    segments = moved.segments()
    assert segments.ends[0].tolist() == pytest.approx([9.6, -0.3, 10.4, -0.3])
    assert (len(segments), set(segments.reflectance.tolist()), set(segments.stops.tolist())) == (
        4,
        {5},
        {int(Stops.ALL)},
    )


def test_a_box_takes_the_place_of_its_outline() -> None:
    box = Box("crate", Pose(1.0, 2.0, 0.0), rectangle(2.0, 1.0))
    assert box.geometry.bounds == (0.0, 1.5, 2.0, 2.5)
