"""Actions: what an agent orders, asks of its sensors, and says."""

from __future__ import annotations

from dataclasses import dataclass

from mobilesim_py.protocols.ciber.documents import ACTIONS_LIMIT, cdata, client_datagram, number, on, parse_document

SAY_LIMIT = 100

_CHILDREN = frozenset({"SensorRequests", "Say"})


@dataclass(frozen=True, slots=True)
class Actions:
    """One message of an agent; None leaves a motor or a led as it is."""

    left_motor: float | None = None
    right_motor: float | None = None
    end_led: bool | None = None
    returning_led: bool | None = None
    visiting_led: bool | None = None
    requests: tuple[str, ...] = ()
    say: str | None = None


def decode_actions(data: bytes) -> Actions | None:
    """Return the actions in a client_datagram, or None where it is not one that may be obeyed."""
    root = parse_document(data, ACTIONS_LIMIT)
    if root is None or root.tag != "Actions":
        return None
    requests: tuple[str, ...] = ()
    say: str | None = None
    for child in root.children:
        if child.tag not in _CHILDREN or child.children:
            return None
        if child.tag == "Say":
            say = (say or "") + child.text
        else:
            requests += tuple(name for name, value in child.attributes.items() if value == "Yes")
    found = root.attributes
    left, right = found.get("LeftMotor"), found.get("RightMotor")
    return Actions(
        None if left is None else number(left),
        None if right is None else number(right),
        _led(found.get("EndLed")),
        _led(found.get("ReturningLed")),
        _led(found.get("VisitingLed")),
        requests,
        say or None,
    )


def _led(text: str | None) -> bool | None:
    return None if text is None else text == "On"


def encode_actions(actions: Actions) -> bytes:
    """Return the client_datagram of an agent."""
    motors = (("LeftMotor", actions.left_motor), ("RightMotor", actions.right_motor))
    leds = (("EndLed", actions.end_led), ("ReturningLed", actions.returning_led), ("VisitingLed", actions.visiting_led))
    tag = "<Actions" + "".join(f' {name}="{power:.10g}"' for name, power in motors if power is not None)
    tag += "".join(f' {name}="{on(led)}"' for name, led in leds if led is not None)
    inner = ""
    if actions.requests:
        inner += "<SensorRequests" + "".join(f' {name}="Yes"' for name in actions.requests) + "/>"
    if actions.say:
        inner += f"<Say>{cdata(actions.say)}</Say>"
    return client_datagram(f"{tag}>{inner}</Actions>" if inner else f"{tag}/>")
