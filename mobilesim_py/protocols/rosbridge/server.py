"""The server's end: a client subscribes, publishes, calls, answers, has goals. Nothing here knows what a topic holds.

    session = ServerSession(table)
    session.publish(publication)            a message for whoever subscribed; then ask `data_to_send` while the line has room
    session.respond(call, kind, message)    session.refuse(call, why)
    session.call(service, arguments)        of a service that the client advertised
    session.feedback(...)                   session.finish(...)         of a goal of the client
    session.report(level, text)             a status, if the client asked for such

The level of status starts at "none": the original server sends none for any mistake, and some clients trip over it.
"""

from __future__ import annotations

import math
from typing import Any

from mobilesim_py.protocols.ros.errors import MessageError, WireError
from mobilesim_py.protocols.ros.interfaces import ActionType, Interfaces, MessageType, ServiceType
from mobilesim_py.protocols.ros.names import resolve
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.rosbridge import events
from mobilesim_py.protocols.rosbridge.encoding import Frame
from mobilesim_py.protocols.rosbridge.events import GoalReceived, Id, ServiceCalled
from mobilesim_py.protocols.rosbridge.operations import COMPRESSIONS, LEVELS, Fields
from mobilesim_py.protocols.rosbridge.publication import Publication
from mobilesim_py.protocols.rosbridge.session import Limits, Session
from mobilesim_py.protocols.rosbridge.stream import Stream, Subscription


class ServerSession(Session):
    """One client."""

    def __init__(self, table: Interfaces, limits: Limits | None = None) -> None:
        super().__init__(limits)
        self.table = table
        self.level = "none"
        self.streams: dict[str, Stream] = {}
        self._filled: dict[str, Stream] = {}  # those of the streams in which something waits
        self.advertised: dict[str, str] = {}  # type by topic
        self.services: dict[str, str] = {}  # type by service that the client answers
        self.actions: dict[str, str] = {}
        self._open_calls = 0  # of the client, not answered yet
        self._own_calls: dict[Id, str] = {}  # service by the id of our call
        self._own_goals: dict[Id, str] = {}
        self._handlers = {
            "advertise": self._on_advertise, "unadvertise": self._on_unadvertise, "publish": self._on_publish,
            "subscribe": self._on_subscribe, "unsubscribe": self._on_unsubscribe,
            "call_service": self._on_call, "service_response": self._on_response,
            "advertise_service": self._on_advertise_service, "unadvertise_service": self._on_unadvertise_service,
            "send_action_goal": self._on_goal, "cancel_action_goal": self._on_cancel,
            "advertise_action": self._on_advertise_action, "unadvertise_action": self._on_unadvertise_action,
            "action_feedback": self._on_feedback, "action_result": self._on_result,
            "set_level": self._on_level, "auth": self._on_auth,
        }  # fmt: skip

    # --- topics out ---

    def wants(self, topic: str) -> bool:
        """Return whether the client subscribed to a topic."""
        return topic in self.streams

    def publish(self, publication: Publication) -> None:
        """Let a message wait for the client, if it subscribed to its topic."""
        stream = self.streams.get(publication.topic)
        if stream is not None:
            stream.put(publication)
            self._filled[publication.topic] = stream

    def data_to_send(self, now: float) -> list[Frame]:
        """Return the frames that shall go out at the time `now` [s], once: answers, then what topics may send."""
        frames = super().data_to_send(now)
        for topic, stream in list(self._filled.items()):
            wish = stream.effective
            for publication in stream.take(now):
                frames += self._cut(publication.form(wish.compression), wish.fragment_size)
            if stream.is_empty:
                del self._filled[topic]
        return frames

    def next_due(self) -> float:
        """Return when `data_to_send` should be asked again because a throttled message may go [s]."""
        return min((stream.due for stream in self._filled.values()), default=math.inf)

    def drop_topic(self, topic: str) -> None:
        """Forget a subscription that cannot be served."""
        self.streams.pop(topic, None)
        self._filled.pop(topic, None)

    # --- answers ---

    def respond(self, call: ServiceCalled, kind: ServiceType, message: Message) -> None:
        """Answer a call with a response."""
        self._answer(call, kind.response.to_json(message), True)

    def refuse(self, call: ServiceCalled, why: str) -> None:
        """Answer a call with the reason why it cannot be served."""
        self._answer(call, why, False)

    def _answer(self, call: ServiceCalled, values: Any, ok: bool) -> None:
        self._open_calls = max(0, self._open_calls - 1)
        fields = {"service": call.spelled or call.service, "values": values, "result": ok, "id": call.id}
        self._send("service_response", fields, call.compression, call.fragment_size)

    def call(self, service: str, kind: ServiceType, message: Message) -> Id:
        """Call a service that the client advertised; return the id under which `ServiceResponded` will come."""
        number = f"service_request:{service}:{next(self._numbers)}"
        self._keep(self._own_calls, number, service, self.limits.pending)
        self._send("call_service", {"id": number, "service": service, "args": kind.request.to_json(message)})
        return number

    def feedback(self, goal: GoalReceived, kind: ActionType, message: Message) -> None:
        """Tell the client how its goal is getting on, if it wants to know."""
        if goal.feedback:
            fields = {"id": goal.id, "action": goal.spelled or goal.action, "values": kind.feedback.to_json(message)}
            self._send("action_feedback", fields)

    def finish(self, goal: GoalReceived, kind: ActionType, message: Message, status: int, ok: bool = True) -> None:
        """Tell the client how its goal ended; `status` is that of action_msgs: 4 succeeded, 5 cancelled, 6 aborted."""
        values = kind.result.to_json(message)
        self._finish(goal, values, status, ok)

    def refuse_goal(self, goal: GoalReceived, why: str) -> None:
        """Tell the client that its goal is not pursued."""
        self._finish(goal, why, 6, False)

    def _finish(self, goal: GoalReceived, values: Any, status: int, ok: bool) -> None:
        fields = {"id": goal.id, "action": goal.spelled or goal.action, "values": values, "status": status, "result": ok}
        self._send("action_result", fields)

    def send_goal(self, action: str, kind: ActionType, message: Message) -> Id:
        """Give a goal to an action that the client advertised; return its id."""
        number = f"action_goal:{action}:{next(self._numbers)}"
        self._keep(self._own_goals, number, action, self.limits.pending)
        arguments = kind.goal.to_json(message)
        fields = {"id": number, "action": action, "action_type": kind.spelled, "args": arguments, "feedback": True}
        self._send("send_action_goal", fields)
        return number

    def cancel_goal(self, number: Id) -> None:
        """Take a goal of ours back; its result still comes."""
        if number in self._own_goals:
            self._send("cancel_action_goal", {"id": number, "action": self._own_goals[number]})

    def report(self, level: str, text: str, number: Id = None) -> None:
        """Send a status, if the client asked for such of this level."""
        if LEVELS.index(level) <= LEVELS.index(self.level):
            self._send("status", {"level": level, "msg": text, "id": number})

    def _mistake(self, text: str, number: Id) -> None:
        super()._mistake(text, number)
        self.report("error", text, number)

    # --- operations ---

    def _on_advertise(self, fields: Fields) -> None:
        topic = resolve(fields["topic"])
        self._keep(self.advertised, topic, self.table.message(fields["type"]).name, self.limits.names)
        self._emit(events.Advertised(topic, fields["type"], fields["latch"], fields["id"]))

    def _on_unadvertise(self, fields: Fields) -> None:
        topic = resolve(fields["topic"])
        if self.advertised.pop(topic, None) is None:
            self.report("warning", f"{topic} was not advertised", fields["id"])
            return
        self._emit(events.Unadvertised(topic, fields["id"]))

    def _on_publish(self, fields: Fields) -> None:
        topic = resolve(fields["topic"])
        message = {} if fields["msg"] is None else fields["msg"]
        self._emit(events.Published(topic, self.advertised.get(topic, ""), message, fields["id"]))

    def _on_subscribe(self, fields: Fields) -> None:
        topic = resolve(fields["topic"])
        compression = fields["compression"] or "none"
        if compression not in COMPRESSIONS:
            raise WireError(f"subscribe has the compression '{compression}'; there are {', '.join(COMPRESSIONS)}")
        if topic not in self.streams:
            self._keep(self.streams, topic, Stream(), self.limits.names)
        wish = Subscription(fields["throttle_rate"] / 1000, fields["queue_length"], fields["fragment_size"], compression)
        self.streams[topic].subscribe(fields["id"], wish)
        self._emit(events.Subscribed(topic, fields["type"], compression, fields["id"]))

    def _on_unsubscribe(self, fields: Fields) -> None:
        topic = resolve(fields["topic"])
        stream = self.streams.get(topic)
        if stream is None:
            self.report("warning", f"{topic} was not subscribed to", fields["id"])
            return
        stream.unsubscribe(fields["id"])
        if not stream:
            self.drop_topic(topic)
            self._emit(events.Unsubscribed(topic, fields["id"]))

    def _on_call(self, fields: Fields) -> None:
        service = resolve(fields["service"])
        compression = "png" if fields["compression"] == "png" else "none"
        call = ServiceCalled(
            service, fields["args"], fields["type"], fields["id"], fields["service"], compression, fields["fragment_size"]
        )
        self._open_calls += 1
        if self._open_calls > self.limits.pending:
            self.refuse(call, f"{self.limits.pending} calls wait for their answer already")
            return
        self._emit(call)

    def _on_response(self, fields: Fields) -> None:
        service = self._own_calls.pop(fields["id"], None)
        if service is None:
            raise WireError(f"an answer of {fields['service']} that nobody asked for")
        self._emit(events.ServiceResponded(service, fields["values"], fields["result"], fields["id"]))

    def _on_advertise_service(self, fields: Fields) -> None:
        service = resolve(fields["service"])
        self._keep(self.services, service, fields["type"], self.limits.names)
        self._emit(events.ServiceAdvertised(service, fields["type"], fields["id"]))

    def _on_unadvertise_service(self, fields: Fields) -> None:
        service = resolve(fields["service"])
        if self.services.pop(service, None) is None:
            self.report("warning", f"{service} was not advertised", fields["id"])
            return
        self._emit(events.ServiceUnadvertised(service, fields["id"]))

    def _on_goal(self, fields: Fields) -> None:
        action = resolve(fields["action"])
        self._emit(
            GoalReceived(
                action, fields["action_type"], fields["args"], fields["feedback"], fields["id"], fields["action"]
            )
        )  # fmt: skip

    def _on_cancel(self, fields: Fields) -> None:
        self._emit(events.GoalCancelled(resolve(fields["action"]), fields["id"]))

    def _on_advertise_action(self, fields: Fields) -> None:
        action = resolve(fields["action"])
        self._keep(self.actions, action, fields["type"], self.limits.names)
        self._emit(events.ActionAdvertised(action, fields["type"], fields["id"]))

    def _on_unadvertise_action(self, fields: Fields) -> None:
        action = resolve(fields["action"])
        if self.actions.pop(action, None) is None:
            self.report("warning", f"{action} was not advertised", fields["id"])
            return
        self._emit(events.ActionUnadvertised(action, fields["id"]))

    def _on_feedback(self, fields: Fields) -> None:
        action = self._own_goals.get(fields["id"])
        if action is None:
            raise WireError(f"feedback of {fields['action']} for a goal that nobody has")
        self._emit(events.FeedbackReceived(action, fields["values"], fields["id"]))

    def _on_result(self, fields: Fields) -> None:
        action = self._own_goals.pop(fields["id"], None)
        if action is None:
            raise WireError(f"a result of {fields['action']} for a goal that nobody has")
        self._emit(events.ResultReceived(action, fields["values"], fields["status"], fields["result"], fields["id"]))

    def _on_level(self, fields: Fields) -> None:
        self.level = fields["level"]

    def _on_auth(self, fields: Fields) -> None:
        self._emit(events.CredentialsOffered(fields))


def fill_arguments(kind: MessageType, arguments: Any, now: Time) -> Message:
    """Return the request (or goal) for the arguments of a call: an object, a list in the order of the fields, or nothing."""
    if isinstance(arguments, list):
        names = [field.name for field in kind.definition.fields]
        if len(arguments) > len(names):
            raise MessageError(f"{kind.name} has {len(names)} fields, and {len(arguments)} arguments came")
        arguments = dict(zip(names, arguments, strict=False))
    return kind.fill({} if arguments is None else arguments, now)
