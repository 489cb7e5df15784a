"""Functions made of text."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ros.source import Source


def test_lines_become_a_function_that_sees_what_was_bound():
    source = Source()
    double = source.bind(lambda value: 2 * value)
    name = source.name()
    source.line(f"{name} = {double}(value)")
    assert source.compile("value", f"{name} + 1", "test")(20) == 41


def test_a_thing_is_bound_once_and_names_are_new():
    source = Source()
    thing = object()
    assert source.bind(thing) == source.bind(thing)
    assert source.name() != source.name()


def test_a_fault_names_the_function_that_it_happened_in():
    source = Source()
    with pytest.raises(ZeroDivisionError) as fault:
        source.compile("", "1 / 0", "write a/B")()
    assert fault.tb.tb_next.tb_frame.f_code.co_filename == "<write a/B>"
