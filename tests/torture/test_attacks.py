"""A few seconds of every attack of the long tool on every program: nothing dies, leaks or keeps a good client waiting."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture.battle import battle
from tests.torture.good import share
from tests.torture.wires import PROGRAMS, WIRES

pytestmark = pytest.mark.e2e
SECONDS = 3.0
RATE = 300_000.0


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_survives_hostile_clients_and_serves_a_good_one(name: str, tmp_path: Path) -> None:
    outcome = battle(PROGRAMS[name], tmp_path, seconds=SECONDS, seed=1, rate=RATE)
    assert outcome.problems == []
    assert set(outcome.volumes) == {wire.name for wire in WIRES if wire.program == name}
    for wire, volume in outcome.volumes.items():
        assert volume.messages > 20, f"{wire} was hardly attacked"
    # The margin is for a machine that is busy with other tests; the long attack compares with the control.
    assert share(outcome.attacked, 0.5) < share(outcome.control, 0.5) + 0.5
