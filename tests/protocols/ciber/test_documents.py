"""One document in one datagram: what is read, what is refused, how numbers and texts are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.ciber.documents import (
    cdata,
    client_datagram,
    datagram,
    number,
    on,
    parse_answer,
    parse_document,
    quoted,
    whole,
)


def test_a_document_is_read_with_and_without_its_nul():
    for data in (b'<A x="1"/>', b'<A x="1"/>\n\0', b'<A x="1"/>\0rubbish'):
        root = parse_document(data, 1023)
        assert root is not None
        assert (root.tag, root.attributes) == ("A", {"x": "1"})


def test_children_and_text_are_kept_in_order():
    root = parse_document(b"<A><B>one</B><C/><B><![CDATA[<two>]]></B></A>", 1023)
    assert root is not None
    assert [(child.tag, child.text) for child in root.children] == [("B", "one"), ("C", ""), ("B", "<two>")]
    assert root.find("C") is root.children[1]
    assert root.find("D") is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"<A",
        b"<A></B>",
        b"<A/><B/>",
        b'<!DOCTYPE a [<!ENTITY b "c">]><A>&b;</A>',
        b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><A/>',
        b"<A>&undefined;</A>",
        b'<A x="1" x="2"/>',
    ],
)
def test_what_is_no_document_or_could_do_harm_is_refused(data):
    assert parse_document(data, 1023) is None


def test_a_datagram_longer_than_its_kind_is_cut_and_no_document_any_more():
    data = b"<A>" + b"x" * 1013 + b"</A>"
    assert len(data) == 1020
    assert parse_document(data, 1023) is not None
    assert parse_document(data, 1019) is None


def test_bytes_that_are_not_utf8_are_read_as_latin1():
    root = parse_document(b"<A>caf\xe9</A>", 1023)
    assert root is not None
    assert root.text == "café"
    other = parse_document("<A>café</A>".encode(), 1023)
    assert other is not None
    assert other.text == "café"


@given(st.binary(max_size=300))
def test_no_bytes_can_raise(data):
    parse_document(data, 1023)
    parse_document(b"<A>" + data + b"</A>", 1023)
    parse_answer(b"<A>" + data + b"</A>")


@given(st.text(alphabet=st.characters(max_codepoint=255, exclude_categories=["Cc"])))
def test_any_text_comes_back_from_quotes_and_from_cdata(text):
    document = f'<A x="{quoted(text)}">{cdata(text)}</A>'
    for root in (parse_document(client_datagram(document), 100_000), parse_answer(datagram(document))):
        assert root is not None
        assert root.attributes["x"] == text
        assert root.text == text


def test_a_text_outside_latin1_gets_question_marks():
    assert datagram("Łódź") == b"?\xf3d?\0"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", 0.1),
        ("-3", -3.0),
        (" 2 ", 2.0),
        ("x", 0.0),
        ("", 0.0),
        ("nan", 0.0),
        ("inf", 0.0),
        ("1_0", 0.0),
        ("1e400", 0.0),
    ],
)
def test_what_is_no_number_counts_as_0(text, value):
    assert number(text) == value


@pytest.mark.parametrize(("text", "value"), [("7", 7), ("-1", 0), ("x", 0), ("", 0), ("1.5", 0), ("9999999999", 0)])
def test_what_is_no_whole_number_counts_as_0(text, value):
    assert whole(text) == value


def test_switches_have_words():
    assert (on(True), on(False)) == ("On", "Off")
