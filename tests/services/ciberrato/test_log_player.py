"""The log player: what viewers are told of a log, the original's among them, and how it is moved."""

from __future__ import annotations

import gzip

import pytest

from mobilesim_py.formats.lab import parse_grid, parse_lab, parse_log
from mobilesim_py.protocols.ciber import RobotView, decode_reply, decode_view
from mobilesim_py.services.ciberrato.log_player import LogPlayer
from mobilesim_py.services.panelled import OrderError

from .recordings import VECTORS

RUN = parse_log(gzip.decompress((VECTORS / "ciber_short.log.gz").read_bytes()))


def watched(runs: bool = False):
    player: LogPlayer[str] = LogPlayer(RUN, runs)
    player.receive(b"<View/>\0", "viewer")
    (reply, *views) = player.cycle()
    return player, reply, views


def test_a_viewer_is_registered_at_a_door_of_its_own_with_the_parameters_of_the_run():
    _, reply, views = watched()
    answer = decode_reply(reply.data)
    assert answer is not None
    assert answer.ok
    assert (reply.door, answer.parameters["SimTime"]) == (1, str(RUN.parameters.sim_time))
    assert set(answer.parameters) == {"SimTime", "CycleTime", "CompassNoise", "BeaconNoise", "ObstacleNoise", "MotorsNoise"}
    assert [view.peer for view in views] == ["viewer"] * len(RUN.steps[0].robots)


def test_it_tells_of_lab_and_grid():
    player, reply, _ = watched()
    player.receive(b"<LabReq/>\0", "viewer", reply.door)
    player.receive(b"<GridReq/>\0", "viewer", reply.door)
    lab, grid = player.cycle()[:2]
    assert parse_lab(lab.data.rstrip(b"\0")) == RUN.lab
    assert parse_grid(grid.data.rstrip(b"\0")) == RUN.grid


def test_it_waits_for_the_start_and_then_shows_a_step_in_every_cycle():
    player, reply, _ = watched()
    assert [player.index for _ in range(3) if player.cycle()] == [0, 0, 0]
    player.receive(b"<Start/>\0", "viewer", reply.door)
    times = []
    while not player.is_over:
        view = decode_view(player.cycle()[-1].data)
        assert isinstance(view, RobotView)
        times.append(view.time)
    player.cycle()
    assert times == [step.time for step in RUN.steps[:-1]]
    assert not player.is_running
    last = decode_view(player.cycle()[-1].data)
    assert isinstance(last, RobotView)
    assert (last.time, last.x) == (RUN.steps[-1].time, RUN.steps[-1].robots[-1].x)


def test_a_stranger_is_not_heard_and_a_robot_not_registered():
    player, reply, _ = watched()
    player.receive(b"<Start/>\0", "stranger", reply.door)
    player.receive(b'<Robot Name="r"/>\0', "robot")
    player.cycle()
    assert not player.is_running
    assert len(player.clients) == 1


def test_the_page_moves_it():
    player, _, _ = watched()
    player.order("go", {"step": 5})
    assert player.facts()["time"] == RUN.steps[5].time
    assert player.spots()[0].x == RUN.steps[5].robots[0].x
    player.order("start", {})
    player.cycle()
    assert player.index == 6
    player.order("stop", {})
    player.order("reset", {})
    assert (player.index, player.is_running) == (0, False)
    player.order("go", {"step": len(RUN.steps) - 1})
    player.order("start", {})
    assert player.index == 0


@pytest.mark.parametrize(
    ("order", "wish", "said"),
    [("go", {"step": 10**6}, "The log has the steps 0 to"), ("disqualify", {"robot": 1}, "no order disqualify in a log")],
)
def test_what_is_impossible_is_told(order, wish, said):
    with pytest.raises(OrderError, match=said):
        watched()[0].order(order, wish)
