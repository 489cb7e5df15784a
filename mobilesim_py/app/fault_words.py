"""How the command line says what goes wrong on the wire: `--fault drop,p=0.1,from=5,for=10`, `--fault p3at:freeze,for=3`."""

from __future__ import annotations

import math
from typing import Any

from mobilesim_py.net.faults import FaultKind, WireFault, WireWay

FIELDS = {"p": "chance", "from": "start", "for": "seconds", "delay": "delay", "way": "way"}
EXPECTED = (
    f"[ROBOT:]KIND with a KIND of {', '.join(FaultKind)}, and perhaps ,p=CHANCE ,from=SECONDS ,for=SECONDS ,delay=SECONDS "
    f",way={'|'.join(WireWay)}"
)


def wire_fault(text: str) -> WireFault:
    """Read `[ROBOT:]KIND,NAME=VALUE,...`."""
    robot, _, rest = text.rpartition(":")
    kind, *parts = rest.split(",")
    fields: dict[str, Any] = {}
    for part in parts:
        name, _, value = part.partition("=")
        if name not in FIELDS:
            raise ValueError(EXPECTED)
        fields[FIELDS[name]] = WireWay(value) if name == "way" and value in list(WireWay) else _number(value)
        if name == "p" and fields["chance"] > 1.0:
            raise ValueError(f"{EXPECTED}; a chance is at most 1")
    if kind not in list(FaultKind) or isinstance(fields.get("way", WireWay.BOTH), float):
        raise ValueError(EXPECTED)
    return WireFault(FaultKind(kind), robot, **fields)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ValueError(EXPECTED) from None
    if not (math.isfinite(number) and number >= 0.0):
        raise ValueError(EXPECTED)
    return number
