"""Measures: what a robot's agent is told in every cycle, and the same as a log keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mobilesim_py.protocols.ciber.documents import (
    MEASURES_LIMIT,
    Node,
    cdata,
    datagram,
    number,
    on,
    parse_answer,
    whole,
)


@dataclass(slots=True)
class Scores:
    """How a robot stands: score, times in cycles, collisions, and a digit for each target, 1 if it was visited."""

    score: int = 0
    arrival_time: int = 0
    returning_time: int = 0
    collisions: int = 0
    collision: bool = False
    visited_mask: str = ""


@dataclass(slots=True)
class Measures:
    """One cycle of a robot's sensors, angles in degrees; None is what was not sent, or a beacon that is not visible."""

    time: int
    collision: bool | None = None
    compass: int | None = None
    ground: int | None = None
    obstacles: Sequence[tuple[int, float]] = ()
    beacons: Sequence[tuple[int, int | None]] = ()
    gps: tuple[float, float] | None = None
    line: str | None = None
    messages: Sequence[tuple[int, str]] = ()
    scores: Scores | None = None
    end_led: bool = False
    returning_led: bool = False
    visiting_led: bool = False
    start: bool = False
    stop: bool = False


def encode_measures(measures: Measures) -> bytes:
    """Return the datagram for an agent; messages that no longer fit into it are left out."""
    m = measures
    head = f'<Measures Time="{m.time}">\n\t<Sensors'
    if m.collision is not None:
        head += ' Collision="Yes"' if m.collision else ' Collision="No"'
    if m.compass is not None:
        head += f' Compass="{m.compass}"'
    if m.ground is not None:
        head += f' Ground="{m.ground}"'
    head += ">\n" + _readings(m)
    tail = _score(m.scores) + _tail(m)
    if not m.messages:
        return datagram(head + tail)
    room = MEASURES_LIMIT - len(head) - len(tail) - 1
    for sender, text in m.messages:
        message = f'\t\t<Message From="{sender}">{cdata(text)}</Message>\n'
        if len(message) <= room:
            head += message
            room -= len(message)
    return datagram(head + tail)


def logged_measures(measures: Measures) -> str:
    """Return the measures as a log has them: every sensor, the compass before the collision, no messages and no score."""
    m = measures
    collision = "Yes" if m.collision else "No"
    head = f'<Measures Time="{m.time}">\n\t<Sensors Compass="{m.compass}" Collision="{collision}" Ground="{m.ground}">\n'
    return head + _readings(m) + _tail(m)


def _readings(m: Measures) -> str:
    text = "".join([f'\t\t<IRSensor Id="{sensor}" Value="{value:g}"/>\n' for sensor, value in m.obstacles])
    for beacon, angle in m.beacons:
        text += f'\t\t<BeaconSensor Id="{beacon}" Value="{"NotVisible" if angle is None else angle}"/>\n'
    if m.gps is not None:
        text += f'\t\t<GPS X="{m.gps[0]:g}" Y="{m.gps[1]:g}" />\n'
    if m.line is not None:
        text += f'\t\t<LineSensor Value="{m.line}" />\n'
    return text


def _score(scores: Scores | None) -> str:
    if scores is None:
        return ""
    return (
        f'\t\t<Score Score="{scores.score}" ArrivalTime="{scores.arrival_time}" ReturningTime="{scores.returning_time}" '
        f'Collisions="{scores.collisions}" Collision="{scores.collision}" VisitedMask="{scores.visited_mask}" />\n'
    )


def _tail(m: Measures) -> str:
    return (
        f'\t</Sensors>\n\t<Leds EndLed="{on(m.end_led)}" ReturningLed="{on(m.returning_led)}" '
        f'VisitingLed="{on(m.visiting_led)}"/>\n'
        f'\t<Buttons Start="{on(m.start)}" Stop="{on(m.stop)}"/>\n</Measures>\n'
    )


def decode_measures(data: bytes) -> Measures | None:
    """Return the measures in a datagram, or None where it holds none."""
    root = parse_answer(data)
    if root is None or root.tag != "Measures":
        return None
    sensors = root.find("Sensors") or Node("Sensors", {})
    leds = (root.find("Leds") or Node("Leds", {})).attributes
    buttons = (root.find("Buttons") or Node("Buttons", {})).attributes
    found = sensors.attributes
    gps, line, score = sensors.find("GPS"), sensors.find("LineSensor"), sensors.find("Score")
    return Measures(
        time=whole(root.attributes.get("Time", "0")),
        collision=None if "Collision" not in found else found["Collision"] == "Yes",
        compass=_angle(found.get("Compass")),
        ground=_angle(found.get("Ground")),
        obstacles=tuple(
            (_id(node), number(node.attributes.get("Value", "0"))) for node in sensors.children if node.tag == "IRSensor"
        ),
        beacons=tuple((_id(node), _bearing(node)) for node in sensors.children if node.tag == "BeaconSensor"),
        gps=None if gps is None else (number(gps.attributes.get("X", "0")), number(gps.attributes.get("Y", "0"))),
        line=None if line is None else line.attributes.get("Value", ""),
        messages=tuple(
            (whole(node.attributes.get("From", "0")), node.text) for node in sensors.children if node.tag == "Message"
        ),
        scores=None if score is None else decode_scores(score.attributes),
        end_led=leds.get("EndLed") == "On",
        returning_led=leds.get("ReturningLed") == "On",
        visiting_led=leds.get("VisitingLed") == "On",
        start=buttons.get("Start") == "On",
        stop=buttons.get("Stop") == "On",
    )


def decode_scores(attributes: dict[str, str]) -> Scores:
    """Return the score among attributes; one that was printed without its sign gets it back."""
    score = int(number(attributes.get("Score", "0")))
    return Scores(
        score - (1 << 32) if score >= 1 << 31 else score,
        whole(attributes.get("ArrivalTime", "0")),
        whole(attributes.get("ReturningTime", "0")),
        whole(attributes.get("Collisions", "0")),
        attributes.get("Collision") == "True",
        attributes.get("VisitedMask", ""),
    )


def _angle(text: str | None) -> int | None:
    return None if text is None else int(number(text))


def _id(node: Node) -> int:
    return whole(node.attributes.get("Id", "0"))


def _bearing(node: Node) -> int | None:
    value = node.attributes.get("Value", "NotVisible")
    return None if value == "NotVisible" else int(number(value))
