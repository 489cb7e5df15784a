"""The words of worldfile syntax."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.catalogue.tokens import SourceText, TokenKind, tokenize
from mobilesim_py.errors import WorldfileError


def words(text: str) -> list[tuple[TokenKind, str]]:
    return [(token.kind, token.text) for token in tokenize(SourceText(text, "f"))[:-1]]


def test_an_index_without_a_space_belongs_to_the_name() -> None:
    assert words("spose[3] [0.1 0 90]")[0] == (TokenKind.WORD, "spose[3]")


def test_a_dotted_name_may_hold_several_indices() -> None:
    assert words("polygon[0].point[3] [1 2]")[0] == (TokenKind.WORD, "polygon[0].point[3]")


def test_a_tuple_without_a_space_before_it_is_a_tuple() -> None:
    assert words("pose[0.125 0 0]")[:2] == [(TokenKind.WORD, "pose"), (TokenKind.OPEN_TUPLE, "[")]


def test_a_section_may_open_right_after_its_name() -> None:
    assert words("sicklms200( )") == [
        (TokenKind.WORD, "sicklms200"),
        (TokenKind.OPEN, "("),
        (TokenKind.CLOSE, ")"),
    ]


@pytest.mark.parametrize("text", ["1", "-1", "+.5", "1.", "1e-3", "0333"])
def test_numbers_are_recognised(text: str) -> None:
    assert words(text) == [(TokenKind.NUMBER, text)]


@pytest.mark.parametrize("text", ["p2at8+", "blue_p3dx", "mt400-260", "3d", "1.2.3", "nan"])
def test_names_may_hold_digits_and_signs(text: str) -> None:
    assert words(text) == [(TokenKind.WORD, text)]


def test_a_comment_ends_with_its_line() -> None:
    assert words('a # b ( [ "\nc') == [(TokenKind.WORD, "a"), (TokenKind.WORD, "c")]


def test_a_string_may_hold_anything_but_a_quotation_mark() -> None:
    assert words('"a # b ( ["') == [(TokenKind.STRING, "a # b ( [")]


def test_lines_are_counted() -> None:
    assert [token.line for token in tokenize(SourceText("a\n\nb # x\nc", "f"))] == [1, 3, 4, 4]


def test_a_string_without_an_end_is_an_error_with_its_line() -> None:
    with pytest.raises(WorldfileError, match=r"f:2: .*closing quotation mark"):
        tokenize(SourceText('a\n"b\n', "f"))


@given(st.text())
def test_any_text_is_tokens_or_an_error(text: str) -> None:
    mistake: WorldfileError | None = None
    tokens = []
    try:
        tokens = tokenize(SourceText(text, "f"))
    except WorldfileError as error:
        mistake = error
    assert mistake.line >= 1 if mistake else tokens[-1].kind is TokenKind.END
