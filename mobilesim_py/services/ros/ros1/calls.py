"""XML-RPC over our doors: sessions that answer posts, and calls of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from mobilesim_py.net.dialling import Dialler
from mobilesim_py.net.link import Link
from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1.http import HttpClient, HttpServer
from mobilesim_py.protocols.ros1.xmlrpc import build_call

AnswerPost = Callable[[bytes, str], bytes]
"""Answers the body of a post, given the name by which the peer called us."""
Then = Callable[[bytes | None, str], None]
"""Told of the end of a call: the body of the answer, or None and why there is none."""


class PostSession:
    """One peer that posts to us."""

    def __init__(self, answer: AnswerPost) -> None:
        self._answer = answer
        self._http = HttpServer()
        self._link: Link | None = None

    @property
    def synchronised(self) -> bool:
        """Whether no request is half there: a peer that stops in the middle of one loses its connection."""
        return self._http.is_idle

    def attach(self, link: Link) -> None:
        """Take the link."""
        self._link = link

    def receive(self, data: bytes) -> None:
        """Answer whole requests."""
        link = self._link
        if link is None:
            return
        self._http.receive_data(data)
        for posted in self._http.events():
            self._http.answer(self._answer(posted.body, posted.host))
        out = self._http.data_to_send()
        if out and not link.write(out):
            link.close()  # it asks and does not read
        elif self._http.is_closed:
            link.close()

    def lost(self, reason: str) -> None:
        """Let go of the link."""
        self._link = None


class CallSession:
    """One post of ours."""

    def __init__(self, client: HttpClient, then: Then) -> None:
        self._client = client
        self._then: Then | None = then
        self._link: Link | None = None

    @property
    def synchronised(self) -> bool:
        """Return False: a peer that does not answer in time is given up."""
        return False

    def attach(self, link: Link) -> None:
        """Send the call."""
        self._link = link
        link.write(self._client.data_to_send())

    def receive(self, data: bytes) -> None:
        """Take the answer."""
        self._client.receive_data(data)
        self._look()

    def lost(self, reason: str) -> None:
        """Take the end of the connection for the end of the answer."""
        self._link = None
        self._client.receive_end()
        self._look()
        self._end(None, self._client.fault or reason)

    def _look(self) -> None:
        for answer in self._client.events():
            self._end(answer.body if answer.status == 200 else None, f"HTTP status {answer.status}")
        if self._client.is_closed and self._link is not None:
            link, self._link = self._link, None
            link.close()

    def _end(self, body: bytes | None, why: str) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(body, "" if body is not None else why)


class Caller:
    """Calls methods of others by XML-RPC."""

    def __init__(self, dialler: Dialler) -> None:
        self._dialler = dialler

    def call(self, uri: str, method: str, parameters: Sequence[Any], then: Then) -> None:
        """Call a method at an `http://host:port/` and tell `then` of the answer; a bad URI is told at once."""
        try:
            parts = urlsplit(uri)
            host, port = parts.hostname, parts.port
            body = build_call(method, parameters)
        except (ValueError, WireError) as fault:
            then(None, str(fault))
            return
        if not host or not port:
            then(None, f"{uri[:200]!r} is no address of a node")
            return
        self._dialler.dial(host, port, CallSession(HttpClient(host, port, parts.path, body), then))
