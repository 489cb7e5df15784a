"""Compiled functions are called by their address, with one block of words."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from mobilesim_py.native.kernel import Kernel, code_of

SEEN: list[list[int]] = []
STATUS = 0
SIZE = 10


@ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
def _look(block: int) -> int:
    """Stand for a compiled function: remember the block."""
    SEEN.append(list((ctypes.c_int64 * SIZE).from_address(block)))
    return STATUS


ADDRESS = ctypes.cast(_look, ctypes.c_void_p).value or 0
CODES = ("int", "float", "float64:2", ("uint8:1", "int"), "int64:1")


@pytest.fixture(autouse=True)
def nothing_seen() -> None:
    SEEN.clear()


def arguments() -> list[object]:
    return [7, 0.5, np.zeros((2, 3)), (np.zeros(4, np.uint8), -1), np.zeros(0, np.int64)]


def test_numbers_are_in_the_block_and_arrays_by_address_and_shape() -> None:
    given = arguments()
    Kernel("look", ADDRESS, CODES)(*given)
    (block,) = SEEN
    table, small = given[2], given[3][0]  # type: ignore[index]
    assert block[0] == 7
    assert np.array(block[1]).view(np.float64) == 0.5
    assert block[2:5] == [table.ctypes.data, 2, 3]  # type: ignore[attr-defined]
    assert block[5:8] == [small.ctypes.data, 4, -1]
    assert block[9] == 0


def test_only_what_is_new_is_written_again() -> None:
    given = arguments()
    kernel = Kernel("look", ADDRESS, CODES)
    kernel(*given)
    given[0], given[3] = 8, (np.ones(5, np.uint8), 2)
    kernel(*given)
    before, after = SEEN
    assert [n for n in range(SIZE) if before[n] != after[n]] == [0, 5, 6, 7]


def test_a_word_of_64_bits_is_passed_whatever_its_sign() -> None:
    kernel = Kernel("look", ADDRESS, ("int",) + ("float",) * (SIZE - 1))
    kernel(2**64 - 1, *[0.0] * (SIZE - 1))
    assert SEEN[0][0] == -1


def test_kernels_of_one_function_have_blocks_of_their_own() -> None:
    codes = ("int",) * SIZE
    one, other = Kernel("look", ADDRESS, codes), Kernel("look", ADDRESS, codes)
    one(*range(SIZE))
    other(*[5] * SIZE)
    one(*range(SIZE))
    assert SEEN[0] == SEEN[2] == list(range(SIZE))


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((2, 3), np.float32), np.zeros(3), np.zeros((3, 4))[:, ::2], np.asfortranarray(np.zeros((2, 3)))],
    ids=["numbers", "dimensions", "gaps", "order"],
)
def test_an_array_of_another_layout_is_refused(wrong: object) -> None:
    given = arguments()
    given[2] = wrong
    with pytest.raises(TypeError, match="float64:2 in one piece"):
        Kernel("look", ADDRESS, CODES)(*given)
    assert not SEEN


def test_the_number_of_arguments_counts() -> None:
    with pytest.raises(TypeError, match="takes 5 arguments, not 1"):
        Kernel("look", ADDRESS, CODES)(1)


def test_an_array_that_cannot_be_written_to_is_passed() -> None:
    table = np.arange(6.0)
    table.setflags(write=False)
    Kernel("look", ADDRESS, ("float64:1", *["int"] * 8))(table, *[0] * 8)
    assert SEEN[0][0] == table.ctypes.data


def test_a_function_that_finds_no_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "STATUS", 1)
    with pytest.raises(MemoryError, match="look"):
        Kernel("look", ADDRESS, ("int",) * SIZE)(*range(SIZE))


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        (True, "int"),
        (np.uint64(3), "int"),
        (np.float32(1), "float"),
        (np.zeros((1, 2), np.bool_), "bool:2"),
        ((1, np.zeros(1)), ("int", "float64:1")),
    ],
)
def test_codes_tell_what_an_argument_is(argument: object, code: object) -> None:
    assert code_of(argument) == code


def test_what_is_no_number_and_no_array_has_no_code() -> None:
    with pytest.raises(TypeError, match="not str"):
        code_of("word")
