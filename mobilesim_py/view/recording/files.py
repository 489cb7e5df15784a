"""MCAP files that are written by a thread: complete up to the last second whatever happens, and not without end.

    run.mcap run-2.mcap run-3.mcap ...      a new file when one is full or an hour old

The index of an MCAP file is kept in memory until its end, so that a file must end some time.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from mobilesim_py import __version__
from mobilesim_py.errors import EmulationError, UsageError
from mobilesim_py.view.recording.schemas import Topic, schema_text

FLUSH_SECONDS = 0.5
"""How often what was recorded goes into the file [s]."""
MOST_PENDING = 64 * 1024 * 1024
"""Bytes that may wait for the disk."""
ENOUGH_PENDING = 256 * 1024
"""Bytes that are worth being written at once."""
MOST_FLUSHES = 7200
"""Flushes after which a new file begins: an hour."""
PROFILE = ""
METADATA = "mobilesim"
PART, RUN = "part", "run"
MISSING = (
    "Recordings need the library mcap, which cannot be imported ({why}). "
    "Install it with `pip install 'mobilesim-py[mcap]'`, or leave --record out."
)


def check_library() -> None:
    """Say what to install where there is no mcap; EmulationError."""
    try:
        importlib.import_module("mcap.writer")
    except ImportError as error:
        raise EmulationError(MISSING.format(why=error)) from None


def part_path(path: Path, part: int) -> Path:
    """Return where a part of a recording is; the first is number 1."""
    return path if part == 1 else path.with_name(f"{path.stem}-{part}{path.suffix}")


class Entry(NamedTuple):
    """One message, as it waits for the disk."""

    topic: Topic
    log_time: int
    """Simulated time [ns]."""
    publish_time: int
    """Real time [ns]."""
    data: bytes


class RecordingFiles:
    """Takes messages and never waits for the disk, unless `waits` says that none may be lost."""

    def __init__(
        self,
        path: Path,
        facts: Mapping[str, str],
        *,
        most_bytes: int,
        waits: bool = False,
        at_start: Callable[[], list[Entry]] = list,
    ) -> None:
        """Open the first file; UsageError if that is impossible. `at_start` is called for what every later file repeats."""
        check_library()
        self.path = path
        self.left_out = 0
        """Messages that the disk was too slow for."""
        self.trouble = ""
        """Why nothing is written any more."""
        self.parts = 0
        self._facts = dict(facts)
        self._most_bytes = most_bytes
        self._waits = waits
        self._at_start = at_start
        self._entries: deque[Entry] = deque()
        self._added = self._taken = 0
        self._due = threading.Event()
        self._room = threading.Event()
        self._is_ending = False
        self._stream: IO[bytes]
        self._writer: Any = None
        self._channels: dict[Topic, int] = {}
        self._flushes = 0
        try:
            self._begin()
        except OSError as error:
            raise UsageError(f'Cannot record to "{path}": {error.strerror or error}.') from None
        self._thread = threading.Thread(target=self._work, name="recording", daemon=True)
        self._thread.start()

    def add(self, entry: Entry) -> None:
        """Write a message some time within the next second."""
        size = len(entry.data)
        pending = self._added - self._taken
        if pending > ENOUGH_PENDING:
            self._due.set()
            if pending + size > MOST_PENDING and not self._has_room(size):
                self.left_out += 1
                return
        self._added += size
        self._entries.append(entry)

    def _has_room(self, size: int) -> bool:
        while self._waits and not self.trouble and self._added - self._taken + size > MOST_PENDING:
            self._room.clear()
            self._due.set()
            self._room.wait(0.1)
        return self._added - self._taken + size <= MOST_PENDING

    def close(self) -> None:
        """Write what is left, and the end of the file."""
        self._is_ending = True
        self._due.set()
        self._thread.join()

    # The thread

    def _work(self) -> None:
        while True:
            self._due.wait(FLUSH_SECONDS)
            self._due.clear()
            ends = self._is_ending
            try:
                self._drain()
                if ends and self._writer is not None:
                    self._end()
            except OSError as error:
                self._give_up(error)
            self._room.set()
            if ends:
                return

    def _drain(self) -> None:
        entries = self._entries
        wrote = False
        while entries:
            entry = entries.popleft()
            self._taken += len(entry.data)
            if self._writer is not None:
                self._write(entry)
                wrote = True
        if not wrote or self._writer is None:
            return
        self._writer.flush()
        self._flushes += 1
        if self._stream.tell() >= self._most_bytes or self._flushes >= MOST_FLUSHES:
            self._end()
            self._begin()
            for entry in self._at_start():
                self._write(entry)

    def _write(self, entry: Entry) -> None:
        channel = self._channels.get(entry.topic)
        if channel is None:
            channel = self._register(entry.topic)
        self._writer.add_message(channel, entry.log_time, entry.data, entry.publish_time)

    def _register(self, topic: Topic) -> int:
        schema = self._schemas.get(topic.schema)
        if schema is None:
            schema = self._schemas[topic.schema] = self._writer.register_schema(
                topic.schema, "jsonschema", schema_text(topic.schema)
            )
        channel: int = self._writer.register_channel(topic.name, "json", schema)
        self._channels[topic] = channel
        return channel

    def _begin(self) -> None:
        from mcap.writer import Writer

        self.parts += 1
        self._stream = part_path(self.path, self.parts).open("wb")
        self._writer = Writer(self._stream)
        self._channels, self._schemas, self._flushes = {}, dict[str, int](), 0
        self._writer.start(profile=PROFILE, library=f"mobilesim {__version__}")
        self._writer.add_metadata(METADATA, {**self._facts, PART: str(self.parts)})
        self._writer.flush()

    def _end(self) -> None:
        writer, self._writer = self._writer, None
        writer.finish()
        self._stream.close()

    def _give_up(self, error: OSError) -> None:
        """Write nothing more, lest what was written is spoiled; what had reached the disk stays readable."""
        self.trouble = error.strerror or str(error)
        self._writer = None
        self._entries.clear()
        self._taken = self._added
        try:
            self._stream.close()
        except OSError:
            return


def run_id() -> str:
    """Return what tells the files of a run from those of another."""
    return f"{time.time_ns():x}"
