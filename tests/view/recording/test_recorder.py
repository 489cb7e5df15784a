"""Recordings hold all that happened, in files that the official reader opens."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcap.reader import make_reader

from mobilesim_py.net.trace import Crossing
from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.testing import Stand
from mobilesim_py.view.recording.recorder import Recorder


@pytest.fixture
def stand() -> Stand:
    return Stand("-m", "office.map", "-r", "p3dx", "--lockstep")


def messages(path: Path) -> list[tuple[str, str, float, Any]]:
    with path.open("rb") as stream:
        found = make_reader(stream, validate_crcs=True).iter_messages(log_time_order=False)
        return [(c.topic, s.name, m.log_time / 1e9, json.loads(m.data)) for s, c, m in found if s is not None]


def test_every_packet_both_ways_is_recorded_in_its_order(stand: Stand, tmp_path: Path) -> None:
    crossings: list[Crossing] = []

    def note(crossing: Crossing) -> bytes:
        crossings.append(crossing)
        return crossing.data

    recorder = Recorder(stand.program, tmp_path / "run.mcap")
    with stand.traced(note):
        client = stand.open()
        client.send(command(Command.VEL, 200))
        stand.run(2.0)
        client.hang_up()
    recorder.close()
    found = messages(tmp_path / "run.mcap")
    wire = [(time, m["incoming"], b64decode(m["data"])) for topic, _, time, m in found if topic == "/wire"]
    assert len(wire) > 25
    assert wire == [(pytest.approx(c.time), c.incoming, c.data) for c in crossings]
    clients = [(m["door"], m["came"]) for topic, _, _, m in found if topic == "/clients"]
    assert clients == [("TCP port 8101", True), ("TCP port 8101", False)]


def test_true_poses_odometry_scans_map_and_log_have_the_schemas_that_viewers_know(stand: Stand, tmp_path: Path) -> None:
    robot = stand.robots[0]
    robot.lasers[0].on = True
    recorder = Recorder(stand.program, tmp_path / "run.mcap")
    robot.drive(0.3)
    stand.run(1.0)
    stand.log.warning("Mind the gap", "p3dx")
    recorder.close()
    found = messages(tmp_path / "run.mcap")
    last = {topic: (schema, message) for topic, schema, _, message in found}
    assert {topic: schema for topic, (schema, _) in last.items()} == {
        "/tf": "foxglove.FrameTransforms",
        "/odometry": "mobilesim.Robots",
        "/p3dx/scan": "foxglove.LaserScan",
        "/map": "foxglove.SceneUpdate",
        "/log": "foxglove.Log",
    }
    transform = next(one for one in last["/tf"][1]["transforms"] if one["child_frame_id"] == "p3dx")
    assert transform["translation"] == {"x": robot.pose.x, "y": robot.pose.y, "z": 0}
    assert last["/odometry"][1]["robots"][0]["x"] == robot.odometry.x
    assert last["/p3dx/scan"][1]["ranges"] == pytest.approx(robot.laser.tolist(), abs=0.0006)
    assert last["/log"][1]["message"] == "Mind the gap"
    assert last["/log"][1]["level"] == 3
    (lines,) = last["/map"][1]["entities"][0]["lines"]
    assert len(lines["points"]) % 2 == 0
    assert len(lines["points"]) > 20
    assert [topic for topic, *_ in found].count("/tf") == 11


def test_a_recorder_that_is_closed_leaves_nothing_behind(stand: Stand, tmp_path: Path) -> None:
    before = list(stand.program.after_step)
    recorder = Recorder(stand.program, tmp_path / "run.mcap")
    recorder.close()
    recorder.close()
    size = (tmp_path / "run.mcap").stat().st_size
    stand.open()
    stand.run(1.0)
    assert stand.program.after_step == before
    assert (tmp_path / "run.mcap").stat().st_size == size
    assert stand.logged("Recorded to") == 1


def test_a_large_recording_goes_on_in_another_file_that_has_the_map_again(
    stand: Stand, tmp_path: Path, until: Callable[[Callable[[], bool]], None]
) -> None:
    recorder = Recorder(stand.program, tmp_path / "run.mcap", most_bytes=1)
    stand.run(0.5)
    until(lambda: recorder.parts == 2)
    stand.run(0.5)
    recorder.close()
    times = [
        time for part in ("run.mcap", "run-2.mcap") for topic, _, time, _ in messages(tmp_path / part) if topic == "/tf"
    ]
    assert times == pytest.approx([0.1 * number for number in range(11)])
    assert [topic for topic, *_ in messages(tmp_path / "run-2.mcap")].count("/map") == 1


def test_poses_may_be_recorded_less_often_than_packets(stand: Stand, tmp_path: Path) -> None:
    recorder = Recorder(stand.program, tmp_path / "run.mcap", interval=0.5)
    stand.open()
    stand.run(2.0)
    recorder.close()
    topics = [topic for topic, *_ in messages(tmp_path / "run.mcap")]
    assert topics.count("/tf") == 5
    assert topics.count("/wire") > 20
