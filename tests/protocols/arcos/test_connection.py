"""A session from the first SYNC to CLOSE, as clients and recordings have it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos.commands import command_table
from mobilesim_py.protocols.arcos.connection import (
    MODEM_SWITCH,
    BadPacket,
    Closed,
    CloseReason,
    Connection,
    HandshakeWarning,
    Identity,
    InstructionReceived,
    Opened,
    Synchronised,
)
from mobilesim_py.protocols.arcos.packet import FaultKind, Packet, PacketReader, encode
from mobilesim_py.protocols.arcos.state import Phase

SYNC = [encode(0), encode(1), encode(2)]
INT_1 = b"\x3b\x01\x00"
OPEN, CLOSE = encode(1, INT_1), encode(2, INT_1)
VEL = encode(11, b"\x3b\xc8\x00")
P3DX = Identity("MobileSim", "Pioneer", "p3dx")
SYNC2_REPLY = encode(2, b"MobileSim\0Pioneer\0p3dx\0")


def connection(*packets: bytes, **options: bool) -> Connection:
    """Return a connection that has received packets, and forget what it said."""
    it = Connection(P3DX, **options)
    it.receive_data(b"".join(packets))
    it.events()
    it.data_to_send()
    return it


def replies(it: Connection, *packets: bytes) -> bytes:
    it.receive_data(b"".join(packets))
    return it.data_to_send()


def one_by_one(it: Connection, *packets: bytes) -> bytes:
    return b"".join(replies(it, packet) for packet in packets)


def warnings(it: Connection) -> list[str]:
    return [event.text for event in it.events() if isinstance(event, HandshakeWarning)]


def test_each_sync_is_answered_with_one_packet() -> None:
    it = Connection(P3DX)
    assert replies(it, SYNC[0]) == SYNC[0]
    assert replies(it, SYNC[1]) == SYNC[1]
    assert replies(it, SYNC[2]) == SYNC2_REPLY
    assert it.events() == [Synchronised()]
    assert it.phase is Phase.SYNCHRONISED


def test_all_syncs_may_come_in_one_write() -> None:
    assert replies(Connection(P3DX), *SYNC) == SYNC[0] + SYNC[1] + SYNC2_REPLY


def test_the_answer_to_sync2_is_the_recorded_one_but_for_the_name(recorded: Callable[..., list[bytes]]) -> None:
    answers = [packet for packet in recorded("rx", "handshake_p3dx") if packet[3] == 2]
    assert replies(Connection(Identity("AMRISim", "Pioneer", "p3dx")), *SYNC) == SYNC[0] + SYNC[1] + answers[0]


def test_every_recorded_answer_to_sync2_is_made_of_three_strings(recorded: Callable[..., list[bytes]]) -> None:
    for answer in recorded("rx", None, 2):
        (packet,) = PacketReader().feed(answer)
        assert encode(2, Identity.decode(packet.data).encode()) == answer


def test_an_identity_is_read_as_it_was_written() -> None:
    assert Identity.decode(P3DX.encode()) == P3DX
    assert Identity.decode(b"MobileSim") == Identity("MobileSim", "", "")


def test_long_names_are_cut_so_that_the_answer_is_a_legal_packet() -> None:
    answer = replies(Connection(Identity("n" * 500, "ü" * 500, "s\0s")), SYNC[2])
    (packet,) = PacketReader().feed(answer)
    assert len(packet.data.split(b"\0")) == 4


@pytest.mark.parametrize("open_packet", [encode(1), OPEN])
def test_open_comes_with_or_without_an_argument(open_packet: bytes) -> None:
    it = connection(*SYNC)
    it.receive_data(open_packet)
    assert it.events() == [Opened()]
    assert it.is_open


def test_after_open_0_1_2_are_pulse_open_and_close() -> None:
    it = connection(*SYNC, OPEN)
    assert replies(it, encode(0), encode(1), encode(2)) == b""
    *commands, last = it.events()
    assert [event.instruction.name for event in commands if isinstance(event, InstructionReceived)] == ["PULSE", "OPEN"]
    assert last == Closed(CloseReason.CLOSE_COMMAND)
    assert it.is_closed


def test_commands_are_delivered_in_order() -> None:
    it = connection(*SYNC, OPEN)
    it.receive_data(VEL + encode(29))
    events = [event for event in it.events() if isinstance(event, InstructionReceived)]
    assert [(event.instruction.name, event.instruction.value) for event in events] == [("VEL", 200), ("STOP", None)]


def test_commands_work_without_open_but_the_session_is_not_open() -> None:
    it = connection(*SYNC)
    it.receive_data(encode(18))
    (event,) = it.events()
    assert isinstance(event, InstructionReceived)
    assert (it.is_synchronised, it.is_open) == (True, False)


def test_the_table_of_commands_decides_what_a_number_means() -> None:
    it = Connection(P3DX, command_table(srisim_compat=True))
    it.receive_data(b"".join(SYNC) + encode(62))
    *_, event = it.events()
    assert isinstance(event, InstructionReceived)
    assert event.instruction.name == "OLD_END_SIM"


def test_sync2_alone_connects_with_a_warning() -> None:
    it = Connection(P3DX)
    assert replies(it, SYNC[2]) == SYNC2_REPLY
    assert warnings(it) == ["Recieved out of sequence SYNC packet: got 2, expecting 0. Will send 2."]
    assert it.is_synchronised


def test_a_repeated_sync_is_answered_again() -> None:
    it = Connection(P3DX)
    assert one_by_one(it, SYNC[0], SYNC[0], SYNC[1], SYNC[1]) == SYNC[0] * 2 + SYNC[1] * 2


def test_a_repeated_sync2_is_answered_again_and_begins_no_second_session() -> None:
    it = connection(*SYNC)
    assert replies(it, SYNC[2]) == SYNC2_REPLY
    assert it.events() == []


def test_a_handshake_can_start_over_before_open() -> None:
    it = connection(*SYNC)
    assert replies(it, *SYNC) == SYNC[0] + SYNC[1] + SYNC2_REPLY
    assert it.events() == [Synchronised()]


def test_a_close_in_the_handshake_starts_it_over_without_an_answer() -> None:
    it = connection(SYNC[0])
    assert replies(it, CLOSE) == b""
    assert it.phase is Phase.AWAITING_SYNC0


def test_an_open_in_the_handshake_is_ignored() -> None:
    it = connection(SYNC[0])
    assert replies(it, OPEN) == b""
    assert it.phase is Phase.AWAITING_SYNC1


def test_another_command_in_the_handshake_is_sent_back_and_the_handshake_goes_on() -> None:
    it = connection(SYNC[0])
    assert replies(it, VEL) == encode(11)
    assert warnings(it) == ["Recieved out of sequence SYNC packet: got 11, expecting 1. Will send 11."]
    assert replies(it, SYNC[1], SYNC[2]) == SYNC[1] + SYNC2_REPLY


def test_the_eleventh_packet_without_a_handshake_closes() -> None:
    it = Connection(P3DX)
    assert one_by_one(it, *[SYNC[0]] * 10) == SYNC[0] * 10
    assert not it.is_closed
    assert replies(it, SYNC[0]) == b""
    assert it.events()[-1] == Closed(CloseReason.HANDSHAKE_FAILED)
    assert it.is_closed


def test_a_handshake_that_starts_over_has_all_its_tries_again() -> None:
    it = Connection(P3DX)
    one_by_one(it, *[SYNC[0]] * 8, *SYNC[1:])
    assert one_by_one(it, *[SYNC[0]] * 8, *SYNC[1:]) == SYNC[0] * 8 + SYNC[1] + SYNC2_REPLY
    assert not it.is_closed


def test_a_closed_connection_ignores_everything() -> None:
    it = connection(*SYNC, OPEN, CLOSE)
    assert replies(it, *SYNC, OPEN, VEL) == b""
    assert it.events() == []


def test_close_without_open_closes() -> None:
    assert connection(*SYNC, CLOSE).is_closed


def test_a_persistent_line_starts_over_after_close() -> None:
    it = connection(*SYNC, OPEN, persistent=True)
    assert replies(it, CLOSE, *SYNC) == SYNC[0] + SYNC[1] + SYNC2_REPLY
    assert it.events() == [Closed(CloseReason.CLOSE_COMMAND), Synchronised()]


def test_a_client_that_takes_over_a_line_begins_a_session_of_its_own() -> None:
    it = connection(*SYNC, OPEN, persistent=True)
    assert replies(it, VEL, MODEM_SWITCH, *SYNC) == SYNC[0] + SYNC[1] + SYNC2_REPLY
    obeyed, *rest = it.events()
    assert isinstance(obeyed, InstructionReceived)
    assert rest == [Closed(CloseReason.NEW_CLIENT), Synchronised()]


@pytest.mark.parametrize("cut", range(1, len(MODEM_SWITCH)))
def test_what_a_modem_is_told_may_come_in_two_reads(cut: int) -> None:
    it = connection(*SYNC, OPEN, persistent=True)
    assert replies(it, MODEM_SWITCH[:cut]) == b""
    assert replies(it, MODEM_SWITCH[cut:], SYNC[0]) == SYNC[0]
    assert it.events() == [Closed(CloseReason.NEW_CLIENT)]


def test_what_a_modem_is_told_is_nothing_before_a_handshake() -> None:
    it = Connection(P3DX, persistent=True)
    assert replies(it, MODEM_SWITCH, SYNC[0], MODEM_SWITCH, SYNC[1]) == SYNC[0] + SYNC[1]
    assert it.events() == []


def test_the_words_for_a_modem_are_data_inside_a_packet() -> None:
    say = encode(15, b"\x2b\x05" + MODEM_SWITCH)
    it = connection(*SYNC, OPEN, persistent=True)
    replies(it, say[:7], say[7:], say)
    events = it.events()
    assert [type(event) for event in events] == [InstructionReceived, InstructionReceived]


def test_a_packet_that_ends_like_the_words_for_a_modem_is_not_held_back() -> None:
    packet = next(encode(number) for number in range(256) if encode(number).endswith(b"W"))
    it = connection(*SYNC, OPEN, persistent=True)
    it.receive_data(packet)
    assert len(it.events()) == 1


def test_other_garbage_on_a_line_is_told_even_when_it_begins_like_those_words() -> None:
    it = connection(*SYNC, OPEN, persistent=True)
    replies(it, b"WM")
    replies(it, b"xx")
    assert it.events() == [BadPacket(FaultKind.GARBAGE, 4, "4 bytes that belong to no packet")]


def test_on_a_line_a_handshake_that_was_hopeless_begins_anew() -> None:
    it = Connection(P3DX, persistent=True)
    assert one_by_one(it, *[SYNC[0]] * 12) == SYNC[0] * 12
    assert Closed(CloseReason.HANDSHAKE_FAILED) in it.events()


def test_nothing_can_be_sent_before_the_handshake_is_done() -> None:
    it = connection(SYNC[0], SYNC[1])
    assert not it.send(encode(0x32))
    assert it.data_to_send() == b""


def test_nothing_can_be_sent_after_close() -> None:
    it = connection(*SYNC, OPEN, CLOSE)
    assert not it.send(encode(0x32))
    assert it.data_to_send() == b""


def test_what_is_sent_goes_out_once_and_in_order() -> None:
    it = connection(*SYNC)
    assert it.send(Packet(0x20, b"a"))
    assert it.send(encode(0x32) + encode(0x61))
    assert it.data_to_send() == encode(0x20, b"a") + encode(0x32) + encode(0x61)
    assert it.data_to_send() == b""


def test_bad_packets_are_told_once_per_kind() -> None:
    it = connection(*SYNC, OPEN)
    it.receive_data((VEL[:-1] + b"\xff") * 5 + b"\xfa\xfb\x00")
    assert [(e.kind, e.count) for e in it.events() if isinstance(e, BadPacket)] == [
        (FaultKind.BAD_CHECKSUM, 5),
        (FaultKind.BAD_LENGTH, 1),
    ]


def test_a_silence_frees_the_sync_that_a_false_header_held_back() -> None:
    it = Connection(P3DX)
    assert replies(it, b"\xfa\xfb\xcf" + SYNC[0]) == b""
    it.silence()
    assert it.data_to_send() == SYNC[0]
    assert replies(it, SYNC[1]) == SYNC[1]


def test_it_says_whether_a_packet_is_incomplete() -> None:
    it = Connection(P3DX)
    it.receive_data(SYNC[0])
    assert not it.is_mid_packet
    it.receive_data(SYNC[1][:4])
    assert it.is_mid_packet
    it.silence()
    assert not it.is_mid_packet


@pytest.mark.parametrize(
    ("batch", "answers"),
    [
        ([0, 0], [0]),
        ([0, 0, 0, 0], [0]),
        ([0, 1, 1], [0, 1]),
        ([1, 0], [0]),
        ([1, 0, 0], [0]),
        ([0, 0, 1, 2], [0, 1, 2]),
        ([0, 1, 2, 2], [0, 1, 2]),
        ([2, 0], [0]),
    ],
)
def test_a_client_that_asked_again_before_it_was_heard_gets_one_answer(batch: list[int], answers: list[int]) -> None:
    """ARIA counts answers: it takes the next packet for the answer to its last SYNC, whatever it asked before."""
    it = Connection(P3DX)
    sent = replies(it, *(SYNC[number] for number in batch))
    assert [packet.id for packet in PacketReader().feed(sent)] == answers
    assert it.phase.value == answers[-1] + 1


def test_what_aria_sends_between_its_tries_does_not_count_as_another_question() -> None:
    assert replies(Connection(P3DX), SYNC[0], OPEN, SYNC[0], OPEN, SYNC[0]) == SYNC[0]


def test_a_session_that_begins_in_the_same_batch_does_not_look_like_another_try() -> None:
    assert replies(Connection(P3DX), *SYNC, OPEN, encode(0), VEL) == SYNC[0] + SYNC[1] + SYNC2_REPLY


def test_a_command_that_is_repeated_in_the_handshake_is_echoed_once() -> None:
    assert replies(Connection(P3DX), VEL, VEL) == encode(11)


def test_any_number_of_syncs_that_were_not_heard_in_time_leaves_the_handshake_possible() -> None:
    it = Connection(P3DX)
    assert replies(it, *[SYNC[0]] * 40) == SYNC[0]
    assert replies(it, SYNC[1], SYNC[2]) == SYNC[1] + SYNC2_REPLY


def test_after_the_handshake_equal_packets_are_all_delivered() -> None:
    it = connection(*SYNC, OPEN)
    it.receive_data(VEL + VEL + encode(0) + encode(0))
    assert len(it.events()) == 4


def test_commands_behind_a_repeated_sync2_are_delivered() -> None:
    it = Connection(P3DX)
    assert replies(it, *SYNC, SYNC[2], OPEN, VEL, VEL) == SYNC[0] + SYNC[1] + SYNC2_REPLY
    assert [type(event) for event in it.events()] == [Synchronised, Opened, InstructionReceived, InstructionReceived]


def test_a_long_silence_frees_what_a_false_header_held_back() -> None:
    it = connection(*SYNC, OPEN)
    it.receive_data(b"\xfa\xfb\xcf" + VEL)
    assert it.events() == []
    it.silence()
    assert [e.instruction.name for e in it.events() if isinstance(e, InstructionReceived)] == ["VEL"]


@pytest.mark.parametrize("recording", ["sync_out_of_order", "no_open", "garbage_bytes", "handshake_seekur"])
def test_recorded_handshakes_get_the_recorded_answers(recordings: dict[str, list[dict[str, str]]], recording: str) -> None:
    lines = recordings[recording]
    for conn in sorted({line["conn"] for line in lines}):
        it = Connection(Identity("AMRISim", "Pioneer", "seekur" if "seekur" in recording else "p3dx-sh"))
        session = [line for line in lines if line["conn"] == conn]
        sent = b"".join(replies(it, bytes.fromhex(line["hex"])) for line in session if line["dir"] == "tx")
        answers = [bytes.fromhex(line["hex"]) for line in session if line["dir"] == "rx"]
        assert sent == b"".join(answer for answer in answers if answer[3] <= 2)
        assert it.is_closed == any(line["dir"] == "closed" for line in session) or recording == "handshake_seekur"


def test_a_command_in_a_recorded_handshake_gets_the_recorded_answer(recorded: Callable[..., list[bytes]]) -> None:
    sync0, vel, *_ = recorded("tx", "sync_other_command")
    assert replies(Connection(P3DX), sync0, vel) == b"".join(recorded("rx", "sync_other_command"))


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=5))
def test_no_bytes_are_too_strange_in_any_phase(data: bytes, cuts: list[int]) -> None:
    for start in ([], SYNC[:1], SYNC, [*SYNC, OPEN], [*SYNC, OPEN, CLOSE]):
        it = connection(*start)
        places = sorted({0, len(data), *(place % (len(data) + 1) for place in cuts)})
        for a, b in pairwise(places):
            it.receive_data(data[a:b])
        it.silence()
        it.events()
        assert it.reader.pending == 0


packets = st.builds(encode, st.integers(0, 4), st.sampled_from([b"", INT_1]))


@given(st.lists(packets, max_size=40))
def test_any_order_of_packets_leaves_a_session_that_makes_sense(stream: list[bytes]) -> None:
    it = Connection(P3DX)
    for packet in stream:
        was_in_handshake = it.phase.in_handshake
        answer = replies(it, packet)
        events = it.events()
        assert len(PacketReader().feed(answer)) <= 1
        assert not (was_in_handshake and any(isinstance(event, InstructionReceived | Opened) for event in events))
        assert it.is_closed or not any(isinstance(event, Closed) for event in events)


def test_on_a_line_a_client_may_begin_with_close() -> None:
    it = Connection(P3DX, persistent=True)
    it.receive_data(encode(2))
    assert it.data_to_send() == b""
    assert it.events() == []
    it.receive_data(encode(0) + encode(1) + encode(2))
    assert Synchronised() in it.events()
