"""Reading what `--record` wrote, over all its files, even when the program was killed in the middle of a write."""

from __future__ import annotations

import json
import math
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mobilesim_py.errors import FileError, UsageError
from mobilesim_py.geometry import Pose
from mobilesim_py.view.recording.files import METADATA, PART, RUN, check_library, part_path
from mobilesim_py.view.recording.schemas import CLIENTS, NANOSECONDS, TRANSFORMS, WIRE


class RecordingError(FileError, UsageError):
    """A recording that cannot be read."""


class Bytes(NamedTuple):
    """Bytes that crossed a door."""

    time: float
    """Simulated time [s]."""
    client: int
    incoming: bool
    data: bytes


class Client(NamedTuple):
    """A client that came or left."""

    time: float
    client: int
    door: str
    peer: str
    came: bool


class Poses(NamedTuple):
    """Where everything truly was."""

    time: float
    poses: Mapping[str, Pose]


Item = Bytes | Client | Poses


@dataclass
class Recording:
    """A recording: what ran, and what happened in it."""

    path: Path
    facts: Mapping[str, str]
    """What the recorder wrote first."""
    is_complete: bool = True
    """Whether the end is there; known when all of it was read."""

    @property
    def words(self) -> list[str]:
        """The command line."""
        words: list[str] = json.loads(self.facts["words"])
        return words

    @property
    def step(self) -> float:
        """Simulated time of a step [s]."""
        return float(self.facts["step"])

    @property
    def is_lockstep(self) -> bool:
        """Whether it can be run again to the byte."""
        return bool(json.loads(self.facts["lockstep"]))

    @property
    def doors(self) -> list[str]:
        """The addresses of the doors, in the order in which they were opened."""
        doors: list[str] = json.loads(self.facts["doors"])
        return doors

    def items(self) -> Iterator[Item]:
        """Return packets, clients and poses in the order in which they were recorded."""
        part = 1
        while (path := part_path(self.path, part)).is_file():
            facts, ended = {}, False
            for record in _records(path):
                kind = type(record).__name__
                if kind == "Metadata" and record.name == METADATA:
                    facts = record.metadata
                    if part > 1 and facts.get(RUN) != self.facts[RUN]:
                        return
                elif kind == "Footer":
                    ended = True
                elif kind == "_Message" and (item := _item(record)) is not None:
                    yield item
            self.is_complete = ended
            part += 1


class _Message(NamedTuple):
    topic: str
    time: float
    data: bytes


def open_recording(path: Path) -> Recording:
    """Read what a recording says of itself; RecordingError."""
    check_library()
    for record in _records(path):
        if type(record).__name__ == "Metadata" and record.name == METADATA:
            if record.metadata.get(PART) != "1":
                raise RecordingError("this is a later part of a recording: name its first file.", str(path))
            return Recording(path, record.metadata)
        if isinstance(record, _Message):
            break
    raise RecordingError("no recording of this program: it does not say what ran. Record with --record.", str(path))


def _records(path: Path) -> Iterator[Any]:
    """Return metadata, the footer, and messages with their topics; end where the file was cut off."""
    from mcap.stream_reader import StreamReader

    topics: dict[int, str] = {}
    is_mcap = False
    try:
        with path.open("rb") as stream:
            for record in StreamReader(stream, validate_crcs=False).records:
                kind, is_mcap = type(record).__name__, True
                if kind == "Channel":
                    topics[record.id] = record.topic
                elif kind == "Message":
                    yield _Message(topics[record.channel_id], record.log_time / NANOSECONDS, record.data)
                elif kind in ("Metadata", "Footer"):
                    yield record
    except OSError as error:
        raise RecordingError(f"{error.strerror or error}.", str(path)) from None
    except Exception as error:  # of the library, which has many for a record that is cut off in the middle
        if not is_mcap:
            raise RecordingError(f"no MCAP file ({type(error).__name__}).", str(path)) from None


def _item(message: _Message) -> Item | None:
    topic, time, data = message
    if topic == WIRE.name:
        facts = json.loads(data)
        return Bytes(time, facts["client"], facts["incoming"], b64decode(facts["data"]))
    if topic == CLIENTS.name:
        facts = json.loads(data)
        return Client(time, facts["client"], facts["door"], facts["peer"], facts["came"])
    if topic == TRANSFORMS.name:
        return Poses(time, {one["child_frame_id"]: _pose(one) for one in json.loads(data)["transforms"]})
    return None


def _pose(transform: Mapping[str, Any]) -> Pose:
    place, turn = transform["translation"], transform["rotation"]
    return Pose(place["x"], place["y"], 2.0 * math.atan2(turn["z"], turn["w"]))
