"""Faults are counted always and told once."""

from __future__ import annotations

from mobilesim_py.protocols.naio.faults import Fault, FaultKind, FaultLog


def test_the_first_of_a_kind_and_id_is_news() -> None:
    log = FaultLog()
    assert log.count(FaultKind.BAD_PAYLOAD, packet_id=1)
    assert not log.count(FaultKind.BAD_PAYLOAD, packet_id=1)
    assert log.count(FaultKind.BAD_PAYLOAD, packet_id=2)
    assert log.count(FaultKind.GARBAGE, 100)
    assert log.counts == {FaultKind.BAD_PAYLOAD: 3, FaultKind.GARBAGE: 100}


def test_what_is_told_is_taken_once() -> None:
    log = FaultLog()
    fault = Fault(FaultKind.GARBAGE, "bytes")
    log.tell(fault)
    assert log.take() == [fault]
    assert log.take() == []
