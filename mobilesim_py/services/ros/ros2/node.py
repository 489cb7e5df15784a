# mypy: disable-error-code="no-any-return, misc"
"""The one module that knows rclpy: a node whose thread hands over what comes in, and sends bytes that are made already."""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Callable
from enum import Enum
from typing import Any, Protocol

from mobilesim_py.errors import EmulationError

NAME = "mobilesim"
DEPTH = 10
"""Messages that wait for a slow reader."""
ANSWER_SECONDS = 20.0
"""How long a service may take to answer [s]."""
JOIN_SECONDS = 5.0
MISSING = (
    "--ros2 needs rclpy, the Python library of ROS 2, which cannot be imported ({why}). "
    "Source a ROS 2 installation for Python {python} (`source /opt/ros/jazzy/setup.bash`) before the start, "
    "or leave --ros2 out: --rosbridge and --ros1 need no ROS."
)


class Quality(Enum):
    """How reliably a topic is carried (QoS)."""

    RELIABLE = "reliable"
    LATCHED = "latched"
    """The last message is kept for those who come later."""
    BEST_EFFORT = "best effort"
    """Of reliable and of other publishers."""


class Publisher(Protocol):
    """A topic that goes out."""

    def publish(self, data: bytes) -> None:
        """Send a serialised message."""

    def get_subscription_count(self) -> int:
        """Return how many subscribers there are."""


Serve = Callable[[bytes, Callable[[bytes], None]], None]
"""Takes a serialised request and what takes the serialised response; called in the node's thread."""


class Node(Protocol):
    """What the carrier needs of a node."""

    def publisher(self, topic: str, kind: str, quality: Quality) -> Publisher | None:
        """Return a publisher; None if the type is not installed."""

    def subscribe(self, topic: str, kind: str, quality: Quality, take: Callable[[bytes], None]) -> object | None:
        """Let serialised messages of a topic be taken, in the node's thread; None if the type is not installed."""

    def offer(self, service: str, kind: str, serve: Serve) -> object | None:
        """Offer a service; None if the type is not installed."""

    def drop(self, thing: object) -> None:
        """Destroy a publisher, a subscription or a service."""

    def close(self) -> None:
        """End the node and its thread."""


def check_rclpy() -> None:
    """Say what to install where there is no rclpy; EmulationError."""
    import platform

    try:
        importlib.import_module("rclpy")
    except ImportError as error:
        raise EmulationError(MISSING.format(why=error, python=platform.python_version())) from None


class RclpyNode:
    """A node of rclpy, in a context of its own, with an executor in a thread."""

    def __init__(self) -> None:
        rclpy = importlib.import_module("rclpy")
        executors = importlib.import_module("rclpy.executors")
        signals = importlib.import_module("rclpy.signals")
        self._rclpy = rclpy
        self._qos = importlib.import_module("rclpy.qos")
        self._serialisation = importlib.import_module("rclpy.serialization")
        self._context = rclpy.Context()
        rclpy.init(args=[], context=self._context, signal_handler_options=signals.SignalHandlerOptions.NO)
        self._node = rclpy.create_node(NAME, context=self._context, enable_rosout=False)
        self._executor = executors.SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._is_closing = threading.Event()
        self._thread = threading.Thread(target=self._spin, name="rclpy", daemon=True)
        self._thread.start()

    def _spin(self) -> None:
        ended = importlib.import_module("rclpy.executors").ExternalShutdownException
        while not self._is_closing.is_set():
            try:
                self._executor.spin_once(timeout_sec=0.2)
            except ended:
                return

    def _profile(self, quality: Quality) -> Any:
        qos = self._qos
        best_effort = quality is Quality.BEST_EFFORT
        latched = quality is Quality.LATCHED
        reliability, durability = qos.ReliabilityPolicy, qos.DurabilityPolicy
        return qos.QoSProfile(
            depth=1 if latched else DEPTH,
            reliability=reliability.BEST_EFFORT if best_effort else reliability.RELIABLE,
            durability=durability.TRANSIENT_LOCAL if latched else durability.VOLATILE,
        )

    def publisher(self, topic: str, kind: str, quality: Quality) -> Publisher | None:
        """Return a publisher; None if the type is not installed."""
        found = _type(kind, "msg")
        return self._node.create_publisher(found, topic, self._profile(quality)) if found is not None else None

    def subscribe(self, topic: str, kind: str, quality: Quality, take: Callable[[bytes], None]) -> object | None:
        """Let serialised messages of a topic be taken, in the node's thread; None if the type is not installed."""
        found = _type(kind, "msg")
        if found is None:
            return None
        return self._node.create_subscription(found, topic, take, self._profile(quality), raw=True)

    def offer(self, service: str, kind: str, serve: Serve) -> object | None:
        """Offer a service; None if the type is not installed."""
        found = _type(kind, "srv")
        if found is None:
            return None

        def obey(request: Any, response: Any) -> Any:
            answers: list[bytes] = []
            answered = threading.Event()

            def answer(data: bytes) -> None:
                answers.append(data)
                answered.set()

            serve(self._serialisation.serialize_message(request), answer)
            waited = 0.0
            while not answered.wait(0.1) and waited < ANSWER_SECONDS and not self._is_closing.is_set():
                waited += 0.1
            return self._serialisation.deserialize_message(answers[0], found.Response) if answers else response

        return self._node.create_service(found, service, obey)

    def drop(self, thing: object) -> None:
        """Destroy a publisher, a subscription or a service."""
        for destroy in (self._node.destroy_publisher, self._node.destroy_subscription, self._node.destroy_service):
            if destroy(thing):
                return

    def close(self) -> None:
        """End the node and its thread; without waiting for the thread the process would end with an error."""
        self._is_closing.set()
        self._executor.wake()
        self._thread.join(JOIN_SECONDS)
        self._executor.shutdown(timeout_sec=JOIN_SECONDS)
        self._node.destroy_node()
        self._rclpy.try_shutdown(context=self._context)


def _type(kind: str, folder: str) -> Any:
    """Return the class of a type such as `nav_msgs/Odometry`; None if its package is not installed."""
    package, _, name = kind.partition("/")
    try:
        return getattr(importlib.import_module(f"{package}.{folder}"), name)
    except (ImportError, AttributeError):
        return None
