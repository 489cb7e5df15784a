"""XML-RPC: what Python's own library says, we read, and the other way round; what could hurt is refused."""

from __future__ import annotations

import xmlrpc.client

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1 import xmlrpc as ours
from mobilesim_py.protocols.ros1.xmlrpc import (
    CallError,
    build_answer,
    build_call,
    build_fault,
    parse_answer,
    parse_call,
    parse_status,
)

XML_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="￾￿"))
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**31), 2**31 - 1) | st.floats(allow_nan=False) | XML_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(XML_TEXT, inner, max_size=4),
    max_leaves=15,
)


@settings(deadline=None)
@given(st.lists(VALUES, max_size=3))
def test_calls_are_understood_by_the_standard_library_and_its_calls_by_us(parameters):
    assert parse_call(build_call("setParam", parameters)) == ("setParam", parameters)
    read, method = xmlrpc.client.loads(build_call("setParam", parameters))
    assert (list(read), method) == (parameters, "setParam")
    assert parse_call(xmlrpc.client.dumps(tuple(parameters), "setParam").encode()) == ("setParam", parameters)


@settings(deadline=None)
@given(VALUES)
def test_answers_are_understood_by_the_standard_library_and_its_answers_by_us(value):
    assert xmlrpc.client.loads(build_answer(value))[0] == (value,)
    assert parse_answer(xmlrpc.client.dumps((value,), methodresponse=True).encode()) == value


def test_a_call_is_the_recorded_text():
    call = build_call("registerPublisher", ["/mobilesim", "/odom", "nav_msgs/Odometry", "http://127.0.0.1:1/"])
    assert call == (
        b"<?xml version='1.0'?><methodCall><methodName>registerPublisher</methodName><params>"
        b"<param><value><string>/mobilesim</string></value></param><param><value><string>/odom</string></value></param>"
        b"<param><value><string>nav_msgs/Odometry</string></value></param>"
        b"<param><value><string>http://127.0.0.1:1/</string></value></param></params></methodCall>"
    )


@pytest.mark.parametrize("value", [2**40, None, b"\0\xff", float("inf"), (1, 2), "tab\there\r\n", " blanks "])
def test_values_beyond_the_standard_come_back(value):
    assert parse_answer(build_answer(value)) == (list(value) if isinstance(value, tuple) else value)


def test_characters_that_xml_has_not_become_question_marks():
    assert parse_answer(build_answer("a\0b\x1bc")) == "a?b?c"


def test_what_cannot_be_carried_is_refused():
    with pytest.raises(WireError, match="cannot carry a set"):
        build_answer({1})


def test_a_value_without_a_type_is_a_text():
    body = b"<methodCall><methodName>m</methodName><params><param><value>abc</value></param><param><value/></param></params></methodCall>"
    assert parse_call(body) == ("m", ["abc", ""])


def test_a_call_without_parameters_has_none():
    assert parse_call(b"<methodCall><methodName> getPid </methodName></methodCall>") == ("getPid", [])


def test_faults_and_refusals_are_errors():
    with pytest.raises(CallError, match="no such method"):
        parse_answer(build_fault(1, "no such method"))
    with pytest.raises(CallError, match="odd"):
        parse_answer(b"<methodResponse><fault><value>odd</value></fault></methodResponse>")
    with pytest.raises(CallError, match="answers -1: unknown node"):
        parse_status(build_answer([-1, "unknown node", ""]))
    with pytest.raises(WireError, match="code, text and value"):
        parse_status(build_answer("x"))
    assert parse_status(build_answer([1, "", 7])) == 7


def value(text: str) -> bytes:
    return f"<methodResponse><params><param><value>{text}</value></param></params></methodResponse>".encode()


BOMB = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><methodCall><methodName>&b;</methodName></methodCall>'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "XML-RPC"),
        (b"GET / HTTP/1.1", "XML-RPC"),
        (BOMB, "document type"),
        (b"<methodCall>", "no element|unclosed"),
        (b"<methodResponse/>", "not a"),
        (b"<methodCall/>", "not a"),
        (b"<html/>", "unknown element <html>"),
        (value("<int>x</int>"), "none of its type"),
        (value("<boolean>2</boolean>"), "none of its type"),
        (value("<int>" + "1" * 5000 + "</int>"), "none of its type"),
        (value("<base64>!</base64>"), "none of its type"),
        (value("<name>x</name>"), "none of its type"),
        (value("<struct><member><value>1</value></member></struct>"), "without a name"),
        (value("<array><data>" * 150 + "</data></array>" * 150), "levels"),
        (b"<?xml version='1.0' encoding='rot13'?><methodCall/>", "XML-RPC"),
        (b"x" * (ours.LONGEST_BODY + 1), "at most"),
    ],
)
def test_what_is_damaged_or_hostile_is_refused(body, reason):
    for parse in (parse_call, parse_answer):
        with pytest.raises(WireError, match=reason):
            parse(body)


def test_values_are_counted(monkeypatch):
    monkeypatch.setattr(ours, "MOST_VALUES", 10)
    with pytest.raises(WireError, match="more than 10 values"):
        parse_answer(build_answer([1] * 10))


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_call_or_an_error_of_ours(body):
    for parse in (parse_call, parse_answer, parse_status):
        try:
            parse(body)
        except WireError:
            continue


TAGS = [
    "value",
    "int",
    "array",
    "data",
    "struct",
    "member",
    "name",
    "params",
    "param",
    "fault",
    "methodName",
    "base64",
    "nil",
]


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS] + ["1", "x", "<nil/>"]), max_size=20
    )
)
def test_any_heap_of_elements_is_an_answer_or_an_error_of_ours(pieces):
    try:
        parse_answer(f"<methodResponse>{''.join(pieces)}</methodResponse>".encode())
    except WireError:
        return
