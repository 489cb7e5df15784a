"""What the first word of a command line means: a tool, a map, or neither."""

from __future__ import annotations

import sys

import pytest

from mobilesim_py.__main__ import main
from mobilesim_py.errors import ExitCode
from mobilesim_py.tools.table import TOOLS


def test_mobilesim_alone_lists_the_tools(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/local/bin/mobilesim"])
    assert main() == ExitCode.OK
    text = capsys.readouterr().out
    assert all(f"mobilesim {name}" in text for name in TOOLS)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["modles"], "Did you mean `mobilesim models`?"),
        (["snapsot", "out.png"], "Did you mean `mobilesim snapshot`?"),
        (["frobnicate", "this"], 'There is no tool "frobnicate". The tools are models, map'),
        (["map", "infoo", "office"], "Did you mean info?"),
        (["models", "show", "p3xd"], "Did you mean p3dx"),
    ],
)
def test_a_mistyped_word_gets_the_nearest_one(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == ExitCode.USAGE
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["map", "info", "ofice"], ["map", "convert", "offcie.map", "x.yaml"], ["-m", "Ofice.map"]]
)
def test_a_mistyped_map_gets_the_nearest_one(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == ExitCode.MAP
    assert "Did you mean office.map?" in capsys.readouterr().err
