"""Parameters as replies carry them."""

from __future__ import annotations

from mobilesim_py.formats.lab import Parameters, parameters_text, parse_parameters
from mobilesim_py.protocols.ciber import encode_reply


def test_the_default_reply_is_742_bytes():
    assert len(encode_reply(parameters_text(Parameters(), 1), "")) == 742


def test_files_are_named_where_they_were_given():
    named = Parameters(lab_file='a"b.xml', grid_file="g.xml")
    text = parameters_text(named, 0)
    assert text.endswith('HomeReward="100"\n\t\tLab="a&quot;b.xml"\n\t\tGrid="g.xml"\n/>\n')
    assert parse_parameters(text.encode()).lab_file == 'a"b.xml'
    assert parameters_text(named, 0, files=False) == parameters_text(Parameters(), 0)
