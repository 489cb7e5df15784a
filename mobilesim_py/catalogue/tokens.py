"""The words of Stage's worldfile syntax: text in, tokens with their line out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from mobilesim_py.errors import WorldfileError


class TokenKind(Enum):
    """What a token is."""

    WORD = "a word"
    NUMBER = "a number"
    STRING = "a string"
    OPEN = "'('"
    CLOSE = "')'"
    OPEN_TUPLE = "'['"
    CLOSE_TUPLE = "']'"
    END = "the end of the file"


class Token(NamedTuple):
    """One token; a string's text is without its quotes."""

    kind: TokenKind
    text: str
    line: int

    def __str__(self) -> str:
        return f"'{self.text}'" if self.kind in (TokenKind.WORD, TokenKind.NUMBER) else self.kind.value


@dataclass(frozen=True)
class SourceText:
    """The text of a file and the name under which errors speak of it."""

    text: str
    path: str


# An index such as [12] belongs to its word only when it follows without a space and holds nothing but digits:
# `spose[3] [0.1 0 90]` names an element, `pose[0.1 0 0]` is a property and its tuple. A number is a word that
# reads as one, so that `3d-box` and `1e-3` both come out right.
_PATTERN = re.compile(
    r"(?P<skip>[ \t\r\f\v,]+|\#[^\n]*)"
    r"|(?P<newline>\n)"
    r"|(?P<word>[^\s\#\"()\[\],]+(?:\[\d+\][^\s\#\"()\[\],]*)*)"
    r"|(?P<punctuation>[()\[\]])"
    r'|"(?P<string>[^"\n]*)"'
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_PUNCTUATION = {
    "(": TokenKind.OPEN,
    ")": TokenKind.CLOSE,
    "[": TokenKind.OPEN_TUPLE,
    "]": TokenKind.CLOSE_TUPLE,
}


def tokenize(source: SourceText) -> list[Token]:
    """Return all tokens of a file, ended by one of kind END; WorldfileError at what cannot be one."""
    tokens: list[Token] = []
    append = tokens.append
    text, line, position = source.text, 1, 0
    match_at = _PATTERN.match
    while match := match_at(text, position):
        position = match.end()
        group = match.lastgroup
        if group == "skip":
            continue
        value = match.group(group) if group else ""
        if group == "newline":
            line += 1
        elif group == "word":
            append(Token(TokenKind.NUMBER if _NUMBER.match(value) else TokenKind.WORD, value, line))
        elif group == "punctuation":
            append(Token(_PUNCTUATION[value], value, line))
        else:
            append(Token(TokenKind.STRING, value, line))
    if position < len(text):
        # Only a quotation mark without its partner on the same line can stop the pattern.
        raise WorldfileError('this string has no closing quotation mark (")', source.path, line)
    append(Token(TokenKind.END, "", line))
    return tokens
