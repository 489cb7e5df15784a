"""One message for all clients: each form of it is made once, when the first client wants it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from mobilesim_py.protocols.ros import cbor
from mobilesim_py.protocols.ros.interfaces import MessageType
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.rosbridge.encoding import Frame, png_of_text, write_text

_PUBLISH = cbor.map_head(3) + cbor.write_text("op") + cbor.write_text("publish") + cbor.write_text("topic")
_MSG = cbor.write_text("msg")


class Publication:
    """A message on a topic at a time, in the forms of rosbridge."""

    def __init__(self, topic: str, kind: MessageType, message: Message, now: Time) -> None:
        self.topic = topic
        self.kind = kind
        self.message = message
        self.now = now

    @cached_property
    def json(self) -> str:
        """Return the operation as JSON."""
        return write_text({"op": "publish", "topic": self.topic, "msg": self.kind.to_json(self.message)})

    @cached_property
    def png(self) -> str:
        """Return the JSON as a PNG in JSON."""
        return write_text({"op": "png", "data": png_of_text(self.json)})

    @cached_property
    def cbor(self) -> bytes:
        """Return the operation as CBOR."""
        return _PUBLISH + cbor.write_text(self.topic) + _MSG + self.kind.to_cbor(self.message)

    @cached_property
    def cbor_raw(self) -> bytes:
        """Return the operation as CBOR around the bytes that ROS itself would send."""
        raw = {"secs": self.now.secs, "nsecs": self.now.nsecs, "bytes": self.kind.serialise(self.message)}
        return _PUBLISH + cbor.write_text(self.topic) + _MSG + cbor.encode(raw)

    def form(self, compression: str) -> Frame:
        """Return the frame for a compression."""
        return FORMS[compression](self)


FORMS: Mapping[str, Callable[[Publication], Frame]] = {
    "none": lambda publication: publication.json,
    "png": lambda publication: publication.png,
    "cbor": lambda publication: publication.cbor,
    "cbor-raw": lambda publication: publication.cbor_raw,
}
