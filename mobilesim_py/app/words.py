"""Words of a command line: rows that describe options and arguments, and the one way to read them.

The simulator (`option_table.py`) and every tool beside it (`tools/table.py`) declare their words in such rows; parsing,
help, documents and shell completion read the rows. Spellings: `-m FILE`, `-map FILE`, `--map FILE`, `--map=FILE`, `-p8105`;
nothing is abbreviated, and each mistake is told in one sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mobilesim_py.app.option_values import Reader, word
from mobilesim_py.errors import UsageError


@dataclass(frozen=True, slots=True)
class Option:
    """A word that begins with a dash, with or without a value."""

    names: tuple[str, ...]
    """Long spellings without dashes; the first is the one that the documents use."""
    sets: str
    """The field that it sets."""
    text: str
    short: str = ""
    value: str = ""
    """What the help calls the value; empty for a plain switch, in brackets when it may be left out."""
    read: Reader | None = None
    constant: object = True
    """What a switch, or an option without its optional value, stores."""
    default: object = None
    """What the field holds when the option of a tool is not given; False for a switch."""
    also: tuple[tuple[str, object], ...] = ()
    """Other fields that it sets."""
    repeatable: bool = False
    hidden: bool = False
    choices: tuple[str, ...] = ()

    @property
    def spelling(self) -> str:
        """How messages and documents call it."""
        return "--" + self.names[0]

    @property
    def spellings(self) -> list[str]:
        """All ways to write it, the short one first."""
        return ([f"-{self.short}"] if self.short else []) + [f"--{name}" for name in self.names]

    @property
    def takes_value(self) -> bool:
        """Whether the next word must be its value."""
        return bool(self.value) and not self.value.startswith("[")

    @property
    def may_take_value(self) -> bool:
        """Whether the next word may be its value."""
        return bool(self.value)

    def value_of(self, text: str | None) -> object:
        """Return what the option stores for the text of its value; UsageError if the text makes no sense."""
        if text is None or self.read is None:
            return self.constant
        return _read(self.read, text, self.spelling, self.choices)


@dataclass(frozen=True, slots=True)
class Argument:
    """A word that is known by its place."""

    name: str
    """What help and messages call it, such as FILE."""
    sets: str
    text: str
    read: Reader = word
    many: bool = False
    """It takes all words from its place on; the last argument only."""
    choices: tuple[str, ...] = ()
    default: str | None = None
    """What is meant when the word is left out; None if it must not be."""

    @property
    def shown(self) -> str:
        """How a line of usage shows it."""
        text = self.name + (" ..." if self.many else "")
        return text if self.default is None else f"[{text}]"

    def value_of(self, text: str) -> object:
        """Return what the word means; UsageError if it makes no sense."""
        return _read(self.read, text, self.name, self.choices)


@dataclass(frozen=True, slots=True)
class Found:
    """An option with the text of its value, or (option None) a word without a dash."""

    option: Option | None
    text: str | None
    is_last: bool
    """No word follows."""


class OptionTable:
    """Options by their spellings."""

    def __init__(self, options: Iterable[Option], help_command: str = "--help") -> None:
        self.options = tuple(options)
        self._help_command = help_command
        self._by_name = {name: option for option in self.options for name in option.names}
        self._by_letter = {option.short: option for option in self.options if option.short}

    def recognise(self, argument: str) -> tuple[Option, str | None] | None:
        """Find the option that a word names and the value attached to it, or None if it names none."""
        if len(argument) < 2 or not argument.startswith("-"):
            return None
        name, equals, attached = argument.lstrip("-").partition("=") if not argument.startswith("---") else ("", "", "")
        single = not argument.startswith("--")
        option = self._by_name.get(name) or (self._by_letter.get(name) if single else None)
        if option is not None:
            return option, attached if equals else None
        # Only a number may stick to its letter: "-mapp" is a mistyped -map and not the map "app".
        if single and argument[1] in self._by_letter and argument[2:].isdigit():
            option = self._by_letter[argument[1]]
            if option.sets == "port":
                return option, argument[2:]
        return None

    def scan(self, argv: list[str], belongs: Callable[[Option, str], bool] = lambda option, text: False) -> Iterator[Found]:
        """Go over the words; UsageError at the first that makes no sense.

        `belongs` says whether the word after an option with an optional value is that value.
        """
        at, count = 0, len(argv)
        while at < count:
            argument = argv[at]
            at += 1
            recognised = self.recognise(argument)
            if recognised is None:
                if argument.startswith("-") and argument != "-":
                    raise UsageError(self._unknown(argument))
                yield Found(None, argument, at == count)
                continue
            option, text = recognised
            if text is not None and not option.may_take_value:
                raise UsageError(f'{option.spelling} takes no value, but "{text}" was given.')
            following = argv[at] if at < count else None
            if text is None and option.takes_value:
                text = self._required(option, argument, following)
                at += 1
            elif text is None and option.may_take_value and following is not None and belongs(option, following):
                text = following
                at += 1
            yield Found(option, text, at == count)

    def _required(self, option: Option, argument: str, following: str | None) -> str:
        if following is None:
            raise UsageError(f"{argument} needs a value: {argument} {option.value}.")
        if self.recognise(following) is not None:
            raise UsageError(
                f'{argument} needs a value ({argument} {option.value}), but the option "{following}" follows it.'
            )
        return following

    def _unknown(self, argument: str) -> str:
        name = argument.lstrip("-").partition("=")[0]
        names = [n for option in self.options if not option.hidden for n in option.names]
        return f'There is no option "{argument}".{nearest(name, names, "--")} Use {self._help_command} for a list.'


def nearest(text: str, candidates: Iterable[str], prefix: str = "", suffix: str = "") -> str:
    """Return a sentence that names the valid word which is most like `text`, or nothing."""
    from difflib import get_close_matches  # only a mistake needs it

    known = {candidate.lower(): candidate for candidate in candidates}
    near = get_close_matches(text.lower(), known, n=1, cutoff=0.6)
    return f" Did you mean {prefix}{known[near[0]]}{suffix}?" if near else ""


def _read(read: Reader, text: str, what: str, choices: tuple[str, ...]) -> object:
    try:
        return read(text)
    except ValueError as expected:
        raise UsageError(f'{what} wants {expected}, not "{text}".{nearest(text, choices)}') from None
