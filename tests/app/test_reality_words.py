"""How the command line says what disturbs robots."""

from __future__ import annotations

import pytest

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.reality_words import reality_for
from mobilesim_py.core.reality import FULL, Reality
from mobilesim_py.errors import UsageError


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
