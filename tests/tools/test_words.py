"""How tools read their words."""

from __future__ import annotations

from importlib import import_module

import pytest

from mobilesim_py.__main__ import main
from mobilesim_py.errors import UsageError
from mobilesim_py.tools.table import TOOLS, Tool
from mobilesim_py.tools.words import Given, choose_verb, parse


def read(line: str) -> Given:
    name, *words = line.split()
    tool = TOOLS[name]
    verb, rest = choose_verb(tool, words)
    assert verb is not None
    given = parse(tool, verb, rest)
    assert given is not None
    return given


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_every_tool_has_a_module_that_runs_it(tool: Tool) -> None:
    assert callable(import_module(tool.module).main)


@pytest.mark.parametrize("line", ["wait --port 9000", "wait -p 9000", "wait -p9000", "wait --port=9000", "wait -port 9000"])
def test_options_are_spelled_as_those_of_the_simulator(line: str) -> None:
    assert read(line).port == 9000


def test_what_is_not_given_has_its_default() -> None:
    given = read("wait")
    assert (given.port, given.host, given.timeout) == (8101, "127.0.0.1", 5.0)
    assert read("doctor").json is False


def test_arguments_and_options_may_come_in_any_order() -> None:
    first, second = read("map render office x.png --size 100"), read("map render --size 100 office x.png")
    assert vars(first) == vars(second)


def test_an_argument_may_take_many_words() -> None:
    assert read("map check --strict a b c").files == ["a", "b", "c"]


def test_the_default_verb_needs_no_name() -> None:
    assert vars(read("models --json")) == vars(read("models list --json"))


def test_a_snapshot_passes_the_options_of_the_simulator_on() -> None:
    given = read("snapshot -r p3dx:one --size 100 x.png --log-timing-stats 5 --nomap -m office.map")
    assert given.world == ["--robot=p3dx:one", "--log-timing-stats=5", "--nomap", "--map=office.map"]
    assert (given.out.name, given.size) == ("x.png", 100)


def test_the_last_word_of_a_snapshot_is_the_map() -> None:
    assert read("snapshot x.png -r p3dx office.map").world == ["--robot=p3dx", "office.map"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("wait --prot 1", 'There is no option "--prot". Did you mean --port? Use `mobilesim wait --help`'),
        ("wait --port", "--port needs a value: --port PORT."),
        ("wait --port x", '--port wants a whole number, not "x".'),
        ("wait 8101", 'I do not know what to do with "8101". Usage: mobilesim wait'),
        ("doctor --json=yes", "--json takes no value"),
        ("map", "There are list, info, check, render, convert."),
        ("map --json", "There are list, info, check, render, convert."),
        ("map inof a", "There is no `mobilesim map inof`. Did you mean info?"),
        ("map render office", "OUT is missing: mobilesim map render FILE OUT"),
        ("models show", "MODEL is missing: mobilesim models show MODEL"),
        ("models --out x.svg", 'There is no option "--out"'),
        ("completion", "bash|zsh|fish is missing"),
        ("snapshot x.png --show ghosts", '--show wants some of laser,sonar,labels, not "ghosts".'),
    ],
)
def test_a_mistake_is_told_in_a_sentence_and_is_exit_code_255(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 255
    error = capsys.readouterr().err
    assert error.startswith("MobileSim: ")
    assert said in error
    with pytest.raises(UsageError):
        read(line)


@pytest.mark.parametrize("help_word", ["-h", "--help", "-help"])
@pytest.mark.parametrize("line", ["wait", "wait -p 5", "map", "map info", "models", "models show", "snapshot", "doctor"])
def test_help_is_printed_wherever_it_is_asked_for(line: str, help_word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*line.split(), help_word]) == 0
    assert f"Usage: mobilesim {line.split()[0]}" in capsys.readouterr().out


def test_help_of_a_verb_is_about_it_alone(capsys: pytest.CaptureFixture[str]) -> None:
    main(["map", "check", "--help"])
    text = capsys.readouterr().out
    assert "--strict" in text
    assert "--threshold" not in text


@pytest.mark.parametrize(
    ("line", "warned"), [("models --json", True), ("map info office", True), ("completion bash", False)]
)
def test_a_wrong_resource_directory_is_warned_of_where_it_matters(
    line: str, warned: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MOBILESIM", "/nonexistent")
    assert main(line.split()) == 0
    assert ("/nonexistent" in capsys.readouterr().err) is warned
