"""`mobilesim ciber play`: whole runs of the program with a log."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from mobilesim_py.errors import MapError, UsageError
from mobilesim_py.tools import ciber
from tests.view.conftest import free_port

LOG = Path(__file__).parents[1] / "vectors" / "ciber" / "ciber_short.log.gz"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "run.log"
    path.write_bytes(gzip.decompress(LOG.read_bytes()))
    return path


def test_the_originals_log_becomes_a_movie(log: Path, tmp_path: Path) -> None:
    movie = tmp_path / "run.gif"
    words = ["play", str(log), "--port", str(free_port()), "--record-movie", str(movie), "--speed", "max"]
    assert ciber.main([*words, "--autostart", "--noninteractive", "--log-file", str(tmp_path / "said")]) == 0
    assert movie.read_bytes()[:6] == b"GIF89a"
    # As fast as possible, and yet every picture: the log has 81 steps of 50 ms, a picture takes 100 ms.
    assert "left out" not in (tmp_path / "said").read_text()


def test_a_log_without_a_step_is_told(tmp_path: Path) -> None:
    path = tmp_path / "empty.log"
    path.write_text('<Log Date="x" >\n</Log>\n')
    with pytest.raises(UsageError, match="this log has no step"):
        ciber.main(["play", str(path)])


def test_a_file_that_is_no_log_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "lab.xml"
    path.write_text("<Lab/>")
    with pytest.raises(MapError, match=r"lab\.xml:1: the outermost element is <Lab>, not <Log>; give a log"):
        ciber.main(["play", str(path)])
