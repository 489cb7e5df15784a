"""Clients behind doors: registrations, commands, floods, resets."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ciber import (
    REFUSED,
    RESTART,
    Actions,
    Command,
    Order,
    PanelRequest,
    RobotRequest,
    ViewRequest,
    decode_measures,
    decode_reply,
    decode_view,
    encode_actions,
    encode_command,
    encode_registration,
)
from mobilesim_py.services.ciberrato import RunState, State, Switchboard

from .playing import game_of, lab_of

LAB = lab_of(12.0, 8.0, targets=((9.0, 1.0, 1.0),))
PLACES = ((1.0, 1.0, 0.0), (5.0, 5.0, 0.0))


class Stand:
    """A switchboard and its clients, told apart by their names."""

    def __init__(self, **keywords) -> None:
        self.log: list[str] = []
        self.board: Switchboard[str] = Switchboard(game_of(LAB, PLACES, **keywords), self.log.append)
        self.doors: dict[str, int] = {}

    def register(self, name: str, request) -> bytes:
        self.board.receive(encode_registration(request), name)
        return self.cycle()[name][0]

    def send(self, name: str, data: bytes) -> None:
        self.board.receive(data, name, self.doors[name])

    def cycle(self) -> dict[str, list[bytes]]:
        sent: dict[str, list[bytes]] = {}
        for outgoing in self.board.cycle():
            self.doors.setdefault(outgoing.peer, outgoing.door)
            sent.setdefault(outgoing.peer, []).append(outgoing.data)
        return sent

    def order(self, name: str, order: Order, robot: int = 0) -> dict[str, list[bytes]]:
        self.send(name, encode_command(Command(order, robot)))
        return self.cycle()

    def run(self) -> None:
        self.register("robot", RobotRequest("n"))
        self.register("viewer", ViewRequest())
        self.order("viewer", Order.START)


@pytest.fixture
def stand():
    return Stand()


def test_each_client_gets_a_door_of_its_own(stand):
    for name, request in (("robot", RobotRequest("n")), ("viewer", ViewRequest()), ("panel", PanelRequest())):
        reply = decode_reply(stand.register(name, request))
        assert reply is not None
        assert reply.ok
    assert sorted(stand.doors.values()) == [1, 2, 3]


def test_the_first_measures_follow_the_reply_in_the_same_cycle(stand):
    stand.board.receive(encode_registration(RobotRequest("n")), "robot")
    reply, measures = stand.cycle()["robot"]
    assert reply.startswith(b"<Reply")
    told = decode_measures(measures)
    assert told is not None
    assert (told.time, told.start, told.stop) == (0, False, True)


def test_who_finds_no_place_is_refused_and_its_door_closed(stand):
    stand.register("robot", RobotRequest("n", 1))
    assert stand.register("other", RobotRequest("n", 1)) == REFUSED
    assert stand.board.closed == [stand.doors["other"]]


def test_what_is_no_registration_is_not_answered(stand):
    stand.board.receive(b"<Nonsense/>", "somebody")
    assert stand.cycle() == {}


def test_a_flood_at_the_public_door_does_not_disturb_a_run(stand):
    stand.run()
    for _ in range(10_000):
        stand.board.receive(b"<Robot" * 1000, "attacker")
    sent = stand.cycle()
    assert set(sent) == {"robot", "viewer"}
    assert len(stand.board._arrivals) == 0


def test_a_flood_at_a_clients_door_is_bounded_and_strangers_are_not_heard(stand):
    stand.run()
    door = stand.doors["robot"]
    for _ in range(1000):
        stand.board.receive(encode_actions(Actions(0.1, 0.1)), "stranger", door)
    assert stand.board.awaits()
    for _ in range(1000):
        stand.send("robot", encode_actions(Actions(0.1, 0.1)))
    assert len(stand.board._clients[door].waiting) == 64
    stand.board.receive(b"<Actions/>", "robot", 99)


def test_viewers_are_few_and_make_room_when_they_leave(stand):
    for number in range(32):
        assert stand.register(f"viewer{number}", ViewRequest()) != REFUSED
    assert stand.register("one more", ViewRequest()) == REFUSED
    stand.board.leave(stand.doors["viewer5"])
    assert stand.register("another", ViewRequest()) != REFUSED
    stand.register("robot", RobotRequest("n"))
    assert set(stand.cycle()) == {"robot", "another", *(f"viewer{i}" for i in range(32) if i != 5)}


def test_a_robot_keeps_its_place_when_its_agent_is_gone(stand):
    stand.register("robot", RobotRequest("n", 1))
    stand.board.leave(stand.doors["robot"])
    stand.board.leave(99)
    assert set(stand.cycle()) == {"robot"}


def test_a_viewer_starts_and_stops_the_run(stand):
    stand.run()
    assert stand.board.game.state is RunState.RUNNING
    stand.cycle()
    assert stand.board.game.time == 1
    stand.order("viewer", Order.STOP)
    assert stand.board.game.state is RunState.STOPPED


def test_a_panel_gives_orders_too_but_is_told_of_no_robots(stand):
    stand.register("robot", RobotRequest("n"))
    stand.register("panel", PanelRequest())
    sent = stand.order("panel", Order.GRID)
    assert sent["panel"] == [b'<Grid>\n\t<Position X="1" Y="1" Dir="0"/>\n\t<Position X="5" Y="5" Dir="0"/>\n</Grid>\n\0']
    stand.order("panel", Order.START)
    assert stand.board.game.state is RunState.RUNNING
    assert set(stand.cycle()) == {"robot"}


def test_a_panel_alone_leaves_the_game_ready(stand):
    stand.register("panel", PanelRequest())
    assert stand.board.game.state is RunState.READY


def test_a_removed_robot_is_told_nothing_and_shown_as_removed(stand):
    stand.run()
    stand.order("viewer", Order.REMOVE, 1)
    sent = stand.cycle()
    assert set(sent) == {"viewer"}
    view = decode_view(sent["viewer"][0])
    assert view.state == "Removed"


def test_bad_actions_end_the_reading_of_a_cycle(stand):
    stand.run()
    stand.send("robot", encode_actions(Actions(0.1, 0.1)))
    stand.send("robot", b"<Actions")
    stand.send("robot", encode_actions(Actions(0.0, 0.0)))
    stand.cycle()
    robot = stand.board.game.present[0]
    assert robot.left_order == 0.1
    stand.cycle()
    assert robot.left_order == 0.0


def test_bad_commands_end_the_reading_of_a_cycle(stand):
    stand.run()
    stand.send("viewer", b"<Dance/>")
    stand.send("viewer", encode_command(Command(Order.STOP)))
    stand.cycle()
    assert stand.board.game.next_state is RunState.RUNNING
    stand.cycle()
    assert stand.board.game.state is RunState.STOPPED


def test_a_reset_tells_the_viewers_and_forgets_all(stand):
    stand.run()
    stand.send("viewer", encode_command(Command(Order.LAB)))
    sent = stand.order("viewer", Order.RESET)
    assert sent["viewer"][-1] == RESTART
    assert "robot" not in sent
    assert sorted(stand.board.closed) == sorted(stand.doors.values())
    assert stand.board.game.state is RunState.READY
    assert stand.cycle() == {}
    stand.doors.clear()
    assert stand.register("robot", RobotRequest("n")).startswith(b'<Reply Status="Ok">')


def test_a_reset_from_elsewhere_goes_out_with_the_next_cycle(stand):
    stand.run()
    stand.board.reset()
    assert stand.cycle() == {"viewer": [RESTART]}


def test_lockstep_waits_for_robots_that_take_part(stand):
    assert not stand.board.awaits()
    stand.run()
    assert stand.board.awaits()
    stand.send("robot", encode_actions(Actions()))
    assert not stand.board.awaits()
    stand.cycle()
    assert stand.board.awaits()
    stand.send("robot", encode_actions(Actions(end_led=True)))
    stand.cycle()
    assert stand.board.game.present[0].state is State.FINISHED
    assert not stand.board.awaits()


def test_the_log_has_an_entry_for_each_running_cycle_and_one_at_the_end():
    stand = Stand(sim_time=3)
    stand.run()
    for _ in range(6):
        stand.cycle()
    assert [entry.split('"')[1] for entry in stand.log] == ["0", "1", "2", "3"]
    assert 'Start="Off" Stop="Off"' in stand.log[-1]


def test_a_board_can_do_without_a_log():
    board: Switchboard[int] = Switchboard(game_of(LAB, PLACES, sim_time=1))
    board.receive(encode_registration(ViewRequest()), 1)
    board.cycle()
    board.game.start()
    assert [board.cycle() for _ in range(4)] == [[], [], [], []]


def test_a_lab_that_does_not_fit_into_a_datagram_is_warned_of_and_not_sent():
    lab = lab_of(100.0, 100.0, dict.fromkeys(range(0, 20, 2), "|" * 140))
    board: Switchboard[str] = Switchboard(game_of(lab, PLACES))
    assert "1400 walls" in board.warnings[0]
    board.receive(encode_registration(ViewRequest()), "viewer")
    door = board.cycle()[0].door
    board.receive(encode_command(Command(Order.LAB)), "viewer", door)
    assert board.cycle() == []


def test_robots_are_told_in_the_order_of_their_numbers(stand):
    stand.register("second", RobotRequest("b", 2))
    stand.register("first", RobotRequest("a", 1))
    told = [outgoing.peer for outgoing in stand.board.cycle()]
    assert told == ["first", "second"]


DATAGRAMS = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [
            b'<Robot Id="1" Name="n"/>',
            b'<Robot Name="&lt;&quot;"><IRSensor Id="0" Angle="1e300"/></Robot>',
            b'<RobotBeacon Name="b" Height="1"/>',
            b"<View/>",
            b"<Panel/>",
            b"<Start/>",
            b"<Stop/>",
            b"<Reset/>",
            b"<LabReq/>",
            b'<Robot Id="1" Removed="Yes"/>',
            b'<Actions LeftMotor="1e308" RightMotor="-1"/>',
            b'<Actions EndLed="On" VisitingLed="On" ReturningLed="On"><Say>]]&gt;</Say></Actions>',
            b'<Actions><SensorRequests Beacon0="Yes"/></Actions>',
        ]
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(DATAGRAMS, st.integers(0, 3), st.integers(0, 6)), max_size=40))
def test_no_datagrams_in_any_order_can_hurt_the_game(datagrams):
    board: Switchboard[int] = Switchboard(game_of(LAB, PLACES, beacon_sensor=True))
    for data, peer, door in datagrams:
        board.receive(data, peer, door)
        for outgoing in board.cycle():
            assert outgoing.data.endswith(b"\0")
            assert len(outgoing.data) <= 65507
    assert all(math.isfinite(robot.x + robot.y + robot.heading) for robot in board.game.present)
