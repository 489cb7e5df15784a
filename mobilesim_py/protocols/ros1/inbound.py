"""A peer connected to us: it wants a topic, or it calls a service; its header says which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros.interfaces import ANY, MessageType, ServiceType
from mobilesim_py.protocols.ros1.events import Limits, Phase, RequestReceived, ServiceJoined, SubscriberJoined
from mobilesim_py.protocols.ros1.header import framed
from mobilesim_py.protocols.ros1.link import Link


@dataclass(frozen=True)
class TopicOffer:
    """A topic that we publish. `last` is the newest message of a latched topic, for whoever comes late."""

    name: str
    type: MessageType
    latching: bool = False
    last: bytes | None = None


@dataclass(frozen=True)
class ServiceOffer:
    """A service that we answer."""

    name: str
    type: ServiceType


class Offers(Protocol):
    """What a node has to offer, by global name."""

    def topic(self, name: str) -> TopicOffer | None:
        """Return the topic that we publish under a name."""

    def service(self, name: str) -> ServiceOffer | None:
        """Return the service that we answer under a name."""


class InboundLink(Link):
    """One peer that connected to our TCPROS port."""

    def __init__(self, caller_id: str, offers: Offers, limits: Limits | None = None) -> None:
        super().__init__(limits or Limits())
        self.topic: TopicOffer | None = None  # what the peer subscribed to
        self.service: ServiceOffer | None = None  # or what it calls
        self._caller_id = caller_id
        self._offers = offers
        self._persistent = False
        self._unanswered = 0

    def send(self, body: bytes) -> None:
        """Publish a message to the subscriber; a slow one loses the oldest messages."""
        if self.phase is Phase.OPEN and self.topic is not None:
            self._outbox.put(body)

    def respond(self, ok: bool, body: bytes) -> None:
        """Answer the oldest request: with the bytes of the response, or (not `ok`) with a text that says why not."""
        if self.phase is not Phase.OPEN or not self._unanswered:
            return
        self._unanswered -= 1
        self._outbox.put_now(bytes([ok]) + framed(body))
        if not self._persistent:
            self.close()
        elif self.backlog > self._limits.body:
            self.close("the peer does not read its responses")

    def _fail(self, reason: str) -> None:
        if self.topic is None and self.service is None:
            self._send_header({"error": reason})
        self.close(reason)

    def _greet(self, fields: Mapping[str, str]) -> None:
        if "topic" in fields:
            self._greet_subscriber(fields)
        elif "service" in fields:
            self._greet_caller(fields)
        else:
            raise WireError("a connection header that names neither a topic nor a service")

    def _greet_subscriber(self, fields: Mapping[str, str]) -> None:
        offer = self._offers.topic(fields["topic"])
        if offer is None:
            raise WireError(f"[{fields['topic'][:200]}] is not a topic of [{self._caller_id}]")
        kind = offer.type
        wanted_type, wanted_md5 = fields.get("type", ANY), _required(fields, "md5sum")
        # One md5 sum may have two names (tf/tfMessage and tf2_msgs/TFMessage): the sum decides, the name only without it.
        if wanted_md5 != kind.md5 and not (wanted_md5 == ANY and wanted_type in (ANY, kind.name)):
            raise WireError(
                f"[{offer.name}] has the type [{kind.name}] with the md5 sum [{kind.md5}], "
                f"not [{wanted_type[:200]}] with [{wanted_md5[:200]}]"
            )
        self.topic = offer
        self._send_header(
            {
                "callerid": self._caller_id,
                "latching": "1" if offer.latching else "0",
                "md5sum": kind.md5,
                "message_definition": kind.full_text,
                "topic": offer.name,
                "type": kind.name,
            }
        )
        if offer.latching and offer.last is not None:
            self._outbox.put(offer.last)
        self._events.append(SubscriberJoined(offer.name, fields))

    def _greet_caller(self, fields: Mapping[str, str]) -> None:
        offer = self._offers.service(fields["service"])
        if offer is None:
            raise WireError(f"[{fields['service'][:200]}] is not a service of [{self._caller_id}]")
        kind = offer.type
        wanted_md5 = _required(fields, "md5sum")
        if wanted_md5 not in (ANY, kind.md5):
            raise WireError(f"[{offer.name}] is a [{kind.name}] with the md5 sum [{kind.md5}], not [{wanted_md5[:200]}]")
        self.service = offer
        self._persistent = fields.get("persistent") in ("1", "true")
        self._send_header(
            {
                "callerid": self._caller_id,
                "md5sum": kind.md5,
                "request_type": f"{kind.name}Request",
                "response_type": f"{kind.name}Response",
                "type": kind.name,
            }
        )
        probe = fields.get("probe") == "1"
        self._events.append(ServiceJoined(offer.name, probe, fields))
        if probe:
            self.close()

    def _read_body(self) -> bool:
        if self.service is None:
            self._reader.clear()  # a subscriber has nothing more to say
            return False
        body = self._reader.take_frame(self._limits.body)
        if body is None:
            return False
        if self._unanswered == self._limits.pending_requests:
            raise WireError(f"{self._unanswered} requests wait for their response, and another one came")
        self._unanswered += 1
        self._events.append(RequestReceived(self.service.name, body))
        return True


def _required(fields: Mapping[str, str], name: str) -> str:
    if name not in fields:
        raise WireError(f"a connection header without the field '{name}'")
    return fields[name]
