"""Whether lab and grid are a field of the written rules."""

from __future__ import annotations

import math

from mobilesim_py.services.ciberrato import EXPLORER_2022

from .playing import game_of, lab_of

OPEN = lab_of(20.0, 20.0, targets=((5.0, 5.0, 1.0),))


def test_the_field_of_the_written_rules_is_checked():
    assert game_of(OPEN).warnings() == []
    good = lab_of(28.0, 14.0, targets=((5.0, 5.0, 1.0),))
    assert game_of(good, rules=EXPLORER_2022).warnings() == []
    shut = lab_of(30.0, 14.0, {1: "--+  ", 0: "  |"}, targets=((5.0, 5.0, 1.0),))
    warnings = game_of(shut, ((1.0, 1.0, math.pi / 2),), rules=EXPLORER_2022).warnings()
    assert len(warnings) == 3
    assert "15 x 7 cells" in warnings[0]
    assert "heading 90 and explorer-2022 wants 0 or 180" in warnings[1]
    assert "target 0 cannot be reached from start place 1" in warnings[2]
    assert "no target" in game_of(lab_of(8.0, 8.0), rules=EXPLORER_2022).warnings()[0]
