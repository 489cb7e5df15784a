"""The one module that knows the foxglove-sdk: a server in threads of its own, channels of bytes, services, parameters."""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mobilesim_py.errors import EmulationError, PortError

NAME = "MobileSim"
BACKLOG = 64
"""Messages that wait for a slow client; of more the oldest are dropped."""
ANSWER_SECONDS = 20.0
"""How long a service may take to answer [s]."""
ENCODINGS = ("cdr", "json")
"""How clients may write what they publish."""
MISSING = (
    "--foxglove needs the foxglove-sdk, which cannot be imported ({why}). "
    "Install it with `pip install 'mobilesim-py[foxglove]'`, or leave --foxglove out: Foxglove connects to --rosbridge, too."
)
MOST_ADVERTISED = 1000
"""Topics that all clients together may say that they publish."""


@dataclass(frozen=True)
class Shape:
    """A type as Foxglove is told of it."""

    name: str
    text: str


class Listener(Protocol):
    """Whoever is told what clients do; in threads of the server, so nothing may be done there but to pass it on."""

    def subscribed(self, topic: str, client: int) -> None:
        """Note that a client subscribed to one of our topics."""

    def unsubscribed(self, topic: str, client: int) -> None:
        """Note that a client does not want a topic any more."""

    def published(self, topic: str, encoding: str, data: bytes, client: int) -> None:
        """Take what a client published."""

    def left(self, client: int) -> None:
        """Note that a client publishes to a topic no more."""

    def parameters(self, names: Sequence[str]) -> dict[str, Any]:
        """Return parameters by name; all if none is named."""

    def set_parameters(self, values: dict[str, Any]) -> None:
        """Set parameters."""


Serve = Callable[[bytes, Callable[[bytes | None, str], None]], None]
"""Takes a request and what takes the response, or None and the reason; called in a thread of the server."""


def check_sdk() -> None:
    """Say what to install where there is no foxglove-sdk; EmulationError."""
    try:
        importlib.import_module("foxglove")
    except ImportError as error:
        raise EmulationError(MISSING.format(why=error)) from None


class FoxgloveServer:
    """A server, open from the moment it is made; PortError if that is impossible."""

    def __init__(self, host: str, port: int, listener: Listener) -> None:
        sdk = importlib.import_module("foxglove")
        # It calls it an error when a client goes away without a word.
        logging.getLogger("foxglove").setLevel(logging.CRITICAL)
        self._sdk = sdk
        self._context = sdk.Context()
        self._channels: dict[str, Any] = {}
        capabilities = [
            sdk.Capability.ClientPublish,
            sdk.Capability.Parameters,
            sdk.Capability.Services,
            sdk.Capability.Time,
        ]
        self._is_closing = threading.Event()
        try:
            self._server = sdk.start_server(
                name=NAME,
                host=host,
                port=port,
                capabilities=capabilities,
                supported_encodings=list(ENCODINGS),
                server_listener=_Ears(sdk, listener),
                context=self._context,
                message_backlog_size=BACKLOG,
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise PortError(
                f"Cannot open TCP port {port} on {host} for Foxglove: {error}. Choose another: --foxglove PORT."
            ) from None
        self.port: int = self._server.port

    def add(self, topic: str, shape: Shape) -> None:
        """Offer a topic of ours, whose messages are CDR."""
        schema = self._sdk.Schema(name=shape.name, encoding="ros2msg", data=shape.text.encode())
        self._channels[topic] = self._sdk.Channel(topic, schema=schema, message_encoding="cdr", context=self._context)

    def remove(self, topic: str) -> None:
        """Take a topic back."""
        self._channels.pop(topic).close()

    def log(self, topic: str, data: bytes, nanoseconds: int) -> None:
        """Send a message to whoever subscribed."""
        self._channels[topic].log(data, log_time=nanoseconds)

    def offer(self, service: str, kind: str, request: Shape, response: Shape, serve: Serve) -> None:
        """Offer a service, whose requests and responses are CDR."""

        def message(shape: Shape) -> Any:
            schema = self._sdk.Schema(name=shape.name, encoding="ros2msg", data=shape.text.encode())
            return self._sdk.MessageSchema(encoding="cdr", schema=schema)

        def handle(call: Any) -> bytes:
            answers: list[tuple[bytes | None, str]] = []
            answered = threading.Event()

            def answer(data: bytes | None, why: str) -> None:
                answers.append((data, why))
                answered.set()

            serve(call.payload, answer)
            waited = 0.0
            while not answered.wait(0.1) and waited < ANSWER_SECONDS and not self._is_closing.is_set():
                waited += 0.1
            data, why = answers[0] if answers else (None, "no answer came in time")
            if data is None:
                raise ServiceError(why)
            return data

        schema = self._sdk.ServiceSchema(kind, request=message(request), response=message(response))
        self._server.add_services([self._sdk.Service(service, schema=schema, handler=handle)])

    def withdraw(self, service: str) -> None:
        """Take a service back."""
        self._server.remove_services([service])

    def tell_time(self, nanoseconds: int) -> None:
        """Tell simulated time."""
        self._server.broadcast_time(nanoseconds)

    def close(self) -> None:
        """Hang up on everybody."""
        self._is_closing.set()
        self._server.stop()
        for topic in list(self._channels):
            self.remove(topic)


class ServiceError(Exception):
    """Why a service did not do what was asked; its client reads it."""


class _Ears:
    """What the SDK calls, in its words."""

    def __init__(self, sdk: Any, listener: Listener) -> None:
        self._sdk = sdk
        self._listener = listener
        self._advertised: dict[tuple[int, int], tuple[str, str]] = {}

    def on_subscribe(self, client: Any, channel: Any) -> None:
        self._listener.subscribed(channel.topic, client.id)

    def on_unsubscribe(self, client: Any, channel: Any) -> None:
        self._listener.unsubscribed(channel.topic, client.id)

    def on_client_advertise(self, client: Any, channel: Any) -> None:
        topic = channel.topic if channel.topic.startswith("/") else f"/{channel.topic}"
        if len(self._advertised) < MOST_ADVERTISED:
            self._advertised[client.id, channel.id] = (topic, channel.encoding)

    def on_client_unadvertise(self, client: Any, client_channel_id: int) -> None:
        if self._advertised.pop((client.id, client_channel_id), None) is not None:
            self._listener.left(client.id)

    def on_message_data(self, client: Any, client_channel_id: int, data: bytes) -> None:
        known = self._advertised.get((client.id, client_channel_id))
        if known is not None:
            self._listener.published(*known, data, client.id)

    def on_get_parameters(self, client: Any, param_names: list[str], request_id: str | None = None) -> list[Any]:
        return self._as_parameters(self._listener.parameters(param_names))

    def on_set_parameters(self, client: Any, parameters: list[Any], request_id: str | None = None) -> list[Any]:
        values = {parameter.name: parameter.get_value() for parameter in parameters}
        self._listener.set_parameters(values)
        return parameters

    def on_parameters_subscribe(self, param_names: list[str]) -> None:
        """Do nothing: what one client sets the server tells the others."""

    def on_parameters_unsubscribe(self, param_names: list[str]) -> None:
        """Do nothing."""

    def on_connection_graph_subscribe(self) -> None:
        """Do nothing."""

    def on_connection_graph_unsubscribe(self) -> None:
        """Do nothing."""

    def _as_parameters(self, values: dict[str, Any]) -> list[Any]:
        return [self._sdk.Parameter(name, value=value) for name, value in values.items()]
