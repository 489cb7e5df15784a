"""Matrices as MATLAB writes them."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.formats.garden.matrices import matrix_text, read_matrix, read_vector


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("[1 2;3 4]", [[1.0, 2.0], [3.0, 4.0]]),
        ("7", [[7.0]]),
        ("[]", []),
        ("[1 2 3 NaN;4 5 6 7]", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]),
        ("[NaN NaN;1 2]", [[], [1.0, 2.0]]),
        (" [1,  2e-1] ", [[1.0, 0.2]]),
        ("[1;2;]", [[1.0], [2.0]]),
    ],
)
def test_matrices_are_read(text: str, rows: list[list[float]]) -> None:
    assert read_matrix(text) == rows


@pytest.mark.parametrize("text", ["[1 2", "1 2]", "[1 x]", "[1 NaN 2]", "[Inf 1]", "[1e300]", "[1_0]"])
def test_what_is_no_matrix_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_matrix(text)


def test_a_vector_has_as_many_numbers_as_it_should() -> None:
    assert read_vector("[1 2 3]", 3) == [1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="2 numbers, not 3"):
        read_vector("[1 2]", 3)


def test_rows_of_different_lengths_come_back_as_they_were() -> None:
    rows = [[1.0, 2.5, -1e-9], [math.pi]]
    assert read_matrix(matrix_text(rows)) == rows
