"""Scoring modes by their numbers, and labs that they cannot be played in."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ciber import RobotRequest
from mobilesim_py.services.ciberrato import EXPLORER_2022, NoLoopError

from .playing import game_of, lab_of


def test_a_mode_that_wants_a_loop_refuses_a_lab_without_one():
    with pytest.raises(NoLoopError, match=r"no loop that starts in cell \(0, 0\) .*; choose another lab"):
        game_of(lab_of(4.0, 2.0), scoring=1)


def test_a_place_without_a_loop_is_refused_where_others_have_one():
    lab = lab_of(8.0, 8.0, {2: "     |  |", 1: "     +--+  ", 3: "     +--+  "})
    game = game_of(lab, ((1.0, 1.0, 0.0), (5.0, 3.0, 0.0)), scoring=1)
    assert game.register(RobotRequest("n", 2)) is None
    assert game.register(RobotRequest("n")) == 1


def test_the_written_rules_have_their_own_score_whatever_the_mode():
    assert game_of(lab_of(4.0, 2.0), scoring=1, rules=EXPLORER_2022).scoring.start_score() == 200
