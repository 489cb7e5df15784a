"""As much of HTTP as XML-RPC between ROS nodes needs, sans I/O: POSTs with a length, answers with a length, both ends.

    server = HttpServer();  server.receive_data(bytes);  server.events();  server.answer(body)
    client = HttpClient();  client.request(url parts, body);  client.receive_data(bytes);  client.events()

Both have `data_to_send()`. A fault of the peer never raises: it closes the conversation, `is_closed` says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1.xmlrpc import LONGEST_BODY

LONGEST_HEAD = 1 << 14
"""Bytes of request line and headers."""
MOST_WAITING = 16
"""Requests that a peer may send before it has read the answers."""
_LENGTH = re.compile(r"\d{1,10}\Z", re.ASCII)


@dataclass(frozen=True)
class Posted:
    """A whole request: its body, and the name by which the peer called us (without a port)."""

    body: bytes
    host: str


@dataclass(frozen=True)
class Answered:
    """A whole answer."""

    status: int
    body: bytes


class _Reader:
    """Finds head and body in a stream."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._head: tuple[str, dict[str, str]] | None = None
        self._length: int | None = 0
        self.is_ended = False
        """Set when the peer will send no more: then a body without a length is whole."""

    def receive_data(self, data: bytes) -> None:
        self._data += data

    @property
    def is_idle(self) -> bool:
        """Whether nothing has come since the last whole message."""
        return self._head is None and not self._data

    def take(self, needs_length: bool) -> tuple[str, dict[str, str], bytes] | None:
        """Return first line, headers and body, or None where they are not whole yet."""
        if self._head is None:
            end = self._data.find(b"\r\n\r\n")
            if end < 0 and len(self._data) <= LONGEST_HEAD:
                return None
            if not 0 <= end <= LONGEST_HEAD:
                raise WireError(f"HTTP: a head of more than {LONGEST_HEAD} bytes")
            self._head = _parse_head(bytes(self._data[:end]))
            del self._data[: end + 4]
            self._length = _length(self._head[1], needs_length)
        if self._length is None:
            if len(self._data) > LONGEST_BODY:
                raise WireError(f"HTTP: a body of more than {LONGEST_BODY} bytes")
            if not self.is_ended:
                return None
        elif len(self._data) < self._length:
            return None
        length = len(self._data) if self._length is None else self._length
        (line, headers), self._head = self._head, None
        body = bytes(self._data[:length])
        del self._data[:length]
        return line, headers, body


def _parse_head(data: bytes) -> tuple[str, dict[str, str]]:
    line, *rows = data.decode("latin-1").split("\r\n")
    headers: dict[str, str] = {}
    for row in rows:
        name, colon, value = row.partition(":")
        if not colon:
            raise WireError("HTTP: a header without a colon")
        headers[name.strip().lower()] = value.strip()
    return line, headers


def _length(headers: dict[str, str], needed: bool) -> int | None:
    if "transfer-encoding" in headers:
        raise WireError("HTTP: a body in chunks, where a Content-Length is needed")
    text = headers.get("content-length")
    if text is None:
        if needed:
            raise WireError("HTTP: no Content-Length")
        return None
    if not _LENGTH.match(text) or int(text) > LONGEST_BODY:
        raise WireError(f"HTTP: a Content-Length of {text[:30]!r}, where at most {LONGEST_BODY} is allowed")
    return int(text)


def host_of(header: str) -> str:
    """Return the name in a Host header, without port and brackets."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0]


class HttpServer:
    """One peer's requests."""

    def __init__(self) -> None:
        self.is_closed = False
        self._reader = _Reader()
        self._events: list[Posted] = []
        self._out = bytearray()
        self._keeps: list[bool] = []  # of the requests that wait for their answers

    @property
    def is_idle(self) -> bool:
        """Whether no request is half there."""
        return self._reader.is_idle

    def receive_data(self, data: bytes) -> None:
        """Take bytes that came in."""
        if self.is_closed:
            return
        self._reader.receive_data(data)
        try:
            while (found := self._reader.take(needs_length=True)) is not None:
                self._take(*found)
        except WireError as fault:
            self._refuse(400, str(fault))

    def _take(self, line: str, headers: dict[str, str], body: bytes) -> None:
        method, _, rest = line.partition(" ")
        version = rest.rpartition(" ")[2]
        if method != "POST" or not version.startswith("HTTP/1."):
            raise WireError("HTTP: only POST is answered here")
        if headers.get("expect", "").lower() == "100-continue":
            self._out += b"HTTP/1.1 100 Continue\r\n\r\n"
        connection = headers.get("connection", "").lower()
        keep = connection != "close" and (version != "HTTP/1.0" or connection == "keep-alive")
        if len(self._keeps) == MOST_WAITING:
            raise WireError(f"HTTP: more than {MOST_WAITING} requests without reading an answer")
        self._keeps.append(keep)
        self._events.append(Posted(body, host_of(headers.get("host", ""))))

    def events(self) -> list[Posted]:
        """Return the requests that came in, once."""
        events, self._events = self._events, []
        return events

    def answer(self, body: bytes) -> None:
        """Answer the oldest request."""
        if self.is_closed or not self._keeps:
            return
        keep = self._keeps.pop(0)
        self._out += _answer_head("200 OK", len(body), keep) + body
        self.is_closed = not keep

    def _refuse(self, status: int, why: str) -> None:
        body = f"{why}\n".encode()
        self._out += _answer_head(f"{status} Bad Request", len(body), False, "text/plain") + body
        self._events.clear()
        self.is_closed = True

    def data_to_send(self) -> bytes:
        """Return the bytes that shall go out, once."""
        data, self._out = bytes(self._out), bytearray()
        return data


def _answer_head(status: str, length: int, keep: bool, kind: str = "text/xml") -> bytes:
    connection = "keep-alive" if keep else "close"
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: {connection}\r\n\r\n".encode()
    )


class HttpClient:
    """One request to a peer."""

    def __init__(self, host: str, port: int, path: str, body: bytes) -> None:
        self.is_closed = False
        self.fault = ""
        """Why there is no answer, where the peer broke the rules."""
        self._reader = _Reader()
        self._events: list[Answered] = []
        named = f"[{host}]" if ":" in host else host
        head = (
            f"POST {path or '/'} HTTP/1.1\r\nHost: {named}:{port}\r\nUser-Agent: mobilesim\r\nContent-Type: text/xml\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self._out = head.encode("latin-1", "replace") + body

    def receive_data(self, data: bytes) -> None:
        """Take bytes that came in."""
        if not self.is_closed:
            self._reader.receive_data(data)
            self._read()

    def receive_end(self) -> None:
        """Note that the peer will send no more."""
        self._reader.is_ended = True
        if not self.is_closed:
            self._read()

    def _read(self) -> None:
        try:
            found = self._reader.take(needs_length=False)
            if found is None:
                return
            line, _, body = found
            status = line.split(" ")[1] if line.startswith("HTTP/1.") and " " in line else ""
            if not _LENGTH.match(status):
                raise WireError("HTTP: not an answer")
            self._events.append(Answered(int(status), body))
        except WireError as fault:
            self.fault = str(fault)
        self.is_closed = True

    def events(self) -> list[Answered]:
        """Return the answer, once."""
        events, self._events = self._events, []
        return events

    def data_to_send(self) -> bytes:
        """Return the bytes that shall go out, once."""
        data, self._out = self._out, b""
        return data
