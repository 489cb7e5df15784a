"""Arrays of numbers out of whatever a field holds."""

from __future__ import annotations

import numpy as np
import pytest

from mobilesim_py.protocols.ros.errors import MessageError
from mobilesim_py.protocols.ros.values import ARRAYS, DTYPES, EMPTY, fixed_array, misfit


def test_an_array_of_the_right_type_is_taken_as_it_is():
    array = np.zeros(3, "<f4")
    assert ARRAYS["float32"](array) is array


@pytest.mark.parametrize("base", DTYPES)
def test_lists_become_little_endian_arrays(base):
    made = ARRAYS[base]([0, 1])
    assert made.dtype == DTYPES[base]
    assert made.tobytes() == np.array([0, 1], DTYPES[base]).tobytes()
    assert EMPTY[base].size == 0


def test_bytes_are_arrays_of_bytes_only():
    assert ARRAYS["uint8"](b"ab").tolist() == [97, 98]
    with pytest.raises(ValueError, match="float"):
        ARRAYS["float32"](b"abcd")


def test_shapes_and_lengths_are_checked():
    with pytest.raises(ValueError, match="flat array, not one of 2"):
        ARRAYS["int32"]([[1]])
    with pytest.raises(ValueError, match="flat array, not one of 0"):
        ARRAYS["int32"](5)
    with pytest.raises(ValueError, match=r"int32\[2\] needs 2 numbers, not 1"):
        fixed_array("int32", 2)([1])


def test_a_misfit_names_the_type_and_the_missing_field():
    error = misfit("a/B", KeyError("x"))
    assert isinstance(error, MessageError)
    assert str(error) == "a/B: field 'x' is missing"
