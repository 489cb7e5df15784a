"""Files that are readable at every moment, and say so when they cannot be written."""

from __future__ import annotations

import contextlib
import errno
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcap.exceptions import EndOfFile
from mcap.stream_reader import StreamReader

from mobilesim_py.errors import EmulationError, UsageError
from mobilesim_py.view.recording import files
from mobilesim_py.view.recording.files import Entry, RecordingFiles
from mobilesim_py.view.recording.schemas import WIRE

Until = Callable[[Callable[[], bool]], None]


def entry(number: int, data: bytes = b"{}") -> Entry:
    return Entry(WIRE, number, number, data)


def readable(path: Path) -> int:
    """Count the messages of a file whose end may be missing."""
    found = 0
    with contextlib.suppress(EndOfFile):
        for record in StreamReader(io.BytesIO(path.read_bytes())).records:
            found += type(record).__name__ == "Message"
    return found


def test_what_was_recorded_can_be_read_before_the_file_is_finished(tmp_path: Path, until: Until) -> None:
    recording = RecordingFiles(tmp_path / "run.mcap", {}, most_bytes=1 << 30)
    for number in range(10):
        recording.add(entry(number))
    until(lambda: readable(tmp_path / "run.mcap") == 10)
    recording.close()
    assert readable(tmp_path / "run.mcap") == 10


def test_a_file_that_cannot_be_made_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Cannot record to .*nowhere.*No such file"):
        RecordingFiles(tmp_path / "nowhere" / "run.mcap", {}, most_bytes=1)


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(files.importlib, "import_module", missing)
    with pytest.raises(EmulationError, match=r"mobilesim-py\[mcap\]"):
        files.check_library()


def test_a_full_disk_ends_the_recording_and_keeps_what_is_there(tmp_path: Path, until: Until) -> None:
    recording = RecordingFiles(tmp_path / "run.mcap", {}, most_bytes=1 << 30)
    recording.add(entry(1))
    until(lambda: readable(tmp_path / "run.mcap") == 1)

    def full(*words: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    recording._writer.flush = full
    recording.add(entry(2))
    until(lambda: bool(recording.trouble))
    recording.add(entry(3))
    recording.close()
    assert recording.trouble == "No space left on device"
    assert readable(tmp_path / "run.mcap") >= 1


def test_a_slow_disk_costs_messages_and_not_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "ENOUGH_PENDING", 0)
    monkeypatch.setattr(files, "MOST_PENDING", 100)
    recording = RecordingFiles(tmp_path / "run.mcap", {}, most_bytes=1 << 30)
    recording.close()  # as slow as a disk can be: its thread has ended
    for number in range(10):
        recording.add(entry(number, bytes(30)))
    assert recording.left_out == 7


def test_where_nothing_may_be_lost_it_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "ENOUGH_PENDING", 0)
    monkeypatch.setattr(files, "MOST_PENDING", 100)
    recording = RecordingFiles(tmp_path / "run.mcap", {}, most_bytes=1 << 30, waits=True)
    for number in range(50):
        recording.add(entry(number, bytes(30)))
    recording.close()
    assert recording.left_out == 0
    assert readable(tmp_path / "run.mcap") == 50
