"""The names under which lasers are asked for."""

from __future__ import annotations

import pytest

from mobilesim_py.app.option_values import LASER_PROTOCOLS
from mobilesim_py.protocols.lasers.table import PROTOCOLS

from .conftest import Ramp


def test_the_option_knows_every_protocol() -> None:
    assert tuple(PROTOCOLS) == LASER_PROTOCOLS


@pytest.mark.parametrize("name", PROTOCOLS)
def test_each_makes_a_laser_that_rests_at_first(name: str) -> None:
    server = PROTOCOLS[name].make(Ramp())
    assert not server.is_scanning
    assert 0.0 < server.period <= 0.1
