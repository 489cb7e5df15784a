"""The words of a map header line: keyword, arguments with quotes, and numbers as ARIA's parser understands them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)\Z", re.IGNORECASE)
_LARGEST_INTEGER = 2**31 - 1
_BLANKS = " \t\v\f\r\n"

_TRUTH = {"true": True, "1": True, "false": False, "0": False}


def split_keyword(line: str) -> tuple[str, str]:
    """Cut a line into its first word, which may be "quoted", and the text after it."""
    text = line.lstrip(_BLANKS)
    if text.startswith('"'):
        keyword, _, rest = text[1:].partition('"')
        return keyword, rest.strip(_BLANKS)
    end = next((i for i, character in enumerate(text) if character in _BLANKS), len(text))
    return text[:end], text[end:].strip(_BLANKS)


def split_arguments(text: str) -> list[str]:
    """Split at blanks; a quoted string is one argument and keeps its quotes."""
    words = [word for word in re.split(f"[{_BLANKS}]+", text) if word]
    arguments: list[str] = []
    opened = False
    for word in words:
        if opened:
            arguments[-1] += " " + word
            opened = not word.endswith('"')
        else:
            arguments.append(word)
            opened = len(word) >= 2 and word[0] == '"' and word[-1] != '"'
    return arguments


def unquote(argument: str) -> str:
    """Remove one pair of quotes around the whole argument, if there is one."""
    return argument[1:-1] if len(argument) >= 2 and argument[0] == argument[-1] == '"' else argument


def attributes(arguments: Sequence[str]) -> dict[str, str]:
    """Read `Key=value` arguments (quoted as a whole or not); keys in lower case, a bare key has an empty value."""
    pairs = (unquote(argument).partition("=") for argument in arguments)
    return {key.strip().lower(): unquote(value.strip()) for key, _, value in pairs if key.strip()}


def read_integer(text: str) -> int | None:
    """Read a 32-bit integer, decimal or with 0x; None if it is not one."""
    if _HEXADECIMAL.match(text):
        value = int(text, 16)
    elif _INTEGER.match(text):
        # Python refuses to convert thousands of digits; such a number does not fit anyway.
        value = int(text) if len(text) < 20 else _LARGEST_INTEGER + 1
    else:
        return None
    return value if -_LARGEST_INTEGER - 1 <= value <= _LARGEST_INTEGER else None


def read_number(text: str) -> float | None:
    """Read a number with or without decimals; None if it is not one."""
    return float(text) if _FLOAT.match(text) else None


def read_truth(text: str) -> bool | None:
    """Read true, false, 1 or 0; None if it is none of them."""
    return _TRUTH.get(text.lower())
