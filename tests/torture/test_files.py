"""Some mutated files of every format are read or refused, and end nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.torture.files import FILES, FileKind, read_files

COUNT = 12 * len(FILES)


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    readings = read_files(tmp_path, COUNT, seed=1)
    assert readings.problems == []
    assert readings.accepted + readings.refused + sum(readings.unexpected.values()) == COUNT
    assert len(readings.count) == len(FILES)
    assert readings.accepted > COUNT / 10, "most files must go past the first check of their reader"


def test_a_reader_that_dies_or_never_ends_is_found(tmp_path: Path) -> None:
    def dies(path: Path) -> object:
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    readings = read_files(tmp_path, 2, seed=1, kinds=[FileKind("deadly", ".x", lambda: [b"hello"], dies)])
    assert len(readings.problems) == 2
    assert "SIGKILL" in readings.problems[0]
    assert (tmp_path / "file-1-0.x").exists()
