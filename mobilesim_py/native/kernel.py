"""Calling a compiled function by its address.

A function takes a pointer to one block of 64-bit words. Of a number there is its value, of an array its address and its
shape, of a table (a tuple of numbers and arrays) all that it holds. Most arguments are the same tables at every call, so
only what is another object than the last time is written anew.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

WHOLE, REAL = "int", "float"
"""Codes of numbers; those of arrays are `DTYPE:DIMENSIONS`, such as `float64:2`."""

Code = str | tuple[str, ...]
"""What an argument is; a tuple for a table."""


def code_of(argument: Any) -> Code:
    """Return the code of an argument; TypeError if compiled functions cannot take it."""
    if isinstance(argument, tuple):
        return tuple(_plain_code_of(item) for item in argument)
    return _plain_code_of(argument)


def _plain_code_of(argument: Any) -> str:
    if isinstance(argument, np.ndarray):
        return f"{argument.dtype.name}:{argument.ndim}"
    if isinstance(argument, (bool, int, np.integer, np.bool_)):
        return WHOLE
    if isinstance(argument, (float, np.floating)):
        return REAL
    raise TypeError(f"a compiled function takes numbers and arrays, not {type(argument).__name__}")


def plain_codes(codes: Sequence[Code]) -> Iterator[str]:
    """Yield the codes of all numbers and arrays, those in tables too."""
    for code in codes:
        if isinstance(code, str):
            yield code
        else:
            yield from code


def words_of(code: str) -> int:
    """Return how many words of the block a number or an array takes."""
    return 1 if code in (WHOLE, REAL) else 1 + int(code.partition(":")[2])


def _address_of(array: Any) -> int:
    """Return where an array lies."""
    try:
        return ctypes.addressof(_from_buffer(array))  # a quarter of the time of the other way
    except (ValueError, TypeError):  # It has no elements, or cannot be written to.
        address: int = array.__array_interface__["data"][0]
        return address


_from_buffer = ctypes.c_char.from_buffer
Put = Callable[[Any], None]


class Kernel:
    """A compiled function. Not to be called by two threads at a time: each needs a kernel of its own."""

    def __init__(self, name: str, address: int, codes: Sequence[Code]) -> None:
        self.name = name
        self.codes = tuple(codes)
        size = max(1, sum(map(words_of, plain_codes(codes))))
        self._whole = (ctypes.c_int64 * size)()
        self._real = (ctypes.c_double * size).from_buffer(self._whole)
        self._last: list[Any] = [None] * len(self.codes)
        first = 0
        self._put: list[Put] = []
        for code in self.codes:
            put, first = self._putter(code, first) if isinstance(code, str) else self._table_putter(code, first)
            self._put.append(put)
        # Functions of this kind leave the interpreter's lock to other threads.
        self._function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(address)
        self._block = ctypes.c_void_p(ctypes.addressof(self._whole))

    def __call__(self, *arguments: Any) -> None:
        """Call it; it returns nothing, but writes into its arrays."""
        last = self._last
        if len(arguments) != len(last):
            raise TypeError(f"{self.name} takes {len(last)} arguments, not {len(arguments)}")
        for place, argument in enumerate(arguments):
            if argument is not last[place]:
                self._put[place](argument)
                last[place] = argument  # The reference keeps alive what the block has the address of.
        if self._function(self._block):
            raise MemoryError(f"the compiled {self.name} found no memory")

    def _table_putter(self, codes: Sequence[str], first: int) -> tuple[Put, int]:
        puts = []
        for code in codes:
            put, first = self._putter(code, first)
            puts.append(put)

        def put_table(table: tuple[Any, ...]) -> None:
            for put, item in zip(puts, table, strict=True):
                put(item)

        return put_table, first

    def _putter(self, code: str, first: int) -> tuple[Put, int]:
        """Return what writes a number or an array into the block, and where the next one begins."""
        if code == WHOLE:
            return self._whole_putter(first), first + 1
        if code == REAL:
            return self._real_putter(first), first + 1
        name, _, dimensions = code.partition(":")
        return self._array_putter(np.dtype(name), int(dimensions), first), first + words_of(code)

    def _whole_putter(self, first: int) -> Put:
        whole = self._whole

        def put(value: Any) -> None:
            whole[first] = int(value)  # A word of 64 bits, whatever its sign.

        return put

    def _real_putter(self, first: int) -> Put:
        real = self._real

        def put(value: Any) -> None:
            real[first] = value

        return put

    def _array_putter(self, dtype: np.dtype[Any], ndim: int, first: int) -> Put:
        whole, behind = self._whole, first + 1 + ndim

        def put(array: Any) -> None:
            if (array.dtype is not dtype and array.dtype != dtype) or array.ndim != ndim or not array.flags.c_contiguous:
                found = f"{array.dtype.name}:{array.ndim}"
                raise TypeError(f"the compiled {self.name} wants {dtype.name}:{ndim} in one piece, not {found}")
            whole[first] = _address_of(array)
            whole[first + 1 : behind] = array.shape

        return put
