"""`--fault` says what goes wrong on the wire, and what it expects when it is told something else."""

from __future__ import annotations

import pytest

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.fault_words import wire_fault
from mobilesim_py.errors import UsageError
from mobilesim_py.net.faults import FaultKind, WireFault, WireWay


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("drop", WireFault(FaultKind.DROP)),
        ("p3at:freeze,from=2,for=3", WireFault(FaultKind.FREEZE, "p3at", 2.0, 3.0)),
        ("delay,p=0.1,delay=0.3,way=in", WireFault(FaultKind.DELAY, chance=0.1, delay=0.3, way=WireWay.IN)),
    ],
)
def test_it_is_read(text: str, fault: WireFault) -> None:
    assert wire_fault(text) == fault


@pytest.mark.parametrize(
    "text",
    [
        "",
        "explode",
        "drop,p=2",
        "drop,p=-1",
        "drop,p=nan",
        "drop,way=up",
        "drop,way=1",
        "drop,when=3",
        "drop,for=long",
        "drop,p",
    ],
)
def test_nonsense_is_told_what_is_expected(text: str) -> None:
    with pytest.raises(ValueError, match="KIND of drop, duplicate"):
        wire_fault(text)


def test_faults_add_up() -> None:
    options = parse(["--nomap", "--fault", "drop", "--fault=close,from=3"])
    assert [fault.kind for fault in options.faults] == ["drop", "close"]
    with pytest.raises(UsageError, match="--fault"):
        parse(["--nomap", "--fault", "explode"])
