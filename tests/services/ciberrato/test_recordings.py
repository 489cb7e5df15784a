"""The original's noise-free runs, replayed: every datagram in its cycle, byte for byte."""

from __future__ import annotations

import gzip
import io
from dataclasses import replace

import pytest

from mobilesim_py.formats.lab import (
    LogFile,
    Parameters,
    default_grid,
    default_lab,
    parameters_text,
    parse_grid,
    parse_lab,
    parse_parameters,
    read_grid,
    read_lab,
    read_parameters,
)
from mobilesim_py.protocols.ciber import decode_reply, encode_reply
from mobilesim_py.services.ciberrato import Game, Setup, Switchboard
from mobilesim_py.services.ciberrato.maps import maze_mapping
from mobilesim_py.services.ciberrato.walls import Walls

from .recordings import VECTORS, Player, cycles, data_of, lines, told

CONFIGURATIONS = VECTORS / "cfg"


def setup_of(parameters: str, lab: str | None) -> Setup:
    found = read_parameters(CONFIGURATIONS / f"{parameters}.xml")
    if lab is None:
        return Setup(default_lab(), default_grid(), found)
    named = replace(found, lab_file=f"cfg/{lab}_lab.xml", grid_file=f"cfg/{lab}_grid.xml")
    return Setup(read_lab(CONFIGURATIONS / f"{lab}_lab.xml"), read_grid(CONFIGURATIONS / f"{lab}_grid.xml"), named)


RUNS = {
    "ciber_nonoise": ("nonoise_all", None),
    "ciber_walk_default": ("nonoise_all", None),
    "ciber_requests": ("requests", None),
    "ciber_short": ("short", None),
    "ciber_score": ("nonoise_all", "small"),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_noise_free_run_is_replayed_byte_for_byte(name):
    player = Player(Switchboard(Game(setup_of(*RUNS[name]))))
    sent_places, wanted_places = [], []
    for number, cycle in enumerate(cycles(name)):
        sent = player.play(cycle)
        assert told(sent, places=False) == told(cycle.outputs, places=False), f"cycle {number}"
        sent_places += told(sent, places=True)
        wanted_places += told(cycle.outputs, places=True)
    assert len(wanted_places) == 2
    assert sorted(sent_places) == sorted(wanted_places)


def test_the_log_of_a_run_is_the_originals():
    with gzip.open(VECTORS / "ciber_short.log.gz") as stream:
        wanted = stream.read()
    setup = setup_of("short", None)
    date = wanted.split(b'"')[1].decode()
    written = io.BytesIO()
    log = LogFile(written, setup.parameters, setup.lab, setup.grid, date)
    player = Player(Switchboard(Game(setup), log.write))
    for cycle in cycles("ciber_short"):
        player.play(cycle)
    assert written.getvalue() == wanted


def recorded_lab(name):
    found = next(data_of(line) for line in lines(name) if line["dir"] == "s2c" and line["text"].startswith("<Lab"))
    return parse_lab(found.rstrip(b"\0"))


def test_the_drawing_of_a_recorded_maze_is_the_originals():
    drawing = maze_mapping(Walls(recorded_lab("ciber_scoring2")), 3.0, 11.0)
    assert drawing == (VECTORS / "ciber_scoring2_mapping.out").read_text()
    assert [len(line) for line in drawing.splitlines()] == [55] * 27


def recorded_setup(name: str, scoring: int) -> Setup:
    reply = next(data_of(line) for line in lines(name) if line["text"].startswith("<Reply"))
    parameters = b"<Parameters " + reply.split(b"<Parameters ")[1].split(b"</Reply>")[0]
    grid = next(data_of(line) for line in lines(name) if line["dir"] == "s2c" and line["text"].startswith("<Grid"))
    return Setup(recorded_lab(name), parse_grid(grid.rstrip(b"\0")), parse_parameters(parameters), scoring=scoring)


@pytest.mark.parametrize(("name", "scoring"), [("ciber_scoring1", 1), ("ciber_scoring2", 2)])
def test_a_noisy_run_scores_as_the_original_did(name, scoring):
    """The motors' noise moves the robots a little apart, but not into other cells at these times."""
    board = Switchboard(Game(recorded_setup(name, scoring)))
    player = Player(board)
    for cycle in cycles(name):
        sent = told(player.play(cycle), places=False)
        wanted = told(cycle.outputs, places=False)
        assert [(peer, channel, data.split(b" ")[0]) for peer, channel, data in sent] == [
            (peer, channel, data.split(b" ")[0]) for peer, channel, data in wanted
        ]
        assert [entry for entry in sent if entry[1] == "reg"] == [entry for entry in wanted if entry[1] == "reg"]
    last = next(data for _, _, data in wanted if data.startswith(b"<Robot"))
    mine = next(data for _, _, data in sent if data.startswith(b"<Robot"))
    assert mine.split(b"\n")[0] == last.split(b"\n")[0]


def test_replies_of_all_recordings_are_written_again_byte_for_byte():
    seen = 0
    for path in sorted(VECTORS.glob("*.jsonl.gz")):
        for line in lines(path.name.removesuffix(".jsonl.gz")):
            if line["text"].startswith("<Reply"):
                data = data_of(line)
                reply = decode_reply(data)
                assert reply is not None
                parameters = parse_parameters(b"<Parameters " + data.split(b"<Parameters ")[1].split(b"</Reply>")[0])
                text = parameters_text(parameters, int(reply.parameters["NBeacons"]))
                assert encode_reply(text, text) == data
                seen += 1
    assert seen == 18


def test_the_default_lab_has_the_content_of_the_originals():
    assert default_lab() == read_lab(CONFIGURATIONS / "default_lab.xml")
    assert default_grid() == read_grid(CONFIGURATIONS / "default_grid.xml")
    assert Parameters() == parse_parameters(b"<Parameters/>")
