"""A ROS master in memory: who publishes, subscribes and answers what, and the parameters.

master.answer(body)         the answer to the body of a POST
master.calls()              calls that shall now go out to nodes: publisherUpdate, paramUpdate, shutdown
master.drop_node(name)      a node is dead (its API refuses connections): the owner decides, the master forgets
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros.interfaces import ANY
from mobilesim_py.protocols.ros.names import resolve, within
from mobilesim_py.protocols.ros1.answers import Answer, Method, answer_body, answer_call, refusal, success
from mobilesim_py.protocols.ros1.parameters import MissingParameterError, Parameters

MASTER_NAME = "/master"
MOST_REGISTRATIONS = 10_000  # of nodes, topics and services together
MOST_CALLS = 1_000  # in one system.multicall


@dataclass(frozen=True)
class NodeCall:
    """A call that shall go out to the API of a node; whether it arrives is the owner's business."""

    node: str
    api: str
    method: str
    parameters: tuple[Any, ...]


class Master:
    """The registrations, and the answers about them."""

    def __init__(self, uri: str, pid: int = 0, parameters: Mapping[str, Any] | None = None) -> None:
        self.uri = uri
        self.pid = pid
        self.parameters = Parameters()
        self.nodes: dict[str, str] = {}  # API by node
        self.publishers: dict[str, dict[str, None]] = {}  # nodes by topic, in the order of their coming
        self.subscribers: dict[str, dict[str, None]] = {}
        self.services: dict[str, tuple[str, str]] = {}  # node and rosrpc URI by service
        self.types: dict[str, str] = {}  # type by topic
        self.listeners: dict[str, dict[str, None]] = {}  # nodes by the parameter that they subscribed to
        self._calls: list[NodeCall] = []
        for key, value in (parameters or {}).items():
            self.parameters.set(key, value)
        self._methods: Mapping[str, Method] = {
            "registerPublisher": Method(self._register_publisher, ("name", "name", "type", "api")),
            "unregisterPublisher": Method(self._unregister_publisher, ("name", "name", "api")),
            "registerSubscriber": Method(self._register_subscriber, ("name", "name", "type", "api")),
            "unregisterSubscriber": Method(self._unregister_subscriber, ("name", "name", "api")),
            "registerService": Method(self._register_service, ("name", "name", "rosrpc", "api")),
            "unregisterService": Method(self._unregister_service, ("name", "name", "rosrpc")),
            "lookupService": Method(self._look_up_service, ("text", "name")),
            "lookupNode": Method(self._look_up_node, ("text", "name")),
            "getPublishedTopics": Method(self._published_topics, ("text", "text")),
            "getTopicTypes": Method(lambda caller: success("current topics", _pairs(self.types)), ("text",)),
            "getSystemState": Method(self._system_state, ("text",)),
            "getUri": Method(lambda caller: success("", self.uri), ("text",)),
            "getPid": Method(lambda caller: success("", self.pid), ("text",)),
            "setParam": Method(self._set_param, ("text", "name", "any")),
            "getParam": Method(self._get_param, ("text", "name")),
            "hasParam": Method(self._has_param, ("text", "name")),
            "deleteParam": Method(self._delete_param, ("text", "name")),
            "searchParam": Method(self._search_param, ("text", "name")),
            "subscribeParam": Method(self._subscribe_param, ("name", "api", "name")),
            "unsubscribeParam": Method(self._unsubscribe_param, ("name", "api", "name")),
            "getParamNames": Method(lambda caller: success("parameter names", self.parameters.names()), ("text",)),
        }

    def answer(self, body: bytes) -> bytes:
        """Return the body of the answer to a call."""
        return answer_body(self.call, body)

    def call(self, name: str, parameters: list[Any]) -> Any:
        """Return the answer to a call: `(code, text, value)`, or a list of such in lists for `system.multicall`."""
        if name != "system.multicall":
            return answer_call(self._methods, name, parameters)
        match parameters:
            case [[*calls]] if len(calls) <= MOST_CALLS:
                return [[self._one_of_many(call)] for call in calls]
        return refusal("[system.multicall] takes one list of calls")

    def calls(self) -> list[NodeCall]:
        """Return the calls that shall go out, once."""
        calls, self._calls = self._calls, []
        return calls

    def drop_node(self, node: str) -> None:
        """Forget a node and all that it registered; tell the subscribers of what it published."""
        for topic in [topic for topic, nodes in self.publishers.items() if node in nodes]:
            _remove(self.publishers, topic, node)
            self._tell_subscribers(topic)
        for table in (self.subscribers, self.listeners):
            for name in [name for name, nodes in table.items() if node in nodes]:
                _remove(table, name, node)
        for service in [service for service, (owner, _) in self.services.items() if owner == node]:
            del self.services[service]
        self.nodes.pop(node, None)
        self._forget_types()

    # --- registrations ---

    def _one_of_many(self, call: Any) -> Any:
        match call:
            case {"methodName": str(name), "params": [*parameters]} if name != "system.multicall":
                return answer_call(self._methods, name, parameters)
        return refusal("a call has methodName and params")

    def _enter(self, node: str, api: str) -> None:
        """Note where a node lives. A second node of the same name ends the first, as in every ROS."""
        known = self.nodes.get(node)
        if known is not None and known != api:
            self._calls.append(
                NodeCall(node, known, "shutdown", (MASTER_NAME, f"new node registered with the name [{node}]"))
            )
            self.drop_node(node)
        self.nodes[node] = api

    def _leave(self, node: str) -> None:
        """Forget a node that has nothing registered any more."""
        tables = (self.publishers, self.subscribers, self.listeners)
        used = any(node in nodes for table in tables for nodes in table.values())
        if not used and all(owner != node for owner, _ in self.services.values()):
            self.nodes.pop(node, None)
        self._forget_types()

    def _forget_types(self) -> None:
        for topic in [topic for topic in self.types if topic not in self.publishers and topic not in self.subscribers]:
            del self.types[topic]

    def _is_full(self) -> bool:
        tables = (self.publishers, self.subscribers, self.listeners)
        links = sum(len(nodes) for table in tables for nodes in table.values())
        return links + len(self.services) + len(self.nodes) >= MOST_REGISTRATIONS

    def _apis(self, nodes: Mapping[str, None]) -> list[str]:
        return [self.nodes[node] for node in nodes]

    def _tell_subscribers(self, topic: str) -> None:
        apis = self._apis(self.publishers.get(topic, {}))
        for node in self.subscribers.get(topic, {}):
            self._calls.append(NodeCall(node, self.nodes[node], "publisherUpdate", (MASTER_NAME, topic, apis)))

    def _register_publisher(self, caller: str, topic: str, kind: str, api: str) -> Answer:
        if self._is_full():
            return refusal(f"this master keeps {MOST_REGISTRATIONS} registrations, and there are as many")
        caller, topic = resolve(caller), resolve(topic)
        self._enter(caller, api)
        self.publishers.setdefault(topic, {})[caller] = None
        if kind != ANY or topic not in self.types:
            self.types[topic] = kind
        self._tell_subscribers(topic)
        return success(f"Registered [{caller}] as publisher of [{topic}]", self._apis(self.subscribers.get(topic, {})))

    def _register_subscriber(self, caller: str, topic: str, kind: str, api: str) -> Answer:
        if self._is_full():
            return refusal(f"this master keeps {MOST_REGISTRATIONS} registrations, and there are as many")
        caller, topic = resolve(caller), resolve(topic)
        self._enter(caller, api)
        self.subscribers.setdefault(topic, {})[caller] = None
        if topic not in self.types and kind != ANY:
            self.types[topic] = kind
        return success(f"Subscribed to [{topic}]", self._apis(self.publishers.get(topic, {})))

    def _unregister_publisher(self, caller: str, topic: str, api: str) -> Answer:
        caller, topic = resolve(caller), resolve(topic)
        if self.nodes.get(caller) != api or caller not in self.publishers.get(topic, {}):
            return success(f"[{caller}] is not a publisher of [{topic}]", 0)
        _remove(self.publishers, topic, caller)
        self._tell_subscribers(topic)
        self._leave(caller)
        return success(f"Unregistered [{caller}] as publisher of [{topic}]", 1)

    def _unregister_subscriber(self, caller: str, topic: str, api: str) -> Answer:
        caller, topic = resolve(caller), resolve(topic)
        if self.nodes.get(caller) != api or caller not in self.subscribers.get(topic, {}):
            return success(f"[{caller}] is not a subscriber of [{topic}]", 0)
        _remove(self.subscribers, topic, caller)
        self._leave(caller)
        return success(f"Unregistered [{caller}] as subscriber of [{topic}]", 1)

    def _register_service(self, caller: str, service: str, uri: str, api: str) -> Answer:
        if self._is_full():
            return refusal(f"this master keeps {MOST_REGISTRATIONS} registrations, and there are as many")
        caller, service = resolve(caller), resolve(service)
        self._enter(caller, api)
        self.services[service] = (caller, uri)
        return success(f"Registered [{caller}] as provider of [{service}]", 1)

    def _unregister_service(self, caller: str, service: str, uri: str) -> Answer:
        caller, service = resolve(caller), resolve(service)
        if self.services.get(service) != (caller, uri):
            return success(f"[{caller}] is not the provider of [{service}]", 0)
        del self.services[service]
        self._leave(caller)
        return success(f"Unregistered [{caller}] as provider of [{service}]", 1)

    # --- questions ---

    def _look_up_service(self, caller: str, service: str) -> Answer:
        found = self.services.get(resolve(service))
        return success(f"rosrpc URI: [{found[1]}]", found[1]) if found else refusal("no provider", "")

    def _look_up_node(self, caller: str, node: str) -> Answer:
        api = self.nodes.get(resolve(node))
        return success("node api", api) if api else refusal(f"unknown node [{node}]", "")

    def _published_topics(self, caller: str, subgraph: str) -> Answer:
        namespace = resolve(subgraph)
        rows = [[topic, self.types[topic]] for topic in self.publishers if within(topic, namespace)]
        return success("current topics", rows)

    def _system_state(self, caller: str) -> Answer:
        tables = [[[name, list(nodes)] for name, nodes in table.items()] for table in (self.publishers, self.subscribers)]
        return success("current system state", [*tables, [[name, [node]] for name, (node, _) in self.services.items()]])

    # --- parameters ---

    def set_parameter(self, key: str, value: Any) -> None:
        """Set a parameter and tell whoever subscribed to it; raise WireError when there is no room."""
        self.parameters.set(key, value)
        self._tell_listeners(key, value)

    def _tell_listeners(self, key: str, value: Any, author: str = "") -> None:
        for wanted, nodes in self.listeners.items():
            if within(key, wanted):
                told, news = f"{key.rstrip('/')}/", value
            elif within(wanted, key):
                told, news = wanted, self.parameters.get(wanted) if self.parameters.has(wanted) else {}
            else:
                continue
            for node in nodes:
                if node != author:
                    self._calls.append(NodeCall(node, self.nodes[node], "paramUpdate", (MASTER_NAME, told, news)))

    def _set_param(self, caller: str, key: str, value: Any) -> Answer:
        key = _key(caller, key)
        try:
            self.parameters.set(key, value)
        except WireError as fault:
            return refusal(str(fault))
        self._tell_listeners(key, value, resolve(caller))
        return success(f"parameter {key} set")

    def _get_param(self, caller: str, key: str) -> Answer:
        key = _key(caller, key)
        try:
            return success(f"Parameter [{key}]", self.parameters.get(key))
        except MissingParameterError:
            return refusal(f"Parameter [{key}] is not set")

    def _has_param(self, caller: str, key: str) -> Answer:
        key = _key(caller, key)
        return success(key, self.parameters.has(key))

    def _delete_param(self, caller: str, key: str) -> Answer:
        key = _key(caller, key)
        try:
            self.parameters.delete(key)
        except MissingParameterError:
            return refusal(f"parameter [{key}] is not set")
        self._tell_listeners(key, {})
        return success(f"parameter {key} deleted")

    def _search_param(self, caller: str, key: str) -> Answer:
        found = self.parameters.search(resolve(caller), key)
        return success(f"Found [{found}]", found) if found else refusal(f"Cannot find parameter [{key}]", "")

    def _subscribe_param(self, caller: str, api: str, key: str) -> Answer:
        if self._is_full():
            return refusal(f"this master keeps {MOST_REGISTRATIONS} registrations, and there are as many")
        key, caller = _key(caller, key), resolve(caller)
        self._enter(caller, api)
        self.listeners.setdefault(key, {})[caller] = None
        value = self.parameters.get(key) if self.parameters.has(key) else {}
        return success(f"Subscribed to parameter [{key}]", value)

    def _unsubscribe_param(self, caller: str, api: str, key: str) -> Answer:
        key, caller = _key(caller, key), resolve(caller)
        if self.nodes.get(caller) != api or caller not in self.listeners.get(key, {}):
            return success(f"[{caller}] is not subscribed to parameter [{key}]", 0)
        _remove(self.listeners, key, caller)
        self._leave(caller)
        return success(f"Unsubscribed from parameter [{key}]", 1)


def _key(caller: str, key: str) -> str:
    """Return the global name of a parameter as a node means it."""
    return resolve(key, resolve(caller).rpartition("/")[0], resolve(caller))


def _remove(table: dict[str, dict[str, None]], name: str, node: str) -> None:
    nodes = table[name]
    del nodes[node]
    if not nodes:
        del table[name]


def _pairs(table: Mapping[str, str]) -> list[list[str]]:
    return [[name, value] for name, value in table.items()]
