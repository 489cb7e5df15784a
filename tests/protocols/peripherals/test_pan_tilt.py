"""Pan-tilt units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.peripherals.pan_tilt import DEGREES, DirectedPerceptionUnit, SmallUnit


def test_words_move_the_unit_and_ask_it() -> None:
    unit = DirectedPerceptionUnit()
    assert unit.receive(b" @ PML PHO PR ", 0.0) == b"*\r\n*\r\n*\r\n* 185.1428 seconds arc per position\r\n"
    unit.receive(b" PP584 TP-195 PS389 ", 0.0)
    assert (unit.mount.pan.goal, unit.mount.tilt.goal) == (pytest.approx(584 * DEGREES), pytest.approx(-195 * DEGREES))
    assert unit.receive(b" PP ", 9.0) == b"* Current Pan position is 584\r\n"
    assert unit.receive(b" ps ", 9.0) == b"* Current Pan speed is 389\r\n"
    unit.receive(b"PO-84 ", 9.0)
    assert unit.mount.pan.goal == pytest.approx(500 * DEGREES)
    unit.receive(b" h ", 9.0)
    assert unit.mount.pan.at(20.0) == pytest.approx(584 * DEGREES)
    unit.receive(b" re ", 20.0)
    assert unit.mount.pan.goal == 0.0
    unit.reset()


def test_the_small_unit_answers_nothing() -> None:
    unit = SmallUnit()
    assert unit.receive(bytes.fromhex("505430"), 0.0) == b""
    unit = SmallUnit()
    assert unit.receive(bytes.fromhex("505400 28 00"), 0.0) == b""
    assert unit.receive(bytes.fromhex("aa64"), 0.0) == b""
    assert (unit.mount.pan.goal, unit.mount.tilt.goal) == (20.0, 10.0)
    unit.receive(bytes.fromhex("5054003d"), 0.0)
    assert unit.mount.pan.goal == 0.0
    unit.reset()


@given(st.binary(max_size=300))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    DirectedPerceptionUnit().receive(data + b" ", 1.0)
    SmallUnit().receive(b"PT\0" + data, 1.0)
