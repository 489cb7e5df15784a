"""Registration: what a client asks for at the public port, and the two answers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mobilesim_py.protocols.ciber.documents import (
    REGISTRATION_LIMIT,
    REPLY_LIMIT,
    Node,
    client_datagram,
    datagram,
    number,
    parse_answer,
    parse_document,
    quoted,
    whole,
)

OBSTACLE_SENSORS = 4
DEFAULT_ANGLES: tuple[float, ...] = (0.0, math.pi / 3, -math.pi / 3, math.pi)
"""Where the obstacle sensors sit on the rim, in radians from the front, anti-clockwise."""

NAME_LIMIT = 100
REFUSED = datagram('<Reply Status="Refused"></Reply>\n')


@dataclass(frozen=True, slots=True)
class RobotRequest:
    """A robot asks for a place; id 0 is the first free one; angles of its obstacle sensors in radians."""

    name: str = ""
    id: int = 0
    angles: tuple[float, ...] = DEFAULT_ANGLES


@dataclass(frozen=True, slots=True)
class RobotBeaconRequest:
    """A robot that carries the beacon asks for a place."""

    name: str = ""
    id: int = 0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class ViewRequest:
    """A viewer asks to be told of every robot in every cycle."""


@dataclass(frozen=True, slots=True)
class PanelRequest:
    """A panel asks for a port to send commands to."""


Registration = RobotRequest | RobotBeaconRequest | ViewRequest | PanelRequest


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to a registration: accepted or not, and the attributes of Parameters."""

    ok: bool
    parameters: dict[str, str]


def decode_registration(data: bytes) -> Registration | None:
    """Return what a datagram at the public port asks for; None gets no reply."""
    root = parse_document(data, REGISTRATION_LIMIT)
    if root is None:
        return None
    match root.tag:
        case "Robot":
            return _robot(root)
        case "RobotBeacon" if not root.children:
            attributes = root.attributes
            height = number(attributes.get("Height", "0"))
            return RobotBeaconRequest(_name(root), whole(attributes.get("Id", "0")), height)
        case "View" if not root.children:
            return ViewRequest()
        case "Panel" if not root.children:
            return PanelRequest()
        case _:
            return None


def _name(root: Node) -> str:
    return root.attributes.get("Name", "")[:NAME_LIMIT]


def _robot(root: Node) -> RobotRequest | None:
    angles = list(DEFAULT_ANGLES)
    for child in root.children:
        if child.tag != "IRSensor":
            return None
        sensor, angle = child.attributes.get("Id"), child.attributes.get("Angle")
        if sensor is not None and angle is not None and whole(sensor) < OBSTACLE_SENSORS:
            angles[whole(sensor)] = number(angle) / 180.0 * math.pi
    return RobotRequest(_name(root), whole(root.attributes.get("Id", "0")), tuple(angles))


def encode_registration(request: Registration) -> bytes:
    """Return the datagram that asks for something at the public port."""
    match request:
        case RobotRequest():
            place = f' Id="{request.id}"' if request.id else ""
            sensors = "".join(
                f'<IRSensor Id="{i}" Angle="{angle * 180.0 / math.pi:.10g}" />'
                for i, angle in enumerate(request.angles)
                if angle != DEFAULT_ANGLES[i]
            )
            return client_datagram(f'<Robot{place} Name="{quoted(request.name)}">{sensors}</Robot>')
        case RobotBeaconRequest():
            place = f' Id="{request.id}"' if request.id else ""
            return client_datagram(f'<RobotBeacon{place} Name="{quoted(request.name)}" Height="{request.height:.10g}"/>')
        case ViewRequest():
            return client_datagram("<View/>\n")
        case _:
            return client_datagram("<Panel/>\n")


def encode_reply(parameters_text: str, short_text: str) -> bytes:
    """Return the reply that accepts a client, with the short parameters where the others are too long for it."""
    reply = datagram(f'<Reply Status="Ok">\n\t{parameters_text}</Reply>\n')
    return reply if len(reply) <= REPLY_LIMIT else datagram(f'<Reply Status="Ok">\n\t{short_text}</Reply>\n')


def decode_reply(data: bytes) -> Reply | None:
    """Return the answer to a registration, or None where a datagram is none."""
    root = parse_answer(data)
    if root is None or root.tag != "Reply":
        return None
    parameters = root.find("Parameters")
    return Reply(root.attributes.get("Status") == "Ok", {} if parameters is None else parameters.attributes)
