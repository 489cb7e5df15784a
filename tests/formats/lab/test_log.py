"""Logs: playable at any moment, readable even where the end is missing."""

from __future__ import annotations

import gzip
import io
import math
from dataclasses import replace
from pathlib import Path

import pytest

from mobilesim_py.formats.lab import (
    Grid,
    Lab,
    LabFileError,
    LogFile,
    Parameters,
    StartPlace,
    default_lab,
    parse_log,
    read_log,
)
from mobilesim_py.protocols.ciber import LogRobot, Measures, RobotView, Scores, log_entry

RECORDED = Path(__file__).parents[2] / "vectors" / "ciber" / "ciber_short.log.gz"


def entry(time: int, score: int = 200) -> str:
    view = RobotView("n", 1, time, Scores(score, time, 0, 0, False, "0"), "Running", 9.05, 3.0, 0.0)
    return log_entry(time, [LogRobot(view, None, Measures(time, False, 0, -1, end_led=True))])


def written(entries: int) -> bytes:
    stream = io.BytesIO()
    log = LogFile(stream, Parameters(), Lab("lab"), Grid((StartPlace(9.0, 3.0),)), "Wed Nov 18 05:31:50 2026")
    for time in range(entries):
        log.write(entry(time))
    return stream.getvalue()


def test_a_log_can_be_read_after_every_entry():
    for entries in range(4):
        found = parse_log(written(entries))
        assert found.complete
        assert [step.time for step in found.steps] == list(range(entries))


def test_a_log_says_what_the_run_was_made_with():
    found = parse_log(written(1))
    assert replace(found.parameters, beacon_aperture=math.pi) == Parameters()
    assert (found.lab, found.grid) == (Lab("lab"), Grid((StartPlace(9.0, 3.0),)))
    robot = found.steps[0].robots[0]
    assert (robot.name, robot.id, robot.state, robot.x, robot.end_led, robot.visiting_led) == (
        "n",
        1,
        "Running",
        9.05,
        True,
        False,
    )


def test_a_negative_score_keeps_its_sign():
    log = written(1).replace(b'Score="200"', b'Score="4294967286"')
    assert parse_log(log).steps[0].robots[0].score == -10


def test_the_originals_log_is_read(tmp_path):
    path = tmp_path / "run.log"
    with gzip.open(RECORDED) as stream:
        path.write_bytes(stream.read())
    found = read_log(path)
    assert found.complete
    assert found.lab == default_lab()
    assert [step.time for step in found.steps] == list(range(81))
    assert found.steps[80].robots[0].heading_deg == -136.546


def test_a_log_that_ends_in_the_middle_gives_what_is_whole():
    data = written(5)
    found = parse_log(data[: data.index(b'<LogInfo Time="3">') + 100])
    assert not found.complete
    assert [step.time for step in found.steps] == [0, 1, 2]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "log:1: holds no step of a run .*; give a log that was written with --log"),
        (b"<Lab/>", "log:1: the outermost element is <Lab>, not <Log>"),
        (b"<Log>\n<LogInfo><Robot/></LogInfo></Log>", "log:2: <Robot> has no <Pos>"),
        (b"<Log>" + b"<A>" * 9, "nested more than 8 deep"),
        (b'<!DOCTYPE Log [<!ENTITY a "b">]><Log/>', "document types and entities are not read"),
    ],
)
def test_what_is_no_log_is_told(data, what):
    with pytest.raises(LabFileError, match=what):
        parse_log(data)


def test_a_log_that_is_not_there_is_told(tmp_path):
    with pytest.raises(LabFileError, match="cannot be read"):
        read_log(tmp_path / "none.log")


def test_other_elements_are_passed_over():
    assert parse_log(b"<Log><Comment/></Log>").steps == ()
