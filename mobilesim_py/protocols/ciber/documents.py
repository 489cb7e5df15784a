"""One XML document in one datagram, with one NUL at the end: read safely and quickly.

Clients write UTF-8, as XML without a declaration is; the simulator writes Latin-1, whatever it was sent.

Document types are refused, and with them every entity but the five of XML itself; a datagram longer than its kind allows
is cut, as a socket's reader with a fixed buffer cuts it, and is then no document any more.
"""

from __future__ import annotations

import math
from xml.parsers import expat
from xml.sax.saxutils import escape

ENCODING = "latin-1"
REGISTRATION_LIMIT = 1023
ACTIONS_LIMIT = 1023
COMMAND_LIMIT = 63
REPLY_LIMIT = 1024
MEASURES_LIMIT = 4096


class Node:
    """An element: its tag, attributes in their order, children and the text directly in it."""

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag, self.attributes = tag, attributes
        self.children: list[Node] = []
        self.text = ""

    def find(self, tag: str) -> Node | None:
        """Return the first child with a tag."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None


class _RefusedError(Exception):
    """A document type, which nobody needs here and which can do harm."""


def _refuse(*_details: object) -> None:
    raise _RefusedError


def parse_document(data: bytes, limit: int) -> Node | None:
    """Return the root element of a client's datagram, or None where it is no document; what follows a NUL does not count."""
    data = data[:limit].partition(b"\0")[0]
    try:
        return _parse(data.decode())
    except UnicodeDecodeError:
        return _parse(data.decode(ENCODING))


def parse_answer(data: bytes) -> Node | None:
    """Return the root element of what the simulator sent, or None where it is no document."""
    return _parse(data.partition(b"\0")[0].decode(ENCODING))


def _parse(text: str) -> Node | None:
    root: list[Node] = []
    stack: list[Node] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        node = Node(tag, attributes)
        (stack[-1].children if stack else root).append(node)
        stack.append(node)

    def stop(_tag: str) -> None:
        stack.pop()

    def characters(more: str) -> None:
        stack[-1].text += more

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = stop
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, _RefusedError, UnicodeEncodeError):
        return None
    return root[0]


def datagram(text: str) -> bytes:
    """Return the bytes of a text as the simulator sends it: Latin-1, and one NUL."""
    return text.encode(ENCODING, "replace") + b"\0"


def client_datagram(text: str) -> bytes:
    """Return the bytes of a text as a client sends it: UTF-8, and one NUL."""
    return text.encode("utf-8", "replace") + b"\0"


def number(text: str) -> float:
    """Return a text as a number; what is none, or not finite, counts as 0, as with the contest's programs."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and "_" not in text else 0.0


def whole(text: str) -> int:
    """Return a text as a whole number that is not negative; what is none counts as 0."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def quoted(text: str) -> str:
    """Return a text so that it can stand between quotes in a tag."""
    return escape(text, {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def cdata(text: str) -> str:
    """Return a text as a CDATA section that nothing in it can end."""
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"


def on(value: bool) -> str:
    """Return the word for a led or a button."""
    return "On" if value else "Off"
