"""Options as keywords."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.option_table import TABLE
from mobilesim_py.clients.words import DEFAULTS, words_of
from mobilesim_py.errors import UsageError

USUAL = ["--port=0", "--web-port=0", "--no-network-discovery"]


def test_map_and_robots_come_first() -> None:
    assert words_of(Path("a.map"), ["p3dx:alpha", "amigo"], {}) == [
        "--map=a.map",
        "--robot=p3dx:alpha",
        "--robot=amigo",
        *USUAL,
    ]


def test_a_keyword_is_an_option() -> None:
    words = words_of(None, [], {"speed": "max", "no_noise": True, "ignore_command": [3, 4], "verbose": False, "seed": None})
    assert words == [*USUAL, "--speed=max", "--no-noise", "--ignore-command=3", "--ignore-command=4"]


def test_a_default_can_be_overruled() -> None:
    assert "--port=8105" in words_of(None, [], {"port": 8105})
    assert "--no-network-discovery" not in words_of(None, [], {"no_network_discovery": False})


def test_an_option_with_an_optional_value_takes_true_or_the_value() -> None:
    assert "--pty" in words_of(None, [], {"pty": True})
    assert "--pty=/tmp/robot" in words_of(None, [], {"pty": Path("/tmp/robot")})


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"spead": 2}, "Did you mean speed"),
        ({"speed": "fast"}, "--speed wants a number above 0, or max"),
        ({"speed": True}, '"speed" needs a value'),
        ({"speed": [1, 2]}, "takes one value, not 2"),
        ({"no_noise": 3}, "is a switch"),
        ({"daemonize": True}, "makes no sense from a program"),
    ],
)
def test_a_mistake_is_told_before_anything_is_started(keywords: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        words_of(None, [], keywords)


def test_every_option_has_a_keyword() -> None:
    for option in TABLE:
        keyword = option.names[0].replace("-", "_")
        if keyword not in ("help", "version", "daemonize") and not option.takes_value:
            assert option.spelling in words_of(None, [], {**DEFAULTS, "nomap": True, keyword: True})
            assert parse([option.spelling, "--nomap"])
