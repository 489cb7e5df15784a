"""Robots can be told apart by their colour, and a robot that is named after a colour has it."""

from __future__ import annotations

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.view.colours import NAMED, as_rgb, colour_of
from mobilesim_py.world.world import empty_world


def test_robots_of_one_model_have_different_colours() -> None:
    simulation = Simulation(empty_world())
    model = Catalogue.load().find("p3dx-nolaser")
    assert len({colour_of(simulation.add_robot(model, str(k))) for k in range(5)}) == 5


def test_a_robot_named_after_a_colour_has_it() -> None:
    simulation = Simulation(empty_world())
    catalogue = Catalogue.load()
    for colour, expected in NAMED.items():
        assert colour_of(simulation.add_robot(catalogue.find(f"{colour}_p3dx"), colour)) == expected


def test_colours_are_read_as_numbers() -> None:
    assert as_rgb("#d0342c") == (0xD0, 0x34, 0x2C)
