"""Fields in pictures: soil, mounds, plants, and those that lie flat."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from mobilesim_py.core.simulation import Simulation
from mobilesim_py.formats.field.plan import FieldPlan
from mobilesim_py.formats.field.planting import plant
from mobilesim_py.view.pictures.field import FLAT, LOOKS, SOILS, discs_of, field_areas
from mobilesim_py.view.pictures.moment import take
from mobilesim_py.view.pictures.snapshot import png_of, svg_of
from mobilesim_py.world.plants import PlantKind
from mobilesim_py.world.world import empty_world

FIELD = plant(FieldPlan(rows=2, length=4.0, mounds=True, ground="sand"))


def test_plants_are_discs_by_kind_and_those_that_lie_flat_have_a_colour_of_their_own() -> None:
    leeks = np.flatnonzero(FIELD.plants.kind == PlantKind.LEEK)
    discs = {disc.colour: len(disc.places) for disc in discs_of(FIELD.trampled(leeks[:3]))}
    assert discs == {FLAT: 3, LOOKS[PlantKind.LEEK][1]: len(leeks) - 3, LOOKS[PlantKind.STAKE][1]: 4}


def test_soil_covers_the_field_and_mounds_lie_along_the_rows() -> None:
    soil, *mounds = field_areas(FIELD)
    assert soil.colour == SOILS["sand"]
    ys = [y for _, y in mounds[0].corners]
    assert max(ys) - min(ys) == pytest.approx(2.0 * FIELD.mounds.half_width)


def test_where_there_is_no_field_nothing_is_drawn() -> None:
    assert (discs_of(empty_world()), field_areas(empty_world())) == ((), [])


def test_snapshots_show_them() -> None:
    moment = take(Simulation(FIELD))
    colours = set(Image.open(io.BytesIO(png_of(moment, 800))).convert("RGB").get_flattened_data())
    assert LOOKS[PlantKind.STAKE][1] in colours
    assert 'stroke="#d8322a"' in svg_of(moment)
