"""The client's end of a session: against our own robot's end, and against everything that is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos.client import CLOSE, OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.client_connection import (
    ASK_CONFIG,
    GOODBYE,
    MOST_TRIES,
    PULSE,
    BaudWanted,
    ClientConnection,
    ClientPhase,
    Connected,
    LossReason,
    Lost,
    PacketReceived,
)
from mobilesim_py.protocols.arcos.config import Config, pack_config
from mobilesim_py.protocols.arcos.connection import BadPacket, Connection, Identity, Opened
from mobilesim_py.protocols.arcos.packet import Packet, encode
from mobilesim_py.protocols.arcos.sip import WireSip

SIP = WireSip(0x32).encode()
MOVING = WireSip(0x33).encode()
IDENTITY = Identity("alpha", "Pioneer", "p3dx")
CONFIG = pack_config(Config(subclass="p3dx"))


class Line:
    """A client's end with its clock."""

    def __init__(self, **how: object) -> None:
        self.now = 50.0
        self.end = ClientConnection(self.now, **how)  # type: ignore[arg-type]
        self.happened: list[object] = []

    def hears(self, *data: bytes) -> bytes:
        for part in data:
            self.end.receive_data(part, self.now)
        return self.said()

    def waits(self, seconds: float) -> bytes:
        self.now += seconds
        self.end.pass_time(self.now)
        return self.said()

    def said(self) -> bytes:
        self.happened += self.end.events()
        return self.end.data_to_send()

    def told(self, kind: type) -> list[object]:
        return [event for event in self.happened if isinstance(event, kind)]

    def connected(self) -> Line:
        self.hears(SYNCS[0], SYNCS[1], encode(2, IDENTITY.encode()), CONFIG)
        assert self.end.phase is ClientPhase.CONNECTED
        self.happened.clear()
        return self


def test_both_ends_of_a_session_understand_each_other() -> None:
    line, robot = Line(), Connection(IDENTITY)
    said = line.said()
    for _ in range(4):
        robot.receive_data(said)
        said = line.hears(robot.data_to_send())
    assert robot.is_open
    assert any(isinstance(event, Opened) for event in robot.events())
    robot.send(CONFIG)
    line.hears(robot.data_to_send())
    assert line.told(Connected) == [Connected(IDENTITY, Config(subclass="p3dx"))]
    assert line.end.is_open


def test_each_sync_is_said_when_the_one_before_was_answered() -> None:
    line = Line()
    assert line.said() == SYNCS[0]
    assert line.hears(SYNCS[0]) == SYNCS[1]
    assert line.hears(SYNCS[1]) == SYNCS[2]
    assert line.hears(encode(2, IDENTITY.encode())) == OPEN + ASK_CONFIG
    assert line.end.identity == IDENTITY
    assert not line.told(Connected)


def test_on_a_line_the_modem_is_woken_and_words_are_apart() -> None:
    line = Line(bauds=(9600, 38400), pause=0.07)
    assert line.said() == b"WMS2\r" + SYNCS[0]
    assert line.hears(SYNCS[0]) == b""
    assert line.hears(SYNCS[0]) == b"", "an answer that comes twice is heard once"
    assert line.waits(0.06) == b""
    assert line.waits(0.01) == SYNCS[1]


def test_config_is_asked_for_until_it_comes() -> None:
    line = Line()
    line.hears(SYNCS[0], SYNCS[1], SYNCS[2])
    assert [line.waits(0.1) for _ in range(4)] == [b"", ASK_CONFIG, b"", ASK_CONFIG]
    line.hears(CONFIG)
    assert line.end.phase is ClientPhase.CONNECTED
    assert line.waits(0.3) == b""


def test_a_robot_without_config_is_driven_all_the_same() -> None:
    line = Line()
    line.hears(SYNCS[0], SYNCS[1], SYNCS[2])
    said = b"".join(line.waits(0.1) for _ in range(10))
    assert said.count(ASK_CONFIG) == 4
    assert line.told(Connected) == [Connected(Identity("", "", ""), None)]


def test_an_old_session_is_closed_and_its_sips_are_not_heard() -> None:
    line = Line()
    assert line.said() == SYNCS[0]
    assert line.hears(SIP) == CLOSE
    assert line.hears(SIP, SYNCS[0], MOVING) == CLOSE
    assert line.waits(0.19) == b""
    assert line.waits(0.011) == SYNCS[0]


@pytest.mark.parametrize("answer", [MOVING, SYNCS[1], encode(0xFF)])
def test_a_wrong_answer_begins_the_handshake_again_after_a_moment(answer: bytes) -> None:
    line = Line()
    line.said()
    assert line.hears(answer * 60) == b""
    assert line.waits(0.07) == SYNCS[0]
    assert line.hears(SYNCS[0]) == SYNCS[1]


def test_a_silent_robot_is_given_up_after_six_tries() -> None:
    line = Line()
    said = [line.said(), *(line.waits(1.0) for _ in range(6))]
    assert said == [SYNCS[0]] * 4 + [OPEN + SYNCS[0]] * 2 + [b""]
    assert line.told(Lost) == [Lost(LossReason.NO_ROBOT)]
    assert line.end.is_closed
    assert line.end.deadline is None


def test_on_a_line_every_try_has_another_speed() -> None:
    line = Line(bauds=(9600, 38400, 115200))
    for _ in range(5):
        line.waits(1.0)
    assert [event.baud for event in line.told(BaudWanted)] == [38400, 115200, 9600, 38400, 115200]  # type: ignore[attr-defined]


def test_a_robot_that_answers_now_and_then_is_given_up_later() -> None:
    line = Line()
    line.hears(SYNCS[1])
    for _ in range(12):
        line.waits(1.0)
    assert line.told(Lost) == [Lost(LossReason.NO_HANDSHAKE)]


def test_something_that_answers_nonsense_for_ever_is_given_up() -> None:
    line = Line()
    for _ in range(MOST_TRIES):
        assert not line.told(Lost)
        line.hears(MOVING)
        line.waits(0.07)
    assert line.told(Lost) == [Lost(LossReason.NO_HANDSHAKE)]


def test_packets_of_an_open_session_are_events() -> None:
    line = Line().connected()
    line.hears(SIP[:5], SIP[5:] + MOVING, CONFIG)
    assert [event.packet.id for event in line.told(PacketReceived)] == [0x32, 0x33, 0x20]  # type: ignore[attr-defined]


def test_a_packet_longer_than_ours_is_heard() -> None:
    line = Line().connected()
    body = bytes([0x60]) + bytes(252)
    line.hears(b"\xfa\xfb\xff" + body + b"\x60\x00")
    assert [event.packet for event in line.told(PacketReceived)] == [Packet(0x60, bytes(252))]  # type: ignore[attr-defined]


def test_nothing_said_for_half_a_second_makes_a_pulse() -> None:
    line = Line().connected()
    assert line.end.deadline == line.now + 0.5
    assert line.waits(0.4) == b""
    assert line.end.send(command(11, 200), line.now)
    assert line.said() == command(11, 200)
    assert line.waits(0.4) == b""
    assert line.waits(0.1) == PULSE


def test_nothing_heard_for_eight_seconds_is_the_end() -> None:
    line = Line(keep_alive=0.0).connected()
    assert line.end.deadline == line.now + 8.0
    line.waits(7.9)
    line.hears(SIP)
    line.waits(7.9)
    assert not line.told(Lost)
    line.waits(0.11)
    assert line.told(Lost) == [Lost(LossReason.SILENT)]


def test_without_limits_nothing_is_ever_due() -> None:
    line = Line(keep_alive=0.0, silence=0.0).connected()
    assert line.end.deadline is None
    assert line.waits(1000.0) == b""


@pytest.mark.parametrize("number", [0xFE, 0xFF])
def test_a_controller_that_starts_anew_is_gone(number: int) -> None:
    line = Line().connected()
    line.hears(encode(number), SIP)
    assert line.told(Lost) == [Lost(LossReason.RESET)]
    assert not line.told(PacketReceived)


def test_a_connection_that_breaks_is_told_once() -> None:
    line = Line().connected()
    line.end.hung_up()
    line.end.hung_up()
    line.said()
    assert line.told(Lost) == [Lost(LossReason.HUNG_UP)]
    assert not line.end.send(PULSE, line.now)


def test_the_robot_is_stopped_before_the_session_ends() -> None:
    line = Line().connected()
    line.end.close()
    assert line.said() == GOODBYE == command(4, 0) + command(2, 1)
    assert line.end.is_closed
    assert line.waits(10.0) == b""


def test_a_handshake_that_is_not_done_ends_without_a_word() -> None:
    line = Line()
    line.said()
    assert not line.end.send(PULSE, line.now)
    line.end.close()
    assert line.said() == b""


def test_half_a_packet_and_then_silence_is_noise() -> None:
    line = Line().connected()
    line.hears(b"\xfa\xfb\xcf" + SIP)
    assert not line.told(PacketReceived)
    assert line.end.deadline == pytest.approx(line.now + 0.1)
    line.waits(0.1)
    assert len(line.told(PacketReceived)) == 1
    assert line.told(BadPacket)
    line.hears(b"")


def test_a_sip_is_answered_once_unless_something_was_said() -> None:
    line = Line().connected()
    line.end.answer_sip(line.now)
    assert line.said() == b""
    line.hears(SIP)
    line.end.answer_sip(line.now)
    line.end.answer_sip(line.now)
    assert line.said() == PULSE
    line.hears(MOVING)
    line.end.send(command(11, 1), line.now)
    line.end.answer_sip(line.now)
    assert line.said() == command(11, 1)
    line.end.close()
    line.said()
    line.end.answer_sip(line.now)
    assert line.said() == b""


PIECES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([*SYNCS, SIP, MOVING, CONFIG, encode(0xFF), b"\xfa\xfb", b"\xfa\xfb\x02", SIP[:-1]]),
    st.builds(encode, st.integers(0, 255), st.binary(max_size=60)),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(PIECES, st.floats(0.0, 2.0)), max_size=60), st.booleans())
def test_no_server_can_hurt_it(pieces: list[tuple[bytes, float]], line_is_serial: bool) -> None:
    line = Line(bauds=(9600, 38400), pause=0.07) if line_is_serial else Line()
    for data, seconds in pieces:
        line.hears(data)
        line.waits(seconds)
        assert line.end.reader.pending <= 257
        deadline = line.end.deadline
        assert deadline is None or deadline > line.now - 2.0
    assert len(line.told(Lost)) == line.end.is_closed
    line.end.close()
    assert line.end.deadline is None or line.end.reader.pending
