"""Recordings are read back over all their files, whole or cut off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from mcap.writer import Writer

from mobilesim_py.lab.recordings import Bytes, Client, Poses, RecordingError, open_recording
from mobilesim_py.testing import Stand

Record = Callable[..., Stand]
WORDS = ("-m", "office.map", "-r", "p3dx", "--lockstep")


def test_it_says_what_ran_and_what_happened(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "run.mcap"
    stand = record(path)
    recording = open_recording(path)
    items = list(recording.items())
    assert recording.words == list(WORDS)
    assert recording.is_lockstep
    assert recording.is_complete
    assert recording.step == 0.1
    assert recording.doors[0] == "TCP port 8101"
    assert [(one.client, one.came) for one in items if isinstance(one, Client)] == [(1, True), (1, False), (2, True)]
    assert next(one.data for one in items if isinstance(one, Bytes) and one.incoming).hex() == "fafb03000000"
    last = [one for one in items if isinstance(one, Poses)][-1]
    pose = stand.robots[0].pose
    assert (last.time, last.poses["p3dx"].x) == (pytest.approx(4.0), pose.x)
    assert last.poses["p3dx"].heading == pytest.approx(pose.heading, abs=1e-12)


def test_a_recording_that_was_cut_off_is_read_up_to_there(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "run.mcap"
    record(path)
    whole = list(open_recording(path).items())
    path.write_bytes(path.read_bytes()[:-300])
    recording = open_recording(path)
    items = list(recording.items())
    assert not recording.is_complete
    assert items == whole[: len(items)]


def other(path: Path) -> None:
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start()
        writer.finish()


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda path: None, "No such file"),
        (lambda path: path.write_bytes(b"PK\x03\x04" * 100), "no MCAP file"),
        (other, "no recording of this program"),
    ],
)
def test_what_is_no_recording_is_said_to_be_none(write: object, text: str, tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    write(path)  # type: ignore[operator]
    with pytest.raises(RecordingError, match=text) as found:
        open_recording(path)
    assert str(path) in str(found.value)
