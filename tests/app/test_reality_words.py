"""How the command line says what disturbs robots."""

from __future__ import annotations

import pytest

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.reality_words import patch, reality_for
from mobilesim_py.core.reality import FULL, Reality
from mobilesim_py.errors import UsageError
from mobilesim_py.testing import Stand


def wished(robot: str, *words: str) -> Reality:
    """Return what disturbs a robot with these words."""
    return reality_for(robot, parse(["--nomap", *words], interactive=False).reality)


def test_nothing_is_wished_by_default() -> None:
    assert wished("oz") == Reality()


def test_a_share_means_everything_and_switches_single_things() -> None:
    assert wished("oz", "--reality", "0.5") == FULL.scaled(0.5)
    assert wished("oz", "--reality", "slip=0.2,gps_offset=1") == Reality(slip=0.2, gps_offset=1.0)
    assert wished("oz", "--reality", "1,slip=0").slip == 0.0
    assert wished("oz", "--reality", "1", "--reality", "slip=0.9") == wished("oz", "--reality", "1,slip=0.9")


def test_a_robot_can_be_named() -> None:
    words = ("--reality", "slip=0.1", "--reality", "second:slip=0.4")
    assert (wished("first", *words).slip, wished("second", *words).slip) == (0.1, 0.4)


@pytest.mark.parametrize("text", ["2", "-1", "bad", "slip", "slip=x", "slip=-1", "wind=1", "slip=nan", ""])
def test_what_makes_no_sense_is_refused_with_the_names_there_are(text: str) -> None:
    with pytest.raises(UsageError, match="--reality"):
        wished("oz", f"--reality={text}")


def test_a_patch_of_the_command_line_is_bad_ground_of_any_map() -> None:
    stand = Stand("-m", "office.map", "-r", "p3dx", "--patch", "-1,-1,1,1:slip=0.5,mud=0.1", "--patch=3,3,2,2:stones=1")
    world = stand.simulation.world
    assert (world.value_at("slip", 0.5, 0.5), world.value_at("mud", 0.0, 0.0), world.value_at("stones", 2.5, 2.5)) == (
        0.5,
        0.1,
        1,
    )


@pytest.mark.parametrize(
    "text", ["1,2,3:slip=1", "1,2,3,4:slip", "1,2,3,4:swamp=1", "a,2,3,4:slip=1", "1,2,3,inf:slip=1", ""]
)
def test_a_bad_patch_is_refused_with_what_is_wanted(text: str) -> None:
    with pytest.raises(ValueError, match="X1,Y1,X2,Y2:NAME=SIZE"):
        patch(text)
