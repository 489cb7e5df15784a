"""The client's end: what a program says to a rosbridge server, ours or the original one.

    client = ClientSession()
    client.subscribe("/odom", "nav_msgs/Odometry", compression="cbor")
    client.advertise("/cmd_vel", "geometry_msgs/Twist")
    client.publish("/cmd_vel", {"linear": {"x": 0.2}})
    client.call("/rosapi/topics")               then `ServiceResponded` with the same id

Messages are plain: what JSON and CBOR can hold. `MessageType.to_json` and `fill` lead from messages there and back.
"""

from __future__ import annotations

from typing import Any

from mobilesim_py.protocols.ros import cbor
from mobilesim_py.protocols.ros.names import resolve
from mobilesim_py.protocols.rosbridge import events
from mobilesim_py.protocols.rosbridge.events import GoalReceived, Id, ServiceCalled
from mobilesim_py.protocols.rosbridge.operations import Fields
from mobilesim_py.protocols.rosbridge.session import Limits, Session


class ClientSession(Session):
    """One connection to a server."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(limits)
        self._handlers = {
            "publish": self._on_publish, "service_response": self._on_response, "call_service": self._on_call,
            "status": self._on_status, "action_feedback": self._on_feedback, "action_result": self._on_result,
            "send_action_goal": self._on_goal, "cancel_action_goal": self._on_cancel,
        }  # fmt: skip

    def _number(self, op: str, name: str) -> str:
        return f"{op}:{name}:{next(self._numbers)}"

    def subscribe(
        self,
        topic: str,
        kind: str = "",
        compression: str = "none",
        throttle_ms: int = 0,
        queue_length: int = 0,
        fragment_size: int | None = None,
    ) -> Id:
        """Ask for a topic; return the id of the subscription."""
        number = self._number("subscribe", topic)
        fields = {
            "id": number, "type": kind or None, "topic": topic, "compression": compression, "throttle_rate": throttle_ms,
            "queue_length": queue_length, "fragment_size": fragment_size,
        }  # fmt: skip
        self._send("subscribe", fields)
        return number

    def unsubscribe(self, topic: str, number: Id = None) -> None:
        """Take a subscription back, or all to a topic."""
        self._send("unsubscribe", {"id": number, "topic": topic})

    def advertise(self, topic: str, kind: str, latch: bool = False) -> Id:
        """Say that messages will come."""
        number = self._number("advertise", topic)
        self._send("advertise", {"id": number, "type": kind, "topic": topic, "latch": latch})
        return number

    def unadvertise(self, topic: str) -> None:
        """Say that no more messages will come."""
        self._send("unadvertise", {"topic": topic})

    def publish(self, topic: str, message: Any) -> None:
        """Send a message."""
        self._send("publish", {"topic": topic, "msg": message})

    def publish_cbor(self, topic: str, message: Any) -> None:
        """Send a message in CBOR, which servers of ours understand; arrays may be NumPy arrays."""
        self._put(cbor.encode({"op": "publish", "topic": topic, "msg": message}))

    def call(self, service: str, arguments: Any = None, compression: str = "none", fragment_size: int | None = None) -> Id:
        """Call a service; return the id of the call."""
        number = self._number("call_service", service)
        wish = None if compression == "none" else compression
        fields = {"id": number, "service": service, "args": {} if arguments is None else arguments}
        self._send("call_service", fields | {"compression": wish, "fragment_size": fragment_size})
        return number

    def advertise_service(self, service: str, kind: str) -> None:
        """Say that calls of a service will be answered."""
        self._send("advertise_service", {"type": kind, "service": service})

    def unadvertise_service(self, service: str) -> None:
        """Say that calls will be answered no more."""
        self._send("unadvertise_service", {"service": service})

    def respond(self, call: ServiceCalled, values: Any, ok: bool = True) -> None:
        """Answer a call of the server."""
        self._send("service_response", {"service": call.spelled, "values": values, "result": ok, "id": call.id})

    def send_goal(self, action: str, kind: str, arguments: Any, feedback: bool = True) -> Id:
        """Give a goal to an action; return its id."""
        number = self._number("send_action_goal", action)
        fields = {"id": number, "action": action, "action_type": kind, "args": arguments, "feedback": feedback}
        self._send("send_action_goal", fields)
        return number

    def cancel_goal(self, action: str, number: Id) -> None:
        """Take a goal back."""
        self._send("cancel_action_goal", {"id": number, "action": action})

    def advertise_action(self, action: str, kind: str) -> None:
        """Say that goals of an action will be pursued."""
        self._send("advertise_action", {"type": kind, "action": action})

    def unadvertise_action(self, action: str) -> None:
        """Say that goals will be pursued no more."""
        self._send("unadvertise_action", {"action": action})

    def feedback(self, goal: GoalReceived, values: Any) -> None:
        """Tell the server how its goal is getting on."""
        self._send("action_feedback", {"id": goal.id, "action": goal.spelled, "values": values})

    def finish(self, goal: GoalReceived, values: Any, status: int, ok: bool = True) -> None:
        """Tell the server how its goal ended."""
        fields = {"id": goal.id, "action": goal.spelled, "values": values, "status": status, "result": ok}
        self._send("action_result", fields)

    def set_level(self, level: str) -> None:
        """Ask for status words: none, error, warning or info."""
        self._send("set_level", {"level": level})

    def authenticate(self, **fields: Any) -> None:
        """Say who we are."""
        self._send("auth", fields)

    # --- operations ---

    def _on_publish(self, fields: Fields) -> None:
        self._emit(events.Published(resolve(fields["topic"]), "", fields["msg"], fields["id"]))

    def _on_response(self, fields: Fields) -> None:
        self._emit(
            events.ServiceResponded(resolve(fields["service"]), fields["values"], fields["result"], fields["id"])
        )  # fmt: skip

    def _on_call(self, fields: Fields) -> None:
        name = fields["service"]
        self._emit(ServiceCalled(resolve(name), fields["args"], fields["type"], fields["id"], name))

    def _on_status(self, fields: Fields) -> None:
        self._emit(events.StatusReceived(fields["level"], fields["msg"], fields["id"]))

    def _on_feedback(self, fields: Fields) -> None:
        self._emit(events.FeedbackReceived(resolve(fields["action"]), fields["values"], fields["id"]))

    def _on_result(self, fields: Fields) -> None:
        action = resolve(fields["action"])
        self._emit(events.ResultReceived(action, fields["values"], fields["status"], fields["result"], fields["id"]))

    def _on_goal(self, fields: Fields) -> None:
        name = fields["action"]
        goal = GoalReceived(resolve(name), fields["action_type"], fields["args"], fields["feedback"], fields["id"], name)
        self._emit(goal)

    def _on_cancel(self, fields: Fields) -> None:
        self._emit(events.GoalCancelled(resolve(fields["action"]), fields["id"]))
