"""Viewers and panels: their commands, and what viewers are told of every robot."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mobilesim_py.protocols.ciber.documents import (
    COMMAND_LIMIT,
    Node,
    client_datagram,
    datagram,
    number,
    parse_answer,
    parse_document,
    quoted,
    whole,
)
from mobilesim_py.protocols.ciber.measures import Scores, decode_scores

RESTART = b"<Restart/>\0"


class Order(Enum):
    """What a viewer or a panel can order; the value is the tag."""

    LAB = "LabReq"
    GRID = "GridReq"
    START = "Start"
    STOP = "Stop"
    RESET = "Reset"
    REMOVE = "Robot"


_ORDERS = {order.value: order for order in Order}


@dataclass(frozen=True, slots=True)
class Command:
    """One order; only the removal of a robot has an id."""

    order: Order
    robot: int = 0


@dataclass(slots=True)
class RobotView:
    """A robot as viewers see it; heading in degrees."""

    name: str
    id: int
    time: int
    scores: Scores
    state: str
    x: float
    y: float
    heading_deg: float


@dataclass(frozen=True, slots=True)
class Restart:
    """The simulator was reset and has forgotten all its clients."""


@dataclass(frozen=True, slots=True)
class PlaceMessage:
    """The Lab or the Grid as a document, for the reader of those files."""

    tag: str
    document: bytes


ViewMessage = RobotView | Restart | PlaceMessage


def decode_command(data: bytes) -> Command | None:
    """Return the command in a datagram, or None where it holds none."""
    root = parse_document(data, COMMAND_LIMIT)
    if root is None or root.children:
        return None
    order = _ORDERS.get(root.tag)
    if order is None:
        return None
    if order is not Order.REMOVE:
        return Command(order)
    return Command(order, whole(root.attributes.get("Id", "0"))) if root.attributes.get("Removed") == "Yes" else None


def encode_command(command: Command) -> bytes:
    """Return the datagram of a viewer or a panel."""
    if command.order is Order.REMOVE:
        return client_datagram(f'<Robot Id="{command.robot}" Removed="Yes"/>')
    return client_datagram(f"<{command.order.value}/>")


def encode_view(view: RobotView) -> bytes:
    """Return the message on one robot; the score is printed without a sign, modulo 2**32."""
    s = view.scores
    return datagram(
        f'<Robot Name="{quoted(view.name)}" Id="{view.id}" Time="{view.time}" Score="{s.score & 0xFFFFFFFF}" '
        f'ArrivalTime="{s.arrival_time}" ReturningTime="{s.returning_time}" Collisions="{s.collisions}" '
        f'Collision="{s.collision}" VisitedMask="{s.visited_mask}" State="{view.state}">\n'
        f'\t<Position X="{view.x:g}" Y="{view.y:g}" Dir="{view.heading_deg:g}"/>\n</Robot>\n'
    )


def decode_view(data: bytes) -> ViewMessage | None:
    """Return what a viewer was told, or None where it is nothing that viewers are told."""
    root = parse_answer(data)
    if root is None:
        return None
    match root.tag:
        case "Restart":
            return Restart()
        case "Lab" | "Grid":
            return PlaceMessage(root.tag, data.rstrip(b"\0"))
        case "Robot":
            return _robot(root)
        case _:
            return None


def _robot(root: Node) -> RobotView:
    found = root.attributes
    pose = (root.find("Position") or Node("Position", {})).attributes
    return RobotView(
        found.get("Name", ""),
        whole(found.get("Id", "0")),
        whole(found.get("Time", "0")),
        decode_scores(found),
        found.get("State", ""),
        number(pose.get("X", "0")),
        number(pose.get("Y", "0")),
        number(pose.get("Dir", "0")),
    )
