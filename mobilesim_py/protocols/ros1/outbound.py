"""We connected to a peer: to hear a topic of it, or to call a service."""

from __future__ import annotations

from collections.abc import Mapping

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros.interfaces import ANY, Interfaces, MessageType, ServiceType
from mobilesim_py.protocols.ros1.events import (
    Limits,
    MessageReceived,
    Phase,
    PublisherJoined,
    ResponseReceived,
    ServiceAnswered,
)
from mobilesim_py.protocols.ros1.header import framed
from mobilesim_py.protocols.ros1.link import Link


class SubscriberLink(Link):
    """Our subscription at one publisher.

    With a type it takes that version of it and no other. With none (`*`) it takes whatever the publisher sends, or, if
    `type_name` is given, any version of that type that the table knows; the md5 sum in the publisher's answer says which.
    """

    def __init__(
        self,
        caller_id: str,
        topic: str,
        table: Interfaces,
        wanted: MessageType | None = None,
        type_name: str = ANY,
        limits: Limits | None = None,
    ) -> None:
        super().__init__(limits or Limits())
        self.topic = topic
        self.type: MessageType | None = None
        self._table = table
        self._wanted = wanted
        self._type_name = wanted.name if wanted else type_name
        self._send_header(
            {
                "callerid": caller_id,
                "md5sum": wanted.md5 if wanted else ANY,
                "tcp_nodelay": "1",
                "topic": topic,
                "type": wanted.name if wanted else ANY,
            }
        )

    def _greet(self, fields: Mapping[str, str]) -> None:
        _raise_error(fields)
        name, md5 = fields.get("type", self._type_name), fields.get("md5sum", ANY)
        if self._wanted is not None:
            if md5 not in (ANY, self._wanted.md5):
                raise WireError(f"[{self.topic}] comes as [{name[:200]}] with the md5 sum [{md5[:200]}]")
            self.type = self._wanted
        else:
            if self._type_name not in (ANY, name):
                raise WireError(f"[{self.topic}] comes as [{name[:200]}], not as [{self._type_name}]")
            self.type = self._table.with_md5(name, md5)
        self._events.append(PublisherJoined(self.type, fields.get("latching") == "1", fields))

    def _read_body(self) -> bool:
        body = self._reader.take_frame(self._limits.body)
        if body is None:
            return False
        assert self.type is not None
        self._events.append(MessageReceived(self.type, body))
        return True


class ServiceCallLink(Link):
    """Our calls of one service: one call, or (`persistent`) one after the other; `probe` only asks for the header."""

    def __init__(
        self,
        caller_id: str,
        service: str,
        kind: ServiceType | None = None,
        persistent: bool = False,
        probe: bool = False,
        limits: Limits | None = None,
    ) -> None:
        super().__init__(limits or Limits())
        self.service = service
        self._persistent = persistent
        self._probe = probe
        self._ok: bool | None = None  # the byte before a response, once it is there
        fields = {"callerid": caller_id, "md5sum": kind.md5 if kind else ANY, "service": service}
        fields |= {"type": kind.name} if kind else {}
        fields |= {"persistent": "1"} if persistent else {}
        fields |= {"probe": "1"} if probe else {}
        self._send_header(fields)

    def send(self, body: bytes) -> None:
        """Send a request; it may follow the header at once."""
        if self.phase is not Phase.CLOSED:
            self._outbox.put_now(framed(body))

    def _greet(self, fields: Mapping[str, str]) -> None:
        _raise_error(fields)
        self._events.append(ServiceAnswered(fields))
        if self._probe:
            self.close()

    def _read_body(self) -> bool:
        if self._ok is None:
            byte = self._reader.take_byte()
            if byte is None:
                return False
            self._ok = bool(byte)
        body = self._reader.take_frame(self._limits.body)
        if body is None:
            return False
        self._events.append(ResponseReceived(self._ok, body))
        self._ok = None
        if not self._persistent:
            self.close()
        return True


def _raise_error(fields: Mapping[str, str]) -> None:
    if "error" in fields:
        raise WireError(fields["error"][:500])
