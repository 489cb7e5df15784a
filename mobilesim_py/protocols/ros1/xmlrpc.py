"""Calls and answers of XML-RPC, as bodies of HTTP, between ROS nodes and masters.

Read with expat and nothing else: a document type, an entity, too many bytes, levels or values end the reading with
WireError.
(The standard library's reader would expand entities without end.)
"""

from __future__ import annotations

import binascii
import math
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from mobilesim_py.protocols.ros.errors import WireError

LONGEST_BODY = 1 << 22  # bytes
DEEPEST = 200  # XML elements; a struct in a struct takes four
MOST_VALUES = 100_000


class CallError(WireError):
    """The answer to a call is a fault of the other side."""


# --- writing -------------------------------------------------------------------------------------------------------------

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INT32 = range(-(1 << 31), 1 << 31)


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("?", text)).replace("\r", "&#13;")


def _number(value: float) -> str:
    if not math.isfinite(value):
        return f"<double>{value}</double>"  # not in the standard, but what Python and roscpp write and read
    return f"<double>{value!r}</double>"


def _array(items: Sequence[Any]) -> str:
    return f"<array><data>{''.join(map(_value, items))}</data></array>"


def _struct(members: Mapping[str, Any]) -> str:
    rows = (f"<member><name>{_text(str(name))}</name>{_value(value)}</member>" for name, value in members.items())
    return f"<struct>{''.join(rows)}</struct>"


_WRITERS: Mapping[type, Callable[[Any], str]] = {
    bool: lambda value: f"<boolean>{int(value)}</boolean>",
    int: lambda value: f"<int>{value}</int>" if value in _INT32 else f"<i8>{value}</i8>",
    float: _number,
    str: lambda value: f"<string>{_text(value)}</string>",
    bytes: lambda value: f"<base64>{b64encode(value).decode()}</base64>",
    list: _array, tuple: _array, dict: _struct, type(None): lambda value: "<nil/>",
}  # fmt: skip


def _value(value: Any) -> str:
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise WireError(f"XML-RPC cannot carry a {type(value).__name__}")
    return f"<value>{writer(value)}</value>"


def build_call(method: str, parameters: Sequence[Any]) -> bytes:
    """Return the body of a call."""
    rows = "".join(f"<param>{_value(parameter)}</param>" for parameter in parameters)
    call = f"<methodCall><methodName>{_text(method)}</methodName><params>{rows}</params></methodCall>"
    return f"<?xml version='1.0'?>{call}".encode()


def build_answer(value: Any) -> bytes:
    """Return the body of an answer."""
    return f"<?xml version='1.0'?><methodResponse><params><param>{_value(value)}</param></params></methodResponse>".encode()


def build_fault(code: int, text: str) -> bytes:
    """Return the body of a fault: the call could not even be read."""
    fault = _value({"faultCode": code, "faultString": text})
    return f"<?xml version='1.0'?><methodResponse><fault>{fault}</fault></methodResponse>".encode()


# --- reading -------------------------------------------------------------------------------------------------------------


def parse_call(data: bytes) -> tuple[str, list[Any]]:
    """Return method and parameters of a call."""
    reader = _Reader(data)
    if reader.root != "methodCall" or not reader.method:
        raise WireError("XML-RPC: not a call")
    return reader.method, reader.values


def parse_answer(data: bytes) -> Any:
    """Return the value of an answer; raise CallError for a fault."""
    reader = _Reader(data)
    if reader.root != "methodResponse" or len(reader.values) != 1:
        raise WireError("XML-RPC: not an answer")
    (value,) = reader.values
    if reader.fault:
        text = value.get("faultString", "") if isinstance(value, dict) else value
        raise CallError(f"XML-RPC: the other side could not take the call: {str(text)[:300]}")
    return value


def parse_status(data: bytes) -> Any:
    """Return the value of a ROS answer `[code, text, value]`; raise CallError where the code is not 1."""
    answer = parse_answer(data)
    if not isinstance(answer, list) or len(answer) != 3:
        raise WireError("XML-RPC: a ROS answer has code, text and value")
    code, text, value = answer
    if code != 1:
        raise CallError(f"the other side answers {code!r}: {str(text)[:300]}")
    return value


def _boolean(text: str) -> bool:
    return {"0": False, "1": True, "false": False, "true": True}[text.strip()]


def _whole(text: str) -> int:
    if len(text) > 30:
        raise ValueError
    return int(text)


_LEAVES: Mapping[str, Callable[[str], Any]] = {
    "int": _whole, "i4": _whole, "i8": _whole, "boolean": _boolean, "double": float, "string": str, "dateTime.iso8601": str,
    "base64": lambda text: b64decode("".join(text.split()), validate=True), "nil": lambda text: None,
}  # fmt: skip
_NESTING = frozenset({"array", "data", "struct", "member", "name", "value"})
_FRAME = frozenset({"methodCall", "methodName", "methodResponse", "params", "param", "fault"})


class _Reader:
    """Reads one document by the events of expat, with a stack of open lists and structs."""

    def __init__(self, data: bytes) -> None:
        self.root = ""
        self.method = ""
        self.fault = False
        self.values: list[Any] = []
        self._open: list[Any] = [self.values]  # where the next value goes: a list or a dict
        self._names: list[str | None] = []  # the member that is open in each struct
        self._depth = 0
        self._count = 0
        self._characters: list[str] = []
        self._plain = False  # in a <value> that has had no type yet
        if len(data) > LONGEST_BODY:
            raise WireError(f"XML-RPC: {len(data)} bytes, where at most {LONGEST_BODY} are allowed")
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters.append
        parser.StartDoctypeDeclHandler = _refuse_document_type
        try:
            parser.Parse(data, True)
        except expat.ExpatError as fault:
            raise WireError(f"XML-RPC: {fault}") from None
        except (ValueError, KeyError, binascii.Error, LookupError):
            raise WireError("XML-RPC: a value that is none of its type") from None

    def _start(self, tag: str, attributes: object) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise WireError(f"XML-RPC: more than {DEEPEST} levels")
        if tag not in _LEAVES and tag not in _NESTING and tag not in _FRAME:
            raise WireError(f"XML-RPC: unknown element <{tag[:50]}>")
        if self._depth == 1:
            self.root = tag
        self._characters.clear()
        self._plain = tag == "value"
        if tag == "value":
            self._count += 1
            if self._count > MOST_VALUES:
                raise WireError(f"XML-RPC: more than {MOST_VALUES} values")
        elif tag == "fault":
            self.fault = True
        elif tag == "array":
            self._open.append([])
        elif tag == "struct":
            self._open.append({})
            self._names.append(None)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        text = "".join(self._characters)
        self._characters.clear()
        if tag in _LEAVES:
            self._put(_LEAVES[tag](text))
        elif tag == "value" and self._plain:
            self._put(text)
        elif tag in ("array", "struct"):
            made = self._open.pop()
            if tag == "struct":
                self._names.pop()
            self._put(made)
        elif tag == "name":
            self._names[-1] = text
        elif tag == "methodName":
            self.method = text.strip()
        self._plain = False

    def _put(self, value: Any) -> None:
        place = self._open[-1]
        if isinstance(place, list):
            place.append(value)
            return
        name = self._names[-1]
        if name is None:
            raise WireError("XML-RPC: a member without a name")
        place[name] = value
        self._names[-1] = None


def _refuse_document_type(*_: object) -> None:
    raise WireError("XML-RPC: a document type is not allowed")
