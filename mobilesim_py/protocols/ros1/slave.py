"""The API of a node: what other nodes and the master may ask of ours.

slave.answer(body, host)        the answer to the body of a POST; `host` is how the asking peer reaches us
slave.events()                  what the calls told us
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1.answers import Answer, Method, answer_body, answer_call, failure, is_uri, success
from mobilesim_py.protocols.ros1.xmlrpc import parse_status

MOST_URIS = 10_000  # publishers that one call may name


@dataclass(frozen=True)
class PublishersChanged:
    """The master told all publishers of a topic that we subscribe to."""

    topic: str
    apis: tuple[str, ...]


@dataclass(frozen=True)
class ParameterChanged:
    """The master told the new value of a parameter that we subscribed to."""

    key: str
    value: Any


@dataclass(frozen=True)
class ShutdownRequested:
    """Somebody asked the node to end. It ends its interface at most, never the simulator."""

    caller: str
    reason: str


SlaveEvent = PublishersChanged | ParameterChanged | ShutdownRequested


@dataclass(frozen=True)
class BusLink:
    """One link of the node, as `getBusInfo` and `getBusStats` tell it."""

    number: int
    peer: str
    outgoing: bool
    topic: str
    octets: int = 0
    messages: int = 0
    dropped: int = 0


@dataclass
class Slave:
    """Our node as others see it. The owner keeps the topics and links up to date."""

    name: str
    master_uri: str
    tcpros_port: int = 0
    pid: int = 0
    publications: dict[str, str] = field(default_factory=dict)  # type by topic
    subscriptions: dict[str, str] = field(default_factory=dict)
    links: Sequence[BusLink] = ()

    def __post_init__(self) -> None:
        self._events: list[SlaveEvent] = []
        self._methods: Mapping[str, Method] = {
            "getBusInfo": Method(self._bus_info, ("text",)),
            "getBusStats": Method(self._bus_stats, ("text",)),
            "getMasterUri": Method(lambda caller: success("", self.master_uri), ("text",)),
            "getPid": Method(lambda caller: success("", self.pid), ("text",)),
            "getPublications": Method(lambda caller: success("", _rows(self.publications)), ("text",)),
            "getSubscriptions": Method(lambda caller: success("", _rows(self.subscriptions)), ("text",)),
            "paramUpdate": Method(self._param_update, ("text", "name", "any")),
            "publisherUpdate": Method(self._publisher_update, ("text", "name", "list")),
        }

    def answer(self, body: bytes, host: str) -> bytes:
        """Return the body of the answer to a call."""
        methods = {
            **self._methods,
            "requestTopic": Method(partial(self._request_topic, host), ("text", "name", "list")),
            # roscpp sends a reason, rosnode kill does too, some old nodes do not
            "shutdown": Method(self._shutdown, ("text", "text")),
        }

        def answer(name: str, parameters: list[Any]) -> Answer:
            if name == "shutdown" and len(parameters) == 1:
                parameters = [*parameters, ""]
            return answer_call(methods, name, parameters)

        return answer_body(answer, body)

    def events(self) -> list[SlaveEvent]:
        """Return what calls told us, once."""
        events, self._events = self._events, []
        return events

    def _request_topic(self, host: str, caller: str, topic: str, protocols: list[Any]) -> Answer:
        if topic not in self.publications:
            return failure(f"[{topic}] is not a topic of [{self.name}]")
        for protocol in protocols:
            if isinstance(protocol, list) and protocol and protocol[0] == "TCPROS":
                return success("ready on", ["TCPROS", host, self.tcpros_port])
        return failure("no supported protocol: TCPROS is the only one")

    def _publisher_update(self, caller: str, topic: str, apis: list[Any]) -> Answer:
        good = tuple(api for api in apis[:MOST_URIS] if is_uri(api))
        if topic in self.subscriptions:
            self._events.append(PublishersChanged(topic, good))
        return success("")

    def _param_update(self, caller: str, key: str, value: Any) -> Answer:
        self._events.append(ParameterChanged(key.rstrip("/") or "/", value))
        return success("")

    def _shutdown(self, caller: str, reason: str) -> Answer:
        self._events.append(ShutdownRequested(caller, reason))
        return success("shutdown")

    def _bus_info(self, caller: str) -> Answer:
        rows = [
            [link.number, link.peer, "o" if link.outgoing else "i", "TCPROS", link.topic, True, f"TCPROS with {link.peer}"]
            for link in self.links
        ]
        return success("bus info", rows)

    def _bus_stats(self, caller: str) -> Answer:
        sent: dict[str, list[Any]] = {}
        heard: dict[str, list[Any]] = {}
        for link in self.links:
            if link.outgoing:
                sent.setdefault(link.topic, [link.topic, 0, []])[2].append([link.number, link.octets, link.messages, True])
            else:
                heard.setdefault(link.topic, [link.topic, []])[1].append([link.number, link.octets, link.messages, True])
        for row in sent.values():
            row[1] = sum(link[1] for link in row[2])
        return success("", [list(sent.values()), list(heard.values()), [0, 0, 0]])


def _rows(table: Mapping[str, str]) -> list[list[str]]:
    return [[name, kind] for name, kind in table.items()]


def parse_topic_address(body: bytes) -> tuple[str, int]:
    """Return host and port in the answer to `requestTopic`: where to connect for a topic."""
    value = parse_status(body)
    match value:
        case ["TCPROS", str(host), int(port)] if 0 < port < 1 << 16:
            return host, port
    raise WireError("XML-RPC: the answer to requestTopic names no address")
