"""What a message is in memory, and how arrays of numbers get into it and out of it.

A message is a dict of its fields in the order of its definition: numbers, strings, `Time`, dicts, lists of those; arrays of
numbers are one-dimensional NumPy arrays (anything that NumPy takes is taken too, and bytes where the numbers are bytes).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from mobilesim_py.protocols.ros.errors import MessageError
from mobilesim_py.protocols.ros.rows import NUMBERS

Message = dict[str, Any]
NumberArray = npt.NDArray[Any]

DTYPES: Mapping[str, np.dtype[Any]] = {
    base: np.dtype("?" if code == "?" else f"<{np.dtype(code).str[1:]}") for base, code in NUMBERS.items()
}
EMPTY: Mapping[str, NumberArray] = {base: np.empty(0, dtype) for base, dtype in DTYPES.items()}

# What arithmetic, struct, NumPy and dicts raise when a value does not fit its field.
MISFITS = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, struct.error)


def misfit(name: str, fault: Exception) -> MessageError:
    """Return the error that says why a message does not fit the type `name`."""
    what = f"field {fault} is missing" if isinstance(fault, KeyError) else str(fault)
    return MessageError(f"{name}: {what}")


def array_maker(base: str) -> Callable[[Any], NumberArray]:
    """Return the function that makes a little-endian array of numbers of what a field holds."""
    dtype = DTYPES[base]
    asarray = np.asarray

    def make(value: Any) -> NumberArray:
        array = asarray(value, dtype)
        if array.ndim != 1:
            raise ValueError(f"{base}[] needs a flat array, not one of {array.ndim} dimensions")
        return array

    def make_of_bytes(value: Any) -> NumberArray:
        return np.frombuffer(value, dtype) if isinstance(value, bytes | bytearray | memoryview) else make(value)

    return make_of_bytes if dtype.itemsize == 1 else make


ARRAYS: Mapping[str, Callable[[Any], NumberArray]] = {base: array_maker(base) for base in NUMBERS}


def fixed_array(base: str, length: int) -> Callable[[Any], NumberArray]:
    """Return the function that makes an array of exactly `length` numbers of what a field holds."""
    make = ARRAYS[base]

    def make_fixed(value: Any) -> NumberArray:
        array = make(value)
        if array.size != length:
            raise ValueError(f"{base}[{length}] needs {length} numbers, not {array.size}")
        return array

    return make_fixed
