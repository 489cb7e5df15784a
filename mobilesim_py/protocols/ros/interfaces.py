"""Types to work with: the table of definitions, and for each type its md5 sum, its text and the forms of its messages.

    ros1 = interfaces(Dialect.ROS1)
    twist = ros1.message("geometry_msgs/Twist")
    body = twist.serialise(message)             message = twist.deserialise(body)
    plain = twist.to_json(message)              message = twist.fill(plain, now)
    data = twist.to_cbor(message)

All is made when it is first asked for, and kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from mobilesim_py.protocols.ros.cbor_form import CborWriter, compile_cbor_writer
from mobilesim_py.protocols.ros.cdr import CdrCodec
from mobilesim_py.protocols.ros.definitions import ACTION_ROWS, MESSAGE_ROWS, SERVICE_ROWS
from mobilesim_py.protocols.ros.digest import full_text, md5_of_texts, md5_text, nested
from mobilesim_py.protocols.ros.errors import MessageError, UnknownTypeError
from mobilesim_py.protocols.ros.json_form import Filler, Plainer, compile_plainer
from mobilesim_py.protocols.ros.ros1_bytes import Reader, Writer, compile_reader, compile_writer
from mobilesim_py.protocols.ros.rows import Definition, Dialect, define, full_name, spelled_type, split_rows
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import MISFITS, Message, misfit

ANY = "*"  # the md5 sum and the type of whoever takes everything


class MessageType:
    """One message type, in one dialect."""

    def __init__(self, definition: Definition, table: Interfaces) -> None:
        self.definition = definition
        self.dialect = table.dialect
        self._table = table
        self._look_up = table.definition

    def __repr__(self) -> str:
        return f"<{self.name}{'@' if self.definition.version else ''}{self.definition.version}>"

    @property
    def name(self) -> str:
        """Return `package/Name`, as ROS 1 writes it."""
        return self.definition.name

    @property
    def spelled(self) -> str:
        """Return the name as the dialect writes it."""
        return spelled_type(self.name, self.dialect)

    @cached_property
    def constants(self) -> Mapping[str, int]:
        """Return the constants by name."""
        return {constant.name: constant.value for constant in self.definition.constants}

    @cached_property
    def md5_text(self) -> str:
        """Return the text behind the md5 sum."""
        return md5_text(self.definition, lambda name: self._table.message(name).md5)

    @cached_property
    def md5(self) -> str:
        """Return the md5 sum by which ROS 1 compares types."""
        return md5_of_texts(self.md5_text)

    @cached_property
    def full_text(self) -> str:
        """Return the definition with all that it is made of."""
        return full_text(self.definition, self._look_up, self.dialect)

    def nested(self) -> Iterator[Definition]:
        """Yield the definitions of all messages inside, each once."""
        return nested(self.definition, self._look_up)

    @cached_property
    def _write(self) -> Writer:
        return compile_writer(self.definition, self._look_up, lambda name: self._table.message(name)._write)

    @cached_property
    def _read(self) -> Reader:
        return compile_reader(self.definition, self._look_up, lambda name: self._table.message(name)._read)

    @cached_property
    def _write_cbor(self) -> CborWriter:
        return compile_cbor_writer(
            self.definition, self._look_up, lambda name: self._table.message(name)._write_cbor, self.dialect
        )

    @cached_property
    def _plain(self) -> Plainer:
        return compile_plainer(self.definition, self._look_up, lambda name: self._table.message(name)._plain, self.dialect)

    @cached_property
    def _cdr(self) -> CdrCodec:
        return CdrCodec(self.definition, self._look_up)

    def serialise(self, message: Message) -> bytes:
        """Return the bytes of a message: of ROS 1, or CDR in the dialect of ROS 2."""
        try:
            return self._write(message) if self.dialect is Dialect.ROS1 else self._cdr.write(message)
        except MISFITS as fault:
            raise misfit(self.name, fault) from None

    def deserialise(self, data: bytes) -> Message:
        """Return the message in `data`; arrays of numbers are views of it."""
        try:
            message, end = self._read(data, 0) if self.dialect is Dialect.ROS1 else self._cdr.read(data)
        except MessageError as fault:
            raise MessageError(f"{self.name}: {fault}") from None
        except MISFITS:
            raise MessageError(f"{self.name}: {len(data)} bytes are too few") from None
        # Writers of CDR fill up to the next multiple of four.
        padding = 3 if self.dialect is Dialect.ROS2 else 0
        if not 0 <= len(data) - end <= padding:
            raise MessageError(f"{self.name}: {len(data) - end} bytes too many in a message of {len(data)}")
        return message

    def to_json(self, message: Message) -> dict[str, Any]:
        """Return the message as `json.dumps` takes it."""
        try:
            return self._plain(message)
        except MISFITS as fault:
            raise misfit(self.name, fault) from None

    def to_cbor(self, message: Message) -> bytes:
        """Return the message in CBOR."""
        try:
            return self._write_cbor(message)
        except MISFITS as fault:
            raise misfit(self.name, fault) from None

    def fill(self, plain: Any, now: Time) -> Message:
        """Return the whole message for what came as JSON or CBOR; `now` stamps headers that have no time."""
        return Filler(self._look_up, now).message(self.definition, plain, self.name)

    def make(self, **fields: Any) -> Message:
        """Return a message of zeros and the given fields, which are not checked."""
        return self.fill({}, Time()) | fields


@dataclass(frozen=True)
class ServiceType:
    """A service type: its request and its response are messages, named `package/NameRequest` and `package/NameResponse`."""

    name: str
    request: MessageType
    response: MessageType

    @cached_property
    def md5(self) -> str:
        """Return the md5 sum by which ROS 1 compares services."""
        return md5_of_texts(self.request.md5_text, self.response.md5_text)

    @property
    def spelled(self) -> str:
        """Return the name as the dialect writes it."""
        return spelled_type(self.name, self.request.dialect, "srv")


@dataclass(frozen=True)
class ActionType:
    """An action type: goal, result and feedback."""

    name: str
    goal: MessageType
    result: MessageType
    feedback: MessageType

    @property
    def spelled(self) -> str:
        """Return the name as the dialect writes it."""
        return spelled_type(self.name, self.goal.dialect, "action")


class Interfaces:
    """All types of the table, in one dialect. Any spelling of a name finds its type."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._rows = split_rows(MESSAGE_ROWS)
        self._service_rows = split_rows(SERVICE_ROWS)
        self._action_rows = split_rows(ACTION_ROWS)
        self._messages: dict[str, MessageType] = {}
        self._services: dict[str, ServiceType] = {}
        self._actions: dict[str, ActionType] = {}

    @property
    def message_names(self) -> list[str]:
        """Return the names of all messages, versions that are not current as `name@version`."""
        return list(self._rows)

    @property
    def service_names(self) -> list[str]:
        """Return the names of all services."""
        return list(self._service_rows)

    @property
    def action_names(self) -> list[str]:
        """Return the names of all actions."""
        return list(self._action_rows)

    def message(self, name: str) -> MessageType:
        """Return a message type; raise UnknownTypeError where there is none."""
        known = self._messages.get(name)
        if known is None:
            plain, _, version = name.partition("@")
            key = full_name(plain) + (f"@{version}" if version else "")
            if key not in self._rows:
                raise UnknownTypeError(f"There is no message type '{name[:100]}'")
            known = self._messages.get(key) or self._type(key, self._rows[key][0])
            self._messages[key] = known
        return known

    def definition(self, name: str) -> Definition:
        """Return the definition of a message."""
        return self.message(name).definition

    def versions(self, name: str) -> list[MessageType]:
        """Return all versions of a message type, the current one first."""
        key = full_name(name)
        return [self.message(row) for row in self._rows if row.partition("@")[0] == key]

    def with_md5(self, name: str, md5: str) -> MessageType:
        """Return the version of a message that has an md5 sum: what a publisher of that type sends."""
        for version in self.versions(name):
            if md5 in (ANY, version.md5):
                return version
        raise UnknownTypeError(f"No version of {name[:100]} that we know has the md5 sum {md5[:100]}")

    def service(self, name: str) -> ServiceType:
        """Return a service type; raise UnknownTypeError where there is none."""
        key = full_name(name)
        if key not in self._service_rows:
            raise UnknownTypeError(f"There is no service type '{name[:100]}'")
        if key not in self._services:
            request, response = self._service_rows[key]
            self._services[key] = ServiceType(
                key, self._type(f"{key}Request", request), self._type(f"{key}Response", response)
            )
        return self._services[key]

    def action(self, name: str) -> ActionType:
        """Return an action type; raise UnknownTypeError where there is none."""
        key = full_name(name)
        if key not in self._action_rows:
            raise UnknownTypeError(f"There is no action type '{name[:100]}'")
        if key not in self._actions:
            goal, result, feedback = self._action_rows[key]
            self._actions[key] = ActionType(
                key,
                self._type(f"{key}Goal", goal),
                self._type(f"{key}Result", result),
                self._type(f"{key}Feedback", feedback),
            )
        return self._actions[key]

    def _type(self, key: str, part: str) -> MessageType:
        return MessageType(define(key, part, self.dialect, self._rows), self)


@cache
def interfaces(dialect: Dialect) -> Interfaces:
    """Return the types of a dialect."""
    return Interfaces(dialect)
