"""Rows of options and arguments, and how words are read by them."""

from __future__ import annotations

import pytest

from mobilesim_py.app.option_values import one_of, whole
from mobilesim_py.app.words import Argument, Option, OptionTable
from mobilesim_py.errors import UsageError

PORT = Option(("port",), "port", "A port.", short="p", value="PORT", read=whole(1, 65535))
LINK = Option(("pty", "terminal"), "pty", "A terminal.", value="[LINK]", constant="")
QUIET = Option(("quiet",), "quiet", "Say little.", short="q")
TABLE = OptionTable([PORT, LINK, QUIET], "--help")


def scanned(*words: str) -> list[tuple[str, str | None]]:
    found = TABLE.scan(list(words), lambda option, following: following.startswith("/"))
    return [(one.option.names[0] if one.option else "", one.text) for one in found]


@pytest.mark.parametrize("words", [["--port", "9"], ["-port", "9"], ["-p", "9"], ["--port=9"], ["-p=9"], ["-p9"]])
def test_a_value_may_be_written_in_many_ways(words: list[str]) -> None:
    assert scanned(*words) == [("port", "9")]


def test_every_spelling_of_an_option_is_known() -> None:
    for option in TABLE.options:
        assert [TABLE.recognise(spelling) for spelling in option.spellings] == [(option, None)] * len(option.spellings)


@pytest.mark.parametrize("argument", ["", "-", "--", "---port", "--por", "-portable", "-q5", "port"])
def test_nothing_else_is_an_option(argument: str) -> None:
    assert TABLE.recognise(argument) is None


def test_an_optional_value_is_taken_when_it_belongs_to_the_option() -> None:
    assert scanned("--pty", "/tmp/x", "a") == [("pty", "/tmp/x"), ("", "a")]
    assert scanned("--terminal", "a") == [("pty", None), ("", "a")]
    assert LINK.value_of(None) == ""


def test_the_last_word_is_marked() -> None:
    assert [found.is_last for found in TABLE.scan(["a", "-q", "-p", "5"])] == [False, False, True]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--prot"], 'There is no option "--prot". Did you mean --port? Use --help for a list.'),
        (["--port"], "--port needs a value: --port PORT."),
        (["-p", "-q"], '-p needs a value (-p PORT), but the option "-q" follows it.'),
        (["--quiet=1"], '--quiet takes no value, but "1" was given.'),
    ],
)
def test_a_mistake_is_told_in_a_sentence(words: list[str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        scanned(*words)
    assert str(caught.value) == said


def test_a_value_that_makes_no_sense_is_told_with_what_was_expected() -> None:
    with pytest.raises(UsageError, match=r'--port wants a number from 1 to 65535, not "0"\.'):
        PORT.value_of("0")
    shell = Argument("SHELL", "shell", "A shell.", one_of("bash", "fish"), choices=("bash", "fish"))
    assert shell.value_of("bash") == "bash"
    with pytest.raises(UsageError, match=r'SHELL wants one of bash, fish, not "bahs"\. Did you mean bash\?'):
        shell.value_of("bahs")
