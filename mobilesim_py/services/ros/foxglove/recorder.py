"""Everything that robots say, written to an MCAP file, which Foxglove opens: channels of a live view without a server."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Collection
from typing import Any

from mobilesim_py.errors import UsageError
from mobilesim_py.services.ros.foxglove.carrier import FoxgloveCarrier
from mobilesim_py.services.ros.foxglove.server import Serve, Shape, check_sdk
from mobilesim_py.services.service import ClientFacts, Stage

TOO_LARGE = frozenset({"sensor_msgs/Image", "sensor_msgs/CompressedImage"})
"""Types of topics that are not recorded: pictures would be most of the file."""


class McapFile:
    """A `Server` whose one client is a file; an older file of the name is replaced. UsageError if it cannot be written."""

    port = 0

    def __init__(self, path: str) -> None:
        sdk = importlib.import_module("foxglove")
        logging.getLogger("foxglove").setLevel(logging.CRITICAL)
        self._sdk = sdk
        self._context = sdk.Context()
        self._channels: dict[str, Any] = {}
        try:
            self._writer = sdk.open_mcap(path, allow_overwrite=True, context=self._context)
        except (OSError, RuntimeError, ValueError) as error:
            raise UsageError(f"--mcap {path}: the file cannot be written: {error}.") from None

    def add(self, topic: str, shape: Shape) -> None:
        """Offer a topic."""
        schema = self._sdk.Schema(name=shape.name, encoding="ros2msg", data=shape.text.encode())
        self._channels[topic] = self._sdk.Channel(topic, schema=schema, message_encoding="cdr", context=self._context)

    def remove(self, topic: str) -> None:
        """Take a topic back."""
        self._channels.pop(topic).close()

    def log(self, topic: str, data: bytes, nanoseconds: int) -> None:
        """Write a message."""
        self._channels[topic].log(data, log_time=nanoseconds)

    def offer(self, service: str, kind: str, request: Shape, response: Shape, serve: Serve) -> None:
        """Do nothing: a file calls no services."""

    def withdraw(self, service: str) -> None:
        """Do nothing."""

    def tell_time(self, nanoseconds: int) -> None:
        """Do nothing: every message has its time."""

    def close(self) -> None:
        """Write what is still to be written, and end the file."""
        self._writer.close()
        for topic in list(self._channels):
            self.remove(topic)


class McapCarrier(FoxgloveCarrier):
    """The carrier to a file: it wants everything, and nobody answers."""

    name = "MCAP"

    def __init__(self, stage: Stage, path: str) -> None:
        """Look whether there is an SDK, EmulationError; the file is opened with the doors."""
        check_sdk()
        super().__init__(stage, 0, make_server=lambda host, port, listener: McapFile(path))
        self._path = path

    def announce(self) -> None:
        """Say where it is recorded."""
        self._stage.log.info(f"MCAP: Recording to {self._path}.")

    def graph_changed(self) -> None:
        """Record what is new, and what it said last if it is latched."""
        if self._server is None:
            return
        known = set(self._topics)
        super().graph_changed()
        for name in self._topics.keys() - known:
            topic = self._topics[name]
            message = self.hub.latched(name) if topic.latched else None
            if message is not None:
                self.publish(topic, message, self.hub.now())
        self.hub.wishes_changed()

    def wanted(self) -> Collection[str]:
        """Return all topics but pictures."""
        return [name for name, topic in self._topics.items() if topic.type not in TOO_LARGE]

    def is_busy(self) -> bool:
        """Return False: a file waits for nothing."""
        return False

    def clients(self) -> list[ClientFacts]:
        """Return nobody."""
        return []
