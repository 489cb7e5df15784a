"""Pieces of texts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.rosbridge.fragments import Assembly, cut


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(0, 100), st.randoms())
def test_a_text_comes_back_however_its_pieces_come(text, size, chance):
    pieces = cut(text, size, "f:1")
    if len(pieces) == 1:
        assert pieces == [text]
        return
    chance.shuffle(pieces)
    assembly = Assembly(10_000)
    results = []
    for piece in map(json.loads, pieces):
        results.append(assembly.add(piece["id"], piece["data"], piece["num"], piece["total"]))
    assert results[-1] == text
    assert results[:-1] == [None] * (len(pieces) - 1)


def test_totals_are_whole_numbers():
    (first, *_) = map(json.loads, cut("x" * 100, 32, "a"))
    assert first == {"op": "fragment", "id": "a", "data": "x" * 32, "num": 0, "total": 4}


def test_a_piece_that_comes_twice_counts_once():
    assembly = Assembly(100)
    assert assembly.add("a", "x", 0, 2) is None
    assert assembly.add("a", "x", 0, 2) is None
    assert assembly.add("a", "y", 1, 2) == "xy"


def test_another_total_begins_the_text_anew():
    assembly = Assembly(100)
    assembly.add("a", "x", 0, 2)
    assert assembly.add("a", "z", 0, 1) == "z"


@pytest.mark.parametrize(("num", "total"), [(1, 1), (0, 0), (0, 100_000)])
def test_numbers_that_make_no_sense_are_refused(num, total):
    with pytest.raises(WireError):
        Assembly(100).add("a", "x", num, total)


def test_texts_without_end_take_no_more_than_the_limit():
    assembly = Assembly(100)
    for number in range(1000):
        assembly.add(number, "x", 0, 2)
    assert len(assembly._texts) == 10
    assert assembly._size == 10
    with pytest.raises(WireError, match="more than 100 characters"):
        assembly.add("long", "x" * 200, 0, 2)
    assert "long" not in assembly._texts
