"""The public face: every name is there, and costs nothing before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mobilesim_py as ms


@pytest.mark.parametrize("name", ms.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(ms, name) is not None
    assert name in dir(ms)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = ms.Nonsense  # type: ignore[attr-defined]


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = ("numpy", "shapely", "numba", "asyncio", "aiohttp", "rich")
    program = f"import sys, mobilesim_py; print([m for m in {heavy!r} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False, cwd=".")
    assert result.stdout.strip() == "[]", result.stderr


def test_a_robot_drives_in_a_few_lines() -> None:
    world = ms.load_world("maps/office.map")
    simulation = ms.Simulation(world, seed=1)
    robot = simulation.add_robot(ms.Catalogue.load().find("p3dx"), "robot1", ms.home_of(world))
    robot.drive(0.3)
    simulation.step(50)
    assert robot.pose.x - ms.home_of(world).x == pytest.approx(1.35, abs=0.05)
