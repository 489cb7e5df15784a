"""The services of rosapi: what web clients ask about the graph. One table; each answer is a function of the graph.

kind = table.service(ROSAPI["/rosapi/topics"].type)
response = answer("/rosapi/topics", graph, request)         a message of that service's response
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from mobilesim_py.protocols.ros.errors import RosError, UnknownTypeError, WireError
from mobilesim_py.protocols.ros.interfaces import Interfaces
from mobilesim_py.protocols.ros.names import resolve
from mobilesim_py.protocols.ros.rows import full_name, spelled_type
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.rosbridge.type_details import type_definitions


class ParameterStore(Protocol):
    """Parameters by global name. A missing one is a KeyError."""

    def get(self, key: str) -> Any:
        """Return a parameter."""

    def set(self, key: str, value: Any) -> None:
        """Set a parameter."""

    def has(self, key: str) -> bool:
        """Return whether a parameter is set."""

    def delete(self, key: str) -> None:
        """Delete a parameter."""

    def names(self) -> list[str]:
        """Return all names."""

    def search(self, namespace: str, key: str) -> str | None:
        """Return the name that is found going upwards."""


@dataclass
class TopicFacts:
    """A topic: its type as ROS 1 writes it, and the nodes at both ends."""

    type: str
    publishers: list[str] = field(default_factory=list)
    subscribers: list[str] = field(default_factory=list)


@dataclass
class ServiceFacts:
    """A service: its type as ROS 1 writes it, the node that answers, and the host that it lives on."""

    type: str
    node: str
    host: str = ""


@dataclass
class Graph:
    """All that rosapi tells about."""

    table: Interfaces
    parameters: ParameterStore
    topics: Mapping[str, TopicFacts] = field(default_factory=dict)
    services: Mapping[str, ServiceFacts] = field(default_factory=dict)
    actions: Iterable[str] = ()
    now: Time = field(default_factory=Time)
    distro: str = "noetic"

    def spelled(self, name: str, kind: str = "msg") -> str:
        """Return the name of a type as the clients of this server write it."""
        return spelled_type(name, self.table.dialect, kind)

    def nodes(self) -> list[str]:
        """Return all nodes, in the order of the alphabet."""
        names = {service.node for service in self.services.values()}
        for topic in self.topics.values():
            names.update(topic.publishers, topic.subscribers)
        return sorted(names)


def _topics(graph: Graph, request: Message) -> Message:
    return {"topics": list(graph.topics), "types": [graph.spelled(topic.type) for topic in graph.topics.values()]}


def _topics_and_raw_types(graph: Graph, request: Message) -> Message:
    return {
        **_topics(graph, request),
        "typedefs_full_text": [_full_text(graph, topic.type) for topic in graph.topics.values()],
    }


def _full_text(graph: Graph, name: str) -> str:
    try:
        return graph.table.message(name).full_text
    except UnknownTypeError:
        return ""


def _topics_for_type(graph: Graph, request: Message) -> Message:
    wanted = _type_asked(request)
    return {"topics": [name for name, topic in graph.topics.items() if topic.type == wanted]}


def _services_for_type(graph: Graph, request: Message) -> Message:
    wanted = _type_asked(request)
    return {"services": [name for name, service in graph.services.items() if service.type == wanted]}


def _type_asked(request: Message) -> str:
    try:
        return full_name(request["type"])
    except UnknownTypeError:
        return ""


def _topic_type(graph: Graph, request: Message) -> Message:
    topic = graph.topics.get(resolve(request["topic"]))
    return {"type": graph.spelled(topic.type) if topic else ""}


def _service_type(graph: Graph, request: Message) -> Message:
    service = graph.services.get(resolve(request["service"]))
    return {"type": graph.spelled(service.type, "srv") if service else ""}


def _service_node(graph: Graph, request: Message) -> Message:
    service = graph.services.get(resolve(request["service"]))
    return {"node": service.node if service else ""}


def _service_host(graph: Graph, request: Message) -> Message:
    service = graph.services.get(resolve(request["service"]))
    return {"host": service.host if service else ""}


def _service_providers(graph: Graph, request: Message) -> Message:
    """Return the nodes that answer a service, or (as the original does) any service of a type."""
    asked = request["service"]
    by_name = graph.services.get(resolve(asked))
    if by_name is not None:
        return {"providers": [by_name.node]}
    return {"providers": sorted({service.node for service in graph.services.values() if service.type == asked})}


def _node_details(graph: Graph, request: Message) -> Message:
    node = resolve(request["node"])
    return {
        "subscribing": [name for name, topic in graph.topics.items() if node in topic.subscribers],
        "publishing": [name for name, topic in graph.topics.items() if node in topic.publishers],
        "services": [name for name, service in graph.services.items() if service.node == node],
    }


def _publishers(graph: Graph, request: Message) -> Message:
    topic = graph.topics.get(resolve(request["topic"]))
    return {"publishers": list(topic.publishers) if topic else []}


def _subscribers(graph: Graph, request: Message) -> Message:
    topic = graph.topics.get(resolve(request["topic"]))
    return {"subscribers": list(topic.subscribers) if topic else []}


def _get_param(graph: Graph, request: Message) -> Message:
    name = resolve(request["name"])
    if graph.parameters.has(name):
        return {"value": json.dumps(graph.parameters.get(name), default=str)}
    default = request.get("default", request.get("default_value", ""))
    return {"value": json.dumps(_json_or_text(default)) if default else "null"}


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _set_param(graph: Graph, request: Message) -> Message:
    try:
        value = json.loads(request["value"])
    except (ValueError, RecursionError):
        raise WireError('set_param needs a value that is JSON in a text: "1.5", "true", "\\"text\\""') from None
    graph.parameters.set(resolve(request["name"]), value)
    return {}


def _delete_param(graph: Graph, request: Message) -> Message:
    name = resolve(request["name"])
    if graph.parameters.has(name):
        graph.parameters.delete(name)
    return {}


def _message_details(graph: Graph, request: Message) -> Message:
    kind = graph.table.message(request["type"])
    return type_definitions(kind, kind.name, graph.table)


def _request_details(graph: Graph, request: Message) -> Message:
    kind = graph.table.service(request["type"])
    return type_definitions(kind.request, f"{kind.name}Request", graph.table)


def _response_details(graph: Graph, request: Message) -> Message:
    kind = graph.table.service(request["type"])
    return type_definitions(kind.response, f"{kind.name}Response", graph.table)


@dataclass(frozen=True)
class Api:
    """One service: its type, and its answer to a request about a graph."""

    type: str
    answer: Callable[[Graph, Message], Message]


ROSAPI: Mapping[str, Api] = {
    "/rosapi/action_servers": Api("rosapi/GetActionServers", lambda graph, request: {"action_servers": list(graph.actions)}),
    "/rosapi/delete_param": Api("rosapi/DeleteParam", _delete_param),
    "/rosapi/get_param": Api("rosapi/GetParam", _get_param),
    "/rosapi/get_param_names": Api("rosapi/GetParamNames", lambda graph, request: {"names": graph.parameters.names()}),
    "/rosapi/get_ros_version": Api(
        "rosapi/GetROSVersion", lambda graph, request: {"version": graph.table.dialect.value, "distro": graph.distro}
    ),
    "/rosapi/get_time": Api("rosapi/GetTime", lambda graph, request: {"time": graph.now}),
    "/rosapi/has_param": Api(
        "rosapi/HasParam", lambda graph, request: {"exists": graph.parameters.has(resolve(request["name"]))}
    ),
    "/rosapi/message_details": Api("rosapi/MessageDetails", _message_details),
    "/rosapi/node_details": Api("rosapi/NodeDetails", _node_details),
    "/rosapi/nodes": Api("rosapi/Nodes", lambda graph, request: {"nodes": graph.nodes()}),
    "/rosapi/publishers": Api("rosapi/Publishers", _publishers),
    "/rosapi/search_param": Api(
        "rosapi/SearchParam", lambda graph, request: {"global_name": graph.parameters.search("/", request["name"]) or ""}
    ),
    "/rosapi/service_host": Api("rosapi/ServiceHost", _service_host),
    "/rosapi/service_node": Api("rosapi/ServiceNode", _service_node),
    "/rosapi/service_providers": Api("rosapi/ServiceProviders", _service_providers),
    "/rosapi/service_request_details": Api("rosapi/ServiceRequestDetails", _request_details),
    "/rosapi/service_response_details": Api("rosapi/ServiceResponseDetails", _response_details),
    "/rosapi/service_type": Api("rosapi/ServiceType", _service_type),
    "/rosapi/services": Api("rosapi/Services", lambda graph, request: {"services": list(graph.services)}),
    "/rosapi/services_for_type": Api("rosapi/ServicesForType", _services_for_type),
    "/rosapi/set_param": Api("rosapi/SetParam", _set_param),
    "/rosapi/subscribers": Api("rosapi/Subscribers", _subscribers),
    "/rosapi/topic_type": Api("rosapi/TopicType", _topic_type),
    "/rosapi/topics": Api("rosapi/Topics", _topics),
    "/rosapi/topics_and_raw_types": Api("rosapi/TopicsAndRawTypes", _topics_and_raw_types),
    "/rosapi/topics_for_type": Api("rosapi/TopicsForType", _topics_for_type),
}


def answer(service: str, graph: Graph, request: Message) -> Message:
    """Return the response of a service of rosapi; raise RosError where it cannot be given."""
    api = ROSAPI.get(service)
    if api is None:
        raise RosError(f"Service {service[:200]} does not exist")
    return api.answer(graph, request)
