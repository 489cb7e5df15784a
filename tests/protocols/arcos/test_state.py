"""The state machine's table is whole, and says what it must."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.arcos.packet import Packet
from mobilesim_py.protocols.arcos.state import STEPS, Action, Phase, Signal, signal_of


def test_every_signal_has_a_step_in_every_phase() -> None:
    assert set(STEPS) == {(phase, signal) for phase in Phase for signal in Signal}


@pytest.mark.parametrize(
    ("packet", "signal"),
    [
        (Packet(0), Signal.SYNC0),
        (Packet(1), Signal.SYNC1),
        (Packet(2), Signal.SYNC2),
        (Packet(0, b"\x3b\x64\x00"), Signal.COMMAND),
        (Packet(1, b"\x3b\x01\x00"), Signal.OPEN),
        (Packet(2, b"\x3b\x01\x00"), Signal.CLOSE),
        (Packet(11, b"\x3b\x01\x00"), Signal.COMMAND),
        (Packet(29), Signal.COMMAND),
    ],
)
def test_a_packet_is_told_by_its_number_and_whether_it_has_an_argument(packet: Packet, signal: Signal) -> None:
    assert signal_of(packet) is signal


def test_only_open_leads_to_the_open_phase() -> None:
    ways = {step.action for (phase, _), step in STEPS.items() if step.next is Phase.OPEN and phase is not Phase.OPEN}
    assert ways == {Action.OPEN}


def test_nothing_is_delivered_before_the_handshake_is_done() -> None:
    early = {step.action for (phase, _), step in STEPS.items() if phase.in_handshake}
    assert early == {Action.ANSWER, Action.ECHO, Action.IGNORE}


def test_a_closed_session_stays_closed() -> None:
    assert {STEPS[Phase.CLOSED, signal].next for signal in Signal} == {Phase.CLOSED}
