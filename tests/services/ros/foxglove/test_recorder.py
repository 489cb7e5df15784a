"""Everything that robots say in a file, which is read again by its own rules: records of MCAP, and CDR inside."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.services.ros.foxglove.recorder import McapFile
from mobilesim_py.testing import Stand

pytest.importorskip("foxglove", reason="there is no foxglove-sdk: pip install 'mobilesim-py[foxglove]'")
TYPES = interfaces(Dialect.ROS2)
MAGIC = b"\x89MCAP0\r\n"
SCHEMA, CHANNEL, CHUNK, STATISTICS = 3, 4, 6, 11


def records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Go through the records of a part of a file."""
    at = 0
    while at + 9 <= len(data):
        (length,) = struct.unpack_from("<Q", data, at + 1)
        yield data[at], data[at + 9 : at + 9 + length]
        at += 9 + length


def text_at(data: bytes, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + length].decode(), at + 4 + length


def read(path: Path) -> tuple[dict[int, str], dict[int, int], int]:
    """Return topics by the number of their channel, messages of each, and how many schemas there are."""
    data = path.read_bytes()
    assert data.startswith(MAGIC)
    assert data.endswith(MAGIC)
    topics: dict[int, str] = {}
    counts: dict[int, int] = {}
    schemas = 0
    for kind, record in records(data[len(MAGIC) : -len(MAGIC)]):
        if kind == CHANNEL:
            number, _ = struct.unpack_from("<HH", record)
            topics[number] = text_at(record, 4)[0]
        elif kind == SCHEMA:
            schemas += 1
        elif kind == STATISTICS:
            at = struct.calcsize("<QHIIIIQQ")
            (length,) = struct.unpack_from("<I", record, at)
            counts = dict(struct.iter_unpack("<HQ", record[at + 4 : at + 4 + length]))  # type: ignore[arg-type]
    return topics, counts, schemas


def test_a_run_is_recorded_with_all_that_robots_say(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    stand = Stand("-m", "triangle.map", "-r", "p3dx-sh", "--mcap", str(path))
    stand.run(2.0)
    stand.program.close()
    topics, counts, schemas = read(path)
    said = {topic: counts.get(number, 0) for number, topic in topics.items()}
    assert said["/odom"] == said["/scan"] == said["/tf"] == 20
    assert said["/map"] == said["/tf_static"] == said["/scene"] == 1
    assert schemas > 5


def test_robots_that_come_later_are_recorded_too_and_pictures_are_not(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    stand = Stand("--nomap", "-r", "oz", "--mcap", str(path))
    stand.run(0.5)
    stand.program.add_running("p3dx", "late")
    stand.run(0.5)
    stand.program.close()
    topics, counts, _ = read(path)
    said = {topic: counts.get(number, 0) for number, topic in topics.items()}
    assert said["/late/odom"] >= 4
    assert not any(count for topic, count in said.items() if "image" in topic)


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--mcap .* cannot be written") as caught:
        McapFile(str(tmp_path / "nowhere" / "run.mcap"))
    assert caught.value.exit_code is ExitCode.USAGE


def test_nobody_waits_for_the_file(tmp_path: Path) -> None:
    stand = Stand("--nomap", "--mcap", str(tmp_path / "run.mcap"))
    (service,) = (one for one in stand.program.services if one.name == "ROS")
    carrier: Any = next(one for one in service.carriers if one.name == "MCAP")  # type: ignore[attr-defined]
    assert not carrier.is_busy()
    assert carrier.clients() == []
    assert carrier.backlog() == 0
    stand.program.close()
