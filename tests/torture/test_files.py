"""Some mutated files of every format are read or refused, and end nothing."""

from __future__ import annotations

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
        import os

        os.abort()

    readings = read_files(tmp_path, 2, seed=1, kinds=[FileKind("deadly", ".x", lambda: [b"hello"], dies)])
    assert len(readings.problems) == 2
    assert "SIGABRT" in readings.problems[0]
    assert (tmp_path / "file-1-0.x").exists()
