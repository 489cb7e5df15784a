"""Values of the ground at one place and at many."""

from __future__ import annotations

import numpy as np

from mobilesim_py.geometry import rectangle
from mobilesim_py.world.ground import Area, value_at

MUD = Area(rectangle(4.0, 4.0), "mud", values={"slip": 0.5})
ICE = Area(rectangle(1.0, 1.0), "ice", values={"slip": 0.9})
SHADE = Area(rectangle(1.0, 1.0), "shade", values={"gps": 0.0})


def test_of_areas_on_top_of_each_other_the_last_that_has_the_value_counts() -> None:
    assert value_at([MUD, ICE, SHADE], "slip", 0.0, 0.0) == 0.9
    assert value_at([MUD, ICE, SHADE], "slip", 1.5, 0.0) == 0.5


def test_where_no_area_has_the_value_the_default_counts() -> None:
    assert value_at([MUD, SHADE], "gps", 1.5, 0.0, 1.0) == 1.0


def test_many_places_have_the_values_of_each() -> None:
    x = np.array([0.0, 1.5, 9.0])
    assert value_at([MUD, ICE], "slip", x, np.zeros(3), 0.1).tolist() == [0.9, 0.5, 0.1]
